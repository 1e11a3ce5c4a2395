"""Generates positions: the answer is drawn first, then a scene with that answer, then the margin is set.

In a random scene one thing is slid along a line on which the bare answer changes, and placed on the side of the wanted
answer at the wanted margin from the change. The judge then finds the thing whose shift changes the answer soonest, and
that shift: the thing is moved along it until the margin is the wanted one.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from tabletop.drills.family import Family, Plan
from tabletop.drills.position import Call, Position, Twin
from tabletop.drills.scenes import Layout, beyond, stands
from tabletop.errors import TabletopError
from tabletop.geometry.measure import Point
from tabletop.geometry.verdict import Elsewhere
from tabletop.judge.things import on_grid

#: A margin is right within this share of the wanted one, or within this length (inches).
SHARE, LENGTH = 0.1, 0.02
#: Maximum scenes drawn for one position, and moves of the thing in each.
SCENES, MOVES = 400, 5
#: Places along a line that are tried, in inches; the share of the margin to which a change of the answer is located.
SLIDES, SETTLED = tuple(0.75 * k for k in range(-4, 5)), 0.02
#: Share of the tolerance within which a generated margin must lie, to be safely right.
INNER = 0.9
#: How far past the change the twin's thing is moved, as multiples of the shift that changes the answer, best first.
PAST = (2.0, 1.7, 1.4, 1.2, 1.1, 1.02, 1.0)


def right(margin: float | None, wanted: float) -> bool:
    """Return whether a margin is as near to the wanted one as drills promise.

    >>> right(0.45, 0.5), right(0.44, 0.5), right(0.085, 0.1), right(None, 0.1)
    (True, False, True, False)
    """
    return margin is not None and abs(margin - wanted) <= max(SHARE * wanted, LENGTH) + 1e-9


def made(family: Family, plan: Plan, answer: str, wanted: float, rng: random.Random) -> Position | None:
    """Return a position of a family with this plan, answer and margin; None if none was found."""
    for _ in range(SCENES):
        try:
            layout = _slid(family, plan, answer, wanted, family.lays(rng, plan, answer, wanted), rng)
            settled = None if layout is None else _at_margin(family, plan, answer, wanted, layout)
            position = None if settled is None else positioned(family, plan, *settled, wanted)
        except TabletopError:  # something was moved off the table, or into another thing
            continue
        if position is not None:
            return position
    return None


def positioned(family: Family, plan: Plan, layout: Layout, call: Call, wanted: float) -> Position | None:
    """Return the position of a judged layout, with its twin; None if it has no twin."""
    twin = _twin(family, plan, layout, call)
    if twin is None:
        return None
    battle, words = layout.battle(family.title), family.asks(plan)
    proof, choices = family.proof(battle, plan), family.choices(plan)
    return Position(family.name, words, battle, choices, call.answer, call.margin, proof, wanted, twin, plan, layout)


def _slid(family: Family, plan: Plan, answer: str, wanted: float, layout: Layout, rng: random.Random) -> Layout | None:
    """Return a scene with one thing slid along a line to the wanted distance from where the answer changes.

    That shift changes the answer, so the margin is at most the wanted one, and the judge's search can end there. None
    if the answer is the same all along the line, or nothing can stand there.
    """
    thing, bearing = rng.choice(layout.movable), rng.uniform(0.0, 360.0)

    def at(far: float) -> Layout:
        return layout.moved(thing, on_line(far))

    def on_line(far: float) -> Point:
        x, y = beyond((0.0, 0.0), bearing, far)
        return on_grid(x), on_grid(y)

    def answer_at(far: float) -> str:
        try:
            battle = at(far).battle(family.title)
        except TabletopError:  # off the table, or into another thing
            return ""
        return family.briefly(battle, plan) if stands(battle) else ""

    if answer_at(0.0) == "":
        return None
    answers = {far: answer_at(far) for far in SLIDES}
    turns = [(a, b) for far, next_far in pairwise(SLIDES) for a, b in ((far, next_far), (next_far, far))]
    turns = [(a, b) for a, b in turns if answers[a] == answer and answers[b] not in (answer, "")]
    if not turns:
        return None
    inside, outside = rng.choice(turns)
    while abs(outside - inside) > SETTLED * wanted:
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if answer_at(middle) == answer else (inside, middle)
    distance = outside + math.copysign(wanted, inside - outside)
    return at(distance) if answer_at(distance) == answer else None


def _at_margin(family: Family, plan: Plan, answer: str, wanted: float, layout: Layout) -> tuple[Layout, Call] | None:
    """Return a scene with one thing moved so that the margin is right, and the judge's call on it."""
    for _ in range(MOVES):
        battle = layout.battle(family.title)
        call = family.judged(battle, plan) if stands(battle) else None
        if call is None or call.answer != answer or not call.margin or call.turned_by is None:
            return None
        if abs(call.margin - wanted) <= INNER * max(SHARE * wanted, LENGTH):
            return layout, call
        layout = layout.moved(call.turned_by.id, _part(call.turned_by, 1.0 - wanted / call.margin))
    return None


def _part(by: Elsewhere, share: float) -> Point:
    assert by.shift is not None
    return on_grid(share * by.shift[0]), on_grid(share * by.shift[1])


def _twin(family: Family, plan: Plan, layout: Layout, call: Call) -> Twin | None:
    """Return the near-miss twin: the thing about as far on the other side, with another answer."""
    by = call.turned_by
    for share in PAST if by is not None and by.shift is not None else ():
        assert by is not None
        shift = _part(by, share)
        battle = layout.moved(by.id, shift).battle(family.title)
        answer = family.briefly(battle, plan) if stands(battle) else ""
        if answer in family.choices(plan) and answer != call.answer:
            return Twin(battle, answer, Elsewhere(by.id, shift), family.proof(battle, plan))
    return None


@dataclass
class Deck:
    """Plans and answers of a family in random order, each combination once before any repeats: guessing fails."""

    family: Family
    rng: random.Random
    _left: list[tuple[Plan, str]] = field(default_factory=list)

    def draw(self) -> tuple[Plan, str]:
        """Return the next plan with its answer."""
        if not self._left:
            self._left = [(plan, answer) for plan in self.family.plans for answer in self.family.choices(plan)]
            self.rng.shuffle(self._left)
        return self._left.pop()

    def positions(self, wanted: float) -> Iterator[Position | None]:
        """Yield positions at a margin without end; None where none was found for a plan and answer."""
        while True:
            yield made(self.family, *self.draw(), wanted, self.rng)
