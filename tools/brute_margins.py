"""Margins by brute force: all things shifted in 64 directions in steps of 0.05 in, and turned in steps of a quarter
degree.

It asks the bare question of every placement and knows nothing of the search it checks. It skips only what cannot be a
counterexample: shifts no shorter than a margin less its allowed error, and placements that leave the ground a question
looks at unchanged (``what_matters``); of everything else on the table it draws some at random. A margin's placements
are divided evenly into ``PARTS``, so that a few of every question's can be asked first.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import GRID
from tabletop.geometry.verdict import Elsewhere, Margin, Verdict
from tabletop.judge import judge
from tabletop.judge.asking import HOLDS, facts_of
from tabletop.judge.margin import SEARCH
from tabletop.judge.things import Placement, Thing, on_facing_grid, on_grid, placed, things_of
from tabletop.judge.turning import SEARCHED_TURN
from tabletop.rules import rule_set
from tabletop.rules.rule_set import Request
from tools.what_matters import asked_units, what_matters

#: Directions, steps to the end of the search (0.05 in of 2 in), and degrees of a turn's step.
DIRECTIONS, STEPS, TURN_STEP = 64, 40, 0.25
#: By how much the search may overestimate: 0.02 in of 2 in, and a quarter degree of a turn.
RIGHT_TO, TURN_RIGHT_TO = 0.01, 0.25
#: Number of parts of the placements of a question, and the share of everything else that is drawn in each part.
PARTS, OF_THE_REST = 128, 0.25
#: Lines that proved an answer, tried first for the next.
HINTS = 4
#: One of this many placements is asked in full although the short answer says that nothing changes.
CHECKED = 200


@dataclass
class Asked:
    """A question asked of a battle."""

    battle: Battle
    question: str
    args: tuple[str, ...]
    options: Mapping[str, Any]
    hints: tuple[Any, ...] = ()
    times: int = 0

    def facts(self, battle: Battle | None = None) -> dict[str, Any]:
        """Return the facts of the bare answer; none if the question cannot be asked."""
        asked = rule_set.find(self.battle.rules).question(self.question)
        request = Request(self.question, self.args, self.options)
        self.times += 1
        try:
            return facts_of(asked, asked.answer(battle or self.battle, request))
        except BadQuestion:
            return {}

    def shortly(self, battle: Battle, wanted: Sequence[str]) -> dict[str, Any]:
        """Return some facts, asked briefly or one by one as the rule set allows; others may come with them."""
        asked = rule_set.find(self.battle.rules).question(self.question)
        request = Request(self.question, self.args, self.options).briefly(self.hints)
        self.times += 1
        try:
            if asked.facts is not None:
                short_answer = asked.facts(battle, request, wanted)
                values, line = dict(short_answer.values), short_answer.witness
            elif list(wanted) == [HOLDS]:
                answer = asked.answer(battle, request)
                values, line = {HOLDS: answer.holds}, answer.witness
            else:
                return self.facts(battle)
        except BadQuestion:
            return {}
        if values.get(HOLDS) and line is not None and len(line) in (2, 3):
            self.hints = (line, *(hint for hint in self.hints if hint != line))[:HINTS]
        return values

    def changed(self, placement: Placement, facts: Mapping[str, Any]) -> set[str]:
        """Return which facts change when one thing stands elsewhere, confirmed by the whole answer.

        One short answer in ``CHECKED`` that shows no change is compared with the whole one.
        """
        moved = placed(self.battle, (placement.body(),))
        short = _differing(self.shortly(moved, list(facts)), facts)
        if not short and self.times % CHECKED:
            return set()
        return _differing(self.facts(moved), facts)


def _differing(now: Mapping[str, Any], before: Mapping[str, Any]) -> set[str]:
    return {name for name, value in before.items() if now.get(name) is not None and now[name] != value}


def settled(options: Mapping[str, Any], verdict: Verdict) -> dict[str, Any]:
    """Return options with a searched path replaced by the path that was found."""
    path = verdict.measured.get("path")
    if options.get("to") is None or not path:
        return dict(options)
    kept = {key: value for key, value in options.items() if key != "to"}
    return {**kept, "path": [tuple(point) for point in path[1:]]}


def judged(battle: Battle, question: str, args: tuple[str, ...], options: Mapping[str, Any]) -> tuple[Asked, Verdict]:
    """Return a verdict with its margins, and the question whose margins they are."""
    verdict = judge(battle, question, args, options)
    return Asked(battle, question, args, settled(options, verdict)), verdict


def thing(battle: Battle, name: str) -> Thing:
    """Return the unit or the piece of terrain with an id."""
    return next(thing for thing in things_of(battle) if thing.id == name)


def elsewhere(battle: Battle, by: Elsewhere) -> Placement:
    """Return the placement that a verdict names."""
    return Placement(thing(battle, by.id), by.shift or (0.0, 0.0), by.turn or 0.0)


def margins(verdict: Verdict) -> dict[str, Margin]:
    """Return the margin of every fact of a verdict."""
    assert verdict.closeness is not None
    return {HOLDS: verdict.closeness, **verdict.attributes}


def liars(asked: Asked, verdict: Verdict) -> list[tuple[str, Elsewhere]]:
    """Return the placements a verdict names that do not change the fact they are named for."""
    facts = asked.facts()
    named = ((fact, by) for fact, margin in margins(verdict).items() for by in (margin.shifted, margin.turned))
    return [
        (fact, by)
        for fact, by in named
        if by is not None and fact not in asked.changed(elsewhere(asked.battle, by), facts)
    ]


@dataclass(frozen=True)
class Counterexample:
    """A placement that changes a fact though it is smaller than the fact's margin."""

    fact: str
    id: str
    shift: tuple[float, float]
    turn: float
    margin: float | None

    def as_json(self) -> dict[str, Any]:
        """Return it as a line of a file."""
        size = {"turn": self.turn} if self.turn else {"shift": list(self.shift)}
        length = {} if self.turn else {"distance": round(math.hypot(*self.shift), 4)}
        return {"fact": self.fact, "id": self.id, **size, **length, "margin": self.margin}


@dataclass
class Tried:
    """What was asked about one question: placements, those skipped, things; and the counterexamples found.

    ``beyond`` counts the changes that are no counterexamples because the verdict says its search ended before them,
    ``past`` the placements beyond that end that were not asked about.
    """

    shifts: int = 0
    turns: int = 0
    drawn: int = 0
    spared: int = 0
    things: int = 0
    others: int = 0
    beyond: int = 0
    past: int = 0
    found: list[Counterexample] = field(default_factory=list)


@dataclass
class Brute:
    """The brute force against one verdict; a part that takes longer than ``patience`` seconds is abandoned.

    With ``reached``, nothing beyond the end of the search that the verdict states is asked about.
    """

    asked: Asked
    verdict: Verdict
    patience: float = math.inf
    reached: bool = False
    until: float = math.inf

    def __post_init__(self) -> None:
        table = self.asked.battle.table.unit
        self.radius = SEARCH[table] * self.asked.battle.scale
        self.told, known = margins(self.verdict), self.asked.facts()
        self.facts = {name: known[name] for name in self.told}
        right_to = RIGHT_TO * self.radius
        self.shorter = {n: self.radius if m.shift is None else m.shift - right_to for n, m in self.told.items()}
        self.smaller = {n: SEARCHED_TURN if m.turn is None else m.turn - TURN_RIGHT_TO for n, m in self.told.items()}

    def tried(self, part: int, parts: int = PARTS) -> Tried:
        """Ask one part of the placements; raises TimeoutError if that takes longer than the patience."""
        asked, self.until = self.asked, time.process_time() + self.patience
        matters = what_matters(asked.battle, asked.question, asked.args, asked.options, self.radius, SEARCHED_TURN)
        tried = Tried(things=len(matters.things), others=len(matters.others))
        named = asked_units(asked.args, asked.options)
        for thing in matters.things:
            spared = matters.untouched(thing, thing.is_unit and thing.id in named)
            for shift in self.shifts(part, parts):
                if math.hypot(*shift) < spared:
                    tried.spared += 1
                elif self.try_one(tried, Placement(thing, shift)):
                    tried.shifts += 1
            for turn in self.turns(part, parts) if thing.turns else ():
                if thing.stir(abs(turn)) < spared:
                    tried.spared += 1
                elif self.try_one(tried, Placement(thing, turn=turn)):
                    tried.turns += 1
        self._rest(tried, matters.others, part)
        return tried

    def _rest(self, tried: Tried, others: tuple[Thing, ...], part: int) -> None:
        """Try some of everything else on the table, drawn at random."""
        rng = random.Random(f"{self.asked.question}:{self.asked.args}:{part}")
        for thing in others:
            if rng.random() < OF_THE_REST:
                if thing.turns and rng.random() < 0.25:
                    placement = Placement(thing, turn=on_facing_grid(rng.uniform(-1.0, 1.0) * SEARCHED_TURN))
                else:
                    far, way = self.radius * math.sqrt(rng.random()), rng.uniform(0.0, 2.0 * math.pi)
                    placement = Placement(thing, (on_grid(far * math.sin(way)), on_grid(far * math.cos(way))))
                tried.drawn += self.try_one(tried, placement)

    def shifts(self, part: int, parts: int) -> Iterator[tuple[float, float]]:
        """Yield one part of the shifts, longest first; every part has equally many directions of every ring."""
        step = self.radius / STEPS
        widest = max(self.shorter.values())
        for k in range(STEPS, 0, -1):  # a part has a direction of every other ring, rotated from ring to ring
            for way in range(DIRECTIONS):
                if (way + 27 * ((k - 1) // 2) + DIRECTIONS * (k % 2)) % parts == part and k * step < widest + 1e-9:
                    angle = 2.0 * math.pi * way / DIRECTIONS
                    yield on_grid(k * step * math.sin(angle)), on_grid(k * step * math.cos(angle))

    def turns(self, part: int, parts: int) -> Iterator[float]:
        """Yield one part of the turns, widest first, in both directions."""
        widest = max(self.smaller.values())
        for k in range(round(SEARCHED_TURN / TURN_STEP), 0, -1):
            for sign in (1, -1):
                if (k + parts // 2 * (sign > 0)) % parts == part and k * TURN_STEP < widest:
                    yield sign * k * TURN_STEP

    def try_one(self, tried: Tried, placement: Placement) -> bool:
        """Ask about one placement, unless it is past the end of the search, and record it if it is a counterexample.

        Return whether it was asked about.
        """
        if time.process_time() > self.until:
            raise TimeoutError
        if self.reached and self._beyond(placement):
            tried.past += 1
            return False
        if placement.turn:
            open_ = [name for name, limit in self.smaller.items() if abs(placement.turn) < limit + 1e-9]
        else:
            open_ = [name for name, limit in self.shorter.items() if placement.distance < limit + 1e-9]
        facts = {name: self.facts[name] for name in open_}
        for name in sorted(self.asked.changed(placement, facts)) if facts else ():
            if self._beyond(placement):
                tried.beyond += 1
                continue
            margin = self.told[name].turn if placement.turn else self.told[name].shift
            tried.found.append(Counterexample(name, placement.thing.id, placement.shift, placement.turn, margin))
        return True

    def placement(self, found: Mapping[str, Any]) -> Placement:
        """Return the placement of a counterexample as a line of a file holds it."""
        east, north = found.get("shift", (0.0, 0.0))
        return Placement(thing(self.asked.battle, found["id"]), (east, north), found.get("turn", 0.0))

    def contradicted_by(self, found: Mapping[str, Any]) -> bool:
        """Return whether a counterexample, as a line of a file holds it, is one to these margins."""
        tried = Tried()
        self.try_one(tried, self.placement(found))
        return any(change.fact == found["fact"] for change in tried.found)

    def _beyond(self, placement: Placement) -> bool:
        """Return whether the verdict says that its search ended before so large a shift or turn."""
        searched = self.verdict.searched
        if searched is None:
            return False
        if placement.turn:
            return abs(placement.turn) > searched.turn + 1e-9
        return placement.distance > searched.shift + 1 / GRID
