"""Orders in the four Ages: messengers and who takes them, orders in person, and orders that were not understood."""

from __future__ import annotations

from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.event import Told
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.rules.ages.combat.pursuit import pursue
from tabletop.rules.ages.morale.falling_back import fall_back
from tabletop.rules.ages.turn.sequence import advance
from tests import destiny, realm
from tests.ages import Builder, Numbers

both = pytest.mark.parametrize("rules", [destiny.BUILDER, realm.BUILDER], ids=lambda rules: rules.rules.name)
ORDER = {"stance": "hold", "to": ("red",)}


def rider(rules: Builder, at: tuple[float, float]) -> Unit:
    """Return a red messenger with an order."""
    return rules.unit("o", "red", "staff-officer", at=at, marks={"carries": ORDER})


def persons(rules: Builder) -> tuple[Unit, Unit]:
    """Return a general of each side, far from everything."""
    return rules.unit("rg", "red", "general", at=[900, 700]), rules.unit("bg", "blue", "general", at=[100, 60])


def taken(unfolding: Unfolding) -> list[dict[str, Any]]:
    """Return what was put on record about messengers that were taken."""
    return [dict(e.values) for e in unfolding.events if isinstance(e, Told) and e.what == "messenger taken"]


def unfolds(rules: Builder, *units: Unit, phase: str = "movement") -> Unfolding:
    """Return a battle in which nobody throws well, ready for what is going to happen."""
    scene: Battle = rules.battle(*units, *persons(rules), phase=phase)
    return Unfolding(scene, rules.throws([100.0] if rules.throws is Numbers else [1.0]))


# --- messengers in the way --------------------------------------------------------------------------------------------


@both
@pytest.mark.parametrize(("x", "caught"), [(500.0, True), (569.8, True), (570.5, False), (700.0, False)])
def test_a_pursuer_takes_the_messenger_he_rides_through(rules: Builder, x: float, caught: bool) -> None:
    """AGE-ORD-05, ROC-ORD-03: the order goes to the nearest general; merely touching the messenger takes nobody."""
    horse = rules.unit("h", "blue", "heavy-cavalry", front_mid=[500, 300], marks={"pursuing": "red"})
    prey = rules.unit("red", "red", at=[500, 560], status="routing", facing=0)
    unfolding = unfolds(rules, horse, prey, rider(rules, (x, 360)))
    pursue(unfolding, "h")
    assert unfolding.battle.has("o") is not caught
    assert taken(unfolding) == ([{"order": ORDER, "to": "bg"}] if caught else [])


@both
@pytest.mark.parametrize(("y", "caught"), [(360.0, True), (250.0, False)])
def test_a_routing_unit_takes_the_messenger_it_runs_through(rules: Builder, y: float, caught: bool) -> None:
    """AGE-ORD-05, ROC-ORD-03: so does a unit that runs, but only on the ground it passes over."""
    runner = rules.unit("b", "blue", at=[500, 400], status="routing", facing=180)
    unfolding = unfolds(rules, runner, rules.unit("red", "red", at=[500, 560]), rider(rules, (500, y)), phase="rally")
    advance(unfolding)
    assert unfolding.unit("b").at == (500.0, 340.0)
    assert unfolding.battle.has("o") is not caught
    assert taken(unfolding) == ([{"order": ORDER, "to": "bg"}] if caught else [])


@both
@pytest.mark.parametrize(("y", "caught"), [(360.0, True), (300.0, False)])
def test_a_unit_that_falls_back_takes_the_messenger_behind_it(rules: Builder, y: float, caught: bool) -> None:
    """AGE-ORD-05, ROC-ORD-03: so does a unit that falls back or retires."""
    back = rules.unit("b", "blue", front_mid=[500, 410], status="disrupted", marks={"retiring": True})
    unfolding = unfolds(rules, back, rules.unit("red", "red", at=[500, 560]), rider(rules, (500, y)))
    fall_back(unfolding, "b")
    assert unfolding.unit("b").front_mid == (500.0, 360.0)
    assert unfolding.battle.has("o") is not caught
    assert taken(unfolding) == ([{"order": ORDER, "to": "bg"}] if caught else [])
