"""The ground on which the cost of a straight leg depends: costs can be cached by it, whatever lies elsewhere.

A leg's cost depends on what its leading edges sweep (the whole bases, if those are traced), on the choke-points that
the middle enters, and on what these exempt. No rule looks farther than a few tolerances beyond the edges and their
path. A choke-point exempts a leg only if the leg meets an obstacle or rough ground that it crosses; then the exemption
depends on all of that ground and on the choke-point, however far off.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely

from tabletop.geometry.base import AnyBase, Base
from tabletop.geometry.measure import GRAZE, Point
from tabletop.geometry.movement.choke_exemption import ALONG, BEYOND, MORE, Passage, passages
from tabletop.geometry.movement.ground import Ground, Patches
from tabletop.geometry.movement.motion_cost import CostModel
from tabletop.geometry.movement.sweep import traced
from tabletop.geometry.shapes import hulls_about

#: How far around a leg (in tolerances) ground may affect its cost: more than any rule looks beyond edges and path.
ABOUT = 8.0


@lru_cache(maxsize=64)
def middle(bases: tuple[AnyBase, ...], leading: str) -> Point:
    """Return the mean of the middles of all leading edges (on the axis of a column), in table units (TSE-MOV-01).

    >>> from tabletop.geometry import Base
    >>> middle((Base(10.0, 9.5, 0.0, 1.0, 1.0), Base(11.0, 9.5, 0.0, 1.0, 1.0)), "front")
    (10.5, 10.0)
    """
    points = np.array([traced(b, "front_mid", leading)[0] for b in bases])
    x, y = points.mean(axis=0)
    return float(x), float(y)


@dataclass(frozen=True, eq=False)
class Block:
    """Rectangles that move together: centres (m, 2), facings (m, 2), and the offsets from centres to corners."""

    bases: tuple[Base, ...]
    centres: np.ndarray
    forward: np.ndarray
    ahead: np.ndarray
    aside: np.ndarray

    def corners(self, at: np.ndarray) -> np.ndarray:
        """Return the corners (n, m, 4, 2) of the bases shifted by each of ``at`` (n, 2): as ``Base.corners``."""
        rectangles: np.ndarray = ((self.centres + at[:, None])[:, :, None] + self.ahead) + self.aside
        return rectangles


@lru_cache(maxsize=64)
def block_of(bases: tuple[AnyBase, ...]) -> Block | None:
    """Return bases as arrays; None if one is round, or there are none."""
    whole = tuple(b for b in bases if isinstance(b, Base))
    if len(whole) < len(bases) or not bases:
        return None
    forward, right = np.array([b.forward for b in whole]), np.array([b.right for b in whole])
    lateral = np.array([(-b.frontage / 2, b.frontage / 2, b.frontage / 2, -b.frontage / 2) for b in whole])
    reach = np.array([(b.depth / 2, b.depth / 2, b.depth / 2 - b.depth, b.depth / 2 - b.depth) for b in whole])
    ahead, aside = reach[..., None] * forward[:, None], lateral[..., None] * right[:, None]
    return Block(whole, np.array([b.centre for b in whole]), forward, ahead, aside)


def past_passages(block: Block, mid: Point, legs: Sequence[tuple[Point, Point]], ground: Ground) -> np.ndarray:
    """Return for each leg (n) and each choke-point that crosses something (k) whether the strip's line may meet it.

    The line extends beyond the leg by no more than the bases do, seen along their fronts, plus the width of the front.
    """
    over = passages(ground)
    if not over:
        return np.zeros((len(legs), 0), bool)
    at, ways = np.array([at for at, _ in legs]), np.array([by for _, by in legs])
    units = ways / np.hypot(*ways.T)[:, None]
    turn = np.abs(units @ block.forward[0])
    spread = float(np.hypot(*(block.corners(np.zeros((1, 2))).reshape(-1, 2) - mid).T).max())
    far = (1.0 + 2.0 * BEYOND) * spread / np.maximum(turn, ALONG) + MORE + GRAZE
    beyond, starts = far[:, None] * units, at + mid
    lines = np.asarray(shapely.linestrings(np.stack([starts - beyond, starts + ways + beyond], axis=1)))
    areas = np.array([passage.area for passage in over], object)
    return np.asarray(shapely.dwithin(lines[:, None], areas[None, :], GRAZE))


def ground_about(
    bases: Sequence[AnyBase], legs: Sequence[tuple[Point, Point]], ground: Ground, cost_model: CostModel
) -> list[Hashable] | None:
    """Return for each leg a key of all that its cost depends on: equal keys mean equal costs; None if that is unknown.

    Legs are as in ``straight_tolls``, none of length 0. It is unknown for round bases, and where roads count
    (TSE-MOV-06, TSE-MOV-08).

    >>> from tabletop.geometry import Base, CostModel, Table, ground_of
    >>> legs = [((0.0, 0.0), (0.0, 5.0)), ((1.0, 0.0), (0.0, 5.0))]
    >>> prices, ground = CostModel(rough=2.0, linear=2.0, choke=1.0), ground_of(Table.of("in", 20, 20, []))
    >>> one, other = ground_about([Base(5.0, 5.0, 0.0, 1.0, 1.0)], legs, ground, prices)
    >>> one == other
    True
    """
    block = block_of(tuple(bases))
    if block is None or cost_model.road != 1.0:
        return None
    hulls = _carried_over(block, legs, cost_model)
    kinds = (ground.rough, ground.linear, ground.choke)
    rough, linear, choke = (_near(kind, hulls, ABOUT * cost_model.t) for kind in kinds)
    past = past_passages(block, middle(tuple(bases), cost_model.leading), legs, ground)
    keys: list[Hashable] = []
    for parts, by in zip(zip(rough, linear, choke, strict=True), past.tolist(), strict=True):
        over = [passage for passage, near in zip(passages(ground), by, strict=True) if near] if any(by) else ()
        exempt = tuple(_whole(passage, ground) for passage in over if _crosses_some(passage, *parts[:2]))
        keys.append((*map(_names, kinds, parts), exempt))
    return keys


def _carried_over(block: Block, legs: Sequence[tuple[Point, Point]], cost_model: CostModel) -> np.ndarray:
    """Return the convex ground (n,) swept by the traced edges, or bases, of each leg."""
    corners = block.corners(np.array([at for at, _ in legs]))
    if cost_model.trace != "footprint":
        corners = corners[:, :, :2] if cost_model.leading == "front" else corners[:, :, 2:]
    points, ways = corners.reshape(len(legs), -1, 2), np.array([by for _, by in legs])[:, None]
    return hulls_about(np.concatenate([points, points + ways], axis=1))


def _near(kind: Patches, hulls: np.ndarray, pad: float) -> list[list[int]]:
    """Return for each shape the indices of the parts of a kind of ground that come within ``pad`` of it."""
    parts_near: list[list[int]] = [[] for _ in hulls]
    if kind:
        for k, part in zip(*kind.tree.query(hulls, predicate="dwithin", distance=pad).tolist(), strict=True):
            parts_near[k].append(part)
    return [sorted(parts) for parts in parts_near]


def _crosses_some(passage: Passage, rough: Sequence[int], linear: Sequence[int]) -> bool:
    """Return whether a choke-point crosses some of this rough ground or some of these obstacles."""
    return not (set(passage.linear).isdisjoint(linear) and set(passage.rough).isdisjoint(rough))


def _whole(passage: Passage, ground: Ground) -> Hashable:
    """Return a key for a choke-point and everything it crosses."""
    return _named(passage.area.wkb), _names(ground.linear, passage.linear), _names(ground.rough, passage.rough)


def _names(kind: Patches, numbers: Sequence[int]) -> tuple[object, ...]:
    """Return keys for some parts of a kind of ground, by their shapes."""
    known: dict[int, object] = vars(kind).setdefault("_named", {})
    for k in numbers:
        if k not in known:
            known[k] = _named(kind.parts[k].wkb)
    return tuple(known[k] for k in numbers)


@lru_cache(maxsize=4096)
def _named(shape: bytes) -> object:
    """Return a key for a shape; after the cache drops it, the shape gets a new one."""
    return object()
