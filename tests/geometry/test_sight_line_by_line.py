"""The law of sight runs as written and compiled, over lists and over arrays: the same answer line by line."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tabletop.geometry.measure import Tape
from tabletop.geometry.sight.law import SightLaw, clear, normalised
from tabletop.geometry.sight.obstruction import ground_of
from tabletop.geometry.terrain import Table
from tests.geometry.test_sight_in_bulk import LAWS, SCREENS, ends_of, lattice_table, random_table

TAPE = Tape().t
Both = Callable[[Callable[[], np.ndarray]], tuple[np.ndarray, np.ndarray]]


def compare(table: Table, n: int, seed: int, law: SightLaw, t: float, both: Both) -> float:
    """Ask about the same lines over arrays and over lists, one by one too, past units; return how many are clear."""
    ground, (starts, ends) = ground_of(table), normalised(*ends_of(table, n, seed))
    for screens in ((), SCREENS):
        found, plain = both(lambda: clear(ground, starts, ends, law, screens, t))  # noqa: B023
        wrong = np.nonzero(found != plain)[0]
        assert not len(wrong), (seed, law, screens, [(starts[k].tolist(), ends[k].tolist()) for k in wrong[:5]])
        for k in range(0, n, 7):
            assert clear(ground, starts[k : k + 1], ends[k : k + 1], law, screens, t)[0] == plain[k]
    return float(plain.mean())


@pytest.mark.parametrize("t", [TAPE, 0.0])
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_every_line_is_told_alike(law: SightLaw, t: float, both: Both) -> None:
    """TSE-LOS-01 to 20, TSE-FIR-10, TSE-FIR-12: on random tables, and between and through corners on whole inches."""
    assert 0.05 < compare(lattice_table(), 150, 5, law, t, both) < 0.95
    assert 0.05 < compare(random_table(1), 80, 1, law, t, both) < 1.0


@pytest.mark.parametrize("t", [TAPE, 0.0])
def test_units_in_the_way_close_what_any_of_them_closes(t: float) -> None:
    """TSE-FIR-10, TSE-FIR-12."""
    table = lattice_table()
    ground, (starts, ends) = ground_of(table), normalised(*ends_of(table, 400, 8))
    for law in LAWS.values():
        free = clear(ground, starts, ends, law, (), t)
        past = [clear(ground, starts, ends, law, (screen,), t) for screen in SCREENS]
        for each in past:
            assert not (each & ~free).any()
        together = clear(ground, starts, ends, law, SCREENS, t)
        assert (together == np.all(past, axis=0)).all()
        assert 0.01 < (free & ~together).sum() / free.sum() < 0.9


@pytest.mark.sweep
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_a_hundred_thousand_lines(law: SightLaw, both: Both) -> None:
    """TSE-LOS-01 to 20."""
    for seed in range(200, 210):
        compare(random_table(seed), 3_000, seed, law, (TAPE, 0.0)[seed % 2], both)
    compare(lattice_table(), 10_000, 97, law, TAPE, both)
    compare(lattice_table(), 10_000, 96, law, 0.0, both)
