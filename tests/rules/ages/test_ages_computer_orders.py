"""The computer carries out the orders its units have (AGE-ORD-01)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.play.computer.greedy import Greedy
from tabletop.rules.ages.computer.action_value import ORDERED, prospect
from tabletop.rules.ages.turn.phases import in_turn
from tests.loaded import scenario

FORWARD, BACK, TURN = (
    Action("move", "allied", "howe", options={"path": ((605.0, 340.0),)}),
    Action("withdraw", "allied", "howe", options={"distance": 20.0}),
    Action("move", "allied", "howe", options={"facing": 30.0}),
)


def ordered(stance: str | None) -> Battle:
    battle = scenario("gloire/causeway")
    howe = battle.unit("howe")
    given = {} if stance is None else {"order": stance}
    return in_turn(battle.with_unit(replace(howe, marks={**howe.marks, **given})), "howe", "move")


@pytest.mark.parametrize(
    ("stance", "against"),
    [("hold", (True, True, False)), ("advance", (False, True, False)), ("support", (False, False, False))],
)
def test_a_move_against_the_order_is_worth_so_much_less(stance: str, against: tuple[bool, ...]) -> None:
    for action, less in zip((FORWARD, BACK, TURN), against, strict=True):
        (free, reason), (bound, same) = (prospect(ordered(given), action) for given in (None, stance))
        assert free - bound == pytest.approx(ORDERED * less)
        assert reason == same


def test_a_unit_ordered_to_hold_stays_where_it_would_go_forward() -> None:
    def went(stance: str | None) -> bool:
        battle, moved = ordered(stance), False
        for _ in range(30):
            action = Greedy(1).choose(battle).action
            if action.kind == "done":
                return moved
            unit = battle.unit(str(action.unit))
            moved = moved or (unit.id == "howe" and "path" in action.options)
            battle = battle.with_unit(replace(unit, marks={**unit.marks, "moved": True, "spent": 1.0}))
        raise AssertionError("the phase does not end")

    assert went(None) and not went("hold")
