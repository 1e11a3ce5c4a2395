"""Parts of the measuring one by one, exactly where one case becomes another."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import shapely

from tabletop.geometry.arc import Front
from tabletop.geometry.base import Base, Disc
from tabletop.geometry.motion import Body, Pivot, Straight, steps_along
from tabletop.geometry.sheaf import sheaf_of
from tabletop.geometry.sight.law import SightLaw
from tabletop.geometry.sight.obstruction import Bar, ground_of
from tabletop.geometry.sight_cells import Cell
from tabletop.geometry.sight_lenient import STEP, _Corner, lenient_towards
from tabletop.geometry.sight_mixed import OwnParts
from tabletop.geometry.sight_pair import Own, pair_of
from tabletop.geometry.terrain import Table, Terrain

# --- cells ------------------------------------------------------------------------------------------------------------


def test_a_segment_has_sides_and_ends() -> None:
    """A cell may be a front edge: closed along it and at both ends."""
    normals, levels = Cell(np.array([(1.0, 2.0), (4.0, 2.0)]), 0, frozenset()).sides
    found = {(round(x), round(y)): float(level) for (x, y), level in zip(normals.tolist(), levels, strict=True)}
    assert found == {(0, 1): 2.0, (0, -1): -2.0, (1, 0): 4.0, (-1, 0): -1.0}


# --- lines beside a line ----------------------------------------------------------------------------------------------

FRONT = Front.of(Base(0.0, -0.5, 0.0, 2.0, 1.0))


@pytest.mark.parametrize("side", [-1.0, 1.0])
@pytest.mark.parametrize(("off", "wide"), [(0.5, True), (0.5 + 2.0**-40, False), (0.25, True)])
def test_a_target_that_begins_as_far_beside_a_line_as_the_tolerance(side: float, off: float, wide: bool) -> None:
    """TSE-COV-09: its facing edge, grown by the tolerance, reaches just to within it of the line."""
    near, far = sorted((side * off, side * 3.0))
    sheaf = sheaf_of(((0.0, 0.0), (0.0, 4.0)), [FRONT], shapely.box(near, 4.0, far, 5.0), 0.25)
    assert (sheaf.low, sheaf.high) == ((min(0.0, side), max(0.0, side)) if wide else (0.0, 0.0))


# --- corners cut back by what the tape lets pass ----------------------------------------------------------------------


def corner(angle: float, back: float = 4.0, on: float = 4.0, t: float = 0.25) -> _Corner:
    """Return a corner whose side on leads east, and whose side back leads off at an angle to it."""
    at = np.array([0.0, 0.0])
    return _Corner(at, back * np.array([math.cos(angle), math.sin(angle)]), np.array([on, 0.0]), angle, t)


@pytest.mark.parametrize("way", [None, (1.0, 0.0), (0.6, -0.8)])
def test_a_square_corner_is_cut_alike_whatever_the_line(way: tuple[float, float] | None) -> None:
    """Only a sharp corner is cut by a single chord; and no corner of the cut lies on a straight side."""
    square = corner(math.pi / 2)
    found = square.cut(None if way is None else np.array(way))
    assert len(found) == round(math.pi / 2 / STEP)
    assert (found == square.cut(None)).all()


@pytest.mark.parametrize("angle", [math.pi / 6, math.pi / 4, math.pi / 2, 2.0, 2.8])
def test_a_cut_takes_off_what_chords_of_the_tolerance_can(angle: float) -> None:
    """TSE-SCL-02: no line that leaves a stretch longer than it in the corner has any of that stretch cut off."""
    whole = corner(angle)
    rest = [(4.0, 0.0), (4.0 * math.cos(angle), 4.0 * math.sin(angle))]
    left = shapely.buffer(shapely.Polygon([*whole.cut(None).tolist(), *rest]), -1e-9)
    for lean in np.linspace(0.05, math.pi - angle - 0.05, 40):
        a, b = (float(x[0]) for x in whole.reach(np.array([lean])))
        ends = np.array([(a * math.cos(angle), a * math.sin(angle)), (b, 0.0)])
        assert math.dist(*ends) == pytest.approx(0.25)
        inside = [shapely.length(shapely.intersection(shapely.LineString(k * ends), left)) for k in (0.98, 1.25)]
        assert inside[0] < 0.08 < inside[1] or angle < math.pi / 2
        assert inside[0] < 0.2


@pytest.mark.parametrize("angle", [0.2, math.pi / 4, 1.2, math.pi / 2, 2.5])
def test_a_short_side_is_cut_by_no_more_than_half(angle: float) -> None:
    for back, on in ((0.2, 4.0), (4.0, 0.2)):
        a, b = corner(angle, back, on).reach(np.linspace(0.0, math.pi - angle, 50))
        assert max(a.max(), b.max()) <= 0.1 + 1e-12
        assert max(a.max(), b.max()) == pytest.approx(0.1, rel=1e-2)


def test_a_line_along_a_side_of_a_sharp_corner_cuts_no_chord() -> None:
    """It makes no triangle with the two sides."""
    sharp = corner(math.pi / 4)
    for along in ((1.0, 0.0), (-1.0, 0.0)):
        assert len(sharp.cut(np.array(along))) > 2
    for across in ((1.0, -1.0), (-1.0, 1.0), (0.0, 1.0)):
        assert len(sharp.cut(np.array(across))) == 2


def test_a_chord_lies_along_the_line_a_hair_shorter_than_the_tolerance() -> None:
    sharp = corner(math.pi / 4)
    way = np.array([math.cos(-1.0), math.sin(-1.0)])
    a, b = sharp.cut(way)
    assert 0.99 * 0.25 < math.dist(a, b) < 0.25
    assert (b - a)[0] * way[1] - (b - a)[1] * way[0] == pytest.approx(0.0)
    assert b[1] == pytest.approx(0.0)


@pytest.mark.parametrize(("angle", "turns"), [(0.0, False), (1e-9, True), (math.pi - 2e-3, True), (math.pi, False)])
def test_what_counts_as_a_corner(angle: float, turns: bool) -> None:
    assert corner(angle).turns == turns
    assert not corner(-1.0).turns


def test_square_houses_are_read_alike_from_everywhere() -> None:
    """TSE-LOS-14."""
    house = Terrain.of_kind("house", "building", outline=[(4, 4), (6, 4), (6, 6), (4, 6)])
    table = Table.of("in", 10, 10, [house])
    plain, aslant = (lenient_towards(table, 0.1, way).bars[0].core for way in (None, np.array([0.6, 0.8])))
    assert shapely.equals_exact(plain, aslant)
    assert shapely.area(plain) < 4.0


# --- woods that hold an end -------------------------------------------------------------------------------------------

INF = math.inf


def own(high: bool, low: bool) -> Own:
    return Own(SimpleNamespace(see_through=3.0), high, low, INF, 3.0)  # type: ignore[arg-type]


def ends(one: Own, crossings: list[float], leave: float = 0.0, enter: float = 10.0) -> tuple[int, int]:
    """Return how many crossings belong to the two ends; the tolerance is a quarter."""
    mixed: Any = SimpleNamespace(pair=SimpleNamespace(t=0.25))
    s = np.array([crossings + [INF] * (6 - len(crossings))])
    nothing = np.zeros((1, 6))
    parts = OwnParts(mixed, nothing, np.array([leave]), np.array([enter]), np.ones(1, bool), [])
    first, last = parts._ends(one, s, np.array([len(crossings)]))
    return int(first[0]), int(last[0])


@pytest.mark.parametrize(
    ("crossings", "first"),
    [
        ([], 0),
        ([2.0], 1),
        ([2.0, 3.0, 4.0], 1),
        ([0.25, 3.0], 2),
        ([0.25, 3.0, 4.0, 5.0], 2),
        ([0.25 + 2.0**-40, 3.0], 0),
        ([1.0, 3.0, 4.0, 5.0], 0),
    ],
)
def test_what_a_wood_at_one_end_of_a_line_has_of_it(crossings: list[float], first: int) -> None:
    """TSE-LOS-10, TSE-LOS-13: inside one crossing is the way out; at the edge, looking in, two; looking away none."""
    assert ends(own(True, False), crossings) == (first, 0)
    mirrored = [10.0 - s for s in reversed(crossings)]
    assert ends(own(False, True), mirrored) == (0, first)


@pytest.mark.parametrize(
    ("crossings", "told"),
    [([], (0, 0)), ([0.25], (0, 1)), ([0.25 + 2.0**-40], (1, 0)), ([2.0, 8.0], (1, 1)), ([2.0, 3.0, 6.0, 8.0], (1, 1))],
)
def test_what_a_wood_at_both_ends_of_a_line_has_of_it(crossings: list[float], told: tuple[int, int]) -> None:
    """TSE-LOS-10."""
    assert ends(own(True, True), crossings) == told


@pytest.mark.parametrize(("levels", "crest"), [((1, 1), False), ((1, 0), True)])
def test_a_crest_bounds_only_who_looks_down(levels: tuple[int, int], crest: bool) -> None:
    """TSE-LOS-17, by the ruling that one sees down from the edge alone: between equal heights no crest counts."""
    law = SightLaw(crest_edge=True)
    hill = Terrain.of_kind("hill", "hill", outline=[(1, 1), (6, 1), (6, 9), (1, 9)], level=1)
    other = Terrain.of_kind("other", "hill", outline=[(12, 1), (18, 1), (18, 9), (12, 9)], level=1)
    ground = ground_of(Table.of("in", 20, 10, [hill, other] if levels[1] else [hill]))
    bars: list[Bar] = list(ground.bars)
    a = Cell(np.array([(2.0, 4.0), (3.0, 4.0), (3.0, 5.0)]), levels[0], frozenset([bars[0].index]))
    holds = frozenset([bars[1].index]) if levels[1] else frozenset[int]()
    b = Cell(np.array([(14.0, 4.0), (15.0, 4.0), (15.0, 5.0)]), levels[1], holds)
    found = pair_of(a, b, ground, law, 0.005)
    assert any(one.crest for one in found.owns) == crest


# --- bodies and steps -------------------------------------------------------------------------------------------------


def test_a_disc_is_a_body_without_a_front() -> None:
    """TSE-LDR-05: its centre leads, and turning costs it nothing."""
    body = Body.of((Disc(3.0, 4.0, 0.5),), (), 30.0)
    assert (body.mid, body.facing, body.width, body.length) == ((3.0, 4.0), 30.0, 0.0, 0.0)
    assert body.axis == ((3.0, 4.0), (3.0, 4.0))


def test_the_body_of_two_ranks() -> None:
    bases = tuple(Base(x, y, 0.0, 1.0, 0.75) for y in (9.0, 8.0) for x in (4.5, 5.5))
    body = Body.of(bases, (0, 1), 0.0)
    assert (body.mid, body.width, body.length) == ((5.0, 9.375), 2.0, 1.75)


@pytest.mark.parametrize(
    ("bearing", "turn"),
    [(10.0, 10.0), (179.5, 179.5), (180.0, 180.0), (180.5, -179.5), (181.5, -178.5), (350.0, -10.0)],
)
@pytest.mark.parametrize("facing", [0.0, 90.0])
def test_turning_the_shorter_way_and_clockwise_when_straight_about(bearing: float, turn: float, facing: float) -> None:
    """TSE-MOV-02, TSE-MOV-03."""
    body = Body.of((Base(0.0, 0.0, facing, 1.0, 0.75),), (0,), facing)
    x, y = body.mid
    way = math.radians(bearing + facing)
    pivot, straight = steps_along(body, [(x + 3.0 * math.sin(way), y + 3.0 * math.cos(way))])
    assert isinstance(pivot, Pivot) and isinstance(straight, Straight)
    assert (pivot.degrees, straight.length) == pytest.approx((turn, 3.0))
    (only,) = steps_along(body, [], (bearing + facing) % 360.0)
    assert isinstance(only, Pivot)
    assert only.degrees == pytest.approx(turn)
    assert steps_along(body, [body.mid], facing) == ()


@pytest.mark.parametrize(
    ("high", "low", "crossings", "out", "into", "clear", "whole"),
    [
        (True, False, [2.0], 0, None, True, None),
        (True, False, [2.0, 3.0, 4.0], 0, None, False, None),
        (True, False, [3.0, 4.0], -1, None, False, None),
        (True, False, [0.25, 4.0], 1, None, True, None),
        (True, False, [], -1, None, True, None),
        (False, True, [2.0], None, 0, True, None),
        (False, True, [2.0, 3.0, 4.0], None, 2, False, None),
        (False, True, [3.0, 9.75], None, 0, True, None),
        (False, True, [3.0, 4.0], None, -1, False, None),
        (False, True, [], None, -1, True, None),
        (True, True, [2.0, 8.0], 0, 1, True, False),
        (True, True, [2.0, 4.0, 5.0, 8.0], 0, 3, False, False),
        (True, True, [], -1, -1, True, True),
    ],
)
def test_by_which_edges_a_line_leaves_and_enters_the_woods_at_its_ends(
    high: bool, low: bool, crossings: list[float], out: int | None, into: int | None, clear: bool, whole: bool | None
) -> None:
    """TSE-LOS-10, TSE-LOS-13: who looks away goes through none of it; what else is crossed of it closes the line."""
    law = SimpleNamespace(thin_wood_transparent=False)
    mixed: Any = SimpleNamespace(pair=SimpleNamespace(t=0.25, law=law), side_of=lambda edges: edges)
    s = np.array([crossings + [INF] * (6 - len(crossings))])
    parts = OwnParts(mixed, s, np.array([0.0]), np.array([10.0]), np.ones(1, bool), [])
    parts.add(own(high, low), np.ones(6, bool))
    assert [int(edge[0]) for _, edge in parts.from_high] == ([] if out is None else [out])
    assert [int(edge[0]) for _, edge in parts.to_low] == ([] if into is None else [into])
    assert [bool(mask[0]) for _, mask in parts.whole] == ([] if whole is None else [whole])
    assert parts.open.tolist() == [clear]


def test_a_shade_one_stands_in_casts_its_shadow_from_its_farthest_other_stretch() -> None:
    """TSE-LOS-06: from above, what else is crossed of one's own wood hides for a while behind its far side."""
    law = SimpleNamespace(thin_wood_transparent=False)
    mixed: Any = SimpleNamespace(pair=SimpleNamespace(t=0.25, law=law), side_of=lambda edges: edges)
    s = np.array([[1.0, 3.0, 4.0, 5.0, 6.0, INF], [1.0, INF, INF, INF, INF, INF]])
    nothing = np.zeros(2)
    parts = OwnParts(mixed, s, nothing, nothing + 10.0, np.ones(2, bool), [])
    bar: Any = SimpleNamespace(see_through=3.0)
    parts.add(Own(bar, True, False, 0.5, 3.0), np.ones(6, bool))
    assert parts.open.tolist() == [True, True]
    assert [(factor, edges.tolist()) for factor, edges in parts.shades] == [(0.5, [4, -1])]
