"""What a front turns on at a waypoint: its middle, or a corner (TSE-MOV-03, TSE-MOV-23, TSE-MOV-02)."""

from __future__ import annotations

import math

import pytest

from tabletop.battle.action import Action
from tabletop.errors import BadQuestion
from tabletop.geometry.verdict import Verdict
from tabletop.play.requests import read_options
from tabletop.play.typed.options import read_options as typed
from tabletop.terminal.views import phrase
from tests.moving import O, battle, by_path, drawn, general, rules_against, unit

HALF_PI = math.pi / 2


def wheeled(right: bool, corner: str, **options: object) -> Verdict:
    """Return two inches ahead, a quarter turn, two inches on, of a two-wide column; waypoints are of its middle."""
    own = unit(front_mid=(0.0, 0.0), quality="elite")
    side = 1.0 if right else -1.0
    end = (side * 4.0, 4.0 - 1.0) if corner != "middle" else (side * 3.0, 2.0)
    return by_path(battle(own), (0.0, 2.0), end, pivots=[corner], **options)


@pytest.mark.parametrize("right", [True, False])
def test_a_wheel_on_the_inner_corner(right: bool) -> None:
    """TSE-MOV-03: a quarter turn on the corner of a front two wide costs pi, and the middle is then an inch aside."""
    corner = "right" if right else "left"
    verdict = wheeled(right, corner)
    side = 1.0 if right else -1.0
    assert verdict.measured["turns"] == pytest.approx(math.pi)
    assert verdict.measured["path"][2] == pytest.approx([O + side, O + 3.0])
    assert verdict.measured["facing"] == pytest.approx(90.0 if right else 270.0)
    assert verdict.measured["cost"] == pytest.approx(2.0 + math.pi + 3.0)


def test_on_the_middle_it_costs_half() -> None:
    """TSE-MOV-03: named or not."""
    named, plain = wheeled(True, "middle"), by_path(battle(unit(front_mid=(0.0, 0.0))), (0.0, 2.0), (3.0, 2.0))
    assert named.measured["turns"] == plain.measured["turns"] == pytest.approx(HALF_PI)


@pytest.mark.parametrize("right", [True, False])
def test_no_wheel_goes_backward(right: bool) -> None:
    """TSE-MOV-02: to the left on the left corner only."""
    own = battle(unit(front_mid=(0.0, 0.0)))
    side = 1.0 if right else -1.0
    verdict = by_path(own, (0.0, 1.0), (side * 3.0, 1.0), pivots=["left" if right else "right"])
    assert "TSE-MOV-02" in rules_against(verdict)


@pytest.mark.parametrize(("pivot", "price"), [("right", HALF_PI), ("middle", HALF_PI / 2)])
def test_a_march_column_has_both(pivot: str, price: float) -> None:
    """TSE-MOV-23: a quarter turn off the corner of the head costs 1.571, on its middle half of that."""
    own = unit(formation="march-column", front_mid=(0.0, 0.0))
    end = (3.0, 2.5) if pivot == "right" else (3.0, 2.0)
    verdict = by_path(battle(own), (0.0, 2.0), end, pivots=[pivot], as_="march")
    assert verdict.holds
    assert verdict.measured["turns"] == pytest.approx(price)


def test_on_a_road_the_bend_is_free_on_whatever_it_turns() -> None:
    """TSE-MOV-23: the column snakes along the road."""
    road = [drawn("road", [(0, -20), (0, 2), (20, 2)], "road", width=2.0)]
    own = unit(formation="march-column", front_mid=(0.0, 0.0))
    verdict = by_path(battle(own, terrain=road), (0.0, 1.5), (3.0, 2.0), pivots=["right"], as_="march")
    assert verdict.measured["turns"] == 0.0


def test_the_last_turn_is_on_the_last_waypoint_s_pivot() -> None:
    """TSE-MOV-03: with a facing at the end."""
    verdict = by_path(battle(unit(front_mid=(0.0, 0.0))), (0.0, 2.0), pivots=["left"], facing=330.0)
    assert verdict.measured["turns"] == pytest.approx(2 * math.radians(30.0))
    x, y = verdict.measured["path"][-1]
    assert (x - O, y - O) == pytest.approx((math.cos(math.radians(30)) - 1.0, 2.0 + 0.5))


def test_where_it_stands_it_wheels_at_once() -> None:
    """TSE-MOV-03: a first waypoint where its front stands already names the pivot of the first turn."""
    own = unit(front_mid=(0.0, 0.0))
    verdict = by_path(battle(own), (0.0, 0.0), (3.0, 1.0), pivots=["right"])
    assert verdict.measured["turns"] == pytest.approx(math.pi)
    assert verdict.measured["path"][-1] == pytest.approx([O + 3.0, O + 1.0])


def test_what_cannot_be_wheeled_to_is_no_question() -> None:
    """A point nearer to the corner than half the front; a general."""
    with pytest.raises(BadQuestion, match="right corner"):
        by_path(battle(unit(front_mid=(0.0, 0.0))), (0.0, 2.0), (0.9, 2.1), pivots=["right"])
    with pytest.raises(BadQuestion, match="no front"):
        by_path(battle(general()), (0.0, 2.0), (3.0, 3.0), pivots=["left"])


@pytest.mark.parametrize("waypoint", ["36,24@left", [36, 24, "left"]])
def test_how_a_pivot_is_written(waypoint: object) -> None:
    """In a command and in a line of a batch."""
    found = read_options({"path": [[30, 20], waypoint]})
    assert found["path"] == [(30.0, 20.0), (36.0, 24.0)]
    assert found["pivots"] == ["middle", "left"]
    assert "pivots" not in read_options({"path": [[30, 20], "36,24"]})


@pytest.mark.parametrize("waypoint", ["36,24@rear", [36, 24, "rear"], [36, 24, 7], "36@left", [1, 2, 3, 4]])
def test_a_pivot_that_makes_no_sense_is_refused(waypoint: object) -> None:
    """One line that names the option, the value and the cure."""
    with pytest.raises(BadQuestion, match="path"):
        read_options({"path": [waypoint]})


def test_a_pivot_is_typed_at_the_prompt_and_told_as_typed() -> None:
    """A move typed with a corner after a waypoint is told in the same words."""
    scene = battle(unit(front_mid=(0.0, 0.0)))
    found, _ = typed(scene, scene.unit("a"), True, {"path": ["100,101@right", "102,102"]})
    assert found == {"path": ((100.0, 101.0), (102.0, 102.0)), "pivots": ("right", "middle")}
    told = phrase(scene, Action("maneuver", "red", "a", options=found))
    assert "path 100,101@right 102,102" in told
