"""Margins by brute force: everything shifted in many directions, in small steps. It knows nothing of the search."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.geometry.verdict import Elsewhere, Margin, Verdict
from tabletop.judge import ask
from tabletop.judge.margin import SEARCH, facts_of
from tabletop.judge.things import Placement, Thing, placed, things_of
from tabletop.rules import rule_set

#: What the search may find later than brute force.
RIGHT_TO = 0.02


@dataclass(frozen=True)
class Asked:
    """A question put to a battle."""

    battle: Battle
    question: str
    args: tuple[str, ...]
    options: Mapping[str, Any]

    def facts(self, battle: Battle | None = None) -> dict[str, Any]:
        """Return the facts of the bare answer; none where the question cannot be put."""
        asked = rule_set.find(self.battle.rules).question(self.question)
        try:
            return facts_of(asked, ask(battle or self.battle, self.question, self.args, self.options))
        except BadQuestion:
            return {}

    def changed(self, placement: Placement, facts: Mapping[str, Any]) -> set[str]:
        """Return which facts change when one thing stands elsewhere."""
        now = self.facts(placed(self.battle, (placement.body(),)))
        return {name for name, value in facts.items() if now.get(name) is not None and now[name] != value}


def thing(battle: Battle, name: str) -> Thing:
    return next(thing for thing in things_of(battle) if thing.id == name)


def elsewhere(battle: Battle, by: Elsewhere) -> Placement:
    """Return the placement that a verdict names."""
    return Placement(thing(battle, by.id), by.shift or (0.0, 0.0), by.turn or 0.0)


def margins(verdict: Verdict) -> dict[str, Margin]:
    """Return the margin of every fact of a verdict."""
    assert verdict.closeness is not None
    return {"holds": verdict.closeness, **verdict.attributes}


def liars(asked: Asked, verdict: Verdict) -> list[tuple[str, Elsewhere]]:
    """Return the placements a verdict names that do not change the fact they are named for."""
    facts = asked.facts()
    named = ((fact, by) for fact, margin in margins(verdict).items() for by in (margin.shifted, margin.turned))
    return [
        (fact, by)
        for fact, by in named
        if by is not None and fact not in asked.changed(elsewhere(asked.battle, by), facts)
    ]


def places(limit: float, step: float, directions: int) -> Iterator[tuple[float, float]]:
    """Yield (distance, radians) of rings up to a limit."""
    for k in range(1, math.floor(limit / step + 1e-9) + 1):
        for way in range(directions):
            yield k * step, 2.0 * math.pi * way / directions


def smaller(
    asked: Asked,
    verdict: Verdict,
    things: Sequence[Thing],
    step: float = 0.05,
    directions: int = 64,
    drawn: int | None = None,
    seed: int = 0,
) -> list[tuple[str, str, float, float | None]]:
    """Return (fact, thing, distance, margin told) of shifts that change a fact within its margin less ``RIGHT_TO``.

    ``drawn``: so many placements at random instead of all of them. Every shift up to what the search says it looked at
    counts, a margin or none.
    """
    told, facts = margins(verdict), asked.facts()
    scale = asked.battle.scale
    searched = verdict.searched.shift if verdict.searched else SEARCH[asked.battle.table.unit] * scale
    limits = {name: searched if m.shift is None else m.shift - RIGHT_TO * scale for name, m in told.items()}
    widest = max(limits.values())
    every = [(one, d, a) for one in things for d, a in places(widest, step * scale, directions)]
    if drawn is not None and len(every) > drawn:
        every = random.Random(seed).sample(every, drawn)
    found: list[tuple[str, str, float, float | None]] = []
    for one, distance, angle in every:
        inside = {name: facts[name] for name, limit in limits.items() if distance < limit - 1e-9}
        shift = (distance * math.sin(angle), distance * math.cos(angle))
        changed = asked.changed(Placement(one, shift), inside) if inside else set()
        found += [(name, one.id, distance, told[name].shift) for name in sorted(changed)]
    return found
