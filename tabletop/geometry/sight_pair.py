"""The shortest clear line between two convex cells.

On a pair of cells the levels of both ends, and so the part each obstruction plays, are constant: a *wall* hides all
behind it, a *shade* hides for ``c`` times the way to its far side, a wood that holds an end spends the budget.

The argument. The clear lines are a closed set. If the closest pair of points is not clear, then at the shortest clear
line (and at some line of every family of clear lines) a constraint binds:

1. It touches a corner: of an obstruction or, where shades or budgets matter, of a cell. About one corner the directions
   fall into gaps between the directions of all other corners. In a gap the line crosses the same edges; the two ends,
   the far sides and the stretches of wood are then single secants of the direction, and the best of the gap is found by
   narrowing a bracket (``_narrow``). With walls alone the length is convex in the direction over all gaps of a corner:
   each end is the nearer side of a convex body, the greatest of secants.
2. It touches no corner. Turn to a fixed direction: ends, far sides and stretches are linear in the line's offset, so two
   of them must balance: the end of a shade against a side of the lower cell or against the end of another shade, or the budget against
   either. Each such family of edges gives one smooth curve of lines, and its shortest is a candidate (``sight_limits``).

Every candidate is then put to the law of ``sight_law`` itself: the search proposes, the law decides. Reached: lengths
to 1e-4 table units in both kinds; openings down to about 1e-5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import shapely

from tabletop.geometry.measure import GRAZE
from tabletop.geometry.sight_cells import Cell
from tabletop.geometry.sight_law import AT_EDGE, Bar, Bools, Floats, Ground, Ints, Screen, SightLaw, corridor
from tabletop.geometry.sight_pivots import NARROW, TURN, Edges, clip, gaps, heading_of
from tabletop.geometry.sight_screens import corridor_corners, pen

#: How far past the end of a shadow a point is put (table units), so that the law, which hides the tie, sees it.
PAST = 4 * GRAZE
#: Directions looked at in each gap at a time, and how often the bracket is narrowed (each time to a quarter).
SPREAD = np.linspace(0.0, 1.0, 9)
PASSES = 9
NONE = -1


@dataclass(frozen=True)
class Own:
    """A wood (or, under some rulings, a hill) that holds an end: which ends, and what its other stretches do."""

    bar: Bar
    high: bool
    low: bool
    factor: float
    per: float  # length that spends the whole budget; inf for a hill
    crest: bool = False


@dataclass(frozen=True, eq=False)
class Over:
    """A screen that fire may pass over: its shadow's factor, its bar, and whether a cell lies within its clearance."""

    screen: Screen
    bar: Bar
    factor: float
    always: bool


@dataclass(frozen=True, eq=False)
class Pair:
    """Two cells, the higher one first, and what stands between them."""

    high: Cell
    low: Cell
    law: SightLaw
    t: float
    walls: tuple[Bar, ...] = ()
    shades: tuple[tuple[float, Bar], ...] = ()
    owns: tuple[Own, ...] = ()
    thin: tuple[tuple[float, Bar], ...] = ()
    over: tuple[Over, ...] = ()
    hopeless: bool = False
    swapped: bool = False  # the higher cell is the second one's

    @cached_property
    def hull(self) -> Cell:
        ring = shapely.MultiPoint(np.concatenate([self.high.points, self.low.points])).convex_hull
        xy = shapely.get_coordinates(shapely.orient_polygons(ring))
        return Cell(xy[:-1] if len(xy) > 3 else xy, 0, frozenset())

    @property
    def simple(self) -> bool:
        """True when walls alone decide."""
        return not (self.shades or self.owns or self.thin or self.over)


def pair_of(
    a: Cell,
    b: Cell,
    ground: Ground,
    law: SightLaw,
    t: float,
    screens: Sequence[tuple[Screen, Bar]] = (),
    loose: Ground | None = None,
) -> Pair:
    """Return two cells with every bar between them sorted by what it does (TSE-LOS-05 to 17, TSE-FIR-10, 12).

    Walls are taken from ``loose``, the ground shrunk by what the tape lets pass, where it is given.
    """
    high, low = (a, b) if a.level >= b.level else (b, a)
    parts = _Parts(Pair(high, low, law, t, swapped=high is b), ground if loose is None else loose)
    for bar in _between(ground, parts.pair):
        parts.add(bar)
    for screen, bar in screens:
        parts.screen(screen, bar)
    return parts.done()


def _between(ground: Ground, pair: Pair) -> Iterator[Bar]:
    """Yield the bars that meet the hull of the cells."""
    if not ground.bars:
        return
    low, high, box = pair.hull.points.min(0), pair.hull.points.max(0), ground.boxes
    hit = (box[:, 0] <= high[0]) & (box[:, 2] >= low[0]) & (box[:, 1] <= high[1]) & (box[:, 3] >= low[1])
    which = np.nonzero(hit)[0]
    own = pair.high.within | pair.low.within
    meets = shapely.intersects(ground.cores[which], pair.hull.shape)
    yield from (ground.bars[k] for k, m in zip(which.tolist(), meets.tolist(), strict=True) if m or k in own)


@dataclass
class _Parts:
    """The bars of a pair while they are sorted."""

    pair: Pair
    loose: Ground
    walls: list[Bar] = field(default_factory=list)
    shades: list[tuple[float, Bar]] = field(default_factory=list)
    owns: list[Own] = field(default_factory=list)
    thin: list[tuple[float, Bar]] = field(default_factory=list)
    over: list[Over] = field(default_factory=list)
    hopeless: bool = False

    def add(self, bar: Bar) -> None:
        high, low = self.pair.high, self.pair.low
        factor = float(self.pair.law.factor(bar.level, bar.hill, high.level, low.level))
        at_high, at_low = bar.index in high.within, bar.index in low.within
        if bar.hill:
            self._hill(bar, factor, at_high, at_low)
        elif bar.see_through > 0 and (at_high or at_low):
            self.owns.append(Own(bar, at_high, at_low, factor, bar.see_through))
        elif factor > 0:
            self._solid(bar, factor, at_high, at_low)

    def _hill(self, bar: Bar, factor: float, at_high: bool, at_low: bool) -> None:
        law, high, low = self.pair.law, self.pair.high, self.pair.low
        if at_high or at_low:
            crest = law.crest_edge and at_high and not at_low and bar.level == high.level > low.level
            middle = factor if law.hills_block and not law.own_hill_exempt else -np.inf
            if crest or middle > 0:
                self.owns.append(Own(bar, at_high, at_low, middle, np.inf, crest))
        elif law.hills_block and factor > 0:
            self._solid(bar, factor, at_high, at_low)

    def _solid(self, bar: Bar, factor: float, at_high: bool, at_low: bool) -> None:
        if at_low or (at_high and np.isinf(factor)):
            self.hopeless = True
        elif self.pair.law.thin_wood_transparent and bar.see_through > 0:
            self.thin.append((factor, bar))
        elif np.isinf(factor):
            wall = self.loose.bars[bar.index]
            self.walls += [] if wall.core.is_empty else [wall]
        else:
            self.shades.append((factor, bar))

    def screen(self, screen: Screen, bar: Bar) -> None:
        """A unit in the way closes its ground to the line, or is passed over from above."""
        high, low = self.pair.high, self.pair.low
        factor = float(self.pair.law.factor(screen.level, False, high.level, low.level))
        inside = bar.index in high.within or bar.index in low.within
        if factor <= 0 or not (inside or shapely.intersects(bar.area, self.pair.hull.shape)):
            return
        if not np.isinf(factor):
            self.over.append(Over(screen, bar, factor, inside))
        elif inside:
            self.hopeless = True
        else:
            self.walls.append(bar)

    def done(self) -> Pair:
        return replace(
            self.pair,
            walls=tuple(self.walls),
            shades=tuple(self.shades),
            owns=tuple(self.owns),
            thin=tuple(self.thin),
            over=tuple(self.over),
            hopeless=self.hopeless,
        )


@dataclass(frozen=True, eq=False)
class Found:
    """Candidate lines in order of length: lengths (n,), ends in the higher cell and in the lower (n, 2)."""

    length: Floats
    high: Floats
    low: Floats

    @classmethod
    def none(cls) -> Found:
        return cls(np.zeros(0), np.zeros((0, 2)), np.zeros((0, 2)))

    @classmethod
    def of(cls, v: Floats, u: Floats, h: Floats, e: Floats) -> Found:
        """Return candidates from lines v + s u between s = h and s = e."""
        order = np.argsort(e - h, kind="stable")
        v, u, h, e = v[order], u[order], h[order], e[order]
        return cls(e - h, v + h[:, None] * u, v + e[:, None] * u)

    def under(self, best: float) -> Found:
        keep = self.length < best
        return Found(self.length[keep], self.high[keep], self.low[keep])

    def with_(self, other: Found) -> Found:
        length = np.concatenate([self.length, other.length])
        order = np.argsort(length, kind="stable")
        return Found(
            length[order],
            np.concatenate([self.high, other.high])[order],
            np.concatenate([self.low, other.low])[order],
        )


def candidates(pair: Pair, limit: float = np.inf) -> Found:
    """Return the lines under ``limit`` that can be the shortest clear one, shortest first, but for the closest pair."""
    found = _past_walls(pair, limit) if pair.simple else _Mixed(pair, limit).found()
    return found.under(limit)


def shut(pair: Pair) -> bool:
    """Return True when walls alone close every line between two convex grounds, whatever else stands there.

    The grounds may be hulls of many cells: walls that reach into one are left out, so that True is always right.
    """
    high, low = pair.high.shape, pair.low.shape
    if shapely.intersects(high, low):
        return False
    apart = [bar for bar in pair.walls if not (shapely.intersects(bar.core, high) or shapely.intersects(bar.core, low))]
    edges = Edges.of([(bar, 0) for bar in apart], pair.hull.sides)
    index = np.nonzero(edges.convex & _inside(edges.points, pair.hull))[0]
    corners = np.concatenate([pair.high.points, pair.low.points])
    pivots = np.concatenate([edges.points[index], corners])
    number = np.concatenate([index, np.full(len(corners), NONE)])
    return bool(apart) and not len(gaps(pivots, number, edges, pair.high, pair.low)[0])


def _within_reach(points: Floats, pair: Pair, limit: float) -> Bools:
    """Return which points lie on lines between the cells shorter than ``limit``, as far as distances tell."""
    if np.isinf(limit):
        return np.ones(len(points), bool)
    at = shapely.points(points)
    found: Bools = shapely.distance(at, pair.high.shape) + shapely.distance(at, pair.low.shape) < limit
    return found


def _past_walls(pair: Pair, limit: float) -> Found:
    """Return the best line of every open gap when walls alone stand between the cells."""
    edges = Edges.of([(bar, 0) for bar in pair.walls], pair.hull.sides)
    index = np.nonzero(edges.convex & _inside(edges.points, pair.hull))[0]
    index = index[_within_reach(edges.points[index], pair, limit)]
    pivots = edges.points[index]
    row, a, e = gaps(pivots, index, edges, pair.high, pair.low)
    if not len(row):
        return Found.none()
    v = pivots[row]

    def measure(angle: Floats) -> tuple[Floats, Floats]:
        u = heading_of(angle)
        at = np.broadcast_to(v[:, None], u.shape)
        return clip(pair.low, at, u)[0] - clip(pair.high, at, u)[1], np.zeros(angle.shape)

    angle, _ = _narrow(a, e, measure)
    u = heading_of(angle)
    return Found.of(v, u, clip(pair.high, v, u)[1], clip(pair.low, v, u)[0])


def _inside(points: Floats, cell: Cell) -> Bools:
    normals, level = cell.sides
    found: Bools = (points @ normals.T <= level + 1e-9).all(1)
    return found


def _narrow(a: Floats, e: Floats, measure) -> tuple[Floats, Bools]:  # type: ignore[no-untyped-def]
    """Return in each interval [a, e] the direction of the least length whose slack is not negative, or of the most slack.

    ``measure(angles (n, k))`` gives (length, slack). The bracket is narrowed about the best of nine directions.
    """
    low, high = a, e
    row = np.arange(len(a))
    best = np.full(len(a), np.inf)
    angle = (a + e) / 2
    for _ in range(PASSES):
        at = low[:, None] + (high - low)[:, None] * SPREAD
        length, slack = measure(at)
        value = np.where(slack >= 0.0, length, np.inf)
        fits = np.isfinite(value).any(1)
        k = np.where(fits, value.argmin(1), slack.argmax(1))
        better = value[row, k] < best
        best = np.where(better, value[row, k], best)
        angle = np.where(better, at[row, k], angle)
        low, high = at[row, np.maximum(k - 1, 0)], at[row, np.minimum(k + 1, len(SPREAD) - 1)]
    return angle, np.isfinite(best)


@dataclass(frozen=True, eq=False)
class Crossed:
    """Which edges n lines cross: the sides of the cells they leave and enter, far sides by shade, and own woods' edges.

    Indices into the pair's edge table, NONE where there is nothing.
    """

    leave: Ints
    enter: Ints
    exit: Ints
    shades: tuple[tuple[float, Ints], ...]
    from_high: tuple[tuple[float, Ints], ...]  # (length per budget, edge where the line leaves the high end's wood)
    to_low: tuple[tuple[float, Ints], ...]
    whole: tuple[tuple[float, Bools], ...]  # both ends in one wood, never left
    crest: tuple[Ints, ...]
    over: tuple[Bools, ...]
    thin: tuple[tuple[Ints, Ints], ...]  # by thin wood: the edges where each stretch (n, k) enters and leaves
    open: Bools


class _Mixed:
    """The search where shades, budgets or both bear on the line."""

    def __init__(self, pair: Pair, limit: float) -> None:
        self.pair, self.limit = pair, limit
        self.factors = sorted({c for c, _ in pair.shades})
        self.walls = [(bar, 0) for bar in pair.walls]
        labelled = [(bar, 1 + self.factors.index(c)) for c, bar in pair.shades]
        first_own = 1 + len(self.factors)
        labelled += [(own.bar, first_own + k) for k, own in enumerate(pair.owns)]
        self.first_over = first_own + len(pair.owns)
        labelled += [(over.bar, self.first_over + k) for k, over in enumerate(pair.over)]
        self.first_thin = self.first_over + len(pair.over)
        labelled += [(bar, self.first_thin + k) for k, (_, bar) in enumerate(pair.thin)]
        self.first_own = first_own
        self.edges = Edges.of(self.walls + labelled, pair.hull.sides)
        self.solid = self.edges.only(self.edges.label == 0)
        self.soft = self.edges.only(self.edges.label > 0)
        high, low = pair.high.sides, pair.low.sides
        self.sides = (
            np.concatenate([high[0], low[0], self.edges.normals]),
            np.concatenate([high[1], low[1], self.edges.levels]),
        )
        self.low_at, self.edge_at = len(high[1]), len(high[1]) + len(low[1])

    def found(self) -> Found:
        """Return the candidates of both kinds: about corners, and where two limits balance."""
        from tabletop.geometry.sight_limits import balanced

        v, index = self.pivots()
        near = _within_reach(v, self.pair, self.limit)
        v, index = v[near], index[near]
        row, a, e = gaps(v, np.where(index < self.n_corners, index, NONE), self.solid, self.pair.high, self.pair.low)
        row, a, e = self.split(v, row, a, e)
        if not len(row):
            return self.beyond_corners()
        v, index = v[row], index[row]
        crossed = self.crossed(v, index, heading_of((a + e) / 2))
        keep = crossed.open
        v, a, e, crossed = v[keep], a[keep], e[keep], _take(crossed, keep)
        if not len(v):
            return self.beyond_corners()
        look = Secants(self, v, crossed)
        angle, fits = _narrow(a, e, look.measure)
        return self.lines(look, angle, fits).with_(balanced(self))

    def beyond_corners(self) -> Found:
        """Return the lines left when none about a corner is open: none at all, unless corners too far off were left out."""
        from tabletop.geometry.sight_limits import balanced

        return Found.none() if np.isinf(self.limit) else balanced(self)

    def lines(self, look: Secants, angle: Floats, fits: Bools) -> Found:
        h, e, _ = look.ends(angle[:, None])
        return Found.of(look.v[fits], heading_of(angle[fits]), h[fits, 0], e[fits, 0])

    def pivots(self) -> tuple[Floats, Ints]:
        """Return the corners lines may turn about, and their vertex numbers (beyond the edges' own: cells' corners)."""
        edges = self.edges
        self.n_corners = len(edges.points)
        soft = np.zeros(len(edges.points), bool)
        soft[self.soft.i] = soft[self.soft.j] = True
        keep = _inside(edges.points, self.pair.hull) & (edges.convex | soft)
        rounds = [p[_inside(p, self.pair.hull)] for p in self.rounds()]
        corners = np.concatenate([self.pair.high.points, self.pair.low.points, *rounds])
        number = self.n_corners + np.arange(len(corners))
        return np.concatenate([edges.points[keep], corners]), np.concatenate([np.nonzero(keep)[0], number])

    def rounds(self) -> list[Floats]:
        """Return the corners at which a line loses part of a screen from its corridor."""
        if not self.pair.over:
            return []
        round_ = pen(self.pair.high.shape, self.pair.low.shape)
        return [corridor_corners(over.screen, round_) for over in self.pair.over]

    def split(self, v: Floats, row: Ints, a: Floats, e: Floats) -> tuple[Ints, Floats, Floats]:
        """Return open gaps cut at the directions of every corner that changes what a line crosses."""
        soft = np.unique(np.concatenate([self.soft.i, self.soft.j]))
        points = np.concatenate(
            [
                self.edges.points[soft[_inside(self.edges.points[soft], self.pair.hull)]],
                self.pair.high.points,
                self.pair.low.points,
            ]
        )
        way = points[None] - v[row][:, None]
        angle = np.arctan2(way[..., 1], way[..., 0])
        middle = ((a + e) / 2)[:, None]
        at = [angle + back + TURN * np.round((middle - angle - back) / TURN) for back in (0.0, np.pi)]
        cuts = np.sort(np.clip(np.concatenate([*at, a[:, None], e[:, None]], axis=1), a[:, None], e[:, None]), axis=1)
        k, c = np.nonzero(np.diff(cuts, axis=1) > NARROW)
        return row[k], cuts[k, c], cuts[k, c + 1]

    def crossed(self, v: Floats, index: Ints, u: Floats) -> Crossed:
        """Return what the lines v + s u cross; ``index`` is the vertex each turns about."""
        _, leave_at, _, leave = clip(self.pair.high, v, u)
        enter_at, _, enter, _ = clip(self.pair.low, v, u)
        exit_ = clip(self.pair.low, v, u)[3]
        where = self.where(v, index, u)
        open_ = enter_at > leave_at - 1e-9
        between = np.where((where > leave_at[:, None]) & (where < enter_at[:, None]), where, np.inf)
        shades = [(c, self._farthest(between, k + 1)) for k, c in enumerate(self.factors)]
        parts = _OwnParts(self, between, leave_at, enter_at, open_.copy(), shades)
        for k, own in enumerate(self.pair.owns):
            parts.add(own, self.soft.label == self.first_own + k)
        return Crossed(
            leave,
            enter,
            exit_,
            tuple(parts.shades),
            tuple(parts.from_high),
            tuple(parts.to_low),
            tuple(parts.whole),
            tuple(parts.crest),
            tuple(self._passed_over(between, k) for k in range(len(self.pair.over))),
            tuple(self._through(between, k) for k in range(len(self.pair.thin))),
            parts.open,
        )

    def where(self, v: Floats, index: Ints, u: Floats) -> Floats:
        """Return where lines cross the soft edges; a corner a line turns about is merely touched."""
        edges = self.soft
        way = edges.points[None] - v[:, None]
        along = way[..., 0] * u[:, None, 0] + way[..., 1] * u[:, None, 1]
        left = way[..., 1] * u[:, None, 0] - way[..., 0] * u[:, None, 1]
        turning = np.nonzero((index >= 0) & (index < self.n_corners))[0]
        before = self.edges.neighbours[0][index[turning]]
        left[turning, index[turning]] = np.where(left[turning, before] >= 0.0, 1e-15, -1e-15)
        i, j = edges.i, edges.j
        hit = (left >= 0.0)[:, i] != (left >= 0.0)[:, j]
        where = np.full(hit.shape, np.inf)
        r, k = np.nonzero(hit)
        dp, dq = left[r, i[k]], left[r, j[k]]
        where[r, k] = along[r, i[k]] + (along[r, j[k]] - along[r, i[k]]) * (dp / (dp - dq))
        return where

    def _farthest(self, between: Floats, label: int) -> Ints:
        """Return the farthest crossed edge of a class, as an index into the sides."""
        which = np.nonzero(self.soft.label == label)[0]
        if not len(which):
            return np.full(len(between), NONE)
        s = np.where(np.isfinite(between[:, which]), between[:, which], -np.inf)
        k = s.argmax(1)
        return np.where(np.isfinite(s[np.arange(len(s)), k]), self.side_of(which[k]), NONE)

    def _passed_over(self, between: Floats, k: int) -> Bools:
        """Return which lines come within the clearance of a screen."""
        if self.pair.over[k].always:
            return np.ones(len(between), bool)
        found: Bools = np.isfinite(between[:, self.soft.label == self.first_over + k]).any(1)
        return found

    def _through(self, between: Floats, k: int) -> tuple[Ints, Ints]:
        """Return the edges by which lines enter and leave a thin wood, stretch by stretch, NONE for no stretch."""
        which = np.nonzero(self.soft.label == self.first_thin + k)[0]
        s = between[:, which]
        order = np.argsort(s, axis=1)
        met = np.isfinite(np.take_along_axis(s, order, 1))
        side = np.where(met, self.side_of(which[order]), NONE)
        pairs = side.shape[1] // 2 * 2
        return side[:, 0:pairs:2], side[:, 1:pairs:2]

    def side_of(self, soft: Ints) -> Ints:
        """Return soft edges' numbers as indices into the sides."""
        numbers: Ints = np.nonzero(self.edges.label > 0)[0][soft] + self.edge_at
        return numbers


def _take(crossed: Crossed, keep: Bools) -> Crossed:
    def cut(parts):  # type: ignore[no-untyped-def]
        return tuple((weight, edges[keep]) for weight, edges in parts)

    return Crossed(
        crossed.leave[keep],
        crossed.enter[keep],
        crossed.exit[keep],
        cut(crossed.shades),
        cut(crossed.from_high),
        cut(crossed.to_low),
        cut(crossed.whole),
        tuple(edges[keep] for edges in crossed.crest),
        tuple(mask[keep] for mask in crossed.over),
        tuple((into[keep], out[keep]) for into, out in crossed.thin),
        crossed.open[keep],
    )


@dataclass
class _OwnParts:
    """What the woods that hold an end do to each line, while it is worked out (TSE-LOS-10 to 13)."""

    mixed: _Mixed
    between: Floats
    leave: Floats
    enter: Floats
    open: Bools
    shades: list[tuple[float, Ints]]
    from_high: list[tuple[float, Ints]] = field(default_factory=list)
    to_low: list[tuple[float, Ints]] = field(default_factory=list)
    whole: list[tuple[float, Bools]] = field(default_factory=list)
    crest: list[Ints] = field(default_factory=list)

    def add(self, own: Own, mask: Bools) -> None:
        which = np.nonzero(mask)[0]
        s = self.between[:, which]
        order = np.argsort(s, axis=1)
        s = np.take_along_axis(s, order, 1)
        count = np.isfinite(s).sum(1)
        first, last = self._ends(own, s, count)
        if own.high:
            self._note(own, self.from_high, which, order, np.where(first > 0, first - 1, NONE))
            if own.crest:
                self.crest.append(self._edge(which, order, np.where(first > 0, first - 1, NONE)))
        if own.low:
            self._note(own, self.to_low, which, order, np.where(last > 0, count - last, NONE))
        if own.high and own.low and np.isfinite(own.per):
            self.whole.append((own.per, count == 0))
        self._middle(own, which, order, count, first, last)

    def _ends(self, own: Own, s: Floats, count: Ints) -> tuple[Ints, Ints]:
        """Return how many crossings belong to the stretches at the high end and at the low end.

        One when that end stands inside; two when it stands at the edge and looks in; none when it looks away.
        """
        band = max(self.mixed.pair.t, AT_EDGE)
        wide = np.pad(s, ((0, 0), (0, 2)), constant_values=np.inf)
        row = np.arange(len(s))
        looks_in_high = (count >= 2) & (wide[:, 0] - self.leave <= band)
        tail = np.where(count >= 2, wide[row, np.maximum(count - 1, 0)], -np.inf)
        looks_in_low = (count >= 2) & (self.enter - tail <= band)
        odd = count % 2 == 1
        if own.high and own.low:
            first = np.where(count >= 2, 1, np.where(odd & (wide[:, 0] - self.leave > band), 1, 0))
            last = np.where(count >= 2, 1, np.where(odd & (first == 0), 1, 0))
            return first, last
        inside = np.where(odd, 1, 0)
        if own.high:
            return np.where(odd, inside, np.where(looks_in_high, 2, 0)), np.zeros(len(s), int)
        return np.zeros(len(s), int), np.where(odd, inside, np.where(looks_in_low, 2, 0))

    def _edge(self, which: Ints, order: Ints, k: Ints) -> Ints:
        """Return the edges of the k-th crossings, NONE where k is."""
        if not len(which):
            return np.full(len(k), NONE)
        row = np.arange(len(k))
        return np.where(k >= 0, self.mixed.side_of(which[order[row, np.maximum(k, 0)]]), NONE)

    def _note(self, own: Own, into: list[tuple[float, Ints]], which: Ints, order: Ints, k: Ints) -> None:
        if np.isfinite(own.per):
            into.append((own.per, self._edge(which, order, k)))

    def _middle(self, own: Own, which: Ints, order: Ints, count: Ints, first: Ints, last: Ints) -> None:
        """Crossed stretches between the ends' own: a wall closes the line, a shade's far side joins the shades."""
        crossed = (count - first - last >= 2) & (own.factor > 0)
        if np.isinf(own.factor):
            self.open &= ~crossed
        elif own.factor > 0:
            self.shades.append((own.factor, self._edge(which, order, np.where(crossed, count - last - 1, NONE))))


class Secants:
    """Lines about fixed points, crossing fixed edges: their ends, length and slack as functions of the direction."""

    def __init__(self, mixed: _Mixed, v: Floats, crossed: Crossed) -> None:
        self.v, self.mixed = v, mixed
        self.law, self.t = mixed.pair.law, mixed.pair.t
        self.leave, self.enter, self.exit = (
            self._line(k) for k in (crossed.leave, crossed.enter + mixed.low_at, crossed.exit + mixed.low_at)
        )
        self.shades = [(c, self._line(k), k >= 0) for c, k in crossed.shades if (k >= 0).any()]
        self.from_high = [(q, self._line(k), k >= 0) for q, k in crossed.from_high if (k >= 0).any()]
        self.to_low = [(q, self._line(k), k >= 0) for q, k in crossed.to_low if (k >= 0).any()]
        self.whole = [(q, mask) for q, mask in crossed.whole if mask.any()]
        self.crest = [(self._line(k), k >= 0) for k in crossed.crest if (k >= 0).any()]
        self.over = [(o, mask) for o, mask in zip(mixed.pair.over, crossed.over, strict=True) if mask.any()]

        self.thin = []
        for (factor, bar), (into, out) in zip(mixed.pair.thin, crossed.thin, strict=True):
            for k in range(into.shape[1]):
                mask = (into[:, k] >= 0) & (out[:, k] >= 0)
                if mask.any():
                    self.thin.append((factor, bar.see_through, self._line(into[:, k]), self._line(out[:, k]), mask))

    def _line(self, side: Ints) -> tuple[Floats, Floats]:
        """Return normal (n, 2) and distance (n,) of sides from each line's fixed point."""
        normals, level = self.mixed.sides
        k = np.maximum(side, 0)
        m = normals[k]
        return m, level[k] - (m * self.v).sum(1)

    def ends(self, angle: Floats) -> tuple[Floats, Floats, Floats]:
        """Return (s of the high end, s of the low end, slack) for angles (n, k)."""
        cos, sin = np.cos(angle), np.sin(angle)

        def at(line: tuple[Floats, Floats]) -> Floats:
            m, d = line
            with np.errstate(divide="ignore", invalid="ignore"):
                found: Floats = d[:, None] / (m[:, :1] * cos + m[:, 1:] * sin)
            return found

        h, e = at(self.leave), at(self.enter)
        for c, line, mask in self.shades:
            lit = h + (at(line) - h) * (1.0 + c) + self.t + PAST
            e = np.where(mask[:, None], np.maximum(e, lit), e)
        for over, mask in self.over:
            lit = h + (self._corridor_end(over, cos, sin) - h) * (1.0 + over.factor) + self.t + PAST
            e = np.where(mask[:, None], np.maximum(e, lit), e)
        room = np.full(h.shape, np.inf)
        for factor, q, into, out, mask in self.thin:
            spare = np.where(mask[:, None], q + self.t - (at(out) - at(into)), np.inf)
            if np.isinf(factor):
                room = np.minimum(room, spare)
            else:
                lit = h + (at(out) - h) * (1.0 + factor) + self.t + PAST
                e = np.where(spare < 0.0, np.maximum(e, lit), e)
        slack = np.minimum(room, np.maximum(at(self.exit), at(self.enter)) - e)
        if self.from_high or self.to_low or self.whole:
            slack = np.minimum(slack, self.law.budget + self.t - self._spent(at, h, e))
        for line, mask in self.crest:
            way = np.where(mask[:, None], at(line) - h, 0.0)
            slack = np.minimum(slack, self.law.crest + self.t - way)
        return h, e, np.where(np.isfinite(e - h), slack, -np.inf) + 1e-12

    def _corridor_end(self, over: Over, cos: Floats, sin: Floats) -> Floats:
        u = np.stack([cos.ravel(), sin.ravel()], axis=1)
        origins = np.repeat(self.v, cos.shape[1], axis=0)
        return corridor(over.screen, origins, u)[1].reshape(cos.shape)

    def _spent(self, at, h: Floats, e: Floats) -> Floats:  # type: ignore[no-untyped-def]
        share = np.zeros(h.shape)
        for q, line, mask in self.from_high:
            share += np.where(mask[:, None], (at(line) - h) / q, 0.0)
        for q, line, mask in self.to_low:
            share += np.where(mask[:, None], (e - at(line)) / q, 0.0)
        for q, mask in self.whole:
            share += np.where(mask[:, None], (e - h) / q, 0.0)
        return share * self.law.budget

    def measure(self, angle: Floats) -> tuple[Floats, Floats]:
        h, e, slack = self.ends(angle)
        return e - h, slack
