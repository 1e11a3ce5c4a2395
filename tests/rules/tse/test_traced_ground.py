"""Values of two rulings that are not put again, beside putting every one of them again.

TSE-MOV-06, TSE-INV-16, TSE-ACT-20.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.play.files.load import load_scene
from tabletop.rules import rule_set
from tabletop.rules.rule_set import Request

SCENE = Path(__file__).resolve().parents[3] / "scenarios" / "tse" / "quatre-bras.yaml"
TRACES = ("front_edge", "front_mid", "footprint")
VALUES: dict[str, tuple[Any, ...]] = {"rough_trace": TRACES, "flat_maneuver": (False, True)}


@pytest.fixture(scope="module")
def battle() -> Battle:
    return load_scene(SCENE)


def requests(battle: Battle, question: str, seed: int, most: int) -> Iterator[tuple[Battle, Request]]:
    """Yield moves along random ways or to places ("to"), or fall-backs before enemies, of units shifted about."""
    rng = np.random.default_rng(seed)
    troops = [unit for unit in battle.units if not unit.is_general]
    for k in rng.integers(0, len(troops), most).tolist():
        unit = troops[k].moved(*rng.uniform(-4.0, 4.0, 2).tolist())
        placed = battle.with_unit(unit)
        options: dict[str, Any]
        if question != "fallback":
            (x, y), turn, far = unit.at, rng.uniform(0.0, 2.0 * math.pi), rng.uniform(1.0, 9.0)
            there = x + far * math.sin(turn), y + far * math.cos(turn)
            options = {"to": there} if question == "to" else {"path": [there]}
            options["as"] = "maneuver"
        else:
            others = [other.id for other in troops if other.side != unit.side]
            options = {"from": others[int(rng.integers(len(others)))], "distance": float(rng.integers(1, 9))}
        ruled = placed.with_ruling("rough_trace", str(rng.choice(TRACES)))
        ruled = ruled.with_ruling("flat_maneuver", bool(rng.random() < 0.5))
        yield ruled, Request("move" if question == "to" else question, (unit.id,), options)


def put_again(battle: Battle, question: str, seed: int, most: int) -> Counter[bool]:
    """Put every value again; return how often one might have turned the answer, by what was told before."""
    asked, told = rule_set.find("tse").question("move" if question == "to" else question), Counter[bool]()
    for placed, request in requests(battle, question, seed, most):
        try:
            verdict = asked.answer(placed, request)
        except BadQuestion:
            continue
        again = request.briefly()
        for ruling, value in ((ruling, value) for ruling, values in VALUES.items() for value in values):
            if value != placed.rulings[ruling]:
                may = asked.turns(placed, again, verdict, ruling, value)
                told[may] += 1
                if not may:
                    found = asked.answer(placed.with_ruling(ruling, value), again).holds
                    assert found == verdict.holds, (request, placed.unit(request.args[0]).at, ruling, value)
    return told


@pytest.mark.parametrize(("question", "most"), [("move", 60), ("to", 24), ("fallback", 40)])
def test_what_is_not_put_again_turns_nothing(battle: Battle, question: str, most: int) -> None:
    """TSE-MOV-06, TSE-INV-16, TSE-ACT-20: what gets cheaper stays, and ways found that keep off rough ground."""
    told = put_again(battle, question, 3, most)
    assert min(told[True], told[False]) > most // 6, told


@pytest.mark.parametrize("question", ["move", "fallback"])
def test_another_ruling_may_turn_anything(battle: Battle, question: str) -> None:
    """TSE-MOV-18."""
    asked, (placed, request) = rule_set.find("tse").question(question), next(requests(battle, question, 1, 1))
    verdict = asked.answer(placed, request)
    assert asked.turns(placed, request, verdict, "leaving_zone", "free")


def test_a_way_that_was_not_found_is_looked_for_again(battle: Battle) -> None:
    """TSE-MOV-06: where a way was found, only what makes it dearer may turn the answer; where none was, anything."""
    asked, (placed, request) = rule_set.find("tse").question("move"), next(requests(battle, "move", 2, 1))
    placed, verdict = placed.with_ruling("rough_trace", "front_edge"), asked.answer(placed, request)
    sought = replace(request, options={"to": request.options["path"][0], "as": "maneuver"})
    for holds, turning in ((True, {"footprint"}), (False, {"front_mid", "footprint"})):
        found = {t for t in TRACES[1:] if asked.turns(placed, sought, verdict.with_(holds=holds), "rough_trace", t)}
        assert found == turning


@pytest.mark.sweep
@pytest.mark.parametrize("question", ["move", "to", "fallback"])
def test_what_is_not_put_again_turns_nothing_of_many(battle: Battle, question: str) -> None:
    """TSE-MOV-06, TSE-INV-16."""
    for seed in range(100, 104):
        put_again(battle, question, seed, 250)
