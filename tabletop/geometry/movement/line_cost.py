"""The cost of a straight line, measured by itself, without a body (TSE-ASL-06), and what it meets at its end."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import shapely

from tabletop.geometry.base import Disc
from tabletop.geometry.measure import GRAZE, SAME_PLACE, Point
from tabletop.geometry.movement.choke_exemption import BEYOND, MORE, Strip, passages, without_exempt
from tabletop.geometry.movement.crossing import met_along, slide_contacts
from tabletop.geometry.movement.ground import NOTHING, Ground, Patches
from tabletop.geometry.movement.motion import Slide
from tabletop.geometry.movement.motion_cost import CostModel, MoveCost, Toll
from tabletop.geometry.movement.stretches import Span, lines_spans


def line_cost(start: Point, end: Point, ground: Ground, cost_model: CostModel) -> MoveCost:
    """Return the cost of a straight line measured by itself, without bases or roads (TSE-ASL-06).

    It is the length, plus what lies in rough ground, plus each linear obstacle and choke-point the line crosses; on a
    choke-point nothing that it crosses counts (TSE-MOV-09).

    >>> from tabletop.geometry import Table, CostModel, Terrain, ground_of, line_cost
    >>> wood = Terrain.of_kind("wood", "woods", outline=[(8, 6), (12, 6), (12, 8), (8, 8)])
    >>> ground = ground_of(Table.of("in", 20, 20, [wood]))
    >>> line_cost((10.0, 4.0), (10.0, 10.0), ground, CostModel(rough=2.0, linear=2.0, choke=1.0)).total
    8.0
    """
    return line_tolls(start, np.array([end]), ground, cost_model)[0].price()


def line_tolls(start: Point, ends: np.ndarray, ground: Ground, cost_model: CostModel) -> list[Toll]:
    """Return the toll of the straight line from ``start`` to each of ``ends`` (n, 2), measured by itself as above."""
    starts, ways = np.broadcast_to(np.array(start), ends.shape), ends - np.array(start)
    lengths = np.array([math.hypot(*way) for way in ways.tolist()])
    each_toll = [Toll(length, cost_model, (), (), (), (), ()) for length in lengths.tolist()]
    real = np.flatnonzero(lengths > 1e-12)
    if not len(real):
        return each_toll
    over = {k: own for k, own in _grounds_over(start, ways, lengths, ground, cost_model) if own is not ground}
    alike = real[~np.isin(real, list(over))]
    each = [(own, np.array([k])) for k, own in over.items()]
    for own, indices in (*([(ground, alike)] if len(alike) else []), *each):
        met = _lines_met(starts[indices], ways[indices], lengths[indices], own, cost_model)
        for k, rough, linear, choke in zip(indices.tolist(), *met, strict=True):
            each_toll[k] = replace(each_toll[k], rough=(tuple(rough),), linear=(tuple(linear),), choke=tuple(choke))
    return each_toll


def _grounds_over(
    start: Point, ways: np.ndarray, lengths: np.ndarray, ground: Ground, cost_model: CostModel
) -> Iterator[tuple[int, Ground]]:
    """Yield the indices of lines that pass over choke-points, with the ground less what these exempt."""
    over, t = passages(ground), cost_model.t
    real = np.flatnonzero(lengths > 0.0)
    if not over or not len(real):
        return
    units = ways[real] / lengths[real, None]
    more = BEYOND * 2.0 * t + MORE
    ends = np.stack([np.array(start) - more * units, np.array(start) + (lengths[real, None] + more) * units], axis=1)
    lines = np.asarray(shapely.linestrings(ends))
    near = np.any([shapely.dwithin(passage.area, lines, GRAZE) for passage in over], axis=0)
    for k, (ux, uy) in zip(real[near].tolist(), units[near].tolist(), strict=True):
        yield k, without_exempt(ground, Strip.about(start, (ux, uy), (uy, -ux), -t, t, 0.0, float(lengths[k])))


def _lines_met(
    starts: np.ndarray, ways: np.ndarray, lengths: np.ndarray, ground: Ground, cost_model: CostModel
) -> tuple[list[list[Span]], list[list[float]], list[list[float]]]:
    """Return the stretches of straight lines in rough ground, and where they meet obstacles and choke-points."""
    t, units = cost_model.t, ways / lengths[:, None]
    ends = np.stack([starts - 2.0 * t * units, starts + (lengths - t)[:, None] * units], axis=1)
    windows = np.asarray(shapely.linestrings(ends))

    def met(patches: Patches) -> list[list[float]]:
        return met_along(windows, starts, units, patches, t) if patches else [[] for _ in lengths]

    rough = lines_spans(starts, ways, lengths, ground.rough) if ground.rough else [list[Span]() for _ in lengths]
    return rough, met(ground.linear), met(ground.choke if cost_model.choke else NOTHING)


def ending_on(start: Point, end: Point, obstacles: Patches, t: float) -> int:
    """Return how many obstacles a line meets at its very end, within ``t``, and does not cross before (TSE-MOV-08).

    Points and ``t`` are in table units.

    >>> from tabletop.geometry import Table, Terrain, ground_of
    >>> wall = Terrain.of_kind("wall", "wall", line=[(0, 12), (20, 12)])
    >>> linear = ground_of(Table.of("in", 20, 20, [wall])).linear
    >>> ending_on((10.0, 8.0), (10.0, 12.0), linear, 0.005), ending_on((10.0, 8.0), (10.0, 11.0), linear, 0.005)
    (1, 0)
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    if length <= SAME_PLACE:
        return int(np.count_nonzero(shapely.dwithin(obstacles.parts, shapely.Point(end), t)))
    more = 1.0 + 2.0 * t / length
    to, beyond = (
        Slide(Disc(*start, 0.0), dx, dy, length),
        Slide(Disc(*start, 0.0), dx * more, dy * more, length + 2.0 * t),
    )
    met = (len(slide_contacts(way, obstacles, t, line_only=True)) for way in (beyond, to))
    return next(met) - next(met)


def stretched(start: Point, end: Point, t: float) -> shapely.LineString:
    """Return a straight line extended to 2t behind its start and ``t`` beyond its end; unchanged if it has no length.

    In table units (TSE-MOV-08).

    >>> stretched((0.0, 0.0), (0.0, 4.0), 0.5).bounds
    (0.0, -1.0, 0.0, 4.5)
    """
    length = math.dist(start, end)
    ux, uy = ((end[0] - start[0]) / length, (end[1] - start[1]) / length) if length > SAME_PLACE else (0.0, 0.0)
    back, ahead = -2.0 * t, length + t
    return shapely.LineString([(start[0] + at * ux, start[1] + at * uy) for at in (back, ahead)])
