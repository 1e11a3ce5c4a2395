"""Questions as margins put them: without proof, of a shifted unit, of all its shifts at once."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import shapely

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.play.files.load import load_scene
from tabletop.rules import rule_set
from tabletop.rules.ages.movement.motion import along, over_the_edge, surely_on_table
from tabletop.rules.rule_set import Request

SCENES = ("wachau", "drill-ground")
RULES = rule_set.find("realm-of-chance")


@cache
def battle(name: str) -> Battle:
    return load_scene(Path(__file__).resolve().parents[3] / f"scenarios/realm-of-chance/{name}.yaml")


def pairs(on: Battle) -> list[tuple[str, str]]:
    fighting = [unit for unit in on.units if not unit.is_general]
    return [(a.id, b.id) for a, b in itertools.permutations(fighting, 2) if a.side != b.side]


def holds(on: Battle, question: str, args: tuple[str, str], **options: object) -> bool:
    return RULES.question(question).answer(on, Request(question, args, options)).holds


@pytest.mark.parametrize(
    ("name", "step", "question"),
    [
        ("wachau", 9, "los"),
        ("wachau", 3, "fire"),
        ("drill-ground", 1, "los"),
        ("drill-ground", 1, "fire"),
        pytest.param("wachau", 3, "los", marks=pytest.mark.sweep),
        pytest.param("wachau", 1, "los", marks=pytest.mark.sweep),
        pytest.param("wachau", 1, "fire", marks=pytest.mark.sweep),
    ],
)
def test_briefly_as_with_its_proof(name: str, step: int, question: str) -> None:
    """ROC-ART-01, ROC-ART-05, ROC-ART-07: of every pair, or of every so many."""
    draw, told = np.random.default_rng(3), Counter[bool]()
    for args in pairs(battle(name))[::step]:
        dx, dy = draw.uniform(-40.0, 40.0, 2).tolist()
        on = battle(name).with_unit(battle(name).unit(args[0]).moved(dx, dy))
        try:
            full = holds(on, question, args)
        except BadQuestion:
            continue
        assert holds(on, question, args, brief=True) == full, args
        told[full] += 1
    assert min(told[True], told[False]) >= 3, told


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.sweep)])
def test_what_holds_of_all_shifts_at_once_holds_of_each(step: int) -> None:
    """ROC-ART-07: no shift of a unit sees if all it may cover does not; each does if what is left of it does."""
    draw, told = np.random.default_rng(4), Counter[bool]()
    for name, args in [(scene, args) for scene in SCENES for args in pairs(battle(scene))[::step]]:
        seen = holds(battle(name), "los", args, brief=True)
        for mover, radius in itertools.product(args, (2.0, 12.0)):
            kind = {"grown": (mover, -radius)} if seen else {"loose": (mover, radius)}
            if holds(battle(name), "los", args, brief=True, **kind) != seen:
                continue
            told[seen] += 1
            for angle in draw.uniform(0.0, 2.0 * math.pi, 3).tolist():
                shifted = battle(name).unit(mover).moved(radius * math.sin(angle), radius * math.cos(angle))
                assert holds(battle(name).with_unit(shifted), "los", args, brief=True) == seen, (args, mover, radius)
    assert min(told[True], told[False]) >= 3, told


@pytest.mark.parametrize("name", SCENES)
def test_a_way_meets_what_its_whole_ground_meets(name: str) -> None:
    """ROC-MOV-01, ROC-MOV-02, ROC-MOV-05: parts of a way tell what the ground of all of it would."""
    draw, told = np.random.default_rng(5), Counter[bool]()
    on = battle(name)
    areas = [piece.shape for piece in on.table.terrain] + [unit.footprint for unit in on.units]
    for unit in [unit for unit in on.units if unit.fronts]:
        x, y = unit.front_mid
        points = [(x + dx, y + dy) for dx, dy in np.cumsum(draw.uniform(-120.0, 120.0, (2, 2)), axis=0).tolist()]
        course = along(unit, points)
        for area in areas:
            met = course.meets(area)
            assert met == bool(shapely.intersects(area, course.inner))
            told[met] += 1
        if surely_on_table(on, course):
            assert over_the_edge(on, course.swept, course.end.footprint) < 0.0
    assert min(told[True], told[False]) >= 10, told
