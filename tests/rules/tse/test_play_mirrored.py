"""Played actions on a table mirrored, turned and listed otherwise: the same, mirrored and turned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import ScriptedDice
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Terrain
from tabletop.play import engine
from tests.playing import DELAYED, FIELD, RECEIVED, general, scene, unit

Place = tuple[float, float]
#: What becomes of a place and of a bearing on the other table.
TABLES: dict[str, tuple[Callable[[Place], Place], Callable[[float], float]]] = {
    "mirrored": (lambda p: (-p[0], p[1]), lambda h: -h % 360.0),
    "turned": (lambda p: (p[1], -p[0]), lambda h: (h + 90.0) % 360.0),
    "upside down": (lambda p: (p[0], -p[1]), lambda h: (180.0 - h) % 360.0),
}


def table(place: Callable[[Place], Place], facing: Callable[[float], float], backwards: bool = False) -> Battle:
    """Return one battle on another table: a column, friends and guns near it, an enemy general in its way, a wood."""

    def put(name: str, at: Place, heading: float, **keys: object) -> Unit:
        return unit(name, at=place(at), facing=facing(heading), **keys)

    def box(name: str, kind: str, low: Place, high: Place) -> Terrain:
        (ax, ay), (bx, by) = place(low), place(high)
        return FIELD.box(name, kind, (min(ax, bx), max(ax, bx)), (min(ay, by), max(ay, by)))

    things: list[Unit | Terrain] = [
        put("a", (0.0, 0.0), 0.0),
        put("b", (0.6, 2.8), 0.0, formation="deployed"),
        put("line", (-8.0, 0.0), 0.0, formation="deployed", bases=8),
        put("guns", (-3.5, -0.125), 0.0, formation="deployed", troop="light-foot-artillery", bases=1),
        put("enemy", (-8.0, 7.0), 180.0, side="red", parent="rd", formation="deployed"),
        general("r", place((1.3, 2.0)), side="red"),
        box("wood", "rough", (0.5, 2.0), (0.9, 2.4)),
    ]
    return scene(*(things[::-1] if backwards else things))


ACTIONS: dict[str, tuple[str, str, tuple[float, ...], dict[str, object]]] = {
    "delayed among friends": ("maneuver", "a", (DELAYED, 0.9), {"path": ((0.0, 5.5),)}),
    "delayed round a bend": ("maneuver", "a", (DELAYED, 0.9), {"path": ((0.0, 1.2), (3.2, 1.2))}),
    "whole": ("maneuver", "a", (RECEIVED, 0.9), {"path": ((3.0, 1.2),)}),
    "a march": ("march", "b", (DELAYED, 0.9), {"path": ((7.0, 5.0),)}),
    "deployed late": ("deploy", "line", (DELAYED,), {"ref": 3, "facing": 10.0, "shift": (0.0, 0.9)}),
    "a square with guns": ("square", "line", (RECEIVED,), {"facing": 0.0}),
}


def played(battle: Battle, name: str, place: Callable[[Place], Place], facing: Callable[[float], float]) -> Battle:
    kind, who, draws, options = ACTIONS[name]
    wanted = dict(options)
    if "path" in wanted:
        wanted["path"] = tuple(tuple(FIELD.put(place(p))) for p in wanted["path"])  # type: ignore[attr-defined]
    if "facing" in wanted:
        wanted["facing"] = facing(float(str(wanted["facing"])))
    if "ref" in wanted and place((1.0, 2.0)) in ((-1.0, 2.0), (1.0, -2.0)):
        wanted["ref"] = battle.unit(who).strength - 1 - int(str(wanted["ref"]))  # seen from behind the line, mirrored
    if "shift" in wanted:
        wanted["shift"] = place(wanted["shift"])  # type: ignore[arg-type]
    dice = ScriptedDice(list(draws))
    return engine.submit(battle, Action(kind, "blue", who, options=wanted), dice).battle


def same(place: Place) -> Place:
    return place


@pytest.mark.parametrize("other", TABLES)
@pytest.mark.parametrize("name", ACTIONS)
def test_the_same_on_another_table(name: str, other: str) -> None:
    """TSE-ORD-05, TSE-ACT-12, TSE-ACT-31, TSE-LDR-08: every unit ends where the other table has it.

    A square winds one way: it has no mirror image.
    """
    if name == "a square with guns" and other != "turned":
        return
    place, facing = TABLES[other]
    here = played(table(same, lambda h: h), name, same, lambda h: h)
    there = played(table(place, facing), name, place, facing)
    for own in here.units:
        if own.id == "far":
            continue
        x, y = place(FIELD.back(own.at))
        assert FIELD.back(there.unit(own.id).at) == pytest.approx((x, y), abs=1e-3), own.id
        assert dict(there.unit(own.id).marks) == dict(own.marks)


@pytest.mark.parametrize("name", ACTIONS)
def test_the_same_listed_backwards(name: str) -> None:
    """TSE-ORD-01: the order of units and terrain is no matter."""
    here = played(table(same, lambda h: h), name, same, lambda h: h)
    there = played(table(same, lambda h: h, backwards=True), name, same, lambda h: h)
    assert replace(here, table=there.table) == there
