"""The shortest clear line between two shapes, or any clear line: one search under one law.

``sight_search`` states why what is found is the shortest. The distance is the exact law's (t = 0); whether anything is
seen is decided with the tape's tolerance, so what only rounding opens or closes counts as exactly the limit.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np
import shapely

from tabletop.geometry.measure import GRAZE, Point
from tabletop.geometry.remembered import Memory
from tabletop.geometry.sight.law import Bar, Bools, Floats, Ground, Screen, SightLaw, clear, ground_of, normalised
from tabletop.geometry.sight.obstruction import SHRUNK
from tabletop.geometry.sight_among import Among, Judged
from tabletop.geometry.sight_cells import Cell, cells_of, whole_of
from tabletop.geometry.sight_lenient import lenient_ground, lenient_towards
from tabletop.geometry.sight_net import WORTH as NET
from tabletop.geometry.sight_net import caught, glimpsed
from tabletop.geometry.sight_pair import pair_of
from tabletop.geometry.sight_screens import pen, screen_bar
from tabletop.geometry.sight_search import shut
from tabletop.geometry.sight_sure import settled, spends_all
from tabletop.geometry.terrain import Table

#: How often sharp corners are cut anew along a line that fails at one only.
PASSES = 3
#: How far off (in clearances) a line that touches the polygon about a screen may be from the clearance itself.
RIM = 1e-3

#: Lengths (table units) closer than this are one and the same line's.
SAME = 1e-9

Line = tuple[Point, Point]


@dataclass(eq=False)
class Search:
    """One search: first the exact law for the distance; the tape's where the exact law sees nothing or only just."""

    table: Table
    a: shapely.Geometry
    b: shapely.Geometry
    law: SightLaw
    screens: tuple[Screen, ...]
    nearly: list[Floats] = field(default_factory=list)  # lines that fail, but not by much
    about: float | None = None  # the direction (radians) of lines about which screens are drawn finest
    any: bool = False  # the first line that the tape calls clear will do
    longest: float = math.inf  # no line longer than this is looked for
    seen: bool = False  # the tape is known to let some line pass: only how near it is by the exact law is asked
    glimpses: dict[float, Floats | None] = field(default_factory=dict)
    closed: dict[tuple[float, float | None], list[Bar]] = field(default_factory=dict)

    def answer(self) -> tuple[float | None, Line | None]:
        """Return what ``run`` does, remembered."""
        return self.known() or _ANSWERS.of(self.table, self.key, self.run)

    def known(self) -> tuple[float | None, Line | None] | None:
        """Return the answer if it was found before; the shortest line will do where any does."""
        found = _ANSWERS.get(self.table, self.key)
        if found is None and self.seen:
            found = _ANSWERS.get(self.table, replace(self, seen=False).key)
        if found is None and self.any:
            shortest = _ANSWERS.get(self.table, replace(self, any=False, longest=math.inf).key)
            found = shortest if shortest is not None and self.will_do(shortest[0][1]) else None
        return None if found is None else found[0]

    def will_do(self, shortest: Line | None) -> bool:
        """Return whether the shortest line, None where nothing is seen, answers what was asked.

        One that is too long does not: the tape may let a shorter one pass that the exact law does not.
        """
        return shortest is None or math.dist(*shortest) <= self.longest

    @property
    def key(self) -> tuple[Hashable, ...]:
        return self.a, self.b, self.law, self.screens, self.any, self.longest, self.seen

    def run(self) -> tuple[float | None, Line | None]:
        """Return the distance, and a line that the tape too calls clear; None and None when the target is not seen."""
        t = self.table.tape.t
        nearest = shapely.get_coordinates(shapely.shortest_line(self.a, self.b))
        if _length(nearest) > self.longest:
            return None, None
        if self.clear(nearest[:1], nearest[1:], 0.0)[0] and self.clear(nearest[:1], nearest[1:], t)[0]:
            return _length(nearest), _line(nearest)
        if not self.screens and self.shut_off():  # with screens that is asked when they are left out
            return None, None
        if self.screens:
            bare = self.without_screens()
            if bare is not None:
                return bare
            if self.shut_off(self.bars(t)):
                return None, None
        if self.any:  # what the exact law calls clear the tape does too
            found = self.glimpse(t)
            found = self.taped() if found is None else found
            return (None, None) if found is None else (_length(found), _line(found))
        return self.both_laws(t)

    def both_laws(self, t: float) -> tuple[float | None, Line | None]:
        """Return the exact law's distance and a line that the tape too calls clear, unless only how near is asked.

        Where no line comes to view at once it is the tape that is asked first: what it hides the exact law does too.
        """
        if not self.seen and self.glimpse(0.0) is None and self.by_tape is None:
            return None, None
        exact = self.exact()
        if exact is not None and (self.seen or self.clear(exact[:1], exact[1:], t)[0]):
            return _length(exact), _line(exact)
        if self.by_tape is None:
            return None, None
        return _length(self.by_tape if exact is None else exact), _line(self.by_tape)

    @cached_property
    def by_tape(self) -> Floats | None:
        return self.taped()

    def glimpse(self, t: float) -> Floats | None:
        """Return a clear line between a few points of the two shapes, None if none of them is; kept for each law."""
        if t not in self.glimpses:
            self.glimpses[t] = glimpsed(self.a, self.b, self.longest, lambda p, q: self.clear(p, q, t))
        return self.glimpses[t]

    def without_screens(self) -> tuple[float | None, Line | None] | None:
        """Return the answer where units in the way change nothing: nothing is seen even without them, or they let the
        shortest line pass. None where they matter."""
        distance, line = replace(self, screens=(), nearly=[], glimpses={}, closed={}, seen=False).answer()
        if line is None:
            return None, None
        ends = np.array(line)
        passes = [self.clear(ends[:1], ends[1:], t)[0] for t in (0.0, self.table.tape.t)]
        same = distance is not None and abs(distance - _length(ends)) <= SAME
        return (distance, line) if all(passes) and same else None

    def shut_off(self, bars: Sequence[Bar] = ()) -> bool:
        """Return True when walls alone, even as the tape reads them, close every line: the common no, told quickly.

        ``bars`` are the screens' as the tape reads them; what hides all between the two counts as walls do.
        """
        t, ground = self.table.tape.t, ground_of(self.table)
        a, b = whole_of(ground, self.a, t), whole_of(ground, self.b, t)
        screens = tuple(zip(self.screens, bars, strict=False))
        loose = ground_of(self.table, t / 2 + GRAZE)
        pair = pair_of(a, b, ground, self.law, t, screens, loose)
        return spends_all(pair) or shut(settled(pair, hulls=True))

    def clear(self, starts: Floats, ends: Floats, t: float) -> Bools:
        a, b = normalised(starts, ends)
        return clear(ground_of(self.table), a, b, self.law, self.screens, t)

    def exact(self) -> Floats | None:
        """Return the shortest line clear under the exact law; past the rim of a screen's clearance it is looked for
        again with the rim drawn finer there."""
        ground = ground_of(self.table, SHRUNK)
        found = self.shortest(0.0, ground)
        if found is None or not self.at_a_rim(found):
            return found
        (dx, dy) = found[1] - found[0]
        again = replace(self, about=math.atan2(dy, dx)).shortest(0.0, ground, _length(found))
        return found if again is None else again

    def at_a_rim(self, line: Floats) -> bool:
        """Return whether a line passes a screen about as near as it may."""
        way = shapely.LineString(line)
        near = ((float(shapely.distance(way, screen.area)), screen.clearance) for screen in self.screens)
        return any(abs(distance - clearance) < RIM * clearance for distance, clearance in near)

    def taped(self) -> Floats | None:
        """Return the shortest line clear as the tape reads it.

        What fails at a sharp corner only is looked for again with those corners cut along it.
        """
        t = self.table.tape.t
        ground = lenient_ground(self.table, t)
        for _ in range(PASSES):
            self.nearly.clear()
            found = self.shortest(t, ground)
            if found is not None or not self.nearly:
                return found
            nearest = min(self.nearly, key=_length)
            ground = lenient_towards(self.table, t, nearest[1] - nearest[0])
        return None

    def shortest(self, t: float, open_: Ground, limit: float = math.inf) -> Floats | None:
        """Return the shortest line clear under ``t``, (2, 2), from a to b, searched on the ground ``open_``.

        None where there is none shorter than ``limit``.

        For the exact law its bars are shrunk by less than the law's own, so that a line about a corner passes it
        clear; for the tape's they are cut back by what it lets pass.
        """
        at, band = ground_of(self.table), max(t, GRAZE)
        bars = self.bars(t)
        some, others = (cells_of(at, shape, band, bars) for shape in (self.a, self.b))
        found = self.best_of(some, others, bars, t, open_, limit)
        return None if found is None else self.onto(found, t)

    def onto(self, line: Floats, t: float) -> Floats:
        """Return a line with its ends moved onto the shapes where rounding set them off, if it stays clear."""
        ways = shapely.shortest_line(shapely.points(line), np.array([self.a, self.b], dtype=object))
        ends = shapely.get_coordinates(ways)[1::2]
        return ends if self.clear(ends[:1], ends[1:], t)[0] else line

    def bars(self, t: float) -> list[Bar]:
        """Return the ground that screens close to a line, under tolerance ``t``; kept once made."""
        if (t, self.about) not in self.closed:
            bars = [screen_bar(screen, -1 - k, t, self.round) for k, screen in enumerate(self.screens)]
            self.closed[t, self.about] = bars
        return self.closed[t, self.about]

    @cached_property
    def round(self) -> Floats:
        return pen(self.a, self.b, self.about)

    def best_of(
        self, some: list[Cell], others: list[Cell], bars: list[Bar], t: float, loose: Ground, limit: float
    ) -> Floats | None:
        """Return the shortest clear line between any two cells, from a to b, if it is shorter than ``limit``.

        Where more than walls bears on it, and it was not proved what there is, the net is cast as well.
        """
        if not some or not others:
            return None
        reads = self.table.tape.t if self.any else t
        judged = Judged(self.table, self.law, tuple(zip(self.screens, bars, strict=True)), t, reads)
        most, bounded = min(limit, self.longest), math.isfinite(limit)
        among = Among(some, others, judged, loose, most, self.any, partial(self.at_most, t), nearly=self.nearly)
        best: Floats | None = among.shortest(alone=not bounded)
        if bounded or not (among.mixed and among.searched) or (self.any and best is not None):
            return best
        net = caught(self.a, self.b, among.limit, judged.clear, self.table.tape.t)
        return best if net is None else net

    def at_most(self, t: float) -> float:
        """Return a length that need not be exceeded: of a line that came to view, by what the net must be better."""
        line = None if self.any else self.glimpse(t)
        return math.inf if line is None else _length(line) + NET * self.table.tape.t

    def tried(self) -> list[Line]:
        """Return a few lines to show when nothing is seen: nearest to nearest, middle to middle, corners to corners."""
        nearest = shapely.get_coordinates(shapely.shortest_line(self.a, self.b))
        middles = shapely.get_coordinates([shapely.centroid(self.a), shapely.centroid(self.b)])
        return [_line(nearest), _line(middles)]


def _length(xy: Floats) -> float:
    return float(np.hypot(*(xy[1] - xy[0])))


def _line(xy: Floats) -> Line:
    (ax, ay), (bx, by) = xy.tolist()
    return (ax, ay), (bx, by)


#: What was found lately: a verdict, its rulings and its margin put the same question again and again.
_ANSWERS: Memory[tuple[float | None, Line | None]] = Memory(1024)
