"""Many questions at once beside the same questions one by one, in turns within one run.

``python -m benchmarks.own bulk`` prints rates and ratios, without kernels and with them; the full sweep of tests holds
the ratios to what they have been.
"""

from __future__ import annotations

import math
import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import shapely

from tabletop.geometry import fast
from tabletop.geometry.base import Base
from tabletop.geometry.line_of_sight import SightLaw, clear_lines
from tabletop.geometry.terrain import Table, Terrain

WIDE, HIGH = 72.0, 48.0
KINDS = ("woods", "woods", "town", "hill")


@dataclass(frozen=True, eq=False)
class Field:
    """Pieces apart from each other, a fifth of the table covered, and units beside them."""

    pieces: tuple[Terrain, ...]
    units: tuple[Base, ...]
    W: float = WIDE
    H: float = HIGH

    @cached_property
    def table(self) -> Table:
        return Table.of("in", self.W, self.H, self.pieces)

    @cached_property
    def blk(self) -> list[np.ndarray]:
        """Every outline (k, 2), for those who ask of opaque ones."""
        return [shapely.get_coordinates(piece.shape)[:-1] for piece in self.pieces]


def field_of(seed: int, pieces: int, units: int = 0) -> Field:
    """Return a field of so many star-shaped pieces of 10 to 40 corners; the same numbers give the same field."""
    rng = np.random.default_rng([seed, pieces, units])
    size = math.sqrt(0.22 * WIDE * HIGH / (2.2 * pieces))
    shapes: list[Any] = []
    while len(shapes) < pieces:
        shape = shapely.Polygon(_star(rng, size * rng.uniform(0.5, 1.4)))
        if shape.is_valid and _apart(shape, shapes):
            shapes.append(shape)
    terrain = [_piece(k, shape) for k, shape in enumerate(shapes)]
    placed: list[Base] = []
    while len(placed) < units:
        x, y = rng.uniform(3.0, (WIDE - 3.0, HIGH - 3.0)).tolist()
        base = Base.entered(x, y, float(rng.uniform(0, 360)), float(rng.choice([1, 2, 3, 4])), 1.0)
        if _apart(base.polygon, [other.polygon for other in placed], 0.0):
            placed.append(base)
    return Field(tuple(terrain), tuple(placed))


def _star(rng: np.random.Generator, size: float) -> np.ndarray:
    k = int(rng.integers(10, 41))
    angle = (np.arange(k) + rng.uniform(-0.3, 0.3, k)) * 2 * math.pi / k
    reach = size * (1.0 + 0.3 * np.cos(2 * angle + rng.uniform(0, 6)) + 0.2 * np.cos(3 * angle + rng.uniform(0, 6)))
    reach *= rng.uniform(0.92, 1.08, k)
    middle = rng.uniform(1.7 * size, (WIDE - 1.7 * size, HIGH - 1.7 * size))
    ring: np.ndarray = middle + reach[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return ring.round(4)


def _apart(shape: Any, others: Sequence[Any], by: float = 0.15) -> bool:
    return not others or bool(shapely.distance(shape, np.array(others, dtype=object)).min() > by)


def _piece(k: int, shape: Any) -> Terrain:
    keys: dict[str, Any] = {"level": 1 + k % 8 // 4} if KINDS[k % 4] == "hill" else {}
    return Terrain.of_kind(f"{k:03}", KINDS[k % 4], outline=shape.exterior.coords[:-1], **keys)


def lines_of(field: Field, n: int, seed: int = 7) -> tuple[np.ndarray, np.ndarray]:
    """Return lines up to 36 in long, ends anywhere on the table, (n, 2) each."""
    rng = np.random.default_rng(seed)
    starts, turn = rng.uniform(0.0, (field.W, field.H), (n, 2)), rng.uniform(0.0, 2 * math.pi, n)
    way = rng.uniform(1.0, 36.0, n)[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return starts, np.clip(starts + way, 0.0, (field.W, field.H))


# --- one by one ------------------------------------------------------------------------------------------------------


def lines_one_by_one(table: Table, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Which lines of sight are clear, each asked by itself."""
    law = SightLaw()
    return np.array([clear_lines(table, a, b, law)[0] for a, b in zip(starts, ends, strict=True)])


# --- beside each other -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Race:
    """Seconds to a question, at once and one by one, in turns."""

    at_once: tuple[float, ...]
    one_by_one: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """How many times faster at once: the median of the rounds' ratios."""
        return statistics.median(b / a for a, b in zip(self.at_once, self.one_by_one, strict=True))

    @property
    def a_second(self) -> float:
        return 1.0 / statistics.median(self.at_once)


def race(at_once: Callable[[], Any], n: int, one_by_one: Callable[[], Any], m: int, rounds: int = 7) -> Race:
    """Time n questions at once and m one by one, in turns; a first round of each is not counted."""
    quick, slow = Watch(at_once, n), Watch(one_by_one, m)
    pairs = [(quick(), slow()) for _ in range(rounds + 1)][1:]
    return Race(tuple(a for a, _ in pairs), tuple(b for _, b in pairs))


@dataclass(frozen=True)
class Watch:
    """Times a call that answers n questions: processor seconds to one of them."""

    call: Callable[[], Any]
    n: int

    def __call__(self) -> float:
        start = time.process_time()
        self.call()
        return (time.process_time() - start) / self.n


@contextmanager
def kernels(used: bool) -> Iterator[None]:
    """Do with kernels, or without them; they are there afterwards or not as before."""
    before = os.environ.get(fast.PLAIN, "")
    os.environ[fast.PLAIN] = "" if used else "1"
    try:
        if used:
            fast.warm()
        yield
    finally:
        os.environ[fast.PLAIN] = before


def race_lines(field: Field, n: int = 100_000, m: int = 200) -> Race:
    """The whole law: levels, woods and towns, shadows."""
    starts, ends = lines_of(field, n)
    table, law = field.table, SightLaw()
    return race(
        lambda: clear_lines(table, starts, ends, law), n, lambda: lines_one_by_one(table, starts[:m], ends[:m]), m
    )


def bulk() -> None:
    """Print rates and ratios without kernels and with them."""
    for used in (False, True)[: 1 + fast.installed()]:
        with kernels(used):
            print(f"   {'with' if used else 'without'} kernels")
            for pieces in (40, 120):
                field = field_of(1, pieces, 150)
                found, name = race_lines(field), f"lines of sight, the whole law, {pieces} pieces"
                print(f"{name:46s} {found.a_second:12,.0f} a second   {found.ratio:8.1f} times one by one", flush=True)
