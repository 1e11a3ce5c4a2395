"""Segments followed from cell to cell of a grid, each tested against the edges listed in the cells it passes.

A test of a segment and an edge is by the signs of four determinants; a sign nearer to zero than rounding may move it
(Shewchuk's bound for the orientation of three points) leaves the segment in doubt. Rounding may lead it beside a
cell it just touches: cells list edges with room to spare.
"""

from typing import Any

from tabletop.geometry.fast import kernel, part

#: Verdicts on a segment; of several edges, bits: whether one is met, whether one is in doubt.
FREE, MEETS, DOUBT = 0, 1, 2
#: What a cell is.
OUTSIDE, OUTLINE, INSIDE = 0, 1, 2
#: (3 + 16 eps) eps with eps = 2 ** -53, of the sum of the magnitudes of a determinant's two products.
ROUNDING = 3.3306690738754716e-16
NEVER = 1e300


@part
def crosses(
    px: float, py: float, dx: float, dy: float, qx: float, qy: float, ax: float, ay: float, bx: float, by: float
) -> int:
    """Return how the segments p q = p + d and a b meet: ``FREE``, ``MEETS`` or ``DOUBT``."""
    ux, uy, wx, wy, ex, ey = ax - px, ay - py, bx - px, by - py, bx - ax, by - ay
    one, other = dx * uy, dy * ux
    a, a_doubt = one - other, ROUNDING * (abs(one) + abs(other))
    one, other = dx * wy, dy * wx
    b, b_doubt = one - other, ROUNDING * (abs(one) + abs(other))
    one, other = ey * ux, ex * uy
    p, p_doubt = one - other, ROUNDING * (abs(one) + abs(other))
    one, other = ex * (qy - ay), ey * (qx - ax)
    q, q_doubt = one - other, ROUNDING * (abs(one) + abs(other))
    # all of it, without a branch: which way these go the processor could not foretell
    beside = ((a > a_doubt) & (b > b_doubt)) | ((a < -a_doubt) & (b < -b_doubt))
    short = ((p > p_doubt) & (q > q_doubt)) | ((p < -p_doubt) & (q < -q_doubt))
    sure = (abs(a) > a_doubt) & (abs(b) > b_doubt) & (abs(p) > p_doubt) & (abs(q) > q_doubt)
    return (1 - int(beside | short)) * (2 - int(sure))


@kernel(
    "void(float64[:, ::1], float64[:, ::1], uint8[::1], int32[::1], float64[:, ::1], "
    "int64, float64, float64, float64, uint8[::1])"
)
def follow(
    starts: Any,
    ends: Any,
    state: Any,
    first: Any,
    edges: Any,
    wide: int,
    width: float,
    height: float,
    per_unit: float,
    verdict: Any,
) -> None:
    """Write into ``verdict`` (n,) whether segments (n, 2) to (n, 2) meet the area of an ``EdgeGrid``.

    A segment that leaves the table is in doubt, and one that only passes cells on the outline and meets no edge: it may
    lie inside.
    """
    for i in range(len(starts)):
        px, py, qx, qy = starts[i, 0], starts[i, 1], ends[i, 0], ends[i, 1]
        verdict[i] = DOUBT
        if not (px >= 0.0 and px <= width and py >= 0.0 and py <= height):
            continue
        if not (qx >= 0.0 and qx <= width and qy >= 0.0 and qy <= height):
            continue
        dx, dy = qx - px, qy - py
        x, y = px * per_unit, py * per_unit
        column, row = int(x), int(y)
        u, v = qx * per_unit - x, qy * per_unit - y
        over, up, to_side, to_row, a_side, a_row = 1, wide, NEVER, NEVER, 0.0, 0.0
        if u > 0.0:
            a_side = 1.0 / u
            to_side = (column + 1 - x) * a_side
        elif u < 0.0:
            over, a_side = -1, -1.0 / u
            to_side = (x - column) * a_side
        if v > 0.0:
            a_row = 1.0 / v
            to_row = (row + 1 - y) * a_row
        elif v < 0.0:
            up, a_row = -wide, -1.0 / v
            to_row = (y - row) * a_row
        at = row * wide + column
        found, outside, met = FREE, False, False
        for _ in range(abs(int(qx * per_unit) - column) + abs(int(qy * per_unit) - row) + 1):
            if at < 0 or at >= len(state):
                found |= DOUBT
                break
            if state[at] == OUTSIDE:
                outside = True
            elif state[at] == INSIDE:
                met = True
            else:
                for k in range(first[at], first[at + 1]):
                    found |= crosses(px, py, dx, dy, qx, qy, edges[k, 0], edges[k, 1], edges[k, 2], edges[k, 3])
                met = found & MEETS != 0
            if met:
                break
            aside = to_side < to_row  # chosen without a branch, which the processor could not foretell
            at += over if aside else up
            next_side, next_row = to_side + a_side, to_row + a_row
            to_side, to_row = next_side if aside else to_side, to_row if aside else next_row
        if met:
            verdict[i] = MEETS
        elif found == FREE and outside:
            verdict[i] = FREE
