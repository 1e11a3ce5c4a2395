"""What a front meets while it turns about its middle: the arithmetic of ``turning``, and of how much room there is.

A result within ``EVEN`` of a limit is reported as ``UNSURE`` and left to shapely.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from tabletop.geometry.fast import kernel, part
from tabletop.geometry.kernels.plane import cross, off
from tabletop.geometry.sight.obstruction import ByteColumn, FloatColumn, FloatTable, IntColumn

#: Within this of a limit (table units, and square ones) the result is unsure.
EVEN = 1e-9
#: Results for a line or a pose.
CLEAR, MET, UNSURE = 0, 1, 2


class Turns(NamedTuple):
    """Turns to examine: ``mid`` (k, 2), where the middle of a front stands, and its ``facing`` at first, (k,)
    radians."""

    mid: FloatTable
    facing: FloatColumn


class Fronts(NamedTuple):
    """The fronts of bases, from ``left`` to ``right`` (n,) of the middle of the whole front and ``behind`` it by
    that much."""

    left: FloatColumn
    right: FloatColumn
    behind: FloatColumn


class Lines(NamedTuple):
    """Lines from ``a`` to ``b`` (e, 2): edges of areas, or of obstacles."""

    a: FloatTable
    b: FloatTable


class Shapes(NamedTuple):
    """Shapes whose edges run from ``a`` to ``b`` (e, 2), sorted by ``shape`` (e,); the distance to ``keep`` from
    each (s,); ``solid`` (e,) marks the edges of areas."""

    a: FloatTable
    b: FloatTable
    shape: IntColumn
    solid: ByteColumn
    keep: FloatColumn


@part
def crossed(px: float, py: float, qx: float, qy: float, lines: Lines, e: int) -> int:
    """Return whether the line from p to q crosses line ``e`` of ``lines``."""
    ax, ay, bx, by = lines.a[e, 0], lines.a[e, 1], lines.b[e, 0], lines.b[e, 1]
    one, other = cross(px, py, qx, qy, ax, ay), cross(px, py, qx, qy, bx, by)
    if (one > EVEN and other > EVEN) or (one < -EVEN and other < -EVEN):
        return CLEAR
    first, last = cross(ax, ay, bx, by, px, py), cross(ax, ay, bx, by, qx, qy)
    if (first > EVEN and last > EVEN) or (first < -EVEN and last < -EVEN):
        return CLEAR
    return MET if min(abs(one), abs(other), abs(first), abs(last)) > EVEN else UNSURE


@part
def within(x: float, y: float, a: Any, b: Any, low: int, high: int) -> int:
    """Return whether a point lies within the rings that edges ``low`` to ``high`` make up."""
    state = CLEAR
    for e in range(low, high):
        ax, ay, bx, by = a[e, 0] - x, a[e, 1] - y, b[e, 0] - x, b[e, 1] - y
        if min(ay, by) <= EVEN and max(ay, by) >= -EVEN and max(ax, bx) >= -EVEN:
            if abs(ax * by - ay * bx) <= EVEN * 1e3 and min(ax, bx) <= EVEN:
                return UNSURE
            if (ay > 0.0) != (by > 0.0) and ax - ay * (bx - ax) / (by - ay) > 0.0:
                state = MET - state
    return state


@kernel(
    "void(Turns, float64[::1], Fronts, float64, Lines, uint8[:, :, :, ::1])", Turns=Turns, Fronts=Fronts, Lines=Lines
)
def in_rough(turns: Turns, angles: Any, fronts: Fronts, radius: float, lines: Lines, found: Any) -> None:
    """Write which bases' fronts meet areas, ``found`` (k, 2, m, bases), at ``angles`` (m,) of turns left and right.

    The fronts reach no farther than ``radius`` from the middle; ``lines`` are the edges of the areas.
    """
    mid, facing, a, b = turns.mid, turns.facing, lines.a, lines.b
    left, right, behind = fronts.left, fronts.right, fronts.behind
    near = np.empty(len(a), np.int64)
    for k in range(len(mid)):
        x, y, count = mid[k, 0], mid[k, 1], 0
        for e in range(len(a)):
            if off(x, y, a[e, 0], a[e, 1], b[e, 0], b[e, 1]) <= radius + EVEN:
                near[count], count = e, count + 1
        at_middle = within(x, y, a, b, 0, len(a))
        for way in range(2):
            for m in range(len(angles)):
                turned = facing[k] + (angles[m] if way else -angles[m])
                ux, uy = math.sin(turned), math.cos(turned)
                for base in range(len(left)):
                    bx, by = x - behind[base] * ux, y - behind[base] * uy
                    px, py = bx + left[base] * uy, by - left[base] * ux
                    qx, qy = bx + right[base] * uy, by - right[base] * ux
                    met, inside = CLEAR, at_middle
                    for n in range(count):
                        e = near[n]
                        on = crossed(px, py, qx, qy, lines, e)
                        if on == MET:
                            met = MET
                            break
                        met = max(met, on)
                        over = crossed(x, y, px, py, lines, e)
                        if over == UNSURE:
                            inside = UNSURE
                        elif over == MET and inside != UNSURE:
                            inside = MET - inside
                    found[k, way, m, base] = met if met != CLEAR else inside


@part
def angle_on(x: float, y: float, level: float, way: float, found: Any, n: int) -> int:
    """Append the turns, up to half a circle, that take a point to the line ``level`` ahead; return how many there are
    now.

    The point lies ``x`` to the right and ``y`` ahead of the pivot; ``way`` is to the right (1) or left (-1).
    """
    far = math.sqrt(x * x + y * y)
    if far <= abs(level) or far == 0.0:
        return n
    now, rise = math.atan2(y, x), math.asin(level / far)
    for wanted in (rise, math.pi - rise):
        turn = (way * (wanted - now)) % (2.0 * math.pi)
        if turn < math.pi:
            found[n] = turn
            n += 1
    return n


@part
def ends_on(px: float, py: float, line: Any, way: float, found: Any, n: int) -> int:
    """Append the turns that take an end of a front edge to a line, (4,) its ends; return how many there are now."""
    ax, ay, bx, by = line[0], line[1], line[2], line[3]
    length = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
    if length <= EVEN:
        return n
    ux, uy = (bx - ax) / length, (by - ay) / length
    return angle_on(px * ux + py * uy, py * ux - px * uy, ay * ux - ax * uy, -way, found, n)


@part
def astride(turn: float, level: float, left: float, right: float, seen: Any, n: int) -> bool:
    """Return whether a front edge meets one of n lines, ``seen`` from the pivot, after a turn to the right."""
    s, c = math.sin(turn), math.cos(turn)
    for e in range(n):
        ax, ay = seen[0, e] * c - seen[1, e] * s, seen[0, e] * s + seen[1, e] * c
        bx, by = seen[2, e] * c - seen[3, e] * s, seen[2, e] * s + seen[3, e] * c
        if (ay > level) != (by > level):
            at = ax + (level - ay) / (by - ay) * (bx - ax)
            if left <= at <= right:
                return True
    return False


@kernel(
    "void(Turns, Fronts, float64, float64, Lines, int64[::1], float64[:, :, :, ::1])",
    Turns=Turns,
    Fronts=Fronts,
    Lines=Lines,
)
def met_turning(turns: Turns, fronts: Fronts, radius: float, t: float, lines: Lines, part_of: Any, found: Any) -> None:
    """Write at which turns to the left and to the right the bases' fronts meet obstacles.

    ``found`` (k, 2, bases, c): radians, up to half a circle, padded with values that never count; no fewer than the law
    of ``crossing`` counts. The fronts, no farther than ``radius`` from the middle, are shortened by ``t``; ``part_of``
    (e,), sorted, is the obstacle of each of ``lines``. An obstacle that a front is astride of at first, by ``t`` on
    both sides, was met before.
    """
    mid, facing, a, b = turns.mid, turns.facing, lines.a, lines.b
    left, right, behind = fronts.left, fronts.right, fronts.behind
    most = found.shape[3]
    seen, cuts = np.empty((4, len(a))), np.empty(8 * len(a) + 2)
    for k in range(len(mid)):
        x, y, ux, uy = mid[k, 0], mid[k, 1], math.sin(facing[k]), math.cos(facing[k])
        low = 0
        while low < len(a):
            high, n = low, 0
            while high < len(a) and part_of[high] == part_of[low]:
                ax, ay, bx, by = a[high, 0] - x, a[high, 1] - y, b[high, 0] - x, b[high, 1] - y
                if off(0.0, 0.0, ax, ay, bx, by) <= radius + t:
                    seen[0, n], seen[1, n] = ax * uy - ay * ux, ax * ux + ay * uy
                    seen[2, n], seen[3, n] = bx * uy - by * ux, bx * ux + by * uy
                    n += 1
                high += 1
            low = high
            for base in range(len(left) if n > 0 else 0):
                level, one, other = -behind[base], left[base] + t, right[base] - t
                before = astride(0.0, level + t, one, other, seen, n) and astride(0.0, level - t, one, other, seen, n)
                for way in range(2):
                    hand = 1.0 if way else -1.0
                    count = 0
                    cuts[count] = 0.0
                    count += 1
                    for e in range(n):
                        ax, ay, bx, by = seen[0, e], seen[1, e], seen[2, e], seen[3, e]
                        count = angle_on(ax, ay, level, hand, cuts, count)
                        count = angle_on(bx, by, level, hand, cuts, count)
                        count = ends_on(one, level, seen[:, e], hand, cuts, count)
                        count = ends_on(other, level, seen[:, e], hand, cuts, count)
                    cuts[:count].sort()
                    inside, place = before, 0
                    for c in range(count):
                        end = cuts[c + 1] if c + 1 < count else math.pi
                        now = astride(hand * (cuts[c] + end) / 2.0, level, one, other, seen, n)
                        if now and not inside:
                            while place < most and found[k, way, base, place] < math.inf:
                                place += 1
                            if place < most:
                                found[k, way, base, place] = cuts[c]
                        inside = now


@part
def enters(ax: float, ay: float, bx: float, by: float, half: float, depth: float, less: float) -> bool:
    """Return whether a line enters the rectangle of a front, shrunk by ``less`` on every side, in the front's own
    frame."""
    low, high = 0.0, 1.0
    for axis in range(2):
        at, rate = (ax, bx - ax) if axis == 0 else (ay, by - ay)
        near, far = (-half + less, half - less) if axis == 0 else (-depth + less, -less)
        if rate == 0.0:
            if at < near or at > far:
                return False
        else:
            one, other = (near - at) / rate, (far - at) / rate
            low, high = max(low, min(one, other)), min(high, max(one, other))
    return low <= high


@part
def apart(ax: float, ay: float, bx: float, by: float, half: float, depth: float) -> float:
    """Return the distance of a front's rectangle from a line that does not enter it."""
    best = math.inf
    for x, y in ((ax, ay), (bx, by)):
        dx, dy = max(abs(x) - half, 0.0), max(y, -depth - y, 0.0)
        best = min(best, math.sqrt(dx * dx + dy * dy))
    for x in (-half, half):
        for y in (-depth, 0.0):
            best = min(best, off(x, y, ax, ay, bx, by))
    return best


@part
def too_near(x: float, y: float, turned: float, half: float, depth: float, near: Any, shapes: Shapes) -> int:
    """Return whether a turned front comes closer to one of the edges ``near`` than it must keep away."""
    a, b, shape, keep = shapes.a, shapes.b, shapes.shape, shapes.keep
    ux, uy, met = math.sin(turned), math.cos(turned), CLEAR
    for e in near:
        ax, ay, bx, by, least = a[e, 0] - x, a[e, 1] - y, b[e, 0] - x, b[e, 1] - y, keep[shape[e]]
        la, fa, lb, fb = ax * uy - ay * ux, ax * ux + ay * uy, bx * uy - by * ux, bx * ux + by * uy
        if enters(la, fa, lb, fb, half, depth, EVEN):
            return MET
        away = apart(la, fa, lb, fb, half, depth)
        if enters(la, fa, lb, fb, half, depth, 0.0):
            away = 0.0
        if away < least - EVEN:
            return MET
        if away <= least + EVEN:
            met = UNSURE
    return met


@part
def leaves(x: float, y: float, turned: float, half: float, depth: float, size: Any) -> int:
    """Return whether a turned front stands beyond the edge of the table."""
    ux, uy, met = math.sin(turned), math.cos(turned), CLEAR
    for aside in (-half, half):
        for ahead in (-depth, 0.0):
            px, py = x + aside * uy + ahead * ux, y - aside * ux + ahead * uy
            beyond = max(size[0] - px, size[1] - py, px - size[2], py - size[3])
            if beyond > EVEN:
                return MET
            if beyond >= -EVEN:
                met = UNSURE
    return met


@kernel(
    "void(Turns, float64[::1], float64, float64, float64[::1], Shapes, int64[:, ::1])",
    Turns=Turns,
    Shapes=Shapes,
)
def swing(turns: Turns, angles: Any, half: float, depth: float, size: Any, shapes: Shapes, found: Any) -> None:
    """Write the index of the first of ``angles`` (m,) at which a front turning left, or right, stands where it may not.

    ``found`` (k, 2): m if there is none, -1 if that is unsure. A front ``half`` to each side and ``depth`` deep must
    stay within ``size`` (west, south, east, north), and clear of ``shapes``.
    """
    mid, facing, (a, b, shape, solid, keep) = turns.mid, turns.facing, shapes
    radius, near = math.hypot(half, depth) + EVEN, np.empty(len(a), np.int64)
    for k in range(len(mid)):
        x, y, count, low, at_middle = mid[k, 0], mid[k, 1], 0, 0, CLEAR
        for e in range(len(a)):
            if off(x, y, a[e, 0], a[e, 1], b[e, 0], b[e, 1]) <= radius + keep[shape[e]] + EVEN:
                near[count], count = e, count + 1
            if e + 1 == len(a) or shape[e + 1] != shape[e]:
                if solid[low]:
                    at_middle = max(at_middle, within(x, y, a, b, low, e + 1))
                low = e + 1
        roomy = min(x - size[0], y - size[1], size[2] - x, size[3] - y) > radius
        for way in range(2):
            found[k, way] = len(angles) if at_middle == CLEAR else 0 if at_middle == MET else -1
            for m in range(0 if at_middle != CLEAR or (roomy and count == 0) else len(angles)):
                turned = facing[k] + (angles[m] if way else -angles[m])
                bad = CLEAR if roomy else leaves(x, y, turned, half, depth, size)
                if bad != MET and count > 0:
                    bad = max(bad, too_near(x, y, turned, half, depth, near[:count], shapes))
                if bad != CLEAR:
                    found[k, way] = m if bad == MET else -1
                    break
