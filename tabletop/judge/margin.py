"""How close a call is: the smallest shift and the smallest turn of any one thing that changes each fact of an answer.

One evaluation of a placement, the question asked again with one thing elsewhere, serves every fact that is still open.
Shifts that bring units into contact are tried first, for touching comes and goes within a tolerance. Then rings of
growing radius are tried round all things at once, in directions that differ from ring to ring; the first ring on which
a fact changes is bisected down to the last on which it did not, then the direction is varied as long as that
shortens the shift. What is found is put on the grid that files are read on, and the question asked once more there, in
full: ``turned_by`` is a placement that changes the fact, always. Turns are searched in the same way, either way round.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import FACING_GRID, GRID, Point, bearing, heading
from tabletop.geometry.terrain import Terrain
from tabletop.geometry.verdict import Elsewhere, Margin, Verdict
from tabletop.judge.contacts import contacts
from tabletop.judge.envelope import SHARES, Envelopes, Safe
from tabletop.judge.relevance import Relevant, unproved_about
from tabletop.judge.spared import Spared
from tabletop.judge.things import Placement, Thing, on_grid, placed, without
from tabletop.rules.rule_set import Question, Request, Shifted

#: How far a shift is searched for, and how finely it is found: by table unit. How far a turn is, in degrees.
SEARCH = {"in": 2.0, "mm": 50.0, "cm": 5.0}
FINENESS = {"in": 0.005, "mm": 0.1, "cm": 0.01}
SEARCHED_TURN = 30.0
#: Radii of the rings, as shares of the search.
RINGS = (0.0075, 0.02, 0.045, 0.08, 0.125, 0.19, 0.27, 0.36, 0.47, 0.6, 0.75, 0.9, 1.0)
#: How far apart on a ring, as a share of the search, units asked about and other things are tried, and the fewest
#: directions; where the whole search would cost more than it may, all are tried in fewer directions.
APART, OTHERS_APART, FEWEST = 0.1, 0.2, 8
#: How far apart, as a share of the search, directions are tried in which a thing lies that counts by nothing else.
ASIDE = 0.05
#: What part of what a search may cost is kept for closing in on what is found.
KEPT = 0.25
#: How many answers about sight a search of shifts may take, and one of turns; of dearer ones fewer. It ends with the
#: last ring it can afford.
AFFORDED, TURNS_AFFORDED = 9000, 2000
#: After so many seconds of work it ends in any case: hardly a question's answers are as dear as that.
PATIENCE = 30.0
#: Between two directions that are varied first when a shift is made shorter (degrees).
SPREAD = 45.0
#: Turns that are tried, in degrees, either way round.
TURNS = (0.5, 1.0, 2.0, 3.5, 5.5, 8.0, 11.0, 15.0, 20.0, 25.0, 30.0)
#: By how much each ring's directions are turned against the last's, as a share of the angle between two.
TWIST = 0.5
#: Lines that proved answers that are kept as hints, and steps of the grid within which a found shift is put on it.
HINTS, STEPS = 6, 3
HOLDS = "holds"


@dataclass(frozen=True)
class Found:
    """What the search says of one fact: the value it has, and the smallest shift and turn that change it, if any."""

    value: Any
    shift: Placement | None = None
    turn: Placement | None = None


def facts_of(asked: Question, verdict: Verdict) -> dict[str, Any]:
    """Return the facts of an answer by name: whether it holds, then those that players dispute besides."""
    disputed = {name: value for name, value in asked.attributes(verdict).items() if value is not None}
    return {HOLDS: verdict.holds, **disputed}


@dataclass
class Search:
    """One search: what is asked, of which things, how far; and the best placement so far for each fact."""

    battle: Battle
    asked: Question
    request: Request
    facts: Mapping[str, Any]
    relevant: Relevant
    radius: float
    fine: float
    told: Callable[[float], None] = lambda share: None
    fixed: Collection[str] = ()
    within: float = math.inf
    hints: dict[str, tuple[tuple[Point, ...], ...]] = field(default_factory=dict)
    shifts: dict[str, Placement] = field(default_factory=dict)
    turns: dict[str, Placement] = field(default_factory=dict)
    safe: Safe = field(default_factory=Safe)
    finer: dict[str, Any] = field(default_factory=dict)
    eyes: dict[Thing, Point] = field(default_factory=dict)
    homes: dict[str, Shifted] = field(default_factory=dict)
    known: dict[tuple[str, bool, Point, float], dict[str, bool]] = field(default_factory=dict)
    idle: dict[tuple[str, Thing], bool] = field(default_factory=dict)
    asked_times: int = 0
    unproved: int = 0
    spent: int | None = None
    until: float = math.inf
    reached: float = 0.0
    turned_to: float = 0.0

    def found(self, turns: bool = True) -> dict[str, Found]:
        """Search, shifts alone without ``turns``, and return what was found of every fact.

        ``fixed`` ones are known to change for no shift or turn.
        """
        if self._loose():
            self.until = time.process_time() + PATIENCE
            self._safe()
            self._shifted()
            if turns:
                self._turned()
        else:
            self.reached, self.turned_to = self.radius, SEARCHED_TURN
        return {name: Found(v, self.shifts.get(name), self.turns.get(name)) for name, v in self.facts.items()}

    def _loose(self) -> list[str]:
        return [name for name in self.facts if name not in self.fixed]

    def _safe(self) -> None:
        """Find out how far each thing may be shifted without a change."""
        others = self.relevant.things[self.relevant.asked :]
        reach = {thing: max(self.radius, thing.stir(SEARCHED_TURN)) for thing in others}
        envelopes = Envelopes(self.relevant.battle, self._differ, self.relevant.one_way, self.relevant.opens)
        clear = {fact: {thing: self.relevant.clear(fact, thing) for thing in others} for fact in self._loose()}
        true = [name for name in self._loose() if self.facts[name] is True]
        helping = [thing for thing in others if self.relevant.helps(thing)]
        self.safe = envelopes.safe(clear, self.radius, reach, true, helping)
        for thing in self.relevant.things[: self.relevant.asked]:
            eye = self.relevant.seen_from(thing, self.radius)
            if eye is not None and math.dist(eye, thing.centre) > self.radius:
                self.eyes[thing] = eye
            if HOLDS in self._loose():
                self._safe_asked(thing)

    def _safe_asked(self, thing: Thing) -> None:
        """The same of a unit asked about, whose ground the question itself grows or shrinks."""
        holds = self.facts[HOLDS]
        shrinks = self.asked.grows + self.asked.shrinks
        grown = ("grown", shrinks, -1.0) if holds else ("grown", self.asked.grows, 1.0)
        loose = ("loose", () if holds else self.asked.loosens, 1.0)
        for kind, which, sign in (grown, loose):
            if thing.id not in [self.request.args[k] for k in which]:
                continue
            for share in SHARES:
                radius = share * self.radius
                again = replace(self.request, options={**self.request.options, kind: (thing.id, sign * radius)})
                if self.asked.answer(self.relevant.battle, again.briefly()).holds == holds:
                    self.safe.note((HOLDS,), {thing: radius})
                    break

    # --- one placement ---

    def changed(self, placement: Placement, facts: Sequence[str]) -> set[str]:
        """Return which of some facts change when a thing stands elsewhere; none where that cannot be asked."""
        spot = (placement.thing.id, placement.thing.is_unit, placement.shift, placement.turn)
        known = self.known.get(spot, {})
        if not known.keys() >= set(facts):
            body, left = placement.body(), [name for name in facts if name not in known]
            spared = self._spared(placement.thing, body, left)
            left = [name for name in left if name not in spared]
            told: Mapping[str, Any] = {}
            if left:
                there = placed(self.relevant.battle, (body,))
                told = self._told(there, left, placement.thing.id, self._from_home(placement))
            else:
                self.asked_times += 1  # so that what is spared buys no finer search: it would cost as much again
            both = {name: _changed(told.get(name), self.facts[name]) for name in (*left, *told) if name in self.facts}
            known = self.known[spot] = {**known, **dict.fromkeys(spared, False), **both}
        return {name for name in facts if known[name]}

    def _spared(self, thing: Thing, body: Unit | Terrain, facts: Iterable[str]) -> list[str]:
        """Return those facts of which it is known without asking that they stay as they are (``Spared``)."""
        if self.relevant.home is None or thing in self.relevant.things[: self.relevant.asked]:
            return []
        spared = Spared(self.relevant.home, self.relevant.battle.table.terrain, self._idle)
        return [name for name in facts if spared.spares(name, thing, body)]

    def _idle(self, fact: str, thing: Thing) -> bool:
        """Return whether a fact, or the finer one it follows from, is the same without a thing."""
        if (fact, thing) not in self.idle:
            facts, before = [name for name in self._loose() if (name, thing) not in self.idle], self.asked_times
            changed = self._differ(without(self.relevant.battle, thing), facts)
            self.idle |= {(name, thing): name not in changed for name in facts}
            self.asked_times = before
        return self.idle[fact, thing]

    def _differ(self, there: Battle, facts: Sequence[str]) -> set[str]:
        """Return which facts have another value or none: where nothing is left to say of one, nothing is proved.

        Of those that may change and change back the finer ones are asked (``Influence.by``).
        """
        asked = {name: self.relevant.by(name) for name in facts}
        new = [by for by in asked.values() if by not in self.finer and by not in self.facts]
        if new:
            now = self._told(self.relevant.battle, new)
            self.finer |= {by: now.get(by) for by in new}
        known = {**self.finer, **self.facts}
        left = [by for by in asked.values() if known[by] is not None]
        told = self._told(there, left) if left else {}
        return {name for name, by in asked.items() if told.get(by) is None or told.get(by) != known[by]}

    def _from_home(self, placement: Placement) -> Shifted | None:
        """Return the memory of all the shifts of a unit asked about, to which this placement belongs."""
        thing = placement.thing
        if (
            placement.turn
            or not isinstance(thing.body, Unit)
            or thing not in self.relevant.things[: self.relevant.asked]
        ):
            return None
        return self.homes.setdefault(thing.id, Shifted(thing.body))

    def _told(
        self, there: Battle, facts: Sequence[str], key: str = "", shifted: Shifted | None = None
    ) -> Mapping[str, Any]:
        """Return some facts of a battle, and others that come with them; none where the question cannot be put."""
        self.asked_times += 1
        brief = self.request.briefly(self.hints.get(key, ()), shifted)
        try:
            return self._answered(there, facts, key, brief)
        except BadQuestion:
            return {}
        finally:
            self.unproved = max(self.unproved, unproved_about(there, self.request))

    def _answered(self, there: Battle, facts: Sequence[str], key: str, brief: Request) -> Mapping[str, Any]:
        if self.asked.facts is not None:
            found = self.asked.facts(there, brief, facts)
            values, line = found.values, found.witness
        elif list(facts) == [HOLDS]:
            answer = self.asked.answer(there, brief)
            values, line = {HOLDS: answer.holds}, answer.witness
        else:
            return facts_of(self.asked, self.asked.answer(there, self.request))
        if values.get(HOLDS) and line is not None and len(line) in (2, 3):
            self.hints[key] = (line, *self.hints.get(key, ()))[:HINTS]
        return values

    def _confirmed(self, placement: Placement, fact: str) -> bool:
        """Ask the question in full, of the whole table, with one thing elsewhere: does the fact change?"""
        try:
            answer = self.asked.answer(placed(self.battle, (placement.body(),)), self.request)
        except BadQuestion:
            return False
        return _changed(facts_of(self.asked, answer).get(fact), self.facts[fact])

    # --- shifts ---

    def _shifted(self) -> None:
        self._touched()
        inner = 0.0
        for k, share in enumerate(RINGS):
            outer = share * self.radius
            open_ = [name for name in self._loose() if self._upto(name) > inner < self.within]
            unsafe = {t: [n for n in open_ if self.safe.upto(n, t) < outer] for t in self.relevant.things}
            ways = {thing: self._directions(k, thing) for thing, facts in unsafe.items() if facts}
            if sum(map(len, ways.values())) > self._left:
                return
            hits: dict[str, list[tuple[Thing, float]]] = {name: [] for name in open_}
            for thing, degrees in ((thing, degrees) for thing, some in ways.items() for degrees in some):
                if self._left <= 0:
                    return
                for name in self.changed(_at(thing, outer, degrees), unsafe[thing]):
                    hits[name].append((thing, degrees))
            for name, some in hits.items():
                self._close_in(name, some, inner, outer)
            inner = self.reached = outer
            self.told((k + 1) / len(RINGS))

    def _touched(self) -> None:
        """Try the shifts that bring units into contact: what touching decides changes there and nowhere near."""
        loose, t = self._loose(), self.battle.tape.t
        near = sorted(contacts(self.relevant.things, self.relevant.asked, self.radius, t), key=lambda p: p.distance)
        for placement in near[: int(KEPT * self._left)]:
            there = replace(placement, shift=(on_grid(placement.shift[0]), on_grid(placement.shift[1])))
            facts = [name for name in loose if there.distance < self._upto(name)]
            for name in self.changed(there, facts) if facts and there.distance > 0.0 else ():
                if self._confirmed(there, name):
                    self.shifts[name] = there

    def _upto(self, fact: str) -> float:
        """Return the length of the shortest shift found so far that changes a fact."""
        found = self.shifts.get(fact)
        return math.inf if found is None else found.distance

    @property
    def _left(self) -> float:
        """How many answers the search can still afford: for shifts, then for turns."""
        if time.process_time() > self.until:
            return 0.0
        afforded, before = (AFFORDED, 0) if self.spent is None else (TURNS_AFFORDED, self.spent)
        return afforded / self.asked.dear - (self.asked_times - before)

    def _directions(self, ring: int, thing: Thing) -> list[float]:
        """Return the bearings in which a thing is tried on a ring: more for those the question is about."""
        eye = self.eyes.get(thing)
        if eye is not None:
            return _aside(thing.centre, eye, self.radius, ring)
        count = max(FEWEST, math.floor(self._share(ring) * self._wanted(ring, thing)))
        return [360.0 / count * (k + ring % 2 * TWIST) for k in range(count)]

    def _wanted(self, ring: int, thing: Thing) -> int:
        """Return in how many directions a thing is tried on a ring where cost is no object."""
        if thing in self.eyes:
            return 2 * _steps(ring)
        apart = APART if thing in self.relevant.things[: self.relevant.asked] else OTHERS_APART
        return max(FEWEST, math.ceil(2.0 * math.pi * RINGS[ring] / apart))

    def _share(self, ring: int) -> float:
        """Return what share of the directions of this ring and those beyond it can be afforded."""
        cost = 0.0
        for k, share in enumerate(RINGS[ring:], ring):
            outer = share * self.radius
            open_ = [name for name in self._loose() if self._upto(name) > outer]
            unsafe = (t for t in self.relevant.things if any(self.safe.upto(n, t) < outer for n in open_))
            cost += sum(self._wanted(k, thing) for thing in unsafe)
        return min(1.0, (1.0 - KEPT) * self._left / cost) if cost else 1.0

    def _close_in(self, fact: str, hits: Sequence[tuple[Thing, float]], inner: float, outer: float) -> None:
        """Find the shortest shift from the directions in which a fact changes on a ring, and keep it."""
        best = min(outer, self._upto(fact))
        for thing in dict.fromkeys(thing for thing, _ in hits):
            bearings = [degrees for other, degrees in hits if other is thing]
            for distance, degrees in self._closest(fact, thing, bearings, inner, best):
                placement = self._on_grid(fact, thing, distance, degrees)
                if placement is not None and placement.distance < self._upto(fact):
                    self.shifts[fact] = placement
                    best = min(best, placement.distance)

    def _closest(
        self, fact: str, thing: Thing, hits: Sequence[float], inner: float, outer: float
    ) -> Iterator[tuple[float, float]]:
        """Yield (distance, bearing) of the shortest change near the directions that do."""

        def flips(distance: float, degrees: float) -> bool:
            return fact in self.changed(_at(thing, distance, degrees), [fact])

        def back(degrees: float, low: float, high: float) -> float:
            return _bisected(lambda distance: flips(distance, degrees), low, high, self.fine / 4)

        best, chosen, spread = outer, None, SPREAD
        for degrees in hits:
            if chosen is None or flips(best - self.fine / 2, degrees):
                best, chosen = back(degrees, inner if best > inner else 0.0, best), degrees
        if chosen is None:
            return
        while best > self.fine / 2 and math.radians(spread) * best > self.fine / 2:
            shorter = best - self.fine / 4
            side = next((s for s in (spread, -spread) if flips(shorter, chosen + s)), None)
            if side is None:
                spread /= 2
                continue
            chosen += side
            best = back(chosen, 0.0, shorter)
        yield best, chosen

    def _on_grid(self, fact: str, thing: Thing, distance: float, degrees: float) -> Placement | None:
        """Return the nearest placement on the grid of files, near one that changes a fact, that does so too."""
        for more in range(STEPS):
            x, y = _vector(distance + more / GRID, degrees)
            near = [(east, north) for east in _either_side(x) for north in _either_side(y)]
            for shift in sorted(near, key=lambda s: math.hypot(*s)):
                placement = Placement(thing, shift)
                if not math.hypot(*shift) > 0.0 or fact not in self.changed(placement, [fact]):
                    continue
                if self._confirmed(placement, fact):
                    return placement
        return None

    # --- turns ---

    def _turned(self) -> None:
        inner = 0.0
        self.spent = self.asked_times
        for outer in TURNS:
            open_ = [name for name in self._loose() if name not in self.turns]
            hits: dict[str, list[tuple[Thing, float]]] = {name: [] for name in open_}
            for thing in self.relevant.things if open_ else ():
                facts = [name for name in open_ if self.safe.upto(name, thing) < thing.stir(outer)]
                turns = thing.turns and thing not in self.eyes
                for sign in (1.0, -1.0) if turns and facts and self._left > 0 else ():
                    for name in self.changed(Placement(thing, turn=sign * outer), facts):
                        hits[name].append((thing, sign))
            for name, some in hits.items():
                self._turn_back(name, some, inner, outer)
            inner = outer
            self.turned_to = outer if self._left > 0 else self.turned_to

    def _turn_back(self, fact: str, hits: Sequence[tuple[Thing, float]], inner: float, outer: float) -> None:
        """Find the smallest turn from those that change a fact, on the grid of facings, and keep it."""
        best = outer + 1.0
        for thing, sign in hits:

            def flips(degrees: float, thing: Thing = thing, sign: float = sign) -> bool:
                return fact in self.changed(Placement(thing, turn=sign * degrees), [fact])

            if best > outer or flips(best - 1 / FACING_GRID):
                high = _bisected(flips, inner, min(best, outer), 1 / FACING_GRID)
                for more in range(STEPS):
                    degrees = (math.ceil(high * FACING_GRID) + more) / FACING_GRID
                    placement = Placement(thing, turn=sign * degrees)
                    if degrees < best and self._confirmed(placement, fact):
                        self.turns[fact], best = placement, degrees
                        break


def _steps(ring: int) -> int:
    """Return in how many steps what lies between a ring and the last is tried to either side."""
    inner = RINGS[ring - 1] if ring else 0.0
    return math.ceil((RINGS[ring] - inner) / ASIDE)


def _aside(at: Point, eye: Point, radius: float, ring: int) -> list[float]:
    """Return the bearings in which a thing is tried of which only the direction counts in which it lies from ``eye``.

    The shortest shift to a direction leads straight across it: as many inches to either side as the direction passes
    by. So it is enough to try, for lengths between two rings, one shift of the outer's length each to that direction:
    closing in finds the shortest. The far one of the two there are.
    """
    inner, outer = (RINGS[ring - 1] if ring else 0.0) * radius, RINGS[ring] * radius
    away, (dx, dy) = math.dist(at, eye), (at[0] - eye[0], at[1] - eye[1])
    found = []
    for k in range(1, _steps(ring) + 1):
        across = inner + (outer - inner) * k / _steps(ring)
        along = math.sqrt(away**2 - across**2) + math.sqrt(outer**2 - across**2)
        for turn in (math.asin(across / away), -math.asin(across / away)):
            east, north = heading(bearing(dx, dy) + math.degrees(turn))
            found.append(bearing(eye[0] + along * east - at[0], eye[1] + along * north - at[1]))
    return found


def _changed(now: Any, before: Any) -> bool:
    """Say whether a fact has another value; a fact of which nothing is left to say has none."""
    return now is not None and now != before


def _at(thing: Thing, distance: float, degrees: float) -> Placement:
    return Placement(thing, _vector(distance, degrees))


def _vector(distance: float, degrees: float) -> Point:
    east, north = heading(degrees)
    return distance * east, distance * north


def _either_side(length: float) -> set[float]:
    return {math.floor(length * GRID) / GRID, math.ceil(length * GRID) / GRID}


def _bisected(flips: Callable[[float], bool], low: float, high: float, fine: float) -> float:
    """Return, to ``fine``, where between two lengths a fact begins to change."""
    while high - low > fine:
        middle = (low + high) / 2
        low, high = (low, middle) if flips(middle) else (middle, high)
    return high


def proof(verdict: Verdict) -> tuple[tuple[Point, ...], ...]:
    """Return the sight line or the way, bent once at most, that proves a verdict, if that is what proves it."""
    line = verdict.witness
    return (tuple(line),) if line is not None and len(line) in (2, 3) else ()


def margin_of(found: Found) -> Margin:
    """Return what was found of a fact as a verdict tells it."""
    shift, turn = found.shift, found.turn
    return Margin(
        found.value,
        None if shift is None else shift.distance,
        None if turn is None else abs(turn.turn),
        None if shift is None else Elsewhere(shift.thing.id, shift=shift.shift),
        None if turn is None else Elsewhere(turn.thing.id, turn=turn.turn),
    )
