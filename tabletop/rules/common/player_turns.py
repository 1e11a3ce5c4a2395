"""Player turns run from data: which side follows which, the phases of its turn, and what happens in each by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unfolding import Unfolding

#: Carries out something that needs no decision.
Step = Callable[[Unfolding], None]


def nothing(unfolding: Unfolding) -> None:
    """Do nothing."""


def no_decision(unfolding: Unfolding) -> bool:
    """Return False: the side to move has nothing to decide."""
    return False


@dataclass(frozen=True)
class Phase:
    """One phase of a player turn, under its name on the clock.

    ``awaits(unfolding)`` returns whether the side to move still has something to decide in it; before that it may carry
    out what needs no decision. When it returns False, the phase ends by itself. ``begin`` is carried out when the clock
    shows the phase, ``end`` before it shows the next, whether the phase ends by itself or by an action.
    """

    name: str
    awaits: Callable[[Unfolding], bool] = no_decision
    begin: Step = nothing
    end: Step = nothing


@dataclass(frozen=True)
class PlayerTurns:
    """The sequence of play of rules by which one side after the other has a turn of several phases.

    ``order(battle)`` are the sides in the order of their turns. ``begin`` and ``end`` are carried out at the beginning
    and end of every player turn, ``end_round`` after the last side's; where one of the latter two ends the battle, no
    further turn is opened. ``rules`` are cited in the record that opens a player turn; without any there is no record.

    >>> from tabletop.play.files.opened import open_battle
    >>> turns = PlayerTurns((Phase("fire"), Phase("movement", awaits=lambda unfolding: True)))
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> turns.start(unfolding)
    >>> turns.advance(unfolding), turns.advance(unfolding), unfolding.battle.clock.phase
    (True, False, 'movement')
    >>> turns.done(unfolding)
    >>> unfolding.battle.clock
    Clock(turn=1, phase='fire', side='prussian', group=None)
    """

    phases: tuple[Phase, ...]
    begin: Step = nothing
    end: Step = nothing
    end_round: Step = nothing
    order: Callable[[Battle], Sequence[str]] = lambda battle: battle.setup.sides
    rules: tuple[str, ...] = ()

    def start(self, unfolding: Unfolding) -> None:
        """Open the first turn of the battle (ROC-SEQ-01, AGE-SEQ-01, SAIL-SEQ-01)."""
        self._open(unfolding, 1, self.order(unfolding.battle)[0])

    def advance(self, unfolding: Unfolding) -> bool:
        """Carry out the next step that needs no decision; return False when the side to move must act."""
        if self.phases[self._number(unfolding)].awaits(unfolding):
            return False
        self.done(unfolding)
        return True

    def done(self, unfolding: Unfolding, action: Action | None = None) -> None:
        """End the phase; after the last one the player turn. An action that ends a phase may be resolved by this."""
        number = self._number(unfolding)
        self.phases[number].end(unfolding)
        if number + 1 < len(self.phases):
            unfolding.clock(phase=self.phases[number + 1].name)
            self.phases[number + 1].begin(unfolding)
        else:
            self.close(unfolding)

    def close(self, unfolding: Unfolding) -> None:
        """End the player turn, and open the next side's; after the last side's the first of the next turn.

        Source: ROC-SEQ-01, AGE-SEQ-01, SAIL-SEQ-07.
        """
        self.end(unfolding)
        if unfolding.battle.over:
            return
        clock, sides = unfolding.battle.clock, tuple(self.order(unfolding.battle))
        number = sides.index(str(clock.side)) + 1
        if number < len(sides):
            self._open(unfolding, clock.turn, sides[number])
            return
        self.end_round(unfolding)
        if not unfolding.battle.over:
            self._open(unfolding, clock.turn + 1, sides[0])

    def _open(self, unfolding: Unfolding, turn: int, side: str) -> None:
        unfolding.clock(turn=turn, phase=self.phases[0].name, side=side, group=None)
        if self.rules:
            unfolding.tell("turn", {"turn": turn, "side": side}, rules=self.rules)
        self.begin(unfolding)
        self.phases[0].begin(unfolding)

    def _number(self, unfolding: Unfolding) -> int:
        """Return which of the phases the clock shows, from 0."""
        return [phase.name for phase in self.phases].index(unfolding.battle.clock.phase)


def to_move(battle: Battle) -> str:
    """Return the side to move; the battle must have begun.

    >>> from dataclasses import replace
    >>> from tabletop.battle.progress import Clock
    >>> from tabletop.play.files.opened import open_battle
    >>> to_move(replace(open_battle("drill-ground"), clock=Clock(1, "movement", "french")))
    'french'
    """
    assert battle.clock.side is not None, "somebody is always to move"
    return battle.clock.side
