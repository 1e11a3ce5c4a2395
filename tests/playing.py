"""Battles in the middle of a turn, for the tests of played actions; dice as scripted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import ScriptedDice
from tabletop.battle.event import Told
from tabletop.battle.progress import Clock, Setup
from tabletop.battle.unit import Unit
from tabletop.errors import Illegal
from tabletop.geometry.terrain import Terrain
from tabletop.geometry.verdict import Verdict
from tabletop.play import engine
from tabletop.play.engine import Step
from tabletop.rules.tse.muster import muster
from tabletop.rules.tse.tables import troop
from tests.field import Field

FIELD = Field()
#: Draws that lose, delay and let through the orders of average infantry, whatever the action, without a general.
LOST, DELAYED, RECEIVED = 0.01, 0.15, 0.9
SIDES = ("blue", "red")


def scene(
    *things: Unit | Terrain, side: str = "blue", group: str = "div", setup: dict[str, Any] | None = None, **rulings: Any
) -> Battle:
    """Return a battle in its first turn, the group of a side about to act; units stand by the field's coordinates.

    A corps general far away, who has not acted, keeps the turn from ending.
    """
    battle = FIELD.battle(*things, general("far", (35.0, -35.0), rank="corps"), **rulings)
    kept = Setup(**{"sides": SIDES, "attacker": "blue", **(setup or {})})
    return replace(battle, setup=kept, clock=Clock(1, "acting", side, group))


def unit(id: str = "a", **keys: Any) -> Unit:  # noqa: A002
    """Return a column of four average infantry bases of blue's division "div" facing north, unless said."""
    quality = {"quality": "average"} if troop(keys.get("troop", "infantry")).graded else {}
    return FIELD.unit(id, **{"parent": "div", "at": (0.0, 0.0), **quality, **keys})


def general(
    id: str = "div",  # noqa: A002
    at: tuple[float, float] = (0.0, -30.0),
    side: str = "blue",
    rank: str = "division",
) -> Unit:
    """Return a general; blue's division "div" is led by him unless said."""
    entry = {"id": id, "side": side, "troop": "general", "rank": rank, "at": FIELD.put(at)}
    return muster(entry, FIELD.rulings())


def action(battle: Battle, kind: str, unit: str | None = "a", target: str | None = None, **options: Any) -> Action:
    """Return an action of the side to move; ``path`` and ``to`` by the field's coordinates."""
    if "path" in options:
        options["path"] = tuple(tuple(FIELD.put(p)) for p in options["path"])
    return Action(kind, str(battle.clock.side), unit, target, options)


def do(battle: Battle, kind: str, unit: str | None = "a", *draws: float, **options: Any) -> Step:
    """Return what comes of an action with these draws and no others."""
    dice = ScriptedDice(list(draws))
    step = engine.submit(battle, action(battle, kind, unit, **options), dice)
    assert dice.script == [], "every draw is used"
    return step


def verdict(battle: Battle, kind: str, unit: str | None = "a", **options: Any) -> Verdict:
    return engine.judge(battle, action(battle, kind, unit, **options))


def refused(battle: Battle, kind: str, unit: str | None = "a", **options: Any) -> set[str]:
    """Return the rules by which an action is refused, which must not be allowed."""
    with pytest.raises(Illegal) as caught:
        engine.submit(battle, action(battle, kind, unit, **options))
    return {reason.rule for reason in caught.value.verdict.because if not reason.holds}


def told(step: Step, what: str) -> dict[str, Any]:
    """Return what was put on record under a heading."""
    return dict(next(e for e in step.events if isinstance(e, Told) and e.what == what).values)


def north(step: Step, id: str = "a") -> float:  # noqa: A002
    """Return how far north of the origin the middle of a unit's front is."""
    return FIELD.back(step.battle.unit(id).front_mid)[1]


def marks(step: Step, id: str = "a") -> Iterator[str]:  # noqa: A002
    return iter(step.battle.unit(id).marks)
