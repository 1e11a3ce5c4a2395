"""What advances over choke-points meet of the obstacles these cross, if those are all lines: many at once.

The law is that of ``choke_exemption``, which also handles choke-points that cross areas (a stream with rough banks).
Source: TSE-MOV-09.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.kernels import bridges as the
from tabletop.geometry.measure import GRAZE
from tabletop.geometry.movement.choke_exemption import Passage, passages
from tabletop.geometry.movement.ground import Ground, Opened
from tabletop.geometry.movement.swept_strips import Edges, Stretches, Strips

#: Ends of edges (m, 2), (m, 2), and where the edges of each shape begin (n + 1,).
Outlined = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class Bridges:
    """Choke-points that cross only lines: their ``areas``, the ``lines``, and the obstacle index of each line (k,).

    ``crosses`` (areas, k) says which choke-point crosses which line.
    """

    areas: Outlined
    lines: Outlined
    number: np.ndarray
    crosses: np.ndarray

    @classmethod
    def of(cls, ground: Ground) -> Bridges:
        """Return those of a ground; cached on its choke-points."""
        kept: dict[int, tuple[tuple[Passage, ...], Bridges]] = vars(ground.choke).setdefault("_bridges", {})
        every = passages(ground)
        if id(every) not in kept:
            kept[id(every)] = every, cls._of(ground, [passage for passage in every if lines_alone(passage, ground)])
        return kept[id(every)][1]

    @classmethod
    def _of(cls, ground: Ground, every: list[Passage]) -> Bridges:
        number = np.array(sorted({k for passage in every for k in passage.linear}), int)
        crosses = np.array([np.isin(number, passage.linear) for passage in every], np.uint8).reshape(
            len(every), len(number)
        )
        areas, lines = [passage.area for passage in every], [ground.linear.parts[k] for k in number]
        return cls(_outlined(areas), _outlined(lines), number, crosses)


def lines_alone(passage: Passage, ground: Ground) -> bool:
    """Return whether a choke-point crosses nothing but obstacles that are lines."""
    outline = ground.linear.outline
    return not passage.rough and not outline.solid[np.isin(outline.part, passage.linear)].any()


def _outlined(shapes: list[BaseGeometry]) -> Outlined:
    a, b, part, _ = Edges.of(shapes).each if shapes else (np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0, int), None)
    return np.ascontiguousarray(a), np.ascontiguousarray(b), np.searchsorted(part, np.arange(len(shapes) + 1))


def met_over(
    ground: Ground,
    origins: np.ndarray,
    u: np.ndarray,
    lengths: np.ndarray,
    sides: np.ndarray,
    behind: np.ndarray,
    law: tuple[float, ...],
) -> tuple[Stretches, np.ndarray]:
    """Return the stretches in which strips meet lines that choke-points partly exempt, and which lines (n, parts) those
    are.

    Strips as in ``Strips``; ``law``: the sides of the strip of the whole front, how far behind it begins, how much
    longer it is extended, and the gap below which two stretches count as one.
    """
    bridges, strips = Bridges.of(ground), len(sides)
    n, entries = len(lengths), len(bridges.areas[0]) // 2 + 2
    most = n * strips * (3 * len(bridges.lines[0]) + 2) * entries
    over = np.zeros((n, len(bridges.number)), np.uint8)
    strip, owner, low, high = np.empty(most, int), np.empty(most, int), np.empty(most), np.empty(most)
    origins, u, lengths, sides = map(np.ascontiguousarray, (origins, u, lengths, sides))
    left, right, rear, more, gap = law
    count = the.meet_over(
        the.Ways(origins, u, lengths),
        the.Strips(sides, behind),
        np.array([left, right, rear, more, GRAZE, gap]),
        the.Outlines(*bridges.areas),
        the.Outlines(*bridges.lines),
        bridges.crosses,
        the.Stretches(over, strip, owner, low, high),
    )
    met = np.zeros((n, len(ground.linear.parts)), bool)
    met[:, bridges.number] = over > 0
    return Stretches(strip[:count], low[:count], high[:count], bridges.number[owner[:count]]), met


def held_until(
    opened: tuple[Opened, ...], starts: np.ndarray, u: np.ndarray, half: float, back: float, t: float
) -> np.ndarray:
    """Return how far straight on columns (n,) may go that overhang impassable ground beside a choke-point or ford.

    Their rear must be clear of the ground before it leaves the choke-point (TSE-MOV-15); infinite for all others.
    Fronts ``half`` to each side and ``back`` deep begin at ``starts`` (n, 2) along unit ``u`` (n, 2).
    """
    limit, radius = np.full(len(u), np.inf), math.hypot(half, back)
    for opening in opened:
        near = np.flatnonzero(shapely.dwithin(opening.closed, shapely.points(starts), radius))
        if not len(near):
            continue
        strips = Strips(starts[near], u[near], np.zeros(len(near)), np.array([(-half, half)]), np.array([back]))
        closed, gap = (_foremost(strips, shape, len(near)) for shape in (opening.closed, opening.gaps))
        leaves = (closed > gap) & (closed > -np.inf)
        limit[near[leaves]] = np.minimum(limit[near[leaves]], np.maximum(gap[leaves] + back - 4.0 * t, 0.0))
    return limit


def _foremost(strips: Strips, shape: BaseGeometry, count: int) -> np.ndarray:
    """Return the farthest point ahead (count,) at which strips meet a shape; minus infinity if they do not."""
    met, farthest = strips.meeting(Edges.of([shape])), np.full(count, -np.inf)
    np.maximum.at(farthest, met.strip, met.high)
    return farthest
