"""What must be so after every action of any battle, whatever the rules."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from tabletop.battle.apply import fold
from tabletop.battle.battle import Battle
from tabletop.battle.codec import action_data, action_of, event_data, event_of, state_hash
from tabletop.battle.event import Added, Lost, Removed
from tabletop.play.engine import Step, judge, play_of
from tests.games.watch_of_the_ages import WatchOfTheAges

#: The rule sets of one family, whose battles are watched by rules of theirs too.
OF_THE_AGES = ("destiny", "reason", "gloire", "glaube", "realm-of-chance")


@dataclass
class Watch:
    """Watches one battle: ``faults(before, step)`` yields whatever is wrong after a step."""

    strengths: dict[str, int] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    own: WatchOfTheAges | None = None

    def begins(self, battle: Battle) -> None:
        """Note with how many bases everybody starts."""
        self.strengths = {u.id: u.strength for u in (*battle.units, *battle.awaited)}
        self.written = {key for u in (*battle.units, *battle.awaited) for key in u.marks}
        self.own = WatchOfTheAges() if battle.rules in OF_THE_AGES else None
        if self.own is not None:
            self.own.begins(battle)

    def opens(self, step: Step) -> Iterator[str]:
        """Yield what is wrong with the beginning: routed units may run, and be lost, before anybody acts."""
        yield from play_of(step.battle).faults(step.battle)
        yield from self._bases(step)
        yield from self.own.opens(step) if self.own is not None else ()

    def faults(self, before: Battle, step: Step) -> Iterator[str]:
        """Yield every fault of a step, the rule set's own first."""
        yield from play_of(step.battle).faults(step.battle)
        yield from self._bases(step)
        yield from _cost(step)
        yield from _codec(before, step)
        yield from _marks(step.battle, self.written)
        yield from self.own.faults(before, step) if self.own is not None else ()

    def _bases(self, step: Step) -> Iterator[str]:
        """Bases are conserved: what stands and what was said to be lost is what there was."""
        for event in step.events:
            if isinstance(event, Lost):
                self.lost[event.unit] = self.lost.get(event.unit, 0) + event.bases
            if isinstance(event, Removed):
                self.gone.add(event.unit)
            if isinstance(event, Added):
                self.strengths[event.unit] = 1
        there = {u.id: u.strength for u in (*step.battle.units, *step.battle.awaited)}
        for name, start in self.strengths.items():
            left = 0 if name in self.gone else start - self.lost.get(name, 0)
            if there.get(name, 0) != left:
                yield f"{name} has {there.get(name, 0)} bases, {left} by what was reported"
        yield from (f"{name} came from nowhere" for name in there if name not in self.strengths)


def untouched(battle: Battle, step: Step) -> Iterator[str]:
    """Judging an action changes nothing: the state's hash before and after is one."""
    if step.action is None:
        return
    before = state_hash(battle)
    again = judge(battle, step.action)
    if state_hash(battle) != before:
        yield "judging changed the battle"
    if step.verdict is not None and again.holds != step.verdict.holds:
        yield "the same action judged twice has two answers"


def _cost(step: Step) -> Iterator[str]:
    """No move costs more than it was allowed."""
    if step.verdict is None:
        return
    cost, allowed = step.verdict.measured.get("cost"), step.verdict.measured.get("allowed")
    if cost is not None and allowed is not None and cost > allowed + step.battle.tape.t:
        yield f"a move costs {cost}, {allowed} allowed"


def _codec(before: Battle, step: Step) -> Iterator[str]:
    """Everything survives being written and read; the events read, folded, give the same battle."""
    if step.action is not None and action_of(json.loads(json.dumps(action_data(step.action)))) != step.action:
        yield f"{step.action} does not survive being written"
    read = [event_of(json.loads(json.dumps(event_data(event)))) for event in step.events]
    yield from (f"{e} reads as {r}" for e, r in zip(step.events, read, strict=True) if e != r)
    if state_hash(fold(before, read)) != state_hash(step.battle):
        yield "the events as written do not lead to the same battle"


def _marks(battle: Battle, written: set[str]) -> Iterator[str]:
    """A rule set declares every mark it sets; those written in the files are not its own."""
    declared = set(play_of(battle).marks) | written
    for unit in battle.units:
        yield from (f"{unit.id} has an undeclared mark '{key}'" for key in unit.marks if key not in declared)
