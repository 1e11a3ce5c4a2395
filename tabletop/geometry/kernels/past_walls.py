"""The shortest line between two convex bodies past walls, pair by pair: what ``past_walls`` does for all pairs in step.

A line that comes nearer to a corner of a wall than rounding tells touches it; one that comes nearer than ``DOUBTED``,
without touching, leaves the pair in doubt.
"""

from typing import Any

import numpy as np

from tabletop.geometry.fast import kernel, leaf, part

#: What is said of a pair.
FOUND, NONE, DOUBT = 0, 1, 2
#: What is said of a line.
CLEAR, STOPPED = 0, 1
#: Nearer than this (table units) a line touches a corner; up to ``DOUBTED`` the law of sight may say it does.
TOUCHING, DOUBTED = 1e-9, 4e-6
#: A line turned less than this from a side runs along it.
ALONG = 1e-12
#: Radians from the end of a fan within which the length is not told apart from that at its end.
ENDS = 1e-7
#: Radians by which the last step towards a least length may turn a line; and the most steps.
STILL, STEPS = 1e-8, 80
#: The most candidates of a pair.
MOST = 4096
FAR = 1e300


@leaf
def turn(ax: float, ay: float, bx: float, by: float) -> float:
    return ax * by - ay * bx


@leaf
def sides(body: Any, out: Any) -> int:
    """Write the sides of a body (k, 2) as normals and offsets, (m, 3): a segment's two ends are sides too; return m."""
    k, m = len(body), 0
    for i in range(k):
        j = (i + 1) % k
        dx, dy = body[j, 0] - body[i, 0], body[j, 1] - body[i, 1]
        length = np.sqrt(dx * dx + dy * dy)
        if length > 0.0:
            dx, dy = dx / length, dy / length
            out[m, 0], out[m, 1], out[m, 2] = dy, -dx, dy * body[i, 0] - dx * body[i, 1]
            m += 1
            if k == 2:
                out[m, 0], out[m, 1], out[m, 2] = dx, dy, dx * body[j, 0] + dy * body[j, 1]
                m += 1
    return m


@leaf
def entry(faces: Any, m: int, vx: float, vy: float, ux: float, uy: float) -> tuple[float, int]:
    """Return where the line v + s u enters a body with ``m`` sides: s, and the side."""
    s, first = -FAR, 0
    for k in range(m):
        rate = ux * faces[k, 0] + uy * faces[k, 1]
        if rate < -ALONG:
            at = (faces[k, 2] - vx * faces[k, 0] - vy * faces[k, 1]) / rate
            if at > s:
                s, first = at, k
    return s, first


@leaf
def apart(faces: Any, m: int, other: Any) -> bool:
    """Say whether a side of a body has all of another beyond it."""
    for k in range(m):
        least = FAR
        for j in range(len(other)):
            least = min(least, other[j, 0] * faces[k, 0] + other[j, 1] * faces[k, 1])
        if least > faces[k, 2] + TOUCHING:
            return True
    return False


@leaf
def nearest(a: Any, b: Any, flip: bool, line: Any, best: float) -> float:
    """Write into ``line`` (4,) the way from a side of ``a`` to a corner of ``b``, if it is under ``best``."""
    for j in range(len(b)):
        px, py = b[j, 0], b[j, 1]
        for i in range(len(a)):
            k = (i + 1) % len(a)
            dx, dy = a[k, 0] - a[i, 0], a[k, 1] - a[i, 1]
            share = ((px - a[i, 0]) * dx + (py - a[i, 1]) * dy) / (dx * dx + dy * dy)
            share = min(1.0, max(0.0, share))
            qx, qy = a[i, 0] + share * dx, a[i, 1] + share * dy
            length = np.hypot(px - qx, py - qy)
            if length < best:
                best = length
                if flip:
                    line[0], line[1], line[2], line[3] = px, py, qx, qy
                else:
                    line[0], line[1], line[2], line[3] = qx, qy, px, py
    return best


@part
def met(points: Any, after: Any, a: Any, b: Any, listed: Any) -> int:
    """List the vertices whose edges may come between two bodies: by the box about both."""
    x0, y0 = min(a[:, 0].min(), b[:, 0].min()), min(a[:, 1].min(), b[:, 1].min())
    x1, y1 = max(a[:, 0].max(), b[:, 0].max()), max(a[:, 1].max(), b[:, 1].max())
    n = 0
    for k in range(len(points)):
        j = after[k]
        px, py, qx, qy = points[k, 0], points[k, 1], points[j, 0], points[j, 1]
        if not ((px < x0 and qx < x0) or (px > x1 and qx > x1) or (py < y0 and qy < y0) or (py > y1 and qy > y1)):
            listed[n] = k
            n += 1
    return n


@leaf
def stands_out(points: Any, before: Any, after: Any, k: int) -> bool:
    """Say whether a vertex is a convex corner of its wall."""
    i, j = before[k], after[k]
    ax, ay = points[k, 0] - points[i, 0], points[k, 1] - points[i, 1]
    return turn(ax, ay, points[j, 0] - points[k, 0], points[j, 1] - points[k, 1]) > 0.0


@leaf
def touches(points: Any, before: Any, after: Any, k: int, off: float, ux: float, uy: float) -> int:
    """Return what becomes of a line that runs ``off`` from a vertex, which lies abreast of it, in direction u."""
    if abs(off) > TOUCHING:
        return DOUBT
    i, j = before[k], after[k]
    one = turn(ux, uy, points[i, 0] - points[k, 0], points[i, 1] - points[k, 1])
    other = turn(ux, uy, points[j, 0] - points[k, 0], points[j, 1] - points[k, 1])
    if abs(one) <= TOUCHING and abs(other) <= TOUCHING:  # along a wall, past a corner that is none
        return CLEAR
    through = (one > TOUCHING and other < -TOUCHING) or (one < -TOUCHING and other > TOUCHING)
    return STOPPED if through or not stands_out(points, before, after, k) else CLEAR


@leaf
def looked_along(points: Any, before: Any, after: Any, listed: Any, n: int, line: Any) -> int:
    """Return whether one of ``n`` listed edges stops a line, or may: ``CLEAR``, ``STOPPED`` or ``DOUBT``.

    The edge that stops it is put first in the list: it is likely to stop the next.
    """
    px, py = line[0], line[1]
    ux, uy = line[2] - px, line[3] - py
    length = np.sqrt(ux * ux + uy * uy)
    ux, uy = ux / length, uy / length
    found = CLEAR
    for m in range(n):
        k = listed[m]
        j = after[k]
        ax, ay, bx, by = points[k, 0] - px, points[k, 1] - py, points[j, 0] - px, points[j, 1] - py
        a, b = turn(ux, uy, ax, ay), turn(ux, uy, bx, by)
        if (a > DOUBTED and b > DOUBTED) or (a < -DOUBTED and b < -DOUBTED):
            continue
        along, beyond = ux * ax + uy * ay, ux * bx + uy * by
        what = CLEAR
        if abs(a) <= DOUBTED:
            if 0.0 < along < length:
                what = touches(points, before, after, k, a, ux, uy)
        elif abs(b) > DOUBTED and 0.0 < along + (beyond - along) * a / (a - b) < length:
            what = STOPPED
        if what == STOPPED:
            listed[m], listed[0] = listed[0], k
            return STOPPED
        found = max(found, what)
    return found


@leaf
def span(body: Any, vx: float, vy: float, sign: float) -> tuple[float, float, float, float]:
    """Return the outermost directions, right and left, from v to a body; ``sign`` -1: from the body to v."""
    rx, ry = sign * (body[0, 0] - vx), sign * (body[0, 1] - vy)
    lx, ly = rx, ry
    for i in range(1, len(body)):
        dx, dy = sign * (body[i, 0] - vx), sign * (body[i, 1] - vy)
        if turn(rx, ry, dx, dy) < 0.0:
            rx, ry = dx, dy
        if turn(lx, ly, dx, dy) > 0.0:
            lx, ly = dx, dy
    return rx, ry, lx, ly


@leaf
def within(ux: float, uy: float, rx: float, ry: float, lx: float, ly: float) -> bool:
    """Say whether a direction lies between two others, right and left, less than half a turn apart."""
    if turn(rx, ry, ux, uy) < 0.0 or turn(ux, uy, lx, ly) < 0.0:
        return False
    return ux * rx + uy * ry > 0.0 or ux * lx + uy * ly > 0.0  # not the other way


@leaf
def fan(a: Any, b: Any, vx: float, vy: float, out: Any) -> bool:
    """Write the outermost directions (4,), right and left, of lines from ``a`` through v to ``b``; say if there are
    any."""
    rx, ry, lx, ly = span(a, vx, vy, -1.0)
    sx, sy, mx, my = span(b, vx, vy, 1.0)
    out[0], out[1] = (sx, sy) if turn(rx, ry, sx, sy) > 0.0 else (rx, ry)
    out[2], out[3] = (lx, ly) if turn(lx, ly, mx, my) > 0.0 else (mx, my)
    for k in (0, 2):
        if not within(out[k], out[k + 1], rx, ry, lx, ly) or not within(out[k], out[k + 1], sx, sy, mx, my):
            return False
    return turn(out[0], out[1], out[2], out[3]) >= 0.0


@leaf
def into_wall(v: Any, ux: float, uy: float) -> bool:
    """Say whether a line in direction u runs into the wall of a corner (its neighbours in v[2:6], relative to it)."""
    return turn(ux, uy, v[2], v[3]) * turn(ux, uy, v[4], v[5]) < -TOUCHING


@leaf
def shut_in(v: Any) -> bool:
    """Say whether the whole fan of a corner runs into its own wall."""
    a, b = turn(v[6], v[7], v[2], v[3]), turn(v[6], v[7], v[4], v[5])
    c, d = turn(v[8], v[9], v[2], v[3]), turn(v[8], v[9], v[4], v[5])
    return (a > 0.0) != (b > 0.0) and (a > 0.0) == (c > 0.0) and (b > 0.0) == (d > 0.0)


@leaf
def slope(faces: Any, k: int, v: Any, ux: float, uy: float) -> tuple[float, float]:
    """Return how the way from v in direction u to a side changes as u turns: first and second derivative."""
    along = ux * faces[k, 0] + uy * faces[k, 1]
    aside = ux * faces[k, 1] - uy * faces[k, 0]
    share, tilt = (faces[k, 2] - v[0] * faces[k, 0] - v[1] * faces[k, 1]) / along, aside / along
    return -share * tilt, share * (1.0 + 2.0 * tilt * tilt)


@leaf
def rate(v: Any, high: Any, m: int, low: Any, n: int, ux: float, uy: float) -> tuple[float, float]:
    """Return how the length of the line through v in direction u changes as u turns: first and second derivative."""
    _, i = entry(high, m, v[0], v[1], -ux, -uy)
    _, j = entry(low, n, v[0], v[1], ux, uy)
    one, two = slope(low, j, v, ux, uy)
    three, four = slope(high, i, v, -ux, -uy)  # back to ``high`` is ahead of -u, which turns alike
    return one + three, two + four


@leaf
def unit(x: float, y: float) -> tuple[float, float]:
    length = np.sqrt(x * x + y * y)
    return x / length, y / length


@leaf
def least_turn(v: Any, high: Any, m: int, low: Any, n: int) -> tuple[float, float]:
    """Return the direction in the fan of v in which the line from ``high`` to ``low`` is shortest.

    The length is convex in the direction, but has kinks: Newton's steps in a bracket, halved where they fail.
    """
    rx, ry = unit(v[6], v[7])
    lx, ly = unit(v[8], v[9])
    inset = min(ENDS, turn(rx, ry, lx, ly) / 4.0)
    if rate(v, high, m, low, n, rx - inset * ry, ry + inset * rx)[0] >= 0.0:
        return rx, ry
    if rate(v, high, m, low, n, lx + inset * ly, ly - inset * lx)[0] <= 0.0:
        return lx, ly
    ux, uy = unit(rx + lx, ry + ly)
    width = 4.0
    for _ in range(STEPS):
        first, second = rate(v, high, m, low, n, ux, uy)
        if first < 0.0:
            rx, ry = ux, uy
        else:
            lx, ly = ux, uy
        before, width = width, turn(rx, ry, lx, ly)
        step = -first / second
        nx, ny = unit(ux - step * uy, uy + step * ux)
        between = turn(rx, ry, nx, ny) >= 0.0 and turn(nx, ny, lx, ly) >= 0.0
        if width < ALONG or (between and abs(step) < STILL):
            return (nx, ny) if between else (ux, uy)
        if between and width <= 0.5 * before:
            ux, uy = nx, ny
        else:
            ux, uy = unit(rx + lx, ry + ly)
    return ux, uy


@leaf
def corners(points: Any, before: Any, after: Any, listed: Any, n: int, a: Any, b: Any, out: Any) -> int:
    """Write the corners about which a line may turn, (c, 10): it, its neighbours and its fan, relative to it; return c.

    -1 if there are too many.
    """
    c = 0
    for m in range(n):
        k = listed[m]
        if not stands_out(points, before, after, k):
            continue
        if c == len(out):
            return -1
        v = out[c]
        v[0], v[1] = points[k, 0], points[k, 1]
        v[2], v[3] = points[before[k], 0] - v[0], points[before[k], 1] - v[1]
        v[4], v[5] = points[after[k], 0] - v[0], points[after[k], 1] - v[1]
        if fan(a, b, v[0], v[1], v[6:]) and not shut_in(v):
            c += 1
    return c


@leaf
def put(v: Any, ux: float, uy: float, high: Any, m: int, low: Any, n: int, out: Any, length: Any, c: int) -> int:
    """Write the line through v in direction u as candidate number ``c``; return how many there are now."""
    s, e = entry(high, m, v[0], v[1], -ux, -uy)[0], entry(low, n, v[0], v[1], ux, uy)[0]
    if c < len(length) and s > -FAR and e > -FAR:
        out[c, 0], out[c, 1], out[c, 2], out[c, 3] = v[0] - s * ux, v[1] - s * uy, v[0] + e * ux, v[1] + e * uy
        length[c] = s + e
    return c + 1


@leaf
def in_fan(v: Any, ux: float, uy: float) -> bool:
    return turn(v[6], v[7], ux, uy) >= -TOUCHING and turn(ux, uy, v[8], v[9]) >= -TOUCHING


@leaf
def candidates(vs: Any, high: Any, m: int, low: Any, n: int, out: Any, length: Any) -> int:
    """Write the lines about one corner and through two: ends (c, 4) and lengths (c,); return how many there are."""
    c = 0
    for i in range(len(vs)):
        v = vs[i]
        ux, uy = least_turn(v, high, m, low, n)
        if not into_wall(v, ux, uy):
            c = put(v, ux, uy, high, m, low, n, out, length, c)
        (rx, ry), (lx, ly) = unit(v[6], v[7]), unit(v[8], v[9])
        for j in range(i):
            w = vs[j]
            ux, uy = w[0] - v[0], w[1] - v[1]
            if ux * (rx + lx) + uy * (ry + ly) < 0.0:
                ux, uy = -ux, -uy
            if ux == 0.0 and uy == 0.0:  # two walls touch
                continue
            if into_wall(v, ux, uy) or into_wall(w, ux, uy) or not in_fan(v, ux, uy) or not in_fan(w, ux, uy):
                continue
            ux, uy = unit(ux, uy)
            c = put(v, ux, uy, high, m, low, n, out, length, c)
    return c


@part
def shortest(points: Any, before: Any, after: Any, a: Any, b: Any, listed: Any, room: Any, line: Any) -> int:
    """Write the shortest clear line between two bodies into ``line`` (4,); return ``FOUND``, ``NONE`` or ``DOUBT``."""
    vs, out, length, high, low = room
    m, n = sides(a, high), sides(b, low)
    if not apart(high, m, b) and not apart(low, n, a):
        return DOUBT
    nearest(b, a, True, line, nearest(a, b, False, line, FAR))
    edges = met(points, after, a, b, listed)
    what = looked_along(points, before, after, listed, edges, line)
    if what != STOPPED:
        return FOUND if what == CLEAR else DOUBT
    count = corners(points, before, after, listed, edges, a, b, vs)
    if count < 0:
        return DOUBT
    c = candidates(vs[:count], high, m, low, n, out, length)
    if c > len(length):
        return DOUBT
    for k in np.argsort(length[:c]):
        what = looked_along(points, before, after, listed, edges, out[k])
        if what != STOPPED:
            line[:] = out[k]
            return FOUND if what == CLEAR else DOUBT
    return NONE


@kernel(
    "void(float64[:, ::1], int64[::1], int64[::1], float64[:, :, ::1], float64[:, :, ::1], float64[:, ::1], uint8[::1])"
)
def shortest_lines(points: Any, before: Any, after: Any, a: Any, b: Any, lines: Any, verdict: Any) -> None:
    """Write for pairs of bodies (n, j, 2), (n, k, 2) their shortest clear lines past walls (n, 4), and what is said."""
    listed = np.empty(len(points), np.int64)
    faces = np.empty((a.shape[1] + 2, 3)), np.empty((b.shape[1] + 2, 3))
    room = (np.empty((MOST // 4, 10)), np.empty((MOST, 4)), np.empty(MOST), faces[0], faces[1])
    for i in range(len(a)):
        verdict[i] = shortest(points, before, after, a[i], b[i], listed, room, lines[i])
