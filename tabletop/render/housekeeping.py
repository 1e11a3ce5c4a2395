"""What Python looks through for things nobody holds any more, kept small: looking through everything takes a frame.

The program's own parts and the battle are some hundred thousand things that stay, and Python looks through all of them
again and again, at any moment, for some fifty milliseconds. They are put where it does not look, at moments when the
player does nothing; what has gone by then of the things not yet there is let go of first. Things already there are
looked through again only after a change of screens, and when half as many more have come: so little is held in vain.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import time
from dataclasses import dataclass, field

#: Seconds without any event after which the player is taken to do nothing.
STILL = 0.6
#: Things that have come to stay since, from which it is worth while to put them away as well.
MANY = 20_000
#: How many times as many things as were left after all were last looked through there may be before all are again.
MORE = 1.5
#: Seconds of a frame that is short, and how many longer ones at most are left alone one after the other.
SHORT, OFTEN = 0.008, 120
#: How many new things there are before they are looked through, and after how many such times the older ones are: what
#: a frame draws is let go of by the next, and need not be looked through; the older ones are as often as usual.
NEW = (5_000, 5, 3)
#: Seconds from one giving back of memory to the next.
EVERY = 5.0


@dataclass
class Housekeeping:
    """Puts away what stays: once after every change of screens, and whenever much has come to stay since.

    Between, what was let go of is given back to the system every few seconds, which takes a thousandth of one: pictures
    of the table come and go, and the C library would keep ten megabytes of every minute of play.
    """

    screens: tuple[int, ...] = ()
    looked: int = 0
    #: Things put away when all of them were last looked through, and by now: Python would count them one by one.
    whole: int = 0
    away: int = 0
    put_off: int = 0
    given_back: float = field(default_factory=time.monotonic)

    def frame(self, screens: tuple[int, ...], still: float, took: float = 0.0) -> bool:
        """Between two frames: ``screens`` by their identities, and the seconds in which nothing has happened.

        ``took`` are the seconds the frame took: a long one is not made longer, unless it has been put off often.
        True when things were put away.
        """
        if still < STILL:
            return False
        if took > SHORT and self.put_off < OFTEN:
            self.put_off += 1
            return False
        self.put_off = 0
        if screens == self.screens and not self._much_stays():
            self._give_back_now_and_then()
            return False
        if screens != self.screens or self.away > MORE * self.whole:
            put_away()
            self.whole = self.away = gc.get_freeze_count()
        else:
            self.away += put_more_away()
        self.screens, self.looked = screens, _looks()
        return True

    def _give_back_now_and_then(self) -> None:
        now = time.monotonic()
        if now - self.given_back >= EVERY:
            self.given_back = now
            give_back()

    def _much_stays(self) -> bool:
        looks, before = _looks(), self.looked
        self.looked = looks
        return looks != before and len(gc.get_objects(2)) > MANY


def put_away() -> None:
    """Let go of what nobody holds, and put everything else where it is not looked through; from now on look seldom."""
    gc.set_threshold(*NEW)
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    give_back()


def put_more_away() -> int:
    """Let go of what nobody holds of the things that are looked through, and put the rest with those that are not.

    Return how many these are.
    """
    gc.collect()
    more = len(gc.get_objects())
    gc.freeze()
    give_back()
    return more


def give_back() -> None:
    """Give the system the memory that was let go of; the C library of Linux keeps it otherwise."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def _looks() -> int:
    """Return how many times all things were looked through so far."""
    return int(gc.get_stats()[2]["collections"])
