"""The position of a replay: the moment, the share of its action seen, whether and how fast it plays."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.render.events.beats import rest
from tabletop.render.events.reel import Moment, Reel

#: Factors of the replay speeds, and their names.
SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0)
NAMES = ("½ ×", "1 ×", "2 ×", "4 ×", "8 ×")
#: The speed for each pace of the player's settings.
PACES = {"slow": 0, "normal": 1, "fast": 2, "at once": 4}


@dataclass
class Playhead:
    """``at`` is the number of the moment shown, ``share`` the share of its action seen (1: it is done)."""

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
        """The name of the speed."""
        return NAMES[self.pace]

    def tick(self, seconds: float) -> None:
        """Advance the replay; it stops playing at the end."""
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
        """Finish the action, and wait as long as it takes to read its text."""
        self.share, self._rest = 1.0, rest(self.moment.text)

    def toggle(self) -> None:
        """Play, or pause; at the end, play from the beginning."""
        self.playing = not self.playing
        if self.playing and self.at_end:
            self.at = 0
        if self.playing and self.share >= 1.0:
            self._rest = 0.0 if self.at else rest(self.moment.text)

    def go(self, n: int) -> None:
        """Go to a moment at once, or to the last one replayed so far."""
        self.at = min(max(0, n), self.reel.last)
        self._stand()

    def step(self, by: int) -> None:
        """Step back or forward and pause; a half-seen action is first completed."""
        self.playing = False
        self.go(self.at if by > 0 and self.share < 1.0 else self.at + by)

    def turn(self, by: int) -> None:
        """Go to where the next turn opens (1), or to the nearest opening of a turn before (-1)."""
        opens = sorted(self.reel.turns.values())
        openings = [n for n in opens if (n > self.at if by > 0 else n < self.at)]
        if by > 0:
            self.go(openings[0] if openings else self.reel.last)
        else:
            self.go(openings[-1] if openings else 0)

    def turn_number(self, turn: int) -> None:
        """Go to where a turn opens, if there is such a turn."""
        n = self.reel.turns.get(turn)
        if n is not None:
            self.go(n)

    def faster(self, by: int) -> None:
        """Play faster (1) or slower (-1), within the available speeds."""
        self.pace = min(max(0, self.pace + by), len(SPEEDS) - 1)
