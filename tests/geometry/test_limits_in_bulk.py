"""Many strips, costs, views and sweeps at once, exactly on a limit: the same closed and open ends as one by one.

Lengths are halves and quarters, so that sums and differences are exact.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely

from tabletop.geometry.convex_bodies import Bodies
from tabletop.geometry.movement.advance_contact import Outlines, advance_until
from tabletop.geometry.movement.advance_cost import Files, FileStrip, Met, Spent
from tabletop.geometry.movement.advance_directions import ROUNDING, _Jumps, _longest_beside
from tabletop.geometry.movement.advances import Advances, Heads, advances
from tabletop.geometry.movement.cost_field import CostGrid
from tabletop.geometry.movement.farthest_advance import AdvanceCosts, Paid
from tabletop.geometry.movement.ground import Patches
from tabletop.geometry.movement.motion_cost import CostModel
from tabletop.geometry.movement.move_context import Node
from tabletop.geometry.movement.nearby_edges import Crowd
from tabletop.geometry.movement.sweep import line_spans
from tabletop.geometry.movement.swept_strips import NONE, Edges, Stretches, Strips, united
from tabletop.geometry.shapes import hull_about
from tabletop.geometry.sight.field_of_view import seen_from
from tabletop.geometry.sight.law import SightLaw, clear_lines
from tabletop.geometry.terrain import Table, Terrain
from tabletop.rules.tse.movement.motion import ACTIONS
from tabletop.rules.tse.movement.reach import setting_of
from tests.moving import battle, piece, unit

NORTH, EAST = np.array([(0.0, 1.0)]), np.array([(1.0, 0.0)])
HERE = np.zeros((1, 2))


def met(area: shapely.Geometry) -> list[tuple[float, float]]:
    """From where to where a strip from the origin, 2 wide and 6 long, northward, meets an area or line."""
    found = Strips(HERE, NORTH, np.array([6.0]), np.array([(-1.0, 1.0)]), np.zeros(1)).meeting(Edges.of([area]))
    return list(zip(found.low.tolist(), found.high.tolist(), strict=True))


@pytest.mark.parametrize(
    ("area", "stretches"),
    [
        (shapely.box(-3.0, 1.0, -1.0, 2.0), []),
        (shapely.box(1.0, 1.0, 3.0, 2.0), []),
        (shapely.box(-3.0, 1.0, -0.75, 2.0), [(1.0, 2.0)]),
        (shapely.box(0.75, 1.0, 3.0, 2.0), [(1.0, 2.0)]),
        (shapely.box(-1.0, 1.0, 1.0, 2.0), [(1.0, 2.0)]),
        (shapely.box(-3.0, 1.0, 3.0, 2.0), [(1.0, 2.0)]),
        (shapely.box(-3.0, 5.0, 3.0, 9.0), [(5.0, 6.0)]),
        (shapely.LineString([(-1.0, 1.0), (-1.0, 2.0)]), []),
        (shapely.LineString([(1.0, 1.0), (1.0, 2.0)]), []),
        (shapely.LineString([(-3.0, 2.0), (3.0, 2.0)]), [(2.0, 2.0)]),
        (shapely.LineString([(-3.0, 6.0), (3.0, 6.0)]), []),
        (shapely.LineString([(-3.0, 0.0), (3.0, 0.0)]), []),
        (shapely.LineString([(-3.0, 7.0), (3.0, 7.0)]), []),
        (shapely.box(-3.0, -2.0, 3.0, 0.0), []),
        (shapely.box(-3.0, -2.0, 3.0, 0.25), [(0.0, 0.25)]),
    ],
)
def test_what_only_touches_the_side_of_a_strip_is_not_met(
    area: shapely.Geometry, stretches: list[tuple[float, float]]
) -> None:
    """A strip is the ground between its sides, without them: ground along a side is passed, not entered."""
    assert met(area) == stretches


def test_an_edge_between_two_strips_is_in_neither() -> None:
    """Side by side, as the files of a column are."""
    strips = Strips(HERE, NORTH, np.array([6.0]), np.array([(-1.0, 0.0), (0.0, 1.0)]), np.zeros(2))
    assert len(strips.meeting(Edges.of([shapely.LineString([(0.0, 1.0), (0.0, 2.0)])]))) == 0
    assert strips.meeting(Edges.of([shapely.LineString([(0.0, 1.0), (0.25, 2.0)])])).strip.tolist() == [1]
    assert strips.meeting(Edges.of([shapely.LineString([(0.0, 1.0), (-0.25, 2.0)])])).strip.tolist() == [0]


@pytest.mark.parametrize(("gap", "count"), [(0.25, 1), (0.25 - 2.0**-30, 2)])
def test_stretches_as_far_apart_as_is_still_one(gap: float, count: int) -> None:
    """Those that lie within the gap are one, the gap itself too."""
    apart = Stretches(np.array([0, 0]), np.array([1.0, 2.25]), np.array([2.0, 3.0]), np.zeros(2, int))
    assert len(united(apart, gap)) == count


ONE = Files((FileStrip(-0.5, 0.5, (0.0,)),), 0.5, 0.0, CostModel(rough=2.0, linear=1.0, choke=1.0))


def costs_along(spent: float, linear: tuple[float, ...] = (), choke: tuple[float, ...] = ()) -> AdvanceCosts:
    """Costs of one advance that has spent so much and meets obstacles and choke-points so far on."""

    def at(where: tuple[float, ...]) -> Stretches:
        return Stretches(np.zeros(len(where), int), np.array(where), np.array(where), np.zeros(len(where), int))

    paid = Paid(np.array([spent]), np.zeros((1, 1)), np.zeros((1, 1)))
    return AdvanceCosts.of(ONE, Met(1, NONE, NONE, at(linear), at(choke)), paid)


@pytest.mark.parametrize(
    ("spent", "far"), [(2.5, 2.5), (3.0, 2.0), (4.0, 2.0), (5.0, 1.0), (6.0, 0.0), (math.nextafter(6.0, 7.0), -1.0)]
)
def test_how_far_a_budget_lasts_past_an_obstacle(spent: float, far: float) -> None:
    """TSE-MOV-01, TSE-MOV-08: a wall 2 on costs 1: up to it by the last of the budget; negative when overspent."""
    assert costs_along(spent, linear=(2.0,)).lasting(6.0, np.array([4.0])).tolist() == [pytest.approx(far, abs=2e-9)]


def test_an_obstacle_at_the_very_end_is_not_crossed_yet() -> None:
    """TSE-MOV-08, TSE-MOV-09: as with one way at a time."""
    past = costs_along(1.0, linear=(2.0,), choke=(3.0,))
    costs = [past.after(np.array([s]))[0].cost(ONE.cost_model) for s in (2.0, 2.5, 3.0, 3.5)]
    assert costs == [3.0, 4.5, 5.0, 6.5]
    for budget, far in ((3.0, 2.0), (4.25, 2.25), (5.0, 3.0), (6.0, 3.0), (6.5, 3.5)):
        assert past.lasting(budget, np.array([9.0])).tolist() == [pytest.approx(far, abs=2e-9)]


@pytest.mark.parametrize(("budget", "far"), [(7.0, 4.0), (3.0, 1.0), (2.0, 0.0)])
def test_a_budget_that_pays_for_all_of_an_advance_is_not_searched(budget: float, far: float) -> None:
    """TSE-MOV-01: to the last bit of it; an advance of no length costs what was spent before it."""
    limit = 4.0 if budget > 3.0 else far
    assert costs_along(2.0, linear=(2.0,)).lasting(budget, np.array([limit])).tolist() == [far]
    assert costs_along(2.0, linear=(2.0,)).lasting(math.nextafter(2.0, 0.0), np.array([0.0])).tolist() == [-1.0]


def test_the_advances_beside_a_jump_are_its_own_nodes() -> None:
    """Round its node's circle: before the first comes the last of the same node, never another node's."""
    nodes = tuple(Node(0.0, at, 0.0, Spent(0.0, (0.0,)), ()) for at in ((0.0, 0.0), (9.0, 0.0), (0.0, 9.0)))
    of, bearings = np.array([0, 0, 1, 1, 1]), np.array([1.0, 2.0, 1.0, 2.0, 3.0])
    found = Advances(Heads(nodes, of, bearings), np.zeros((5, 2)), np.array([5.0, 50.0, 1.0, 2.0, 3.0]))
    jumps = _Jumps(np.array([1, 1, 1, 0, 2]), np.array([0.5, 2.5, 3.5, 0.5, 1.0]), np.zeros(5))
    assert (_longest_beside(found, jumps) - ROUNDING).tolist() == pytest.approx([3.0, 3.0, 3.0, 50.0, -1.0])


@pytest.mark.parametrize(("ahead", "far"), [(0.0, 0.0), (0.25, 0.0), (-0.25, 4.0)])
def test_what_lies_abreast_of_a_front_counts_what_lies_behind_it_does_not(ahead: float, far: float) -> None:
    """TSE-MOV-17: a corner nearer to the end of the front than is to be kept, its outline behind it."""
    corner = shapely.Polygon([(1.25, ahead), (1.75, ahead - 1.0), (1.25, ahead - 1.0)])
    keep = Outlines.of([(corner, 0.5)])
    assert advance_until(HERE[0], NORTH, 1.0, keep, 4.0).tolist() == [far]


def test_a_corner_told_twice_changes_no_body() -> None:
    """A side without length is none: lines enter where they enter the body with the corner told once."""
    once = Bodies.of(np.array([[(2.0, -1.0), (4.0, -1.0), (4.0, 1.0), (2.0, 1.0)]]))
    twice = Bodies.of(np.array([[(2.0, -1.0), (4.0, -1.0), (4.0, 1.0), (2.0, 1.0), (2.0, 1.0)]]))
    for u in (EAST, np.array([(0.8, 0.6)])):
        assert twice.enter(HERE, u)[0].tolist() == once.enter(HERE, u)[0].tolist()
        assert twice.leave(HERE, u)[0].tolist() == once.leave(HERE, u)[0].tolist()


def test_ground_that_costs_nothing() -> None:
    """Everywhere can be had for nothing, also where nothing may be spent."""
    free = CostGrid(np.zeros((4, 5)), 1.0)
    assert not free.field((2.0, 2.0)).any()
    assert not free.field((2.0, 2.0), 0.0).any()


@pytest.mark.parametrize("shape", [(40, 5), (5, 40)])
def test_over_part_of_a_long_table_it_costs_what_it_does_over_all(shape: tuple[int, int]) -> None:
    """As far as may be spent the whole width of it is looked at, but not the whole length."""
    rng = np.random.default_rng(3)
    slowness = rng.choice([1.0, 2.0, 4.0], shape)
    grid = CostGrid(slowness, 0.5)
    whole = grid.field((1.0, 1.0))
    for most in (3.0, float(whole[2, 2]), float(np.sort(whole.ravel())[80])):
        assert np.isfinite(grid.field((1.0, 1.0), most)).tolist() == (whole <= most).tolist()


def winding() -> np.ndarray:
    """A corridor that goes to and fro."""
    slowness = np.full((13, 12), np.inf)
    slowness[1::2, 1:-1] = 1.0
    slowness[2::4, -2] = slowness[4::4, 1] = 1.0
    slowness[2:12:4, -2] = 1.0
    return slowness


def test_a_place_is_had_for_exactly_what_it_costs() -> None:
    """Also where only what was made cheaper last is followed up."""
    grid = CostGrid(winding(), 1.0)
    whole = grid.field((1.0, 1.0))
    assert np.isfinite(whole[11]).any()
    for most in np.sort(whole[np.isfinite(whole)])[-12:].tolist():
        assert np.isfinite(grid.field((1.0, 1.0), most)).sum() == (whole <= most).sum()


def test_of_a_friend_a_strip_begins_in_every_edge_may_be_met() -> None:
    """Also those behind and beside it: inside is told by all of them; of one farther off those it goes towards."""
    near, far = shapely.box(-1.0, -1.0, 1.0, 1.0), shapely.box(-1.0, 4.0, 1.0, 6.0)
    crowd = Crowd.of([near, far])

    def beside(x: float, y: float, ahead: float) -> list[int]:
        place = np.array([(x, y)])
        of, bearing = np.zeros(1, int), np.zeros(1)
        _, edge = crowd.beside(place, np.array([ahead]), of, bearing, 0.25, 0.0)
        return sorted(crowd.shape[edge].tolist())

    assert beside(0.9, 0.0, 9.0) == [0, 0, 0, 0, 1, 1, 1]
    assert beside(0.9, 0.0, 2.0) == [0, 0, 0, 0]
    assert beside(5.0, 0.0, 9.0) == []


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
@pytest.mark.parametrize("notch", [0.0, 0.25])
def test_whoever_stands_in_wide_ground_with_a_corner_level_with_him(turn: int, notch: float) -> None:
    """TSE-MOV-06: he is in it, however far its outline: a corner due east of him counts once, an edge along as none."""
    corners = [(30.0, notch), (40.0, 40.0), (-40.0, 40.0), (-30.0, 0.0), (-40.0, -40.0), (40.0, -40.0), (30.0, 0.0)]
    turned = [((x, y), (-y, x), (-x, -y), (y, -x))[turn] for x, y in dict.fromkeys(corners)]
    scene = battle(unit(), terrain=[piece("rough", turned)])
    context = setting_of(scene, scene.unit("a"), ACTIONS["maneuver"])
    node = Node.first(context)
    heads = Heads((node,), np.zeros(4, int), np.arange(4) * math.pi / 2)
    slow = advances(context, heads).lengths
    assert (slow > 0.0).any()
    open_ground = battle(unit())
    fast = advances(setting_of(open_ground, open_ground.unit("a"), ACTIONS["maneuver"]), heads).lengths
    assert (slow[slow > 0.0] < 0.75 * fast[slow > 0.0]).all()


def test_the_hull_of_one_place_is_that_place() -> None:
    assert shapely.equals(hull_about(np.array([(1.0, 2.0)])), shapely.Point(1.0, 2.0))
    assert shapely.equals(hull_about(np.array([(1.0, 2.0), (3.0, 2.0)])), shapely.LineString([(1.0, 2.0), (3.0, 2.0)]))


@pytest.mark.parametrize(
    ("y", "inside", "along"), [(0.0, [], [(0.0, 2.0)]), (0.5, [(0.0, 2.0)], [(0.0, 2.0)]), (-0.5, [], [])]
)
def test_a_way_along_a_border_is_in_no_ground_unless_borders_count(
    y: float, inside: list[tuple[float, float]], along: list[tuple[float, float]]
) -> None:
    """TSE-MOV-06: roads take in their borders, rough ground does not."""
    patches = Patches.of(shapely.box(-1.0, 0.0, 5.0, 3.0), ())
    start = np.array([1.0, y])
    assert [tuple(map(float, span)) for span in line_spans(start, (2.0, 0.0), 2.0, patches)] == inside
    assert [tuple(map(float, span)) for span in line_spans(start, (2.0, 0.0), 2.0, patches, closed=True)] == along


def box(kind: str, west: float, south: float, east: float, north: float, **keys: Any) -> Terrain:
    corners = [(west, south), (east, south), (east, north), (west, north)]
    return Terrain.of_kind(f"{kind} {west}", kind, outline=corners, **keys)


def as_the_law_says(table: Table, eye: tuple[float, float]) -> bool:
    """Whether what is seen from an eye is what the law says, off its borders, on a lattice of points."""
    seen = seen_from(table, eye, SightLaw())
    x, y = (c.ravel() for c in np.meshgrid(np.linspace(0.1, 29.9, 48), np.linspace(0.1, 19.9, 32)))
    clear = clear_lines(table, np.tile(eye, (len(x), 1)), np.stack([x, y], axis=1), SightLaw())
    off = shapely.distance(shapely.points(x, y), seen.boundary) > 0.03
    return bool(off.sum() > 1000 and (shapely.intersects_xy(seen, x, y) == clear)[off].all())


@pytest.mark.parametrize("eye", [(2.0, 10.0), (2.0, 12.0), (8.0, 4.0), (20.0, 10.0), (10.0, 19.0), (14.0, 17.0)])
@pytest.mark.parametrize("kind", ["building", "woods"])
def test_an_eye_in_line_with_an_edge(kind: str, eye: tuple[float, float]) -> None:
    """TSE-LOS-05: an edge seen end on hides as much as the corners it ends at, and no ray is said to meet it."""
    assert as_the_law_says(Table.of("in", 30, 20, [box(kind, 8.0, 10.0, 14.0, 12.0), box(kind, 22, 3, 23, 10)]), eye)


@pytest.mark.parametrize("eye", [(14.0, 11.0), (8.0, 10.75), (13.996, 11.0), (10.0, 12.0)])
def test_an_eye_on_the_edge_of_a_wood_stands_in_it(eye: tuple[float, float]) -> None:
    """TSE-LOS-10: it sees into its own wood, and through it where that is thin; a wood farther off it sees into."""
    woods = [box("woods", 8, 10.25, 14, 12), box("woods", 20, 3, 26, 10)]
    assert as_the_law_says(Table.of("in", 30, 20, woods), eye)


@pytest.mark.parametrize("seed", range(6))
def test_eyes_on_the_edges_of_woods_laid_anyhow(seed: int) -> None:
    """TSE-LOS-10: at their corners, in the middle of a side, anywhere along it; nothing is claimed, little missed."""
    rng = np.random.default_rng(seed)
    shapes = [shapely.affinity.rotate(shapely.box(0, 0, *rng.uniform(0.5, 5, 2)), rng.uniform(0, 90)) for _ in range(4)]
    woods = [shapely.affinity.translate(shape, *rng.uniform((4, 4), (24, 15))) for shape in shapes]
    corners = [shapely.get_coordinates(wood)[:-1].tolist() for wood in woods]
    table = Table.of("in", 30, 20, [Terrain.of_kind(f"w{k}", "woods", outline=ring) for k, ring in enumerate(corners)])
    points = rng.uniform((0.0, 0.0), (30.0, 20.0), (800, 2))
    for wood, share in zip(table.terrain, (0.0, 0.5, *rng.random(2)), strict=True):
        first, second = shapely.get_coordinates(wood.shape)[:2]
        eye = tuple((first + share * (second - first)).tolist())
        seen = seen_from(table, (eye[0], eye[1]), SightLaw())
        clear = clear_lines(table, np.tile(eye, (len(points), 1)), points, SightLaw())
        told, off = (
            shapely.intersects_xy(seen, *points.T),
            shapely.distance(shapely.points(points), seen.boundary) > 0.03,
        )
        assert not (told & ~clear & off).any()
        assert (clear & ~told & off).mean() < 0.01


@pytest.mark.parametrize("eye", [(0.0, 10.0), (30.0, 10.0), (12.0, 20.0), (12.0, 0.0), (0.0, 0.0), (30.0, 20.0)])
def test_an_eye_on_the_edge_of_the_table(eye: tuple[float, float]) -> None:
    """TSE-LOS-05: on the table, and it sees along the edge."""
    assert as_the_law_says(
        Table.of("in", 30, 20, [box("woods", 8, 8, 14, 12), box("hill", 18, 2, 24, 9, level=1)]), eye
    )


def test_along_the_edge_of_the_table_all_of_it_is_seen() -> None:
    """TSE-LOS-05: a ray along the edge ends at the corner, from an eye on the edge as from any other."""
    for y in (0.0, 5.0, 20.0):
        seen = seen_from(Table.of("in", 30, 20), (4.0, y), SightLaw())
        assert shapely.symmetric_difference(seen, shapely.box(0, 0, 30, 20)).area < 1e-6


@pytest.mark.parametrize(
    ("outline", "far"),
    [
        ([(1.5, 1.0), (2.5, 1.0), (2.5, 3.0), (1.5, 3.0)], 4.0),
        ([(-2.5, 1.0), (-1.5, 1.0), (-1.5, 3.0), (-2.5, 3.0)], 4.0),
        ([(0.0, 2.0), (0.5, 3.0), (-0.5, 3.0)], 1.5),
        ([(0.0, 4.5), (0.5, 6.0), (-0.5, 6.0)], 4.0),
        ([(1.25, 0.0), (1.75, -1.0), (1.25, -1.0)], 0.0),
        ([(1.25, -0.25), (1.75, -1.0), (1.25, -1.0)], 4.0),
        ([(1.3, 2.0), (2.0, 3.0), (1.3, 3.0)], 1.6),
        ([(-2.0, 3.0), (-1.3, 2.0), (-1.3, 3.0)], 1.6),
        ([(-3.0, -1.0), (3.0, -1.0), (3.0, 0.0), (-3.0, 0.0)], 0.0),
    ],
)
def test_one_outline_before_a_front(outline: list[tuple[float, float]], far: float) -> None:
    """Two wide, to be kept half an inch away from: just as far aside or behind as that is far enough."""
    keep = Outlines.of([(shapely.Polygon(outline), 0.5)])
    assert advance_until(HERE, NORTH, 1.0, keep, 4.0).tolist() == [pytest.approx(far, abs=1e-9)]
