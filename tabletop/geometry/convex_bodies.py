"""Arrays of convex bodies, and where lines enter and leave them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Floats = np.ndarray[Any, np.dtype[np.float64]]
Ints = np.ndarray[Any, np.dtype[np.int64]]

#: A line within this angle (radians) of a side counts as parallel to it: its crossing would be rounding.
PARALLEL = 1e-12


@dataclass(frozen=True, eq=False)
class Bodies:
    """Convex bodies, one per row or one for all rows: corners (n or 1, k, 2), and the outward unit normals (n or 1, m,
    2) and offsets (n or 1, m) of their sides. A body is where normal . x <= offset."""

    points: Floats
    normals: Floats
    levels: Floats

    @classmethod
    def of(cls, points: Floats) -> Bodies:
        """Return the bodies of segments (n, 2, 2), or of polygons (n, k, 2) with counter-clockwise corners."""
        way = np.roll(points, -1, axis=1) - points
        length = np.hypot(way[..., 0], way[..., 1])[..., None]
        u = np.divide(way, length, out=np.zeros_like(way), where=length > 0)
        normals = np.stack([u[..., 1], -u[..., 0]], axis=-1)
        if points.shape[1] == 2:  # the ends of a segment are sides too
            normals = np.concatenate([normals, u], axis=1)
        levels = np.einsum("nkc,nmc->nmk", points, normals).max(-1)
        return cls(points, normals, levels)

    def take(self, rows: Any) -> Bodies:
        """Return the bodies of some rows."""
        if len(self.points) == 1:
            return self
        return Bodies(self.points[rows], self.normals[rows], self.levels[rows])

    def enter(self, v: Floats, u: Floats) -> tuple[Floats, Ints]:
        """Return where lines v (n, 2) + s u, with u (n, 2) or (n, j, 2), enter the bodies: s, and the index of the
        side."""
        s, rate = self._cuts(v, u)
        s[rate >= -PARALLEL] = -np.inf
        first = s.argmax(-1)
        return np.take_along_axis(s, first[..., None], -1)[..., 0], first

    def leave(self, v: Floats, u: Floats) -> tuple[Floats, Ints]:
        """Return where lines leave the bodies, as ``enter`` does."""
        s, side = self.enter(v, -u)
        return -s, side

    def side(self, k: Ints, v: Floats) -> tuple[Floats, Floats]:
        """Return the normals (n, 2) of sides ``k`` (n,), and their distances (n,) from v."""
        row = np.arange(len(k)) if len(self.points) > 1 else np.zeros(len(k), int)
        normal = self.normals[row, k]
        return normal, self.levels[row, k] - (normal * v).sum(1)

    def _cuts(self, v: Floats, u: Floats) -> tuple[Floats, Floats]:
        normals, gap = self.normals, self.levels - self._along(v)
        if u.ndim == 3:
            normals, gap = normals[:, None], gap[:, None]
        rate = u[..., None, 0] * normals[..., 0] + u[..., None, 1] * normals[..., 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            return gap / rate, rate

    def _along(self, v: Floats) -> Floats:
        projections: Floats = v[:, None, 0] * self.normals[..., 0] + v[:, None, 1] * self.normals[..., 1]
        return projections
