"""The search for sight about corners against the law: what it says of a line through a corner is what the law says.

Between two cells, about every corner, in directions drawn at random: the ends, the slack and the gaps of the search on
one side, the lines themselves put to the law on the other (TSE-LOS-05 to 17, TSE-FIR-10, TSE-FIR-12).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
import shapely

from tabletop.geometry.measure import GRAZE
from tabletop.geometry.sight.law import Screen, SightLaw, clear, ground_of, normalised
from tabletop.geometry.sight.obstruction import SHRUNK, Bools, Floats, Ints
from tabletop.geometry.sight_balanced import balanced
from tabletop.geometry.sight_cells import cells_of
from tabletop.geometry.sight_found import inside, narrow
from tabletop.geometry.sight_limits import Terms
from tabletop.geometry.sight_mixed import Mixed
from tabletop.geometry.sight_pair import Pair, pair_of
from tabletop.geometry.sight_pivots import NONE, Edges, clip, fans, gaps, heading_of
from tabletop.geometry.sight_prune import open_parts
from tabletop.geometry.sight_screens import pen, screen_bar
from tabletop.geometry.sight_secants import Crossed, Secants, take
from tabletop.geometry.sight_turn import shortest_turn
from tabletop.geometry.terrain import Table, Terrain
from tests.geometry.sight_scenes import Scene, open_field, unit

LAWS = {
    "usual": SightLaw(),
    "thin_wood_transparent": SightLaw(thin_wood_transparent=True),
    "hills_block": SightLaw(hills_block=False),
    "own_hill_exempt": SightLaw(own_hill_exempt=False),
    "deep_shadow": SightLaw(deep_shadow=True),
    "crest_edge": SightLaw(crest_edge=True),
}
#: How nearly the search and the law agree (table units): more than the law's own slack for rounding.
NEARLY = 1e-5


@dataclass(frozen=True)
class Case:
    table: Table
    law: SightLaw
    screens: tuple[Screen, ...]
    pair: Pair

    def grazed(self, starts: Floats, ends: Floats) -> np.ndarray:
        """Return which lines cut off the tip of something, or the rim about a unit: as little as is drawn roughly."""
        pair, lines = self.pair, shapely.linestrings(np.stack([starts, ends], axis=1))
        bars = [*pair.walls, *(bar for _, bar in (*pair.shades, *pair.thin)), *(one.bar for one in pair.over)]
        found: Bools = np.asarray(shapely.length(lines) < 0.0)
        for bar in bars:
            within = shapely.length(shapely.intersection(lines, bar.core))
            found |= (within > 0.0) & (within < 2e-3)
        for screen in self.screens:
            found |= np.abs(shapely.distance(lines, screen.area) - screen.clearance) < 5e-3
        return found

    def clear(self, starts: Floats, ends: Floats) -> np.ndarray:
        """Put lines to the exact law."""
        a, b = normalised(starts, ends)
        return np.asarray(clear(ground_of(self.table), a, b, self.law, self.screens, 0.0))


@cache
def cases(law: SightLaw, first: int, count: int, flat: bool = False) -> list[Case]:
    """Pairs of cells with something between them, on crowded tables of several levels; on some, units in the way."""
    found: list[Case] = []
    for seed in range(first, first + count):
        scene, rng = scene_of(seed, flat), np.random.default_rng(seed)
        if shapely.intersects(scene.a, scene.b):
            continue
        areas = [
            shapely.difference(unit(rng), shapely.union(scene.a, scene.b))
            for _ in range(0 if flat else 2 * (seed % 4 > 1))
        ]
        areas = [area for area in areas if area.geom_type == "Polygon"]
        screens = tuple(Screen(area, k, 0.5, f"unit{k}") for k, area in enumerate(areas))
        bars = [screen_bar(screen, -1 - k, 0.0, pen(scene.a, scene.b)) for k, screen in enumerate(screens)]
        ground, at = ground_of(scene.table, SHRUNK), ground_of(scene.table)
        some, others = (cells_of(at, shape, GRAZE, bars) for shape in (scene.a, scene.b))
        for k in rng.permutation(len(some) * len(others))[:3].tolist():
            i, j = divmod(k, len(others))
            pair = pair_of(some[i], others[j], ground, law, 0.0, tuple(zip(screens, bars, strict=True)))
            if not pair.hopeless and (pair.walls or not pair.simple):
                found.append(Case(scene.table, law, screens, pair))
    return found


def scene_of(seed: int, flat: bool) -> Scene:
    if flat:
        return open_field(seed, 0, 14)
    return overlooked(seed) if seed % 2 else open_field(seed, 4, 9)


def overlooked(seed: int) -> Scene:
    """A unit high up, a broad one lower down, and woods, houses and towns of no great depth on the way."""
    rng = np.random.default_rng(seed)
    level = int(rng.integers(1, 4))
    at, far = np.array([3.5, 10.0]), np.array([rng.uniform(13.0, 22.0), rng.uniform(7.0, 13.0)])
    hills = [box(f"hill{k}", "hill", at, (3.0 - 0.5 * k, 8.0 - k), level=k + 1) for k in range(level)]
    things = []
    for k in range(int(rng.integers(2, 6))):
        share, kind = rng.uniform(0.35, 0.95), str(rng.choice(["woods", "town", "building"]))
        middle = at + share * (far - at) + rng.uniform(-1.0, 1.0, 2) * (0.5, 2.5)
        things.append(box(f"{kind}{k}", kind, middle, rng.uniform((0.2, 0.2), (0.6, 2.0)), rng.uniform(0, np.pi)))
    broad = shapely.Polygon(rectangle(far, rng.uniform((0.5, 1.0), (2.5, 3.0)), rng.uniform(0, np.pi)))
    return Scene(Table.of("in", 26.0, 20.0, [*hills, *things]), unit(rng, at), broad)


def rectangle(middle: Floats, half: Sequence[float] | Floats, turn: float) -> list[tuple[float, float]]:
    c, s = np.cos(turn), np.sin(turn)
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    return [tuple(p) for p in (middle + corners @ np.array([[c, s], [-s, c]])).tolist()]


def box(
    name: str, kind: str, middle: Floats, half: Sequence[float] | Floats, turn: float = 0.0, level: int = 0
) -> Terrain:
    return Terrain.of_kind(name, kind, outline=rectangle(middle, half, turn), level=level)


@dataclass(frozen=True)
class Bundle:
    """Lines about corners (n, 2) in intervals of directions: what each crosses, told by the search."""

    mixed: Mixed
    v: Floats
    row: Ints  # which pivot
    a: Floats
    e: Floats
    crossed: Crossed

    @property
    def look(self) -> Secants:
        return Secants(self.mixed, self.v, self.crossed)

    def taken(self, keep: np.ndarray) -> Bundle:
        return Bundle(self.mixed, self.v[keep], self.row[keep], self.a[keep], self.e[keep], take(self.crossed, keep))


def bundle(pair: Pair) -> tuple[Floats, Bundle]:
    """Return the corners, and every interval of directions about them that the search does not shut."""
    mixed = Mixed(pair, np.inf)
    pivots, index = plain(mixed, *mixed.pivots())
    corner = np.where(index < mixed.n_corners, index, NONE)
    row, a, e = gaps(pivots, np.where(mixed.is_wall(corner), corner, NONE), mixed.solid, pair.high, pair.low)
    row, a, e = mixed.split(pivots, row, a, e)
    v = pivots[row]
    found = Bundle(mixed, v, row, a, e, mixed.crossed(v, index[row], heading_of((a + e) / 2)))
    return pivots, found.taken(found.crossed.open)


def plain(mixed: Mixed, v: Floats, index: Ints) -> tuple[Floats, Ints]:
    """Leave out corners where the search may promise more than the law keeps: those a line does not merely touch.

    At a hollow corner of a wood two stretches are one; at the edge of a wood a cell stands inside and outside.
    """
    at, high, low = shapely.points(v), mixed.pair.high.shape, mixed.pair.low.shape
    of_cell = index >= mixed.n_corners
    convex = mixed.edges.convex[np.minimum(index, mixed.n_corners - 1)] if mixed.n_corners else of_cell
    off_cells = np.minimum(shapely.distance(at, high), shapely.distance(at, low)) > 1e-3
    bounds = shapely.union_all([shapely.boundary(own.bar.core) for own in mixed.pair.owns])
    off_edges = ~(shapely.distance(at, bounds) <= 1e-3)
    keep = np.where(of_cell, off_edges, convex & off_cells)
    return v[keep], index[keep]


def mixed_cases(law: SightLaw, first: int, count: int) -> Iterator[Case]:
    return (case for case in cases(law, first, count) if not case.pair.simple)


SIZES = [20, pytest.param(40, marks=pytest.mark.sweep)]


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_what_the_search_calls_clear_the_law_does_too(law: SightLaw, count: int) -> None:
    """The ends it gives are a clear line where it says there is slack; where there is none, no line is clear."""
    said: Counter[bool] = Counter()
    for n, case in enumerate(mixed_cases(law, 300, count)):
        rng = np.random.default_rng(n)
        _, found = bundle(case.pair)
        if not len(found.v):
            continue
        angle = found.a + (found.e - found.a) * rng.uniform(0.05, 0.95, len(found.a))
        h, e, slack = (q[:, 0] for q in found.look.ends(angle[:, None]))
        u = heading_of(angle)
        wide = (found.e - found.a > 1e-4) & np.isfinite(e) & (e > h + 1e-3)
        good = wide & (slack > NEARLY)
        starts, ends = found.v + h[:, None] * u, found.v + (e + 1e-7)[:, None] * u
        good &= ~case.grazed(starts, ends)
        assert case.clear(starts[good], ends[good]).all()
        enter, leave = clip(case.pair.low, found.v, u)[:2]
        shut = wide & (slack < -1e-3) & (leave > enter + 1e-3)
        inner = found.v + (h - 1e-4)[:, None] * u
        for share in (0.02, 0.31, 0.77, 0.98):
            far = found.v + (enter + share * (leave - enter))[:, None] * u
            bad = shut & inside(inner, case.pair.high) & inside(far, case.pair.low) & ~case.grazed(inner, far)
            assert not case.clear(inner[bad], far[bad]).any()
        said.update(good[wide].tolist())
    assert min(said.values()) > 2.5 * count


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_what_the_law_calls_clear_the_search_does_too(law: SightLaw, count: int) -> None:
    """A clear line through a corner lies in an interval that is not shut, and is no shorter than is said there."""
    asked = 0
    for n, case in enumerate(mixed_cases(law, 300, count)):
        rng = np.random.default_rng(n)
        pivots, found = bundle(case.pair)
        low, high = fans(pivots, case.pair.high, case.pair.low)
        which = np.repeat(np.nonzero(high - low > 1e-4)[0], 12)
        angle = rng.uniform(low[which], high[which])
        ends = clear_ends(case, pivots[which], angle, rng)
        seen = np.isfinite(ends)
        which, angle, ends = which[seen], angle[seen], ends[seen]
        own = (found.row == which[:, None]) & (found.a <= angle[:, None]) & (angle[:, None] <= found.e)
        assert (own.sum(1) == 1).all(), "in one interval"
        if not len(which):
            continue
        here = found.taken(own.argmax(1))
        _, e, slack = (q[:, 0] for q in here.look.ends(angle[:, None]))
        assert (slack > -NEARLY).all()
        assert (e < ends + NEARLY).all()
        assert open_parts(here.look, here.a, here.e, np.inf)[0].all(), "never pruned"
        asked += len(e)
    assert asked > 7.5 * count


def clear_ends(case: Case, v: Floats, angle: Floats, rng: np.random.Generator) -> Floats:
    """Return for lines through ``v`` (n, 2) the nearest of some ends that is clear from the higher cell."""
    u = heading_of(angle)
    h, (enter, leave) = clip(case.pair.high, v, u)[1], clip(case.pair.low, v, u)[:2]
    best = np.full(len(angle), np.inf)
    start = v + (h - 1e-6)[:, None] * u
    wide = inside(start, case.pair.high) & (leave - enter > 1e-2)
    for share in np.sort(rng.uniform(0.01, 0.99, 6))[::-1]:
        end = enter + share * (leave - enter)
        far = v + end[:, None] * u
        ok = np.nonzero(wide & (end > h + 1e-3))[0]
        ok = ok[case.clear(start[ok], far[ok])]
        ok = ok[~case.grazed(start[ok], far[ok])]
        best[ok] = end[ok]
    return best


@pytest.mark.parametrize("count", SIZES)
def test_the_best_of_an_interval_is_found(count: int) -> None:
    """No direction drawn from an interval has a shorter line with slack; parts are left out only without one."""
    short = 0
    for n, case in enumerate(mixed_cases(LAWS["usual"], 300, count)):
        rng = np.random.default_rng(n)
        _, found = bundle(case.pair)
        if not len(found.v):
            continue
        angle = found.a[:, None] + (found.e - found.a)[:, None] * rng.uniform(0.0, 1.0, (len(found.a), 40))
        length, slack = found.look.measure(angle)
        drawn = np.where(slack >= 0.0, length, np.inf).min(1)
        limit = float(np.median(drawn[np.isfinite(drawn)])) if np.isfinite(drawn).any() else np.inf
        keep, a, e = open_parts(found.look, found.a, found.e, limit)
        assert (drawn[~keep] >= limit - NEARLY).all()
        assert (a >= found.a[keep] - 1e-12).all() and (e <= found.e[keep] + 1e-12).all()
        here = found.taken(keep)
        best, fits = narrow(a, e, here.look.measure)
        least, room = (q[:, 0] for q in here.look.measure(best[:, None]))
        assert (room[fits] >= 0.0).all()
        wanted = fits & (drawn[keep] < limit)
        assert (least[wanted] <= drawn[keep][wanted] + 1e-2).all()
        assert not (np.isfinite(drawn[keep]) & (drawn[keep] < limit) & ~fits).any()
        short += int(wanted.sum())
    assert short > 2.5 * count


# --- walls alone ------------------------------------------------------------------------------------------------------


def wall_cases(count: int) -> Iterator[tuple[Case, Edges, Floats, Ints]]:
    for case in cases(LAWS["usual"], 300, 8 * count, flat=True):
        if case.pair.simple:
            edges = Edges.of([(bar, 0) for bar in case.pair.walls], case.pair.hull.sides)
            index = np.nonzero(edges.convex & inside(edges.points, case.pair.hull))[0]
            index = index[shapely.distance(shapely.points(edges.points[index]), case.pair.low.shape) > 1e-3]
            index = index[shapely.distance(shapely.points(edges.points[index]), case.pair.high.shape) > 1e-3]
            yield case, edges, edges.points[index], index


@pytest.mark.parametrize("count", SIZES)
def test_gaps_between_walls_are_just_the_directions_that_are_clear(count: int) -> None:
    """TSE-LOS-05: in a gap the line is clear, outside all gaps it is not."""
    said: Counter[bool] = Counter()
    for n, (case, edges, pivots, index) in enumerate(wall_cases(count)):
        rng = np.random.default_rng(n)
        row, a, e = gaps(pivots, index, edges, case.pair.high, case.pair.low)
        assert (a <= e).all()
        for k, (low, high) in enumerate(np.stack(fans(pivots, case.pair.high, case.pair.low), axis=1).tolist()):
            if high - low < 1e-4:
                continue
            angle = rng.uniform(low, high, 12)
            u, own = heading_of(angle), row == k
            within = ((a[own] <= angle[:, None]) & (angle[:, None] <= e[own])).any(1)
            near = np.abs(np.concatenate([a[own], e[own], [np.inf]]) - angle[:, None]).min(1) < 1e-6
            at = np.broadcast_to(pivots[k], u.shape)
            (start, h), (end, far) = (clip(cell, at, u)[:2] for cell in (case.pair.high, case.pair.low))
            starts, ends = pivots[k] + (h - 1e-3)[:, None] * u, pivots[k] + (end + 1e-3)[:, None] * u
            ask = ~near & (end > h + 1e-3) & (h - start > 2e-3) & (far - end > 2e-3) & ~case.grazed(starts, ends)
            assert case.clear(starts[ask], ends[ask]).tolist() == within[ask].tolist()
            said.update(within[ask].tolist())
    assert min(said.values()) > 2.5 * count


@pytest.mark.parametrize("count", SIZES)
def test_the_shortest_turn_about_a_corner_is_the_shortest(count: int) -> None:
    """Exact to rounding: no direction of the gap has a shorter line, neither drawn at random nor close by."""
    asked = 0
    for n, (case, edges, pivots, index) in enumerate(wall_cases(count)):
        rng = np.random.default_rng(n)
        row, a, e = gaps(pivots, index, edges, case.pair.high, case.pair.low)
        if not len(row):
            continue
        v = pivots[row]
        best = shortest_turn(v, a, e, case.pair.high.body, case.pair.low.body)
        assert ((a - 1e-12 <= best) & (best <= e + 1e-12)).all()
        length = turned_length(case, v, best[:, None])[:, 0]
        near = best[:, None] + np.array([-1e-4, -1e-5, 1e-5, 1e-4])
        others = np.concatenate([a[:, None] + (e - a)[:, None] * rng.uniform(0, 1, (len(a), 30)), near], axis=1)
        others = np.clip(others, a[:, None], e[:, None])
        assert (turned_length(case, v, others).min(1) >= length - 1e-10).all()
        asked += len(row)
    assert asked > 0.375 * count


def turned_length(case: Case, v: Floats, angle: Floats) -> Floats:
    u = heading_of(angle)
    at = np.broadcast_to(v[:, None], u.shape)
    return np.asarray(clip(case.pair.low, at, u)[0] - clip(case.pair.high, at, u)[1])


# --- limits that balance ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [40])  # fewer meet no limit of some kinds
@pytest.mark.parametrize("law", [LAWS["usual"], LAWS["crest_edge"]], ids=["usual", "crest_edge"])
def test_every_limit_of_every_line_is_among_those_that_may_balance(law: SightLaw, count: int) -> None:
    """The sums of places whose balance is looked for are the very ones that limit the lines about corners."""
    met: Counter[str] = Counter()
    for n, case in enumerate(mixed_cases(law, 300, count)):
        rng = np.random.default_rng(n)
        _, found = bundle(case.pair)
        terms = Terms(found.mixed, np.linspace(0.0, 2.0 * np.pi, 33))
        for k in range(len(found.v)):
            angle = found.a[k] + (found.e[k] - found.a[k]) * rng.uniform(0.3, 0.7)
            line = found.taken(np.array([k]))
            h, e, slack = (float(q[0, 0]) for q in line.look.ends(np.array([[angle]])))
            if not np.isfinite(e - h) or e <= h or slack < 0.0 or found.e[k] - found.a[k] < 1e-4:
                continue
            met.update(_limits_told(terms, line, angle, h, e))
    assert {"near side", "shade", "budget"} <= set(met), met
    assert law.crest_edge == ("crest" in met) == ("corridor" not in met)
    assert min(met.values()) > 0.25 * count


def _limits_told(terms: Terms, line: Bundle, angle: float, h: float, e: float) -> Iterator[str]:
    """Yield what limits a line, each seen to be among the terms for the side it leaves by."""
    mixed, crossed = line.mixed, line.crossed
    u = heading_of(np.array(angle))
    numbers = np.arange(len(terms.sides.level))
    base, slope, _ = (q[:, 0, 0] for q in terms.sides.met(numbers[:, None]).places(np.full((len(numbers), 1), angle)))
    place = base + slope * float(np.array([-u[1], u[0]]) @ line.v[0]) - float(u @ line.v[0])
    i = int(crossed.leave[0])

    def value(sum_: dict[int, float]) -> float:
        return float(sum(weight * place[side] for side, weight in sum_.items()))

    assert place[i] == pytest.approx(h, abs=1e-9)
    ends = [(end, constant, value(end) + constant) for end, constant in terms.ends(i)]
    own = [one for one in ends if abs(one[2] - e) < 1e-8]
    assert own, "the end of the line is among the ends"
    near = place[int(crossed.enter[0]) + mixed.low_at] == pytest.approx(e)
    corridor = any(side >= len(mixed.sides[1]) for end, _, _ in own for side in end)
    yield "near side" if near else "corridor" if corridor else "shade"
    budget = mixed.pair.law.budget
    spent = float(line.look._spent(lambda at: (at[1] / (at[0] @ u))[:, None], np.array([[h]]), np.array([[e]]))[0, 0])
    told = [value(terms_) - limit for end, constant, _ in own for terms_, limit in terms.budgets(i, end, constant)]
    if spent > 0.0 and not any(mask[0] for _, mask in crossed.whole):
        yield "budget"
        assert any(abs(left - (spent - budget) / budget) < 1e-8 for left in told)
    for edge in (int(edge[0]) for edge in crossed.crest if edge[0] >= 0):
        yield "crest"
        assert any(abs(left - (place[edge] - h - mixed.pair.law.crest)) < 1e-8 for left in told)


@pytest.mark.parametrize("count", SIZES)
def test_balanced_lines_are_on_their_limits(count: int) -> None:
    """What is proposed has its ends in the two cells, shortest first."""
    asked = 0
    for case in mixed_cases(LAWS["usual"], 300, count):
        found = balanced(Mixed(case.pair, np.inf))
        assert (np.diff(found.length) >= 0.0).all()
        assert np.hypot(*(found.low - found.high).T) == pytest.approx(found.length)
        assert inside(found.high, case.pair.high, 1e-6).all()
        assert inside(found.low, case.pair.low, 1e-6).all()
        asked += len(found.length)
    assert asked > 0.125 * count
