"""The only place where a battle changes: one event applied to the battle before it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from tabletop.battle import event as e
from tabletop.battle.battle import Battle
from tabletop.battle.clock import Until
from tabletop.battle.progress import Arrival, Clock, Fallen, Outcome
from tabletop.battle.unit import Unit, converted, standing
from tabletop.geometry.base import Base


def apply(battle: Battle, event: e.Event) -> Battle:
    """Return the battle after ``event``; KeyError for an event of no known type."""
    return _FOLDS[type(event)](battle, event)


def fold(battle: Battle, events: Iterable[e.Event]) -> Battle:
    """Return the battle after all events, in order."""
    for event in events:
        battle = apply(battle, event)
    return battle


def placed_by(unit: Unit, event: e.Placed | e.Converted | e.Left | e.Entered) -> Unit:
    """Return a unit as an event that gives it a new pose leaves it."""
    if isinstance(event, e.Converted):
        return converted(unit, event.pose, event.troop, event.size)
    return standing(unit, event.pose)


def expiring(battle: Battle, clock: Clock) -> Iterator[tuple[Unit, tuple[str, ...]]]:
    """Yield the units, on the table and still to come, with marks that end as the clock changes, and those marks."""
    for unit in (*battle.units, *battle.awaited):
        if unit.until:
            over = tuple(mark for mark, until in unit.until.items() if until.reached(battle.clock, clock))
            if over:
                yield unit, over


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
        until=_ends(unit, event) if unit.until or event.until else unit.until,
    )
    return _with_anyone(battle, changed)


def _with_anyone(battle: Battle, unit: Unit) -> Battle:
    """Return a battle with the unit of the same id replaced, on the table or still to come."""
    if battle.has(unit.id):
        return battle.with_unit(unit)
    return replace(battle, awaited=tuple(unit if u.id == unit.id else u for u in battle.awaited))


def _ends(unit: Unit, event: e.Changed) -> dict[str, Until]:
    """Return the ends of a unit's marks: a mark set again has the end it is set with, or none."""
    kept = {mark: until for mark, until in unit.until.items() if mark not in event.marks}
    return kept | {mark: until for mark, until in event.until.items() if event.marks.get(mark) is not None}


def _noted(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in {**old, **new}.items() if value is not None}


def _lost(battle: Battle, event: e.Lost) -> Battle:
    unit = battle.unit(event.unit)
    reduced: Unit = replace(unit, bases=unit.bases[: unit.strength - event.bases])
    return battle.with_unit(standing(reduced, event.pose))


def _converted(battle: Battle, event: e.Converted) -> Battle:
    return _with_anyone(battle, placed_by(battle.anyone(event.unit), event))


def _removed(battle: Battle, event: e.Removed) -> Battle:
    unit = battle.anyone(event.unit)
    return replace(
        battle,
        units=tuple(u for u in battle.units if u.id != unit.id),
        awaited=tuple(u for u in battle.awaited if u.id != unit.id),
        fallen=(*battle.fallen, Fallen(unit, event.how, battle.clock.turn)),
    )


def _left(battle: Battle, event: e.Left) -> Battle:
    unit = placed_by(battle.unit(event.unit), event)
    back = Arrival((unit.id,), event.turn, event.at, event.facing, event.along)
    return replace(
        battle,
        units=tuple(u for u in battle.units if u.id != unit.id),
        awaited=(*battle.awaited, unit),
        returning={**battle.returning, unit.id: back},
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
    """Return the battle at another time, without the marks that end as the clock reaches it."""
    left = replace(battle, clock=event.clock)
    for unit, over in expiring(battle, event.clock):
        left = _with_anyone(left, _without(unit, over))
    return left


def _without(unit: Unit, over: Collection[str]) -> Unit:
    """Return a unit without some of its marks."""
    marks, until = ({key: value for key, value in held.items() if key not in over} for held in (unit.marks, unit.until))
    return replace(unit, marks=marks, until=until)


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
    e.Converted: _converted,
    e.Removed: _removed,
    e.Left: _left,
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
