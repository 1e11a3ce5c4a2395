"""How far fronts may advance before they are too near to edges, pair by pair: the arithmetic of ``contact``."""

import math
from typing import Any

from tabletop.geometry.fast import kernel, part


@part
def clear_until(fa: float, la: float, fb: float, lb: float, half: float, keep: float) -> float:
    """Return how far a front may go before it is too near to an edge, whose ends lie so far ahead and to the right."""
    lane, df, dl, lo, hi = half + keep - 1e-9, fb - fa, lb - la, 0.0, 1.0
    for k in range(3):
        value = fa if k == 0 else lane - la if k == 1 else lane + la
        rate = df if k == 0 else -dl if k == 1 else dl
        if rate > 0.0:
            lo = max(lo, -value / rate)
        elif rate < 0.0:
            hi = min(hi, -value / rate)
        elif value < 0.0:
            return math.inf
    if lo > hi:
        return math.inf
    if keep == math.inf:
        return 0.0
    best = math.inf
    for k in range(5):
        share = lo if k == 0 else hi
        if k > 1:
            if dl == 0.0:
                continue
            side = half if k == 2 else -half
            if k == 4:
                slope = df / dl
                tangent = abs(slope) / math.hypot(1.0, slope) * keep
                side = half + tangent if slope < 0.0 else -half - tangent
            share = min(max((side - la) / dl, lo), hi)
        beyond = max(0.0, abs(la + share * dl) - half)
        best = min(best, fa + share * df - math.sqrt(max(0.0, keep * keep - beyond * beyond)))
    return max(best, 0.0)


@kernel(
    "void(float64[:, ::1], float64[:, ::1], float64, float64[:, ::1], float64[:, ::1], float64[::1], "
    "int64[::1], int64[::1], float64[::1])"
)
def nearest(origin: Any, u: Any, half: float, starts: Any, ends: Any, keep: Any, i: Any, e: Any, found: Any) -> None:
    """Lower ``found`` (n,) to how far each front may go past the edges paired with it."""
    for k in range(len(i)):
        n, m = i[k], e[k]
        ux, uy, d = u[n, 0], u[n, 1], keep[m]
        ax, ay = starts[m, 0] - origin[n, 0], starts[m, 1] - origin[n, 1]
        bx, by = ends[m, 0] - origin[n, 0], ends[m, 1] - origin[n, 1]
        fa, la, fb, lb = ax * ux + ay * uy, ax * uy - ay * ux, bx * ux + by * uy, bx * uy - by * ux
        ahead, wide = max(fa, fb) >= 0.0 and min(fa, fb) - d < found[n], half + d
        if ahead and min(la, lb) < wide and max(la, lb) > -wide:
            found[n] = min(found[n], clear_until(fa, la, fb, lb, half, d))
