"""Random ground is fair, sound, the same for a seed, and no mirror image: measured anew from its file."""

from __future__ import annotations

import heapq
import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import shapely
import shapely.affinity

from tabletop import cli
from tabletop.geometry.terrain import Table
from tabletop.play.files.opened import open_table
from tabletop.play.random_ground.landscape import Landscape, landscape
from tabletop.play.random_ground.plan import DEEP, Wanted
from tabletop.play.random_ground.text import map_text

#: The step (inches) of the search that measures ways here; what an inch of rough ground costs, and a brook.
STEP, ROUGH, BROOK = 0.5, 2.0, 0.5


def laid(found: Landscape, folder: Path) -> Table:
    """Return the table that its file makes."""
    path = folder / "ground.yaml"
    path.write_text(map_text(found), encoding="utf-8")
    return open_table(path).table


def ways(table: Table, goal: tuple[float, float]) -> np.ndarray:
    """Return the cost of the cheapest way from every point of a grid to a goal: Dijkstra's search, eight directions."""
    columns, rows = round(table.width / STEP) + 1, round(table.height / STEP) + 1
    x, y = (axis.ravel() for axis in np.meshgrid(np.arange(columns) * STEP, np.arange(rows) * STEP))
    price = np.ones(len(x))
    for piece in table.terrain:
        if piece.movement in ("rough", "town"):
            price[shapely.intersects_xy(piece.shape, x, y)] = ROUGH
        if piece.movement == "linear":
            price[shapely.distance(piece.shape, shapely.points(x, y)) <= STEP / 2] += BROOK / STEP
        assert piece.movement != "impassable"
    wide = np.pad(price.reshape(rows, columns), 1, constant_values=math.inf)
    prices, across = wide.ravel().tolist(), columns + 2
    legs = [(down * across + over, math.hypot(down, over) * STEP / 2) for down in (-1, 0, 1) for over in (-1, 0, 1)]
    best = [math.inf] * len(prices)
    i, j = int(goal[0] / STEP), int(goal[1] / STEP)
    for column, row in ((i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)):
        here = (row + 1) * across + column + 1
        best[here] = math.dist(goal, (column * STEP, row * STEP)) * prices[here]
    queue = sorted((cost, here) for here, cost in enumerate(best) if math.isfinite(cost))
    while queue:
        cost, here = heapq.heappop(queue)
        if cost > best[here]:
            continue
        for leg, half in legs:
            new = cost + half * (prices[here] + prices[here + leg])
            if new < best[here + leg]:
                best[here + leg] = new
                heapq.heappush(queue, (new, here + leg))
    return np.array(best).reshape(rows + 2, across)[1:-1, 1:-1]


def shares(table: Table, shapes: list[shapely.Geometry]) -> tuple[float, float]:
    middle = table.height / 2
    whole = shapely.union_all(shapes)
    south = whole.intersection(shapely.box(0, 0, table.width, middle)).area
    return south, whole.area - south


def differ(pair: tuple[float, float]) -> float:
    return abs(pair[0] - pair[1]) / max(pair) if max(pair) else 0.0


def check(found: Landscape, folder: Path, oracle: bool = True) -> None:
    """Check one landscape by its file alone."""
    table = laid(found, folder)
    pieces = table.terrain
    for piece in pieces:
        assert piece.whole is None or piece.line is not None, f"{piece.id} hangs over the edge"
        assert piece.line is None or table.edge.buffer(1e-6).covers(piece.line), f"{piece.id} leaves the table"
    solid = [p for p in pieces if p.kind in ("woods", "town", "marsh")]
    for a, b in combinations(solid, 2):
        assert not a.shape.intersects(b.shape), f"{a.id} lies on {b.id}"
    for a, b in combinations([p for p in pieces if p.is_hill and p.level == 1], 2):
        assert not a.shape.intersects(b.shape), f"{a.id} lies on {b.id}"
    for brook in [p for p in pieces if p.kind == "stream"]:
        assert not any(brook.shape.intersects(p.shape) for p in solid)
        crossings = [p.shape for p in pieces if p.kind in ("bridge", "ford")]
        for road in [p.line for p in pieces if p.kind in ("road", "track") and p.line is not None]:
            meetings = shapely.get_parts(road.intersection(brook.line))
            assert all(any(c.intersects(at) for c in crossings) for at in meetings if not at.is_empty), (
                "a road has no bridge"
            )
    cover = shares(table, [p.shape for p in pieces if p.kind in ("woods", "town")])
    high = shares(table, [p.shape for p in pieces if p.is_hill])
    assert differ(cover) <= 0.1 and differ(high) <= 0.1, (cover, high)
    assert min(cover) > 0 and min(high) > 0
    _no_mirror(table)
    assert 2 <= len(found.objectives) <= 3
    for objective in found.objectives if oracle else ():
        cost = ways(table, objective.at)
        row, aside = round(DEEP * table.height / STEP), round(0.12 * table.width / STEP)
        south, north = (float(np.mean(cost[at, aside:-aside])) for at in (row, -1 - row))
        assert math.isfinite(south + north), f"{objective.name} is out of reach"
        assert differ((south, north)) <= 0.1, (objective.name, south, north)


def _no_mirror(table: Table) -> None:
    """The ground has little in common with its image in either axis, or turned half round."""
    ground = shapely.union_all([p.shape for p in table.terrain if p.kind in ("hill", "woods", "town")])
    for east, north in ((1, -1), (-1, 1), (-1, -1)):
        image = shapely.affinity.scale(ground, east, north, origin=(table.width / 2, table.height / 2))
        assert ground.intersection(image).area < 0.7 * ground.union(image).area


@pytest.mark.parametrize("seed", [1, 4, 13, *(pytest.param(seed, marks=pytest.mark.sweep) for seed in (7, 20))])
def test_ground_is_fair(seed: int, tmp_path: Path) -> None:
    check(landscape(Wanted(seed)), tmp_path, oracle=seed < 10)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(200))
def test_ground_of_two_hundred_seeds_is_fair(seed: int, tmp_path: Path) -> None:
    found = landscape(Wanted(seed))
    assert found.measures.worst <= 0.1
    check(found, tmp_path)


@pytest.mark.sweep
@pytest.mark.parametrize("size", [(24.0, 24.0), (36.0, 28.0), (60.0, 44.0), (84.0, 60.0)])
@pytest.mark.parametrize("seed", range(10))
def test_ground_of_any_size_is_fair(seed: int, size: tuple[float, float], tmp_path: Path) -> None:
    check(landscape(Wanted(seed, *size)), tmp_path)


@pytest.mark.parametrize("size", [(24.0, 24.0), pytest.param((36.0, 28.0), marks=pytest.mark.sweep)])
def test_a_seed_makes_the_same_ground_and_another_seed_another(size: tuple[float, float]) -> None:
    small = [map_text(landscape(Wanted(seed, *size))) for seed in (3, 3, 5)]
    assert small[0] == small[1] != small[2]


def test_ground_in_millimetres_is_the_same_ground(tmp_path: Path) -> None:
    found = landscape(Wanted(3, 36.0, 28.0))
    path = tmp_path / "ground.yaml"
    path.write_text(map_text(found, "mm"), encoding="utf-8")
    table = open_table(path).table
    assert (table.unit, table.width, table.height) == ("mm", 914.0, 711.0)
    woods = sum(p.shape.area for p in table.terrain if p.kind == "woods")
    inches = sum(p.shape.area for p in found.table.terrain if p.kind == "woods")
    assert woods / 25.4**2 == pytest.approx(inches, rel=0.02)


def test_the_command_writes_a_map_that_is_sound(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "field.yaml"
    words = ["ground", "--seed", "3", "--size", "36x28", "-o", str(path)]
    assert cli.status(words) == 0
    assert "seed 3" in capsys.readouterr().out
    assert cli.status(["check", str(path)]) == 0
    assert cli.status(words) == 2
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--size", "huge"], "--size huge is no size; give small, medium, large"),
        (["--size", "10x10"], "the width of random ground is 10 in; give one from 24 to 84"),
        (["--unit", "ell"], "--unit ell is no unit of length; give in, mm or cm"),
        (["-o", "field.png"], "field.png does not end in .yaml"),
        (["-o", "no-such-folder/field.yaml"], "there is no folder no-such-folder"),
    ],
)
def test_what_cannot_be_made_is_said(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.status(["ground", "--seed", "1", *words]) == 2
    assert said in capsys.readouterr().err
