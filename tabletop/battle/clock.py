"""The clock of a battle, and the ends of marks that it takes away."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Clock:
    """Whose move it is: turn (from 1; 0 before the battle), phase in the rules' words, side, and its active group."""

    turn: int = 0
    phase: str = ""
    side: str | None = None
    group: str | None = None


@dataclass(frozen=True)
class Until:
    """The end of a timed mark: when the clock first shows this turn, and in it this phase and side, where they are
    given; with ``over``, when it no longer shows them.

    A later turn ends it in any case, so that a phase that is left out keeps no mark alive.
    """

    turn: int
    phase: str = ""
    side: str | None = None
    over: bool = False

    def reached(self, before: Clock, after: Clock) -> bool:
        """Return whether the mark ends as the clock goes from ``before`` to ``after``.

        >>> french, british = Clock(3, "fire", "french"), Clock(3, "fire", "british")
        >>> Until(3, side="british").reached(french, british), Until(3, side="french").reached(french, british)
        (True, False)
        >>> Until(3, side="french", over=True).reached(french, british), Until(4).reached(french, Clock(5))
        (True, True)
        """
        if after.turn > self.turn:
            return True
        return self._shown(before) and not self._shown(after) if self.over else self._shown(after)

    def _shown(self, clock: Clock) -> bool:
        return (
            clock.turn == self.turn
            and (not self.phase or clock.phase == self.phase)
            and (self.side is None or clock.side == self.side)
        )
