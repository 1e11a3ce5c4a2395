"""Turns: the smallest turn of any one thing that changes each fact, and the steps in which they were tried.

All turns of a thing in one direction form an interval, which is halved again and again. An interval in which no turn is
known to change a fact, without asking (``Safe``, ``KnownUnaffected``), is dropped: all points of the thing stay within
a known distance of where they are in the middle of it. The rest ends in steps so small that no point of the thing moves
far in one; the question is asked at the farther end of each. A change that comes and goes between two ends may be
missed, so the search reports its longest step.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tabletop.geometry.measure import FACING_GRID
from tabletop.geometry.time_limit import TimeIsUp, ended_by
from tabletop.judge.asking import Asking
from tabletop.judge.bisection import bisected
from tabletop.judge.envelope import Safe
from tabletop.judge.things import Placement, Thing

#: How far turns are searched, in degrees; and the interval that is halved, so that steps are round numbers.
SEARCHED_TURN, WHOLE = 30.0, 32.0
#: The farthest that any point of a thing moves in one step, as a share of the search for shifts, and the longest step
#: in degrees. If the whole search would cost too much, the steps of most things are longer.
TRAVEL, LONGEST = 0.05, 1.0
#: Share of the search's budget reserved for closing in on what is found.
KEPT = 0.1
#: How many facings on the grid, from the nearest, are tried for a found turn.
PLACES = 3
#: Extra seconds to ask about a placement that was about to be made smaller when time ran out.
GRACE = 1.0


@dataclass(frozen=True)
class Step:
    """Turns of one thing between two angles (degrees), in one direction (``sign``), that may change some facts."""

    thing: Thing
    sign: float
    low: float
    high: float
    facts: tuple[str, ...]

    def at(self, degrees: float) -> Placement:
        """Return the thing turned in this direction."""
        return Placement(self.thing, turn=self.sign * degrees)


@dataclass
class Turning:
    """The search for turns: which things, how far each is safe, and how many questions it may still ask.

    After ``search`` the placements of ``found`` change their facts; turns were searched up to ``reached`` degrees, in
    steps of at most ``step`` degrees: 0 if all turns are known to change nothing.
    """

    asking: Asking
    things: Sequence[Thing]
    safe: Safe
    radius: float
    left: Callable[[], float]
    found: dict[str, Placement] = field(default_factory=dict, init=False)
    reached: float = field(default=0.0, init=False)
    step: float = field(default=0.0, init=False)

    def search(self) -> None:
        """Try all steps, the smallest turns first; once a fact has changed, only smaller turns are tried for it."""
        steps = sorted(self._steps(), key=lambda step: (step.high, step.low))
        for k, step in enumerate(steps):
            facts = [fact for fact in step.facts if step.low < self._upto(fact)]
            if not self._tried(step, facts):
                self.reached = min(later.low for later in steps[k:])
                return
        self.reached = SEARCHED_TURN

    def _tried(self, step: Step, facts: Sequence[str]) -> bool:
        """Try one step; return whether it could be afforded."""
        if facts and self.left() <= 0.0:
            return False
        try:
            self._try(step, facts)
        except TimeIsUp:
            return False
        return True

    def _try(self, step: Step, facts: Sequence[str]) -> None:
        if facts:
            self.step = max(self.step, step.high - step.low)
        for fact in self.asking.changed(step.at(step.high), facts) if facts else ():
            self._turn_back(step, fact)

    def _upto(self, fact: str) -> float:
        """Return the smallest turn found so far that changes a fact."""
        placement = self.found.get(fact)
        return math.inf if placement is None else abs(placement.turn)

    def _turn_back(self, step: Step, fact: str) -> None:
        """Find the smallest turn in a step that changes a fact, on the grid of facings, and keep it."""

        def flips(degrees: float) -> bool:
            return fact in self.asking.changed(step.at(degrees), [fact])

        best = self._upto(fact)
        if best <= step.high and not flips(best - 1 / FACING_GRID):
            return
        try:
            self._keep(step, fact, bisected(flips, step.low, min(best, step.high), 1 / FACING_GRID))
        except TimeIsUp:
            with ended_by(time.process_time() + GRACE):
                self._keep(step, fact, step.high)
            raise

    def _keep(self, step: Step, fact: str, degrees: float) -> None:
        """Keep a turn on the grid of facings, close to one that changes a fact, if it does so too and is the
        smallest so far."""
        for more in range(PLACES):
            placement = step.at((math.ceil(degrees * FACING_GRID) + more) / FACING_GRID)
            if abs(placement.turn) < self._upto(fact) and self.asking.confirmed(placement, fact):
                self.found[fact] = placement
                return

    # --- the steps ---

    def _steps(self) -> Iterator[Step]:
        """Yield the steps of all things, as small as the search can afford."""
        fine = {thing: self._open(thing) for thing in self.things if thing.turns}
        afforded = (1.0 - KEPT) * self.left()
        while sum(len(halved.facts) for halved in fine.values()) > afforded:
            most = max(fine, key=lambda thing: len(fine[thing].facts))
            if not fine[most].times:
                break
            fine[most] = fine[most].coarser()
        for thing, halved in fine.items():
            yield from halved.steps(thing)

    def _open(self, thing: Thing) -> Halved:
        """Return the smallest steps of a thing that are not known to change nothing."""
        times = _times(thing, self.radius)
        facts: dict[tuple[float, int], tuple[str, ...]] = {}
        for sign in (1.0, -1.0):
            facts |= {(sign, k): left for k, left in self._halves(thing, sign, times, 0, 0, self.asking.loose)}
        return Halved(times, facts)

    def _halves(
        self, thing: Thing, sign: float, times: int, depth: int, k: int, facts: Sequence[str]
    ) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield the indices of the smallest steps in the ``k``-th interval at halving ``depth``, with the facts they
        may change."""
        left = self._left(thing, sign, WHOLE / 2**depth, k, facts)
        if left and depth == times:
            yield k, tuple(left)
        elif left:
            for half in (2 * k, 2 * k + 1):
                yield from self._halves(thing, sign, times, depth + 1, half, left)

    def _left(self, thing: Thing, sign: float, length: float, k: int, facts: Sequence[str]) -> Sequence[str]:
        """Return which facts some turn in an interval may change, as far as is known without asking."""
        high = min((k + 1) * length, SEARCHED_TURN)
        left = [fact for fact in facts if self.safe.upto(fact, thing) < thing.stir(high)]
        if not left or k * length >= SEARCHED_TURN:
            return []
        middle = Placement(thing, turn=sign * (k + 0.5) * length)
        unaffected = self.asking.unaffected(thing, middle.body(), left, about=thing.stir(length / 2.0))
        return [fact for fact in left if fact not in unaffected]


@dataclass(frozen=True)
class Halved:
    """Steps of one thing: all turns halved ``times`` times; by direction and index, the facts that each step may
    change."""

    times: int
    facts: Mapping[tuple[float, int], tuple[str, ...]]

    def coarser(self) -> Halved:
        """Return steps twice as long."""
        whole: dict[tuple[float, int], tuple[str, ...]] = {}
        for (sign, k), facts in self.facts.items():
            whole[sign, k // 2] = tuple(dict.fromkeys((*whole.get((sign, k // 2), ()), *facts)))
        return Halved(self.times - 1, whole)

    def steps(self, thing: Thing) -> Iterator[Step]:
        """Yield the steps as turns of a thing."""
        length = WHOLE / 2**self.times
        for (sign, k), facts in self.facts.items():
            yield Step(thing, sign, k * length, min((k + 1) * length, SEARCHED_TURN), facts)


def _times(thing: Thing, radius: float) -> int:
    """Return how often all turns of a thing are halved until a step is short and moves no point of it far."""
    times = 0
    while (length := WHOLE / 2**times) > LONGEST or thing.stir(length) > TRAVEL * radius:
        times += 1
    return times
