"""The ground endangered in a unit's next turn holds everybody it may assault or shoot at then.

TSE-ASL-03 to TSE-ASL-07, TSE-ASL-70 to TSE-ASL-74, TSE-FIR-04, TSE-CMB-01, TSE-CMB-02.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Terrain
from tabletop.judge import ask
from tabletop.play.files.load import load_scene
from tabletop.rules import rule_set
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.assault.calculator_form import breakthrough_of
from tabletop.rules.tse.assault.charge import left_over, meeting
from tabletop.rules.tse.assault.judge import assaultable, chosen_assault
from tabletop.rules.tse.assault.path import reach_of
from tabletop.rules.tse.computer.random_action import DRAWERS
from tabletop.rules.tse.fire.judge import fire
from tabletop.rules.tse.movement.formation import assume
from tabletop.rules.tse.movement.resolve import planned_move_of, within_half
from tabletop.rules.tse.movement.resolve_formation import deployed
from tabletop.rules.tse.questions.next_turn import assaulted, endangered, shot_at
from tests.field import FIELDS, Field

MAPS = ("starter", "quatre-bras", "teaching", "skirmish")
FORMATIONS = ("maneuver-column", "maneuver-column", "maneuver-column", "deployed", "march-column")
QUALITY: dict[str, dict[str, Any]] = {"infantry": {"quality": "average"}, "light-cavalry": {"bases": 3, "front": 2}}
#: Units of each side in a scene, and inches they lie about.
FEW, WINDOW = 4, 9.0


@cache
def map_of(name: str) -> Battle:
    return load_scene(Path(__file__).parents[3] / "scenarios" / "tse" / f"{name}.yaml")


def scattered(rng: Random) -> Battle:
    """Return a few units of both sides near each other on one of the maps, in any formation, facing any way."""
    whole = map_of(rng.choice(MAPS))
    table = whole.table
    x, y = (rng.uniform(WINDOW, far - WINDOW) for far in (table.width, table.height))
    units = list[Unit]()
    for side in sorted({u.side for u in whole.units}):
        own = [u for u in whole.units if u.side == side and not u.is_general]
        for unit in rng.sample(own, min(FEW, len(own))):
            formed = assume(whole, unit, rng.choice(FORMATIONS), facing=rng.uniform(0.0, 360.0))
            at = x + rng.uniform(-WINDOW, WINDOW), y + rng.uniform(-WINDOW, WINDOW)
            there = formed.moved(at[0] - formed.at[0], at[1] - formed.at[1])
            status = rng.choice(("ok", "ok", "ok", "disordered"))
            inside = shapely.covers(table.edge, there.footprint)
            if inside and not any(shapely.intersects(there.footprint, u.footprint) for u in units):
                units.append(replace(there, status=status))
    return replace(whole, units=tuple(units))


def outside(ground: BaseGeometry, target: Unit) -> float:
    """Return how far a unit is from some ground."""
    return float(shapely.distance(ground, target.footprint)) if not ground.is_empty else float("inf")


def onward(battle: Battle, unit: Unit, target: Unit) -> Iterator[Unit]:
    """Yield whom cavalry may assault by a breakthrough after an assault it may make now, and as it is met half-way."""
    reach = reach_of(battle, unit)
    made, _ = chosen_assault(battle, unit, target)
    assert reach is not None
    met = meeting(battle, unit, target, made.path)
    ends = [(made.ended, False), *([(met.charger, True)] if met is not None else [])]
    for end, halfway in ends:
        left = left_over(battle, unit, made.path, reach, halfway, target)
        there = battle.with_unit(end)
        for other in battle.enemies(unit):
            if left > 0.0 and breakthrough_of(there, unit.id, other.id, left) is not None:
                yield other


def may_fire(battle: Battle, unit: Unit, target: Unit) -> bool:
    return fire(battle, Request("fire", (unit.id, target.id), {"brief": True})).holds


def drawn(battle: Battle, unit: Unit, kind: str, rng: Random) -> Unit | None:
    """Return the unit after a legal deployment or half a maneuver drawn at random; None if the draw is not legal."""
    action = DRAWERS[kind](battle, unit, rng)
    assert action is not None
    options = {**action.options, "as": kind}
    if not ask(battle, "move", (unit.id,), {**options, "brief": True}).holds:
        return None
    if kind == "deploy":
        return deployed(battle, action)
    plan, _ = planned_move_of(battle, action)
    return plan.end if within_half(plan) else None


# --- at the limits ----------------------------------------------------------------------------------------------------


def facing_off(field: Field, troops: str, far: float, bearing: float, *terrain: Terrain, **keys: Any) -> Battle:
    """Return a unit whose front is at the origin and a target, its nearest point ``far`` from there on a bearing."""
    unit = field.unit("a", **{"troop": troops, "front_mid": (0.0, 0.0), "facing": 90, **QUALITY[troops], **keys})
    target = field.unit("e", side="red", quality="average", front_mid=(0.0, far), facing=180)
    x, y = field.put((0.0, 0.0))
    return field.battle(unit, target.turned(bearing, (x, y)), *terrain)


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("bearing", [0.0, 90.0, 137.0, 270.0])
@pytest.mark.parametrize(("troops", "reach"), [("infantry", 6.0), ("light-cavalry", 12.0)])
@pytest.mark.parametrize(("more", "hit"), [(0.0, True), (0.004, True), (0.2, False)])
def test_ground_lies_within_reach_of_an_assault_on_all_sides(
    field: Field, bearing: float, troops: str, reach: float, more: float, hit: bool
) -> None:
    """TSE-ASL-03, TSE-ASL-05: the unit turns freely about the middle of its front, whichever way it faces."""
    battle = facing_off(field, troops, reach + more, bearing)
    unit, target = battle.unit("a"), battle.unit("e")
    assert assaultable(battle, unit, target) == hit
    assert (outside(assaulted(battle, unit), target) <= battle.tape.t) == hit


@pytest.mark.parametrize(("troops", "slow"), [("infantry", 2.0), ("light-cavalry", 4.0)])
def test_rough_ground_shortens_an_assault(troops: str, slow: float) -> None:
    """TSE-ASL-06: one inch of wood on the path costs two inches of foot, four of horse."""
    reach = 6.0 if troops == "infantry" else 12.0
    wood = Field().box("wood", "woods", (-9.0, 9.0), (1.0, 2.0))
    for more, near in ((0.0, True), (0.2, False)):
        battle = facing_off(Field(), troops, reach + 1.0 - slow + more, 0.0, wood)
        ground = assaulted(battle, battle.unit("a"))
        assert (outside(ground, battle.unit("e")) <= battle.tape.t) == near


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize(("far", "hit"), [(5.5, True), (5.504, True), (5.7, False)])
def test_a_bridge_over_a_stream_shortens_an_assault_by_half_an_inch(field: Field, far: float, hit: bool) -> None:
    """TSE-MOV-09, TSE-ASL-06: what a choke-point crosses costs nothing more."""
    stream = field.path("stream", "stream", (-9.0, 3.0), (9.0, 3.0))
    bridge = field.box("bridge", "bridge", (-1.0, 1.0), (2.5, 3.5))
    battle = facing_off(field, "infantry", far, 0.0, stream, bridge)
    unit, target = battle.unit("a"), battle.unit("e")
    assert assaultable(battle, unit, target) == hit
    assert (outside(assaulted(battle, unit), target) <= battle.tape.t) == hit


def test_impassable_ground_stops_an_assault() -> None:
    """TSE-ASL-07: the path may not cross it; past its end there is a way."""
    lake = Field().box("lake", "lake", (-1.0, 9.0), (2.0, 3.0))
    battle = facing_off(Field(), "infantry", 4.0, 0.0, lake)
    ground = assaulted(battle, battle.unit("a"))
    assert not shapely.dwithin(ground, shapely.Point(Field().put((0.0, 3.5))), 0.1)
    assert shapely.covers(ground, shapely.Point(Field().put((-3.0, 3.5))))


@pytest.mark.parametrize("keys", [{"formation": "deployed"}, {"formation": "march-column"}, {"status": "demoralized"}])
def test_who_may_not_assault_endangers_nobody_by_assault(keys: dict[str, Any]) -> None:
    """TSE-ASL-01, TSE-ASL-50."""
    battle = facing_off(Field(), "infantry", 3.0, 0.0, **keys)
    assert assaulted(battle, battle.unit("a")).is_empty
    assert shot_at(battle, battle.unit("a")).is_empty == (keys.get("status") == "demoralized")


def test_only_foot_and_guns_shoot() -> None:
    """TSE-ACT-93, and a general does neither."""
    battle = facing_off(Field(), "light-cavalry", 3.0, 0.0)
    assert endangered(battle, battle.unit("a"))["fire"].is_empty
    assert not endangered(battle, battle.unit("a"))["assault"].is_empty


def test_rules_that_only_measure_endanger_nobody() -> None:
    assert rule_set.nobody_endangered(map_of("starter"), map_of("starter").units[0]) == {}


# --- random scenes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenes", [8, pytest.param(20, marks=pytest.mark.sweep)])
def test_everybody_who_may_be_hit_stands_on_endangered_ground(scenes: int) -> None:
    count = checked(range(scenes))
    assert min(count.values()) > 0, count


@pytest.mark.sweep
def test_everybody_who_may_be_hit_stands_on_endangered_ground_many_times() -> None:
    count = checked(range(10_000, 16_000))
    assert min(count.values()) > 250, count


def checked(seeds: range) -> dict[str, int]:
    """Check random scenes; return how many assaults, breakthroughs and shots of each kind there were in them."""
    count = dict.fromkeys(("assault", "breakthrough", "fire", "maneuver", "deploy"), 0)
    for seed in seeds:
        rng = Random(seed)
        battle = scattered(rng)
        for unit in battle.units:
            charge, shot = assaulted(battle, unit), shot_at(battle, unit)
            for kind, target in hit(battle, unit, rng):
                ground = charge if kind in ("assault", "breakthrough") else shot
                assert outside(ground, target) <= battle.tape.t, (seed, kind, unit.id, target.id)
                count[kind] += 1
    return count


def hit(battle: Battle, unit: Unit, rng: Random) -> Iterator[tuple[str, Unit]]:
    """Yield whom a unit may assault or shoot at in its next turn, and how."""
    enemies = battle.enemies(unit)
    cavalry = "cavalry" in unit.troop
    for target in enemies:
        if assaultable(battle, unit, target):
            yield "assault", target
            yield from (("breakthrough", other) for other in onward(battle, unit, target) if cavalry)
    if shot_at(battle, unit).is_empty:
        assert not any(may_fire(battle, unit, target) for target in enemies)
        return
    places = [("fire", unit), *((k, drawn(battle, unit, k, rng)) for k in ("maneuver", "deploy"))]
    for kind, there in places:
        if there is not None:
            after = battle.with_unit(there)
            yield from ((kind, target) for target in enemies if may_fire(after, there, target))
