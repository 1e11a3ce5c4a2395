"""What a rule set says of its questions and units, and what is said where it does not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.render.judge.asking import answered
from tabletop.rules import rule_set
from tabletop.rules.asked import ONE, Wording
from tabletop.rules.common.looks import Condition, Figure, Looks
from tabletop.rules.rule_set import Question

TIDE = Wording("Tide", "How high does it stand?", ONE, sentence="How deep is the water at {0}?")


def unit(troop: str, **keys: Any) -> Unit:
    return Unit("a", "red", troop, (Base(0.0, 0.0, 0.0, 1.0, 1.0),), **keys)


def test_a_question_of_its_own_brings_its_words_along() -> None:
    """Else the usual words for a question of its name, else its name."""
    sail = rule_set.find("sail")
    asked = sail.questions["distance"]
    own = replace(sail, questions={"tide": replace(asked, wording=TIDE), "ebb-tide": asked, "reach": asked})
    assert own.wording("tide") is TIDE
    assert (own.wording("ebb-tide").label, own.wording("ebb-tide").steps) == ("Ebb tide", ())
    assert own.wording("reach").sentence == "How far can {0} go by {as}?"


@pytest.mark.parametrize("name", rule_set.BUILT_IN)
def test_every_question_of_ours_can_be_clicked(name: str) -> None:
    assert answered(name) == list(rule_set.find(name).questions)
    assert all(rule_set.find(name).wording(question).sentence for question in answered(name))


def test_only_a_question_with_steps_has_a_button(monkeypatch: pytest.MonkeyPatch) -> None:
    sail = rule_set.find("sail")
    bare = Question(sail.questions["distance"].answer, 1)
    other = replace(sail, questions={"tide": replace(bare, wording=TIDE), "ebb": bare})
    monkeypatch.setattr(rule_set, "find", lambda name: other)
    assert answered("sail") == ["tide"]


def test_units_look_as_their_rules_say() -> None:
    looks = Looks({"pike": Figure.FOOT}, {"shaky": Condition.SHAKEN}, {"colonel": 2})
    assert (looks.figure("swiss-pike"), looks.figure("elephant")) == (Figure.FOOT, None)
    assert [looks.condition(unit("pike", status=word)) for word in ("ok", "shaky", "odd")] == [
        None, Condition.SHAKEN, Condition.MARKED,
    ]  # fmt: skip
    assert [looks.rank(unit("general", rank=rank)) for rank in ("colonel", "captain")] == [2, 1]


def test_ways_of_moving_have_labels() -> None:
    assert rule_set.find("tse").way("general")[0] == "Ride"
    assert rule_set.find("sail").way("heave-to") == ("Heave to", "heave-to")
