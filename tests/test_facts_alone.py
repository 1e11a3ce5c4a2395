"""Facts asked for by themselves are those of the whole answer, of things as they stand and of things moved a little."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.margins import drawn, put
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.terrain import Terrain
from tabletop.judge.asking import facts_of, proof
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


@pytest.mark.parametrize("number", [26, 53, 67, 205])
def test_a_line_between_points_is_clear_briefly_where_it_is(number: int) -> None:
    """TSE-LOS-01."""
    drawn = question(number)
    assert drawn.question == "line"
    asked, rng = rule_set.find("tse").question("line"), random.Random(number)
    request = Request(drawn.question, drawn.args, drawn.options)
    pieces = [piece for piece in drawn.battle.table.terrain if piece.is_hill or piece.sight == "tall"]
    for _ in range(24):
        far = rng.uniform(0.0, 4.0), rng.uniform(0.0, 360.0)
        shift = far[0] * math.sin(far[1]), far[0] * math.cos(far[1])
        there = placed(drawn.battle, (Placement(Thing(rng.choice(pieces)), shift, rng.uniform(-30.0, 30.0)).body(),))
        assert asked.answer(there, request.briefly()).holds == asked.answer(there, request).holds


@pytest.mark.parametrize("number", [10, 37])
def test_who_is_no_cavalry_breaks_through_nowhere(number: int) -> None:
    """TSE-ASL-70: no shift makes such a breakthrough hold, so none is searched for."""
    drawn = question(number)
    asked = rule_set.find("tse").question("breakthrough")
    request, rng = Request(drawn.question, drawn.args, drawn.options), random.Random(number)
    assert asked.hopeless(drawn.battle, request, 2.0)
    for _ in range(6):
        assert not asked.answer(moved(drawn.battle, rng, drawn.args), request).holds


@pytest.mark.parametrize("number", [9, 14, 29, 34, 49, 54])
def test_facts_of_the_other_rules_alone_are_those_of_the_whole_answer(number: int) -> None:
    """ROC-ART-04, ROC-CBT-05."""
    drawn = question(number)
    assert drawn.question in ("fire", "assault")
    asked, rng = rule_set.find("realm-of-chance").question(drawn.question), random.Random(number)
    request, millimetres = Request(drawn.question, drawn.args, drawn.options), 25.4
    compared(asked, drawn.battle, request, ())
    for _ in range(12):
        thing = Thing(drawn.battle.unit(rng.choice(drawn.args)))
        shift = (rng.uniform(-3.0, 3.0) * millimetres, rng.uniform(-3.0, 3.0) * millimetres)
        placement = Placement(thing, shift, rng.choice((0.0, rng.uniform(-60.0, 60.0))))
        compared(asked, placed(drawn.battle, (placement.body(),)), request, ())


@pytest.mark.parametrize("status", ["ok", "demoralized"])
@pytest.mark.parametrize("every", [9, pytest.param(1, marks=pytest.mark.sweep)])
def test_band_and_cover_of_a_shot_are_the_same_whoever_may_fire_it(status: str, every: int) -> None:
    """TSE-ACT-91, TSE-FIR-04: the facts alone, too, of a shot that may not be fired; of one pair in ``every``."""
    battle = load_scene(ROOT / BATTLES[0])
    asked, tried = rule_set.find("tse").question("fire"), 0
    troops = [unit for unit in battle.units if not unit.is_general]
    pairs = [(firer, target) for firer in troops for target in battle.enemies(firer) if not target.is_general]
    for firer, target in [(f, t) for f, t in pairs if math.dist(f.at, t.at) <= 12.0][::every]:
        there = battle.with_unit(replace(firer, status=status))
        request = Request("fire", (firer.id, target.id), {})
        facts = facts_of(asked, asked.answer(there, request))
        compared(asked, there, request, ())
        tried += "band" in facts
    assert tried > 2
