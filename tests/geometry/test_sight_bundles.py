"""Bundles proved hidden: no line drawn in them is clear, and what is only just hidden or only just seen is told."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
import shapely

from tabletop.geometry.line_of_sight import SightLaw
from tabletop.geometry.sight.law import Screen, clear, ground_of, normalised
from tabletop.geometry.sight.obstruction import SHRUNK
from tabletop.geometry.sight_bundles import left_open
from tabletop.geometry.sight_cells import Cell, cells_of
from tabletop.geometry.sight_lenient import lenient_ground
from tabletop.geometry.sight_pair import Pair, pair_of
from tabletop.geometry.sight_screens import pen, screen_bar
from tabletop.geometry.sight_sure import settled
from tabletop.geometry.terrain import Table, Terrain
from tests.geometry.sight_scenes import HIGH, WIDE, pieces, unit

LAWS = (SightLaw(), SightLaw(own_hill_exempt=False, deep_shadow=True), SightLaw(thin_wood_transparent=True))


def told(
    table: Table, a: shapely.Geometry, b: shapely.Geometry, law: SightLaw, screens: tuple[Screen, ...], t: float
) -> Iterator[Pair]:
    """Yield every pair of cells of two shapes, as the search has it."""
    round_ = pen(a, b)
    bars = [screen_bar(screen, -1 - k, t, round_) for k, screen in enumerate(screens)]
    ground = ground_of(table, SHRUNK)
    loose = lenient_ground(table, t) if t > 0 else ground
    some, others = (cells_of(ground_of(table), shape, max(t, 1e-6), bars) for shape in (a, b))
    for one, other in product(some, others):
        yield settled(pair_of(one, other, ground, law, t, tuple(zip(screens, bars, strict=True)), loose))


def told_hidden(pair: Pair, table: Table, screens: tuple[Screen, ...], limit: float) -> bool:
    """Return whether a pair is proved hidden under the exact law."""
    return left_open(pair, ground_of(table), screens, 0.0, limit) is None


def points_in(cell: Cell, rng: np.random.Generator, n: int) -> np.ndarray:
    """Return points (n, 2) of a cell: all over it, and on its outline."""
    share = rng.dirichlet(np.full(len(cell.points), 0.4), n)
    found: np.ndarray = share @ cell.points
    return found


def scene(seed: int) -> tuple[Table, shapely.Geometry, shapely.Geometry, tuple[Screen, ...]]:
    """Return a table with hills, woods and houses, a front, a target, and units in between."""
    rng = np.random.default_rng(seed)
    hill = Terrain.of_kind("stand", "hill", outline=[(0, 0), (5, 0), (5, HIGH), (0, HIGH)], level=int(seed % 3) or 1)
    table = Table.of("in", WIDE, HIGH, [*pieces(rng, 1, 5), hill])
    a = unit(rng, np.array([rng.uniform(2.0, 4.0), rng.uniform(6, 14)]), fronts=True)
    b = unit(rng, np.array([rng.uniform(10.0, 17.0), rng.uniform(6, 14)]))
    between = [
        unit(rng, np.array([rng.uniform(5.0, 12.0), rng.uniform(6, 14)])) for _ in range(int(rng.integers(0, 4)))
    ]
    return table, a, b, tuple(Screen(shape, 0, 0.5, f"unit{k}") for k, shape in enumerate(between))


@pytest.mark.parametrize("scenes", [40, pytest.param(150, marks=pytest.mark.sweep)])
def test_no_line_of_a_pair_proved_hidden_is_clear(scenes: int) -> None:
    """TSE-LOS-05, 06, 16, TSE-FIR-10, 12: for a tape and exactly, under some length and under none.

    Where it is not proved, what is clear runs within the bundles left.
    """
    proved = open_ = 0
    for seed in range(scenes):
        table, a, b, screens = scene(seed)
        rng, t = np.random.default_rng(seed), table.tape.t * (seed % 2)
        law, limit = LAWS[seed % len(LAWS)], np.inf if seed % 4 < 2 else float(shapely.distance(a, b)) * 1.05
        for pair in told(table, a, b, law, screens, t):
            if pair.hopeless:
                continue
            p, q = (points_in(cell, rng, 600) for cell in (pair.high, pair.low))
            seen = clear(ground_of(table), *normalised(p, q), law, screens, t) & (np.hypot(*(q - p).T) < limit)
            left = left_open(pair, ground_of(table), screens, t, limit)
            if left is None:
                assert not seen.any(), (seed, p[seen][:1], q[seen][:1])
                proved += 1
            else:
                assert left.through((p + q)[seen] / 2).all()
                open_ += bool(seen.any())
    assert proved > 1.3 * scenes
    assert open_ > 0.6 * scenes


def over(y: float, clearance: float = 0.5) -> tuple[Table, Pair, tuple[Screen, ...]]:
    """Return a front on a hill, a target below whose far side is ``y`` behind a long unit that hides as far as it is.

    The unit lies across the way, from 4.0 to 4.5 in front of the front: its shadow ends at 9.0.
    """
    table = Table.of("in", WIDE, HIGH, [Terrain.of_kind("hill", "hill", outline=[(0, 0), (9, 0), (9, 2), (0, 2)])])
    screens = (Screen(shapely.box(0.0, 5.0, 12.0, 5.5), 0, clearance, "unit"),)
    a, b = shapely.LineString([(4.0, 1.0), (5.0, 1.0)]), shapely.box(4.0, y, 5.0, y + 0.5)
    (pair,) = told(table, a, b, SightLaw(), screens, 0.0)
    return table, pair, screens


@pytest.mark.parametrize(("behind", "hidden"), [(8.0, True), (9.0, True), (9.49, True), (9.51, False), (11.0, False)])
def test_the_shadow_of_a_unit_passed_over_ends_where_the_law_ends_it(behind: float, hidden: bool) -> None:
    """TSE-FIR-12: as far behind the unit as it lies from the front, to a hundredth of an inch."""
    table, pair, screens = over(behind)
    pair = Pair(pair.high, pair.low, pair.law, pair.t, over=pair.over) if pair.over else pair
    far = clear(ground_of(table), np.array([[4.5, 1.0]]), np.array([[4.5, behind + 0.5]]), pair.law, screens, 0.0)
    assert bool(far[0]) is not hidden
    assert (pair.hopeless or told_hidden(pair, table, screens, np.inf)) is hidden


@pytest.mark.parametrize("wide", [0.001, 0.02])
def test_a_slit_between_two_houses_is_not_proved_shut(wide: float) -> None:
    """TSE-LOS-05: and houses that overlap by as much are."""
    hill = Terrain.of_kind("hill", "hill", outline=[(0, 0), (9, 0), (9, 2), (0, 2)])
    for gap in (wide, -wide - 0.002):
        houses = [(0.0, 4.5 - gap / 2), (4.5 + gap / 2, 9.0)]
        built = [
            Terrain.of_kind(f"house{k}", "building", outline=[(x, 5), (e, 5), (e, 6), (x, 6)], level=1)
            for k, (x, e) in enumerate(houses)
        ]
        table = Table.of("in", WIDE, HIGH, [hill, *built])
        a, b = shapely.LineString([(4.0, 1.0), (5.0, 1.0)]), shapely.box(4.0, 8.0, 5.0, 8.5)
        pairs = [pair for pair in told(table, a, b, SightLaw(), (), 0.0) if not pair.hopeless]
        proved = [told_hidden(pair, table, (), np.inf) for pair in pairs]
        assert all(proved) is (gap < 0.0)


def test_lines_that_are_too_long_are_left_out() -> None:
    """TSE-FIR-12: the target begins 8.7 away, and what of it lies in the shadow of a unit passed over ends at 9."""
    table, pair, screens = over(9.7)
    assert pair.over
    for limit, hidden in ((np.inf, False), (9.01, False), (8.99, True), (8.5, True)):
        assert told_hidden(pair, table, screens, limit) is hidden
