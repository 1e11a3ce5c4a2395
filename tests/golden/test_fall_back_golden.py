"""Worked cases of falling back: the direction (G19) and what stands in the way (G20)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Terrain
from tabletop.geometry.verdict import Verdict
from tests.field import FIELDS, Field

T = 1e-3
both_scales = pytest.mark.parametrize("field", FIELDS, ids=["15 mm", "doubled"])


def scene(field: Field, source: Point, *things: Unit | Terrain, **rulings: Any) -> Battle:
    """Infantry 2x2 about (0, 0) facing south, its enemy's centre at ``source``."""
    unit = field.unit("unit", at=(0, 0), facing=180)
    enemy = field.unit("source", side="red", at=source)
    return field.battle(unit, enemy, *things, **rulings)


def ends_at(field: Field, verdict: Verdict, point: Point) -> None:
    assert verdict.holds, [reason.text for reason in verdict.because]
    assert field.back(verdict.measured["at"]) == pytest.approx(point, abs=T)
    assert verdict.measured["facing"] == 180.0


def surrenders(verdict: Verdict) -> None:
    assert not verdict.holds
    assert verdict.measured["at"] is None


DIRECTIONS = {
    "g19a straight back": ((0, -8), (0, 6), "TSE-INV-03"),
    "g19b away inside the arc": ((-3, -4), (3.6, 4.8), "TSE-INV-03"),
    "g19c clamped": ((-8, -6), (4.2426, 4.2426), "TSE-INV-04"),
    "g19d clamped from the flank": ((-8, 0), (4.2426, 4.2426), "TSE-INV-04"),
    "g19e from behind": ((0, 8), (0, -6), "TSE-INV-05"),
    "g19f exactly 135 degrees": ((-5, 5), (4.2426, -4.2426), "TSE-INV-05"),
}


@both_scales
@pytest.mark.parametrize(("source", "end", "rule"), DIRECTIONS.values(), ids=DIRECTIONS)
def test_g19_direction(field: Field, source: Point, end: Point, rule: str) -> None:
    """TSE-INV-02, TSE-INV-03, TSE-INV-04, TSE-INV-05, TSE-INV-07."""
    verdict = field.fall_back(scene(field, source), 6)
    ends_at(field, verdict, end)
    assert rule in [reason.rule for reason in verdict.because]


@both_scales
def test_g20a_a_wood_shortens_it(field: Field) -> None:
    """TSE-INV-01, TSE-INV-16: 2 open, then 4 of the budget for 2 in the wood, by the rear edge."""
    wood = field.box("wood", "woods", (-30, 30), (2.75, 30))
    verdict = field.fall_back(scene(field, (0, -8), wood), 6)
    ends_at(field, verdict, (0, 4))
    assert verdict.measured["cost"] == pytest.approx(6 * field.scale)


@both_scales
def test_g20b_it_turns_just_enough_to_pass_a_lake(field: Field) -> None:
    """TSE-INV-06: 33.6901 degrees, clockwise first."""
    lake = field.box("lake", "lake", (-0.5, 0.5), (3, 4))
    verdict = field.fall_back(scene(field, (0, -8), lake), 6)
    ends_at(field, verdict, (3.3282, 4.9923))
    assert verdict.measured["deviation"] == pytest.approx(math.degrees(math.atan2(1.5, 2.25)), abs=1e-7)


@both_scales
def test_g20c_a_lake_too_wide_for_the_arc(field: Field) -> None:
    """TSE-INV-08: 48.01 degrees would be needed, and a bend gains nothing."""
    lake = field.box("lake", "lake", (-1.5, 1.5), (3, 4))
    surrenders(field.fall_back(scene(field, (0, -8), lake), 6))


@both_scales
def test_g20d_it_turns_just_enough_to_end_beside_a_friend(field: Field) -> None:
    """TSE-INV-09: 30 degrees, touching."""
    friend = field.line("friend", (-2, 5.5))
    verdict = field.fall_back(scene(field, (0, -8), friend), 6)
    ends_at(field, verdict, (3.0, 5.1962))
    assert verdict.measured["deviation"] == pytest.approx(30.0, abs=1e-7)


@both_scales
def test_g20e_two_enemies_leave_no_route(field: Field) -> None:
    """TSE-INV-08, TSE-MOV-17: nowhere an inch from both."""
    west, east = (
        field.unit(name, side="red", formation="deployed", bases=6, at=(x, 3.5), facing=180)
        for name, x in (("west", -4.0), ("east", 4.0))
    )
    surrenders(field.fall_back(scene(field, (0, -8), west, east), 6))
    free = field.fall_back(scene(field, (0, -8), west, east.moved(2.0 * field.scale, 0.0)), 6)
    assert free.holds
