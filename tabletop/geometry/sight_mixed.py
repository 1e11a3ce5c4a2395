"""The search about corners where shades, budgets or both bear on the line."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tabletop.geometry.sight.obstruction import AT_EDGE, Bools, Floats, Ints
from tabletop.geometry.sight_chords import Bundles
from tabletop.geometry.sight_found import Found, inside, narrow, within_reach
from tabletop.geometry.sight_pair import Over, Own, Pair
from tabletop.geometry.sight_pivots import NARROW, NONE, TURN, Edges, clip, gaps, heading_of
from tabletop.geometry.sight_prune import open_parts
from tabletop.geometry.sight_screens import corridor_corners, fan, far_sides, pen
from tabletop.geometry.sight_secants import Crossed, Secants, Sides, Thin, take
from tabletop.geometry.sight_short import under


class Mixed:
    """The search where shades, budgets or both bear on the line."""

    def __init__(self, pair: Pair, limit: float, left: Bundles | None = None) -> None:
        self.pair, self.limit, self.left = pair, limit, left
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

    def found(self) -> Found | None:
        """Return the best line of every gap about a corner in which some line may be clear; None when all are shut."""
        v, index = self.pivots()
        near = within_reach(v, self.pair, self.limit)
        (v, index), count = self.open(v[near], index[near]), int(near.sum())
        shut = None if len(v) == count else Found.none()
        corner = np.where(index < self.n_corners, index, NONE)
        row, a, e = gaps(v, np.where(self.is_wall(corner), corner, NONE), self.solid, self.pair.high, self.pair.low)
        row, a, e = self.split(v, *self.short(v, row, a, e))
        if not len(row):
            return shut
        v, index = v[row], index[row]
        crossed = self.crossed(v, index, heading_of((a + e) / 2))
        keep = crossed.open
        if not keep.any():
            return shut
        v, a, e, crossed = v[keep], a[keep], e[keep], take(crossed, keep)
        keep, a, e = open_parts(Secants(self, v, crossed), a, e, self.limit)
        look = Secants(self, v[keep], take(crossed, keep))
        angle, fits = narrow(a, e, look.measure) if keep.any() else (a, keep[keep])
        return self.lines(look, angle, fits)

    def open(self, v: Floats, index: Ints) -> tuple[Floats, Ints]:
        """Return those of the corners through which lines of the bundles left run."""
        keep = slice(None) if self.left is None else self.left.through(v)
        return v[keep], index[keep]

    def short(self, v: Floats, row: Ints, a: Floats, e: Floats) -> tuple[Ints, Floats, Floats, Floats, Floats]:
        """Return the gaps that may hold a line under the limit, and between which directions."""
        keep, first, last = under(v[row], a, e, self.pair.high, self.pair.low, self.limit)
        return row[keep], a[keep], e[keep], first[keep], last[keep]

    def is_wall(self, corner: Ints) -> Bools:
        """Return which corners are those of walls."""
        wall = np.zeros(self.n_corners + 1, bool)
        wall[self.solid.i] = True
        found: Bools = wall[corner] & (corner >= 0)
        return found

    def lines(self, look: Secants, angle: Floats, fits: Bools) -> Found:
        h, e, _ = look.ends(angle[:, None])
        return Found.of(look.v[fits], heading_of(angle[fits]), h[fits, 0], e[fits, 0])

    def pivots(self) -> tuple[Floats, Ints]:
        """Return the corners lines may turn about, and their vertex numbers (beyond the edges' own: cells' corners)."""
        edges = self.edges
        self.n_corners = len(edges.points)
        soft = np.zeros(len(edges.points), bool)
        soft[self.soft.i] = soft[self.soft.j] = True
        keep = inside(edges.points, self.pair.hull) & (edges.convex | soft)
        rounds = [p[inside(p, self.pair.hull)] for p in self.rounds()]
        corners = np.concatenate([self.pair.high.points, self.pair.low.points, *rounds])
        number = self.n_corners + np.arange(len(corners))
        return np.concatenate([edges.points[keep], corners]), np.concatenate([np.nonzero(keep)[0], number])

    def rounds(self) -> list[Floats]:
        """Return the corners at which a line loses part of a screen from its corridor."""
        if not self.pair.over:
            return []
        round_ = pen(self.pair.high.shape, self.pair.low.shape)
        return [corridor_corners(over.screen, round_, *self.fan) for over in self.pair.over]

    def far_sides(self, over: Over) -> Sides:
        """Return the sides on which a screen's corridor can end."""
        starts, ends = (points.tolist() for points in far_sides(over.screen, *self.fan))
        return tuple(((px, py), (qx, qy)) for (px, py), (qx, qy) in zip(starts, ends, strict=True))

    @cached_property
    def fan(self) -> tuple[float, float]:
        """The interval of the lines' directions."""
        return fan(self.pair.high.points, self.pair.low.points)

    def split(
        self, v: Floats, row: Ints, a: Floats, e: Floats, first: Floats | None = None, last: Floats | None = None
    ) -> tuple[Ints, Floats, Floats]:
        """Return open gaps cut at the directions of every corner that changes what a line crosses.

        Of the parts those that reach between ``first`` and ``last``, where these are given.
        """
        soft = np.zeros(len(self.edges.points), bool)
        soft[self.soft.i] = soft[self.soft.j] = True
        corners = self.edges.points[soft]
        points = np.concatenate(
            [
                corners[inside(corners, self.pair.hull)],
                self.pair.high.points,
                self.pair.low.points,
            ]
        )
        way = points[None] - v[row][:, None]
        angle = np.arctan2(way[..., 1], way[..., 0])
        middle = ((a + e) / 2)[:, None]
        at = [angle + back + TURN * np.round((middle - angle - back) / TURN) for back in (0.0, np.pi)]
        cuts = np.sort(np.clip(np.concatenate([*at, a[:, None], e[:, None]], axis=1), a[:, None], e[:, None]), axis=1)
        wanted: Bools = np.diff(cuts, axis=1) > NARROW
        if first is not None and last is not None:
            wanted &= (cuts[:, 1:] >= first[:, None]) & (cuts[:, :-1] <= last[:, None])
        k, c = np.nonzero(wanted)
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
        parts = OwnParts(self, between, leave_at, enter_at, open_.copy(), shades)
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
            (*(self._through(between, k) for k in range(len(self.pair.thin))), *parts.thin),
            parts.open,
        )

    def where(self, v: Floats, index: Ints, u: Floats) -> Floats:
        """Return where lines cross the soft edges; a corner a line turns about is merely touched."""
        edges = self.soft
        x, y = edges.points[:, 0] - v[:, :1], edges.points[:, 1] - v[:, 1:]
        left = y * u[:, :1] - x * u[:, 1:]
        turning = np.nonzero((index >= 0) & (index < self.n_corners))[0]
        before = self.edges.neighbours[0][index[turning]]
        left[turning, index[turning]] = np.where(left[turning, before] >= 0.0, 1e-15, -1e-15)
        i, j = edges.i, edges.j
        side = left >= 0.0
        hit = np.take(side, i, axis=1) != np.take(side, j, axis=1)
        where = np.full(hit.shape, np.inf)
        r, k = np.nonzero(hit)
        dp, dq = left[r, i[k]], left[r, j[k]]
        p, q = (x[r, corner[k]] * u[r, 0] + y[r, corner[k]] * u[r, 1] for corner in (i, j))
        where[r, k] = p + (q - p) * (dp / (dp - dq))
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
        return np.asarray(np.isfinite(between[:, self.soft.label == self.first_over + k]).any(1))

    def _through(self, between: Floats, k: int) -> Thin:
        """Return the edges by which lines enter and leave a thin wood, stretch by stretch, NONE for no stretch."""
        factor, bar = self.pair.thin[k]
        which = np.nonzero(self.soft.label == self.first_thin + k)[0]
        s = between[:, which]
        order = np.argsort(s, axis=1)
        met = np.isfinite(np.take_along_axis(s, order, 1))
        side = np.where(met, self.side_of(which[order]), NONE)
        pairs = side.shape[1] // 2 * 2
        return factor, bar.see_through, side[:, 0:pairs:2], side[:, 1:pairs:2]

    def side_of(self, soft: Ints) -> Ints:
        """Return soft edges' numbers as indices into the sides."""
        numbers: Ints = np.nonzero(self.edges.label > 0)[0][soft] + self.edge_at
        return numbers


@dataclass
class OwnParts:
    """What the woods that hold an end do to each line, while it is worked out (TSE-LOS-10 to 13)."""

    mixed: Mixed
    between: Floats
    leave: Floats
    enter: Floats
    open: Bools
    shades: list[tuple[float, Ints]]
    from_high: list[tuple[float, Ints]] = field(default_factory=list)
    to_low: list[tuple[float, Ints]] = field(default_factory=list)
    whole: list[tuple[float, Bools]] = field(default_factory=list)
    crest: list[Ints] = field(default_factory=list)
    thin: list[Thin] = field(default_factory=list)

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
        """Crossed stretches between the ends' own: a wall closes the line, a shade's far side joins the shades.

        By the ruling that thin woods are seen through each is one (TSE-LOS-10).
        """
        crossed = (count - first - last >= 2) & (own.factor > 0)
        if self.mixed.pair.law.thin_wood_transparent and own.bar.see_through > 0:
            if crossed.any():
                self.thin.append((own.factor, own.bar.see_through, *self._stretches(which, order, count, first, last)))
        elif np.isinf(own.factor):
            self.open &= ~crossed
        elif own.factor > 0:
            self.shades.append((own.factor, self._edge(which, order, np.where(crossed, count - last - 1, NONE))))

    def _stretches(self, which: Ints, order: Ints, count: Ints, first: Ints, last: Ints) -> tuple[Ints, Ints]:
        """Return the edges by which each stretch between the ends' own is entered and left, (n, k) each."""
        into = [np.where(first + k + 1 < count - last, first + k, NONE) for k in range(0, len(which) - 1, 2)]
        left = [np.where(k == NONE, NONE, k + 1) for k in into]
        ways = ([self._edge(which, order, k) for k in edges] for edges in (into, left))
        enters, leaves = (np.stack(edges, axis=1) for edges in ways)
        return enters, leaves
