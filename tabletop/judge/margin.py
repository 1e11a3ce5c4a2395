"""How close a call is: the smallest shift and the smallest turn of any one thing that changes each fact of an answer.

One evaluation of a placement, the question asked again with one thing moved, serves every fact that is still open.
Shifts that bring units into contact are tried first, because contact comes and goes within a tolerance. Then all things
are tried on rings of growing radius, in directions that differ from ring to ring. The first ring on which a fact
changes is bisected down to the last on which it did not, then the direction is varied as long as that shortens the
shift. The result is snapped to the grid of the files, and the question asked once more there, in full, so that
``turned_by`` is always a placement that changes the fact. Changes between the placements tried may be missed, so the
search reports how far apart they were; where it is known at which shifts they come (``crossings``, ``fits``), these are
tried last. Turns are searched by ``Turning``.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from tabletop.geometry.measure import GRID, Point, bearing, heading, snap_point
from tabletop.geometry.sight.blocking_proof import keep_blocking_proofs
from tabletop.geometry.time_limit import TimeIsUp, ended_by, look
from tabletop.geometry.verdict import Elsewhere, Margin
from tabletop.judge.asking import HOLDS, Asking
from tabletop.judge.bisection import bisected, bracketed_back
from tabletop.judge.contacts import contacts
from tabletop.judge.crossings import crossings
from tabletop.judge.envelope import SHARES, Envelopes, Safe
from tabletop.judge.fits import fits
from tabletop.judge.things import Placement, Thing, on_grid
from tabletop.judge.turning import GRACE, SEARCHED_TURN, Turning

#: How far a shift is searched for, and how finely it is found: by table unit.
SEARCH = {"in": 2.0, "mm": 50.0, "cm": 5.0}
FINENESS = {"in": 0.005, "mm": 0.1, "cm": 0.01}
#: Radii of the rings, as shares of the search.
RINGS = (0.0075, 0.02, 0.045, 0.08, 0.125, 0.19, 0.27, 0.36, 0.47, 0.6, 0.75, 0.9, 1.0)
#: Spacing on a ring, as a share of the search, for units asked about and for other things, and the fewest directions;
#: if the whole search would cost too much, fewer directions are tried.
APART, OTHERS_APART, FEWEST = 0.1, 0.2, 8
#: Spacing of the directions, as a share of the search, for a thing that counts only by the direction in which it lies.
ASIDE = 0.05
#: Share of the search's budget reserved for closing in on what is found.
KEPT = 0.25
#: How many sight questions a search of shifts may ask, and a search of turns; fewer for costlier questions. It ends
#: with the last ring it can afford.
AFFORDED, TURNS_AFFORDED = 9000, 2000
#: Seconds of work after which the search ends in any case; hardly any question is that costly. The shares of that time
#: by which the safe things have been found, and shifts searched; turns get the rest.
PATIENCE, SAFE_BY, SHIFTED_BY = 30.0, 0.3, 0.7
#: Difference between the first directions that are tried when a shift is shortened (degrees).
SPREAD = 45.0
#: How much the directions of each ring are rotated against the last ring's, as a share of the angle between two.
TWIST = 0.5
#: Grid steps within which a found shift is snapped to the grid.
STEPS = 3


@dataclass(frozen=True)
class FactMargin:
    """The result for one fact: its value, and the smallest shift and turn that change it, if any."""

    value: Any
    shift: Placement | None = None
    turn: Placement | None = None


@dataclass
class Search(Asking):
    """One search: how far it goes, how finely; and the best placement so far for each fact.

    Shifts were searched up to ``reached`` (table units), with at most ``apart`` between neighbours tried; turns up to
    ``turned_to`` degrees, in steps of at most ``turn_step``. ``apart`` is 0 if no shift needed to be tried.
    """

    radius: float
    fine: float
    progress: Callable[[float], None] = lambda share: None
    within: float = math.inf
    shifts: dict[str, Placement] = field(default_factory=dict, init=False)
    turns: dict[str, Placement] = field(default_factory=dict, init=False)
    safe: Safe = field(default_factory=Safe, init=False)
    eyes: dict[Thing, Point] = field(default_factory=dict, init=False)
    spent: int | None = field(default=None, init=False)
    reached: float = field(default=0.0, init=False)
    apart: float = field(default=0.0, init=False)
    turned_to: float = field(default=0.0, init=False)
    turn_step: float = field(default=0.0, init=False)

    def margins(self, turns: bool = True) -> dict[str, FactMargin]:
        """Search, for shifts alone without ``turns``, and return the result for every fact.

        The ``fixed`` facts are known to change for no shift or turn.
        """
        if self.loose:
            began = time.process_time()
            parts = ((self._safe, SAFE_BY), (self._shifted, SHIFTED_BY), (self._turned, 1.0))
            with keep_blocking_proofs():
                for part, share in parts if turns else parts[:2]:
                    with suppress(TimeIsUp), ended_by(began + share * PATIENCE):
                        part()
        else:
            self.reached, self.turned_to = self.radius, SEARCHED_TURN
        return {name: FactMargin(v, self.shifts.get(name), self.turns.get(name)) for name, v in self.facts.items()}

    def _safe(self) -> None:
        """Find out how far each thing may be shifted without a change."""
        others = self.relevant.things[self.relevant.asked :]
        reach = {thing: max(self.radius, thing.stir(SEARCHED_TURN)) for thing in others}
        envelopes = Envelopes(self.relevant.battle, self.differ, self.relevant.one_way, self.relevant.opens)
        clear = {fact: {thing: self.relevant.clear(fact, thing) for thing in others} for fact in self.loose}
        true = [name for name in self.loose if self.facts[name] is True]
        helping = [thing for thing in others if self.relevant.helps(thing)]
        envelopes.search(self.safe, clear, self.radius, reach, true, helping)
        for thing in self.relevant.things[: self.relevant.asked]:
            eye = self.relevant.seen_from(thing, self.radius)
            if eye is not None and math.dist(eye, thing.centre) > self.radius:
                self.eyes[thing] = eye
            if HOLDS in self.loose:
                self._safe_asked(thing)

    def _safe_asked(self, thing: Thing) -> None:
        """Do the same for a unit asked about; the question itself grows or shrinks its ground."""
        holds = self.facts[HOLDS]
        shrinks = self.asked.grows + self.asked.shrinks
        grown = ("grown", shrinks, -1.0) if holds else ("grown", self.asked.grows, 1.0)
        loose = ("loose", () if holds else self.asked.loosens, 1.0)
        for kind, places, sign in (grown, loose):
            if thing.id not in [self.request.args[k] for k in places]:
                continue
            for share in SHARES:
                radius = share * self.radius
                again = replace(self.request, options={**self.request.options, kind: (thing.id, sign * radius)})
                look()
                if self.asked.answer(self.relevant.battle, again.briefly()).holds == holds:
                    self.safe.note((HOLDS,), {thing: radius})
                    break

    # --- shifts ---

    def _shifted(self) -> None:
        self._touched()
        self._ringed()
        self._narrow()

    def _ringed(self) -> None:
        """Try all things on rings of growing radius; end with the last that can be afforded."""
        inner = 0.0
        for k, share in enumerate(RINGS):
            outer = share * self.radius
            open_ = [name for name in self.loose if self._upto(name) > inner < self.within]
            unsafe = {t: [n for n in open_ if self.safe.upto(n, t) < outer] for t in self.relevant.things}
            ways = {thing: self._directions(k, thing) for thing, facts in unsafe.items() if facts}
            if sum(map(len, ways.values())) > self._left:
                return
            self.apart = max([self.apart, *(self._gap(k, thing, len(bearings)) for thing, bearings in ways.items())])
            hits: dict[str, list[tuple[Thing, float]]] = {name: [] for name in open_}
            try:
                for thing, degrees in ((thing, degrees) for thing, bearings in ways.items() for degrees in bearings):
                    if self._left <= 0:
                        return
                    for name in self.changed(_at(thing, outer, degrees), unsafe[thing]):
                        hits[name].append((thing, degrees))
                for name, bearings in hits.items():
                    self._close_in(name, bearings, inner, outer)
            except TimeIsUp:
                self._keep_one(hits, outer)
                raise
            inner = self.reached = outer
            self.progress((k + 1) / len(RINGS))

    def _keep_one(self, hits: Mapping[str, Sequence[tuple[Thing, float]]], outer: float) -> None:
        """Keep a shift to a ring that changes a fact without any result yet: no time is left for shorter ones."""
        for fact, bearings in hits.items():
            if bearings and fact not in self.shifts:
                with suppress(TimeIsUp), ended_by(time.process_time() + GRACE):
                    placement = self._on_grid(fact, bearings[0][0], outer, bearings[0][1])
                    if placement is not None:
                        self.shifts[fact] = placement

    def _touched(self) -> None:
        """Try the shifts that bring units into contact: what depends on contact changes there and nowhere close by."""
        for placement in self._first(
            contacts(self.relevant.things, self.relevant.asked, self.radius, self.battle.tape.t)
        ):
            shifted = replace(placement, shift=(on_grid(placement.shift[0]), on_grid(placement.shift[1])))
            self._try(shifted)

    def _narrow(self) -> None:
        """Try shifts that may change a fact between the directions tried on any ring, and close in.

        About some a piece comes to lie across a line between two fixed points, others put a base into a piece that
        hardly holds it.
        """
        for placement in self._first(chain(self._crossings(), self._fits())):
            for name in self._try(placement):
                self._close_in(name, [(placement.thing, bearing(*placement.shift))], 0.0, placement.distance)

    def _first(self, placements: Iterable[Placement]) -> list[Placement]:
        """Return the shortest of some placements, as many as can be afforded."""
        return sorted(placements, key=lambda placement: placement.distance)[: int(KEPT * self._left)]

    def _try(self, placement: Placement) -> list[str]:
        """Keep a placement for each fact that it changes, if no shorter shift is known; return these facts."""
        facts = [name for name in self.loose if 0.0 < placement.distance < self._upto(name)]
        changed = [name for name in self.changed(placement, facts) if self.confirmed(placement, name)] if facts else []
        self.shifts |= dict.fromkeys(changed, placement)
        return changed

    def _crossings(self) -> Iterator[Placement]:
        start, end = (self.request.options.get(name) for name in ("start", "end"))
        if start is not None and end is not None:
            ends = [snap_point((float(point[0]), float(point[1]))) for point in (start, end)]
            for thing in self.relevant.things:
                if not thing.is_unit:
                    yield from crossings(thing, ends[0], ends[1], self.radius)

    def _fits(self) -> Iterator[Placement]:
        return fits(self.relevant.things, self.relevant.asked, self.radius, self.apart)

    def _upto(self, fact: str) -> float:
        """Return the length of the shortest shift found so far that changes a fact."""
        shift = self.shifts.get(fact)
        return math.inf if shift is None else shift.distance

    @property
    def _left(self) -> float:
        """How many questions the search can still afford: first for shifts, then for turns."""
        afforded, before = (AFFORDED, 0) if self.spent is None else (TURNS_AFFORDED, self.spent)
        return afforded / self.asked.dear - (self.asked_times - before)

    def _directions(self, ring: int, thing: Thing) -> list[float]:
        """Return the bearings in which a thing is tried on a ring: more for the units the question is about."""
        eye = self.eyes.get(thing)
        if eye is not None:
            return _aside(thing.centre, eye, self.radius, ring)
        count = max(FEWEST, math.floor(self._share(ring) * self._wanted(ring, thing)))
        return [360.0 / count * (k + ring % 2 * TWIST) for k in range(count)]

    def _gap(self, ring: int, thing: Thing, count: int) -> float:
        """Return how far apart shifts of a thing are tried, ``count`` on a ring, there and between it and the last
        ring."""
        between = self.radius * (RINGS[ring] - (RINGS[ring - 1] if ring else 0.0))
        if thing in self.eyes:
            return between / _steps(ring)
        return max(between, 2.0 * math.pi * RINGS[ring] * self.radius / count)

    def _wanted(self, ring: int, thing: Thing) -> int:
        """Return in how many directions a thing is tried on a ring if cost does not matter."""
        if thing in self.eyes:
            return 2 * _steps(ring)
        apart = APART if thing in self.relevant.things[: self.relevant.asked] else OTHERS_APART
        return max(FEWEST, math.ceil(2.0 * math.pi * RINGS[ring] / apart))

    def _share(self, ring: int) -> float:
        """Return the share of the directions of this ring and those beyond it that can be afforded."""
        cost = 0.0
        for k, share in enumerate(RINGS[ring:], ring):
            outer = share * self.radius
            open_ = [name for name in self.loose if self._upto(name) > outer]
            unsafe = (t for t in self.relevant.things if any(self.safe.upto(n, t) < outer for n in open_))
            cost += sum(self._wanted(k, thing) for thing in unsafe)
        return min(1.0, (1.0 - KEPT) * self._left / cost) if cost else 1.0

    def _close_in(self, fact: str, hits: Sequence[tuple[Thing, float]], inner: float, outer: float) -> None:
        """Find the shortest shift from the directions in which a fact changes on a ring, and keep it."""
        best = min(outer, self._upto(fact))
        for thing in dict.fromkeys(thing for thing, _ in hits):
            bearings = [degrees for hit, degrees in hits if hit is thing]
            closest = self._closest(fact, thing, bearings, inner, outer, best)
            placement = None if closest is None else self._on_grid(fact, thing, *closest)
            if placement is not None and placement.distance < self._upto(fact):
                self.shifts[fact] = placement
                best = min(best, placement.distance)

    def _closest(
        self, fact: str, thing: Thing, hits: Sequence[float], inner: float, outer: float, best: float
    ) -> tuple[float, float] | None:
        """Return (distance, bearing) of the shortest change near the directions that change the fact at ``outer``.

        None if none is shorter than ``best``; beside the first direction it is searched for anyway.
        """

        def flips(distance: float, degrees: float) -> bool:
            return fact in self.changed(_at(thing, distance, degrees), [fact])

        def along(degrees: float) -> Callable[[float], bool]:
            return lambda distance: flips(distance, degrees)

        known, chosen, spread = best, hits[0], SPREAD
        for k, degrees in enumerate(hits):
            high = outer if k == 0 and best == outer else best - self.fine / 2
            if high == outer or flips(high, degrees):
                chosen, best = degrees, bisected(along(degrees), inner if high > inner else 0.0, high, self.fine / 4)
        low, sides = best, (1.0, -1.0)
        while best > self.fine / 2 and math.radians(spread) * best > self.fine / 2:
            shorter = best - self.fine / 4
            side = next((s for s in sides if flips(shorter, chosen + s * spread)), None)
            if side is None:
                best = bisected(along(chosen), low, best, self.fine / 4)
                spread /= 2
                continue
            chosen, sides = chosen + side * spread, (side, -side)
            likely = shorter * math.radians(spread) / 2  # where the boundary of the change has a corner
            low, best = bracketed_back(along(chosen), shorter, likely, max(self.fine / 4, likely / 8))
        return (best, chosen) if best < known or known == outer else None

    def _on_grid(self, fact: str, thing: Thing, distance: float, degrees: float) -> Placement | None:
        """Return a placement on the grid of files that changes the fact, the nearest to one off the grid that does."""
        for more in range(STEPS):
            x, y = _vector(distance + more / GRID, degrees)
            near = [(east, north) for east in _either_side(x) for north in _either_side(y)]
            for shift in sorted(near, key=lambda s: math.hypot(*s)):
                placement = Placement(thing, shift)
                if not math.hypot(*shift) > 0.0 or fact not in self.changed(placement, [fact]):
                    continue
                if self.confirmed(placement, fact):
                    return placement
        return None

    # --- turns ---

    def _turned(self) -> None:
        self.spent = self.asked_times
        things = [thing for thing in self.relevant.things if thing not in self.eyes]
        turning = Turning(self, things, self.safe, self.radius, lambda: self._left)
        turning.search()
        self.turns, self.turned_to, self.turn_step = turning.found, turning.reached, turning.step


def _steps(ring: int) -> int:
    """Return into how many steps the interval between a ring and the last is divided, to either side."""
    inner = RINGS[ring - 1] if ring else 0.0
    return math.ceil((RINGS[ring] - inner) / ASIDE)


def _aside(at: Point, eye: Point, radius: float, ring: int) -> list[float]:
    """Return the bearings to try on a ring for a thing that counts only by its direction from ``eye``.

    The shortest shift to a direction leads straight across to it, as many inches to either side as the direction passes
    by. So for each length between two rings it is enough to try one shift of the outer ring's length to that direction:
    closing in finds the shortest. Of the two such shifts it is the far one.
    """
    inner, outer = (RINGS[ring - 1] if ring else 0.0) * radius, RINGS[ring] * radius
    away, (dx, dy) = math.dist(at, eye), (at[0] - eye[0], at[1] - eye[1])
    bearings = []
    for k in range(1, _steps(ring) + 1):
        across = inner + (outer - inner) * k / _steps(ring)
        along = math.sqrt(away**2 - across**2) + math.sqrt(outer**2 - across**2)
        for turn in (math.asin(across / away), -math.asin(across / away)):
            east, north = heading(bearing(dx, dy) + math.degrees(turn))
            bearings.append(bearing(eye[0] + along * east - at[0], eye[1] + along * north - at[1]))
    return bearings


def _at(thing: Thing, distance: float, degrees: float) -> Placement:
    return Placement(thing, _vector(distance, degrees))


def _vector(distance: float, degrees: float) -> Point:
    east, north = heading(degrees)
    return distance * east, distance * north


def _either_side(length: float) -> set[float]:
    return {math.floor(length * GRID) / GRID, math.ceil(length * GRID) / GRID}


def margin_of(found: FactMargin) -> Margin:
    """Return the result for a fact as a verdict reports it."""
    shift, turn = found.shift, found.turn
    return Margin(
        found.value,
        None if shift is None else shift.distance,
        None if turn is None else abs(turn.turn),
        None if shift is None else Elsewhere(shift.thing.id, shift=shift.shift),
        None if turn is None else Elsewhere(turn.thing.id, turn=turn.turn),
    )
