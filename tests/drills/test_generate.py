"""Positions have the margin that was asked for, the answer that was drawn, and a twin with another."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace

import pytest

from tabletop.drills import proof, stock
from tabletop.drills.families import FAMILIES, NOTHING, OTHERS
from tabletop.drills.generate import Deck, made, right
from tabletop.drills.position import Position
from tabletop.drills.proof import LONG, MARGINS, constants, prove
from tabletop.drills.scenes import stands
from tabletop.judge import ask, judge, shift_margin


def one(name: str, wanted: float, answer: str, seed: int = 1, plan: int = 0) -> Position:
    family = FAMILIES[name]
    position = made(family, family.plans[plan], answer, wanted, random.Random(seed))
    assert position is not None
    return position


@pytest.mark.parametrize("wanted", [*(pytest.param(one, marks=pytest.mark.sweep) for one in MARGINS[:-1]), MARGINS[-1]])
def test_nearest_is_sound_at_every_margin(wanted: float) -> None:
    proved = prove("nearest", wanted)
    assert not proved.faults and len(proved.positions) == 20, proved.faults


@pytest.mark.parametrize(
    ("name", "answer", "wanted"), [("fire", "no", 0.4), ("flank", "flank", 0.8), ("sight", "yes", 0.2)]
)
def test_the_margin_is_that_of_the_verdict(name: str, answer: str, wanted: float) -> None:
    position = one(name, wanted, answer)
    assert position.layout is not None and stands(position.battle)
    battle = position.layout.battle("again")
    verdict = judge(battle, position.proof.question, position.proof.args)
    closeness = verdict.attributes["frontal"] if name == "flank" else verdict.closeness
    assert closeness is not None and closeness.shift is not None
    assert right(closeness.shift, wanted) and closeness.shift == pytest.approx(position.margin, abs=0.01)
    twin = position.twin
    assert twin is not None and twin.answer != position.answer and twin.moved.shift is not None
    assert closeness.shift - 0.01 <= math.hypot(*twin.moved.shift) <= 2.0 * closeness.shift + 0.01
    assert stands(twin.battle)


def test_the_nearest_is_nearest_by_its_margin() -> None:
    position = one("nearest", 0.4, "brandt", plan=3)
    far = {name: ask(position.battle, "distance", ("arnaud", name.lower())).measured["distance"] for name in OTHERS}
    first, second, _ = sorted(far.values())
    assert far["Brandt"] == first and second - first == pytest.approx(position.margin)


def test_one_piece_alone_hides_the_target() -> None:
    family = FAMILIES["blocker"]
    position = one("blocker", 0.3, "copse")
    assert position.answer == "copse" and not position.proof.holds and NOTHING in position.choices
    assert set(position.clickable) == {"copse", "spinney"}
    assert position.twin is not None and family.briefly(position.twin.battle, position.seen) == position.twin.answer


def test_a_deck_has_every_plan_with_every_answer() -> None:
    for family in FAMILIES.values():
        deck, every = Deck(family, random.Random(3)), [(p, a) for p in family.plans for a in family.choices(p)]
        drawn = [deck.draw() for _ in every]
        assert Counter(map(str, drawn)) == Counter(map(str, every))


def test_a_constant_answer_that_pays_is_found() -> None:
    position = one("nearest", 1.5, "auer")
    found = [replace(position, choices={"yes": "", "no": ""}, answer=answer, seen={"wall": wall})
             for wall, answer in [("yes", "yes"), ("no", "no")] * 10]  # fmt: skip
    assert not constants([replace(one_, seen={}) for one_ in found])
    assert len(constants(found)) == 2 and "where wall is yes" in constants(found)[0]


def test_a_margin_that_is_wrong_is_found() -> None:
    position = replace(one("nearest", 0.4, "auer"), margin=0.5)
    assert any("margin is 0.5" in fault for fault in proof._wrong(position, "auer", 0.4))
    assert proof._wrong(position, "brandt", 0.5)


@pytest.mark.parametrize(("name", "fact"), [("sight", "holds"), ("fire", "holds"), ("flank", "frontal")])
def test_the_margin_of_shifts_is_that_of_the_whole_verdict(name: str, fact: str) -> None:
    """Nothing is left out of the search but what is not asked for."""
    kept = next(k for k in stock.shuffled(random.Random(2)) if k.family == name).position()
    args = kept.proof.args
    alone = shift_margin(kept.battle, kept.proof.question, args, fact)
    verdict = judge(kept.battle, kept.proof.question, args)
    whole = verdict.attributes[fact] if fact != "holds" else verdict.closeness
    assert whole is not None and alone.shift is not None
    assert (alone.value, alone.shift, alone.shifted) == (whole.value, whole.shift, whole.shifted)
    near = shift_margin(kept.battle, kept.proof.question, args, fact, within=alone.shift / 4)
    assert near.shift is None or near.shift >= alone.shift


def test_a_margin_that_only_the_whole_verdict_tells_is_found() -> None:
    """The proof asks the judge anew: a position whose own figure is wrong does not pass on it."""
    position = one("flank", 0.4, "flank")
    assert not proof._judged_wrong(position, 0.4)
    assert "whole verdict is 0." in proof._judged_wrong(position, 0.6)[0]
    nearest = one("nearest", 0.4, "auer")
    assert not proof._judged_wrong(nearest, 0.4) and proof._judged_wrong(nearest, 0.6)


@pytest.mark.sweep
@pytest.mark.parametrize("name", list(FAMILIES))
@pytest.mark.parametrize("wanted", MARGINS)
def test_every_family_is_sound_in_the_long_sweep(name: str, wanted: float) -> None:
    proved = prove(name, wanted, LONG)
    assert not proved.faults, proved.faults
