"""The ground of sight as the lists of numbers that the kernel ``sight.look`` goes through, kept with it once made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import shapely

from tabletop.geometry.sight_ground import AT_EDGE, Floats, Ground


@dataclass(frozen=True, eq=False)
class PackedGround:
    """Bars as the kernel takes them; ``levels`` are all an end can stand on, from 0."""

    boxes: Floats
    bars: np.ndarray
    hills: np.ndarray
    points: Floats
    after: np.ndarray
    edges: Floats
    levels: int
    _factors: dict[bool, Floats] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, ground: Ground) -> PackedGround:
        boxes, bars, points, after, edges = [], [], [np.zeros((0, 2))], [np.zeros(0, int)], [np.zeros((0, 4))]
        vertex = edge = 0
        for bar in ground.bars:
            closed = _edges_of(bar.grown) if bar.hill else np.zeros((0, 4))
            x0, y0, x1, y1 = bar.bounds
            half = (x1 - x0) / 2, (y1 - y0) / 2
            boxes.append(((x0 + x1) / 2, (y0 + y1) / 2, *half, x0, y0, x1, y1, bar.see_through))
            ends = vertex + len(bar.points), edge + len(closed)
            bars.append((bar.level, bar.hill, vertex, ends[0], edge, ends[1]))
            points.append(bar.points)
            after.append(bar.after + vertex)
            edges.append(closed)
            vertex, edge = ends
        return cls(
            np.ascontiguousarray(np.array(boxes, np.float64).reshape(-1, 9).T),
            np.array(bars, np.int64).reshape(-1, 6),
            np.array([bar.index for bar in ground.hills], np.int64),
            np.concatenate(points),
            np.concatenate(after).astype(np.int64),
            np.concatenate(edges),
            1 + max((bar.level for bar in ground.hills), default=0),
        )

    def factors(self, ground: Ground, law: Any) -> Floats:
        """Return the law's factor by bar and by the levels of the higher and the lower end, (b, levels, levels)."""
        if law.deep_shadow not in self._factors:
            hi, lo = np.meshgrid(np.arange(self.levels), np.arange(self.levels), indexing="ij")
            found = [law.factor(bar.level, bar.hill, hi, lo) for bar in ground.bars]
            self._factors[law.deep_shadow] = np.array(found, np.float64).reshape(-1, self.levels, self.levels)
        return self._factors[law.deep_shadow]


def lists_of(ground: Ground, law: Any) -> tuple[np.ndarray, ...]:
    """Return what kernels take of a ground under a ``SightLaw``: boxes, bars, hills, factors, vertices, which follows
    which, and the edges of closed areas."""
    packed = ground.__dict__.get("_packed") or ground.__dict__.setdefault("_packed", PackedGround.of(ground))
    factors = packed.factors(ground, law)
    return packed.boxes, packed.bars, packed.hills, factors, packed.points, packed.after, packed.edges


def numbers_of(law: Any, t: float, joint: float, either_way: bool) -> tuple[Floats, np.ndarray]:
    """Return what kernels take of a law: its lengths, and its rulings."""
    rulings = law.hills_block, law.own_hill_exempt, law.crest_edge, law.thin_wood_transparent, either_way
    return np.array([t, max(t, AT_EDGE), joint, law.budget, law.crest]), np.array(rulings)


def looked(
    run: Callable[..., Any],
    ground: Ground,
    starts: Floats,
    ends: Floats,
    law: Any,
    t: float,
    joint: float,
    either_way: bool,
) -> np.ndarray:
    """Return the kernel's verdicts (n,) on lines from ``starts`` to ``ends`` (n, 2) under a ``SightLaw``."""
    verdict = np.empty(len(starts), np.uint8)
    p, q = (np.require(xy, np.float64, ["C", "W"]) for xy in (starts, ends))
    run(p, q, *lists_of(ground, law), *numbers_of(law, t, joint, either_way), verdict)
    return verdict


def _edges_of(area: shapely.Geometry) -> Floats:
    """Return the edges (e, 4) of a (multi)polygon's outlines, each x, y, x, y."""
    xy, ring = shapely.get_coordinates(shapely.get_parts(shapely.boundary(area)), return_index=True)
    same = ring[1:] == ring[:-1]
    return np.ascontiguousarray(np.hstack([xy[:-1], xy[1:]])[same])
