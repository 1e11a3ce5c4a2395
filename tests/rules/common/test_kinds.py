"""Kinds of action from data: the Ages and Age of Sail name theirs in ``actions.toml``."""

from __future__ import annotations

import pytest

from tabletop.rules.common.kinds import first_phase, phases_of
from tabletop.rules.rule_set import find

SETS = ("sail", "realm-of-chance", "destiny", "reason", "gloire", "glaube")


@pytest.mark.parametrize("name", SETS)
def test_every_kind_is_done_in_a_phase_of_the_turn(name: str) -> None:
    """Only to say that a phase is over belongs to none; other words for actions name kinds there are."""
    play, package = find(name).play(), f"tabletop.rules.{'sail' if name == 'sail' else 'ages'}"  # type: ignore[misc]
    assert list(play.kinds) == list(phases_of(package))
    assert {kind for kind, phases in phases_of(package).items() if not phases} == {"done"}
    assert set().union(*phases_of(package).values()) <= set(play.phases)
    assert set().union(*play.words.values()) <= set(play.kinds)


def test_a_kind_without_a_phase_is_asked_in_the_usual_one() -> None:
    assert first_phase("tabletop.rules.ages", "combat", "movement") == "combat"
    assert first_phase("tabletop.rules.ages", "done", "movement") == "movement"
    assert first_phase("tabletop.rules.ages", "unheard-of", "movement") == "movement"
