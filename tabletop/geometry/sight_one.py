"""A few lines under the whole law, one by one: the arithmetic of ``sight_law.clear`` to the last bit, in plain numbers.

Whoever asks about one line or two waits for arrays to be set up, not for what is done with them. Step by step this is
what the kernel ``kernels.sight`` does; where an end stands is asked as ``sight_law`` asks it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import shapely

from tabletop.geometry.measure import GRAZE
from tabletop.geometry.sight_ground import AT_EDGE, Bar, Bools, Floats, Ground

#: The most lines for which one by one is quicker than all at once.
FEW = 12


class PlainBar:
    """A bar in plain numbers: its box and half its size, its vertices, and which follows which."""

    def __init__(self, bar: Bar) -> None:
        self.bar, self.level, self.hill, self.through = bar, bar.level, bar.hill, bar.see_through
        self.bounds = x0, y0, x1, y1 = bar.bounds
        self.middle, self.half = ((x0 + x1) / 2, (y0 + y1) / 2), ((x1 - x0) / 2, (y1 - y0) / 2)
        self.points: list[list[float]] = bar.points.tolist()
        self.edges: list[tuple[int, int]] = list(enumerate(bar.after.tolist()))

    def holds(self, x: float, y: float) -> bool:
        """Return whether a point stands in it, its edge included."""
        x0, y0, x1, y1 = self.bounds
        return x0 <= x <= x1 and y0 <= y <= y1 and bool(shapely.intersects_xy(self.bar.grown, x, y))

    def places(self, x: float, y: float, ux: float, uy: float, joint: float) -> list[float]:
        """Return where an infinite line enters and leaves it, in turn, as distances along the line.

        Of stretches that meet in a point the second is left without length.
        """
        points, off = self.points, ux * y - uy * x
        left = [ux * py - uy * px - off for px, py in points]
        found = []
        for k, j in self.edges:
            if (left[k] >= 0.0) != (left[j] >= 0.0):
                start, (px, py), (qx, qy) = ux * x + uy * y, points[k], points[j]
                p, q = ux * px + uy * py - start, ux * qx + uy * qy - start
                found.append(p + (q - p) * (left[k] / (left[k] - left[j])))
        found.sort()
        for k in range(len(found) - 4, -1, -2):
            if found[k + 2] - found[k + 1] <= joint:
                found[k + 1] = found[k + 2] = found[k + 3]
        return found


class OneLine:
    """One line from (x, y) along (ux, uy), what holds its ends, and what the law spends on it."""

    __slots__ = ("at_end", "at_start", "crest", "hi", "law", "length", "levels", "lo", "spent", "t", "u", "way", "xy")

    def __init__(self, ground: Ground, a: list[float], b: list[float], way: list[float], length: float) -> None:
        self.xy, self.way, self.length = a, way, length
        self.u = (way[0] / length, way[1] / length) if length > 0.0 else (1.0, 0.0)
        hills = plain_hills(ground)
        self.at_start, self.at_end = ([bar for bar in hills if bar.holds(x, y)] for x, y in (a, b))
        self.levels = [max([0, *(bar.level for bar in at)]) for at in (self.at_start, self.at_end)]
        self.hi, self.lo = max(self.levels), min(self.levels)
        self.spent = self.crest = 0.0

    def clear(self, bars: Iterable[PlainBar], law: Any, t: float, joint: float) -> bool:
        """Return whether none of the bars closes it, under a ``SightLaw`` and the tolerance ``t``."""
        blocked = any(self.closed_by(bar, law, t, joint) for bar in bars if self.near(bar))
        return not blocked and self.spent <= law.budget + t and self.crest <= law.crest + t

    def near(self, bar: PlainBar) -> bool:
        """Return whether it may meet a bar: none of the sides of the bar's box nor its own square parts them."""
        (x, y), (wx, wy), (hx, hy), (mx, my) = self.xy, self.way, bar.half, bar.middle
        dx, dy = mx - x, my - y
        if abs(2.0 * dx - wx) > 2.0 * hx + abs(wx) or abs(2.0 * dy - wy) > 2.0 * hy + abs(wy):
            return False
        ux, uy = self.u
        return abs(dy * ux - dx * uy) <= hx * abs(uy) + hy * abs(ux)

    def closed_by(self, bar: PlainBar, law: Any, t: float, joint: float) -> bool:
        """Return whether a bar hides the lower end; what it spends of the budgets is added up."""
        far, crossed, mine = 0.0, False, 0.0
        for a, e, own, crosses in self.stretches(bar, law, t, joint):
            mine += (e - a) * own
            if crosses:
                crossed, far = True, max(far, self.from_higher(a, e))
        if bar.hill and law.crest_edge and self.looks_down_from(bar):
            self.crest += mine
        if not bar.hill and bar.through > 0.0:
            self.spent += mine / bar.through * law.budget
        return crossed and self.hides(bar, far, law, t)

    def stretches(self, bar: PlainBar, law: Any, t: float, joint: float) -> Iterator[tuple[float, float, bool, bool]]:
        """Yield each stretch (from, to) of the line in a bar, whether it is an end's own, whether it is crossed."""
        (x, y), (ux, uy), length = self.xy, self.u, self.length
        where = bar.places(x, y, ux, uy, joint)
        if not where:
            return
        at_edge, held = max(t, AT_EDGE), (bar in self.at_start, bar in self.at_end)
        for k in range(0, len(where), 2):
            a, e = min(max(where[k], 0.0), length), min(max(where[k + 1], 0.0), length)
            if e - a > t:
                ends = where[k] <= at_edge, where[k + 1] >= length - at_edge
                own, crosses = _hill(held, ends, law) if bar.hill else _tall(bar.through, ends, e - a, law, t)
                yield a, e, own, crosses

    @property
    def from_end(self) -> bool:
        """True where the far end is the higher one: lengths to far sides are measured from there."""
        return self.levels[1] > self.levels[0]

    def from_higher(self, a: float, e: float) -> float:
        """Return how far the far side of a stretch lies from the higher end."""
        return self.length - a if self.from_end else e

    def looks_down_from(self, hill: PlainBar) -> bool:
        """Return whether the higher end, and it alone, stands on a hill of its own level."""
        held = hill in self.at_start, hill in self.at_end
        return held == (not self.from_end, self.from_end) and self.hi == hill.level > self.lo

    def hides(self, bar: PlainBar, far: float, law: Any, t: float) -> bool:
        """Return whether the lower end is hidden behind what ends ``far`` from the higher one."""
        factor = factor_of(law, bar.level, bar.hill, self.hi, self.lo)
        return factor > 0 and (factor == math.inf or self.length - far <= far * factor + t)

    def hidden_past(self, screen: Any, law: Any, t: float) -> bool:
        """Return whether it is closed by a ``Screen`` that it passes too near, as it is unless it passes over it."""
        factor = factor_of(law, screen.level, False, self.hi, self.lo)
        if not 0 < factor < math.inf:
            return factor > 0
        first, last = self.corridor(screen)
        far = self.length - first if self.from_end else last
        return self.length - far <= far * factor + t

    def corridor(self, screen: Any) -> tuple[float, float]:
        """Return the least and greatest distance along it of the screen's points within clearance of it."""
        (x, y), (ux, uy), found = self.xy, self.u, []
        start, off = ux * x + uy * y, ux * y - uy * x
        for ring in screen.plain_rings:
            at = [(ux * px + uy * py - start, ux * py - uy * px - off) for px, py in ring]
            found += [along for along, left in at if abs(left) <= screen.clearance]
            for edge in (-screen.clearance, screen.clearance):
                sides = ((one, other) for one, other in pairwise(at) if (one[1] < edge) != (other[1] < edge))
                found += [s + (e - s) * ((edge - p) / (q - p)) for (s, p), (e, q) in sides]
        return min(found, default=math.inf), max(found, default=-math.inf)


def _hill(held: tuple[bool, bool], ends: tuple[bool, bool], law: Any) -> tuple[bool, bool]:
    """Return whether a stretch on a hill is one of an end's own hill, and whether it is crossed."""
    own = (ends[0] and held[0]) or (ends[1] and held[1])
    exempt = (held[0] or held[1]) if law.own_hill_exempt else own
    return own, law.hills_block and not exempt


def _tall(through: float, ends: tuple[bool, bool], long: float, law: Any, t: float) -> tuple[bool, bool]:
    """Return whether a stretch of wood or town holds an end, and whether a stretch of anything tall is crossed."""
    own = through > 0.0 and (ends[0] or ends[1])
    return own, not own and not (law.thin_wood_transparent and through > 0.0 and long <= through + t)


def factor_of(law: Any, level: int, hill: bool, hi: int, lo: int) -> float:
    """Return ``law.factor``, kept: it is told by levels and by one ruling, and there are but a few."""
    key = law.deep_shadow, level, hill, hi, lo
    if key not in _FACTORS:
        _FACTORS[key] = float(law.factor(level, hill, hi, lo))
    return _FACTORS[key]


_FACTORS: dict[tuple[bool, int, bool, int, int], float] = {}


def plain_bars(ground: Ground) -> tuple[PlainBar, ...]:
    """Return the bars of prepared ground in plain numbers, kept with it once made."""
    kept: tuple[PlainBar, ...] | None = ground.__dict__.get("_plain")
    if kept is None:
        kept = ground.__dict__["_plain"] = tuple(map(PlainBar, ground.bars))
    return kept


def plain_hills(ground: Ground) -> tuple[PlainBar, ...]:
    """Return the hills of prepared ground in plain numbers, kept with it once made."""
    kept: tuple[PlainBar, ...] | None = ground.__dict__.get("_plain_hills")
    if kept is None:
        kept = ground.__dict__["_plain_hills"] = tuple(bar for bar in plain_bars(ground) if bar.hill)
    return kept


def one_line(ground: Ground, a: list[float], b: list[float]) -> OneLine:
    """Return one line from ``a`` to ``b``, each (x, y)."""
    way = [b[0] - a[0], b[1] - a[1]]
    return OneLine(ground, a, b, way, float(np.hypot(way[0], way[1])))


def clear_one_by_one(
    ground: Ground, starts: Floats, ends: Floats, law: Any, t: float, joint: float, screens: Sequence[Any] = ()
) -> Bools:
    """Return which lines from ``starts`` to ``ends`` (n, 2) no bar closes, nor any unit in the way of ``screens``.

    ``law`` is a ``SightLaw``, a unit in the way a ``Screen``.
    """
    ways = ends - starts
    length = np.hypot(ways[:, 0], ways[:, 1]).tolist()
    rows = zip(starts.tolist(), ends.tolist(), ways.tolist(), length, strict=True)
    lines = [OneLine(ground, a, b, w, n) for a, b, w, n in rows]
    bars = plain_bars(ground)
    found = np.array([line.length <= 0.0 or line.clear(bars, law, t, joint) for line in lines], bool)
    some = [k for k in np.nonzero(found)[0].tolist() if lines[k].length > 0.0] if screens else []
    if some:
        ways_past = shapely.linestrings(np.stack([starts[some], ends[some]], axis=1))
        areas = np.array([screen.area for screen in screens], dtype=object)
        apart = shapely.distance(np.asarray(ways_past, dtype=object)[:, None], areas).tolist()
        for k, row in zip(some, apart, strict=True):
            found[k] = not any(
                away < screen.clearance - max(t, GRAZE) and lines[k].hidden_past(screen, law, t)
                for away, screen in zip(row, screens, strict=True)
            )
    return found
