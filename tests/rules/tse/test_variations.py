"""Variations of the suggested moves: other ranks, and wheels on a corner that end facing the enemy."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.geometry.measure import bearing, turn_between
from tabletop.play import engine
from tabletop.rules.tse.computer.variations import variations
from tabletop.rules.tse.turn.sequence import in_turn
from tests.playing import FIELD, do, general, scene, unit

ENEMY = unit("enemy", side="red", parent=None, formation="deployed", at=(0.0, 9.0), facing=180)


def options(battle: Battle) -> list[dict[str, Any]]:
    """Return the options of the variations for unit "a"; all of them are allowed maneuvers."""
    found = list(variations(in_turn(battle, "a"), "a"))
    assert all(engine.judge(in_turn(battle, "a"), action).holds for action in found)
    assert {action.kind for action in found} <= {"maneuver"}
    return [dict(action.options) for action in found]


def wheels(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [o for o in found if set(o.get("pivots", ())) - {"middle"}]


@pytest.mark.parametrize(
    ("bases", "front", "others"),
    [(4, 2, [(2, 1, 1)]), (3, 2, []), (6, 2, [(3, 3), (2, 2, 1, 1)]), (8, 4, [(3, 3, 2), (2, 2, 2, 2)])],
)
def test_other_ranks_most_like_the_present_ones(bases: int, front: int, others: list[tuple[int, ...]]) -> None:
    """TSE-FRM-20: in the open, with the enemy far off, every one of them may be taken."""
    far = unit("enemy", side="red", parent=None, formation="deployed", at=(0.0, 30.0), facing=180)
    found = options(scene(unit(bases=bases, front=front), far))
    assert [o["ranks"] for o in found] == others


def test_a_wheel_past_either_flank_ends_facing_the_enemy_and_is_paid_for() -> None:
    """TSE-MOV-03: to the right of him it wheels on its left corner, so the outer flank goes round."""
    battle = in_turn(scene(unit(), ENEMY), "a")
    found = [a for a in variations(battle, "a") if set(a.options.get("pivots", ())) - {"middle"}]
    assert {a.options["pivots"][-1] for a in found} == {"left", "right"}
    for action in found:
        verdict = engine.judge(battle, action)
        after = verdict.measured["after"]
        x, y = FIELD.back(verdict.measured["at"])
        assert action.options["pivots"][-1] == ("left" if x > 0.0 else "right")
        assert abs(turn_between(after["facing"], bearing(-x, 9.0 - y))) < 20.0
        assert verdict.measured["turns"] > 0.0
        assert verdict.measured["cost"] == pytest.approx(verdict.measured["allowed"], abs=0.01)


def test_mirrored_they_are_mirrored() -> None:
    """The table mirrored in the axis through the unit."""
    east, west = (
        unit("enemy", side="red", parent=None, formation="deployed", at=(s * 4.0, 8.0), facing=180) for s in (1, -1)
    )
    found, mirrored = (wheels(options(scene(unit(), enemy))) for enemy in (east, west))
    ends = sorted(FIELD.back(o["path"][-1]) for o in found)
    others = sorted((-x, y) for x, y in (FIELD.back(o["path"][-1]) for o in mirrored))
    assert len(ends) == 4
    assert all(math.dist(a, b) < 0.01 for a, b in zip(ends, others, strict=True))


def test_far_from_every_enemy_nobody_wheels() -> None:
    far = unit("enemy", side="red", parent=None, formation="deployed", at=(0.0, 30.0), facing=180)
    assert not wheels(options(scene(unit(), far)))


def test_who_cannot_maneuver_has_none() -> None:
    """TSE-ACT-91: demoralized, generals, units that have acted, and before anything may be done."""
    assert not options(scene(unit(status="demoralized"), ENEMY))
    battle = scene(unit(), ENEMY, general("div", (0.0, -3.0)))
    assert list(variations(battle, "a"))
    assert not list(variations(battle, "div"))
    assert not list(variations(battle, "nobody"))
    assert not list(variations(do(battle, "hold", "a").battle, "a"))
