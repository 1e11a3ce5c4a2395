"""Shortest lines that touch no corner: where two limits balance, or three.

Every family of ``sight_limits`` (the sides taking part) is one curve of lines over the direction, with a length that is
a quotient of secants; its least lengths are bracketed on ``SPREAD`` directions and narrowed. On a curve a third limit
may end what is clear before the length is least: two families of one group hold at once where the two linear equations
for the offset have one solution, which is one equation for the direction; its roots are bracketed and narrowed.
A least length outside the sides' own ends belongs to a corner, and is found there.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tabletop.geometry.sight.obstruction import AT_EDGE, Bools, Floats, Ints
from tabletop.geometry.sight_found import Found, inside
from tabletop.geometry.sight_limits import Families, Terms, families_of
from tabletop.geometry.sight_pivots import heading_of, wrap
from tabletop.geometry.sight_sides import Bands, Sides

if TYPE_CHECKING:
    from tabletop.geometry.sight_mixed import Mixed

#: Directions a family is first looked at in, and how often each bracket is narrowed (each time to a quarter).
SPREAD = 17
PASSES = 7
#: How true the offset of a line in a bracket is told from its bounds: to this share of the way from cell to cell.
ROOM = 0.05
#: Products that differ by a smaller share are the same: two families that ask for one and the same.
ROUNDING = 1e-11
#: How often the bracket of a root is narrowed before it is asked again whether it may hold a line: twice as many digits
#: each time.
RIDDERS = (2, 3)


def balanced(mixed: Mixed) -> Found:
    """Return the shortest lines of every family and those that two families share, both ends in their cells."""
    pair = mixed.pair
    way = pair.low.points[None] - pair.high.points[:, None]
    angle = np.arctan2(way[..., 1], way[..., 0]).ravel()
    turn = wrap(angle - angle[0])
    low, high = angle[0] + np.min(turn), angle[0] + np.max(turn)
    if high - low < 1e-9:
        return Found.none()
    at = np.linspace(low, high, SPREAD)
    terms = Terms(mixed, at)
    families = families_of(terms)
    if families is None or not len(families.sides):
        return Found.none()
    curves = Curves.of(Balances(terms.sides, families), np.broadcast_to(at, (len(families.sides), len(at))))
    some = mixed, terms.sides, families, curves, terms.bands.all_of(families.sides)
    return _shortest(*some).with_(_shared(*some))


class Balances:
    """Families with the sides they meet at hand."""

    def __init__(self, sides: Sides, f: Families) -> None:
        self.width = f.width
        self.met = sides.met(f.sides[:, : self.width])
        self.constant, self.end_constant = f.constant[:, None], f.end_constant[:, None]
        self.weights, self.end_weights = (w[:, None, : self.width] for w in (f.weights, f.end_weights))
        self.none, self.no_end = self.weights == 0.0, self.end_weights == 0.0

    def told(self, base: Floats, slope: Floats, towards: Floats) -> tuple[Floats, Floats]:
        """Return by how much lines of offset 0 are off the balance, and its rate in the offset.

        Both times how squarely the line meets the sides: so they stay finite where it runs along one, and change no
        sign. Sides of no weight are left out, even where they are nowhere met.
        """
        square = np.where(self.none, 1.0, towards).prod(-1)
        value = np.where(self.none, 0.0, self.weights * base).sum(-1) - self.constant
        return value * square, np.where(self.none, 0.0, self.weights * slope).sum(-1) * square

    def reach(self, s: Floats) -> Floats:
        """Return where the lower ends lie on lines that meet the sides at ``s``."""
        return np.asarray(np.where(self.no_end, 0.0, self.end_weights * s).sum(-1) + self.end_constant)

    def apart(self, angle: Floats) -> Floats:
        """Return what is nothing where one line at angles (n, m) is in the balance of the k-th and the k + n-th."""
        with np.errstate(all="ignore"):
            value, rate = self.told(*self.met.places(np.concatenate([angle, angle])))
            n = len(angle)
            found: Floats = value[:n] * rate[n:] - value[n:] * rate[:n]
        return found


@dataclass(frozen=True, eq=False)
class Curves:
    """Lines of n families at angles (n, m): ``Balances.told``, the offset in balance, and the places of both ends."""

    angle: Floats
    value: Floats
    rate: Floats
    p: Floats
    leave: Floats
    reach: Floats

    @classmethod
    def of(cls, balances: Balances, angle: Floats) -> Curves:
        with np.errstate(all="ignore"):
            base, slope, towards = balances.met.places(angle)
            value, rate = balances.told(base, slope, towards)
            p = -value / rate
            s = base + slope * p[..., None]
            reach = balances.reach(s)
        return cls(angle, value, rate, p, s[..., 0], reach)

    def in_two(self) -> tuple[Curves, Curves]:
        """Return the first half of the curves and the second."""
        columns = (np.split(getattr(self, own.name), 2) for own in fields(self))
        one, other = zip(*columns, strict=True)
        return Curves(*one), Curves(*other)

    def about(self, one: Ints, other: Ints, marks: Ints) -> Floats:
        """Return about which offset (n,) two families share a line between two of the angles, ``marks`` (n, 2)."""
        value, rate = (
            np.stack([column[family[:, None], marks] for family in (one, other)]) for column in (self.value, self.rate)
        )
        with np.errstate(all="ignore"):
            off = np.abs(value[0] * rate[1] - value[1] * rate[0])
            share = off[:, ::-1] / off.sum(1)[:, None]
            value, steep = (value * share).sum(2), (rate * share).sum(2)
            sure = np.abs(steep) / np.abs(rate).sum(2)
            found: Floats = np.where(sure[0] >= sure[1], -value[0] / steep[0], -value[1] / steep[1])
        return found

    def nearer(self, keep: Bools) -> Curves:
        """Return some of the lines, at their first angles only."""
        return Curves(*(getattr(self, own.name)[keep, :1] for own in fields(self)))

    @cached_property
    def length(self) -> Floats:
        """How long the lines are; inf where there is none."""
        with np.errstate(invalid="ignore"):
            length = self.reach - self.leave
        return np.where(np.isfinite(length) & (length > 0), length, np.inf)

    def ends(self) -> tuple[Floats, Floats]:
        """Return the higher ends and the lower ones (n, m, 2)."""
        u = heading_of(self.angle)
        with np.errstate(all="ignore"):
            high = np.stack([-u[..., 1], u[..., 0]], axis=-1) * self.p[..., None] + u * self.leave[..., None]
            return high, high + u * (self.reach - self.leave)[..., None]

    def found(self, mixed: Mixed, chosen: Bools | None = None) -> Found:
        """Return those of the lines (n, 1) that have both ends in their cells; the law decides the rest."""
        high, low = (end[:, 0] for end in self.ends())
        keep = np.isfinite(self.length[:, 0]) if chosen is None else np.isfinite(self.length[:, 0]) & chosen
        for cell, points in ((mixed.pair.high, high), (mixed.pair.low, low)):
            keep[keep] = inside(points[keep], cell, AT_EDGE * 1e-3)
        order = np.nonzero(keep)[0][np.argsort(self.length[keep, 0], kind="stable")]
        return Found(self.length[order, 0], high[order], low[order])


def _shortest(mixed: Mixed, sides: Sides, families: Families, curves: Curves, bands: Bands) -> Found:
    """Return the shortest line of every family."""
    length, at = curves.length, curves.angle[0]
    wide = np.pad(length, ((0, 0), (1, 1)), constant_values=np.inf)
    before, after = wide[:, :-2], wide[:, 2:]
    least = np.pad(bands.open, ((0, 0), (0, 1))) | np.pad(bands.open, ((0, 0), (1, 0)))
    least &= np.isfinite(length) & (length <= before) & (length <= after)
    with np.errstate(invalid="ignore"):
        least &= ~(
            2.0 * length - np.maximum(before, after) >= mixed.limit
        )  # else not even the bracket's least is short enough
    row, k = np.nonzero(least)
    first, last = np.maximum(k - 1, 0), np.minimum(k + 1, len(at) - 1)
    marks = np.stack([first, k, last], axis=1)
    keep = _meets(mixed, families.offsets(sides, at), row[:, None], marks, curves.p[row[:, None], marks])
    f, first, last = families.take(row[keep]), first[keep], last[keep]
    low, high = at[first], at[last]
    if not len(low):
        return Found.none()
    number, balances = np.arange(len(low)), Balances(sides, f)
    for _ in range(PASSES):
        angle = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, 9)
        best = Curves.of(balances, angle).length.argmin(1)
        low, high = angle[number, np.maximum(best - 1, 0)], angle[number, np.minimum(best + 1, 8)]
    return Curves.of(balances, ((low + high) / 2)[:, None]).found(mixed)


def _shared(mixed: Mixed, sides: Sides, families: Families, curves: Curves, bands: Bands) -> Found:
    """Return the lines that belong to two families of one group: there three limits meet."""
    one, other = families.pairs()
    some = bands.common(one, other)
    keep = some.any(1)
    one, other, some = one[keep], other[keep], some[keep]
    turns = _turns(curves.value[one] * curves.rate[other], curves.value[other] * curves.rate[one])
    row, k = np.nonzero(turns & some)
    one, other, marks = one[row], other[row], np.stack([k, k + 1], axis=1)
    both, offset = np.stack([one, other], axis=1), curves.about(one, other, marks)
    keep = _meets(mixed, families.offsets(sides, curves.angle[0]), both, marks, offset[:, None])
    if not keep.any():
        return Found.none()
    one, other, bracket = one[keep], other[keep], curves.angle[0, marks[keep]]
    for steps in RIDDERS:
        balances = Balances(sides, families.take(np.concatenate([one, other])))
        bracket = _narrowed(balances, bracket, steps)
        by_f, by_g = Curves.of(balances, np.concatenate([bracket, bracket])).in_two()
        keep = _may_fit(mixed, by_f, by_g)
        one, other, bracket, by_f, by_g = one[keep], other[keep], bracket[keep], by_f.nearer(keep), by_g.nearer(keep)
    steep = (np.abs(by_f.rate) >= np.abs(by_g.rate))[:, 0]  # the offset is told best by the balance it bears on most
    return by_f.found(mixed, steep).with_(by_g.found(mixed, ~steep))


def _may_fit(mixed: Mixed, *curves: Curves) -> Bools:
    """Return which brackets may hold a line of two families that is short enough, its ends in their cells.

    The lines of both at its bounds say so: none between lies farther from all four than they from each other.
    """
    length = np.concatenate([own.length for own in curves], axis=1)
    with np.errstate(invalid="ignore"):
        found: Bools = ~(2.0 * length.min(1) - length.max(1) >= mixed.limit)
        for k, cell in enumerate((mixed.pair.high, mixed.pair.low)):
            ends = np.concatenate([own.ends()[k] for own in curves], axis=1)
            low, high = ends.min(1), ends.max(1)
            room = high - low + AT_EDGE
            found &= ~((low - room > cell.points.max(0)) | (high + room < cell.points.min(0))).any(1)
    return found


def _meets(mixed: Mixed, offsets: tuple[Floats, Floats], families: Ints, marks: Ints, p: Floats) -> Bools:
    """Return which lines of ``families`` (n, i) may meet all their sides between those sides' ends.

    ``offsets`` are the least and greatest of every family at every angle, ``marks`` (n, j) the angles the lines lie
    between, ``p`` (n, l) offsets of some of the lines: none lies farther from all of them than they from each other.
    """
    low, high = (side[families[:, :, None], marks[:, None]] for side in offsets)
    room = ROOM * float(np.max(np.ptp(mixed.pair.hull.points, axis=0)))
    with np.errstate(invalid="ignore"):
        least, most = p.min(1)[:, None], p.max(1)[:, None]
        wide = most - least + room
        found: Bools = ~((least - wide > high.max(2)) | (most + wide < low.min(2))).any(1)
    return found


def _narrowed(balances: Balances, bracket: Floats, steps: int) -> Floats:
    """Return brackets (n, 2) of directions in which two families share a line, narrowed by Ridders' method.

    The bound that comes nearer is the first.
    """
    (low, high), (a, b) = bracket.T, balances.apart(bracket).T
    number = np.arange(len(low))
    with np.errstate(all="ignore"):
        for _ in range(steps):
            middle = (low + high) / 2
            c = balances.apart(middle[:, None])[:, 0]
            step = (middle - low) * np.sign(a - b) * c / np.sqrt(c * c - a * b)
            angle = np.where(np.isfinite(step), middle + step, middle)
            d = balances.apart(angle[:, None])[:, 0]
            marks = np.sort(np.stack([low, middle, angle, high]), axis=0)
            ends = np.where(marks == angle, d, np.where(marks == middle, c, np.where(marks == low, a, b)))
            k = ((ends[:-1] < 0.0) != (ends[1:] < 0.0)).argmax(0)
            low, high, a, b = marks[k, number], marks[k + 1, number], ends[k, number], ends[k + 1, number]
    near = np.abs(a) <= np.abs(b)
    return np.stack([np.where(near, low, high), np.where(near, high, low)], axis=1)


def _turns(one: Floats, other: Floats) -> Bools:
    """Return between which neighbours (n, m - 1) the sign of one less other (n, m) changes, and not by rounding."""
    with np.errstate(invalid="ignore"):
        value, size = one - other, np.abs(one) + np.abs(other)
        sure = np.abs(value) > ROUNDING * size
    known = np.isfinite(value)
    found: Bools = ((value[:, :-1] < 0.0) != (value[:, 1:] < 0.0)) & known[:, :-1] & known[:, 1:]
    return found & (sure[:, :-1] | sure[:, 1:])
