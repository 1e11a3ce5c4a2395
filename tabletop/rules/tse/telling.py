"""How the events of There Stand Empires read in a report: as one player would tell another of the battle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.event import Entered, Event, Placed, Removed, Settled, Told
from tabletop.battle.unit import standing
from tabletop.rules.tse.tables import tables

#: What an order was for, as the end of a sentence.
_WANTED = {
    "deploy": "to deploy",
    "maneuver": "to maneuver",
    "march": "to march",
    "square": "to form square",
    "assault": "to assault",
    "breakthrough": "to break through",
}
#: How an involuntary or special move reads; {} is the unit.
_MOVES = {
    "falls back": "{} fell back",
    "pushed back to its start": "{} went back to where it started",
    "pushed back": "{} gave way",
    "accompanies": "{} went with them",
    "escapes": "{} got away",
    "kept in contact": "{} kept alongside",
    "assault": "{} went in",
    "countercharge": "{} met them",
    "breakthrough": "{} broke through",
}
_GONE = {
    "destroyed": "ceased to exist",
    "broken": "broke and dissolved",
    "surrendered": "surrendered",
    "driven off": "left the field",
    "captured": "fell into enemy hands",
    "killed": "fell",
}


def minutes() -> float:
    """Return how long a turn lasts on a scenario's clock: an hour (TSE-SCL-03)."""
    return float(tables()["turn"]["minutes"])


def narrate(battle: Battle, event: Event) -> str | None:
    """Return how an event reads, "" for one not worth a word, None to leave it to the usual words."""
    teller = _TELLERS.get(type(event))
    return None if teller is None else teller(battle, event)


def _name(battle: Battle, id: str | None) -> str:  # noqa: A002 - the files' own word
    gone = (*battle.units, *battle.awaited, *(fallen.unit for fallen in battle.fallen))
    return next((unit.called for unit in gone if unit.id == id), str(id))


def _side(side: str) -> str:
    return side[:1].upper() + side[1:]


def _told(battle: Battle, event: Told) -> str | None:
    teller = _RESULTS.get(event.what)
    return None if teller is None else teller(battle, event, event.values)


def _initiative(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    return f"{_side(str(values['side']))} took the initiative."


def _orders(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    """Orders that arrive go without saying (TSE-ORD-01)."""
    wanted = _WANTED.get(str(values["action"]), f"to {values['action']}")
    said = {"lost": f"never got orders {wanted}", "delayed": f"got orders {wanted} late"}
    result = str(values["result"])
    return f"{_name(battle, event.unit)} {said[result]}." if result in said else ""


def _fire(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    at = _name(battle, event.target)
    word = _words(values)
    result = str(values["result"])
    came = "without effect" if result == "no effect" else result
    return f"{_name(battle, event.unit)} fired at {at}{word}: {came}."


def _assault(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    target = _name(battle, event.target)
    square = f"; {target} formed square in time" if values.get("square") else ""
    way = "broke through on to" if values.get("breakthrough") else "assaulted"
    return f"{_name(battle, event.unit)} {way} {target}{_words(values)}{square}: {values['result']}."


def _words(values: Mapping[str, Any]) -> str:
    """Return the words for the performance, as the calculator gives them (TSE-APP-09)."""
    words = values.get("words") or {}
    told = ", ".join(f"{stage} {word}" for stage, word in words.items() if word)
    return f" ({told})" if told else ""


def _regroup(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    name = _name(battle, event.unit)
    said = {"fails": "tried in vain to regroup", "one step": "regrouped in part"}
    return f"{name} {said.get(str(values['result']), 'regrouped')}."


def _morale(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    broke = str(values["result"]) == "breaks"
    return f"The {values['side']} army had half its units lost or demoralized; it {'broke' if broke else 'held'}."


def _overrun(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    fate = str(values["result"])
    name, by = _name(battle, event.unit), _name(battle, event.target)
    return f"{name} met {by} at close quarters: {fate}."


def _surrender(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    return f"{_name(battle, event.unit)} had nowhere to fall back to: {values['why']}."


def _silent(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    return ""


def _placed(battle: Battle, event: Placed) -> str | None:
    if event.how not in _MOVES:
        return None
    unit = battle.unit(event.unit)
    there = standing(unit, event.pose)
    far = ((there.at[0] - unit.at[0]) ** 2 + (there.at[1] - unit.at[1]) ** 2) ** 0.5
    return f"{_MOVES[event.how].format(unit.called)}, {far:.1f} in."


def _removed(battle: Battle, event: Removed) -> str:
    return f"{_name(battle, event.unit)} {_GONE.get(event.how, f'left the field ({event.how})')}."


def _entered(battle: Battle, event: Entered) -> str:
    return f"{_name(battle, event.unit)} came on to the table on the march."


def _settled(battle: Battle, event: Settled) -> str | None:
    decision = battle.pending[0]
    if decision.kind != "go-first":
        return None
    other = battle.setup.other(decision.side)
    return f"{_side(decision.side)} went first." if event.choice == "first" else f"{_side(other)} was made to go first."


_Result = Callable[[Battle, Told, Mapping[str, Any]], str]
_RESULTS: dict[str, _Result] = {
    "turn": _silent,
    "initiative": _initiative,
    "orders": _orders,
    "deployed-fire": _fire,
    "advancing-fire": _fire,
    "fire": _fire,
    "assault": _assault,
    "regroup": _regroup,
    "morale": _morale,
    "overrun": _overrun,
    "surrender": _surrender,
}
_TELLERS: dict[type[Any], Callable[[Battle, Any], str | None]] = {
    Told: _told,
    Placed: _placed,
    Removed: _removed,
    Entered: _entered,
    Settled: _settled,
}
