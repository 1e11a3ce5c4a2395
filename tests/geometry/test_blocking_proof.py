"""Proofs that walls let no line pass serve for many searches of a series: no answer may differ for them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
import shapely
import shapely.affinity

from tabletop.geometry.line_of_sight import SightLaw, exactly_seen_within, seen_by
from tabletop.geometry.sight import blocking_proof, shortest
from tabletop.geometry.sight.law import InterveningUnit
from tabletop.geometry.terrain import Table, Terrain

LAWS = (SightLaw(), SightLaw(thin_wood_transparent=True, own_hill_exempt=False), SightLaw(hills_block=False))
FRIEND = InterveningUnit(shapely.box(11, 2.5, 12, 9.5), 1, 0.3, "friend")


def hilly(rng: random.Random) -> Table:
    """Long hills and woods across the table between two units, houses about, and hills that come near the units."""
    found = []
    for k in range(9):
        kind = rng.choice(("woods", "woods", "town", "building", "hill", "hill", "hill"))
        x, y, wide, long = rng.uniform(2, 18), rng.uniform(2, 10), rng.uniform(0.3, 1.5), rng.uniform(0.5, 5.0)
        outline = [(x - wide, y - long), (x + wide, y - 0.9 * long), (x + 0.8 * wide, y + long), (x - wide, y + long)]
        level = rng.choice((1, 1, 2)) if kind == "hill" else rng.choice((None, None, 0, 1))
        found.append(Terrain.of_kind(f"p{k:02d}", kind, outline=outline, level=level))
    return Table.of("in", 20, 12, found)


def series(table: Table, rng: random.Random) -> Iterator[tuple[Table, shapely.Geometry, shapely.Geometry]]:
    """Questions as a margin puts them: pieces elsewhere one at a time, then either end."""
    one, other = shapely.box(1, 5, 1.75, 7), shapely.box(17, 4, 17.75, 8)
    yield table, one, other
    for piece in table.terrain:
        for far in (0.05, 0.3, 1.0, 2.0):
            moved = piece.moved(rng.gauss(0, far), rng.gauss(0, far), rng.choice((0.0, 10.0 * far)))
            yield table.with_pieces([moved]), one, other
    for far in (0.02, 0.1, 0.4, 1.0):
        for _ in range(4):
            dx, dy = rng.uniform(-far, far), rng.uniform(-far, far)
            yield table, shapely.affinity.translate(one, dx, dy), other
            part = shapely.box(17, 5 + dy, 17.5, 6 + dy)
            yield table, one, shapely.affinity.rotate(part, 20.0 * dx)


def alone(table: Table) -> Table:
    """The same table, of pieces of which nothing is known."""
    shortest.forget()
    return replace(table, terrain=tuple(replace(piece) for piece in table.terrain))


def told(
    table: Table, a: shapely.Geometry, b: shapely.Geometry, law: SightLaw, intervening: list[InterveningUnit]
) -> tuple[bool, bool]:
    """Whether a line is seen, by the tape and by the exact law."""
    seen = seen_by(table, a, b, law, (), intervening) is not None
    return seen, exactly_seen_within(table, a, b, law, intervening, 30.0) is not None


@pytest.mark.parametrize("tables", [1, pytest.param(2, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("seed", [0, 1, 2, *(pytest.param(k, marks=pytest.mark.sweep) for k in (3, 4))])
def test_what_is_proved_for_a_series_is_what_every_search_finds(seed: int, tables: int) -> None:
    """TSE-LOS-01, TSE-FIR-10: with a piece or an end elsewhere, at levels that change, past a friend or none."""
    rng = random.Random(seed)
    law, intervening = LAWS[seed % 3], [FRIEND] if seed % 2 else []
    asked = [question for _ in range(tables) for question in series(hilly(rng), rng)]
    together, proved = [], 0
    with blocking_proof.keep_blocking_proofs():
        proofs = blocking_proof.blocking_proofs()
        assert proofs is not None
        for table, a, b in asked:
            proved += proofs.close(blocking_proof.Asked(table, (a, b), law, tuple(intervening)))
            together.append(told(table, a, b, law, intervening))
    for (table, a, b), answers in zip(asked, together, strict=True):
        assert answers == told(alone(table), a, b, law, intervening)
    assert proved > 20 or any(seen for seen, _ in together)


def test_a_proof_is_used_for_other_tables_and_other_ends() -> None:
    """TSE-LOS-05: a long wood closes all lines, wherever a hill behind it lies and the unit stands."""
    wood = Terrain.of_kind("wood", "woods", outline=[(8, 0), (9, 0), (9, 12), (8, 12)], level=2)
    hill = Terrain.of_kind("hill", "hill", outline=[(11, 3), (14, 3), (14, 9), (11, 9)], level=1)
    table, one, other = Table.of("in", 20, 12, [wood, hill]), shapely.box(1, 5, 2, 7), shapely.box(17, 4, 18, 8)
    with blocking_proof.keep_blocking_proofs():
        proofs = blocking_proof.blocking_proofs()
        assert proofs is not None
        for _ in range(2):
            assert seen_by(table, one, other, SightLaw()) is None
        hills = [table.with_pieces([hill.moved(0.1 * k, 0.2 * k)]) for k in range(20)]
        ends = [(0.1 * k, 0.05 * k) for k in range(20)]
        asked = [(there, one, other) for there in hills]
        asked += [(table, shapely.affinity.translate(one, *by), other) for by in ends]
        known = 0
        for there, a, b in asked:
            known += proofs.close(blocking_proof.Asked(there, (a, b), SightLaw(), ()))
            assert seen_by(there, a, b, SightLaw()) is None
        assert known > 20
        on_it = table.with_pieces([Terrain.of_kind("hill", "hill", outline=[(0, 0), (4, 0), (4, 9), (0, 9)], level=3)])
        assert not proofs.close(blocking_proof.Asked(on_it, (one, other), SightLaw(), ()))
        gone = table.with_pieces([wood.moved(0.0, 6.0), hill.moved(0.0, 6.0)])
        assert not proofs.close(blocking_proof.Asked(gone, (one, other), SightLaw(), ()))
        assert seen_by(gone, one, other, SightLaw()) is not None
    assert blocking_proof.blocking_proofs() is None
