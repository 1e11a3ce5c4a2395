"""Where a replay stands: which moment, how much of its action has been seen, whether and how fast it plays."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.render.events.beats import rest
from tabletop.render.events.reel import Moment, Reel

#: How many times faster than usual a replay plays, and what each speed is called.
SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0)
NAMES = ("½ ×", "1 ×", "2 ×", "4 ×", "8 ×")
#: The speed for each pace of the player's settings.
PACES = {"slow": 0, "normal": 1, "fast": 2, "at once": 4}


@dataclass
class Playhead:
    """``at`` is the number of the moment shown, ``share`` how much of its action has been seen (1: it is done)."""

    reel: Reel
    at: int = 0
    share: float = 1.0
    playing: bool = False
    pace: int = 1
    _rest: float = 0.0

    @property
    def moment(self) -> Moment:
        return self.reel.moments[self.at]

    @property
    def at_end(self) -> bool:
        return self.reel.whole and self.at >= self.reel.last

    @property
    def speed(self) -> str:
        """What the speed is called."""
        return NAMES[self.pace]

    def tick(self, seconds: float) -> None:
        """Let time pass; at the end it stops playing."""
        if not self.playing:
            return
        gone = seconds * SPEEDS[self.pace]
        if self.share < 1.0:
            self.share += gone / self.moment.act.seconds
            if self.share >= 1.0:
                self._stand()
            return
        self._rest -= gone
        if self._rest <= 0.0:
            self._next()

    def _next(self) -> None:
        if self.at < self.reel.last:
            self.at += 1
            self.share = 0.0
            if not self.moment.act.beats:
                self._stand()
        elif self.reel.whole:
            self.playing = False

    def _stand(self) -> None:
        """The action is done: it stands for as long as it takes to read what happened."""
        self.share, self._rest = 1.0, rest(self.moment.told)

    def toggle(self) -> None:
        """Play, or pause; at the end it plays from the beginning again."""
        self.playing = not self.playing
        if self.playing and self.at_end:
            self.at = 0
        if self.playing and self.share >= 1.0:
            self._rest = 0.0 if self.at else rest(self.moment.told)

    def go(self, n: int) -> None:
        """Go to a moment at once, as far as the battle is wound off."""
        self.at = min(max(0, n), self.reel.last)
        self._stand()

    def step(self, by: int) -> None:
        """Step back or forward and pause; an action half seen is first seen to its end."""
        self.playing = False
        self.go(self.at if by > 0 and self.share < 1.0 else self.at + by)

    def turn(self, by: int) -> None:
        """Go to where the next turn opens (by 1), or to where this one did, or the one before (by -1)."""
        opens = sorted(self.reel.turns.values())
        found = [n for n in opens if (n > self.at if by > 0 else n < self.at)]
        if by > 0:
            self.go(found[0] if found else self.reel.last)
        else:
            self.go(found[-1] if found else 0)

    def turn_number(self, turn: int) -> None:
        """Go to where a turn opens, if there is such a turn."""
        n = self.reel.turns.get(turn)
        if n is not None:
            self.go(n)

    def faster(self, by: int) -> None:
        """Play faster (1) or slower (-1), as far as there are speeds."""
        self.pace = min(max(0, self.pace + by), len(SPEEDS) - 1)
