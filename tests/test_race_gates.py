"""The gates of the race: fast answers in bulk against slow, independent ones, on tables made here."""

import heapq
import itertools
import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
import shapely
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from benchmarks import race_hooks
from tabletop.geometry.base import Base
from tabletop.geometry.mesh import Mesh
from tabletop.geometry.visibility import seen_area, seen_areas
from tabletop.geometry.walked_ground import WalkedGround

SEEDS = (1, 2, 3)


@dataclass
class World:
    """A table of opaque outlines and rectangular units, none of them touching."""

    W: float
    H: float
    blk: list[np.ndarray]
    units: list[Base]

    @property
    def walls(self) -> shapely.Geometry:
        return shapely.union_all([shapely.Polygon(ring) for ring in self.blk])


def _blob(rng: np.random.Generator) -> np.ndarray:
    """A star-shaped ring, often hollowed, with vertices of two decimals."""
    k = int(rng.integers(5, 14))
    angle = (np.arange(k) + rng.uniform(-0.3, 0.3, k)) * 2 * math.pi / k
    radius = rng.uniform(0.6, 3.0) * rng.uniform(0.35, 1.0, k)
    centre = rng.uniform(3.5, (32.5, 20.5))
    return np.round(centre + radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1), 2)


def world_of(seed: int, outlines: int = 14, units: int = 16) -> World:
    rng = np.random.default_rng(seed)
    rings: list[np.ndarray] = []
    taken: list[shapely.Geometry] = []
    while len(rings) < outlines:
        ring = _blob(rng)
        shape = shapely.Polygon(ring)
        if shape.is_valid and all(shape.distance(other) > 0.05 for other in taken):
            rings.append(ring)
            taken.append(shape)
    placed: list[Base] = []
    while len(placed) < units:
        x, y = rng.uniform(1.5, (34.5, 22.5))
        base = Base(float(x), float(y), float(rng.uniform(0, 360)), float(rng.uniform(0.5, 2.5)), 0.6)
        if all(base.polygon.distance(other) > 0.02 for other in taken):
            placed.append(base)
            taken.append(base.polygon)
    return World(36.0, 24.0, rings, placed)


@pytest.fixture(scope="module", params=SEEDS)
def world(request: pytest.FixtureRequest) -> World:
    return world_of(request.param)


def segments(world: World, n: int = 4000) -> tuple[np.ndarray, np.ndarray]:
    """Segments all over the table; every tenth aims exactly at a vertex, every twentieth ends on one."""
    rng = np.random.default_rng(9)
    starts, ends = (rng.uniform(0, (world.W, world.H), (n, 2)) for _ in range(2))
    corners = np.concatenate(world.blk)
    some = np.arange(0, n, 10)
    chosen = corners[rng.integers(0, len(corners), len(some))]
    ends[some] = np.clip(2 * chosen - starts[some], 0.0, (world.W, world.H))
    ends[some[::2]] = chosen[::2]
    return starts, ends


def test_segments_meet_what_the_geometry_library_says(world: World, speed: str) -> None:
    starts, ends = segments(world)
    expected = shapely.intersects(world.walls, shapely.linestrings(np.stack([starts, ends], axis=1)))
    assert 0.1 < expected.mean() < 0.9
    assert (race_hooks.w1(race_hooks.w1_prep(world), starts, ends) == expected).all()


def _turn(a: tuple[Fraction, ...], b: tuple[Fraction, ...], c: tuple[Fraction, ...]) -> Fraction:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _on(a: tuple[Fraction, ...], b: tuple[Fraction, ...], p: tuple[Fraction, ...]) -> bool:
    return _turn(a, b, p) == 0 and all(min(a[k], b[k]) <= p[k] <= max(a[k], b[k]) for k in (0, 1))


def _crosses(
    p: tuple[Fraction, ...], q: tuple[Fraction, ...], a: tuple[Fraction, ...], b: tuple[Fraction, ...]
) -> bool:
    """Whether two closed segments meet, in rationals."""
    one, other = _turn(p, q, a) * _turn(p, q, b), _turn(a, b, p) * _turn(a, b, q)
    return (one < 0 and other < 0) or _on(p, q, a) or _on(p, q, b) or _on(a, b, p) or _on(a, b, q)


@pytest.mark.sweep
def test_a_million_segments_meet_what_the_geometry_library_says(speed: str) -> None:
    world = world_of(11, outlines=24, units=0)
    starts, ends = segments(world, 1_000_000)
    expected = shapely.intersects(world.walls, shapely.linestrings(np.stack([starts, ends], axis=1)))
    assert (race_hooks.w1(race_hooks.w1_prep(world), starts, ends) == expected).all()


def test_segments_through_lattice_points_in_rationals(speed: str) -> None:
    """Every end and every corner on a lattice: touching is met, and only what is met."""
    rings = [
        np.array(r, float)
        for r in ([(2, 2), (5, 2), (5, 5), (2, 5)], [(7, 3), (9, 1), (10, 6)], [(3, 7), (8, 8), (5, 9)])
    ]
    lattice = World(12.0, 10.0, rings, [])
    rng = np.random.default_rng(4)
    ends = rng.integers(0, (12, 10), (1500, 2, 2), endpoint=True).astype(float)
    exact = [[tuple(Fraction(int(c)) for c in v) for v in ring] for ring in rings]
    expected = []
    for p, q in ends.astype(int).tolist():
        a, b = tuple(map(Fraction, p)), tuple(map(Fraction, q))
        edges = itertools.chain.from_iterable(zip(ring, ring[1:] + ring[:1], strict=True) for ring in exact)
        inside = shapely.intersects_xy(lattice.walls, *p)
        expected.append(bool(inside) or any(_crosses(a, b, c, d) for c, d in edges))
    found = race_hooks.w1(race_hooks.w1_prep(lattice), ends[:, 0], ends[:, 1])
    assert found.tolist() == expected


def pairs_of(world: World) -> tuple[np.ndarray, np.ndarray]:
    some = list(itertools.permutations(world.units, 2))[::19]
    return np.array([a.front_edge for a, _ in some]), np.array([b.corners for _, b in some])


def shortest_clear(world: World, front: np.ndarray, box: np.ndarray) -> float:
    """The shortest clear line, by brute force: through every corner to every corner, and by directions about each."""
    walls = shapely.buffer(world.walls, -1e-9, join_style="mitre")
    a, b = shapely.LineString(front), shapely.Polygon(box)
    wide, broad = a.buffer(1e-9), b.buffer(1e-9)  # so that a line at a corner meets it whatever the rounding
    lines = [shapely.get_coordinates(shapely.shortest_line(a, b))]
    corners = np.concatenate(world.blk)
    ends = np.concatenate([front, box, corners])
    for v in corners:
        way = ends - v
        angles = np.arctan2(way[:, 1], way[:, 0])
        # lines through v and every other point, and close directions between: the least is missed by little
        every = np.concatenate([angles, angles + math.pi, np.linspace(-math.pi, math.pi, 720)])
        lines += _across(v, every, wide, broad)
    xy = np.array(lines)
    length = np.hypot(*(xy[:, 1] - xy[:, 0]).T)
    order = np.argsort(length)
    clear = ~shapely.intersects(walls, shapely.linestrings(xy[order]))
    return float(length[order][clear.argmax()]) if clear.any() else math.inf


def _across(v: np.ndarray, angles: np.ndarray, a: shapely.Geometry, b: shapely.Geometry) -> list[np.ndarray]:
    """The stretches from a to b of the lines through v, where they meet both on either side of v."""
    u = np.stack([np.cos(angles), np.sin(angles)], axis=1) * 60.0
    ahead, behind = (
        shapely.linestrings(np.stack([v + 0 * u, v + u], 1)),
        shapely.linestrings(np.stack([v + 0 * u, v - u], 1)),
    )
    good = shapely.intersects(ahead, b) & shapely.intersects(behind, a)
    at = shapely.Point(v)
    to = shapely.get_coordinates(shapely.shortest_line(shapely.intersection(ahead[good], b), at))[::2]
    fro = shapely.get_coordinates(shapely.shortest_line(shapely.intersection(behind[good], a), at))[::2]
    return list(np.stack([fro, to], axis=1)) if good.any() else []


def test_sights_against_every_line_about_every_corner(world: World, speed: str) -> None:
    fronts, boxes = pairs_of(world)
    found = race_hooks.w2(race_hooks.w2_prep(world), fronts, boxes)
    expected = np.array([shortest_clear(world, f, b) for f, b in zip(fronts, boxes, strict=True)])
    assert 0 < np.isinf(expected).sum() < len(expected)
    assert (np.isinf(found) <= np.isinf(expected)).all(), "a sight was missed"
    both = np.isfinite(expected)
    assert (found[both] <= expected[both] + 1e-6).all(), "a shorter clear line exists"
    assert (found[both] >= expected[both] - 2e-3).all(), "shorter than any line nearby"


def test_sights_are_backed_by_clear_lines(world: World, speed: str) -> None:
    """No ghosts, no length too short: what is found can be drawn."""
    from tabletop.geometry.line_of_sight import SightLaw, sight

    fronts, boxes = pairs_of(world)
    table = race_hooks.w2_prep(world)
    found = race_hooks.w2(table, fronts, boxes)
    walls = shapely.buffer(world.walls, -1e-5, join_style="mitre")
    for front, box, length in zip(fronts, boxes, found, strict=True):
        seen = sight(table, shapely.LineString(front), shapely.Polygon(box), SightLaw())
        assert seen.seen == np.isfinite(length)
        if seen.line is not None:
            assert seen.distance == pytest.approx(length, abs=1e-4)
            assert not shapely.intersects(walls, shapely.LineString(seen.line))


def test_sights_among_squares_of_a_lattice(speed: str) -> None:
    """Everything on whole numbers: lines run along edges, through two corners of one square, and through touching ones.

    Three answers must be one: of all pairs at once, of each alone searched under the law, and of both the other way.
    """
    from tabletop.geometry.line_of_sight import SightLaw, sight

    cells = [(2, 2), (2, 3), (4, 1), (4, 4), (6, 2), (6, 5), (7, 6), (8, 3), (3, 6), (9, 7)]
    rings = [np.array([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)], float) for x, y in cells]
    rings.append(np.array([(10, 1), (13, 1), (13, 4), (12, 4), (12, 2), (11, 2), (11, 4), (10, 4)], float))
    table = race_hooks.w2_prep(World(14.0, 9.0, rings, []))
    free = [(x, y) for x in range(1, 13) for y in range(1, 8) if not _met_by(rings, (x, y, x + 0.5, y + 0.5))]
    corners = np.array([[(x, y), (x + 0.5, y), (x + 0.5, y + 0.5), (x, y + 0.5)] for x, y in free], float)
    some = list(itertools.permutations(range(len(corners)), 2))[::13]
    a, b = corners[[i for i, _ in some]], corners[[j for _, j in some]]
    found = race_hooks.w2(table, a[:, :2], b)
    again = race_hooks.w2(table, a[:, [1, 0]], b[:, ::-1])
    assert found == pytest.approx(again, abs=1e-9)
    assert 0.2 < np.isinf(found).mean() < 0.8
    for front, box, length in list(zip(a[:, :2], b, found, strict=True))[::5]:
        seen = sight(table, shapely.LineString(front), shapely.Polygon(box), SightLaw())
        assert (seen.distance or math.inf) == pytest.approx(length, abs=1e-4), (front, box)


def _met_by(rings: list[np.ndarray], box: tuple[float, float, float, float]) -> bool:
    """Whether a box meets an outline, a hair about it included."""
    return any(shapely.Polygon(ring).distance(shapely.box(*box)) < 1e-3 for ring in rings)


@pytest.mark.parametrize("y, seen", [(8.0, [False, False]), (6.0, [True, False]), (5.5, [True, True])])
def test_sights_of_bodies_with_many_corners(y: float, seen: list[bool], speed: str) -> None:
    """Round bodies beside a long wall, past its lower end: as the search finds them one by one."""
    from tabletop.geometry.line_of_sight import SightLaw, sight
    from tabletop.geometry.sights_at_once import clear_distances
    from tabletop.geometry.terrain import Table, Terrain

    wall = Terrain.of_kind("wall", "building", outline=[(10, 4), (11, 4), (11, 16), (10, 16)])
    table = Table.of("in", 22, 20, [wall])
    a, b = shapely.Point(5, y).buffer(2.0, quad_segs=16), shapely.Point(16, y).buffer(2.0, quad_segs=16)
    square = shapely.box(15, y - 1, 17, y + 1)
    found = clear_distances(table, [a, a, square], [b, square, a], SightLaw())
    assert np.isfinite(found).tolist() == [*seen, seen[1]]
    for length, other in zip(found, (b, square, square), strict=True):
        assert (sight(table, a, other, SightLaw()).distance or math.inf) == pytest.approx(length, abs=1e-6)


def test_sights_of_bodies_in_woods_and_on_hills_are_searched_as_ever() -> None:
    """Where levels and budgets matter the quick way must not be taken."""
    from tabletop.geometry.line_of_sight import SightLaw, sight
    from tabletop.geometry.sights_at_once import clear_distances
    from tabletop.geometry.terrain import Table, Terrain

    hill = Terrain.of_kind("hill", "hill", outline=[(2, 2), (9, 2), (9, 9), (2, 9)])
    wood = Terrain.of_kind("wood", "woods", outline=[(14, 3), (18, 3), (18, 12), (14, 12)])
    table = Table.of("in", 30, 20, [hill, wood])
    places = [(4.0, 5.0), (8.0, 8.5), (12.0, 6.0), (15.0, 6.0), (16.0, 11.5), (22.0, 6.0), (24.0, 15.0)]
    boxes = [shapely.box(x, y, x + 1.5, y + 0.7) for x, y in places]
    some = list(itertools.permutations(boxes, 2))
    found = clear_distances(table, [a for a, _ in some], [b for _, b in some], SightLaw())
    expected = [sight(table, a, b, SightLaw()).distance or math.inf for a, b in some]
    assert found == pytest.approx(expected, abs=1e-4)


def seen_by_shadows(world: World, eye: tuple[float, float]) -> float:
    """The area seen: the table less the shadow of every edge, drawn as a quadrilateral."""
    shadows = []
    for ring in world.blk:
        for p, q in zip(ring, np.roll(ring, -1, axis=0), strict=True):
            far = [tuple(np.array(eye) + (v - eye) * 1e4) for v in (q, p)]
            quad = shapely.Polygon([tuple(p), tuple(q), *far])
            shadows.append(quad if quad.is_valid else shapely.make_valid(quad))
    dark = shapely.union_all([world.walls, *shadows])
    return float(shapely.difference(shapely.box(0, 0, world.W, world.H), dark).area)


def test_areas_seen_against_shadows(world: World, speed: str) -> None:
    eyes = np.array([base.front_mid for base in world.units])
    found = race_hooks.w3(race_hooks.w3_prep(world), eyes)
    expected = [seen_by_shadows(world, tuple(eye)) for eye in eyes.tolist()]
    assert found == pytest.approx(np.array(expected), rel=1e-9)
    assert all(seen.is_valid for seen in seen_areas(race_hooks.w3_prep(world), eyes))


def test_areas_seen_are_valid_even_in_line_with_edges(speed: str) -> None:
    """Eyes on a lattice among outlines on the same lattice: rays graze edges and run through several corners."""
    rings = [
        np.array(r, float)
        for r in ([(2, 2), (4, 2), (4, 4), (2, 4)], [(6, 4), (8, 4), (8, 6), (6, 6)], [(4, 7), (6, 7), (5, 8)])
    ]
    lattice = World(10.0, 10.0, rings, [])
    mesh = Mesh.of(race_hooks.free_ground(lattice))
    every = [(float(x), float(y)) for x, y in itertools.product(range(1, 10), repeat=2)]
    eyes = [e for e in every if not shapely.intersects_xy(lattice.walls, *e)]
    for seen, (x, y) in zip(seen_areas(mesh, eyes), eyes, strict=True):
        assert seen.is_valid
        assert seen.geom_type == "Polygon"
        assert seen.area == pytest.approx(seen_by_shadows(lattice, (x, y)), rel=1e-9)


def test_areas_seen_from_corners_and_borders_are_the_same_alone_and_together(speed: str) -> None:
    """Eyes where no triangle surely holds them: on corners and sides of walls, and on the table's edge."""
    rings = [np.array(r, float) for r in ([(2, 2), (4, 2), (4, 4), (2, 4)], [(6, 4), (8, 4), (8, 6), (6, 6)])]
    mesh = Mesh.of(race_hooks.free_ground(World(10.0, 10.0, rings, [])))
    eyes = [
        (2.0, 2.0),
        (3.0, 2.0),
        (8.0, 5.0),
        (0.0, 0.0),
        (5.0, 0.0),
        (3.0, 3.0),
        (-1.0, 4.0),
        (5.0, 5.0),
        (11.0, 5.0),
    ]
    for seen, eye in zip(seen_areas(mesh, eyes), eyes, strict=True):
        assert seen.is_valid
        assert shapely.equals(seen, seen_area(mesh, eye)) or seen.area == pytest.approx(
            float(shapely.area(seen_area(mesh, eye)))
        )


def test_an_eye_inside_an_outline_sees_nothing(world: World, speed: str) -> None:
    inside = shapely.Polygon(world.blk[0]).representative_point()
    mesh = race_hooks.w3_prep(world)
    assert shapely.is_empty(seen_area(mesh, (inside.x, inside.y)))
    assert seen_areas(mesh, [(inside.x, inside.y)])[0].is_empty


def shortest_by_all_pairs(world: World, start: tuple[float, float], goal: tuple[float, float]) -> float:
    """The shortest way over every pair of vertices that see each other, by Dijkstra."""
    points = np.concatenate([[start, goal], *world.blk])
    walls = shapely.buffer(world.walls, -1e-7, join_style="mitre")
    shapely.prepare(walls)
    i, j = np.triu_indices(len(points), 1)
    free = ~shapely.intersects(walls, shapely.linestrings(np.stack([points[i], points[j]], axis=1)))
    length = np.full((len(points), len(points)), np.inf)
    length[i[free], j[free]] = length[j[free], i[free]] = np.hypot(*(points[i[free]] - points[j[free]]).T)
    best, queue = {0: 0.0}, [(0.0, 0)]
    while queue:
        d, k = heapq.heappop(queue)
        if k == 1:
            return d
        for m in np.nonzero(d + length[k] < np.array([best.get(n, np.inf) for n in range(len(points))]))[0].tolist():
            best[m] = d + float(length[k, m])
            heapq.heappush(queue, (best[m], m))
    return math.inf


def test_ways_are_the_shortest(world: World, speed: str) -> None:
    ends = [base.front_mid for base in world.units]
    pairs = list(zip(ends[:6], ends[6:12], strict=True))
    ground = race_hooks.w4p_prep(world)
    for start, goal in pairs:
        length, way = ground.shortest(start, goal)
        assert length == pytest.approx(shortest_by_all_pairs(world, start, goal), abs=1e-6)
        assert (way[0], way[-1]) == (start, goal)
        assert sum(math.dist(p, q) for p, q in itertools.pairwise(way)) == pytest.approx(length, abs=1e-9)
        assert not shapely.intersects(shapely.buffer(world.walls, -1e-7, join_style="mitre"), shapely.LineString(way))


def test_no_way_where_there_is_none() -> None:
    """A closed ring of walls, and an end inside a wall."""
    ring = [(2, 2), (8, 2), (8, 8), (2, 8)]
    walled = shapely.Polygon([(0, 0), (10, 0), (10, 10), (0, 10)]).difference(
        shapely.Polygon(ring, [[(3, 3), (7, 3), (7, 7), (3, 7)]])
    )
    from tabletop.geometry.shortest_way import FreeGround

    ground = FreeGround.of(walled)
    assert ground.shortest((1.0, 1.0), (5.0, 5.0)) == (math.inf, ())
    assert ground.shortest((1.0, 1.0), (2.5, 2.5)) == (math.inf, ())
    assert ground.shortest((1.0, 5.0), (9.0, 5.0))[0] == pytest.approx(2 * math.hypot(1, 3) + 6)


def in_arc_by_clipping(front: np.ndarray, box: np.ndarray, reach: float) -> tuple[bool, bool]:
    """Whether a box meets an arc, with the round end drawn a little too small and a little too large."""
    left, right = front
    across = (right - left) / np.hypot(*(right - left))
    ahead = np.array([-across[1], across[0]])
    far = 2 * reach
    wedge = shapely.Polygon([left, right, right + far * (ahead + across), left + far * (ahead - across)])
    near = shapely.intersection(wedge, shapely.Polygon(box))
    distance = shapely.distance(near, shapely.LineString(front)) if not near.is_empty else math.inf
    return bool(distance <= reach - 1e-9), bool(distance <= reach + 1e-9)


def test_arcs_against_clipping(world: World, speed: str) -> None:
    corners = np.array([base.corners for base in world.units])
    reach = np.resize([2.0, 4.0, 8.0, 16.0], len(corners))
    found = race_hooks.w5(world, corners, reach)
    assert 0.05 < found.mean() < 0.6
    for i, j in itertools.product(range(len(corners)), repeat=2):
        if i != j:
            surely, perhaps = in_arc_by_clipping(corners[i, :2], corners[j], float(reach[i]))
            assert surely <= found[i, j] <= perhaps, (i, j)


def test_a_box_that_straddles_an_arc_without_a_corner_in_it(speed: str) -> None:
    """Across the whole arc, over its front, and only at the round end: touching counts."""
    front = np.array([[(-1.0, 0.0), (1.0, 0.0)]])
    boxes = np.array(
        [
            [(-30.0, 2.0), (30.0, 2.0), (30.0, 2.5), (-30.0, 2.5)],
            [(-5.0, -1.0), (5.0, -1.0), (5.0, 0.5), (-5.0, 0.5)],
            [(-30.0, 5.0), (30.0, 5.0), (30.0, 6.0), (-30.0, 6.0)],
            [(-30.0, 5.1), (30.0, 5.1), (30.0, 6.0), (-30.0, 6.0)],
            [(-3.0, -2.0), (3.0, -2.0), (3.0, -0.1), (-3.0, -0.1)],
        ]
    )
    corners = np.concatenate([np.concatenate([front, np.zeros((1, 2, 2))], axis=1), boxes])
    found = race_hooks.w5(None, corners, np.full(len(corners), 5.0))
    assert found[0, 1:].tolist() == [True, True, True, False, False]


def raster(world: World, h: float) -> tuple[np.ndarray, np.ndarray]:
    """Slowness and blocked cells: outlines slow by turns, two of them and every unit's surroundings closed."""
    x, y = np.meshgrid(np.arange(round(world.W / h) + 1) * h, np.arange(round(world.H / h) + 1) * h)
    slowness, blocked = np.ones(x.shape), np.zeros(x.shape, bool)
    for k, ring in enumerate(world.blk):
        inside = shapely.intersects_xy(shapely.Polygon(ring), x, y)
        slowness[inside] = (2.0, 4.0, 0.5)[k % 3]
        blocked |= inside & (k < 2)
    for base in world.units[1:]:
        blocked |= shapely.intersects_xy(shapely.buffer(base.polygon, 0.6), x, y)
    return slowness, blocked


def walked_over(slowness: np.ndarray, h: float, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """The cost of straight legs, charged cell by cell: cut at every border of a cell, each bit by its middle."""
    costs = []
    for p, q in zip(starts / h, ends / h, strict=True):
        with np.errstate(divide="ignore", invalid="ignore"):
            borders = (np.arange(-1, max(slowness.shape) + 1)[:, None] + 0.5 - p) / (q - p)
        cuts = np.unique(np.concatenate([[0.0, 1.0], borders[(borders > 0.0) & (borders < 1.0)]]))
        cuts = cuts[np.concatenate([[True], np.diff(cuts) > 1e-12])]
        i, j = np.rint(p + (cuts[:-1] + cuts[1:])[:, None] / 2 * (q - p)).astype(int).T
        costs.append(float(slowness[j, i] @ np.diff(cuts)) * h * math.dist(p, q))
    return np.array(costs)


def test_costs_are_those_of_ways_that_can_be_walked(world: World, speed: str) -> None:
    """Every sampled node is reached straight from the source, or from a cheaper node no more than three off."""
    h, source = 0.25, np.array(world.units[0].front_mid)
    slowness, blocked = raster(world, h)
    found = race_hooks.w4(race_hooks.w4_prep(world), source, slowness, blocked, h)
    ground = np.where(blocked, np.inf, slowness)
    assert np.isinf(found[blocked]).all()
    reached = np.argwhere(np.isfinite(found))
    assert len(reached) > 0.5 * found.size
    for j, i in np.random.default_rng(3).permutation(reached)[:150]:
        end = np.array([i, j]) * h
        near = np.argwhere(np.isfinite(found[max(0, j - 3) : j + 4, max(0, i - 3) : i + 4]))
        near += (max(0, j - 3), max(0, i - 3))
        before = near[found[tuple(near.T)] < found[j, i] - 1e-9]
        starts = np.concatenate([source[None], before[:, ::-1] * h])
        spent = np.concatenate([[0.0], found[tuple(before.T)]])
        ways = spent + walked_over(ground, h, starts, np.repeat(end[None], len(starts), axis=0))
        assert ways.min() <= found[j, i] + 1e-9, (i, j)


def test_a_field_of_costs_follows_the_ground_and_the_enemy(world: World, speed: str) -> None:
    """Nothing kept of another ground is used: a wall across the table, then none."""
    h, source, kept = 0.5, (4.0, 4.0), race_hooks.w4_prep(world)
    plain, none = np.ones((49, 73)), np.zeros((49, 73), bool)
    wall = none.copy()
    wall[:, 36] = True
    assert np.isinf(race_hooks.w4(kept, source, plain, wall, h)[:, 37:]).all()
    assert race_hooks.w4(kept, source, plain, none, h)[8, 72] == pytest.approx(32.0)
    assert race_hooks.w4(kept, source, 2 * plain, none, h)[8, 72] == pytest.approx(64.0)


def by_outlines(world: World) -> WalkedGround:
    """The same ground by its outlines: slow by turns, two of them and every unit's surroundings closed."""
    shapes = [shapely.Polygon(ring) for ring in world.blk]
    layers = [(shape, (1.0, 3.0, -0.5)[k % 3]) for k, shape in enumerate(shapes) if k >= 2]
    keeps = [shapely.buffer(base.polygon, 0.6) for base in world.units[1:]]
    return WalkedGround(world.W, world.H, 0.125, layers, shapely.union_all([*shapes[:2], *keeps]))


def test_every_place_of_a_reach_is_backed_by_a_way(world: World, speed: str) -> None:
    """Sampled ways are charged again by the areas themselves: none costs more than was told, none runs into a wall."""
    ground, source, most = by_outlines(world), world.units[0].front_mid, 7.0
    reached = ground.reach(source, most)
    claims = np.argwhere(np.isfinite(reached.cost))
    assert len(claims) > 1000
    closed = shapely.buffer(ground.hard, -1e-6)
    for row, column in np.random.default_rng(4).permutation(claims)[:150]:
        way = reached.way_to(row, column)
        assert way[0] == source
        assert way[-1] == (column * ground.h, row * ground.h)
        legs = shapely.linestrings([[a, b] for a, b in itertools.pairwise(way)])
        assert not shapely.intersects(legs, closed).any()
        cost = shapely.length(legs).sum()
        for area, extra in ground.layers:
            inside = shapely.buffer(area, math.copysign(1e-9, -extra))  # along a border: a hair to the better side
            cost += extra * shapely.length(shapely.intersection(legs, inside)).sum()
        assert cost <= reached.cost[row, column] + 1e-6 <= most + 2e-6


def about(world: World, source: tuple[float, float], far: float, h: float) -> tuple[np.ndarray, tuple[int, int]]:
    """Slowness over cells within ``far`` of the source, and the row and column its cell has there; inf where closed."""
    slowness, blocked = raster(world, h)
    row, column = round(source[1] / h), round(source[0] / h)
    low, left = max(0, row - round(far / h)), max(0, column - round(far / h))
    part = slice(low, row + round(far / h) + 1), slice(left, column + round(far / h) + 1)
    return np.where(blocked, np.inf, slowness)[part], (row - low, column - left)


def over_cells(slowness: np.ndarray, start: tuple[int, int], h: float, most: float) -> np.ndarray:
    """The least cost over legs of up to six cells in 96 directions, charged by the cells at forty places of each."""
    numbers = np.arange(slowness.size).reshape(slowness.shape)
    ny, nx = slowness.shape
    of, to, costs = [], [], []
    for up, over in itertools.product(range(7), range(-6, 7)):
        if math.gcd(up, abs(over)) != 1 or (up, over) < (0, 0):
            continue
        j, i = np.mgrid[0 : ny - up, max(0, -over) : nx - max(0, over)]
        shares = [round(up * t) * 100 + round(over * t) for t in (np.arange(40) + 0.5) / 40]
        cost = np.zeros(j.shape)
        for place in set(shares):
            down, aside = divmod(place + 50, 100)
            cost += shares.count(place) / 40 * slowness[j + down, i + aside - 50]
        free = np.isfinite(cost)
        of.append(numbers[j, i][free])
        to.append(numbers[j + up, i + over][free])
        costs.append(cost[free] * math.hypot(up, over) * h)
    legs = csr_matrix((np.concatenate(costs), (np.concatenate(of), np.concatenate(to))), (numbers.size,) * 2)
    found = dijkstra(legs, directed=False, indices=numbers[start], limit=most)
    return np.asarray(found.reshape(slowness.shape))


@pytest.mark.sweep
def test_of_a_reach_no_more_is_missed_than_said(world: World, speed: str) -> None:
    """Under 1 %, beside costs over cells a quarter as wide: ways over cells in twice as many directions."""
    ground, most, fine = by_outlines(world), 4.0, 4
    h = ground.h / fine
    x, y = world.units[0].front_mid
    source = round(x / ground.h) * ground.h, round(y / ground.h) * ground.h
    slowness, start = about(world, source, 6.0, h)
    row, column = start[0] % fine, start[1] % fine
    told = over_cells(slowness, start, h, most)[row::fine, column::fine] <= most
    reached = ground.reach(source, most).cost
    j, i = (round(source[k] / ground.h) - start[1 - k] // fine for k in (1, 0))
    reached = np.isfinite(reached[j : j + told.shape[0], i : i + told.shape[1]])
    assert told.sum() > 500
    assert (told & ~reached).sum() < 0.01 * told.sum()


def claimed(area: shapely.Geometry, count: int, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Places in an area: anywhere, and by its rim."""
    x0, y0, x1, y1 = area.bounds
    found: list[tuple[float, float]] = []
    while len(found) < count:
        x, y = rng.uniform((x0, y0), (x1, y1)).tolist()
        if shapely.contains_xy(area, x, y):
            found.append((x, y))
    rim = shapely.buffer(area, -0.002).boundary
    ends = shapely.get_coordinates(shapely.line_interpolate_point(rim, rng.uniform(0, 1, count), normalized=True))
    return [*found, *((float(x), float(y)) for x, y in ends)]


def unbacked(units: slice, count: int, action: str = "maneuver") -> list[tuple[str, tuple[float, float]]]:
    """Places in the reach of units of Quatre Bras, wheels charged, for which the judge allows no way that was found."""
    from benchmarks.own import BATTLE, ROOT
    from tabletop.geometry.reach import explored
    from tabletop.play.load import load_scene
    from tabletop.rules.tse.movement import ACTIONS, along, faults
    from tabletop.rules.tse.reaching import setting_of

    battle, rng, found, put = load_scene(ROOT / BATTLE), np.random.default_rng(5), [], 0
    for unit in [u for u in battle.units if not u.is_general][units]:
        law = ACTIONS[action]
        forming = {"head": 0} if law.marching else {}  # whose reach it is; unsaid, the base nearest to the way leads
        area, nodes = explored(setting_of(battle, unit, law, **forming))
        for place in claimed(area, count, rng) if area.area else []:
            ways = [[*node.way, place] for node in nodes]
            ways.sort(key=lambda way: math.dist(way[-2], way[-1]) if len(way) > 1 else 0.0)
            put += 1
            if all(faults(along(battle, unit, law, way, None, **forming)) for way in ways):
                found.append((unit.id, place))
    assert put > 0
    return found


def test_places_claimed_by_a_unit_that_pays_for_turns_are_backed_by_ways_the_judge_allows(speed: str) -> None:
    """TSE-MOV-01, TSE-MOV-03, TSE-MOV-15 to 17."""
    assert unbacked(slice(3, None, 11), 5) == []


@pytest.mark.sweep
def test_places_claimed_by_every_unit_that_pays_for_turns_are_backed_by_ways_the_judge_allows(speed: str) -> None:
    """TSE-MOV-01, TSE-MOV-03, TSE-MOV-15 to 17."""
    assert unbacked(slice(None), 60) == []


def test_places_claimed_by_a_march_column_are_backed_by_ways_the_judge_allows(speed: str) -> None:
    """TSE-MOV-16, TSE-FRM-26: what rides behind the head stands in no friend either, on whichever leg it is."""
    assert unbacked(slice(28, 29), 40, "march") == []


@pytest.mark.sweep
def test_places_claimed_by_every_march_column_are_backed_by_ways_the_judge_allows(speed: str) -> None:
    """TSE-MOV-08, TSE-MOV-11 to 16, TSE-FRM-26: obstacles that followers and bends meet are paid for."""
    assert unbacked(slice(None), 40, "march") == []
