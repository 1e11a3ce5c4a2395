"""The log line by line, each with the unit it is about; and the paths of the last action, for the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tabletop.battle.apply import apply
from tabletop.battle.battle import Battle
from tabletop.battle.event import Clocked, Ended, Scored, Taken
from tabletop.geometry.measure import Point
from tabletop.play.engine import Step, play_of
from tabletop.play.narration import sentences
from tabletop.render.events.beats import Posed

#: Events that no action causes: the clock moves on, ground is held, the battle ends. The action's rules are not theirs.
BY_ITSELF = (Clocked, Ended, Scored, Taken)


@dataclass(frozen=True)
class Line:
    """One sentence of the log: the number of its step, the turn, the unit it is about and where that unit was then.

    ``other`` is the other unit involved; ``rules`` are the ids behind it; ``side`` is the side whose action caused it,
    or whose turn that action began; None if no action did.
    """

    n: int
    turn: int
    text: str
    unit: str | None = None
    at: Point | None = None
    opens: bool = False
    other: str | None = None
    rules: tuple[str, ...] = ()
    side: str | None = None

    def about(self, unit: str) -> bool:
        """Return whether it is about a unit."""
        return unit in (self.unit, self.other)


@dataclass(frozen=True)
class Trace:
    """The path a unit took in the last action."""

    unit: str
    way: tuple[Point, ...]


def lines(n: int, before: Battle, step: Step) -> Iterator[Line]:
    """Yield the lines of step number ``n``; ``before`` is the battle before it. The first line of a turn ``opens`` it.

    A line's place is the unit's after the event; for a unit that leaves, its last one.
    """
    turn = before.clock.turn if n else -1
    battle, rules = before, _rules(before, step)
    acting = None if step.action is None else step.action.side
    for event in step.events:
        rules = tuple(getattr(event, "rules", ())) or (() if isinstance(event, BY_ITSELF) else rules)
        texts = list(sentences(battle, [event]))
        unit = getattr(event, "unit", None)
        last = battle.unit(unit).at if unit is not None and battle.has(unit) else None
        battle = apply(battle, event)
        if acting is not None and battle.clock.side not in (None, before.clock.side):
            acting = battle.clock.side
        at = battle.unit(unit).at if unit is not None and battle.has(unit) else last
        for text in texts:
            target = getattr(event, "target", None)
            side = None if isinstance(event, BY_ITSELF) else acting
            yield Line(n, battle.clock.turn, text, unit, at, battle.clock.turn != turn, target, rules, side)
            turn = battle.clock.turn


def _rules(before: Battle, step: Step) -> tuple[str, ...]:
    """Return the rules behind a kind of action; its events may cite others."""
    kind = play_of(before).kinds.get(step.action.kind) if step.action is not None else None
    return tuple(kind.rules) if kind is not None else ()


def log(steps: Sequence[Step], opening: Battle, start: int = 0) -> list[Line]:
    """Return the lines of every step from number ``start``; ``opening`` is the battle before the first."""
    entries: list[Line] = []
    for n in range(start, len(steps)):
        entries += lines(n, steps[n - 1].battle if n else opening, steps[n])
    return entries


def traces(step: Step) -> tuple[Trace, ...]:
    """Return the paths taken in a step."""
    gone = (event for event in step.events if isinstance(event, Posed))
    return tuple(Trace(event.unit, tuple(event.path)) for event in gone if len(event.path) > 1)
