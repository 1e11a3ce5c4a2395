"""Worked cases of formations: the centre-point, deploying, a march column, the bent line (G15, G16, G14, G30)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.arc import distance_to_arc, fronts_of
from tabletop.geometry.base import Base
from tabletop.geometry.layout import bent_line
from tabletop.rules.tse.movement.formation import assume, forming_faults
from tests.field import FIELDS, Field, O

T = 1e-3
both_scales = pytest.mark.parametrize("field", FIELDS, ids=["15 mm", "doubled"])


def faults(battle: Battle, before: Unit, after: Unit, **keys: Any) -> list[str]:
    return [fault.rule for fault in forming_faults(battle, before, after, **keys)]


def centres(field: Field, unit: Unit) -> list[object]:
    return [pytest.approx(field.back(base.centre), abs=T) for base in unit.bases]


@both_scales
def test_g15a_a_line_of_four_becomes_a_column_about_its_centre_point(field: Field) -> None:
    """TSE-FRM-05, TSE-ACT-20: 2x2 facing east, front edge x = 0.75 from y = -1 to 1."""
    line = field.unit("unit", formation="deployed", at=(0, 0))
    column = assume(field.battle(line), line, "maneuver-column", facing=90.0, front=2)
    assert sorted(field.back(base.centre) for base in column.bases) == [
        pytest.approx(point, abs=T) for point in [(-0.375, -0.5), (-0.375, 0.5), (0.375, -0.5), (0.375, 0.5)]
    ]
    ends = np.array([column.fronts[0].front_edge[0], column.fronts[-1].front_edge[1]]) / field.scale - O
    assert ends == pytest.approx(np.array([[0.75, 1.0], [0.75, -1.0]]), abs=T)
    assert field.back(column.at) == pytest.approx((0, 0), abs=1e-9)


@both_scales
def test_g15b_an_uneven_column_keeps_the_mean_of_its_centres_not_the_middle_of_its_box(field: Field) -> None:
    """TSE-FRM-05, TSE-FRM-20: 3+2, front edge at y = 0.675."""
    line = field.unit("unit", formation="deployed", bases=5, at=(0, 0))
    column = assume(field.battle(line), line, "maneuver-column", facing=0.0)
    assert column.front == 3
    assert field.back(column.front_mid) == pytest.approx((0, 0.675), abs=T)


@both_scales
@pytest.mark.parametrize(("shift", "legal"), [((0.6, 0.8), True), ((0.61, 0.8), False)])
def test_g16a_the_reference_base_shifts_an_inch_and_no_more(
    field: Field, shift: tuple[float, float], legal: bool
) -> None:
    """TSE-FRM-13, TSE-ACT-11: sqrt(0.36 + 0.64) = 1 may be, 1.0060 may not."""
    before = field.unit("unit", front_mid=(0.5, 0.375))
    assert field.back(before.bases[0].centre) == pytest.approx((0, 0))
    battle = field.battle(before)
    after = assume(battle, before, "deployed", facing=90.0, ref=0, shift=tuple(field.scale * s for s in shift))
    assert centres(field, after) == [(shift[0], shift[1] - k) for k in range(4)]
    assert faults(battle, before, after) == ([] if legal else ["TSE-FRM-13"])


@both_scales
@pytest.mark.parametrize(("x0", "legal"), [(1.5, False), (1.51, True)])
def test_g16b_a_march_column_may_not_form_at_exactly_an_inch(field: Field, x0: float, legal: bool) -> None:
    """TSE-FRM-24, TSE-ACT-70: forming is closed at 1 in."""
    before = field.unit("unit", front_mid=(-0.5, 0.375))
    assert field.back(before.bases[1].centre) == pytest.approx((0, 0))
    enemy = field.line("enemy", (x0, -2), n=2, side="red")
    battle = field.battle(before, enemy)
    after = assume(battle, before, "march-column", facing=0.0, head=1)
    assert centres(field, after) == [(0, 0), (0, -0.75), (0, -1.5), (0, -2.25)]
    assert faults(battle, before, after) == ([] if legal else ["TSE-FRM-24"])


@both_scales
@pytest.mark.parametrize(("gap", "legal"), [(1.0, True), (0.99, False)])
def test_g16c_deploying_at_exactly_an_inch_is_legal(field: Field, gap: float, legal: bool) -> None:
    """TSE-FRM-15: the zone is open."""
    before = field.unit("unit", front_mid=(-0.5, -0.5))
    enemy = field.line("enemy", (0, gap), side="red")
    battle = field.battle(before, enemy)
    after = assume(battle, before, "deployed", ref=1, shift=(0.0, 0.5 * field.scale))
    assert faults(battle, before, after) == ([] if legal else ["TSE-FRM-15"])


@both_scales
def test_g14_assuming_a_column_at_right_angles_costs_nothing_and_keeps_the_centre(field: Field) -> None:
    """TSE-FRM-02, TSE-FRM-23b: the free facing of the first step."""
    before = field.unit("unit", bases=8, at=(0, 0))
    after = assume(field.battle(before), before, "maneuver-column", facing=90.0, front=4)
    assert after.facing == 90.0
    assert field.back(after.at) == pytest.approx((0, 0), abs=1e-9)


def bent() -> tuple[Base, ...]:
    """Base 1 heading 0, front (-1, 0) to (0, 0); base 2 heading 30, hinged at the shared rear corner."""
    return bent_line([0, 30], 1.0, 0.75).about_base(0, (-0.5, -0.375), 0.0)


def test_g30_the_hinge_of_a_bent_line() -> None:
    """TSE-FRM-11: base 2's front runs from (0.3750, -0.1005) to (1.2410, -0.6005)."""
    first, second = bent()
    assert first.front_edge.tolist() == [pytest.approx([-1, 0]), pytest.approx([0, 0])]
    assert first.corners[2] == pytest.approx(second.corners[3])
    expected = [pytest.approx([0.3750, -0.1005], abs=1e-4), pytest.approx([1.2410, -0.6005], abs=1e-4)]
    assert second.front_edge.tolist() == expected


@pytest.mark.parametrize(("y", "inside"), [(0.5, True), (0.4, False)])
def test_g30_the_arc_of_a_bent_line(y: float, inside: bool) -> None:
    """TSE-FRM-12: from base 2, (5, 0.5) is in and (5, 0.4) is out; a straight line's arc has neither."""
    point = shapely.Point(5.0, y)
    assert (distance_to_arc(fronts_of(bent()), point) == 0.0) == inside
    straight = bent_line([0, 0], 1.0, 0.75).about_base(0, (-0.5, -0.375), 0.0)
    assert distance_to_arc(fronts_of(straight), point) > 0.1
