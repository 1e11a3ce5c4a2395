"""The calculator of Age of Sail: worked cases of the rules asked by form; its odds are those of a battle."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest

from tabletop.battle.dice import ScriptedDice
from tabletop.errors import BadQuestion
from tabletop.play.engine import play_of
from tabletop.rules.calculator import Calculator
from tabletop.rules.rule_set import find
from tabletop.rules.sail.phases import GUNNERY
from tests.sail import act, battle, ship


def machine() -> Calculator:
    make = find("sail").calculator
    assert make is not None
    return make()


def pressed(what: str) -> tuple[str, str | None]:
    return ("result", what) if what in machine().actions else (what, None)


def asked(what: str, dice: Sequence[int] = (), **form: Any) -> str:
    """Return the answer to a form for these dice; every one of them must be thrown."""
    script = ScriptedDice([*map(float, dice)])
    answer = machine().press(*pressed(what), form, script)
    assert not script.script
    return answer.text


def odds(what: str, **form: Any) -> dict[str, float]:
    found = machine().odds(*pressed(what), form)
    assert math.fsum(p for p, _ in found) == pytest.approx(1.0, abs=1e-12)
    return {text: p for p, text in found}


@pytest.mark.parametrize(
    ("far", "aim", "dice", "found"),
    [
        (40, "hull", [2, 3, 3], "2 hits, 2 boxes"),
        (41, "hull", [3, 3, 4], "1 hit, 1 box"),
        (120, "hull", [4, 5, 1], "1 hit, 1 box"),
        (121, "hull", [], "no shot, out of range"),
        (40, "masts", [3, 3, 4], "1 hit, 1 box"),
        (120, "masts", [5, 5, 6], "1 hit, 1 box"),
    ],
)
def test_g10_bands(far: int, aim: str, dice: list[int], found: str) -> None:
    """SAIL-FIR-03, SAIL-ARC-03: 3, 4 and 5 hit the hull up to 4, 8 and 12 cm, one more the masts; nothing beyond."""
    assert asked("fire", dice, decks="three", range=far, aim=aim) == found


@pytest.mark.parametrize(("far", "mean"), [(40, 2.0), (41, 1.5), (121, 0.0)])
def test_g10_hits_on_average(far: int, mean: float) -> None:
    """SAIL-FIR-03: three decks at the hull."""
    found = odds("fire", decks="three", range=far)
    assert sum(p * (int(text[0]) if text[0].isdigit() else 0) for text, p in found.items()) == pytest.approx(mean)


def test_g16_hits_from_astern_count_on_both_sides() -> None:
    """SAIL-FIR-05, SAIL-FIR-08: two boxes for each hit; two sixes set her on fire."""
    assert asked("fire", [3, 3], decks="two", range=30, **{"from": "stern"}) == "2 hits, 4 boxes"
    assert asked("fire", [6, 6, 1], decks="three", range=30) == "2 hits, 2 boxes; on fire"
    assert asked("fire", [6, 1, 1], decks="three", range=30, **{"from": "bow"}) == "1 hit, 1 box"


def test_g13_boarding() -> None:
    """SAIL-BRD-01: 21 against 22; a tie decides nothing."""
    form = {"boarders": "six", "boarded": "four"}
    assert asked("board", [4, 2, 5, 1, 3, 6, 6, 6, 5, 5], **form) == "the boarding ship is taken"
    assert asked("board", [4, 2, 5, 1, 3, 6, 6, 6, 5, 4], **form) == "neither gives way"
    assert asked("board", [4, 2, 5, 1, 3, 6, 6, 6, 5, 3], **form) == "the boarded ship is taken"
    assert odds("board", boarders="one", boarded="one") == pytest.approx(
        {"the boarded ship is taken": 15 / 36, "neither gives way": 6 / 36, "the boarding ship is taken": 15 / 36}
    )


def test_g12_a_fire_aboard() -> None:
    """SAIL-FIR-09: put out on 5 in the first turn, on 6 in the second; survival of both 4/9."""
    first, second = odds("burning"), odds("burning", burns="two")
    assert first == pytest.approx({"she burns on": 2 / 3, "the fire is put out": 1 / 3})
    assert second == pytest.approx({"she explodes": 5 / 6, "the fire is put out": 1 / 6})
    assert first["the fire is put out"] + first["she burns on"] * second["the fire is put out"] == pytest.approx(4 / 9)
    assert [asked("burning", [face]) for face in (4, 5)] == ["she burns on", "the fire is put out"]


@pytest.mark.parametrize(("far", "least"), [(8, 3), (30, 3), (50, 4), (120, 5), (125, None)])
def test_g14_a_ship_near_an_explosion(far: int, least: int | None) -> None:
    """SAIL-FIR-10: by the hull column at 3, 5 and 12 cm; never at 12.5."""
    burns = odds("explosion", distance=far).get("she catches fire", 0.0)
    assert burns == pytest.approx(0.0 if least is None else (7 - least) / 6)


@pytest.mark.parametrize(
    ("masts", "wind", "angle", "found"),
    [
        ("three", "four", "eight", "12 cm"),  # SAIL-G01
        ("three", "five", "four", "18 cm"),  # SAIL-G02
        ("three", "five", "two", "12 cm"),
        ("three", "five", "eight", "15 cm"),
        ("two", "four", "eight", "8 cm"),  # SAIL-G04
        ("three", "one", "two", "1 cm"),  # SAIL-G05
        ("three", "four", "three", "15 cm"),  # SAIL-G17
        ("four", "four", "eight", "16 cm"),
        ("three", "four", "none", "1 cm"),
        ("none", "four", "four", "0 cm"),
    ],
)
def test_how_far_a_ship_sails(masts: str, wind: str, angle: str, found: str) -> None:
    """SAIL-MOV-01..08: masts by the wind's speed, one less close hauled, one more reaching; at least 1 cm."""
    assert asked("allowance", masts=masts, wind=wind, angle=angle) == found


def test_separating_and_repairs() -> None:
    """SAIL-BRD-02, SAIL-MOV-10: on a six."""
    assert [asked("separate", [face]) for face in (5, 6)] == ["she is held fast", "she gets clear"]
    assert [asked("repair", [face]) for face in (5, 6)] == ["no mast is restored", "a mast is restored"]


@pytest.mark.parametrize("facing", [0.0, 90.0, 270.0])
@pytest.mark.parametrize("gap", [3.0, 7.93, 11.9])
def test_the_odds_of_a_broadside_are_the_battles(facing: float, gap: float) -> None:
    """SAIL-FIR-03..08, SAIL-ARC-03: the form taken from a table has the odds of the action on it."""
    scene = battle(ship("a"), ship("b", "red", at=(gap + (54 if facing else 52), 40), facing=facing), phase=GUNNERY)
    filled = machine().filled(scene, "result", "fire", "a", "b")
    found = odds("fire", **{name: one.value for name, one in filled.items()})
    of_battle = play_of(scene).odds(scene, act(scene, "fire", "a", "b"))
    assert of_battle is not None
    assert found == pytest.approx({result.text: p for p, result in of_battle.results}, abs=1e-12)
    assert filled["from"].value == {0.0: "side", 90.0: "stern", 270.0: "bow"}[facing]


@pytest.mark.parametrize(
    ("what", "form", "says"),
    [
        ("fire", {"decks": "four", "range": 40}, "decks cannot be 'four'; one of: one, two, three"),
        ("fire", {"decks": "two"}, "range is missing; a whole number from 0"),
        ("board", {"boarders": "six"}, "boarded is missing; one of: one, two"),
        ("allowance", {"masts": "five", "wind": "one", "angle": "two"}, "masts cannot be 'five'"),
    ],
)
def test_what_it_refuses(what: str, form: dict[str, Any], says: str) -> None:
    with pytest.raises(BadQuestion, match=says):
        machine().press(*pressed(what), form, ScriptedDice([1.0] * 9))


def test_a_target_must_be_pointed_at() -> None:
    with pytest.raises(BadQuestion, match="choose an enemy"):
        machine().filled(battle(ship("a"), ship("b", "red", at=(60, 40))), "result", "fire", "a", None)
