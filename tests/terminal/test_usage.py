"""The help of the prompt speaks of the options and questions that the rule set of the battle has."""

from __future__ import annotations

import pytest

from tabletop.play import engine
from tabletop.play.files.opened import open_battle
from tabletop.rules import rule_set
from tabletop.terminal import usage
from tabletop.terminal.layout import WIDTH


def told(name: str) -> str:
    """Return what the help says of options and questions at the beginning of a battle."""
    battle = engine.begin(open_battle(name), 1).battle
    lines = [*usage.options(battle), *usage.questions(rule_set.find(battle.rules))]
    assert all(len(line) <= WIDTH for line in lines)
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("name", "there", "absent"),
    [
        ("starter", ("ranks 2,1,1", "bend 10,0,-10", "ask breakthrough A B after C [delayed]"), ("hull", "| stance")),
        ("drill-ground", ("in FORMATION", "stance advance/hold", "with UNIT"), ("ranks", "bend", "delayed", "ask")),
        ("long-sand", ("as hull/masts",), ("assault", "breakthrough", "ranks", "bend", "delayed")),
    ],
)
def test_options_and_questions_are_those_of_the_rules(
    name: str, there: tuple[str, ...], absent: tuple[str, ...]
) -> None:
    """Each rule set has its own; none of another one's is told."""
    text = told(name)
    assert all(words in text for words in there), text
    assert not any(words in text for words in absent), text
