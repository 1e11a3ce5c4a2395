"""Mist that comes and goes: thrown for at the start of every turn, where the scenario has any."""

from __future__ import annotations

import pytest

from tabletop.battle.event import Told
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.judge import ask
from tabletop.rules.ages.sight.judge import sight_limit
from tabletop.rules.ages.turn.sequence import begin
from tests.ages import Numbers
from tests.glaube import BUILDER, unit


def gun_and_target(gap: float) -> tuple[Unit, Unit]:
    gun = unit("gun", "blue", "foot-artillery", quality="swedish", front_mid=[500, 300])
    return gun, unit("target", "red", front_mid=[500, 300 + gap], facing=180)


def begun(number: int, gap: float = 80.0, **options: object) -> Unfolding:
    unfolding = Unfolding(BUILDER.battle(*gun_and_target(gap), options=options), Numbers([float(number)]))
    begin(unfolding)
    return unfolding


@pytest.mark.parametrize(
    ("number", "far"),
    [
        (0, 50),
        (149, 50),
        (150, 100),
        (299, 100),
        (300, 200),
        (499, 200),
        (500, 350),
        (649, 350),
        (650, None),
        (999, None),
    ],
)
def test_how_far_one_sees_is_thrown_for(number: int, far: float | None) -> None:
    """AGE-ART-04, the option mist: every band at both of its ends."""
    unfolding = begun(number, mist=True)
    assert sight_limit(unfolding.battle) == (float("inf") if far is None else far)
    (event,) = (event for event in unfolding.events if isinstance(event, Told) and event.what == "mist")
    assert event.values == {"die": number, "far": far}


@pytest.mark.parametrize(("gap", "seen"), [(100.0, True), (101.0, False)])
def test_nobody_sees_or_fires_farther(gap: float, seen: bool) -> None:
    """AGE-ART-04: 150 lets one see 100 mm; who does not see says why."""
    battle = begun(150, gap, mist=True).battle
    for question in ("los", "fire"):
        verdict = ask(battle, question, ["gun", "target"])
        assert verdict.holds is seen
        assert seen or any("in the mist nobody sees beyond 100 mm" in reason.text for reason in verdict.because)


def test_there_is_none_unless_the_scenario_has_it() -> None:
    for options in ({}, {"mist": False}):
        unfolding = begun(0, **options)
        assert sight_limit(unfolding.battle) == float("inf") and "mist" not in unfolding.battle.memory
