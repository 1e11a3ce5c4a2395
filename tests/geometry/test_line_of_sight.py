"""Sight between units: known answers, and against dense samples of lines on random scenes (TSE-LOS-01 to 20)."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from tabletop.geometry.line_of_sight import InterveningUnit, SightLaw, clear_lines, roughly_explained, sight, sight_line
from tabletop.geometry.sight.line import NEAR_END
from tabletop.geometry.terrain import Table, Terrain
from tests.geometry.sight_scenes import Scene, open_field, sampled, slit

LAW = SightLaw()
RIGHT = 0.005


def box(x0: float, y0: float, x1: float, y1: float) -> list[tuple[float, float]]:
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def wood(name: str, *corners: float, kind: str = "woods") -> Terrain:
    return Terrain.of_kind(name, kind, outline=box(*corners), level=0)


def hill(name: str, level: int, *corners: float) -> Terrain:
    return Terrain.of_kind(name, "hill", outline=box(*corners), level=level)


def table(*pieces: Terrain) -> Table:
    return Table.of("in", 40, 30, pieces)


A, B = shapely.box(4, 10, 6, 11), shapely.box(20, 10, 22, 11)


def judge(scene: Scene, law: SightLaw) -> str:
    """Compare one scene with the sample: never blind, never longer, the proof a proof, the same both ways."""
    found = sight(scene.table, scene.a, scene.b, law)
    back = sight(scene.table, scene.b, scene.a, law)
    assert (found.seen, found.distance) == (back.seen, back.distance)
    sample = sampled(scene, law)
    assert found.seen or not sample.seen, "blind where the sample sees"
    if not found.seen:
        assert found.best_blocked is not None
        assert not found.best_blocked.clear
        assert found.blockers
        return "hidden"
    assert found.line is not None and found.distance is not None
    assert clear_lines(scene.table, [found.line[0]], [found.line[1]], law).all()
    assert sight_line(scene.table, *found.line, law).clear
    on = [shapely.distance(s, shapely.Point(p)) for s, p in zip((scene.a, scene.b), found.line, strict=True)]
    assert max(on) < 1e-5
    if sample.shortest is not None:
        assert found.distance <= sample.shortest + RIGHT, "longer than the sample's"
    return "nearest" if found.distance <= scene.a.distance(scene.b) + 1e-9 else "round"


def many(scenes: list[Scene], law: SightLaw, *kinds: str) -> None:
    found = [judge(scene, law) for scene in scenes if not scene.a.intersects(scene.b)]
    assert set(kinds) <= set(found), "the scenes must put the question"


SCENES = [(0, 20), *(pytest.param(*some, marks=pytest.mark.sweep) for some in ((20, 60), (1_000, 2_500)))]
SLITS = [(0, 14), *(pytest.param(*some, marks=pytest.mark.sweep) for some in ((14, 40), (1_000, 2_500)))]


@pytest.mark.parametrize(("first", "last"), SCENES)
def test_against_samples(first: int, last: int) -> None:
    """Crowded tables: hills of two levels, woods, towns, houses; units and front edges (TSE-LOS-01, TSE-LOS-19)."""
    many([open_field(seed) for seed in range(first, last)], LAW, "hidden", "nearest", "round")


@pytest.mark.parametrize(("first", "last"), SCENES)
def test_against_samples_on_flat_ground(first: int, last: int) -> None:
    many([open_field(seed, hills=0) for seed in range(first, last)], LAW, "hidden", "nearest", "round")


@pytest.mark.parametrize(("first", "last"), SLITS)
def test_openings_two_hundredths_wide(first: int, last: int) -> None:
    many([slit(seed) for seed in range(first, last)], LAW, "hidden", "round")


@pytest.mark.parametrize("count", [5, pytest.param(400, marks=pytest.mark.sweep)])
@pytest.mark.parametrize(
    "law",
    [
        SightLaw(thin_wood_transparent=True),
        SightLaw(hills_block=False),
        SightLaw(own_hill_exempt=False),
        SightLaw(deep_shadow=True),
        SightLaw(crest_edge=True),
    ],
    ids=["thin_wood_transparent", "hills_block", "own_hill_exempt", "deep_shadow", "crest_edge"],
)
def test_other_rulings_against_samples(law: SightLaw, count: int) -> None:
    """TSE-LOS-07, 10, 16, 17."""
    many([open_field(seed) for seed in range(5_000, 5_000 + count)], law)


@pytest.mark.parametrize("wide", [0.02, 0.0101, 0.001])
@pytest.mark.parametrize("y", [10.0, 10.3, 10.71])
def test_a_straight_opening(wide: float, y: float) -> None:
    found = sight(table(wood("s", 10, 0, 14, y), wood("n", 10, y + wide, 14, 30)), A, B, LAW)
    assert found.seen
    assert found.distance == pytest.approx(14.0, abs=RIGHT)


def test_no_opening_at_all() -> None:
    """Woods that touch are one wood: nothing passes along their common edge."""
    found = sight(table(wood("s", 10, 0, 14, 10.5), wood("n", 10, 10.5, 14, 30)), A, B, LAW)
    assert not found.seen
    assert set(found.blockers) <= {"s", "n"}


def test_an_opening_passed_aslant() -> None:
    """The way round one corner and inside another has a known length."""
    found = sight(table(wood("s", 12, 0, 13, 10.9), wood("n", 12, 11.4, 13, 30)), A, shapely.box(20, 13, 22, 14), LAW)
    # from the front's lower corner (6, 10) about (13, 11.4) to the target's lower side at (21, 13)
    assert found.distance == pytest.approx(float(np.hypot(15, 3)), abs=1e-4)


def test_the_end_of_a_shadow() -> None:
    """From level 1 over a wood whose far side is D = 8 from the front: seen from 16 on, the back of B (TSE-LOS-06)."""
    spotter, target = shapely.box(4, 10, 6, 11), shapely.box(21, 10, 23, 11)
    found = sight(table(hill("k", 1, 3, 9, 6, 12), wood("w", 12, 0, 14, 30)), spotter, target, LAW)
    assert found.distance == pytest.approx(16.0, abs=1e-4)
    nearer = shapely.box(20, 10, 21.9, 11)
    assert not sight(table(hill("k", 1, 3, 9, 6, 12), wood("w", 12, 0, 14, 30)), spotter, nearer, LAW).seen


@pytest.mark.parametrize(("deep", "seen"), [(2.9, True), (3.0, True), (3.004, True), (3.01, False)])
def test_the_budget_of_a_unit_in_a_wood(deep: float, seen: bool) -> None:
    """Nearest edges 3 in inside the wood see out; the tape forgives its tolerance (TSE-LOS-10)."""
    found = sight(table(wood("w", 0, 0, 6 + deep, 30)), A, B, LAW)
    assert found.seen is seen
    if not seen:
        assert found.best_blocked is not None
        assert found.best_blocked.blocking[0].measured == pytest.approx(deep, abs=1e-3)


def test_the_budget_along_a_slanting_edge() -> None:
    """No corner is touched: the wood's edge slants, and the shortest line spends the budget just so.

    The spotter's front is x = 6, the wood ends at x = 8 + (y - 10) * slope, the target's front is x = 20. A line from
    (6, y) at slope m is in the wood for the x-length d with d = 2 + (y - 10 + m d) * slope.
    """
    slope = 4.0
    outline = [(1, 9), (8 - slope, 9), (8 + 2 * slope, 12), (1, 12)]
    ground = table(Terrain.of_kind("w", "woods", outline=outline, level=0))
    target = shapely.box(20, 14, 21, 24)
    found = sight(ground, A, target, LAW)
    y, m = np.meshgrid(np.linspace(10, 11, 1501), np.linspace(0, 1.2, 1501))
    with np.errstate(divide="ignore"):
        d = (2 + (y - 10) * slope) / (1 - m * slope)
    across = np.where((m * slope < 1) & (y + m * d <= 12), d, np.where(m > 0, (12 - y) / np.where(m > 0, m, 1), np.inf))
    inside = np.minimum(across, np.where(m > 0, (12 - y) / np.where(m > 0, m, 1), np.inf)) * np.hypot(1, m)
    fits = (inside <= 3.0) & (y + 14 * m >= 14)
    assert found.distance == pytest.approx(float((14 * np.hypot(1, m))[fits].min()), abs=0.01)


def test_touching_units_see_each_other() -> None:
    found = sight(table(wood("w", 0, 0, 40, 30)), A, shapely.box(6, 10, 8, 11), LAW)
    assert found.distance == 0.0


def test_a_unit_behind_a_house_and_one_in_it() -> None:
    """A house is solid: whoever stands wholly inside sees nothing at its own level (TSE-LOS-14)."""
    house = wood("h", 19, 9, 23, 12, kind="building")
    assert not sight(table(house), A, B, LAW).seen
    assert sight(table(house), A, shapely.box(19, 11.9, 21, 12.9), LAW).seen


def test_each_point_has_its_own_level() -> None:
    """A unit astride a step sees from its higher part (TSE-LOS-19)."""
    pieces = [wood("w", 10, 0, 11, 30), hill("k", 1, 3, 9, 4.5, 12)]
    assert sight(table(*pieces), A, shapely.box(18, 10, 19, 11), LAW).seen
    assert not sight(table(*pieces), shapely.box(4.6, 10, 6, 11), shapely.box(18, 10, 19, 11), LAW).seen


def test_a_front_edge_on_a_contour_has_the_higher_level() -> None:
    pieces = [wood("w", 10, 0, 11, 30), hill("k", 1, 6, 9, 8, 12)]
    assert sight(table(*pieces), A, shapely.box(18, 10, 19, 11), LAW).seen


def test_splitting_a_wood_changes_nothing() -> None:
    whole = sight(table(wood("w", 10, 5, 14, 10.8)), A, B, LAW)
    parts = [wood("1", 10, 5, 12, 9), wood("2", 12, 5, 14, 9), wood("3", 10, 9, 14, 10.8), wood("4", 11, 6, 13, 10)]
    split = sight(table(*parts), A, B, LAW)
    assert whole.distance == pytest.approx(split.distance, abs=1e-6)


def test_what_blocks_is_named_weightiest_first() -> None:
    found = sight(table(wood("thick", 9, 0, 14, 30), wood("thin", 15, 0, 16, 30, kind="building")), A, B, LAW)
    assert found.blockers == ("thick", "thin")


def test_between_two_friends() -> None:
    """Half an inch from each on either side is enough, less is not (TSE-FIR-10)."""

    def fire(gap: float) -> bool:
        intervening = [
            InterveningUnit(shapely.box(10, 5, 11, 10.5 - gap / 2), 0, 0.5, "south"),
            InterveningUnit(shapely.box(10, 10.5 + gap / 2, 11, 15), 0, 0.5, "north"),
        ]
        return sight(table(), shapely.LineString([(6, 10), (6, 11)]), B, LAW, intervening).seen

    assert fire(1.02)
    assert fire(1.0)
    assert not fire(0.98)


def test_the_side_view_shows_ground_obstruction_and_shadow() -> None:
    """TSE-LOS-06: the shadow is as long as its far side is away, also beyond the target; the ground goes on there."""
    ground = table(hill("k", 1, 3, 9, 6, 12), wood("w", 12, 0, 14, 30))
    view = sight_line(ground, (5, 10), (20, 10), LAW).side_view
    assert (view.eye, view.target) == (1, 0)
    assert view.ground == ((0.0, 1.0, 1), (1.0, 15.0 + 15.0 * NEAR_END, 0))
    ((a, e, level, name, blocks),) = view.obstructions
    assert (a, e) == pytest.approx((7.0, 9.0), abs=1e-4)
    assert (level, name, blocks) == (0, "w", True)
    assert view.shadows[0][:2] == pytest.approx((9.0, 18.0), abs=1e-4)
    back = sight_line(ground, (20, 10), (5, 10), LAW).side_view
    assert (back.eye, back.target) == (0, 1)
    assert back.obstructions[0][:2] == pytest.approx((6.0, 8.0), abs=1e-4)
    assert back.shadows[0][:2] == pytest.approx((-3.0, 6.0), abs=1e-4)
    assert back.ground == ((-15.0 * NEAR_END, 14.0, 0), (14.0, 15.0, 1))


def test_an_answer_explained_roughly_is_the_same_answer_and_spoils_no_explanation() -> None:
    """TSE-LOS-01: which line is shown where none is clear decides nothing."""
    hidden = table(wood("west", 9, 0, 12, 14), wood("east", 14, 8, 16, 30))
    with roughly_explained():
        rough = sight(hidden, A, B, LAW)
        assert not rough.seen and rough.best_blocked is not None and not rough.best_blocked.clear
        shown = rough.best_blocked
    again = sight(hidden, A, B, LAW)
    assert again.seen == rough.seen and again.best_blocked is not None
    assert again.best_blocked.excess <= shown.excess
    assert again.best_blocked == sight(table(*hidden.terrain), A, B, LAW).best_blocked
