"""The shortest clear line between two convex cells, by branch and bound over bundles of lines.

The levels of both ends are constant on a pair of cells, so each obstruction between them is a wall, casts a shadow,
holds an end, or does nothing. All lines leave the higher cell by one of its sides and enter the lower by one of its
own: each pair of sides is a bundle. Bundles with the smallest lower bound on length are taken first, a few hundred at a
time. A bundle is dropped if the bound shows that none of its lines is clear and shorter than the best line known
(``bounds``); some of its lines are put to the law; what remains is cut in two.

The lines put to the law are the shortest of the bundle and its middle one. Where few corners of obstructions lie
neither left nor right of all its lines, also the lines that touch one of these corners and are shortest or reach an end
of the bundle's pieces, and those that touch two. If there are only walls, the shortest clear line of the bundle is one
of these, so the bundle is not cut further. Otherwise it is cut until no line can beat the best by ``worth``, or both
pieces are shorter than ``LEAST``: a clear line that lies only in such narrow bundles may be missed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from tabletop.geometry.sight.bounds import Between, Standing, bounded
from tabletop.geometry.sight.bundle import Bundles, nearest_on
from tabletop.geometry.sight.cell_pair import Pair
from tabletop.geometry.sight.cells import Cell
from tabletop.geometry.sight.law import Rulings
from tabletop.geometry.sight.obstruction import Bools, Floats, Ground, SightObstruction
from tabletop.geometry.time_limit import look

#: By how much (table units) a line must beat the best to be searched for; over units that lines pass by more, because
#: along the end of their shadow neighbouring lines are all nearly as short. Length below which pieces are not cut.
WORTH, WORTH_OVER, LEAST = 1e-6, 5e-5, 2e-6
#: How many bundles are processed together; how many at most in one search.
TOGETHER, MOST = 256, 100_000
#: If there are fewer bundles than this, pieces are cut more than once before they are bounded.
FULL = 24
#: Lines past corners are tried if no more corners than this lie neither left nor right of all lines.
FEW = 4
#: How far (table units) rounding may move the end of a line off its piece.
ASIDE = 1e-7
#: How often the range of directions of lines past a corner is halved.
TURNS = 30
#: The first and the last step (table units) by which a line is polished; what counts as length 0.
POLISHED, NEARLY = (2e-3, 1e-8), 1e-12
#: The shares of a step by which a line's ends are shifted when it is polished.
ASIDES = (-1.0, 0.0, 1.0)
#: How many lines are put to the law at a time.
BATCH = 12

Clear = Callable[[Floats, Floats], Bools]
Line = tuple[float, Floats]


@dataclass(eq=False)
class CellSearch:
    """A search between two cells for a clear line shorter than ``limit``; ``any``: the first one found will do.

    A ``hopeless`` search finds nothing. Lines run from the higher cell to the lower, or ``back``.
    """

    between: Between
    clear: Clear
    limit: float
    any: bool = False
    hopeless: bool = False
    back: bool = False
    best: Floats | None = None
    looked: int = 0
    left: tuple[Floats, Bundles] | None = None

    @property
    def worth(self) -> float:
        """By how much a line must beat the best to be searched for."""
        return WORTH_OVER if any(obstruction.unit is not None for obstruction in self.between.standing) else WORTH

    @property
    def through(self) -> bool:
        """Whether nothing is left to search."""
        return (
            self.hopeless or (self.any and self.best is not None) or (self.left is not None and not len(self.left[0]))
        )

    def run(self, most: float = math.inf) -> Floats | None:
        """Return the ends (2, 2) of the line; None if there is none.

        It stops after ``most`` bundles, and after ``MOST`` in any case, and continues from there when run again;
        ``through`` says whether it is finished. Raises TimeIsUp.
        """
        if self.left is None and not self.hopeless:
            self.left = self.bounded(sides_of(self.between.high, self.between.low))
        while self.left is not None and not self.through and self.looked < min(most, MOST):
            look()
            self.left = self.onward(*self.left)
        if self.best is not None and self.worth > WORTH and not self.any:
            self.polish()
        return self.best[::-1] if self.best is not None and self.back else self.best

    def onward(self, least: Floats, left: Bundles) -> tuple[Floats, Bundles]:
        """Return the bundles left, with their lower bounds, after those with the smallest bounds have been cut."""
        order = np.argsort(least, kind="stable")
        now, later = order[:TOGETHER], order[TOGETHER:]
        batch, rest = left.of(now), (least[later], left.of(later))
        left = self.cut(batch)
        while len(left.p) < FULL:
            left = self.cut(left)
        bound, left = self.bounded(left)
        kept = rest[0] < self.limit - self.worth
        return np.concatenate([bound, rest[0][kept]]), left.with_(rest[1].of(kept))

    def polish(self) -> None:
        """Shift and turn the best line as long as that makes it shorter: the search skips lines that are only a
        little better."""
        sides = sides_of(self.between.high, self.between.low)
        step = POLISHED[0]
        while step > POLISHED[1]:
            assert self.best is not None
            before = self.limit
            self.attempt(*beside(sides, self.best, step), WORTH * 1e-3)
            if self.limit >= before:
                step /= 2

    def bounded(self, bundles: Bundles) -> tuple[Floats, Bundles]:
        """Return the lower bounds of the bundles that may hold a shorter line, and these bundles, after trying some
        of their lines."""
        self.looked += len(bundles.p)
        least, corners, doubtful = bounded(self.between, bundles, self.limit - self.worth)
        kept = np.isfinite(least)
        least, bundles, corners = least[kept], bundles.of(kept), corners[kept] & self.between.outlines.convex
        few = corners.sum(1) <= FEW
        self.attempt(*candidates(bundles, corners & few[:, None], self.between.outlines.points))
        done = few & ~doubtful[kept] if self.between.plain else np.zeros(len(few), bool)
        one, other = bundles.sizes
        kept = ~done & (least < self.limit - self.worth) & (np.maximum(one, other) > LEAST)
        return least[kept], bundles.of(kept)

    def cut(self, bundles: Bundles) -> Bundles:
        halves = bundles.halves()
        return halves.of(halves.forward)

    def attempt(self, starts: Floats, ends: Floats, gain: float | None = None) -> None:
        """Put lines to the law, the shortest first, each as long as it must be for its lower end to come into view.

        Lines that do not beat the best by ``gain``, by default half of ``worth``, are skipped.
        """
        gain = self.worth / 2 if gain is None else gain
        short = np.hypot(*(ends - starts).T) < self.limit - gain
        starts, ends = starts[short], ends[short]
        if not len(starts):
            return
        length = bounded(self.between, Bundles.lines(starts, ends), self.limit)[0]
        order = np.argsort(length, kind="stable")
        order = order[np.isfinite(length[order]) & (length[order] < self.limit - gain)]
        starts, ends, length = starts[order], ends[order], length[order]
        way = ends - starts
        whole = np.hypot(way[:, 0], way[:, 1])
        ends = np.where((length > whole + 1e-12)[:, None], starts + way * ((length + 1e-9) / whole)[:, None], ends)
        for k in range(0, len(starts), BATCH):
            good = np.nonzero(self.clear(starts[k : k + BATCH], ends[k : k + BATCH]))[0]
            if len(good):
                n = k + int(good[0])
                self.best, self.limit = np.array([starts[n], ends[n]]), float(np.hypot(*(ends[n] - starts[n])))
                return


def beside(sides: Bundles, line: Floats, step: float) -> tuple[Floats, Floats]:
    """Return lines beside one, starting up to a step aside along the side it leaves and aimed up to a step aside."""
    start, end = line
    off = np.hypot(*(nearest_on(start, sides.p, sides.q) - start).T) <= ASIDE
    shifts = np.array([(i, j) for i in ASIDES for j in ASIDES if i or j]) * step
    way = (end - start) / max(float(np.hypot(*(end - start))), NEARLY)
    square = np.array([-way[1], way[0]])
    starts, ends = [np.zeros((0, 2))], [np.zeros((0, 2))]
    for k in np.nonzero(off)[0]:
        bundles = sides.of(np.full(len(shifts), k))
        along = bundles.q - bundles.p
        along = along / np.maximum(np.hypot(*along.T), NEARLY)[:, None]
        a = nearest_on(start + shifts[:, :1] * along, bundles.p, bundles.q)
        b, met = _met(a, end + shifts[:, 1:] * square - a, bundles.r, bundles.s)
        starts.append(a[met])
        ends.append(b[met])
    return np.concatenate(starts), np.concatenate(ends)


def sides_of(high: Cell, low: Cell) -> Bundles:
    """Return the bundles from each side of one cell to each side of another: a segment has two sides, a point one."""
    own, others = _sides(high.points), _sides(low.points)
    i, j = (each.ravel() for each in np.indices((len(own[0]), len(others[0]))))
    a, b, out = (column[i] for column in own)
    c, d, back = (column[j] for column in others)
    bundles = Bundles(a, b, c, d, out, -back)
    ways = (c + d - a - b) / 2
    ways = ways / np.maximum(np.hypot(*ways.T), 1e-12)[:, None]
    bundles = bundles._replace(
        leaving=np.where((out == 0.0).all(1)[:, None], ways, out),
        entering=np.where((back == 0.0).all(1)[:, None], ways, -back),
    )
    return bundles.of(bundles.forward)


def _sides(points: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the ends of a cell's sides and their outward unit normals; zero for a point."""
    if len(points) == 1 or np.hypot(*(points[1] - points[0])) == 0.0:
        return points[:1], points[:1], np.zeros((1, 2))
    a, b = points, np.roll(points, -1, 0)
    way = b - a
    way = way / np.hypot(way[:, 0], way[:, 1])[:, None]
    return a, b, np.stack([way[:, 1], -way[:, 0]], 1)


def candidates(bundles: Bundles, corners: Bools, points: Floats) -> tuple[Floats, Floats]:
    """Return lines of bundles that may be the shortest clear ones: starts and ends (m, 2)."""
    lines = [shortest(bundles), ((bundles.p + bundles.q) / 2, (bundles.r + bundles.s) / 2)]
    n, k = np.nonzero(corners)
    if len(n):
        at_corner, at = bundles.of(n), points[k]
        lines += [through(at_corner, at, end) for end in (at_corner.p, at_corner.q, at_corner.r, at_corner.s)]
        lines.append(shortest_about(at_corner, at))
        for step in range(1, FEW):
            same = np.nonzero(n[step:] == n[:-step])[0]
            lines.append(through(at_corner.of(same), at[same], at[same + step]))
    starts, ends = (np.concatenate(each) for each in zip(*lines, strict=True))
    return starts, ends


def shortest(bundles: Bundles) -> tuple[Floats, Floats]:
    """Return the shortest line of each bundle: from an end of one piece to the nearest point of the other."""
    p, q, r, s = bundles.p, bundles.q, bundles.r, bundles.s
    starts = np.stack([p, q, nearest_on(r, p, q), nearest_on(s, p, q)])
    ends = np.stack([nearest_on(p, r, s), nearest_on(q, r, s), r, s])
    k = np.hypot(*np.moveaxis(ends - starts, 2, 0)).argmin(0)
    return starts[k, np.arange(len(k))], ends[k, np.arange(len(k))]


def through(bundles: Bundles, v: Floats, w: Floats) -> tuple[Floats, Floats]:
    """Return the lines through two points each, (n, 2), of the bundles that contain such a line."""
    way = w - v
    a, on = _met(v, way, bundles.p, bundles.q)
    b, off = _met(v, way, bundles.r, bundles.s)
    good = on & off
    return a[good], b[good]


def _met(v: Floats, way: Floats, a: Floats, b: Floats) -> tuple[Floats, Bools]:
    """Return where lines from v along ``way`` meet segments a to b, and which of them do."""
    one = way[:, 0] * (a - v)[:, 1] - way[:, 1] * (a - v)[:, 0]
    other = way[:, 0] * (b - v)[:, 1] - way[:, 1] * (b - v)[:, 0]
    size = np.hypot(way[:, 0], way[:, 1])
    near = 1e-12 * size
    good = (np.minimum(one, other) <= near) & (np.maximum(one, other) >= -near) & (size > 0.0)
    span = one - other
    share = np.where(np.abs(span) > 0.0, one / np.where(span == 0.0, 1.0, span), 0.0)
    return a + np.clip(share, 0.0, 1.0)[:, None] * (b - a), good


def shortest_about(bundles: Bundles, v: Floats) -> tuple[Floats, Floats]:
    """Return the shortest line of each bundle through a point (n, 2), of the bundles that have such lines between
    the ends of their pieces: the length is convex in the direction."""
    middle = bundles.r + bundles.s - bundles.p - bundles.q
    base = np.arctan2(middle[:, 1], middle[:, 0])
    ways = np.stack([bundles.r - v, bundles.s - v, v - bundles.p, v - bundles.q])
    angle = np.remainder(np.arctan2(ways[..., 1], ways[..., 0]) - base + np.pi, 2 * np.pi) - np.pi
    low = np.maximum(angle[:2].min(0), angle[2:].min(0))
    high = np.minimum(angle[:2].max(0), angle[2:].max(0))
    a, b = ((v - bundles.p) * bundles.leaving).sum(1), ((bundles.r - v) * bundles.entering).sum(1)
    good = (low < high) & (a > 0.0) & (b > 0.0)
    v, low, high, a, b, base = (each[good] for each in (v, low, high, a, b, base))
    m, n = bundles.leaving[good], bundles.entering[good]
    one, other = np.arctan2(m[:, 1], m[:, 0]) - base, np.arctan2(n[:, 1], n[:, 0]) - base
    for _ in range(TURNS):
        angle = (low + high) / 2
        rises = (
            a * np.sin(angle - one) * np.cos(angle - other) ** 2 > b * np.sin(other - angle) * np.cos(angle - one) ** 2
        )
        low, high = np.where(rises, low, angle), np.where(rises, angle, high)
    angle = (low + high) / 2
    u = np.stack([np.cos(base + angle), np.sin(base + angle)], 1)
    back, on = a / np.cos(angle - one), b / np.cos(angle - other)
    starts, ends = v - u * back[:, None], v + u * on[:, None]
    p, q, r, s = (each[good] for each in bundles[:4])
    off = np.abs(starts - nearest_on(starts, p, q)).max(1) + np.abs(ends - nearest_on(ends, r, s)).max(1)
    held = off < ASIDE
    return starts[held], ends[held]


def between_of(pair: Pair, ground: Ground, law: Rulings) -> Between:
    """Return what stands between two cells.

    Every line that touches what is left on ``ground`` has a stretch inside the obstruction itself that is longer than
    the tolerance.
    """
    standing = cores(pair.walls, ground) if law.t else []
    for factor, met in [*((math.inf, wall) for wall in pair.walls), *pair.shades]:
        least, begins = law.t if met.index >= 0 else 0.0, met.index in pair.high.within
        standing.append(Standing(met.core, _rings(met), factor, least, begins=begins))
    standing += [Standing(thin.core, _rings(thin), factor, thin.see_through + law.t) for factor, thin in pair.thin]
    for own in pair.owns:
        area, rings = own.obstruction.grown, _rings(own.obstruction)
        thin = pair.law.thin_wood_transparent and own.obstruction.see_through > 0.0
        least, crest = law.t + own.obstruction.see_through * thin, float(own.crest)
        standing.append(Standing(area, rings, own.factor, least, own.high, own.low, 1.0 / own.per, crest))
    for over in pair.over:
        area, rings = over.obstruction.core, _rings(over.obstruction)
        standing.append(Standing(area, rings, over.factor, unit=over.unit, always=over.always))
    return Between(pair.high, pair.low, law, standing)


def cores(walls: Sequence[SightObstruction], ground: Ground) -> list[Standing]:
    """Return what is left of walls on ``ground``: all lines that touch it are blocked."""
    left = [ground.obstructions[wall.index] if wall.index >= 0 else wall for wall in walls]
    return [Standing(wall.core, _rings(wall), math.inf) for wall in left if not shapely.is_empty(wall.core)]


def _rings(obstruction: SightObstruction) -> tuple[Floats, ...]:
    x, y, begins = obstruction.outline
    at = np.nonzero(np.array(begins))[0][1:]
    return tuple(np.split(np.stack([x, y], 1), at))
