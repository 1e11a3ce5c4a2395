"""Turns: the smallest of any one thing that changes each fact, and the steps in which they were tried.

All turns of a thing, either way round, are one interval that is halved, and its halves again. An interval in which no
turn changes a fact, by what is known without asking (``Safe``, ``Spared``), is dropped: all points of the thing stay
within a known distance of where they are in the middle of it. What is left ends in steps so small that no point of the
thing goes far in one; of each step the farther end is asked about. A change between two ends that comes and goes may be
missed, so the search says how long its longest step was.
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

#: How far a turn is searched for, in degrees; and the interval that is halved, so that steps are round figures.
SEARCHED_TURN, WHOLE = 30.0, 32.0
#: How far any point of a thing goes in one step at most, as a share of the search for shifts; and how long a step is at
#: most, in degrees. Where the whole search would cost more than it may, the steps of most things are longer.
TRAVEL, LONGEST = 0.05, 1.0
#: What part of what the search may cost is kept for closing in on what is found.
KEPT = 0.1
#: Places on the grid of facings at which a found turn is tried, from the nearest.
PLACES = 3
#: For so many seconds more a placement is asked about that was about to be made smaller when the time was up.
GRACE = 1.0


@dataclass(frozen=True)
class Step:
    """Turns of one thing between two angles (degrees), one way round (``sign``), that may change some facts."""

    thing: Thing
    sign: float
    low: float
    high: float
    facts: tuple[str, ...]

    def at(self, degrees: float) -> Placement:
        """Return the thing turned this way round."""
        return Placement(self.thing, turn=self.sign * degrees)


@dataclass
class Turning:
    """The search for turns: which things, how far each is safe, and how many answers it may still ask for.

    After ``search`` the placements of ``found`` change their facts; turns were searched up to ``reached`` degrees, in
    steps of ``step`` degrees at most: 0 where it is known of all turns that they change nothing.
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
        """Try all steps, those nearest to no turn first; a fact that changed is looked for nearer only."""
        steps = sorted(self._steps(), key=lambda step: (step.high, step.low))
        for k, step in enumerate(steps):
            facts = [fact for fact in step.facts if step.low < self._upto(fact)]
            if not self._tried(step, facts):
                self.reached = min(later.low for later in steps[k:])
                return
        self.reached = SEARCHED_TURN

    def _tried(self, step: Step, facts: Sequence[str]) -> bool:
        """Try one step, and say whether it could be afforded."""
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
        found = self.found.get(fact)
        return math.inf if found is None else abs(found.turn)

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
        """Keep a turn on the grid of facings, near one that changes a fact, if it does so too and is the least yet."""
        for more in range(PLACES):
            placement = step.at((math.ceil(degrees * FACING_GRID) + more) / FACING_GRID)
            if abs(placement.turn) < self._upto(fact) and self.asking.confirmed(placement, fact):
                self.found[fact] = placement
                return

    # --- the steps ---

    def _steps(self) -> Iterator[Step]:
        """Yield the steps of all things, as small as can be afforded."""
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
        """Yield the numbers of the smallest steps in the ``k``-th interval that is halved ``depth`` times."""
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
        spared = self.asking.spared(thing, middle.body(), left, about=thing.stir(length / 2.0))
        return [fact for fact in left if fact not in spared]


@dataclass(frozen=True)
class Halved:
    """Steps of one thing: all turns halved so many ``times``; by way round and number those that may change facts."""

    times: int
    facts: Mapping[tuple[float, int], tuple[str, ...]]

    def coarser(self) -> Halved:
        """Return steps twice as long."""
        whole: dict[tuple[float, int], tuple[str, ...]] = {}
        for (sign, k), facts in self.facts.items():
            whole[sign, k // 2] = tuple(dict.fromkeys((*whole.get((sign, k // 2), ()), *facts)))
        return Halved(self.times - 1, whole)

    def steps(self, thing: Thing) -> Iterator[Step]:
        """Yield them as turns of a thing."""
        length = WHOLE / 2**self.times
        for (sign, k), facts in self.facts.items():
            yield Step(thing, sign, k * length, min((k + 1) * length, SEARCHED_TURN), facts)


def _times(thing: Thing, radius: float) -> int:
    """Return how often all turns of a thing are halved until a step is short and takes no point of it far."""
    times = 0
    while (length := WHOLE / 2**times) > LONGEST or thing.stir(length) > TRAVEL * radius:
        times += 1
    return times
