"""The only place where a battle changes: one event applied to the battle before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from tabletop.battle import event as e
from tabletop.battle.battle import Battle
from tabletop.battle.progress import Fallen, Outcome
from tabletop.battle.unit import Unit, standing
from tabletop.geometry.base import Base


def apply(battle: Battle, event: e.Event) -> Battle:
    """Return the battle after ``event``; KeyError for an event of no known type."""
    return _FOLDS[type(event)](battle, event)


def fold(battle: Battle, events: Iterable[e.Event]) -> Battle:
    """Return the battle after all events, in order."""
    for event in events:
        battle = apply(battle, event)
    return battle


def _thrown(battle: Battle, event: e.Thrown) -> Battle:
    return replace(battle, throws=battle.throws + 1)


def _placed(battle: Battle, event: e.Placed) -> Battle:
    return battle.with_unit(standing(battle.unit(event.unit), event.pose))


def _changed(battle: Battle, event: e.Changed) -> Battle:
    """Return the battle with a unit changed, on the table or still to come: the latter may give up its action, for
    example."""
    unit = battle.anyone(event.unit)
    changed = replace(
        unit,
        status=unit.status if event.status is None else event.status,
        side=unit.side if event.side is None else event.side,
        marks=_noted(unit.marks, event.marks),
    )
    if battle.has(unit.id):
        return battle.with_unit(changed)
    return replace(battle, awaited=tuple(changed if u.id == unit.id else u for u in battle.awaited))


def _noted(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in {**old, **new}.items() if value is not None}


def _lost(battle: Battle, event: e.Lost) -> Battle:
    unit = battle.unit(event.unit)
    reduced: Unit = replace(unit, bases=unit.bases[: unit.strength - event.bases])
    return battle.with_unit(standing(reduced, event.pose))


def _removed(battle: Battle, event: e.Removed) -> Battle:
    unit = battle.unit(event.unit)
    return replace(
        battle,
        units=tuple(u for u in battle.units if u.id != unit.id),
        fallen=(*battle.fallen, Fallen(unit, event.how, battle.clock.turn)),
    )


def _entered(battle: Battle, event: e.Entered) -> Battle:
    unit = next(u for u in battle.awaited if u.id == event.unit)
    units = sorted((*battle.units, standing(unit, event.pose)), key=lambda u: u.id)
    return replace(battle, units=tuple(units), awaited=tuple(u for u in battle.awaited if u.id != unit.id))


def _added(battle: Battle, event: e.Added) -> Battle:
    base = Base(*map(float, event.base))
    unit = Unit(
        event.unit,
        event.side,
        event.troop,
        (base,),
        event.name,
        facing=base.facing,
        parent=event.parent,
        marks=event.marks,
        rules=battle.rules,
    )
    return replace(battle, units=tuple(sorted((*battle.units, unit), key=lambda u: u.id)))


def _clocked(battle: Battle, event: e.Clocked) -> Battle:
    return replace(battle, clock=event.clock)


def _remembered(battle: Battle, event: e.Remembered) -> Battle:
    return replace(battle, memory=_noted(battle.memory, {event.key: event.value}))


def _taken(battle: Battle, event: e.Taken) -> Battle:
    objectives = tuple(replace(o, holder=event.side) if o.id == event.objective else o for o in battle.setup.objectives)
    return replace(battle, setup=replace(battle.setup, objectives=objectives))


def _scored(battle: Battle, event: e.Scored) -> Battle:
    points = battle.scores.get(event.side, 0.0) + event.points
    return replace(battle, scores={**battle.scores, event.side: points})


def _asked(battle: Battle, event: e.Asked) -> Battle:
    return replace(battle, pending=(*battle.pending, event.decision))


def _settled(battle: Battle, event: e.Settled) -> Battle:
    return replace(battle, pending=battle.pending[1:])


def _told(battle: Battle, event: e.Told) -> Battle:
    return battle


def _ended(battle: Battle, event: e.Ended) -> Battle:
    return replace(battle, outcome=Outcome(event.winner, event.how))


_FOLDS: dict[type[Any], Callable[[Battle, Any], Battle]] = {
    e.Thrown: _thrown,
    e.Placed: _placed,
    e.Changed: _changed,
    e.Lost: _lost,
    e.Removed: _removed,
    e.Entered: _entered,
    e.Added: _added,
    e.Clocked: _clocked,
    e.Remembered: _remembered,
    e.Taken: _taken,
    e.Scored: _scored,
    e.Asked: _asked,
    e.Settled: _settled,
    e.Told: _told,
    e.Ended: _ended,
}
