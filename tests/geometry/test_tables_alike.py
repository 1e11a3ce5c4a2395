"""Tables that differ in one piece: what they have in common is made once, and is the same as made anew."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import shapely

from tabletop.geometry.line_of_sight import SightLaw, exactly_seen_within, sight
from tabletop.geometry.measure import GRAZE
from tabletop.geometry.sight import obstruction
from tabletop.geometry.sight.obstruction import SHRUNK, Ground, as_seen, ground_of, hiding
from tabletop.geometry.terrain import Table, Terrain
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
def test_obstructions_are_those_of_a_ground_made_anew(name: str) -> None:
    """TSE-LOS-03: what hides on a table is the same, whatever was known of tables like it."""
    for there, anew in moved(name, 25):
        for shrink in (SHRUNK, GRAZE):
            known = ground_of(there, shrink)
            obstruction._prepared.cache_clear()
            obstruction._clumps.cache_clear()
            assert described(known) == described(obstruction._ground(anew, shrink))


@pytest.mark.parametrize("name", ["quatre-bras", "starter"])
def test_where_the_same_pieces_hide_the_same_is_seen(name: str) -> None:
    """TSE-LOS-03, TSE-LOS-04: what was found on one table is told of another only where no other piece hides."""
    battle = load_scene(ROOT / f"scenarios/tse/{name}.yaml")
    units, rng = [unit.footprint for unit in battle.units], random.Random(f"{name} seen")
    shared = 0
    for there, anew in moved(name, 40):
        assert [p.id for p in hiding(there)] == [p.id for p in hiding(as_seen(there))]
        assert all(p is q for p, q in zip(hiding(there), hiding(as_seen(there)), strict=True))
        shared += as_seen(there) is not there
        a, b = rng.sample(units, 2)
        if shapely.distance(a, b) < 8.0:
            assert sight(there, a, b, SightLaw()) == sight(anew, a, b, SightLaw())
            line = exactly_seen_within(there, a, b, SightLaw(), (), 8.0)
            assert (line is None) == (exactly_seen_within(anew, a, b, SightLaw(), (), 8.0) is None)
    assert 0 < shared < 40


def test_a_piece_that_hides_is_looked_at_where_it_lies() -> None:
    wood = Terrain.of_kind("wood", "woods", outline=[(8, 0), (12, 0), (12, 9), (8, 9)])
    hedge = Terrain.of_kind("hedge", "hedge", line=[(3, 0), (3, 9)])
    table, (a, b) = Table.of("in", 20, 12, [wood, hedge]), (shapely.box(1, 4, 2, 5), shapely.box(18, 4, 19, 5))
    assert not sight(table, a, b, SightLaw()).seen
    assert as_seen(table.with_pieces([hedge.moved(1.0, 0.0)])) is as_seen(table)
    assert not sight(table.with_pieces([hedge.moved(1.0, 0.0)]), a, b, SightLaw()).seen
    away = table.with_pieces([wood.moved(0.0, -8.0)])
    assert as_seen(away) is not as_seen(table) and sight(away, a, b, SightLaw()).seen


def described(ground: Ground) -> list[tuple[object, ...]]:
    return [
        (one.level, one.see_through, one.hill, one.ids, one.index, *map(shapely.to_wkb, (one.area, one.core)))
        for one in ground.obstructions
    ]
