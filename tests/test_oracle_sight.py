"""Point-to-point sight against the exact oracle: 0 disagreements outside the hairline band (TSE-LOS-01..21).

Tables of woods, houses and hills, some flush, overlapping or nested; two thirds of the lines at a boundary: through
vertices, along edges, from edges, where the budget or a shadow ends, half a grid step and a whole one either side.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from tabletop.geometry.line_of_sight import SightLaw, clear_lines, sight_line
from tests.oracle import product, scenes
from tests.oracle.sight import Ground, Law

LINES = 34  # a table
SIZES = [60, pytest.param(3_000, marks=pytest.mark.sweep)]
FLAGS = ("thin_wood_transparent", "hills_block", "own_hill_exempt", "deep_shadow", "crest_edge")


def compare(seed: int, law: Law, product_law: SightLaw, count: Counter[str], wrong: list[str]) -> None:
    rng, ground = scenes.ground(seed, law)
    cases = list(scenes.cases(rng, ground, LINES))
    starts = np.array([c.start for c in cases]) / ground.k
    ends = np.array([c.end for c in cases]) / ground.k
    clear = clear_lines(product.table(ground), starts, ends, product_law)
    back = clear_lines(product.table(ground), ends, starts, product_law)
    for case, there, again in zip(cases, clear.tolist(), back.tolist(), strict=True):
        oracle = ground.look(case.start, case.end)
        count.update({"asked": 1, "clear": oracle.clear, "hairline": oracle.hairline, case.kind: 1})
        if there != again:
            wrong.append(f"seed {seed}: {describe(ground, case)} not the same both ways")
        if there != oracle.clear and not oracle.hairline:
            wrong.append(f"seed {seed}: product {there}, {oracle}: {describe(ground, case)}")


def describe(ground: Ground, case: scenes.Case) -> str:
    (ax, ay), (bx, by) = case.start, case.end
    k = ground.k
    return f"{case.kind} ({ax / k}, {ay / k}) to ({bx / k}, {by / k})"


def check(count: Counter[str], wrong: list[str]) -> None:
    assert not wrong, f"{len(wrong)} of {count['asked']} disagree:\n" + "\n".join(wrong[:5])
    assert 0.2 < count["clear"] / count["asked"] < 0.8
    assert count["anywhere"] < 0.5 * count["asked"], "half the cases must be at a boundary"
    assert count["hairline"] < 0.02 * count["asked"], "too many cases excused"


@pytest.mark.parametrize("tables", SIZES)
def test_point_to_point(tables: int) -> None:
    count: Counter[str] = Counter()
    wrong: list[str] = []
    for seed in range(tables):
        compare(seed, Law(), SightLaw(), count, wrong)
    check(count, wrong)


@pytest.mark.parametrize("tables", [25, pytest.param(600, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("flag", FLAGS)
def test_point_to_point_under_other_rulings(flag: str, tables: int) -> None:
    """Each ruling of sight turned the other way (TSE-LOS-07, 10, 16, 17)."""
    other: dict[str, Any] = {flag: not getattr(Law(), flag)}
    count: Counter[str] = Counter()
    wrong: list[str] = []
    for seed in range(50_000, 50_000 + tables):
        compare(seed, Law(**other), SightLaw(**other), count, wrong)
    check(count, wrong)


@pytest.mark.parametrize("tables", [12, pytest.param(300, marks=pytest.mark.sweep)])
def test_the_line_with_reasons_agrees_with_the_quick_one(tables: int) -> None:
    """One law: the line that gives its reasons and the vectorised one say the same."""
    for seed in range(90_000, 90_000 + tables):
        rng, ground = scenes.ground(seed)
        table = product.table(ground)
        for case in scenes.cases(rng, ground, LINES):
            s, e = ((x / ground.k, y / ground.k) for x, y in case[:2])
            quick = bool(clear_lines(table, np.array([s]), np.array([e]), SightLaw())[0])
            assert sight_line(table, s, e, SightLaw()).clear == quick, describe(ground, case)
