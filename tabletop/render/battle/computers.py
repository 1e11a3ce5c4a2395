"""The computer's sides: which player thinks for them, and the pace at which their actions are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tabletop.battle.battle import Battle
from tabletop.play.done import Done
from tabletop.play.players import player_kind
from tabletop.play.session import Session
from tabletop.play.workers.player_worker import AnyPlayerWorker, think

#: Names of the paces, and the seconds the computer waits between showing an action and doing the next.
PACES = (("Slow", 1.6), ("Normal", 0.8), ("Fast", 0.2), ("At once", 0.0))


def seated(players: Mapping[str, str]) -> dict[str, str]:
    """Return the sides that a computer plays, with its kind of player."""
    return {side: name for side, name in players.items() if player_kind(name).make is not None}


@dataclass
class Computers:
    """Chooses actions for the sides no person plays; ``act`` returns one once it is worked out and due."""

    sides: Mapping[str, str]
    player_worker: AnyPlayerWorker
    pace: int = 1
    paused: bool = False
    #: While paused: do one action anyway.
    one_more: bool = False
    trouble: str = ""
    _rest: float = 0.0
    _asked: int = -1
    _about: Battle | None = None
    _done: Done | None = None

    def plays(self, side: str | None) -> bool:
        return side in self.sides

    @property
    def thinking(self) -> bool:
        """True while the worker is still thinking."""
        return self._asked >= 0 and self._done is None

    def step(self) -> None:
        """Do one action, then pause again."""
        self.paused, self.one_more, self._rest = True, True, 0.0

    def shown(self) -> None:
        """Restart the wait: an action was done, and the player should see it before the computer goes on."""
        self._rest = PACES[self.pace][1]

    @property
    def pace_name(self) -> str:
        """The pace by its name in the settings."""
        return PACES[self.pace][0].lower()

    def go_at(self, name: str) -> None:
        """Set the pace by its name in the settings."""
        self.pace = next(number for number, (word, _) in enumerate(PACES) if word.lower() == name)
        self._rest = min(self._rest, PACES[self.pace][1])

    def faster(self) -> None:
        """Go to the next faster pace, from the fastest back to the slowest."""
        self.pace = (self.pace + 1) % len(PACES)
        self._rest = min(self._rest, PACES[self.pace][1])

    def act(self, session: Session, seconds: float) -> Done | None:
        """Return the action to do now with its result; None while there is none or the last one is being saved.

        ``seconds`` is the time since the last call.
        """
        self._rest -= seconds
        side, number = session.mover, len(session.steps)
        if side is None or side not in self.sides or (self.paused and not self.one_more):
            return None
        if self._asked != number or self._about is not session.battle:
            self._asked, self._about, self._done = number, session.battle, None
            self.player_worker.ask("think", think, session.battle, self.sides[side], session.header.seed, number)
        if self._done is None or self._rest > 0.0 or session.saving:
            return None
        done = self._done
        self.forget()
        self.one_more = False
        return done

    def thought(self, result: Done | Exception) -> None:
        """Take in the worker's result; if it failed, pause the computer and put the reason in ``trouble``."""
        if isinstance(result, Done):
            self._done = result
            return
        self.paused, self._asked = True, -1
        self.trouble = f"The computer player failed ({type(result).__name__}: {result}); it waits. The game is kept."

    def forget(self) -> None:
        """Discard the result: the battle has changed since."""
        self._asked, self._about, self._done = -1, None, None
