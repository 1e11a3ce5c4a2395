"""A few sight lines one by one and many bar by bar: one law, the same answer line by line (TSE-LOS-01 to 20)."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.geometry.measure import Tape
from tabletop.geometry.sight_ground import ground_of
from tabletop.geometry.sight_law import JOINT, Lines, SightLaw, _clear_block, normalised, screen_effect, screened
from tabletop.geometry.sight_one import clear_one_by_one
from tabletop.geometry.terrain import Table
from tests.geometry.test_sight_in_bulk import LAWS, SCREENS, ends_of, lattice_table, random_table

TAPE = Tape().t


def compare(table: Table, n: int, seed: int, law: SightLaw, t: float) -> float:
    """Ask about the same lines both ways, past units too; return how many are clear then."""
    ground, (starts, ends) = ground_of(table), normalised(*ends_of(table, n, seed))
    for screens in ((), SCREENS):
        found = clear_one_by_one(ground, starts, ends, law, t, JOINT, screens)
        wrong = np.nonzero(found != _clear_block(ground, starts, ends, law, screens, t))[0]
        assert not len(wrong), (seed, law, screens, [(starts[k].tolist(), ends[k].tolist()) for k in wrong[:5]])
    return float(found.mean())


@pytest.mark.parametrize("t", [TAPE, 0.0])
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_every_line_is_told_alike(law: SightLaw, t: float) -> None:
    """TSE-LOS-01 to 20: on random tables, and between, along and through corners on whole inches."""
    assert 0.05 < compare(lattice_table(), 250, 5, law, t) < 0.95
    assert 0.05 < compare(random_table(1), 150, 1, law, t) < 1.0


@pytest.mark.parametrize("t", [TAPE, 0.0])
def test_units_in_the_way_are_told_alike(t: float) -> None:
    """TSE-FIR-10, TSE-FIR-12: with no more looked at than it takes."""
    table = lattice_table()
    lines = Lines.between(ground_of(table), *normalised(*ends_of(table, 400, 8)))
    for screen in SCREENS:
        for law in LAWS.values():
            found = screened([screen], lines, law, t)
            assert (found == screen_effect(screen, lines, law, t).blocks).all()
            assert 0.01 < found.mean() < 0.9
    for law in LAWS.values():
        both = [screen_effect(screen, lines, law, t).blocks for screen in SCREENS]
        assert (screened(SCREENS, lines, law, t) == both[0] | both[1]).all()


@pytest.mark.sweep
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_a_hundred_thousand_lines(law: SightLaw) -> None:
    """TSE-LOS-01 to 20."""
    for seed in range(200, 210):
        compare(random_table(seed), 3_000, seed, law, (TAPE, 0.0)[seed % 2])
    compare(lattice_table(), 10_000, 97, law, TAPE)
    compare(lattice_table(), 10_000, 96, law, 0.0)
