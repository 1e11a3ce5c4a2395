"""Ground that changes hands, and the end of the last turn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.event import Taken
from tabletop.battle.progress import Fallen, Objective
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.rules.common.ground_held import standing_at
from tabletop.rules.tse.turn import victory
from tests.playing import FIELD, do, general, scene, unit


def ground(*units: Unit, holder: str | None = None, points: float = 2.0) -> Battle:
    x, y = FIELD.put((0.0, 5.0))
    objective = Objective("mill", (x, y), 2.0, points, "The mill", holder)
    return scene(*units, setup={"objectives": (objective,)})


def red(**keys: object) -> Unit:
    return replace(unit("r", side="red", parent="rd", at=(0.0, 7.5), facing=180), **keys)  # type: ignore[arg-type]


@pytest.mark.parametrize(("north", "sides"), [(2.25, ("blue",)), (2.23, ())])
def test_a_side_stands_there_with_any_part_of_a_unit_in_its_radius(north: float, sides: tuple[str, ...]) -> None:
    """Exactly the radius counts: the column's front is 0.75 ahead of its centre."""
    battle = ground(unit(at=(0.0, north)))
    assert standing_at(battle, battle.setup.objectives[0], victory.in_hand) == sides


def test_generals_and_the_demoralized_hold_nothing() -> None:
    """TSE-UNI-01: he is no unit."""
    battle = ground(general(at=(0.0, 5.0)), unit(at=(0.0, 5.0), status="demoralized"))
    assert standing_at(battle, battle.setup.objectives[0], victory.in_hand) == ()


def test_ground_changes_hands_when_an_initiative_ends() -> None:
    """TSE-TRN-03: to the side that is there alone; and stays in its hands when it leaves."""
    step = do(ground(unit(at=(0.0, 4.0)), holder="red"), "hold")
    assert [e.side for e in step.events if isinstance(e, Taken)] == ["blue"]
    assert step.battle.setup.objectives[0].holder == "blue"
    both = do(ground(unit(at=(0.0, 4.0)), red(), holder="red"), "hold")
    assert both.battle.setup.objectives[0].holder == "red"
    nobody = do(ground(unit(at=(0.0, -4.0)), holder="red"), "hold")
    assert nobody.battle.setup.objectives[0].holder == "red"


def ended(battle: Battle) -> tuple[str | None, str]:
    unfolding = Unfolding(battle)
    victory.end(unfolding)
    outcome = unfolding.battle.outcome
    assert outcome is not None
    return outcome.winner, outcome.how


def test_more_points_win() -> None:
    """TSE-TRN-09: ground held is scored when the last turn is over."""
    assert ended(ground(unit(), red(), holder="red")) == ("red", "points 2 0")
    ahead = replace(ground(unit(), red(), holder="red"), scores={"blue": 3.0})
    assert ended(ahead)[0] == "blue"


def test_with_equal_points_the_lesser_loss_wins() -> None:
    """TSE-MOR-01: by the share of units destroyed or demoralized."""
    even = scene(unit(), red())
    assert ended(even) == (None, "even")
    assert ended(scene(unit(status="demoralized"), red()))[0] == "red"
    fallen = replace(even, fallen=(Fallen(replace(red(), id="r2"), "destroyed", 1),))
    assert ended(fallen)[0] == "blue"


def test_a_side_with_nobody_left_has_lost() -> None:
    """At once, whatever its generals do; not while others are still to come."""
    fallen = (Fallen(red(), "destroyed", 1),)
    battle = replace(scene(unit(), unit("b", at=(9.0, 0.0)), general("rd", (0.0, 20.0), side="red")), fallen=fallen)
    outcome = do(battle, "hold").battle.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.how) == ("blue", "wiped-out red")
    assert do(replace(battle, awaited=(replace(red(), id="r2"),)), "hold").battle.outcome is None
