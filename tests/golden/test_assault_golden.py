"""Worked cases of assaults: path and reach (G17), frontal (G18), countercharge and breakthrough (G29)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.distinct import Array
from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Terrain
from tabletop.geometry.verdict import Verdict
from tabletop.judge import ask
from tabletop.rules.tse.assault.charge import breakthrough_reasons, left_over, meeting_point
from tabletop.rules.tse.assault.contact import contact_pose, stopped_pose
from tabletop.rules.tse.assault.path import AssaultPath, paths_to
from tests.field import FIELDS, Field

T = 1e-3
both_scales = pytest.mark.parametrize("field", FIELDS, ids=["15 mm", "doubled"])


def judged(
    field: Field,
    start: Point,
    *things: Unit | Terrain,
    formation: str = "deployed",
    options: dict[str, Any] | None = None,
    rulings: dict[str, Any] | None = None,
    **keys: Any,
) -> Verdict:
    """Infantry 2x2 facing north, the middle of its front at ``start``; the target on [2,6] x [4,4.75] facing south."""
    unit = field.unit("unit", front_mid=start, **keys)
    if formation == "deployed":
        target = field.line("target", (2, 4), side="red")
    else:
        target = field.unit("target", side="red", formation=formation, at=(4, 4.375), facing=180)
    battle = field.battle(unit, target, *things, **(rulings or {}))
    return ask(battle, "assault", ["unit", "target"], options)


def pose(field: Field, found: Sequence[float]) -> tuple[float, float, float]:
    return (*field.back(found[:2]), found[2])


@both_scales
def test_g17_the_path_of_an_assault(field: Field) -> None:
    """TSE-ASL-03, TSE-ASL-04, TSE-ASL-05, TSE-ASL-08: D = 4.4721, heading 26.5651, frontal."""
    verdict = judged(field, (0, 0))
    assert verdict.holds
    assert [field.back(point) for point in verdict.measured["path"]] == [pytest.approx((0, 0)), pytest.approx((2, 4))]
    assert verdict.measured["cost"] == pytest.approx(4.4721 * field.scale, abs=T)
    assert verdict.measured["reach"] == 6 * field.scale
    assert verdict.measured["heading"] == pytest.approx(26.5651, abs=1e-4)
    assert verdict.measured["frontal"] is True


ROUGH = {
    "g17a infantry, an inch of it": ((1, 2), {}, 5.5902, True),
    "g17b infantry, two inches of it": ((1, 3), {}, 6.7082, False),
    "g17b cavalry, two inches of it": ((1, 3), {"troop": "light-cavalry", "base": [1, 0.75]}, 11.1803, True),
}


@both_scales
@pytest.mark.parametrize("kind", ["marsh", "woods"])
@pytest.mark.parametrize(("strip", "keys", "cost", "legal"), ROUGH.values(), ids=ROUGH)
def test_g17ab_rough_ground_on_the_path(
    field: Field, kind: str, strip: Point, keys: dict[str, Any], cost: float, legal: bool
) -> None:
    """TSE-ASL-06: only what lies on the path is charged. (Woods: where thin ones let sight through.)"""
    rough = field.box("rough", kind, (-20, 20), strip)
    verdict = judged(field, (0, 0), rough, rulings={"thin_wood_transparent": True}, **keys)
    assert verdict.measured["cost"] == pytest.approx(cost * field.scale, abs=T)
    assert verdict.holds is legal


@both_scales
def test_g17c_delayed_orders_halve_the_reach(field: Field) -> None:
    """TSE-ASL-09: 3 is less than 4.4721: no assault."""
    verdict = judged(field, (0, 0), options={"delayed": True})
    assert verdict.measured["reach"] == 3 * field.scale
    assert not verdict.holds
    assert [reason.rule for reason in verdict.because if not reason.holds] == ["TSE-ASL-09"]


@both_scales
def test_g17d_an_assault_that_goes_home(field: Field) -> None:
    """TSE-ASL-20, TSE-ASL-23, TSE-ASL-24: the front's middle at (2, 4), corners (1.1056, 4.4472), (2.8944, 3.5528)."""
    assert pose(field, judged(field, (0, 0)).measured["contact"]) == pytest.approx((2, 4, 26.5651), abs=T)
    unit, target = field.unit("unit", front_mid=(0, 0)), field.line("target", (2, 4), side="red")
    (path,) = paths_to(unit, target)
    contact = contact_pose(field.battle(unit, target), unit, target, path)
    assert field.back(contact.fronts[0].front_edge[0]) == pytest.approx((1.1056, 4.4472), abs=T)
    assert field.back(contact.fronts[-1].front_edge[1]) == pytest.approx((2.8944, 3.5528), abs=T)
    assert contact.footprint.intersection(target.footprint).area < 1e-9


@both_scales
def test_g17e_an_assault_stopped_an_inch_short(field: Field) -> None:
    """TSE-INV-12: the front's middle at (1.5528, 3.1056), nowhere nearer than 1 in."""
    assert pose(field, judged(field, (0, 0)).measured["stopped"]) == pytest.approx((1.5528, 3.1056, 26.5651), abs=T)
    unit, target = field.unit("unit", front_mid=(0, 0)), field.line("target", (2, 4), side="red")
    (path,) = paths_to(unit, target)
    stopped = stopped_pose(field.battle(unit, target), unit, target, path)
    assert distance_between(stopped, target) == pytest.approx(1.0 * field.scale)
    gaps = [target.footprint.distance(shapely.Point(c)) / field.scale for c in front_corners(stopped)]
    assert gaps == [pytest.approx(1.4142, abs=T), pytest.approx(1.3416, abs=T)]


def front_corners(unit: Unit) -> tuple[Array, Array]:
    """Return the outer corners of a front."""
    return unit.fronts[0].front_edge[0], unit.fronts[-1].front_edge[1]


@both_scales
def test_g17f_an_assault_thrown_back_to_its_start(field: Field) -> None:
    """TSE-INV-13: where it began, facing along the path."""
    assert pose(field, judged(field, (0, 0)).measured["thrown_back"]) == pytest.approx((0, 0, 26.5651), abs=T)


FRONTAL = {
    "g18a on the ray": ((-2, 0), 5.6569, True),
    "g18b beyond the ray": ((-2.1, 0), 5.7280, False),
    "g18c from the flank": ((0, 4.5), 2.0, False),
}


@both_scales
@pytest.mark.parametrize(("start", "distance", "frontal"), FRONTAL.values(), ids=FRONTAL)
def test_g18_frontal_boundary(field: Field, start: Point, distance: float, frontal: bool) -> None:
    """TSE-ASL-08: running along the edge of the arc is frontal, touching it at the target is not."""
    verdict = judged(field, start)
    assert verdict.measured["distance"] == pytest.approx(distance * field.scale, abs=T * field.scale)
    assert verdict.measured["frontal"] is frontal


@both_scales
@pytest.mark.parametrize("start", [start for start, _, _ in FRONTAL.values()])
def test_g18_any_assault_on_a_square_is_frontal(field: Field, start: Point) -> None:
    """TSE-ASL-08, TSE-FRM-30."""
    assert judged(field, start, formation="square").measured["frontal"] is True


# G29 -----------------------------------------------------------------------------------------------------------------


def charge(field: Field, *things: Unit | Terrain) -> tuple[Battle, Unit, AssaultPath, Verdict]:
    """Light cavalry with its front at (0, 0), enemy cavalry whose front is at (0, 10)."""
    unit = field.unit("unit", troop="light-cavalry", front_mid=(0, 0))
    target = field.unit("target", side="red", troop="light-cavalry", front_mid=(0, 10), facing=180)
    battle = field.battle(unit, target, *things)
    (path,) = paths_to(unit, target)
    return battle, unit, path, ask(battle, "assault", ["unit", "target"])


@both_scales
def test_g29_a_charge_and_what_is_left_of_it(field: Field) -> None:
    """TSE-ASL-70: cost 10 of 12, contact at (0, 10), 2 left."""
    battle, unit, path, verdict = charge(field)
    assert verdict.holds
    assert verdict.measured["cost"] == pytest.approx(10 * field.scale)
    assert pose(field, verdict.measured["contact"]) == pytest.approx((0, 10, 0))
    assert left_over(battle, unit, path, verdict.measured["reach"]) == pytest.approx(2 * field.scale)


@both_scales
def test_g29_a_countercharge_meets_it_half_way(field: Field) -> None:
    """TSE-ASL-60, TSE-ASL-61: at (0, 5), 7 left."""
    battle, unit, path, verdict = charge(field)
    assert field.back(meeting_point(path)) == pytest.approx((0, 5))
    assert field.back(verdict.measured["countercharge"]) == pytest.approx((0, 5))
    left = left_over(battle, unit, path, verdict.measured["reach"], countercharged=True)
    assert left == pytest.approx(7 * field.scale)


@both_scales
@pytest.mark.parametrize(("deep", "cost", "legal"), [(0.5, 11.5, True), (1.0, 13.0, False)])
def test_g29_rough_ground_eats_the_rest(field: Field, deep: float, cost: float, legal: bool) -> None:
    """TSE-ASL-06, TSE-ASL-62: cavalry pays fourfold, and a countercharge needs open ground."""
    battle, unit, path, verdict = charge(field, field.box("marsh", "marsh", (-5, 5), (4, 4 + deep)))
    assert verdict.measured["cost"] == pytest.approx(cost * field.scale)
    assert verdict.holds is legal
    assert verdict.measured["countercharge"] is None
    assert left_over(battle, unit, path, verdict.measured["reach"]) == pytest.approx((12 - cost) * field.scale)


@both_scales
@pytest.mark.parametrize(("left", "legal"), [(2.0, False), (2.24, True)])
def test_g29_a_breakthrough_needs_arc_sight_and_what_is_left(field: Field, left: float, legal: bool) -> None:
    """TSE-ASL-71: the enemy touches the arc; sqrt(5) = 2.2361 is more than 2."""
    unit = field.unit("unit", troop="light-cavalry", front_mid=(0, 10))
    enemy = field.unit("enemy", side="red", troop="light-cavalry", bases=2, formation="maneuver-column", front=1,
                       base=[1, 0.75], front_mid=(2.5, 11), facing=180)  # fmt: skip
    reasons = breakthrough_reasons(field.battle(unit, enemy), unit, enemy, left * field.scale)
    failed = [reason for reason in reasons if not reason.holds]
    assert (
        not failed if legal else [reason.measured for reason in failed] == [pytest.approx(2.2361 * field.scale, abs=T)]
    )
