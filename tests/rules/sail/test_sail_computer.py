"""The computer at sea: when it lays a ship alongside, and whom it boards."""

from __future__ import annotations

from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.unit import Unit
from tabletop.play.engine import play_of
from tabletop.rules.sail import computer
from tabletop.rules.sail.phases import CLEARING, GUNNERY
from tests.sail import act, battle, ship


def alongside(**theirs: int) -> float:
    """Return how much better it is to come alongside a ship ahead than to stop a little short of it."""
    scene = battle(ship("a", port=1), ship("b", "red", at=(50, 50), facing=90, **theirs))
    near, short = (act(scene, "sail", "a", distance=far) for far in (8.0, 5.9))
    return play_of(scene).prospect(scene, near)[0] - play_of(scene).prospect(scene, short)[0]


def test_it_comes_alongside_by_the_odds_of_boarding() -> None:
    """SAIL-BRD-01: four dice against six lose nineteen times in twenty, against one they win."""
    assert alongside() < -6.0
    assert alongside(port=0, starboard=1) > 6.0


def test_it_does_not_board_for_nothing() -> None:
    """SAIL-BRD-03: a prize without a crew has no box to take; two captors took it by turns, without end."""
    prize = ship("b", "red", at=(52, 40), port=0, starboard=0, taken=True, prize="c")
    scene = battle(ship("a"), prize, ship("c", "red", at=(90, 70)), phase=GUNNERY)
    board = Action("board", "blue", "a", "b")
    assert board in list(computer.suggest(scene))
    assert computer.prospect(scene, board)[0] < computer.prospect(scene, Action("done", "blue"))[0]


def getting_clear(*others: Unit) -> float:
    """Return how much better a ship does to try to get clear of the ships alongside than to stay."""
    scene = battle(ship("a"), *others, phase=CLEARING)
    assert act(scene, "separate", "a") in list(computer.suggest(scene))
    return computer.prospect(scene, act(scene, "separate", "a"))[0] - computer.prospect(scene, act(scene, "done"))[0]


def test_it_gets_clear_of_a_friend_it_cannot_sail_past() -> None:
    """SAIL-BRD-02: a ship that lay against a friend never tried to get clear, and lay there for the whole battle."""
    assert getting_clear(ship("c", at=(50, 44), facing=90), ship("b", "red", at=(90, 70))) > 0.0


def test_it_gets_clear_of_an_enemy_not_worth_boarding() -> None:
    """SAIL-BRD-02, SAIL-BRD-03: an empty prize of the enemy held it for ever; a full ship without guns is boarded."""
    beside: dict[str, Any] = {"side": "red", "at": (52, 40), "port": 0, "starboard": 0}
    assert getting_clear(ship("b", **beside, taken=True, prize="c")) > 0.0
    assert getting_clear(ship("b", **beside)) < 0.0


def test_it_sails_for_an_enemy_with_guns_first() -> None:
    """SAIL-WIN-01: chasing ships without guns, which fled as fast, left those that fought on alone."""
    unarmed = ship("b", "red", at=(50, 70), port=0, starboard=0)
    scene = battle(ship("a"), unarmed, ship("c", "red", at=(80, 40)))
    north, east = (act(scene, "sail", "a", distance=12.0, facing=facing) for facing in (0.0, 90.0))
    assert computer.prospect(scene, east)[0] > computer.prospect(scene, north)[0]


def test_it_stops_clear_of_a_friend_ahead() -> None:
    """SAIL-MOV-11: a ship turns only after a centimetre ahead; close behind a friend she could not move at all."""
    scene = battle(ship("a", at=(50, 20)), ship("f", at=(50, 36), facing=90), ship("b", "red", at=(50, 75)))
    close, clear = (act(scene, "sail", "a", distance=far) for far in (11.0, 7.0))
    assert computer.prospect(scene, clear)[0] > computer.prospect(scene, close)[0]


def test_it_keeps_clear_of_a_friends_bow() -> None:
    """SAIL-MOV-11: two friends who lay bow to bow blocked each other for the rest of the battle."""
    scene = battle(ship("a", at=(50, 20)), ship("f", at=(54.5, 32), facing=270), ship("b", "red", at=(50, 75)))
    close, clear = (act(scene, "sail", "a", distance=far) for far in (12.0, 5.0))
    assert computer.prospect(scene, clear)[0] > computer.prospect(scene, close)[0]
