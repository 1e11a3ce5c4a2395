"""Facts asked for by themselves are those of the whole answer, of things as they stand and of things moved a little."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from benchmarks.margins import drawn, put
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.terrain import Terrain
from tabletop.judge.margin import facts_of, proof
from tabletop.judge.things import Placement, Thing, placed
from tabletop.play.files.load import load_scene
from tabletop.rules import rule_set
from tabletop.rules.rule_set import Question, Request
from tools.margin_questions import question

ROOT = Path(__file__).resolve().parents[1]
BATTLES = ("scenarios/tse/quatre-bras.yaml", "scenarios/tse/starter.yaml")
KINDS = ("fire", "cover", "assault", "move", "fallback")


def compared(asked: Question, battle: Battle, request: Request, hints: Any) -> None:
    """Assert that every fact alone, and all of them at once, are the whole answer's."""
    assert asked.facts is not None
    wanted = facts_of(asked, asked.answer(battle, request))
    for names in (list(wanted), *([name] for name in wanted)):
        told = asked.facts(battle, request.briefly(hints), names).values
        assert {name: told.get(name) for name in names} == {name: wanted[name] for name in names}, request
        rest = {name: value for name, value in told.items() if name in wanted}
        assert rest == {name: wanted[name] for name in rest}, request


def moved(battle: Battle, rng: random.Random, names: tuple[str, ...]) -> Battle:
    """Return a battle with one thing shifted or turned, mostly a unit asked about."""
    bodies: list[Unit | Terrain] = [*map(battle.unit, names * 4), *battle.units, *battle.table.terrain]
    thing = Thing(rng.choice(bodies))
    shift = (rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0))
    return placed(battle, (Placement(thing, shift, rng.choice((0.0, rng.uniform(-30.0, 30.0)))).body(),))


def every(count: int, placements: int, seed: int) -> None:
    rng = random.Random(seed)
    for file in BATTLES:
        battle = load_scene(ROOT / file)
        for kind, args, options in drawn(battle, count, seed):
            asked = rule_set.find(battle.rules).question(kind)
            if kind not in KINDS:
                continue
            request = Request(kind, args, put(battle, options))
            try:
                hints = proof(asked.answer(battle, request))
                compared(asked, battle, request, hints)
                for _ in range(placements):
                    compared(asked, moved(battle, rng, args), request, rng.choice(((), hints)))
            except BadQuestion:
                continue


@pytest.mark.parametrize("seed", [1, 2])
def test_facts_alone_are_those_of_the_whole_answer(seed: int) -> None:
    every(24, 2, seed)


@pytest.mark.sweep
def test_facts_alone_are_those_of_the_whole_answer_often() -> None:
    every(400, 12, 7)


@pytest.mark.parametrize("number", [10, 23, 37, 51])
def test_facts_of_a_breakthrough_alone_are_those_of_the_whole_answer(number: int) -> None:
    """TSE-ASL-70, TSE-ASL-71, TSE-ASL-40."""
    drawn = question(number)
    assert drawn.question == "breakthrough"
    asked, rng = rule_set.find("tse").question("breakthrough"), random.Random(number)
    request = Request(drawn.question, drawn.args, drawn.options)
    compared(asked, drawn.battle, request, ())
    for _ in range(6):
        compared(asked, moved(drawn.battle, rng, (*drawn.args, str(drawn.options["after"]))), request, ())


@pytest.mark.parametrize("number", [10, 37])
def test_who_is_no_cavalry_breaks_through_nowhere(number: int) -> None:
    """TSE-ASL-70: no shift makes such a breakthrough hold, so none is searched for."""
    drawn = question(number)
    asked = rule_set.find("tse").question("breakthrough")
    request, rng = Request(drawn.question, drawn.args, drawn.options), random.Random(number)
    assert asked.hopeless(drawn.battle, request, 2.0)
    for _ in range(6):
        assert not asked.answer(moved(drawn.battle, rng, drawn.args), request).holds
