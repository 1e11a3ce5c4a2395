"""The report of a battle of There Stand Empires: each event as a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.event import Entered, Settled, Told
from tabletop.battle.naming import side_name
from tabletop.rules.common.narration import Narration, Record, silent
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
#: The sentence for an involuntary or special move; {} stands for the unit.
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
#: Why a unit has nowhere to fall back to, by rule.
_NO_WAY = {
    "TSE-INV-08": "no way within its arc is legal",
    "TSE-INV-10": "it is driven over the table's edge",
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
    """Return how long a turn lasts on a scenario's clock: an hour (TSE-SCL-03).

    >>> minutes()
    60.0
    """
    return float(tables()["turn"]["minutes"])


def _initiative(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    return f"{side_name(str(values['side']))} took the initiative."


def _orders(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    """Return the sentence for lost or delayed orders; empty for received ones (TSE-ORD-01)."""
    wanted = _WANTED.get(str(values["action"]), f"to {values['action']}")
    wordings = {"lost": f"never got orders {wanted}", "delayed": f"got orders {wanted} late"}
    result = str(values["result"])
    return f"{battle.called(event.unit)} {wordings[result]}." if result in wordings else ""


def _fire(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    at = battle.called(event.target)
    word = _words(values)
    result = str(values["result"])
    came = "without effect" if result == "no effect" else result
    return f"{battle.called(event.unit)} fired at {at}{word}: {came}."


def _assault(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    target = battle.called(event.target)
    square = f"; {target} formed square in time" if values.get("square") else ""
    way = "broke through on to" if values.get("breakthrough") else "assaulted"
    return f"{battle.called(event.unit)} {way} {target}{_words(values)}{square}: {values['result']}."


def _words(values: Mapping[str, Any]) -> str:
    """Return the calculator's words for the performance, in brackets (TSE-APP-09)."""
    words = values.get("words") or {}
    performance = ", ".join(f"{stage} {word}" for stage, word in words.items() if word)
    return f" ({performance})" if performance else ""


def _regroup(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    name = battle.called(event.unit)
    wordings = {"fails": "tried in vain to regroup", "one step": "regrouped in part"}
    return f"{name} {wordings.get(str(values['result']), 'regrouped')}."


def _morale(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    broke = str(values["result"]) == "breaks"
    return f"The {values['side']} army had half its units lost or demoralized; it {'broke' if broke else 'held'}."


def _overrun(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    fate = str(values["result"])
    name, by = battle.called(event.unit), battle.called(event.target)
    return f"{name} met {by} at close quarters: {fate}."


def _surrender(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    """Return the sentence for a surrender; old saves give the reason in words, new ones the rule (TSE-INV-01..10)."""
    why = values.get("why") or _NO_WAY.get(event.rules[0] if event.rules else "")
    return f"{battle.called(event.unit)} had nowhere to fall back to{f': {why}' if why else ''}."


def _beyond(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    """Return the sentence for a unit that falls back farther than its result, to end clear of friends (TSE-INV-09)."""
    names = " and ".join(battle.called(friend) for friend in values.get("friends", ()))
    far, spent = float(values["distance"]), float(values["spent"])
    past, instead = f" past {names}" if names else "", f"{spent:.1f} {battle.table.unit} instead of {far:g}"
    return f"{battle.called(event.unit)} had to go on{past}, {instead}, to end clear of friends."


def _entered(battle: Battle, event: Entered) -> str:
    return f"{battle.called(event.unit)} came on to the table on the march."


def _settled(battle: Battle, event: Settled) -> str | None:
    decision = battle.pending[0]
    if decision.kind != "go-first":
        return None
    if event.choice == "first":
        return f"{side_name(decision.side)} went first."
    return f"{side_name(battle.setup.other(decision.side))} was made to go first."


_RECORDS: dict[str, Record] = {
    "turn": silent,
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
    "beyond": _beyond,
}
#: The sentences of these rules; every move is reported with its distance.
NARRATION = Narration(
    _RECORDS,
    moves={how: wording + ", {:.1f} in" for how, wording in _MOVES.items()},
    gone=_GONE,
    left="left the field",
    others={Entered: _entered, Settled: _settled},
)
