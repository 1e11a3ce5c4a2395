"""Where the armies of a quick battle stand: lines of infantry with guns, cavalry on the wings, generals behind.

Lengths are in table units; ``inch`` is the number of table units in an inch. Each army stands behind its front line, on
its own side of the table.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
import shapely.affinity
from shapely.geometry.base import BaseGeometry

from tabletop.battle.unit import PERSONS, Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Table
from tabletop.play.files.draft import entered
from tabletop.play.quick_battle.forces import Row, mustered
from tabletop.play.random_ground.plan import DEEP
from tabletop.rules.common.looks import Figure
from tabletop.rules.rule_set import RuleSet

#: Inches between units of a line, and between lines.
GAP, BETWEEN = 0.6, 0.8
#: The share of the table's width that a line may take up.
WIDE = 0.8
#: Inches between the places tried.
STEP = 0.5
#: What it costs a place (in inches away from where the unit should stand) to lie on ground that hinders.
BAD = 5.0
#: The room in inches that units keep from one another and from the table's edge.
ROOM = 0.15
#: How far (table units; west, south, east, north) boxes may overlap before shapes are compared, to allow for rounding.
NEARLY = np.array([-1e-6, -1e-6, 1e-6, 1e-6])


@dataclass
class Ground:
    """A table to deploy on: the ground that is barred, the ground to avoid, and the places already taken."""

    table: Table
    rules: RuleSet
    inch: float
    north: bool

    def __post_init__(self) -> None:
        self.barred = shapely.union_all([p.shape for p in self.table.of_movement("impassable")])
        bad = [p.shape for p in self.table.of_movement("rough", "town", "linear", "choke")]
        self.bad: BaseGeometry = shapely.union_all(bad)
        self.taken: list[BaseGeometry] = []
        edge = self.table.edge.buffer(-ROOM * self.inch, join_style="mitre")
        half = shapely.box(0, 0, self.table.width, self.table.height * 0.42)
        self.own = edge.intersection(half if not self.north else self._turned(half))
        shapely.prepare(self.own)
        shapely.prepare(self.bad)

    def _turned(self, shape: BaseGeometry) -> BaseGeometry:
        return shapely.affinity.rotate(shape, 180, origin=(self.table.width / 2, self.table.height / 2))

    def place(self, aside: float, behind: float) -> Point:
        """Return the place ``aside`` right of the middle of the front line and ``behind`` it, facing the enemy."""
        front, middle = DEEP * self.table.height, self.table.width / 2
        if self.north:
            return middle - aside, self.table.height - front + behind
        return middle + aside, front - behind

    @property
    def facing(self) -> float:
        return 180.0 if self.north else 0.0


def deployed(rows: Sequence[Row], side: str, ground: Ground) -> list[dict[str, Any]]:
    """Return the rows of an army with a place for every unit; BadQuestion if there is no room."""
    measured = {row["id"]: _size(row, ground) for row in rows}
    fighters = [row for row in rows if row["troop"] not in PERSONS]
    wanted = dict(_lines(fighters, measured, ground))
    placed: list[dict[str, Any]] = []
    where: dict[str, Point] = {}
    for row in sorted(fighters, key=lambda row: (wanted[row["id"]][1], abs(wanted[row["id"]][0]))):
        at = _free_place(row, wanted[row["id"]], ground)
        where[row["id"]] = at
        placed.append(_row(row, side, at, ground))
    for row in [row for row in rows if row["troop"] in PERSONS]:
        own = [where[other["id"]] for other in fighters if other.get("parent") == row["id"]] or list(where.values())
        aside = sum(at[0] for at in own) / len(own) - ground.table.width / 2
        lowest = max(behind for _, behind in wanted.values())
        at = _free_place(row, (-aside if ground.north else aside, lowest + 2.0 * ground.inch), ground)
        where[row["id"]] = at
        placed.append(_row(row, side, at, ground))
    order = {row["id"]: number for number, row in enumerate(rows)}
    return sorted(placed, key=lambda row: order[row["id"]])


def _row(row: Row, side: str, at: Point, ground: Ground) -> dict[str, Any]:
    facing = {} if _faceless(row, ground) else {"facing": ground.facing}
    return {**row, "side": side, "at": entered(at), **facing}


def _faceless(row: Row, ground: Ground) -> bool:
    unit = mustered(row, ground.rules)
    if unit is None or row["troop"] not in PERSONS:
        return False
    turned = mustered(row, ground.rules, facing=180.0)
    return turned is not None and turned.facing == unit.facing


def _size(row: Row, ground: Ground) -> tuple[float, float]:
    west, south, east, north = _unit(row, ground, (0.0, 0.0)).footprint.bounds
    return east - west, north - south


def _unit(row: Row, ground: Ground, at: Point) -> Unit:
    unit = mustered(row, ground.rules, at, ground.facing)
    if unit is None:
        raise BadQuestion(
            f"{row.get('name', row['id'])} cannot be deployed by the program; place it in a scenario by hand"
        )
    return unit


# --- an order of battle on the ground --------------------------------------------------------------------------------


def _lines(
    rows: Sequence[Row], size: Mapping[str, tuple[float, float]], ground: Ground
) -> list[tuple[str, tuple[float, float]]]:
    """Return (id, (aside, behind)) for every unit: infantry and guns in lines, cavalry on both wings."""
    figures = {row["id"]: ground.rules.looks.figure(str(row["troop"])) for row in rows}
    horse = [row for row in rows if figures[row["id"]] is Figure.HORSE]
    guns = [row for row in rows if figures[row["id"]] is Figure.GUNS]
    foot = [row for row in rows if row not in horse and row not in guns]
    gap, most = GAP * ground.inch, WIDE * ground.table.width
    wings = max((size[row["id"]][0] for row in horse), default=0.0) + gap
    lines = _filled(foot or horse, guns if foot else [], size, most - 2 * wings, gap)
    places: list[tuple[str, tuple[float, float]]] = []
    behind = 0.0
    for line in lines:
        deep = max(size[row["id"]][1] for row in line)
        places += [(row["id"], (aside, behind + deep / 2)) for row, aside in _abreast(line, size, gap)]
        behind += deep + BETWEEN * ground.inch
    widest = max(sum(size[row["id"]][0] + gap for row in line) for line in lines) / 2
    for k, row in enumerate(horse if foot else []):
        wing, rank = (-1 if k % 2 else 1), k // 2
        wide, deep = size[row["id"]]
        places.append((row["id"], (wing * (widest + gap + wide / 2), deep / 2 + (rank + 0.35) * (deep + gap))))
    return places


def _filled(
    foot: Sequence[Row], guns: Sequence[Row], size: Mapping[str, tuple[float, float]], room: float, gap: float
) -> list[list[Row]]:
    """Return as many lines as the width requires, at least two for four units or more; the first has the guns."""
    long = sum(size[row["id"]][0] + gap for row in (*foot, *guns))
    count = max(2 if len(foot) >= 4 else 1, -(-int(long) // max(1, int(room))))
    first = -(-len(foot) * 3 // (count * 4)) if count == 2 and long <= room * 1.4 else -(-len(foot) // count)
    lines = [list(foot[:first])]
    rest = foot[first:]
    each = max(1, -(-len(rest) // max(1, count - 1)))
    lines += [list(rest[k : k + each]) for k in range(0, len(rest), each)]
    step = len(lines[0]) / (len(guns) + 1)
    for k, gun in reversed(list(enumerate(guns))):
        lines[0].insert(round(step * (k + 1)), gun)
    return lines


def _abreast(line: Sequence[Row], size: Mapping[str, tuple[float, float]], gap: float) -> list[tuple[Row, float]]:
    wide = sum(size[row["id"]][0] for row in line) + gap * (len(line) - 1)
    at, places = -wide / 2, []
    for row in line:
        places.append((row, at + size[row["id"]][0] / 2))
        at += size[row["id"]][0] + gap
    return places


# --- free places -----------------------------------------------------------------------------------------------------


def _free_place(row: Row, wanted: tuple[float, float], ground: Ground) -> Point:
    """Return, and take, the best free place near the one wanted: on the table, and on good ground if that is near."""
    best: tuple[float, Point, BaseGeometry] | None = None
    home = _unit(row, ground, (0.0, 0.0)).footprint
    occupied = shapely.union_all(ground.taken)
    west, south, east, north = np.subtract(ground.own.bounds, home.bounds) + NEARLY
    for far, right, back in _steps(math.ceil(ground.table.width / (STEP * ground.inch))):
        if best is not None and far >= best[0]:
            break
        at = ground.place(wanted[0] + right * ground.inch, wanted[1] + back * ground.inch)
        if not (west <= at[0] <= east and south <= at[1] <= north):
            continue
        shape = shapely.affinity.translate(home, *at)
        if not ground.own.covers(shape) or shape.intersects(ground.barred) or shape.distance(occupied) < _room(ground):
            continue
        cost = far + (BAD if shape.intersects(ground.bad) else 0.0)
        if best is None or cost < best[0]:
            best = cost, at, shape
    if best is None:
        raise BadQuestion(f"there is no room for {row.get('name', row['id'])}; choose larger ground or fewer points")
    ground.taken.append(best[2])
    x, y = entered(best[1])
    return x, y


@functools.cache
def _steps(many: int) -> tuple[tuple[float, float, float], ...]:
    """Return (cost, inches right, inches back) for ``many`` steps each way, cheapest first; forward costs more."""
    steps = [
        (math.hypot(right, back) * STEP - (1.5 * STEP * back if back < 0 else 0.0), right * STEP, back * STEP)
        for right in range(-many, many + 1)
        for back in range(-many, many + 1)
    ]
    return tuple(sorted(steps))


def _room(ground: Ground) -> float:
    return ROOM * ground.inch if ground.taken else -1.0
