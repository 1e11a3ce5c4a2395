"""Scripted dice: throws in their order, throws by purpose, and what comes when nothing is written any more."""

from __future__ import annotations

import pytest

from tabletop.battle.dice import ScriptedDice


def test_throws_by_purpose_come_before_those_in_order() -> None:
    dice = ScriptedDice([2, 3], purposes={"fire": [6, 5]})
    assert [dice.die(what) for what in ("fire", "orders", "fire", "fire")] == [6, 2, 5, 3]
    assert dice.thrown == ["fire", "orders", "fire", "fire"]
    assert dice.script == []


def test_grades_by_purpose() -> None:
    dice = ScriptedDice(purposes={"orders": [0.9]})
    assert dice.grade("orders", [0.2, 0.3, 0.5]) == (2, 0.9)


@pytest.mark.parametrize("sides", [2, 6, 20])
def test_dice_never_run_out(sides: int) -> None:
    """Seeded faces, the same every time, others with another seed."""
    thrown = [[ScriptedDice(seed=seed) for _ in range(2)] for seed in (0, 1)]
    faces = [[[dice.die("a", sides) for _ in range(30)] for dice in pair] for pair in thrown]
    assert faces[0][0] == faces[0][1] != faces[1][0]
    assert {face for pair in faces for row in pair for face in row} <= set(range(1, sides + 1))
    draws = [ScriptedDice(seed=3).grade("b", [0.5, 0.5]) for _ in range(2)]
    assert draws[0] == draws[1]
    assert draws[0][1] is not None
    assert 0.0 < draws[0][1] < 1.0


@pytest.mark.parametrize(("rest", "face", "draw"), [(1, 1, 1 / 12), (6, 6, 11 / 12), (0.25, 1, 0.25)])
def test_a_stated_face_for_all_the_rest(rest: float, face: int, draw: float) -> None:
    dice = ScriptedDice([4], rest=rest)
    assert [dice.die("a"), dice.die("a"), dice.die("a")] == [4, face, face]
    assert dice.grade("a", [0.5, 0.5])[1] == pytest.approx(draw)
