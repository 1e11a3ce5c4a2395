"""The ground of the scenario as the computer of the Ages weighs it, and how time presses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletop.battle.battle import Battle
from tabletop.rules.ages.computer import ground
from tabletop.rules.ages.computer.action_value import CLOSER, PRESS, _approach_value, prospect
from tabletop.rules.ages.computer.suggest import moves_for
from tabletop.rules.ages.turn.phases import in_turn
from tests.loaded import scenario

W = ground.WEIGHTS


def at(battle: Battle, name: str, x: float, y: float, status: str = "ok") -> Battle:
    unit = battle.unit(name)
    return battle.with_unit(replace(unit.moved(x - unit.at[0], y - unit.at[1]), status=status))


def in_turn_number(battle: Battle, turn: int) -> Battle:
    return replace(battle, clock=replace(battle.clock, turn=turn))


def only(battle: Battle, *names: str) -> Battle:
    return replace(battle, units=tuple(unit for unit in battle.units if unit.id in names))


@pytest.fixture
def causeway() -> Battle:
    """One battalion of each side; the mill and the hill are held by the French."""
    return only(at(scenario("gloire/causeway"), "gardes", 1150.0, 950.0), "orkney", "gardes")


@pytest.mark.parametrize("moves", [0.0, 1.0, 2.5])
def test_ground_not_held_fades_with_every_move(causeway: Battle, moves: float) -> None:
    """The mill's radius is 30 mm, a British move 40 mm; the hill is farther off than the mill everywhere here."""
    battle = at(causeway, "orkney", 420.0, 540.0 - 30.0 - moves * 40.0)
    factor = W["stand"] if moves == 0.0 else W["ground_fades"] ** moves
    assert ground.value(battle, battle.unit("orkney")) == pytest.approx(W["ground"] * factor)


def test_it_counts_most_in_the_last_turn_and_not_at_all_for_a_routing_unit(causeway: Battle) -> None:
    orkney = causeway.unit("orkney")
    first, last = (ground.value(in_turn_number(causeway, turn), orkney) for turn in (0, 12))
    assert last == pytest.approx((1.0 + W["last"]) * first)
    assert ground.value(causeway, replace(orkney, status="routing")) == 0.0


def test_a_friend_nearer_to_it_and_an_enemy_on_it_take_from_its_value(causeway: Battle) -> None:
    alone = ground.value(causeway, causeway.unit("orkney"))
    both = only(at(scenario("gloire/causeway"), "gardes", 1150.0, 950.0), "orkney", "howe", "gardes")
    crowded = at(both, "howe", 420.0, 500.0)
    assert ground.value(crowded, crowded.unit("orkney")) < alone
    deserted = at(crowded, "howe", 420.0, 500.0, "routing")
    assert ground.value(deserted, deserted.unit("orkney")) == alone
    on_it = at(causeway, "orkney", 420.0, 530.0)
    contested = at(on_it, "gardes", 420.0, 560.0)
    assert ground.value(on_it, on_it.unit("orkney")) == pytest.approx(W["ground"] * W["stand"])
    assert ground.value(contested, contested.unit("orkney")) == pytest.approx(W["ground"])


def test_the_line_to_go_beyond_lies_straight_ahead_and_the_unit_on_it_has_arrived() -> None:
    """Maida: three British units in good order 1150 mm from their own edge, the west one."""
    battle = scenario("destiny/maida")
    unit = battle.unit("1-81st")
    (place,) = ground.places(battle, unit)
    assert place.at == pytest.approx((1150.0, unit.at[1]))
    there = at(battle, "1-81st", 1150.0, 570.0)
    assert ground.wanted(battle, unit) == place
    assert ground.wanted(there, there.unit("1-81st")) is None


def test_moves_towards_the_ground_are_suggested_and_preferred_with_no_enemy_near(causeway: Battle) -> None:
    battle = in_turn_number(in_turn(at(causeway, "orkney", 420.0, 470.0), "orkney", "move"), 11)
    orkney = battle.unit("orkney")
    moves = [action for action in moves_for(battle, orkney) if action.kind == "move" and "path" in action.options]
    ends = {action.options["path"][-1] for action in moves}
    x, y = orkney.front_mid
    assert any(abs((px - x) * (540.0 - y) - (py - y) * (420.0 - x)) < 5.0 for px, py in ends)
    worth, reason = max((prospect(battle, action) for action in moves), key=lambda pair: pair[0])
    assert worth > 0.0
    assert reason == "for the ground"


@pytest.mark.parametrize(("turn", "press"), [(0, 0.0), (3, 0.0), (12, 1.0)])
def test_the_defender_presses_only_as_time_runs_short(turn: int, press: float) -> None:
    """Lines two moves apart, nobody lost anything yet: undecided, and 12 turns to fight."""
    battle = only(at(scenario("gloire/causeway"), "orkney", 860.0, 560.0), "orkney", "zurlauben")
    battle = in_turn_number(battle, turn)
    assert _approach_value(battle, battle.unit("zurlauben")) == pytest.approx(CLOSER + PRESS * press)


def test_the_attacker_and_the_loser_press_from_the_first() -> None:
    battle = scenario("gloire/causeway")
    assert _approach_value(battle, battle.unit("orkney")) == CLOSER + PRESS
    losing = replace(battle, memory={**battle.memory, "lost:french": 10, "army:french": 28, "army:allied": 33})
    assert _approach_value(losing, losing.unit("zurlauben")) == CLOSER + PRESS
    assert _approach_value(battle, battle.unit("zurlauben")) < CLOSER + PRESS


def test_who_wins_by_denying_does_not_press() -> None:
    """At the ford the Imperialists win if the Swedes do not get across."""
    battle = in_turn_number(scenario("glaube/ford"), 11)
    assert _approach_value(battle, battle.unit("breuner")) == CLOSER
