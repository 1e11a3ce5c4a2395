"""Whether opaque walls alone close every line between two convex bodies, by a kernel."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tabletop.geometry.kernels.past_walls import DOUBT, NONE, shortest_lines
from tabletop.geometry.sight.obstruction import Bar, Floats


def closed_off(bars: Sequence[Bar], a: Floats, b: Floats) -> bool | None:
    """Return whether walls alone close every line between two convex bodies (k, 2) that meet neither each other nor
    them; None where only the plain way can tell, or there is no kernel."""
    quick = shortest_lines.ready()
    if quick is None or min(len(a), len(b)) < 2 or not bars:
        return None
    first = np.cumsum([0, *(len(bar.points) for bar in bars)])[:-1]
    points = np.concatenate([bar.points for bar in bars])
    before = np.concatenate([bar.before + k for bar, k in zip(bars, first, strict=True)])
    after = np.concatenate([bar.after + k for bar, k in zip(bars, first, strict=True)])
    verdict, line = np.zeros(1, np.uint8), np.empty((1, 4))
    quick(points, before, after, np.ascontiguousarray(a[None]), np.ascontiguousarray(b[None]), line, verdict)
    return None if verdict[0] == DOUBT else bool(verdict[0] == NONE)
