"""Traces that the actions of a battle have left on the ground so far: smoke and the fallen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import TypeGuard

from tabletop.battle.apply import apply
from tabletop.battle.battle import Battle
from tabletop.battle.event import Event, Lost, Removed, Told
from tabletop.battle.unit import Unit
from tabletop.geometry.base import AnyBase
from tabletop.play.engine import Step, play_of
from tabletop.render.drawing.traces import Loss, Smoke, Trace
from tabletop.render.events.beats import Seen
from tabletop.render.events.reel import Moment, Reel
from tabletop.rules.play import Play
from tabletop.rules.rule_set import looks_of


class Traces:
    """The traces of a battle's actions, computed once for each action."""

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._of: list[tuple[Trace, ...]] = []
        self._all: tuple[Trace, ...] = ()

    def of(self, steps: Sequence[Step], until: Battle | None = None) -> tuple[Trace, ...]:
        """Return the traces of a battle's actions, in order, up to the battle ``until`` if given.

        The first step is the beginning of the battle.
        """
        if until is not None:
            last = next((k for k in range(len(steps) - 1, -1, -1) if steps[k].battle is until), len(steps) - 1)
            steps = steps[: last + 1]
        same = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(self._steps, steps, strict=False)))
        if same == len(steps) == len(self._steps):
            return self._all
        del self._steps[same:], self._of[same:]
        for k in range(same, len(steps)):
            self._steps.append(steps[k])
            self._of.append(tuple(left_by(steps[k - 1].battle, steps[k].events)) if k else ())
        self._all = tuple(trace for group in self._of for trace in group)
        return self._all

    def seen_in(self, reel: Reel, moment: Moment, seen: Seen) -> tuple[Trace, ...]:
        """Return the traces to draw at an instant of a moment; those of its own action appear only once it is done."""
        done = seen.battle is moment.act.after
        return self.of(reel.steps_until(moment.n if done else moment.n - 1))


def left_by(before: Battle, events: Iterable[Event]) -> Iterator[Trace]:
    """Yield the traces that the events of one action leave, from the battle before it."""
    events, play = tuple(events), play_of(before)
    last = max((k for k, event in enumerate(events) if _leaves(event, play)), default=-1)
    battle = before
    for event in events[: last + 1]:
        after = apply(battle, event)
        if _leaves(event, play) and battle.has(str(event.unit)):
            yield from _left(battle, event, after)
        battle = after


def _leaves(event: Event, play: Play) -> TypeGuard[Lost | Removed | Told]:
    if isinstance(event, Removed):
        return event.how in play.slain
    return isinstance(event, Lost) or (isinstance(event, Told) and event.what in play.shots and event.unit is not None)


def _left(battle: Battle, event: Lost | Removed | Told, after: Battle) -> Iterator[Trace]:
    unit = battle.unit(str(event.unit))
    if isinstance(event, Told):
        if unit.fronts:
            yield Smoke(unit.fronts, battle.clock.turn)
        return
    stays = after.unit(unit.id).bases if isinstance(event, Lost) else ()
    yield Loss(unit.id, unit.side, looks_of(unit).figure(unit.troop), _gone(unit, stays))


def _gone(unit: Unit, stays: tuple[AnyBase, ...]) -> tuple[AnyBase, ...]:
    """Return the bases a unit has lost: those farthest from where the others stand now."""
    places = [base.centre for base in stays]
    away = {base: min((math.dist(base.centre, at) for at in places), default=0.0) for base in unit.bases}
    return tuple(sorted(unit.bases, key=lambda base: -away[base])[: len(unit.bases) - len(stays)])
