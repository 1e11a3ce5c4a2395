"""The sequence of play as data: the order of steps, phases that end by themselves, and the end of the battle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tabletop.battle.event import Clocked, Ended, Told
from tabletop.battle.progress import Clock
from tabletop.battle.unfolding import Unfolding
from tabletop.play.files.opened import open_battle
from tabletop.rules.common.player_turns import Phase, PlayerTurns, Step, nothing


def step(what: str) -> Step:
    """Return a step that records its name."""
    return lambda unfolding: unfolding.tell(what)


def run(turns: PlayerTurns, dones: int) -> list[str]:
    """Return what happened until a number of phases have ended by an action: records by name, clocks in short."""
    unfolding = Unfolding(open_battle("drill-ground"))
    turns.start(unfolding)
    while dones and not unfolding.battle.over:
        if not turns.advance(unfolding):
            turns.done(unfolding)
            dones -= 1
    return [
        f"{event.clock.turn} {event.clock.side} {event.clock.phase}" if isinstance(event, Clocked) else event.what
        for event in unfolding.events
        if isinstance(event, Clocked | Told)
    ]


def test_every_step_has_its_place() -> None:
    """A turn's record before its beginning, a phase's end before the clock and its beginning after it, rounds last."""
    phases = (Phase("fire", begin=step("fire opens"), end=step("fire ends")), Phase("melee", lambda unfolding: True))
    turns = PlayerTurns(phases, step("opens"), step("closes"), step("round ends"), rules=("ROC-SEQ-01",))
    opened = ["turn", "opens", "fire opens", "fire ends"]
    assert run(turns, 2) == [
        "1 french fire", *opened, "1 french melee", "closes",
        "1 prussian fire", *opened, "1 prussian melee", "closes", "round ends",
        "2 french fire", "turn", "opens", "fire opens",
    ]  # fmt: skip


def test_the_order_of_the_sides_is_asked_for_every_turn() -> None:
    """It may be remembered or thrown for; without rules to cite, no record opens a turn."""
    turns = PlayerTurns((Phase("", lambda unfolding: True),), order=lambda battle: battle.setup.sides[::-1])
    assert run(turns, 2) == ["1 prussian ", "1 french ", "2 prussian "]


@pytest.mark.parametrize("where", ["end", "end_round"])
def test_a_battle_that_has_ended_goes_no_further(where: str) -> None:
    """Decided at the end of the first player turn, or of the first round: no clock moves after that."""
    over: dict[str, Callable[[Unfolding], None]] = {"end": nothing, "end_round": nothing}
    over[where] = lambda unfolding: unfolding.happen(Ended(None, "even"))
    told = run(PlayerTurns((Phase("fire"),), end=over["end"], end_round=over["end_round"]), 9)
    assert told == {"end": ["1 french fire"], "end_round": ["1 french fire", "1 prussian fire"]}[where]


def test_a_phase_does_what_needs_no_decision_before_it_asks() -> None:
    """Each time; and it ends by itself as soon as nothing is left to decide."""
    left = [True, True, False]

    def awaits(unfolding: Unfolding) -> bool:
        unfolding.tell("meanwhile")
        return left.pop(0)

    turns = PlayerTurns((Phase("fire", awaits), Phase("melee")))
    unfolding = Unfolding(replace(open_battle("drill-ground"), clock=Clock(3, "fire", "french")))
    assert [turns.advance(unfolding) for _ in range(3)] == [False, False, True]
    assert [event.what for event in unfolding.events if isinstance(event, Told)] == ["meanwhile"] * 3
    assert unfolding.battle.clock == Clock(3, "melee", "french")
