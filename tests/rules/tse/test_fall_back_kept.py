"""What fall-backs keep from one table to the next, as pieces and units are shifted: the same as made anew."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Terrain
from tabletop.judge.things import placed
from tabletop.play.files.load import load_scene
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.morale import fall_back, fall_back_budget, fall_back_obstacles
from tabletop.rules.tse.morale.fall_back import made_or_surrenders, roughly
from tabletop.rules.tse.morale.fall_back_budget import Spending
from tabletop.rules.tse.morale.fall_back_obstacles import obstacles_of

ROOT = Path(__file__).resolve().parents[3]
Legs = list[tuple[tuple[Point, ...], float]]
Carried = list[tuple[float, bool]]


@cache
def battle() -> Battle:
    return load_scene(ROOT / "scenarios/tse/quatre-bras.yaml")


def troops(on: Battle) -> list[Unit]:
    return [unit for unit in on.units if not unit.is_general]


def pieces_near(on: Battle, unit: Unit, far: float) -> list[Terrain]:
    """Return the pieces that bear on a fall-back, and on nothing else of a move, and lie about a unit."""
    kinds = ("rough", "town", "linear", "choke", "impassable")
    near = [piece for piece in on.table.terrain if piece.movement in kinds]
    return [piece for piece in near if piece.uncut.distance(unit.footprint) < far]


def shifted(on: Battle, unit: Unit, rng: random.Random) -> Battle:
    """Return a battle with one of the pieces about a unit elsewhere, mostly by little."""
    piece = rng.choice(pieces_near(on, unit, 8.0))
    far = rng.choice((0.02, 0.3, 2.0))
    return placed(on, [piece.moved(rng.uniform(-far, far), rng.uniform(-far, far), rng.choice((0.0, 5.0)))])


def scenes(unit: Unit, count: int, seed: int) -> Iterator[Battle]:
    """Yield the battle, and with pieces shifted; in some a bridge is laid where the unit goes."""
    rng, on = random.Random(seed), battle()
    bridges = [piece for piece in on.table.terrain if piece.movement == "choke"]
    for k in range(count):
        if k % 4 == 1 and bridges:
            bridge = rng.choice(bridges)
            (x, y), centre = unit.at, bridge.uncut.centroid
            yield placed(on, [bridge.moved(x - centre.x + rng.uniform(-3, 3), y - centre.y + rng.uniform(-3, 3))])
        yield shifted(on, unit, rng)


def legs_of(unit: Unit, rng: random.Random) -> Legs:
    """Return legs in directions that are asked about on every table, and one after a bend."""
    straight: Legs = [((), unit.facing + 180.0 + float(turn)) for turn in range(-45, 46, 15)]
    return [*straight, (((rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0)),), unit.facing + 190.0)]


@pytest.mark.parametrize("trace", ["front_edge", "front_mid", "footprint"])
@pytest.mark.parametrize("count", [6, pytest.param(80, marks=pytest.mark.sweep)])
def test_legs_are_carried_as_far_as_if_none_had_been_kept(count: int, trace: str) -> None:
    """TSE-INV-01, TSE-INV-16, TSE-MOV-09: wherever pieces lie, bridges and what they cross among them."""
    asked, worked_out = 0, 0
    for seed, unit in enumerate(troops(battle())[:: 3 if count < 10 else 1]):
        legs = legs_of(unit, random.Random(seed))
        if not pieces_near(battle(), unit, 8.0):
            continue
        tables = [on.with_ruling("rough_trace", trace) for on in scenes(unit, count, seed)]
        forget()
        kept = [carried(on, unit, legs) for on in tables]
        worked_out += len(fall_back_budget._CARRIED.kept)
        for on, some in zip(tables, kept, strict=True):
            forget()
            for (far, full), (again, as_full) in zip(some, carried(on, unit, legs), strict=True):
                assert far == pytest.approx(again, abs=1e-9), unit.id
                assert full == as_full, unit.id
        asked += len(legs) * len(tables)
    assert worked_out < 0.9 * asked, "hardly any leg was kept"


def forget() -> None:
    fall_back_budget._CARRIED.kept.clear()
    fall_back_budget._SPENDING.kept.clear()
    fall_back_budget._ALIKE.kept.clear()
    fall_back_obstacles._OBSTACLES.kept.clear()
    fall_back._FALLING.kept.clear()


def carried(on: Battle, unit: Unit, legs: Legs) -> Carried:
    """Return how far legs are carried, on open ground too, so that pieces out of reach are kept apart as well."""
    budget = replace(Spending.of(on, unit, 5.0, "rear"), plain=False, spent={}, priced={})
    return budget.lengths(legs)


@pytest.mark.parametrize("in_full", [True, False])
@pytest.mark.parametrize("count", [3, pytest.param(40, marks=pytest.mark.sweep)])
def test_answers_are_the_same_as_if_nothing_had_been_found_of_tables_alike(count: int, in_full: bool) -> None:
    """TSE-INV-06..10: whether it can be made, whether it surrenders, which way it goes and what it costs."""
    rng, alike = random.Random(5), 0
    for seed, unit in enumerate(troops(battle())[:: 3 if count < 10 else 1]):
        enemies = sorted((e for e in troops(battle()) if e.side != unit.side), key=lambda e: math.dist(unit.at, e.at))
        options = {"from": rng.choice(enemies[:4]).id, "distance": float(rng.randint(1, 6)), "brief": True}
        request = Request("fallback", (unit.id,), options)
        if not pieces_near(battle(), unit, 8.0):
            continue
        home = battle().with_ruling("fall_back_in_full", in_full)
        moved = [[p for p in on.table.terrain if p not in home.table.terrain] for on in scenes(unit, count, seed)]
        tables = [home, *(placed(home, pieces) for pieces in moved)]
        forget()
        kept = [answers(on, request) for on in tables]
        alike += len(tables) - len({id(falling) for _, falling in fall_back._FALLING.kept.values()})
        for on, told in zip(tables, kept, strict=True):
            forget()
            assert told == pytest.approx(answers(on, request), abs=1e-9), unit.id
    assert alike > 0


def answers(on: Battle, request: Request) -> list[float]:
    """Return whether it can be made, whether it surrenders, and the side it turns to; then the turn and the cost."""
    made, surrenders = made_or_surrenders(on, request)
    assert made is not None
    some, exactly = roughly(on, request), roughly(on, request, exactly=True)
    turn = float(some.measured["deviation"]) if some.holds else 0.0
    told = [float(exactly.measured[name]) for name in ("deviation", "cost")] if exactly.holds else [0.0, 0.0]
    return [made.holds, surrenders, some.holds, exactly.holds, (turn > 1e-6) - (turn < -1e-6), *told]


@pytest.mark.parametrize("count", [8, pytest.param(60, marks=pytest.mark.sweep)])
def test_what_stands_in_the_way_is_kept_where_nothing_that_bars_is_shifted(count: int) -> None:
    """TSE-MOV-15, TSE-INV-09: the very same for another hedge, another for another river or friend."""
    same = Counter[bool]()
    for seed, unit in enumerate(troops(battle())[:: 3 if count < 10 else 1]):
        if not pieces_near(battle(), unit, 8.0):
            continue
        home = obstacles_of(battle(), unit, 5.0)
        for on in scenes(unit, count, seed):
            there = obstacles_of(on, unit, 5.0)
            same[there is home] += 1
            forget()
            anew = obstacles_of(on, unit, 5.0)
            fall_back_obstacles._OBSTACLES.kept.clear()
            home = obstacles_of(battle(), unit, 5.0)
            for ours, theirs in ((there.walls, anew.walls), (there.ends, anew.ends)):
                assert list(map(shapely.to_wkb, ours)) == list(map(shapely.to_wkb, theirs))
            assert list(map(repr, there.keeps)) == list(map(repr, anew.keeps))
    assert same[True] > 10


@pytest.mark.parametrize("edge", ["avoid", "lost"])
@pytest.mark.parametrize("count", [1, pytest.param(6, marks=pytest.mark.sweep)])
def test_a_likely_direction_turns_no_side(count: int, edge: str) -> None:
    """TSE-INV-06: whichever way is hinted at, it leaves the wanted direction to the side it leaves it to by itself."""
    rng, sides = random.Random(3), Counter[int]()
    for unit in troops(battle()):
        enemies = sorted((e for e in troops(battle()) if e.side != unit.side), key=lambda e: math.dist(unit.at, e.at))
        for source in enemies[:count]:
            options = {"from": source.id, "distance": float(rng.randint(1, 6)), "brief": True}
            on = battle().with_ruling("table_edge", edge)
            alone = side_of(on, unit, options)
            sides[alone] += 1
            for _ in range(3):
                turn = math.radians(unit.facing + 180.0 + rng.uniform(-60.0, 60.0))
                hint = ((0.0, 0.0), (math.sin(turn), math.cos(turn)))
                assert side_of(on, unit, {**options, "hints": (hint,)}) == alone, (unit.id, source.id)
    assert min(sides[-1], sides[1]) > 0


def side_of(on: Battle, unit: Unit, options: dict[str, object]) -> int:
    """Return 2 where it cannot be made, else the sign of the deviation."""
    answer = roughly(on, Request("fallback", (unit.id,), options))
    deviation = float(answer.measured["deviation"]) if answer.holds else 0.0
    return 2 if not answer.holds else (deviation > 1e-6) - (deviation < -1e-6)
