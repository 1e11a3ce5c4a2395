"""Searches for a sight line are shared by tables on which the same lies between: no answer may differ for it."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
import shapely

from tabletop.geometry.line_of_sight import SightLaw, distance_seen, exactly_seen_within, seen_by, sight
from tabletop.geometry.sight import shortest
from tabletop.geometry.sight.cells import cells_of
from tabletop.geometry.sight.law import InterveningUnit
from tabletop.geometry.sight.obstruction import ground_of
from tabletop.geometry.sight.relevant_rulings import between
from tabletop.geometry.terrain import Table, Terrain

#: Lengths are read to a hundred-thousandth: searches under laws that differ in nothing there may end a hair apart.
NEAR = 1e-5
ENDS = shapely.box(1, 5, 1.75, 7), shapely.box(17, 4, 17.75, 8)
LAWS = (SightLaw(), SightLaw(thin_wood_transparent=True, crest_edge=True), SightLaw(deep_shadow=True))


def altered(table: Table, rng: random.Random, count: int) -> list[Table]:
    """Tables that differ from one in one piece: where it lies, how far sight goes into it, or its level."""
    found = [table]
    for _ in range(count):
        piece, how = rng.choice(table.terrain), rng.random()
        if how < 0.7:
            piece = piece.moved(rng.gauss(0, 1), rng.gauss(0, 1), rng.choice((0.0, 20.0)))
        elif how < 0.85 and not piece.is_hill:
            piece = replace(piece, see_through=0.0 if piece.see_through else 3.0)
        else:
            piece = replace(piece, level=(piece.level or 0) + 1, rests=False)
        found.append(table.with_pieces([piece]))
    return found


def answers(table: Table, a: shapely.Geometry, b: shapely.Geometry, intervening: list[InterveningUnit]) -> list[object]:
    found: list[object] = []
    for law in LAWS:
        seen = sight(table, a, b, law)
        found += [seen.seen, seen.distance, seen_by(table, a, b, law, (), intervening) is None]
        if seen.seen:
            found += [distance_seen(table, a, b, law), exactly_seen_within(table, a, b, law, intervening, 9.0) is None]
    return found


def alone(table: Table) -> Table:
    """The same table, of pieces of which nothing is known."""
    shortest.forget()
    return replace(table, terrain=tuple(replace(piece) for piece in table.terrain))


def crowded(rng: random.Random) -> Table:
    """Small woods, houses and hills, all over the ground between two units and about them."""
    found = []
    for k in range(22):
        x, y, far = rng.uniform(1, 19), rng.uniform(1, 11), rng.uniform(0.3, 0.9)
        outline = [(x - far, y - far / 2), (x + far, y - far), (x + far / 2, y + far), (x - far / 3, y + far / 2)]
        kind = rng.choice(("woods", "woods", "building", "town", "hill"))
        found.append(Terrain.of_kind(f"p{k}", kind, outline=outline, level=1 if kind == "hill" else None))
    return Table.of("in", 20, 12, found)


@pytest.mark.parametrize(
    ("seed", "count"), [(1, 16), (6, 9), *(pytest.param(seed, 24, marks=pytest.mark.sweep) for seed in (1, 3, 6))]
)
def test_every_table_is_answered_as_if_it_were_the_only_one(seed: int, count: int) -> None:
    """TSE-LOS-01: of many pieces one differs, between the units or elsewhere; nothing else tells the tables apart."""
    rng = random.Random(seed)
    friend = [InterveningUnit(shapely.box(12, 5, 13, 5.7), 0, 0.3, "friend")]
    tables = altered(crowded(rng), rng, count)
    assert min(len(between(table, *ENDS).obstructions) for table in tables) > 5
    together = [answers(table, *ENDS, friend) for table in tables]
    assert len({tuple(told) for told in together}) > 2
    for table, told in zip(tables, together, strict=True):
        for one, other in zip(told, answers(alone(table), *ENDS, friend), strict=True):
            assert one == (pytest.approx(other, abs=NEAR) if isinstance(other, float) else other)


@pytest.mark.parametrize(
    "other", [{"level": 1}, {"see_through": 1.0}, {"kind": "hill", "sight": "none", "see_through": 0.0}]
)
def test_what_lies_between_is_told_by_all_that_sight_takes_of_it(other: dict[str, Any]) -> None:
    """TSE-LOS-03: one outline, but another level, another way sight goes into it, or a hill."""
    outline = [(9.0, 4.0), (11.0, 4.0), (11.0, 8.0), (9.0, 8.0)]
    house = Terrain.of_kind("house", "building", outline=outline, level=2 if "kind" in other else 0)
    tables = [Table.of("in", 20, 12, [piece]) for piece in (house, replace(house, **other))]
    one, another = (between(table, *ENDS).obstructions for table in tables)
    assert one != another and len(one) == len(another) == 1


@pytest.mark.parametrize("gap", [0.5, 1.0, 1.5, 1.9, 2.5])
def test_all_that_cuts_a_unit_into_cells_is_part_of_what_lies_between(gap: float) -> None:
    """TSE-LOS-10: a wood is read grown by the tape, and its sharp tip then reaches farther than the tape."""
    a, b = shapely.box(4, 4, 6, 5), shapely.box(4, 12, 6, 13)
    tip = Terrain.of_kind("tip", "woods", outline=[(6 + gap * 0.005, 4.5), (9, 4.4), (9, 4.6)])
    table = Table.of("in", 20, 20, [tip])
    cut = len(cells_of(ground_of(table), a, table.tape.t)) > 1
    assert cut == (gap < 2.0)
    assert not cut or len(between(table, a, b).obstructions) == 1
