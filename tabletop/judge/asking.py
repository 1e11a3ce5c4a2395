"""Asking a question again with one thing moved: which facts of its answer change.

One evaluation of a placement serves every fact that is still open. A fact known to stay the same is not asked about
(``KnownUnaffected``), and every answer is cached.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.line_of_sight import roughly_explained
from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Terrain
from tabletop.geometry.time_limit import look
from tabletop.geometry.verdict import Verdict
from tabletop.judge.relevance import Relevant, unproved_about
from tabletop.judge.things import Placement, Thing, placed, without
from tabletop.judge.unaffected import KnownUnaffected
from tabletop.rules.rule_set import Question, Request, Shifted

#: How many lines that proved earlier answers are kept as hints.
HINTS = 6
HOLDS = "holds"


def facts_of(asked: Question, verdict: Verdict) -> dict[str, Any]:
    """Return the facts of an answer by name: whether it holds, then the others that players dispute."""
    disputed = {name: value for name, value in asked.attributes(verdict).items() if value is not None}
    return {HOLDS: verdict.holds, **disputed}


@dataclass
class Asking:
    """A question, its facts as they are (no shift or turn changes the ``fixed`` ones), and the things that may affect
    them.

    ``asked_times`` counts the answers; ``unproved`` is the most bundles of lines after which a sight search was cut
    off.
    """

    battle: Battle
    asked: Question
    request: Request
    facts: Mapping[str, Any]
    relevant: Relevant
    fixed: Collection[str] = field(default=(), kw_only=True)
    asked_times: int = field(default=0, init=False)
    unproved: int = field(default=0, init=False)
    hints: dict[str, tuple[tuple[Point, ...], ...]] = field(default_factory=dict, init=False)
    finer: dict[str, Any] = field(default_factory=dict, init=False)
    homes: dict[str, Shifted] = field(default_factory=dict, init=False)
    known: dict[tuple[str, bool, Point, float], dict[str, bool]] = field(default_factory=dict, init=False)
    idle: dict[tuple[str, Thing], bool] = field(default_factory=dict, init=False)

    @property
    def loose(self) -> list[str]:
        """The facts that some shift or turn may change."""
        return [name for name in self.facts if name not in self.fixed]

    def changed(self, placement: Placement, facts: Sequence[str]) -> set[str]:
        """Return which of some facts change when a thing stands elsewhere; none if the question cannot be asked
        there."""
        spot = (placement.thing.id, placement.thing.is_unit, placement.shift, placement.turn)
        known = self.known.get(spot, {})
        if not known.keys() >= set(facts):
            body, left = placement.body(), [name for name in facts if name not in known]
            unaffected = self.unaffected(placement.thing, body, left)
            left = [name for name in left if name not in unaffected]
            values: Mapping[str, Any] = {}
            if left:
                moved = placed(self.relevant.battle, (body,))
                values = self._facts(moved, left, placement.thing.id, self._from_home(placement))
            else:
                self.asked_times += 1  # counted, lest a finer search spend what was saved
            both = {
                name: _changed(values.get(name), self.facts[name]) for name in (*left, *values) if name in self.facts
            }
            known = self.known[spot] = {**known, **dict.fromkeys(unaffected, False), **both}
        return {name for name in facts if known[name]}

    def unaffected(self, thing: Thing, body: Unit | Terrain, facts: Iterable[str], about: float = 0.0) -> list[str]:
        """Return the facts that are known to stay the same without asking (``KnownUnaffected``).

        This holds wherever the thing stands, as long as each of its points is at most ``about`` from where it is in
        ``body``.
        """
        if self._unaffected is None or thing in self.relevant.things[: self.relevant.asked]:
            return []
        return [name for name in facts if self._unaffected.is_unaffected(name, thing, body, about)]

    @cached_property
    def _unaffected(self) -> KnownUnaffected | None:
        home = self.relevant.home
        return None if home is None else KnownUnaffected(home, self.relevant.battle.table.terrain, self._idle)

    def _idle(self, fact: str, thing: Thing) -> bool:
        """Return whether a fact, or the finer one it follows from, is the same without a thing."""
        if (fact, thing) not in self.idle:
            facts, before = [name for name in self.loose if (name, thing) not in self.idle], self.asked_times
            changed = self.differ(without(self.relevant.battle, thing), facts)
            self.idle |= {(name, thing): name not in changed for name in facts}
            self.asked_times = before
        return self.idle[fact, thing]

    def differ(self, there: Battle, facts: Sequence[str]) -> set[str]:
        """Return which facts have another value or none: where a fact is missing, nothing is proved.

        For facts that may change and change back, the finer ones are compared (``Influence.by``).
        """
        asked = {name: self.relevant.by(name) for name in facts}
        new = [by for by in asked.values() if by not in self.finer and by not in self.facts]
        if new:
            now = self._facts(self.relevant.battle, new)
            self.finer |= {by: now.get(by) for by in new}
        known = {**self.finer, **self.facts}
        left = [by for by in asked.values() if known[by] is not None]
        values = self._facts(there, left) if left else {}
        return {name for name, by in asked.items() if values.get(by) is None or values.get(by) != known[by]}

    def _from_home(self, placement: Placement) -> Shifted | None:
        """Return the cache for all shifts of a unit asked about, if this placement is one."""
        thing = placement.thing
        if (
            placement.turn
            or not isinstance(thing.body, Unit)
            or thing not in self.relevant.things[: self.relevant.asked]
        ):
            return None
        return self.homes.setdefault(thing.id, Shifted(thing.body))

    def _facts(
        self, there: Battle, facts: Sequence[str], key: str = "", shifted: Shifted | None = None
    ) -> Mapping[str, Any]:
        """Return some facts of a battle, and others that come with them; none where the question cannot be asked.

        Raises TimeIsUp, like everything that asks.
        """
        look()
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
            answer_facts = self.asked.facts(there, brief, facts)
            values, line = answer_facts.values, answer_facts.witness
        elif list(facts) == [HOLDS]:
            answer = self.asked.answer(there, brief)
            values, line = {HOLDS: answer.holds}, answer.witness
        else:
            return facts_of(self.asked, self.asked.answer(there, self.request))
        if values.get(HOLDS) and line is not None and len(line) in (2, 3):
            self.hints[key] = (line, *self.hints.get(key, ()))[:HINTS]
        return values

    def confirmed(self, placement: Placement, fact: str) -> bool:
        """Return whether a fact changes, asking the question in full, of the whole table, with one thing elsewhere.

        Whether the answer holds is decided without the proof where that is certain (``Question.surely``).
        """
        look()
        moved = placed(self.battle, (placement.body(),))
        try:
            holds = self.asked.surely(moved, self.request) if fact == HOLDS else None
            if holds is not None:
                return _changed(holds, self.facts[HOLDS])
            with roughly_explained():
                answer = self.asked.answer(moved, self.request)
        except BadQuestion:
            return False
        return _changed(facts_of(self.asked, answer).get(fact), self.facts[fact])


def _changed(now: Any, before: Any) -> bool:
    """Return whether a fact has another value; a missing fact has none."""
    return now is not None and now != before


def proof(verdict: Verdict) -> tuple[tuple[Point, ...], ...]:
    """Return the sight line, or the path with at most one bend, that proves a verdict, if that is what proves it."""
    line = verdict.witness
    return (tuple(line),) if line is not None and len(line) in (2, 3) else ()
