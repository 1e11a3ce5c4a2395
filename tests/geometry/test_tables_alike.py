"""Tables that differ in one piece: what they have in common is made once, and is the same as made anew."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import shapely

from tabletop.geometry.measure import GRAZE
from tabletop.geometry.sight import obstruction
from tabletop.geometry.sight.obstruction import SHRUNK, Ground, ground_of
from tabletop.geometry.terrain import Table
from tabletop.play.files.load import load_scene

ROOT = Path(__file__).resolve().parents[2]


def moved(name: str, count: int) -> Iterator[tuple[Table, Table]]:
    """Yield tables with one piece shifted and turned, and the same laid anew from all its pieces."""
    table, rng = load_scene(ROOT / f"scenarios/tse/{name}.yaml").table, random.Random(name)
    for _ in range(count):
        piece = rng.choice(table.terrain).moved(rng.uniform(-2, 2), rng.uniform(-2, 2), rng.choice((0.0, 20.0)))
        there = table.with_pieces([piece])
        anew = [piece if other.id == piece.id else other for other in table.terrain]
        yield there, Table.of(table.unit, table.width, table.height, anew, table.scale)


@pytest.mark.parametrize("name", ["quatre-bras", "starter"])
def test_levels_are_those_of_a_table_laid_anew(name: str) -> None:
    """TSE-LOS-15: a hill that is moved sets the level of what stands on it, and no other piece does."""
    for there, anew in moved(name, 60):
        assert [(p.id, p.level) for p in there.terrain] == [(p.id, p.level) for p in anew.terrain]


@pytest.mark.parametrize("name", ["quatre-bras", "starter"])
def test_bars_are_those_of_a_ground_made_anew(name: str) -> None:
    """TSE-LOS-03: what hides on a table is the same, whatever was known of tables like it."""
    for there, anew in moved(name, 25):
        for shrink in (SHRUNK, GRAZE):
            known = ground_of(there, shrink)
            obstruction._bar.cache_clear()
            obstruction._clumps.cache_clear()
            assert described(known) == described(obstruction._ground(anew, shrink))


def described(ground: Ground) -> list[tuple[object, ...]]:
    return [
        (bar.level, bar.see_through, bar.hill, bar.ids, bar.index, *map(shapely.to_wkb, (bar.area, bar.core)))
        for bar in ground.bars
    ]
