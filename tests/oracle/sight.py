"""Point-to-point sight: levels, woods budget, shadows, hills (TSE-LOS-01..21; the level-shadow law), exactly.

Everything is in whole units of 1/K inch; positions along a line are fractions of its length, so a comparison with a
limit is a comparison of squares of rationals.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from tests.oracle import HAIR, T

Point = tuple[int, int]
Stretch = tuple[Fraction, Fraction]

OUTSIDE, INSIDE, LEFT, RIGHT = range(4)
ZERO, ONE = Fraction(0), Fraction(1)


def cross(ax: int, ay: int, bx: int, by: int) -> int:
    return ax * by - ay * bx


def twice_area(ring: Sequence[Point]) -> int:
    return sum(cross(*a, *b) for a, b in zip(ring, [*ring[1:], ring[0]], strict=True))


@dataclass(frozen=True)
class Piece:
    """A polygon: its outer ring first, then holes; a hill of a level, or a tall obstruction standing on a level."""

    id: str
    rings: tuple[tuple[Point, ...], ...]
    level: int
    hill: bool = False
    see_through: Fraction = ZERO

    @cached_property
    def edges(self) -> list[tuple[Point, Point]]:
        """Directed edges with the inside on their left."""
        found = []
        for i, ring in enumerate(self.rings):
            left = (twice_area(ring) > 0) == (i == 0)
            points = list(ring) if left else list(reversed(ring))
            found += list(zip(points, points[1:] + points[:1], strict=True))
        return found

    @cached_property
    def box(self) -> tuple[int, int, int, int]:
        xs, ys = [p[0] for p in self.rings[0]], [p[1] for p in self.rings[0]]
        return min(xs), min(ys), max(xs), max(ys)

    def locate(self, x: int, y: int, q: int = 1) -> int:
        """Return -1 outside, 0 on the edge, 1 inside for the point (x/q, y/q)."""
        odd = False
        for (ax, ay), (bx, by) in self.edges:
            px, py = ax * q - x, ay * q - y
            rx, ry = bx * q - x, by * q - y
            c = cross(px, py, rx, ry)
            if c == 0 and px * rx + py * ry <= 0:
                return 0
            if (py > 0) != (ry > 0) and (c > 0) == (ry > py):
                odd = not odd
        return 1 if odd else -1

    def covers(self, p: Point) -> bool:
        """Closed containment."""
        x0, y0, x1, y1 = self.box
        return x0 <= p[0] <= x1 and y0 <= p[1] <= y1 and self.locate(*p) >= 0


def cuts(piece: Piece, s: Point, d: Point) -> set[Fraction]:
    """Return where, strictly between its ends, the line s + u d meets an edge or vertex of the piece."""
    x0, y0, x1, y1 = piece.box
    if max(s[0], s[0] + d[0]) < x0 or min(s[0], s[0] + d[0]) > x1:
        return set()
    if max(s[1], s[1] + d[1]) < y0 or min(s[1], s[1] + d[1]) > y1:
        return set()
    found: set[Fraction] = set()
    length2 = d[0] * d[0] + d[1] * d[1]
    for a, b in piece.edges:
        ca, cb = cross(*d, a[0] - s[0], a[1] - s[1]), cross(*d, b[0] - s[0], b[1] - s[1])
        if (ca > 0 and cb > 0) or (ca < 0 and cb < 0):
            continue
        if ca == cb:  # collinear
            found.update(Fraction((p[0] - s[0]) * d[0] + (p[1] - s[1]) * d[1], length2) for p in (a, b))
        else:
            ex, ey = b[0] - a[0], b[1] - a[1]
            found.add(Fraction(cross(a[0] - s[0], a[1] - s[1], ex, ey), cross(*d, ex, ey)))
    return {u for u in found if 0 < u < 1}


def side(piece: Piece, s: Point, d: Point, u: Fraction) -> int:
    """Return how the piece lies about the line at u, where nothing cuts it: all round, not at all, or on one side."""
    q = u.denominator
    x, y = s[0] * q + d[0] * u.numerator, s[1] * q + d[1] * u.numerator
    where = piece.locate(x, y, q)
    if where:
        return INSIDE if where > 0 else OUTSIDE
    for a, b in piece.edges:
        px, py, rx, ry = a[0] * q - x, a[1] * q - y, b[0] * q - x, b[1] * q - y
        if cross(px, py, rx, ry) == 0 and px * rx + py * ry <= 0:
            ahead = (b[0] - a[0]) * d[0] + (b[1] - a[1]) * d[1] > 0
            return LEFT if ahead else RIGHT
    raise AssertionError("on no edge")


def stretches(pieces: Iterable[Piece], s: Point, t: Point) -> list[Stretch]:
    """Return the stretches of the line inside the union of the pieces, as fractions of its length.

    Between two neighbouring cuts the union is the same on both sides all along, so one exact look at the middle
    decides: inside some piece, or one piece on its left and another on its right. Along an outer edge it grazes.
    """
    d = (t[0] - s[0], t[1] - s[1])
    near = [(piece, cuts(piece, s, d)) for piece in pieces]
    near = [(piece, found) for piece, found in near if found or _may_cover(piece, s, t)]
    at = sorted({ZERO, ONE}.union(*(found for _, found in near)))
    inside: list[Stretch] = []
    for u, v in itertools.pairwise(at):
        sides = {side(piece, s, d, (u + v) / 2) for piece, _ in near}
        if INSIDE in sides or {LEFT, RIGHT} <= sides:
            if inside and inside[-1][1] == u:
                inside[-1] = (inside[-1][0], v)
            else:
                inside.append((u, v))
    return inside


def _may_cover(piece: Piece, s: Point, t: Point) -> bool:
    x0, y0, x1, y1 = piece.box
    return all(x0 <= p[0] <= x1 and y0 <= p[1] <= y1 for p in (s, t))


def joined(a: Piece, b: Piece) -> bool:
    """True when the two pieces overlap or share a length of edge (not when they touch at points only)."""
    return _edge_within(a, b) or _edge_within(b, a)


def _edge_within(a: Piece, b: Piece) -> bool:
    for p, r in a.edges:
        d = (r[0] - p[0], r[1] - p[1])
        at = sorted({ZERO, ONE} | cuts(b, p, d))
        for u, v in itertools.pairwise(at):
            m = (u + v) / 2
            q = m.denominator
            if b.locate(p[0] * q + d[0] * m.numerator, p[1] * q + d[1] * m.numerator, q) >= 0:
                return True
    return False


def contours(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Return the hills as connected contours, each a list of pieces of one level."""
    groups: list[list[Piece]] = []
    for hill in (p for p in pieces if p.hill):
        mine = [g for g in groups if any(h.level == hill.level and joined(h, hill) for h in g)]
        groups = [g for g in groups if g not in mine]
        groups.append([hill, *(h for g in mine for h in g)])
    return groups


@dataclass(frozen=True)
class Law:
    """The rulings that bear on sight; lengths in inches at scale 1, times ``scale``."""

    thin_wood_transparent: bool = False
    hills_block: bool = True
    own_hill_exempt: bool = True
    deep_shadow: bool = False
    crest_edge: bool = False
    scale: int = 1
    t: Fraction = T


@dataclass
class Sightline:
    """The answer for one line: clear or not, the pieces' stretches that block, and every slack in inches."""

    clear: bool = True
    slacks: list[float] = field(default_factory=list)
    blocked_by: list[tuple[str, int, float, float]] = field(default_factory=list)

    #: How far a position along the line moves when the edge it comes from is moved by HAIR: more at shallow angles.
    blur: float = HAIR

    @property
    def hairline(self) -> bool:
        """Could moving an edge by less than HAIR have decided otherwise?"""
        return any(abs(slack) < self.blur for slack in self.slacks)


class Ground:
    """A table of pieces, in whole units of 1/k inch."""

    def __init__(self, pieces: Sequence[Piece], k: int, law: Law | None = None) -> None:
        self.law = law or Law()
        self.pieces = tuple(pieces)
        self.k = k
        self.t = self.law.t * self.law.scale
        self.hills = contours(self.pieces)
        classes: dict[tuple[int, Fraction], list[Piece]] = {}
        for piece in self.pieces:
            if not piece.hill:
                classes.setdefault((piece.level, piece.see_through), []).append(piece)
        self.tall = sorted(classes.items())

    def level(self, p: Point) -> int:
        """Highest contour that contains p, closed; 0 outside every hill."""
        return max((h.level for group in self.hills for h in group if h.covers(p)), default=0)

    def look(self, s: Point, e: Point) -> Sightline:
        """Return whether the line from s to e is clear."""
        found = Sightline()
        if s == e:
            return found
        line = Line(self, s, e, found)
        line.woods_and_houses()
        line.contours()
        line.near_corners()
        found.clear = not found.blocked_by
        return found


class Line:
    """One line being judged."""

    def __init__(self, ground: Ground, s: Point, e: Point, found: Sightline) -> None:
        self.ground, self.s, self.e, self.found = ground, s, e, found
        self.length2 = (e[0] - s[0]) ** 2 + (e[1] - s[1]) ** 2
        self.length = math.sqrt(self.length2) / ground.k
        self.level_s, self.level_e = ground.level(s), ground.level(e)
        self.hi, self.lo = max(self.level_s, self.level_e), min(self.level_s, self.level_e)

    def over(self, share: Fraction, limit: Fraction) -> bool:
        """Is ``share`` of the line longer than ``limit`` inches? Exact; remembers by how much."""
        self.found.slacks.append(float(share) * self.length - float(limit))
        reach = limit * self.ground.k
        return share > 0 and share * share * self.length2 > reach * reach

    def block(self, kind: str, level: int, stretch: Stretch) -> None:
        a, b = stretch
        self.found.blocked_by.append((kind, level, float(a) * self.length, float(b) * self.length))

    def woods_and_houses(self) -> None:
        t, law = self.ground.t, self.ground.law
        spent = ZERO  # share of the line, weighed so that the budget is 3 in
        for (level, q), pieces in self.ground.tall:
            for a, b in stretches(pieces, self.s, self.e):
                if not self.over(b - a, t):
                    continue
                # an end within t of the near side counts as on it
                ends_in = q > 0 and not (self.over(a, t) and self.over(1 - b, t))
                if ends_in:
                    spent += (b - a) * 3 * law.scale / q
                elif not (law.thin_wood_transparent and q > 0 and not self.over(b - a, q + t)):
                    self.tall(level, (a, b))
        if self.over(spent, 3 * law.scale + t):
            self.block("budget", 0, (ZERO, spent))

    def tall(self, level: int, stretch: Stretch) -> None:
        if self.hi <= level:
            self.block("tall", level, stretch)
        elif self.lo <= level and self.in_shadow(level, level, stretch):
            self.block("shadow", level, stretch)

    def in_shadow(self, level: int, floor: int, stretch: Stretch) -> bool:
        """Is the lower end within the shadow? The far side is measured from the higher end."""
        far = stretch[1] if self.level_s >= self.level_e else 1 - stretch[0]
        factor = Fraction(2) ** (1 - (self.hi - level))
        if self.ground.law.deep_shadow:
            factor *= 2 ** max(0, floor - self.lo)
        return not self.over((1 - far) - far * factor, self.ground.t)

    def contours(self) -> None:
        law, t = self.ground.law, self.ground.t
        for group in self.ground.hills if law.hills_block else ():
            level = group[0].level
            own_s, own_e = (any(h.covers(p) for h in group) for p in (self.s, self.e))
            if own_s or own_e:
                self.own_hill(group, own_s, own_e)
                if law.own_hill_exempt:
                    continue
            for a, b in stretches(group, self.s, self.e):
                at_an_end = (own_s and not self.over(a, t)) or (own_e and not self.over(1 - b, t))
                if self.lo >= level or at_an_end or not self.over(b - a, t):
                    continue
                if self.hi <= level or self.in_shadow(level, level - 1, (a, b)):
                    self.block("hill", level, (a, b))

    def own_hill(self, group: list[Piece], own_s: bool, own_e: bool) -> None:
        """The crest-edge reading: off its own top, only from within 1 in of the edge along the line."""
        law, level = self.ground.law, group[0].level
        if not law.crest_edge or (own_s and own_e) or level != self.hi or self.lo >= level:
            return
        for a, b in stretches(group, self.s, self.e):
            at_start, at_end = own_s and not self.over(a, self.ground.t), own_e and not self.over(1 - b, self.ground.t)
            inside = b if at_start else 1 - a if at_end else ZERO
            if self.over(inside, law.scale + self.ground.t):
                self.block("crest", level, (a, b))

    def near_corners(self) -> None:
        """Note corners a hair off the line, ends a hair off an edge, and edges crossed at a shallow angle."""
        d = (self.e[0] - self.s[0], self.e[1] - self.s[1])
        unit = math.sqrt(self.length2) * self.ground.k
        for piece in self.ground.pieces:
            for a, b in piece.edges:
                ca, cb = (cross(*d, p[0] - self.s[0], p[1] - self.s[1]) for p in (a, b))
                if ca and abs(ca) / unit < 4 * HAIR:
                    self.found.slacks.append(ca / unit / 8)
                edge = math.hypot(b[0] - a[0], b[1] - a[1]) * self.ground.k
                for p in (self.s, self.e):
                    off = cross(b[0] - a[0], b[1] - a[1], p[0] - a[0], p[1] - a[1])
                    if off and abs(off) / edge < 4 * HAIR:
                        self.found.slacks.append(off / edge / 8)
                if (ca >= 0) != (cb >= 0) or not ca * cb:
                    sine = abs(cb - ca) / (unit * edge) * self.ground.k**2
                    if sine:
                        self.found.blur = max(self.found.blur, HAIR / sine)
