"""Sight lines compiled and as written, over arrays and over lists: one law, the same answer (TSE-LOS-01 to 20)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import shapely

from tabletop.geometry import fast
from tabletop.geometry.line_of_sight import InterveningUnit, SightLaw, clear_lines
from tabletop.geometry.measure import Tape
from tabletop.geometry.sight.law import clear, holds, normalised
from tabletop.geometry.sight.obstruction import Ground, SightObstruction, ground_of, packed
from tabletop.geometry.terrain import Table, Terrain
from tests.geometry.sight_scenes import HIGH, WIDE, pieces

TAPE = Tape().t
LAWS = {
    "as ruled": SightLaw(),
    "thin woods": SightLaw(thin_wood_transparent=True),
    "hills do not block": SightLaw(hills_block=False),
    "own hill blocks": SightLaw(own_hill_exempt=False),
    "deep shadow": SightLaw(deep_shadow=True),
    "crest": SightLaw(crest_edge=True, crest=0.5),
}
UNITS = (
    InterveningUnit(shapely.box(8.0, 6.0, 12.0, 7.0), 0, 0.5, "near"),
    InterveningUnit(shapely.box(15.0, 11.0, 16.0, 16.0), 1, 0.25, "high"),
)


def random_table(seed: int) -> Table:
    return Table.of("in", WIDE, HIGH, pieces(np.random.default_rng(seed), 4, 26))


def lattice_table() -> Table:
    """Outlines on whole inches: flush, nested, corner to corner, a wood with a clearing, woods on a hill's edge."""

    def box(name: str, kind: str, x0: int, y0: int, x1: int, y1: int, **keys: Any) -> Terrain:
        outline = [(float(x), float(y)) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
        return Terrain.of_kind(name, kind, outline=outline, **keys)

    ring = [
        box(f"ring{k}", "woods", *at) for k, at in enumerate(((18, 12, 24, 13), (18, 13, 19, 17), (23, 13, 24, 17)))
    ]
    return Table.of(
        "in",
        WIDE,
        HIGH,
        [
            *ring,
            box("closed", "woods", 18, 17, 24, 18),
            box("hill", "hill", 2, 2, 14, 12, level=1),
            box("top", "hill", 5, 4, 10, 9, level=2),
            box("edge", "woods", 10, 6, 14, 8),
            box("one", "building", 15, 2, 17, 4),
            box("two", "building", 17, 4, 19, 6),
            box("low", "town", 3, 14, 8, 18),
        ],
    )


def ends_of(table: Table, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Lines anywhere, between lattice points, from corner to corner, along edges, of no length, and very short ones."""
    rng = np.random.default_rng(seed)
    corners = np.concatenate([shapely.get_coordinates(piece.shape) for piece in table.terrain])
    anywhere = rng.uniform(0.0, (WIDE, HIGH), (n, 2, 2))
    lattice = rng.integers(0, (int(WIDE), int(HIGH)), (n, 2, 2), endpoint=True).astype(float)
    pairs = corners[rng.integers(0, len(corners), (n, 2))]
    k = rng.integers(0, len(corners) - 1, n)
    along = np.stack([corners[k], corners[k] + 2.0 * (corners[k + 1] - corners[k])], axis=1)
    short = anywhere[: n // 2, :1] + rng.normal(0.0, 0.05, (n // 2, 2, 2))
    points = np.repeat(lattice[: n // 10, :1], 2, axis=1)
    ends = np.clip(np.concatenate([anywhere, lattice, pairs, along, short, points]), 0.0, (WIDE, HIGH))
    return ends[:, 0], ends[:, 1]


def compare(table: Table, n: int, seed: int, law: SightLaw, monkeypatch: pytest.MonkeyPatch, **more: object) -> float:
    """Ask about the same lines both ways; return how many are clear."""
    pytest.importorskip("numba", reason="numba is not installed: there is but one way")
    fast.warm()
    starts, ends = ends_of(table, n, seed)
    found = {}
    for plain in ("", "1"):
        monkeypatch.setenv(fast.PLAIN, plain)
        found[plain] = clear_lines(table, starts, ends, law, **more)  # type: ignore[arg-type]
        assert (found[plain] == clear_lines(table, ends, starts, law, **more)).all()  # type: ignore[arg-type]
    wrong = np.nonzero(found[""] != found["1"])[0]
    assert not len(wrong), (seed, law, [(starts[k].tolist(), ends[k].tolist()) for k in wrong[:5]])
    return float(found[""].mean())


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize("seed", range(3))
def test_every_line_on_random_tables(seed: int, law: SightLaw, monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-LOS-01 to 20."""
    assert 0.05 < compare(random_table(seed), 500, seed, law, monkeypatch) < 1.0


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize("tolerance", [None, 0.0])
def test_every_line_on_the_lattice(law: SightLaw, tolerance: float | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-LOS-01 to 20: by the tape, and exactly."""
    assert 0.05 < compare(lattice_table(), 1500, 5, law, monkeypatch, tolerance=tolerance) < 0.95


def test_units_in_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-FIR-10, TSE-FIR-12: they are looked at for the lines that terrain lets pass."""
    bare = compare(lattice_table(), 1500, 8, SightLaw(), monkeypatch)
    assert 0.05 < compare(lattice_table(), 1500, 8, SightLaw(), monkeypatch, intervening=UNITS) < bare - 0.02


@pytest.mark.parametrize("change", [{}, {"budget": 1.0}, {"budget": 6.0}])
def test_nothing_is_kept_of_another_law(change: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-LOS-11, TSE-LOS-13: one table, one law after another."""
    table = lattice_table()
    for law in LAWS.values():
        compare(table, 200, 3, replace(law, **change), monkeypatch)


def test_a_table_without_anything_and_lines_of_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(fast.PLAIN, "")
    bare = Table.of("in", WIDE, HIGH)
    assert clear_lines(bare, [(1, 1), (2, 2)], [(3, 3), (2, 2)], SightLaw()).tolist() == [True, True]
    assert clear_lines(lattice_table(), np.zeros((0, 2)), np.zeros((0, 2)), SightLaw()).tolist() == []


@pytest.mark.parametrize("t", [TAPE, 0.0])
def test_units_in_the_way_close_what_any_of_them_closes(t: float) -> None:
    """TSE-FIR-10, TSE-FIR-12."""
    table = lattice_table()
    ground, (starts, ends) = ground_of(table), normalised(*ends_of(table, 400, 8))
    for law in LAWS.values():
        free = clear(ground, starts, ends, law, (), t)
        past = [clear(ground, starts, ends, law, (unit,), t) for unit in UNITS]
        for each in past:
            assert not (each & ~free).any()
        together = clear(ground, starts, ends, law, UNITS, t)
        assert (together == np.all(past, axis=0)).all()
        assert 0.01 < (free & ~together).sum() / free.sum() < 0.9


def test_in_which_rings_points_lie() -> None:
    """A point in the edge of a hill stands on it: rings may have holes, and edges level with the point."""
    area = shapely.Polygon([(0, 0), (6, 0), (6, 2), (4, 2), (4, 4), (0, 4)], [[(1, 1), (1, 3), (3, 3), (3, 1)]])
    hill = SightObstruction(1, 0.0, True, ("hill",), area, area, 0)
    hill.__dict__["grown"] = area
    o = packed(Ground((hill,)), False)
    for x, y in (np.argwhere(np.ones((17, 13))) / 2.0 - 1.0).tolist():
        assert holds(o, 0, x, y) == area.intersects(shapely.Point(x, y)), (x, y)


@pytest.mark.sweep
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_a_million_lines(law: SightLaw, monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-LOS-01 to 20: under each law more than a million, on tables of both kinds, by the tape and exactly."""
    for seed in range(100, 112):
        compare(random_table(seed), 20_000, seed, law, monkeypatch, tolerance=(None, 0.0)[seed % 2])
    compare(lattice_table(), 60_000, 99, law, monkeypatch)
    compare(lattice_table(), 60_000, 98, law, monkeypatch, tolerance=0.0)
