"""The shortest line over a unit in the way, from a hill: beside lines drawn at random, and the same however turned."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
import shapely
from shapely import affinity

from tabletop.geometry.sight.law import InterveningUnit, SightLaw, clear, ground_of, normalised
from tabletop.geometry.sight.search import WORTH_OVER
from tabletop.geometry.sight.shortest import Search
from tabletop.geometry.terrain import Table, Terrain

SIZE = 24.0
LAW = SightLaw()
TURNS = (0.0, 90.0, 203.0)


@dataclass(frozen=True)
class Shot:
    """A front on a hill, units below it that must be passed over, and a target behind them."""

    front: shapely.Geometry
    target: shapely.Geometry
    intervening: tuple[shapely.Geometry, ...]
    hill: shapely.Geometry

    def turned(self, degrees: float) -> Shot:
        def turn(shape: shapely.Geometry) -> shapely.Geometry:
            found: shapely.Geometry = affinity.rotate(shape, degrees, origin=(SIZE / 2, SIZE / 2))
            return found

        intervening = tuple(turn(shape) for shape in self.intervening)
        return Shot(turn(self.front), turn(self.target), intervening, turn(self.hill))

    def table(self) -> Table:
        outline = [(x, y) for x, y in shapely.get_coordinates(self.hill)[:-1].tolist()]
        return Table.of("in", SIZE, SIZE, [Terrain.of_kind("hill", "hill", outline=outline, level=1)])

    def search(self) -> Search:
        intervening = tuple(InterveningUnit(shape, 0, 0.5, f"unit{k}") for k, shape in enumerate(self.intervening))
        return Search(self.table(), self.front, self.target, LAW, intervening)


def box(x: float, y: float, w: float, h: float, turn: float) -> shapely.Geometry:
    found: shapely.Geometry = affinity.rotate(shapely.box(x - w / 2, y - h / 2, x + w / 2, y + h / 2), turn)
    return found


def shot(seed: int) -> Shot:
    """Return a battery's shot over a line of friends at a base; ``seed`` moves them about a little."""
    rng = np.random.default_rng(seed)

    def about(length: float) -> float:
        return float(rng.uniform(-length, length)) if seed else 0.0

    (x, y), degrees = (12.196 + about(0.3), 14.413), -5.033 + about(3.0)
    way = np.array([np.cos(np.radians(-degrees)), -np.sin(np.radians(-degrees))]) / 2
    front = shapely.LineString([(x - way[0], y - way[1]), (x + way[0], y + way[1])])
    friends = box(11.405 + about(0.3), 11.865 + about(0.2), 3.0, 0.75, -5.630 + about(2.0))
    target = box(12.1266 + about(0.4), 8.5967 + about(0.3), 1.0, 0.75, 51.555 + about(10.0))
    return Shot(front, target, (friends,), shapely.box(10.0, 13.8, 14.5, 16.5))


def drawn(search: Search, rng: np.random.Generator) -> float:
    """Return the length of the shortest clear line of many drawn at random, then more and more closely about it."""
    box_ = np.array(shapely.bounds(search.b))
    ends = shapely.get_coordinates(search.a)
    best, share, point, wide = np.inf, np.array(0.5), (box_[:2] + box_[2:]) / 2, 1.0
    for k in range(40):
        n = 6000 if k < 4 else 1500
        u = np.clip(share + wide * rng.uniform(-0.5, 0.5, n), 0.0, 1.0) if k >= 4 else rng.uniform(0.0, 1.0, n)
        q = point + wide * (box_[2:] - box_[:2]) * rng.uniform(-0.5, 0.5, (n, 2))
        if k % 2:
            q = shapely.get_coordinates(shapely.shortest_line(shapely.points(q), shapely.boundary(search.b)))[1::2]
        p = ends[0] + u[:, None] * (ends[1] - ends[0])
        length = np.hypot(*(q - p).T)
        ok = shapely.intersects_xy(shapely.buffer(search.b, 1e-12), q[:, 0], q[:, 1]) & (length < best)
        kept = np.nonzero(ok)[0]
        if len(kept):
            kept = kept[clear(ground_of(search.table), *normalised(p[kept], q[kept]), LAW, search.intervening, 0.0)]
        if len(kept):
            m = kept[length[kept].argmin()]
            best, share, point = float(length[m]), u[m], q[m]
        elif k >= 4:
            wide *= 0.75
    return float(best)


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.sweep) for seed in range(4, 8))])
def test_no_line_drawn_is_shorter(seed: int) -> None:
    """TSE-FIR-10, TSE-FIR-12: where both rims of the corridor and the target's far side meet, too."""
    search = shot(seed).search()
    found, _ = search.answer()
    best = drawn(search, np.random.default_rng(seed))
    assert (found is None and best == np.inf) or (found is not None and found <= best + 1e-5)


@pytest.mark.parametrize("seed", range(8))
def test_the_answer_is_the_same_however_the_table_is_turned(seed: int) -> None:
    found = [shot(seed).turned(turn).search().answer()[0] for turn in TURNS]
    assert found == [pytest.approx(found[0], abs=WORTH_OVER)] * len(TURNS) if found[0] is not None else not any(found)
