"""What is seen along very many rays, each the middle of a narrow sector: the law asked between the marks of each.

Along a ray, sight can only change where the ray meets an edge of something that hinders sight, at a known multiple of
such a distance (the end of a shadow), or where the budget for woods is spent. Between two such marks one call of the
law (``sight.law.clear``) decides. So there is no second law here: marks only say where to ask. What a mark is at the
middle of its sector it is all over it, so each is known at the sector's two sides too; the boundaries of what is seen
are straight between them as long as no other mark passes them there, which ``crossed`` tells.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tabletop.geometry.sight.law import JOINT, Bools, Floats, Ground, Ints, SightLaw, clear, ground_of
from tabletop.geometry.sight.obstruction import AT_EDGE
from tabletop.geometry.terrain import Table

#: Smaller gaps between marks (table units) are not asked about.
LEAST = 1e-6
#: How far (table units) a bounding mark may bend off the straight boundary drawn for it.
STRAIGHT = 0.01
#: Marks pass each other if they lie this much (table units) the other way round at a side of the sector.
PAST = 1e-7
#: A mark there is none at (table units).
NEVER = 1e9
#: A stretch this near (in tolerances) to the tolerance counts as just that long.
CLOSELY = 0.1
#: Sectors narrower (radians) are not cut.
NARROWEST = math.radians(0.02)
#: Rays worked on at a time.
CHUNK = 4096


@dataclass(frozen=True, eq=False)
class Sectors:
    """Narrow sectors: the eye of each (n, 2), and the bearings (n,) of its two sides, right and left, from east."""

    eyes: Floats
    right: Floats
    left: Floats

    def take(self, which: Any) -> Sectors:
        return Sectors(self.eyes[which], self.right[which], self.left[which])

    def cut(self, at: Floats) -> Sectors:
        """Return the right parts of all sectors, cut at bearings (n,), then the left parts."""
        eyes = np.concatenate([self.eyes, self.eyes])
        return Sectors(eyes, np.concatenate([self.right, at]), np.concatenate([at, self.left]))


@dataclass(frozen=True, eq=False)
class Seen:
    """Stretches whose ground is seen, in order of sector and distance: the sector's number, where each begins and ends
    in the middle, at the right and at the left side of its sector, each (k, 3); and which sectors are to be cut, and at
    what bearing."""

    sector: Ints
    near: Floats
    far: Floats
    crossed: Bools
    cut: Floats


@dataclass(frozen=True, eq=False)
class _Places:
    """Eyes (n, 2), the few different ones among them, and which of these each is."""

    eyes: Floats
    places: Floats
    index: Ints

    @classmethod
    def of(cls, eyes: Floats) -> _Places:
        places, index = np.unique(eyes, axis=0, return_inverse=True)
        return cls(eyes, places, index.ravel())


class Rays:
    """Everything that hinders sight on a table, ready for rays from anywhere."""

    def __init__(self, table: Table, ground: Ground, law: SightLaw) -> None:
        self.table, self.ground, self.law = table, ground, law
        bars = ground.bars
        self.starts = np.concatenate([np.zeros((0, 2)), *(bar.points for bar in bars)])
        self.ends = np.concatenate([np.zeros((0, 2)), *(bar.points[bar.after] for bar in bars)])
        base = np.cumsum([0, *(len(bar.points) for bar in bars)])
        self.after = np.concatenate([np.zeros(0, int), *(bar.after + k for k, bar in zip(base, bars, strict=False))])
        self.bar = np.repeat(np.arange(len(bars)), [len(bar.points) for bar in bars])
        self.levels = sorted({0, *(bar.level for bar in ground.hills)})
        self.size = np.array([table.width, table.height], float)
        self.corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * self.size
        self.heights, self.numbers = np.array(self.levels), np.array([LEAST, STRAIGHT, PAST, NEVER, CLOSELY])
        self.deep = np.array([bar.see_through for bar in bars])
        self.hilly = np.array([bar.hill for bar in bars], bool)
        self.at_eye = max(table.tape.t, AT_EDGE)
        self.times = self._multiples()
        self.closing = self._closing()

    @classmethod
    def of(cls, table: Table, law: SightLaw) -> Rays:
        """Return the rays of a table under a law, kept with it once made."""
        kept: dict[SightLaw, Rays] = table.__dict__.setdefault("_rays", {})
        if law not in kept:
            kept[law] = cls(table, ground_of(table), law)
        return kept[law]

    def _multiples(self) -> Floats:
        """Return by target level, eye level and bar the multiple of a distance at which the bar's shadow ends (of the
        far side to a lower target, of the near side to a higher), inf for none."""
        found = np.full((len(self.levels), 1 + max(self.levels), len(self.ground.bars)), np.inf)
        for bar in self.ground.bars:
            for k, target in enumerate(self.levels):
                for eye in self.levels:
                    c = float(self.law.factor(bar.level, bar.hill, max(eye, target), min(eye, target)))
                    if 0.0 < c < np.inf:
                        found[k, eye, bar.index] = 1.0 + (c if eye >= target else 1.0 / c)
        return found

    def _closing(self) -> Floats:
        """Return how long a stretch of each bar closes the ray behind it to every level; inf where none does.

        Not so a stretch of a wood that begins at the eye: that is the eye's own wood.
        """
        t, top = self.table.tape.t, max(self.levels)
        thin = self.deep if self.law.thin_wood_transparent else np.zeros(len(self.deep))
        open_ = np.array([bar.hill or bar.level < top for bar in self.ground.bars], bool)
        return np.where(open_, np.inf, 2 * t + thin)

    def seen(self, sectors: Sectors) -> Seen:
        """Return what is seen along the middle of each sector."""
        parts = [self._seen(sectors.take(slice(k, k + CHUNK))) for k in range(0, len(sectors.right), CHUNK)]
        base = np.repeat(np.arange(len(parts)) * CHUNK, [len(part.sector) for part in parts])
        return Seen(
            np.concatenate([part.sector for part in parts]) + base,
            *(np.concatenate([getattr(part, name) for part in parts]) for name in ("near", "far", "crossed", "cut")),
        )

    def _seen(self, sectors: Sectors) -> Seen:
        middle = (sectors.right + sectors.left) / 2
        bearings = np.stack([middle, sectors.right, sectors.left], axis=1)
        u = np.stack([np.cos(bearings), np.sin(bearings)], axis=-1)
        between = u[:, 1] + u[:, 2]
        u[:, 0] = between / np.hypot(between[:, :1], between[:, 1:])
        marks, cap, thin = self._marks(sectors.eyes, u)
        half = (sectors.left - sectors.right) / 2
        passed = np.where(np.isfinite(thin), thin, _passed(marks, cap, half))
        kept = np.isnan(passed) | (2.0 * half <= NARROWEST)  # the others are cut, whatever is seen there
        asked = (marks[:, 1:, 0] - marks[:, :-1, 0] > LEAST) & ((marks[:, :-1, 0] < cap[:, None]) & kept[:, None])
        row, k = np.nonzero(asked)
        at = sectors.eyes[row] + ((marks[row, k, 0] + marks[row, k + 1, 0]) / 2)[:, None] * u[row, 0]
        ok = clear(self.ground, np.ascontiguousarray(sectors.eyes[row]), at, self.law, (), self.table.tape.t)
        row, k = row[ok], k[ok]
        first = np.ones(len(row), bool)
        first[1:] = (row[1:] != row[:-1]) | (marks[row[1:], k[1:], 0] - marks[row[:-1], k[:-1] + 1, 0] > LEAST)
        last = np.roll(first, -1)
        sector, low, high = row[first], k[first], k[last] + 1
        share = np.where(np.isnan(passed) & _bent(marks, sector, low, high, half), 0.0, passed)
        cut = middle + np.arctan(np.nan_to_num(share) * np.tan(half))
        return Seen(sector, marks[sector, low], marks[sector, high], np.isfinite(share), cut)

    # --- marks -------------------------------------------------------------------------------------------------------

    def _marks(self, eyes: Floats, u: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the marks (n, k, 3) of rays u (n, 3, 2) in order along the middle, from 0 past the table's edge; how
        far (n,) along the middle anything can be seen at all; and where across the sector (n,), from -1 at its right
        to 1, a stretch is as long as the tape just lets pass, nan for nowhere."""
        at, edge = _Places.of(eyes), self._to_edge(eyes, u)
        row, bar, where = self._crossings(at, u)
        leaves, after = self._leaving(row, bar)
        out = np.nonzero(after)[0]
        cap = np.full(len(eyes), np.inf)
        beyond_own = (where[out - 1, 0] > self.at_eye) | (self.deep[bar[out]] == 0.0)
        shut = out[(where[out, 0] - where[out - 1, 0] > self.closing[bar[out]]) & beyond_own]
        np.minimum.at(cap, row[shut], where[shut, 0])
        thin = _thin(
            row[out], where[out] - where[out - 1], where[out - 1, 0] < cap[row[out]], self.table.tape.t, len(eyes)
        )
        own, zones = self._own_woods(row, bar, where, leaves), self._zones(eyes, u[:, 0], row, bar, where, edge)
        keep = where[:, 0] <= np.minimum(cap, edge[:, 0])[row]
        budgets = self._budgets(row, bar, where, np.nonzero(keep & ~leaves & (self.deep[bar] > 0.0))[0], *own)
        crests = self._crests(row, bar, where, leaves, keep)
        row, bar, where, leaves = row[keep], bar[keep], where[keep], leaves[keep]
        rows, found = [row], [where]
        for level, times in zip(self.levels, self._shadows(at, row, bar, leaves), strict=True):
            some = np.nonzero(np.isfinite(times))[0]
            marks = where[some] * times[some, None]
            counts = ~zones.idle(level, row[some], marks)
            rows.append(row[some][counts])
            found.append(marks[counts])
        for some_rows, marks in (budgets, crests):
            rows.append(some_rows)
            found.append(marks)
        found_marks = _in_order(np.concatenate(rows), np.concatenate(found), edge)
        return found_marks, np.minimum(cap, edge[:, 0]), thin

    def _to_edge(self, eyes: Floats, u: Floats) -> Floats:
        """Return the distance along each ray to the table's edge, (n, 3)."""
        at = eyes[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            ways = np.where(u > 0, (self.size - at) / u, np.where(u < 0, -at / u, np.inf))
        found: Floats = np.maximum(ways.min(-1), 0.0)
        return found

    def _crossings(self, at: _Places, u: Floats) -> tuple[Ints, Ints, Floats]:
        """Return where rays cross edges ahead: row, bar and distances (k, 3), in order of row, bar and distance."""
        middle = np.arctan2(u[:, 0, 1], u[:, 0, 0])
        found = [self._abreast(place, np.nonzero(at.index == k)[0], middle) for k, place in enumerate(at.places)]
        row, k = (np.concatenate([some[c] for some in found]) for c in (0, 1))
        p, q, ray = self.starts[k] - at.eyes[row], self.ends[k] - at.eyes[row], u[row]
        way = (q - p)[:, None]
        across = ray[..., 0] * way[..., 1] - ray[..., 1] * way[..., 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            where = (p[:, :1] * way[..., 1] - p[:, 1:] * way[..., 0]) / across
        one, other = (ray * p[:, None]).sum(-1), (ray * q[:, None]).sum(-1)
        where = np.clip(np.where(np.isfinite(where), where, one), np.minimum(one, other), np.maximum(one, other))
        bar, where = self.bar[k], np.maximum(where, 0.0)
        order = np.lexsort((where[:, 0], bar, row))
        return row[order], bar[order], where[order]

    def _abreast(self, place: Floats, rows: Ints, middle: Floats) -> tuple[Ints, Ints]:
        """Return which of ``rows``, rays from one place, meet which edges: by the bearings of the edges' two ends.

        A ray at the very bearing of a corner counts with one side of it: it enters a ring as often as it leaves it.
        """
        start, end = (np.arctan2(*(points - place).T[::-1]) for points in (self.starts, self.ends))
        turn = np.remainder(end - start + np.pi, 2 * np.pi) - np.pi
        low, high = np.where(turn > 0, start, end), np.where(turn > 0, end, start)
        order = np.argsort(middle[rows], kind="stable")
        first, last = (np.searchsorted(middle[rows][order], bearing) for bearing in (low, high))
        n, around = len(rows), low > high  # past due west bearings begin anew
        begin = np.concatenate([first, np.zeros(int(around.sum()), int)])
        stop = np.concatenate([np.where(around, n, last), last[around]])
        edge = np.concatenate([np.arange(len(low)), np.nonzero(around)[0]])
        many = stop - begin
        k = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many) + np.repeat(begin, many)
        return rows[order][k], np.repeat(edge, many)

    def _leaving(self, row: Ints, bar: Ints) -> tuple[Bools, Bools]:
        """Return which places are where a ray leaves a bar; and which of these follow the place where it entered."""
        key = row * len(self.ground.bars) + bar
        start = np.searchsorted(key, key)
        place, count = np.arange(len(key)) - start, np.searchsorted(key, key, side="right") - start
        # places of one bar in turn go in and out; from an eye inside it the first goes out
        leaves = (place + count) % 2 == 1
        return leaves, leaves & (place > 0)

    def _shadows(self, at: _Places, row: Ints, bar: Ints, leaves: Bools) -> Floats:
        """Return, for each place, the multiples (levels, k) of its distance at which a shadow may end, inf for none.

        A shadow cast away from the eye is measured from the far side, one cast towards it from the near side.
        """
        level = self.ground.levels(at.places)[at.index][row]
        cast = np.array(self.levels)[:, None] < level
        found: Floats = np.where(cast == leaves, self.times[:, level, bar], np.inf)
        return found

    def _own_woods(self, row: Ints, bar: Ints, where: Floats, leaves: Bools) -> tuple[Ints, Ints, Floats, Floats]:
        """Return where rays run through the eye's own woods: row, bar, and where each begins and ends (k, 3).

        Its own is a wood that is left before it is entered, or entered at the eye as far as the tape can tell.
        """
        key = row * len(self.ground.bars) + bar
        first = np.nonzero(np.append(True, key[1:] != key[:-1])[: len(key)] & (self.deep[bar] > 0.0))[0]
        first = first[leaves[first] | (where[first, 0] <= self.at_eye)]
        inside = leaves[first][:, None]
        return row[first], bar[first], np.where(inside, 0.0, where[first]), where[first + ~leaves[first]]

    def _zones(self, eyes: Floats, u: Floats, row: Ints, bar: Ints, where: Floats, edge: Floats) -> _Zones:
        """Return the zones between the edges of hills on rays u (n, 2) to the table's edge (n, 3)."""
        some = np.nonzero(self.hilly[bar] & (where[:, 0] <= edge[row, 0]))[0]
        row = np.concatenate([np.arange(len(eyes)), row[some]])
        begin = np.concatenate([np.zeros((len(eyes), 3)), where[some]])
        order = np.lexsort((begin[:, 0], row))
        row, begin = row[order], begin[order]
        end = np.concatenate([begin[1:], begin[:1]])
        last = np.roll(row, -1) != row
        last[-1] = True
        end[last] = edge[row[last]]
        at = eyes[row] + ((begin[:, 0] + end[:, 0]) / 2)[:, None] * u[row]
        return _Zones(row, begin, end, self.ground.levels(at))

    def _budgets(
        self, row: Ints, bar: Ints, where: Floats, enters: Ints, own: Ints, own_bar: Ints, begin: Floats, end: Floats
    ) -> tuple[Ints, Floats]:
        """Return where the woods budget runs out, ray and distances (k, 3): in the eye's own woods, and beyond each of
        the places that ``enters`` a wood which is not left before."""
        spent = np.zeros((int(max(np.max(row, initial=-1), np.max(own, initial=-1))) + 1, 3))
        np.add.at(spent, own, (end - begin) / self.deep[own_bar, None])
        left = np.clip(1.0 - spent, 0.0, 1.0)
        beyond = where[enters] + left[row[enters]] * self.deep[bar[enters], None]
        keep = ~_left_first(row, bar, where, enters, beyond)
        ends = np.concatenate([begin + self.deep[own_bar, None], beyond[keep]])
        return np.concatenate([own, row[enters][keep]]), ends

    def _crests(self, row: Ints, bar: Ints, where: Floats, leaves: Bools, keep: Bools) -> tuple[Ints, Floats]:
        """Return the farthest from the edge of a hill, where sight off it or up to it ends there: ray, distances."""
        if math.isinf(self.law.crest_limit):
            return np.zeros(0, int), np.zeros((0, 3))
        new = np.ones(len(row), bool)
        new[1:] = (row[1:] != row[:-1]) | (bar[1:] != bar[:-1])
        mine = row[new & leaves & self.hilly[bar]]
        enters = np.nonzero(keep & ~leaves & self.hilly[bar])[0]
        far = self.law.crest_limit + self.table.tape.t
        beyond = where[enters] + far
        last = ~_left_first(row, bar, where, enters, beyond)
        ends = np.concatenate([np.full((len(mine), 3), far), beyond[last]])
        return np.concatenate([mine, row[enters][last]]), ends


@dataclass(frozen=True, eq=False)
class _Zones:
    """Stretches of rays between the edges of hills, in order of ray and distance: the ray of each (k,), where it begins
    and ends (k, 3), and its level (k,)."""

    row: Ints
    begin: Floats
    end: Floats
    level: Ints

    def idle(self, level: int, row: Ints, marks: Floats) -> Bools:
        """Return which ends of shadows (m, 3) on ground of a level lie in one zone, of another level, all over."""
        n, m = len(self.row), len(row)
        late = np.arange(n + m) >= n
        order = np.lexsort((late, np.append(self.begin[:, 0], marks[:, 0]), np.append(self.row, row)))
        zone = np.empty(n + m, int)
        zone[order] = np.cumsum(~late[order]) - 1
        k = zone[n:]
        sides = marks[:, 1:]
        within = ((self.begin[k, 1:] <= sides) & (sides <= self.end[k, 1:])).all(1)
        found: Bools = within & (self.level[k] != level)
        return found


def _left_first(row: Ints, bar: Ints, where: Floats, some: Ints, beyond: Floats) -> Bools:
    """Return which bars, entered at ``some`` of k places, are left for good before places (n, 3)."""
    last = len(row) - 1
    after, again = np.minimum(some + 1, last), np.minimum(some + 2, last)
    leaves = (after > some) & (row[after] == row[some]) & (bar[after] == bar[some]) & (beyond > where[after]).all(1)
    enters = (again > after) & (row[again] == row[some]) & (bar[again] == bar[some])
    found: Bools = leaves & ~(enters & (where[again, 0] - where[after, 0] <= JOINT))
    return found


def _in_order(row: Ints, marks: Floats, edge: Floats) -> Floats:
    """Return marks row by row (n, k, 3) in order of the first of each, from 0 past the table's edge; then ``NEVER``."""
    n = len(edge)
    good = np.nonzero((marks < edge[row]).any(1))[0]
    row, marks = np.concatenate([np.arange(n), row[good]]), np.concatenate([edge, marks[good]])
    order = np.lexsort((marks[:, 0], row))
    row, marks = row[order], marks[order]
    place = np.arange(len(row)) - np.searchsorted(row, row)
    found = np.full((n, 2 + int(np.max(place, initial=-1)), 3), NEVER)
    found[:, 0] = 0.0
    found[row, place + 1] = np.minimum(marks, NEVER)
    return found


def _thin(row: Ints, length: Floats, counts: Bools, t: float, n: int) -> Floats:
    """Return where across each of n sectors (-1 to 1) a stretch of lengths (k, 3) is just ``t`` long; nan: nowhere."""
    found = np.full(n, np.nan)
    over = length - t
    for side, sign in ((1, -1.0), (2, 1.0)):
        change = counts & (over[:, 0] * over[:, side] < 0.0) & (np.abs(over[:, [0, side]]) > CLOSELY * t).all(1)
        some = np.nonzero(change)[0]
        found[row[some]] = sign * np.clip(over[some, 0] / (over[some, 0] - over[some, side]), 0.02, 0.98)
    return found


def _bent(marks: Floats, sector: Ints, low: Ints, high: Ints, half: Floats) -> Bools:
    """Return which sectors (n,) have a bounding mark that bends too much."""
    found = np.zeros(len(half), bool)
    for bound in (marks[sector, low], marks[sector, high]):
        a, b = bound[:, 1], bound[:, 2]
        with np.errstate(divide="ignore", invalid="ignore"):
            chord = np.where(a + b > 0, 2 * a * b * np.cos(half[sector]) / (a + b), 0.0)
        found[sector[np.abs(chord - bound[:, 0]) > STRAIGHT]] = True
    return found


def _passed(marks: Floats, cap: Floats, half: Floats) -> Floats:
    """Return where across each sector (-1 at its right to 1) two marks pass each other, nan for nowhere. ``cap`` (n,)
    is how far marks matter."""
    found = np.full(len(half), np.nan)
    gap = np.diff(marks, axis=1)
    matters = (gap[:, :, 0] > PAST) & (marks[:, :-1].min(-1) < cap[:, None])
    for side, sign in ((1, -1.0), (2, 1.0)):
        past = matters & (gap[:, :, side] < -PAST)
        some = np.nonzero(past.any(1))[0]
        k = past[some].argmax(1)
        # along a line one over the distance, by the cosine, is linear in the tangent: where two lines meet
        one = gap[some, k, 0] / (marks[some, k, 0] * marks[some, k + 1, 0])
        two = gap[some, k, side] / (marks[some, k, side] * marks[some, k + 1, side] * np.cos(half[some]))
        with np.errstate(divide="ignore", invalid="ignore"):
            share = one / (one - two)
        found[some] = sign * np.where(np.isfinite(share), np.clip(share, 0.02, 0.98), 0.5)
    return found
