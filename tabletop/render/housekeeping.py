"""Keeps garbage collections short, since a collection over all objects takes as long as several frames.

The program and the battle consist of some hundred thousand long-lived objects, which Python would scan again and
again, at any moment, for some fifty milliseconds. While the player is idle they are frozen, so that Python skips
them; garbage among the unfrozen ones is collected first. Frozen objects are scanned again only after a change of
screens, or when their number has grown by half, so little garbage is kept.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import time
from dataclasses import dataclass, field

#: Seconds without any event after which the player counts as idle.
STILL = 0.6
#: Number of new long-lived objects from which freezing them too is worthwhile.
MANY = 20_000
#: Growth of the frozen objects, since all were last scanned, at which all are scanned again.
MORE = 1.5
#: Maximum seconds of a short frame, and how many longer ones in a row are skipped.
SHORT, OFTEN = 0.008, 120
#: Thresholds of the garbage collector: frames drop their objects at once, so the newest generation is scanned only
#: when it is large, and the middle one less often; the oldest is scanned as often as usual.
NEW = (5_000, 5, 3)
#: Seconds between two returns of memory to the system.
EVERY = 5.0


@dataclass
class Housekeeping:
    """Freezes long-lived objects: after every change of screens, and whenever many new ones have come.

    In between it returns freed memory to the system every few seconds, which takes a millisecond: pictures of the table
    come and go, and the C library would otherwise keep ten megabytes for every minute of play.
    """

    screens: tuple[int, ...] = ()
    looked: int = 0
    #: Objects frozen when all were last scanned, and now; counted here because Python would count them one by one.
    whole: int = 0
    away: int = 0
    put_off: int = 0
    given_back: float = field(default_factory=time.monotonic)

    def frame(self, screens: tuple[int, ...], still: float, took: float = 0.0) -> bool:
        """Act between two frames, given the identities of the screens and the seconds without events.

        ``took`` is the duration of the frame in seconds: after a long frame it waits, unless it has waited often.
        Return True if objects were frozen.
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
    """Collect all garbage, freeze everything else, and collect less often from now on."""
    gc.set_threshold(*NEW)
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    give_back()


def put_more_away() -> int:
    """Collect garbage among the unfrozen objects and freeze the rest.

    Return the number of objects frozen.
    """
    gc.collect()
    more = len(gc.get_objects())
    gc.freeze()
    give_back()
    return more


def give_back() -> None:
    """Return freed memory to the system, which the C library of Linux would otherwise keep."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def _looks() -> int:
    """Return the number of full garbage collections so far."""
    return int(gc.get_stats()[2]["collections"])
