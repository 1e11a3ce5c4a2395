"""Events in plain sentences, with units and places called by their names.

The sentences are the same for all rule sets, unless a rule set has better ones (``Play.narrate``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from tabletop.battle import event as e
from tabletop.battle.apply import apply, expiring, placed_by
from tabletop.battle.battle import Battle
from tabletop.battle.event import Event
from tabletop.battle.naming import agreeing, amid, capital, ending, how_many, plain, side_name
from tabletop.battle.unit import ORDERLY, Unit
from tabletop.play.engine import asked, play_of


def sentences(battle: Battle, events: Iterable[Event]) -> Iterator[str]:
    """Yield the events as sentences, in order, given the ``battle`` before them; some events have no sentence."""
    narrate = play_of(battle).narrate
    for event in events:
        sentence = narrate(battle, event)
        if sentence is None:
            sentence = _USUAL[type(event)](battle, event)
        if sentence:
            yield agreeing(sentence, (unit.called for unit in battle.units))
        battle = apply(battle, event)


def length(battle: Battle, value: float) -> str:
    return f"{value:.1f} {battle.table.unit}"


# --- the default sentences -------------------------------------------------------------------------------------------


def _silent(battle: Battle, event: Event) -> str:
    return ""


def _placed(battle: Battle, event: e.Placed) -> str:
    unit = battle.unit(event.unit)
    after = placed_by(unit, event)
    way = math.fsum(math.dist(a, b) for a, b in pairwise(event.path)) or math.dist(unit.at, after.at)
    parts = [f"went {length(battle, way)}" if way >= 0.05 else "turned or formed up in place"]
    if after.formation != unit.formation:
        parts.append(f"now {_words(after.formation)}")
    how = f" ({_words(event.how)})" if event.how and event.how != after.formation else ""
    return f"{unit.called} {', '.join(parts)}{how}."


def _changed(battle: Battle, event: e.Changed) -> str:
    unit = battle.anyone(event.unit)
    name = unit.called
    if event.side is not None and event.side != unit.side:
        return f"{name} went over to {side_name(event.side)}."
    if event.status is None or event.status == unit.status:
        return ""
    return f"{name} came back into good order." if event.status == ORDERLY else f"{name} became {_words(event.status)}."


def _lost(battle: Battle, event: e.Lost) -> str:
    unit = battle.unit(event.unit)
    bases_left = unit.strength - event.bases
    return f"{unit.called} lost {event.bases} base{'s' if event.bases > 1 else ''}, {bases_left} left."


def _converted(battle: Battle, event: e.Converted) -> str:
    unit = battle.anyone(event.unit)
    parts = list(_differences(battle, unit, event)) or ["formed anew"]
    how = f" ({_words(event.how)})" if event.how else ""
    return f"{unit.called} changed: {', '.join(parts)}{how}."


def _differences(battle: Battle, unit: Unit, event: e.Converted) -> Iterator[str]:
    """Yield how a unit differs from what it was: troops, number and size of bases, formation."""
    after = placed_by(unit, event)
    if after.troop != unit.troop:
        yield f"now {_words(after.troop)}"
    if more := after.strength - unit.strength:
        yield f"{how_many(abs(more), 'base')} {'more' if more > 0 else 'fewer'}, {after.strength} in all"
    if event.size is not None and after.troop == unit.troop:
        yield f"its bases now {event.size[0]:g} by {event.size[1]:g} {battle.table.unit}"
    if after.formation != unit.formation:
        yield f"now in {_words(after.formation)}"


def _left(battle: Battle, event: e.Left) -> str:
    how = f" ({_words(event.how)})" if event.how else ""
    return f"{battle.called(event.unit)} left the table{how} and may come back from turn {event.turn} on."


def _clocked(battle: Battle, event: e.Clocked) -> str:
    """Return sentences on marks that end by themselves, where the rule set has words for that."""
    words = play_of(battle).ended
    over = ((unit, mark) for unit, marks in expiring(battle, event.clock) for mark in marks if mark in words)
    return " ".join(f"{words[mark].format(unit.called)}." for unit, mark in over)


def _removed(battle: Battle, event: e.Removed) -> str:
    where = "left the table" if battle.has(event.unit) else "does not come back"
    return f"{battle.called(event.unit)} {where}: {_words(event.how)}."


def _entered(battle: Battle, event: e.Entered) -> str:
    return f"{battle.called(event.unit)} came on to the table."


def _added(battle: Battle, event: e.Added) -> str:
    return f"{event.name or event.unit} was put on the table."


def thrown_for(battle: Battle, thrown: e.Thrown) -> tuple[str, str]:
    """Return the purpose of a die in words, and the id of the unit it was thrown for, "" for none.

    A purpose ends with the unit's id: "orders: maneuver, auer", "regroup: auer".
    """
    match = re.fullmatch(r"(.*?)(?:, |: )([^ ]+)", thrown.purpose)
    if match is None or battle.someone(match.group(2)) is None:
        return _words(thrown.purpose), ""
    return _words(match.group(1)), match.group(2)


def _taken(battle: Battle, event: e.Taken) -> str:
    if event.side is None:
        return ""
    place = next((o.name or o.id for o in battle.setup.objectives if o.id == event.objective), event.objective)
    return f"{side_name(event.side)} took {amid(place)}."


def _scored(battle: Battle, event: e.Scored) -> str:
    return f"{side_name(event.side)} scored {how_many(event.points, 'point')}: {_why(battle, event.why)}."


def _why(battle: Battle, why: str) -> str:
    """Return what points were scored for: a held objective, recorded by its id, or else the recorded text."""
    objective = next((o.name or o.id for o in battle.setup.objectives if o.id == why), None)
    return why if objective is None else f"holds {amid(objective)}"


def _settled(battle: Battle, event: e.Settled) -> str:
    """Return the question together with its answer, since to a reader they are one event."""
    decision = battle.pending[0]
    reply = play_of(battle).replies(battle, decision).get(event.choice)
    answer = _words(event.choice) if reply is None else reply.label[:1].lower() + reply.label[1:]
    return f"{side_name(decision.side)} was asked: {asked(battle)} – {answer}."


def _recorded(battle: Battle, event: e.Told) -> str:
    who = battle.called(event.unit) if event.unit is not None else ""
    at = f" against {battle.called(event.target)}" if event.target is not None else ""
    figures = ", ".join(_figures(event.values))
    head = f"{who}: {_words(event.what)}{at}" if who else capital(_words(event.what)) + at
    return f"{head} ({figures})." if figures else f"{head}."


def _figures(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the values that fit in a word or two: true ones by name, false ones not at all."""
    for key, value in values.items():
        if value is True:
            yield _words(key)
        elif value not in (False, "") and isinstance(value, (str, int, float)):
            yield f"{_words(key)} {_words(value)}"


def _words(value: object) -> str:
    """Return a word from a file as prose: "maneuver-column" becomes "maneuver column"."""
    if isinstance(value, float):
        return f"{value:.3g}"
    return plain(str(value))


def _ended(battle: Battle, event: e.Ended) -> str:
    return outcome(event.winner, event.how, battle.setup.sides)


def outcome(winner: str | None, how: str, sides: Iterable[str] = ()) -> str:
    """Return a sentence saying how a battle ended, with the sides by name.

    >>> outcome("french", "army-broken austrian", ("french", "austrian"))
    'French won: the Austrian side broke.'
    """
    how = ending(how)
    for side in sides:
        how = re.sub(rf"(?<!\w){re.escape(side)}(?!\w)", f"the {side_name(side)} side", how)
    return f"{'The battle was drawn' if winner is None else f'{side_name(winner)} won'}: {how}."


_USUAL: dict[type[Any], Callable[[Battle, Any], str]] = {
    e.Thrown: _silent,
    e.Placed: _placed,
    e.Changed: _changed,
    e.Lost: _lost,
    e.Converted: _converted,
    e.Removed: _removed,
    e.Left: _left,
    e.Entered: _entered,
    e.Added: _added,
    e.Clocked: _clocked,
    e.Remembered: _silent,
    e.Taken: _taken,
    e.Scored: _scored,
    e.Asked: _silent,
    e.Settled: _settled,
    e.Told: _recorded,
    e.Ended: _ended,
}
