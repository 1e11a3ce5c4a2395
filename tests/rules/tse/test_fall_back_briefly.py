"""A fall-back asked briefly, as rulings and margins ask it: the same answer as with its proof (TSE-INV-06..10)."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabletop.battle.battle import Battle
from tabletop.geometry.measure import Point, heading
from tabletop.geometry.movement.configuration_space import critical
from tabletop.judge import ask
from tabletop.play.files.load import load_scene
from tabletop.rules.rule_set import Request, Shifted
from tabletop.rules.tse.morale.fall_back import fallback
from tabletop.rules.tse.morale.fall_back_obstacles import obstacles_of
from tabletop.rules.tse.questions.facts import of_fall_back

ROOT = Path(__file__).resolve().parents[3]


@cache
def battle() -> Battle:
    return load_scene(ROOT / "scenarios/tse/quatre-bras.yaml")


def holds(on: Battle, name: str, source: str, distance: float, brief: bool) -> bool:
    options = {"from": source, "distance": distance, "brief": brief}
    return ask(on, "fallback", (name,), options).holds


@pytest.mark.parametrize("in_full", [True, False])
@pytest.mark.parametrize("trace", ["front_edge", "front_mid", "footprint"])
def test_beyond_friends_and_off_the_table_it_is_lost_either_way(trace: str, in_full: bool) -> None:
    """TSE-INV-09, TSE-INV-10: within its distance nothing leads off the table; on beyond its friends something does."""
    on = battle().with_ruling("rough_trace", trace).with_ruling("fall_back_in_full", in_full)
    lost = on.with_ruling("table_edge", "lost")
    assert [holds(lost, "colbert", "saxe-weimar", 1.0, brief) for brief in (False, True)] == [False, False]
    told, briefly = (holds(on, "colbert", "saxe-weimar", 1.0, brief) for brief in (False, True))
    assert told == briefly


@pytest.mark.parametrize("in_full", [True, False])
def test_every_brigade_answers_briefly_as_it_does_in_full(in_full: bool) -> None:
    """TSE-INV-06, TSE-INV-08, TSE-INV-09."""
    on = battle().with_ruling("fall_back_in_full", in_full)
    troops = [unit for unit in on.units if not unit.is_general]
    for k, unit in enumerate(troops):
        source = min((e for e in troops if e.side != unit.side), key=lambda e: math.dist(unit.at, e.at)).id
        distance = 1.0 + k % 8
        assert holds(on, unit.id, source, distance, True) == holds(on, unit.id, source, distance, False), unit.id


@pytest.mark.parametrize("by_source", [False, True])
def test_asked_of_one_shift_after_another(by_source: bool) -> None:
    """TSE-INV-06, TSE-INV-09: what is kept from one shift of either unit to the next turns no answer."""
    draw, told, kept = random.Random(7), Counter[bool](), 0
    troops = [unit for unit in battle().units if not unit.is_general]
    for unit in draw.sample(troops, 20):
        source = min((e for e in troops if e.side != unit.side), key=lambda e: math.dist(unit.at, e.at))
        mover, distance = source if by_source else unit, float(draw.randint(1, 6))
        shifted, hints = Shifted(mover), tuple[tuple[Point, ...], ...]()
        request = Request("fallback", (unit.id,), {"from": source.id, "distance": distance})
        for far in (0.01, 0.1, 0.4, 1.2, 2.0, 3.0):
            dx, dy = heading(draw.uniform(0.0, 360.0))
            there = battle().with_unit(mover.moved(far * dx, far * dy))
            found = fallback(there, request.briefly(hints, shifted))
            assert found.holds == fallback(there, request).holds, (unit.id, mover.id, far, dx, dy)
            hints = (() if found.witness is None else (tuple(found.witness),)) + hints[:3]
            told[found.holds] += 1
        kept += bool(shifted.kept)
    assert min(told[True], told[False]) >= 10, told
    assert kept >= 10


@pytest.mark.parametrize("by_source", [False, True])
def test_one_fact_after_another_of_one_shift_after_another(by_source: bool) -> None:
    """TSE-INV-06, TSE-INV-08: what is kept of a shift for the next fact is that shift's, whichever of the two moved."""
    draw, told = random.Random(11), Counter[object]()
    troops = [unit for unit in battle().units if not unit.is_general]
    for unit in draw.sample(troops, 8):
        source = min((e for e in troops if e.side != unit.side), key=lambda e: math.dist(unit.at, e.at))
        mover, request = source if by_source else unit, Request("fallback", (unit.id,), {"from": source.id})
        request = replace(request, options={**request.options, "distance": float(draw.randint(1, 6))})
        shifted = Shifted(mover)
        ways = [heading(draw.uniform(0.0, 360.0)) for _ in range(4)]
        places = [mover.moved(far * x, far * y) for far, (x, y) in zip((0.1, 0.5, 1.2, 2.0), ways, strict=True)]
        for fact in ("holds", "surrender", "deviation"):
            for there in (battle().with_unit(place) for place in places):
                found, anew = (
                    of_fall_back(there, request.briefly((), some), (fact,)).values for some in (shifted, None)
                )
                assert _told(found) == _told(anew), (unit.id, mover.id, fact)
                told.update(anew.values())
    assert told[True] >= 10 and told[False] >= 10, told


def _told(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return facts, of a deviation its side."""
    return {name: value if isinstance(value, bool) else str(value) for name, value in values.items()}


def test_obstacles_of_a_unit_that_was_shifted_are_what_they_are_where_it_stands() -> None:
    """TSE-INV-09, TSE-MOV-15, TSE-MOV-17: walls, enemies and friends, under the exact law and within the tolerance."""
    draw, told = np.random.default_rng(5), Counter[bool]()
    for unit in [unit for unit in battle().units if not unit.is_general][::3]:
        shifted = Shifted(unit)
        for far in (0.05, 0.3, 1.5, 2.5):
            dx, dy = heading(float(draw.uniform(0.0, 360.0)))
            there = battle().with_unit(unit.moved(far * dx, far * dy))
            now = there.unit(unit.id)
            pairs = obstacles_of(there, now, 5.0, shifted), obstacles_of(there, now, 5.0)
            starts, ends = draw.uniform(-2.0, 2.0, (60, 2)), draw.uniform(-3.5, 3.5, (60, 2))
            for moved, plain in (pairs, [law.exactly() for law in pairs]):
                clear = moved.legs_clear(starts, ends)
                assert clear.tolist() == plain.legs_clear(starts, ends).tolist()
                assert moved.ends_clear(ends).tolist() == plain.ends_clear(ends).tolist()
                a, b = (np.sort(critical(law, (0.0, 0.0), 4.0)) for law in (moved, plain))
                assert a.tolist() == pytest.approx(b.tolist(), abs=1e-3)  # where a circle is just met, far less sure
                told.update(clear.tolist())
    assert min(told[True], told[False]) > 500


def test_whether_it_surrenders_is_told_alone_as_with_whether_it_can_be_made() -> None:
    """TSE-INV-08, TSE-INV-10: near the table's edge and off it, with an enemy close behind or not."""
    draw, table, told = random.Random(3), battle().table, Counter[tuple[bool, bool, bool]]()
    troops = [unit for unit in battle().units if not unit.is_general]
    for unit in draw.sample(troops, 12):
        enemies = draw.sample([e for e in troops if e.side != unit.side], 3)
        x, y = draw.uniform(1.5, 4.0), draw.uniform(8.0, table.height - 8.0)
        east = 90.0 + draw.uniform(-60.0, 60.0) - unit.facing
        there = battle().with_unit(unit.turned(east).moved(x - unit.at[0], y - unit.at[1]))
        for ahead, enemy in zip((3.0, 3.0, -1.8), enemies, strict=True):
            to = x + ahead - enemy.at[0], y + draw.uniform(-1.0, 1.0) - enemy.at[1]
            there = there.with_unit(enemy.moved(*to))
            options = {"from": enemies[0].id, "distance": draw.choice((2.0, 4.0))}
            request = Request("fallback", (unit.id,), options).briefly()
            both = of_fall_back(there, request, ("holds", "surrender")).values
            alone = of_fall_back(there, request, ("surrender",)).values
            assert {**both, **alone} == both, unit.id
            told[both["holds"], both["surrender"], "holds" in alone] += 1
    assert told[False, False, False] >= 3 and told[False, True, True] >= 3 and told[True, False, True] >= 3, told
