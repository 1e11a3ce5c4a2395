"""The bounds of the search for the shortest line, beside lines drawn at random; and what it finds where it is tight."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
import shapely

from tabletop.geometry.line_of_sight import InterveningUnit, SightLaw, seen_by, sight
from tabletop.geometry.measure import GRAZE
from tabletop.geometry.sight.bounds import Between, bounded
from tabletop.geometry.sight.bundle import Bundles, segments_apart, sides
from tabletop.geometry.sight.cell_pair import pair_of
from tabletop.geometry.sight.cells import cells_of
from tabletop.geometry.sight.friends import ground_kept_clear, pen
from tabletop.geometry.sight.law import clear, normalised
from tabletop.geometry.sight.obstruction import SHRUNK, Floats, ground_of
from tabletop.geometry.sight.search import between_of, candidates, sides_of
from tabletop.geometry.terrain import Table, Terrain
from tests.geometry.sight_scenes import HIGH, WIDE, pieces, unit

LAWS = {
    "usual": SightLaw(),
    "thin_wood_transparent": SightLaw(thin_wood_transparent=True),
    "hills_block": SightLaw(hills_block=False),
    "own_hill_exempt": SightLaw(own_hill_exempt=False),
    "deep_shadow": SightLaw(deep_shadow=True),
    "crest_edge": SightLaw(crest_edge=True),
}


def scene(seed: int) -> tuple[Table, shapely.Geometry, shapely.Geometry, tuple[InterveningUnit, ...]]:
    """Return a table with hills, woods and houses, a front, a target, and units in between."""
    rng = np.random.default_rng(seed)
    hill = Terrain.of_kind("stand", "hill", outline=[(0, 0), (5, 0), (5, HIGH), (0, HIGH)], level=int(seed % 3) or 1)
    table = Table.of("in", WIDE, HIGH, [*pieces(rng, 1, 7), hill])
    a = unit(rng, np.array([rng.uniform(2.0, 4.0), rng.uniform(6, 14)]), fronts=True)
    b = unit(rng, np.array([rng.uniform(10.0, 17.0), rng.uniform(6, 14)]))
    middle = [unit(rng, np.array([rng.uniform(5.0, 12.0), rng.uniform(6, 14)])) for _ in range(int(rng.integers(0, 4)))]
    return table, a, b, tuple(InterveningUnit(shape, 0, 0.5, f"unit{k}") for k, shape in enumerate(middle))


def pairs(
    table: Table,
    a: shapely.Geometry,
    b: shapely.Geometry,
    law: SightLaw,
    intervening: tuple[InterveningUnit, ...],
    t: float,
) -> Iterator[tuple[Between, bool]]:
    """Yield what stands between every two cells of two shapes, and whether it closes every line, whatever else does."""
    obstructions = [ground_kept_clear(unit, -1 - k, t, pen(a, b)) for k, unit in enumerate(intervening)]
    some, others = (cells_of(ground_of(table), shape, max(t, GRAZE), obstructions) for shape in (a, b))
    for one, other in product(some, others):
        pair = pair_of(one, other, ground_of(table, SHRUNK), law, t, tuple(zip(intervening, obstructions, strict=True)))
        yield between_of(pair, ground_of(table, t / 2 + GRAZE), law.rulings(t)), pair.hopeless


def cut(bundles: Bundles, rng: np.random.Generator) -> Bundles:
    """Return the bundles, and some of their parts down to a hundredth of their size and less."""
    found = bundles
    for _ in range(8):
        bundles = bundles.halves()
        bundles = bundles.of(rng.permutation(len(bundles.p))[:24])
        found = found.with_(bundles)
    return found


def drawn(between: Between, bundles: Bundles, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return a line of each bundle, made longer within the lower cell."""
    u, v, more = rng.uniform(0.0, 1.0, (3, len(bundles.p), 1))
    starts, ends = bundles.p + u * (bundles.q - bundles.p), bundles.r + v * (bundles.s - bundles.r)
    way = (ends - starts) / np.hypot(*(ends - starts).T)[:, None]
    beyond = shapely.intersection(shapely.linestrings(np.stack([ends, ends + 9.0 * way], 1)), between.low.shape)
    return starts, ends + more * np.asarray(shapely.length(beyond))[:, None] * way


def on_an_edge(between: Between, starts: Floats, ends: Floats) -> np.ndarray:
    """Return which lines have an end so near before something that the law may take it to stand in it."""
    found = np.zeros(len(starts), bool)
    for rim in (shapely.boundary(one.area) for one in between.standing):
        found |= shapely.distance(shapely.points(starts), rim) < 2 * between.law.at_edge
        found |= shapely.distance(shapely.points(ends), rim) < 2 * between.law.at_edge
    return found


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize("count", [8, pytest.param(2_000, marks=pytest.mark.sweep)])
def test_no_clear_line_is_shorter_than_the_bound_of_its_bundle(law: SightLaw, count: int) -> None:
    """TSE-LOS-05 to 17, TSE-FIR-10, TSE-FIR-12: for a tape and exactly."""
    seen = shut = 0
    for seed in range(count):
        table, a, b, intervening = scene(seed)
        rng, t = np.random.default_rng(seed), table.tape.t * (seed % 2)
        for between, hopeless in pairs(table, a, b, law, intervening, t):
            bundles = cut(sides_of(between.high, between.low), rng)
            least = bounded(between, bundles, np.inf)[0]
            shut += int(np.isinf(least).sum())
            for _ in range(4):
                starts, ends = drawn(between, bundles, rng)
                good = clear(ground_of(table), *normalised(starts, ends), law, intervening, t)
                assert not (hopeless and good.any())
                length = np.hypot(*(ends - starts).T)
                way = ends - starts  # out of the one cell by its side and into the other by its own
                good &= ((way * bundles.leaving).sum(1) > 0.0) & ((way * bundles.entering).sum(1) > 0.0)
                good &= ~on_an_edge(between, starts, ends)
                early = good & (length < least - 1e-6)
                assert not early.any(), (seed, starts[early][:1], ends[early][:1], least[early][:1])
                seen += int(good.sum())
    assert shut > 20 * count
    assert seen > 20 * count or law.crest_edge  # from the crest alone little is seen


def test_the_bound_of_a_single_line_is_where_its_lower_end_comes_into_view() -> None:
    """TSE-LOS-06: from level 1 over a wood whose far side lies 4 away, to 8."""
    hill = Terrain.of_kind("hill", "hill", outline=[(0, 0), (3, 0), (3, 9), (0, 9)], level=1)
    wood = Terrain.of_kind("wood", "woods", outline=[(5, 0), (6, 0), (6, 9), (5, 9)], level=0)
    table = Table.of("in", 20, 9, [hill, wood])
    ((between, _),) = pairs(table, shapely.box(1, 4, 2, 5), shapely.box(7, 4, 12, 5), SightLaw(), (), 0.0)
    line = Bundles.lines(np.array([[2.0, 4.5]]), np.array([[7.0, 4.5]]))
    assert bounded(between, line, np.inf)[0] == pytest.approx([8.0], abs=1e-6)
    assert np.isinf(bounded(between, line, 7.9)[0]).all()


@pytest.mark.parametrize("point", [(3.0, 1.0), (5.0, 5.0), (0.0, -2.0)])
def test_a_point_is_on_one_side_of_a_bundle_if_it_is_of_all_its_lines(point: tuple[float, float]) -> None:
    rng = np.random.default_rng(0)
    ways = np.zeros((200, 2))
    a, b, c, d = rng.uniform(-4, 9, (4, 200, 2))
    bundles = Bundles(a, b, c, d, ways, ways)
    _, side = sides(bundles, np.array([point]))
    share = rng.uniform(0, 1, (2, 60, 1, 1))
    starts, ends = bundles.p + share[0] * (bundles.q - bundles.p), bundles.r + share[1] * (bundles.s - bundles.r)
    way, to = ends - starts, np.array(point) - starts
    turn = way[..., 0] * to[..., 1] - way[..., 1] * to[..., 0]
    assert (turn[:, side[:, 0] == 1] > 0.0).all()
    assert (turn[:, side[:, 0] == -1] < 0.0).all()
    assert {-1, 0, 1} == set(side[:, 0].tolist())


def test_candidates_lie_on_both_pieces() -> None:
    rng = np.random.default_rng(1)
    points = np.array([(4.0, 0.0), (5.0, 0.2), (6.0, -0.3)])
    about = 0
    for _ in range(200):
        a, b = rng.uniform((0, -2), (1, 2), (2, 2)), rng.uniform((8, -2), (9, 2), (2, 2))
        bundle = Bundles(a[:1], a[1:], b[:1], b[1:], np.array([[1.0, 0.0]]), np.array([[1.0, 0.0]]))
        starts, ends = candidates(bundle, np.ones((1, 3), bool), points)
        about += len(starts) - 2
        for at, (p, q) in ((starts, a), (ends, b)):
            off = segments_apart(at, at, np.broadcast_to(p, at.shape), np.broadcast_to(q, at.shape))
            assert off.max() < 1e-6
    assert about > 400
    # the shortest line about a corner: no other through it is shorter
    a, b, c, d = (np.array([p]) for p in ((0.0, -3.0), (0.0, 3.0), (9.0, 3.0), (9.0, -3.0)))
    bundle = Bundles(a, b, c, d, np.array([[1.0, 0.0]]), np.array([[1.0, 0.0]]))
    starts, ends = candidates(bundle, np.ones((1, 1), bool), np.array([[4.0, 1.0]]))
    way, to = ends - starts, np.array([4.0, 1.0]) - starts
    held = np.abs(way[:, 0] * to[:, 1] - way[:, 1] * to[:, 0]) < 1e-6
    assert np.hypot(*way[held].T).min() == pytest.approx(9.0)


@pytest.mark.parametrize(("behind", "hidden"), [(8.0, True), (9.0, True), (9.49, True), (9.51, False), (11.0, False)])
def test_the_shadow_of_a_unit_passed_over_ends_where_the_law_ends_it(behind: float, hidden: bool) -> None:
    """TSE-FIR-12: as far behind the unit as it lies from the front, to a hundredth of an inch."""
    table = Table.of("in", WIDE, HIGH, [Terrain.of_kind("hill", "hill", outline=[(0, 0), (9, 0), (9, 2), (0, 2)])])
    intervening = (InterveningUnit(shapely.box(0.0, 5.0, 12.0, 5.5), 0, 0.5, "unit"),)
    front, target = shapely.LineString([(4.0, 1.0), (5.0, 1.0)]), shapely.box(4.0, behind, 5.0, behind + 0.5)
    assert sight(table, front, target, SightLaw(), intervening).seen is not hidden
    assert (seen_by(table, front, target, SightLaw(), (), intervening) is None) is hidden


@pytest.mark.parametrize("wide", [0.001, 0.02])
def test_a_slit_between_two_houses(wide: float) -> None:
    """TSE-LOS-05: one sees through it, and not past houses that overlap by as much as the tape can tell."""
    for gap in (wide, -wide - 0.012):
        houses = [(0.0, 4.5 - gap / 2, 5.0), (4.5 + gap / 2, 9.0, 6.0)]
        built = [
            Terrain.of_kind(f"house{k}", "building", outline=[(x, y), (e, y), (e, y + 1), (x, y + 1)], level=1)
            for k, (x, e, y) in enumerate(houses)
        ]
        table = Table.of("in", WIDE, HIGH, built)
        found = sight(table, shapely.LineString([(4.4, 1.0), (4.6, 1.0)]), shapely.box(4.4, 9.0, 4.6, 9.5), SightLaw())
        assert found.seen is (gap > 0.0)


@pytest.mark.parametrize(("deep", "spent"), [(4.0, True), (3.1, True), (2.9, False)])
@pytest.mark.parametrize("ruling", ["wood", "crest"])
def test_only_the_edge_towards_the_other_end_counts(deep: float, spent: bool, ruling: str) -> None:
    """TSE-LOS-10, TSE-LOS-17: the way out lies between the two, however near the edge behind one's back is."""
    kind, level = ("woods", None) if ruling == "wood" else ("hill", 1)
    ground = Terrain.of_kind("ground", kind, outline=[(0, 0), (12, 0), (12, 20), (0, 20)], level=level)
    law = SightLaw(crest_edge=ruling == "crest", crest=3.0)
    x, table = 12.0 - deep, Table.of("in", 30, 20, [ground])
    a, b = shapely.box(x - 1.0, 0.2, x, 2.0), shapely.box(20.0, 0.5, 21.0, 11.0)
    assert (seen_by(table, a, b, law) is None) == spent
    assert sight(table, b, a, law).seen is not spent
