"""The texts that learners read: fills in the names, checks them, and counts the words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tabletop.battle.battle import Battle
from tabletop.lessons.models import StepRow
from tabletop.play.files.nearest_words import clip, did_you_mean
from tabletop.rules.cards import rule_card

_NAMED = re.compile(r"\{(\w+):([^{}]*)\}")
_ANY = re.compile(r"\{[^{}]*\}?")
#: What a text may name: a unit by id, a rule by id, a command by id.
NAMES = ("unit", "rule", "cmd")
#: The commands of a lesson, by id, as typed at the prompt.
COMMANDS = ("hint", "undo", "retry", "solution", "skip", "next", "yes", "no")


def filled(text: str, battle: Battle, command: Callable[[str], str] = lambda name: f"'{name}'") -> str:
    """Return a text with the names of units and commands in place of their ids.

    >>> from tabletop.play.files.opened import open_battle
    >>> filled("Halt {unit:arnaud}; {cmd:undo} takes it back.", open_battle("starter"))
    "Halt Arnaud; 'undo' takes it back."
    """

    def named(match: re.Match[str]) -> str:
        what, name = match[1], match[2].strip()
        return battle.called(name) if what == "unit" else command(name) if what == "cmd" else name

    return _NAMED.sub(named, text)


def faults(text: str, battle: Battle, rules: str) -> Iterator[str]:
    """Yield the faults of the names in a text."""
    for match in _NAMED.finditer(text):
        what, name = match[1], match[2].strip()
        if what not in NAMES:
            yield f"'{clip(match[0])}' names nothing; write {{unit:ID}}, {{rule:ID}} or {{cmd:ID}}"
        elif what == "unit" and battle.someone(name) is None:
            yield f"there is no unit '{clip(name)}' in the scene; {did_you_mean(name, [u.id for u in battle.units])}"
        elif what == "rule" and rule_card(rules, name) is None:
            yield f"there is no rule '{clip(name)}' in {rules}; name one of its ids"
        elif what == "cmd" and name not in COMMANDS:
            yield f"there is no command '{clip(name)}'; {did_you_mean(name, COMMANDS)}"
    if odd := _ANY.search(_NAMED.sub("", text)):
        yield f"'{clip(odd[0])}' is no name; write {{unit:ID}}, or leave the braces out"


def of_step(step: StepRow) -> Iterator[tuple[list[str | int], str]]:
    """Yield every text of a step with the keys that lead to it."""
    for key in ("goal", "say", "done", "missed"):
        if (text := getattr(step, key)) is not None:
            yield [key], text
    for k, hint in enumerate(step.hints):
        yield ["hints", k], hint.text


def words(text: str) -> int:
    """Return the number of words in a text."""
    return len(text.split())
