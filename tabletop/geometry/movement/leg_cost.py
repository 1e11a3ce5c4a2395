"""What it costs to move bases straight, without turning: the law of ``motion_cost`` for many legs at once.

A search for a way to fall back needs the cost of dozens of legs. They are computed from arrays of the bases' corners,
leg by base, without building a motion for each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from tabletop.geometry.base import AnyBase
from tabletop.geometry.distinct import distinct
from tabletop.geometry.measure import Point
from tabletop.geometry.movement.choke_exemption import Strip, crossed, passages
from tabletop.geometry.movement.crossing import met_along, windows_of
from tabletop.geometry.movement.ground import Ground
from tabletop.geometry.movement.leg_ground import Block, block_of, middle, past_passages
from tabletop.geometry.movement.motion import Motion, Slide
from tabletop.geometry.movement.motion_cost import CostModel, MoveCost, Toll, chokes_along, tolls
from tabletop.geometry.movement.stretches import Span, lines_spans, merged, outlines_spans
from tabletop.geometry.movement.sweep import STILL, edge_spans, edges_meet

#: A leg this nearly parallel to a leading edge (sine of the angle) slides along it.
ALONG = 1e-9


def straight_price(bases: Sequence[AnyBase], dx: float, dy: float, ground: Ground, cost_model: CostModel) -> MoveCost:
    """Return the cost of moving ``bases`` by the vector (dx, dy) without turning.

    ``cost_model.leading`` says which edge of each base leads: "rear" when falling back (TSE-INV-16). Every item is as
    in a move: the base longest in rough is charged (TSE-MOV-06), linear obstacles by the front edges.
    """
    return straight_toll(bases, dx, dy, ground, cost_model).price()


def straight_toll(bases: Sequence[AnyBase], dx: float, dy: float, ground: Ground, cost_model: CostModel) -> Toll:
    """Return what moving ``bases`` by (dx, dy) meets and costs: ``.affordable(budget)`` is how far a budget lasts.

    In table units (TSE-MOV-06, TSE-MOV-08).

    >>> from tabletop.geometry import Base, CostModel, Table, Terrain, ground_of
    >>> wood = Terrain.of_kind("wood", "woods", outline=[(0, 12), (20, 12), (20, 14), (0, 14)])
    >>> ground, prices = ground_of(Table.of("in", 20, 20, [wood])), CostModel(rough=2.0, linear=2.0, choke=1.0)
    >>> straight_toll([Base(10.0, 9.5, 0.0, 1.0, 1.0)], 0.0, 5.0, ground, prices).price().total
    7.0
    """
    return straight_tolls(bases, [((0.0, 0.0), (dx, dy))], ground, cost_model)[0]


def straight_tolls(
    bases: Sequence[AnyBase], legs: Sequence[tuple[Point, Point]], ground: Ground, cost_model: CostModel
) -> list[Toll]:
    """Return the toll of each leg: its start as a shift of ``bases``, and the vector they are moved by.

    In table units (TSE-MOV-06, TSE-MOV-08).

    >>> from tabletop.geometry import Base, CostModel, Table, ground_of
    >>> legs = [((0.0, 0.0), (0.0, 5.0)), ((0.0, 5.0), (3.0, 4.0))]
    >>> prices, ground = CostModel(rough=2.0, linear=2.0, choke=1.0), ground_of(Table.of("in", 20, 20, []))
    >>> [toll.price().total for toll in straight_tolls([Base(5.0, 5.0, 0.0, 1.0, 1.0)], legs, ground, prices)]
    [5.0, 5.0]
    """
    mid = middle(tuple(bases), cost_model.leading)
    block = block_of(tuple(bases))
    if block is not None and (cost_model.road == 1.0 or not ground.road):
        all_of_them = _Legs(block, legs, ground, cost_model, mid)
        if all_of_them.ahead():
            each_toll = all_of_them.tolls()
            near = np.flatnonzero(past_passages(block, mid, legs, ground).any(axis=1)).tolist()
            near = _meeting_exempt(block, mid, legs, near, ground, cost_model)
            over = [k for k in near if _over(block, mid, *legs[k], ground, cost_model)]
            motions = [_motion(bases, mid, *legs[k]) for k in over]
            for k, toll in zip(over, tolls(motions, ground, cost_model) if over else (), strict=True):
                each_toll[k] = toll
            return each_toll
    return tolls([_motion(bases, mid, *leg) for leg in legs], ground, cost_model)


def _meeting_exempt(
    block: Block,
    mid: Point,
    legs: Sequence[tuple[Point, Point]],
    chosen: Sequence[int],
    ground: Ground,
    cost_model: CostModel,
) -> list[int]:
    """Return those of the ``chosen`` legs that meet ground which a choke-point crosses: it exempts no others."""
    if not chosen:
        return []
    on = _Legs(block, [legs[k] for k in chosen], crossed(ground), cost_model, mid).tolls()
    return [k for k, toll in zip(chosen, on, strict=True) if any(toll.rough) or any(toll.linear)]


def _over(block: Block, mid: Point, at: Point, by: Point, ground: Ground, cost_model: CostModel) -> bool:
    """Return whether a leg leads over a choke-point that exempts it from something (TSE-MOV-09)."""
    guide = mid[0] + at[0], mid[1] + at[1]
    strip = Strip.of([base.moved(*at) for base in block.bases], guide, by, cost_model.leading, cost_model.t)
    return strip is not None and any(shapely.intersects(p.area, strip.line) for p in passages(ground))


def _motion(bases: Sequence[AnyBase], mid: Point, at: Point, by: Point) -> Motion:
    length = math.hypot(*by)
    placed = tuple(bases) if at == (0.0, 0.0) else tuple(b.moved(*at) for b in bases)
    start = mid[0] + at[0], mid[1] + at[1]
    way = (start, (start[0] + by[0], start[1] + by[1]))
    tracks = tuple((Slide(b, *by, length),) for b in placed)
    return Motion(tracks, way, (way,), length, 0.0, tuple(b.moved(*by) for b in placed), 0.0)


@dataclass(frozen=True, eq=False)
class _Legs:
    """Legs of one block of bases, and what they meet; arrays run leg by leg (n), within it base by base (m)."""

    block: Block
    legs: Sequence[tuple[Point, Point]]
    ground: Ground
    cost_model: CostModel
    mid: Point

    def tolls(self) -> list[Toll]:
        """Return the toll of each leg."""
        m, law = len(self.block.bases), self.cost_model
        rough, linear, chokes = self.rough(), self.linear(), self.chokes()
        return [
            Toll(
                length,
                law,
                tuple(merged(spans) for spans in rough[k * m : k * m + m]),
                (),
                tuple(linear[k * m : k * m + m]),
                chokes[k],
                (),
            )
            for k, length in enumerate(self.lengths)
        ]

    def ahead(self) -> bool:
        """Return whether each leg has a length and none runs along a leading edge: the usual case."""
        along = np.abs(self.ways @ self.block.forward.T) > ALONG * np.array(self.lengths)[:, None]
        return min(self.lengths) >= STILL and bool(along.all())

    @cached_property
    def at(self) -> np.ndarray:
        return np.array([at for at, _ in self.legs])

    @cached_property
    def ways(self) -> np.ndarray:
        return np.array([by for _, by in self.legs])

    @cached_property
    def lengths(self) -> list[float]:
        return [math.hypot(*by) for _, by in self.legs]

    @cached_property
    def corners(self) -> np.ndarray:
        """The bases' corners at the start of each leg, (n, m, 4, 2)."""
        return self.block.corners(self.at)

    @cached_property
    def edges(self) -> np.ndarray:
        """The leading edges at the start of each leg, (n m, 2, 2)."""
        edges = self.corners[:, :, :2] if self.cost_model.leading == "front" else self.corners[:, :, 2:]
        return edges.reshape(-1, 2, 2)

    # --- rough ground ---

    def rough(self) -> list[list[Span]]:
        """Return the stretches of each base of each leg in rough ground, leg by leg."""
        m, patches, law = len(self.block.bases), self.ground.rough, self.cost_model
        if not patches:
            return [[] for _ in range(m * len(self.legs))]
        ways, charges = np.repeat(self.ways, m, axis=0), np.repeat(self.lengths, m)
        if law.trace == "front_mid":
            return lines_spans(self.edges.mean(axis=1), ways, charges, patches)
        if law.trace == "footprint":
            corners = self.corners.reshape(-1, 4, 2)
            return outlines_spans(np.concatenate([corners, corners[:, :1]], axis=1), ways, charges, patches)
        return edge_spans(self.edges, ways, charges, patches)

    # --- obstacles and choke-points ---

    def linear(self) -> list[tuple[float, ...]]:
        """Return where each base of each leg meets linear obstacles, leg by leg."""
        m, patches, law = len(self.block.bases), self.ground.linear, self.cost_model
        contacts: list[tuple[float, ...]] = [()] * (m * len(self.legs))
        if not patches:
            return contacts
        ways, lengths = np.repeat(self.ways, m, axis=0), np.repeat(self.lengths, m)
        by = np.flatnonzero(edges_meet(self.edges, ways, patches, law.t))
        if len(by):
            edges, lengths = self.edges[by], lengths[by]
            units = ways[by] / lengths[:, None]
            windows = windows_of(edges, units, lengths, law.t)
            met = met_along(windows, edges.mean(axis=1), units, patches, law.t)
            for k, at in zip(by.tolist(), met, strict=True):
                contacts[k] = tuple(sorted(at))
        return contacts

    def chokes(self) -> list[tuple[float, ...]]:
        """Return where each leg enters choke-points."""
        patches, law = self.ground.choke, self.cost_model
        entries: list[tuple[float, ...]] = [()] * len(self.legs)
        if not patches or law.choke == 0.0:
            return entries
        starts, lengths = np.array(self.mid) + self.at, np.array(self.lengths)[:, None]
        back = self.ways / lengths * (2.0 * law.t)
        met = patches.near(np.asarray(shapely.linestrings(np.stack([starts - back, starts + self.ways], axis=1))))[0]
        for k in distinct(met).tolist():
            (sx, sy), (dx, dy) = starts[k].tolist(), self.legs[k][1]
            entries[k] = chokes_along(((sx, sy), (sx + dx, sy + dy)), [self.lengths[k]], patches, law)
        return entries
