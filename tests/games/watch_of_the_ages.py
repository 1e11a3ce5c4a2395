"""What must be so from one step of a battle of the Ages' family to the next: losses, charges, squares, crises."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

from tabletop.battle.battle import Battle
from tabletop.battle.event import Changed, Event, Lost, Removed, Told
from tabletop.battle.unit import Unit
from tabletop.play.engine import Step
from tabletop.rules.ages.morale.status import ROUTING
from tabletop.rules.ages.movement.layouts import SQUARE
from tabletop.rules.ages.tables import tables
from tabletop.rules.common.base_losses import ARMY, BEFORE, LOST
from tabletop.rules.common.keyed_option import given

#: A square that has not moved stands where it stood, but for rounding (mm).
ROUNDING = 1e-6


@dataclass
class WatchOfTheAges:
    """Watches one battle; ``lost`` are the bases each side has lost by the events, and ``tested`` its last mark."""

    lost: Counter[str] = field(default_factory=Counter)
    tested: dict[str, int] = field(default_factory=dict)
    strengths: dict[str, int] = field(default_factory=dict)
    sides: dict[str, str] = field(default_factory=dict)

    def begins(self, battle: Battle) -> None:
        """Note the bases of everybody."""
        everybody = [u for u in (*battle.units, *battle.awaited) if not u.is_general]
        self.strengths, self.sides = {u.id: u.strength for u in everybody}, {u.id: u.side for u in everybody}
        self.lost = Counter()

    def opens(self, step: Step) -> Iterator[str]:
        """Yield what is wrong with the beginning; bases the scenario says were lost before are lost already."""
        setup = step.battle.setup
        self.lost.update({side: int(given(setup.options, BEFORE, side) or 0) for side in setup.sides})
        yield from self._of_events(step)

    def faults(self, before: Battle, step: Step) -> Iterator[str]:
        """Yield what is wrong with a step."""
        yield from self._of_events(step)
        for old in before.units:
            new = step.battle.unit(old.id) if step.battle.has(old.id) else None
            if new is not None and not old.is_general:
                yield from _charged(old, new)
                yield from _still(old, new)

    def _of_events(self, step: Step) -> Iterator[str]:
        for event, following in zip_longest(step.events, step.events[1:]):
            self._count(event, following)
            if isinstance(event, Told) and event.what == "crisis":
                yield from self._tests(event)
        yield from self._losses(step.battle)
        yield from _twice(step)

    def _count(self, event: Event, following: Event | None) -> None:
        """Count the bases lost: those that fall or run off, and guns taken; but not those that go to crew guns."""
        name = getattr(event, "unit", None)
        if name not in self.strengths:
            return
        if isinstance(event, Lost):
            self.strengths[name] -= event.bases
            crews = isinstance(following, Told) and following.what == "crew"
            self.lost[self.sides[name]] += 0 if crews else event.bases
        elif isinstance(event, Removed):
            self.lost[self.sides[name]] += self.strengths.pop(name)
        elif isinstance(event, Changed) and event.side is not None:
            self.lost[self.sides[name]] += self.strengths[name]
            self.sides[name] = event.side

    def _losses(self, battle: Battle) -> Iterator[str]:
        """Yield armies whose losses as noted are not the bases gone; rule sets that count none have no note."""
        for side in battle.setup.sides:
            noted = battle.memory.get(LOST + side, 0)
            if ARMY + side in battle.memory and noted != self.lost[side]:
                yield f"{side} has lost {self.lost[side]} bases, and {noted} are noted"

    def _tests(self, event: Told) -> Iterator[str]:
        """Yield a mark for which an army is tested a second time."""
        side, percent = str(event.values["side"]), int(event.values["percent"])
        if percent <= self.tested.get(side, 0):
            yield f"{side} is tested at {percent} in a hundred after {self.tested[side]}"
        self.tested[side] = percent


def _twice(step: Step) -> Iterator[str]:
    """Yield units that throw twice in one crisis."""
    thrown: set[str] = set()
    for event in step.events:
        if isinstance(event, Told) and event.what == "crisis":
            thrown = set()
        elif isinstance(event, Told) and event.what == "in crisis":
            if event.unit in thrown:
                yield f"{event.unit} throws twice in one crisis"
            thrown.add(str(event.unit))


def _charged(old: Unit, new: Unit) -> Iterator[str]:
    """Yield a charge that comes too soon after the last one (ROC-MOV-03)."""
    last, now = old.marks.get("charged"), new.marks.get("charged")
    every = int(tables(new)["charge"]["every"])
    if last is not None and now is not None and last != now and now - last < every:
        yield f"{new.id} charges in turn {now}, after a charge in turn {last}"


def _still(old: Unit, new: Unit) -> Iterator[str]:
    """Yield a square that has moved, other than by losing a base or by routing (ROC-FRM-06)."""
    square = old.formation == new.formation == SQUARE and ROUTING not in (old.status, new.status)
    if square and old.strength == new.strength and math.dist(old.at, new.at) > ROUNDING:
        yield f"{new.id} has moved in square"
