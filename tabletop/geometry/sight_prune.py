"""Intervals of directions in which no line can be clear, or none short enough: told before any is searched.

About a fixed point and across fixed sides, every place on the line is one secant of the direction, or the end of a
corridor. Over an interval a secant has its least and greatest at the ends, or where the line is square to the side; so
the way to the higher end's cell is bounded from above, and all that must lie ahead of the lower end from below. Where
the bounds leave no room, no direction does. Each interval is looked at in parts, for bounds over short ones are close.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tabletop.geometry.sight.obstruction import Bools, Floats, Ints
from tabletop.geometry.sight_pivots import TURN
from tabletop.geometry.sight_secants import Line, Secants, Sides

#: Parts an interval is looked at in.
PARTS = 4
#: What rounding may do to a bound (table units).
ROUNDING = 1e-9


def open_parts(look: Secants, a: Floats, e: Floats, limit: float) -> tuple[Bools, Floats, Floats]:
    """Return which intervals [a, e] may hold a clear line under ``limit``, and those (n,) cut to the parts that may."""
    marks = a[:, None] + (e - a)[:, None] * np.linspace(0.0, 1.0, PARTS + 1)
    may: Bools = _Bounds(look, marks).may_be_clear(limit)
    keep: Bools = np.asarray(may.any(1))
    row = np.arange(len(a))
    first, last = may.argmax(1), PARTS - may[:, ::-1].argmax(1)
    return keep, marks[row, first][keep], marks[row, last][keep]


@dataclass(eq=False)
class _Bounds:
    """Bounds over the parts between marks (n, k + 1), each (n, k)."""

    look: Secants
    marks: Floats

    @cached_property
    def ways(self) -> tuple[Floats, Floats]:
        return np.cos(self.marks), np.sin(self.marks)

    def of(self, line: Line) -> tuple[Floats, Floats]:
        """Return the least and greatest place at which a line meets a side; no bounds where it may run along it."""
        (m, d), (cos, sin) = line, self.ways
        rate = m[:, :1] * cos + m[:, 1:] * sin
        with np.errstate(divide="ignore", invalid="ignore"):
            at = d[:, None] / rate
            square = np.broadcast_to(
                (d / np.hypot(m[:, 0], m[:, 1]))[:, None] * np.sign(rate[:, :-1]), rate[:, 1:].shape
            )
        low, high = np.minimum(at[:, :-1], at[:, 1:]), np.maximum(at[:, :-1], at[:, 1:])
        turn = np.arctan2(m[:, 1], m[:, 0])[:, None]
        middle = (self.marks[:, :-1] + self.marks[:, 1:]) / 2
        off = np.abs(np.remainder(turn - middle + TURN / 4, TURN / 2) - TURN / 4)
        holds = off <= (self.marks[:, 1:] - self.marks[:, :-1]) / 2 + ROUNDING
        low, high = np.where(holds, np.minimum(low, square), low), np.where(holds, np.maximum(high, square), high)
        sure = (rate[:, :-1] * rate[:, 1:] > 0.0) & np.isfinite(low) & np.isfinite(high)
        return np.where(sure, low, -np.inf), np.where(sure, high, np.inf)

    def may_be_clear(self, limit: float) -> Bools:
        """Return which parts may hold a clear line under ``limit``."""
        look, law = self.look, self.look.law
        with np.errstate(invalid="ignore"):
            start = self.of(look.leave)[1]
            enter = self.of(look.enter)
            end = self._end(start, enter[0])
            shut = np.maximum(self.of(look.exit)[1], enter[1]) < end - ROUNDING
            shut |= end - start >= limit + ROUNDING
            for line, mask in look.crest:
                shut |= mask[:, None] & (self.of(line)[0] - start > law.crest + look.t + ROUNDING)
            for factor, through, into, out, mask in look.thin:
                long = self.of(out)[0] - self.of(into)[1] > through + look.t + ROUNDING
                shut |= mask[:, None] & long & np.isposinf(factor)
            if look.from_high or look.to_low or look.whole:
                shut |= self._spent(start, end) * law.budget > law.budget + look.t + ROUNDING
        return ~shut

    def _end(self, start: Floats, enter: Floats) -> Floats:
        """Return where, at the least, the lower end lies: in its cell, past every shadow."""
        end = enter
        for c, line, mask in self.look.shades:
            end = np.where(mask[:, None], np.maximum(end, self.of(line)[0] * (1.0 + c) - start * c), end)
        for over, rows, sides in self.look.over:
            c, far = over.factor, self._far(over.screen.clearance, sides, rows)
            end[rows] = np.maximum(end[rows], far * (1.0 + c) - start[rows] * c)
        return np.where(np.isnan(end), -np.inf, end)

    def _far(self, c: float, sides: Sides, rows: Ints) -> Floats:
        """Return where, at the least, a screen's corridor ends.

        A side ahead that the corridor meets at both ends of a part is met all through it, for its ends pass the line
        in one sense; the corridor then ends no nearer than the nearer of its ends, or than one that lies within it.
        """
        x0, y0 = self.look.v[rows].T[:, :, None]
        cos, sin = (way[rows] for way in self.ways)
        found = np.full((len(rows), PARTS), -np.inf)
        for side in sides:
            left = [(y - y0) * cos - (x - x0) * sin for x, y in side]
            along = [(x - x0) * cos + (y - y0) * sin for x, y in side]
            least = [np.minimum(at[:, :-1], at[:, 1:]) for at in along]
            inside = [np.maximum(np.abs(off[:, :-1]), np.abs(off[:, 1:])) <= c for off in left]
            met = (np.minimum(*left) <= c) & (np.maximum(*left) >= -c)
            sure = met[:, :-1] & met[:, 1:] & (np.minimum(*least) > 0.0)
            found = np.where(sure, np.maximum(found, np.minimum(*least)), found)
            for at, holds in zip(least, inside, strict=True):
                found = np.where(holds & (at > 0.0), np.maximum(found, at), found)
        return found

    def _spent(self, start: Floats, end: Floats) -> Floats:
        """Return the share of the budget that is spent at the least."""
        look, share = self.look, np.zeros(start.shape)
        for q, line, mask in look.from_high:
            share += np.where(mask[:, None], np.maximum(self.of(line)[0] - start, 0.0) / q, 0.0)
        for q, line, mask in look.to_low:
            share += np.where(mask[:, None], np.maximum(end - self.of(line)[1], 0.0) / q, 0.0)
        for q, whole in look.whole:
            share += np.where(whole[:, None], np.maximum(end - start, 0.0) / q, 0.0)
        return share
