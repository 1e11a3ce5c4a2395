"""From where to where shapes lie in lanes: the arithmetic of ``spread``."""

from typing import Any

from tabletop.geometry.fast import kernel


@kernel(
    "void(float64[:, ::1], float64[:, ::1], float64, float64[:, ::1], float64[:, ::1], int64[::1], int64[::1], "
    "int64[::1], float64[:, ::1], float64[:, ::1])"
)
def extents(
    origins: Any, along: Any, half: float, a: Any, b: Any, shape: Any, i: Any, e: Any, low: Any, high: Any
) -> None:
    """Widen ``low`` to ``high`` (n, shapes): from where to where ahead each shape lies in lanes ``half`` to each side.

    Of pairs (origin, edge) ``i``, ``e`` (p,); edges run from ``a`` to ``b`` (m, 2), ``shape`` (m,) tells of which each.
    """
    left, right = -half + 1e-9, half - 1e-9
    for k in range(len(i)):
        o, m = i[k], e[k]
        ux, uy = along[o, 0], along[o, 1]
        ax, ay = a[m, 0] - origins[o, 0], a[m, 1] - origins[o, 1]
        bx, by = b[m, 0] - origins[o, 0], b[m, 1] - origins[o, 1]
        la, lb = ax * uy - ay * ux, bx * uy - by * ux
        if max(la, lb) > left and min(la, lb) < right:
            fa, fb = ax * ux + ay * uy, bx * ux + by * uy
            one, other = fa, fb
            if la != lb:
                one = fa + min(max((-half - la) / (lb - la), 0.0), 1.0) * (fb - fa)
                other = fa + min(max((half - la) / (lb - la), 0.0), 1.0) * (fb - fa)
            low[o, shape[m]] = min(low[o, shape[m]], one, other)
            high[o, shape[m]] = max(high[o, shape[m]], one, other)
