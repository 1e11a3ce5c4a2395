"""Who sees whom and what is seen, beside the usual ways: points every half inch, seventeen eyes.

``python -m benchmarks.own seeing`` prints times, ratios and errors, without kernels and with them; the full sweep of
tests holds the ratios to what they have been.
"""

from __future__ import annotations

import itertools
import math
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import shapely

from benchmarks import race_hooks
from benchmarks.bulk import Field, Race, field_of, kernels, race
from tabletop.geometry import fast
from tabletop.geometry.base import Base
from tabletop.geometry.measure import Point
from tabletop.geometry.shapes import joined
from tabletop.geometry.sight.field_of_view import eyes_along, ground_seen, views
from tabletop.geometry.sight.law import SightLaw
from tabletop.geometry.terrain import Table

#: Inches between points tried on fronts and rectangles; lines tried at a time, at first.
STEP, CHUNK = 0.5, 32
#: Eyes of those who look from a fixed number; inches between eyes for whom nothing to speak of is missed.
SEVENTEEN, DENSE = 17, 0.04


def pairs_of(field: Field, n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Return front edges (n, 2, 2) and rectangles (n, 4, 2) of units in the open, no farther than 30 in apart."""
    walls = shapely.union_all([shapely.Polygon(ring) for ring in field.blk])
    free = [base for base in field.units if not base.polygon.intersects(walls)]
    pairs = [(a, b) for a, b in itertools.permutations(free, 2) if 0.5 < a.polygon.distance(b.polygon) < 30.0]
    some = np.random.default_rng(2).permutation(len(pairs))[:n].tolist()
    return np.array([pairs[k][0].front_edge for k in some]), np.array([pairs[k][1].corners for k in some])


def sights_sampled(walls: Any, fronts: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Return the shortest line found between points every ``STEP`` that meets no wall, the shortest tried first."""
    found = np.full(len(fronts), np.inf)
    for k, (front, box) in enumerate(zip(fronts, boxes, strict=True)):
        a, b = _points(front, front[1:]), np.concatenate([_points(box[[i, (i + 1) % 4]], box[:0]) for i in range(4)])
        lines = np.stack([np.repeat(a, len(b), axis=0), np.tile(b, (len(a), 1))], axis=1)
        length = np.hypot(*(lines[:, 1] - lines[:, 0]).T)
        order, low, many = np.argsort(length), 0, CHUNK
        while low < len(order):
            some = order[low : low + many]
            clear = ~np.asarray(shapely.intersects(walls, shapely.linestrings(lines[some])))
            if clear.any():
                found[k] = length[some[clear.argmax()]]
                break
            low, many = low + many, 4 * many
    return found


def _points(side: np.ndarray, last: np.ndarray) -> np.ndarray:
    n = max(1, math.ceil(float(np.hypot(*(side[1] - side[0]))) / STEP))
    return np.concatenate([side[0] + (side[1] - side[0]) * (np.arange(n) / n)[:, None], last])


def race_sights(field: Field) -> Race:
    """Unit to unit past opaque outlines: exact, beside points every half inch."""
    fronts, boxes = pairs_of(field)
    table = race_hooks.w2_prep(field)
    walls = shapely.multipolygons([shapely.Polygon(ring) for ring in field.blk])
    shapely.prepare(walls)
    n = len(fronts)
    return race(lambda: race_hooks.w2(table, fronts, boxes), n, lambda: sights_sampled(walls, fronts, boxes), n)


def eyes_of(field: Field, n: int) -> list[Point]:
    """Return points in the open."""
    walls = shapely.union_all([shapely.Polygon(ring) for ring in field.blk])
    every = np.random.default_rng(3).uniform(0.0, (field.W, field.H), (4 * n, 2))
    free = every[~np.asarray(shapely.intersects_xy(walls, every[:, 0], every[:, 1]))]
    return [(float(x), float(y)) for x, y in free[:n]]


# --- whole fronts ----------------------------------------------------------------------------------------------------


def seventeen(fronts: Sequence[np.ndarray]) -> list[Point]:
    """Return seventeen eyes, evenly spaced along front edges laid end to end."""
    way = np.array([np.hypot(*(right - left)) for left, right in fronts])
    found = []
    for at in np.linspace(0.0, float(way.sum()), SEVENTEEN).tolist():
        k = min(int(np.searchsorted(np.cumsum(way), at)), len(way) - 1)
        left, right = fronts[k]
        x, y = left + (right - left) * min(1.0, (at - float(way[:k].sum())) / way[k])
        found.append((float(x), float(y)))
    return found


def fronts(table: Table, law: SightLaw, units: Sequence[tuple[Sequence[np.ndarray], np.ndarray]]) -> None:
    """Print how long it takes to tell what whole fronts see, beside seventeen eyes, and what share is missed.

    ``units``: front edges, and corners that look too. The truth is taken from eyes ``DENSE`` apart.
    """
    took: list[tuple[float, float]] = []
    missed: list[tuple[float, float]] = []
    eyes = []
    for edges, corners in units:
        ours, theirs = eyes_along(edges, corners), [*seventeen(edges), *((float(x), float(y)) for x, y in corners)]
        everything = _all_seen(table, [*eyes_along(edges, corners, DENSE), *ours], law)
        both = partial(_area_of_front, table, ours, law), partial(_all_seen, table, theirs, law)
        times, areas = zip(*(_timed(way) for way in both), strict=True)
        took.append(times)
        missed.append(tuple(100.0 * (1.0 - area / everything) for area in areas))
        eyes.append(len(ours))
    for k, name in enumerate(
        (f"whole front, {statistics.median(eyes):.0f} eyes in the median", "seventeen eyes and the corners")
    ):
        ms, lost = [1000.0 * both[k] for both in took], [both[k] for both in missed]
        print(
            f"   {name:40s} median {statistics.median(ms):7.1f}   worst {max(ms):7.1f} ms   "
            f"missed: median {statistics.median(lost):.2f}   worst {max(lost):.2f} %",
            flush=True,
        )
    print(f"   {'beside seventeen eyes':40s} {statistics.median(a / b for a, b in took):.2f} of the time")


def _area_of_front(table: Table, eyes: Sequence[Point], law: SightLaw) -> float:
    return float(shapely.area(ground_seen(table, eyes, law)))


def _all_seen(table: Table, eyes: Sequence[Point], law: SightLaw) -> float:
    """Return the area of all views together."""
    return float(shapely.area(joined(views(table, eyes, law))))


def _timed(way: Callable[[], float]) -> tuple[float, float]:
    """Return the processor time of an answer, the better of two, and its area."""
    best, area = math.inf, 0.0
    for _ in range(2):
        start = time.process_time()
        area = way()
        best = min(best, time.process_time() - start)
    return best, area


def _of_battle() -> tuple[Table, SightLaw, list[tuple[Sequence[np.ndarray], np.ndarray]]]:
    """Return the table of Quatre Bras, its law, and every second brigade."""
    from benchmarks.own import BATTLE, ROOT
    from tabletop.play.files.load import load_scene
    from tabletop.rules.tse.sight.ground_seen import looks_from
    from tabletop.rules.tse.sight.judge import law_of

    battle = load_scene(ROOT / BATTLE)
    troops = [unit for unit in battle.units if not unit.is_general]
    return battle.table, law_of(battle), [looks_from(unit) for unit in troops[::2]]


def _of_field(field: Field) -> tuple[Table, SightLaw, list[tuple[Sequence[np.ndarray], np.ndarray]]]:
    units: list[Base] = [base for base in field.units if field.table.edge.contains(base.polygon)]
    return field.table, SightLaw(), [([np.array(base.front_edge)], np.array(base.corners)) for base in units[:6]]


def seeing() -> None:
    """Print times, ratios and errors without kernels and with them."""
    for used in (False, True)[: 1 + fast.installed()]:
        with kernels(used):
            print(f"   {'with' if used else 'without'} kernels")
            for pieces in (40, 120):
                field = field_of(1, pieces, 60)
                found, name = race_sights(field), f"sights, unit to unit, {pieces} pieces"
                ratio = f"{found.ratio:8.1f} times points every half inch"
                print(f"{name:40s} {1e6 / found.a_second:9.1f} us   {ratio}", flush=True)
            print("   Quatre Bras, the whole law")
            fronts(*_of_battle())
            print("   a field of 40 pieces, the whole law")
            fronts(*_of_field(field_of(1, 40, 60)))
