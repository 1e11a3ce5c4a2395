"""Actions, events and the state of a battle as plain data, and back; and the hash of a whole state."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.clock import Until
from tabletop.battle.event import EVENTS, Asked, Changed, Clocked, Event
from tabletop.battle.progress import Clock, Decision, frozen
from tabletop.battle.unit import Unit, pose_of

_BY_NAME = {kind.__name__.lower(): kind for kind in EVENTS}
#: Decimals on which two machines must agree: far finer than any tolerance, far coarser than their libraries'
#: differences.
_DECIMALS = 6


def plain(value: Any) -> Any:
    """Return ``value`` as plain data: dataclasses become mappings of their fields, tuples lists.

    TypeError, naming the type, for anything that could not be written to a file.
    """
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} is no plain data")


def action_data(action: Action) -> dict[str, Any]:
    """Return an action as plain data, without empty values."""
    data: dict[str, Any] = _lean(plain(action))
    return data


def action_of(data: Mapping[str, Any]) -> Action:
    """Return the action written as ``data``; raises TypeError or KeyError if it is not one."""
    return Action(**{**data, "options": frozen(data.get("options", {}))})


def event_data(event: Event) -> dict[str, Any]:
    """Return an event as plain data, its type under "event", without empty values."""
    return {"event": type(event).__name__.lower(), **_lean(plain(event))}


def event_of(data: Mapping[str, Any]) -> Event:
    """Return the event written as ``data``; raises KeyError or TypeError if it is not one, or has an unknown key."""
    data = _as_today(data)
    if unknown := data.keys() - {"event", *(f.name for f in fields(_BY_NAME[data["event"]]))}:
        raise TypeError(f"no event '{data['event']}' has a '{min(unknown)}'")
    values = {key: frozen(value) for key, value in data.items() if key != "event"}
    kind = _BY_NAME[data["event"]]
    if kind is Clocked:
        return Clocked(Clock(**values.get("clock", {})))
    if kind is Asked:
        return Asked(Decision(**values["decision"]))
    if kind is Changed:
        values["until"] = {mark: Until(**end) for mark, end in values.get("until", {}).items()}
    event: Event = kind(**_whole(kind, values))
    return event


def _as_today(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an event as it is written today.

    Programs before ``Converted`` wrote troopers who dismounted as placed, with new troops and bases in their pose.
    """
    if data["event"] != "placed" or "troop" not in data["pose"]:
        return data
    pose = dict(data["pose"])
    became = {"troop": pose.pop("troop"), "size": pose.pop("base", None)}
    return {**data, "event": "converted", "pose": pose, **became}


def _whole(kind: type[Any], values: dict[str, Any]) -> dict[str, Any]:
    """Add the fields that were left out because they were empty and have no default."""
    empty = {f.name: _EMPTY.get(f.name) for f in fields(kind) if f.name not in values and f.name in _EMPTY}
    return {**empty, **values}


_EMPTY: dict[str, Any] = {"value": None, "winner": None, "side": None}


def _lean(data: Any) -> Any:
    """Leave out the keys whose value is None, an empty list or an empty mapping; nested mappings stay whole."""
    return {key: value for key, value in data.items() if value is not None and value != [] and value != {}}


def unit_data(unit: Unit) -> dict[str, Any]:
    """Return everything about a unit that can change in a battle, as plain data."""
    return {
        "id": unit.id,
        "side": unit.side,
        "troop": unit.troop,
        "quality": unit.quality,
        "status": unit.status,
        "marks": plain(unit.marks),
        "pose": plain(pose_of(unit)),
        # left out where there is nothing to say, so that states have the hash they had before these were added
        **({"until": plain(unit.until)} if unit.until else {}),
        **({"bases_added": unit.bases_added} if unit.bases_added else {}),
    }


def state(battle: Battle) -> dict[str, Any]:
    """Return every fact of a battle that an action can change, as plain data.

    Wording is left out: the text of a question, how the battle ended (only the winner counts), what points were for. So
    correcting the wording does not change the state of a saved game.
    """
    return {
        "units": [unit_data(u) for u in battle.units],
        "clock": plain(battle.clock),
        "pending": [_asked(decision) for decision in battle.pending],
        "seed": battle.seed,
        "throws": battle.throws,
        "awaited": [unit_data(u) for u in battle.awaited],
        "fallen": [{"unit": unit_data(f.unit), "how": f.how, "turn": f.turn} for f in battle.fallen],
        "memory": plain(battle.memory),
        "scores": plain(battle.scores),
        "holders": {o.id: o.holder for o in battle.setup.objectives},
        "outcome": None if battle.outcome is None else {"winner": battle.outcome.winner},
        **({"returning": plain(battle.returning)} if battle.returning else {}),
    }


def _asked(decision: Decision) -> dict[str, Any]:
    return {key: value for key, value in plain(decision).items() if key != "text"}


def state_hash(battle: Battle) -> str:
    """Return the hash of the whole state: equal states, and only those, have equal hashes.

    Numbers are rounded to a millionth of a unit of length, so that libraries that differ in the last bit agree.
    """
    text = json.dumps(_rounded(state(battle)), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _DECIMALS) + 0.0
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return value
