"""How the events of Realm of Chance read in a report: as one player would tell another of the battle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.event import Event, Placed, Removed, Scored, Told
from tabletop.battle.unit import standing
from tabletop.rules.realm_of_chance.tables import tables

#: What a result of fire or combat is called (ROC-RES-01..05); none means that nothing came of it.
_RESULTS = {
    "Ar": "the attacker broken",
    "Ad": "the attacker disrupted",
    "Dx": "both the worse for it",
    "Dd": "the defender disrupted",
    "Dr": "the defender broken",
    "": "without effect",
}
_SHOTS = {"Dd": "disrupted", "Dr": "broken", "": "without effect"}
_SQUARES = {"broken": "rode down the square of", "repelled": "were thrown back by the square of"}
_GONE = {"fled": "fled the field", "captured": "was captured", "destroyed": "ceased to exist"}
_MOVES = {
    "move": "{} moved {:.0f} mm",
    "ride": "{} rode {:.0f} mm",
    "charge": "{} charged {:.0f} mm",
    "rout": "{} ran {:.0f} mm",
    "retreat": "{} drew off {:.0f} mm",
    "withdraw": "{} drew back {:.0f} mm",
}


def minutes() -> float:
    """Return how long a turn of both sides lasts on a scenario's clock: five minutes (ROC-SCA-01)."""
    return float(tables()["scale"]["minutes"])


def narrate(battle: Battle, event: Event) -> str | None:
    """Return how an event reads, "" for one not worth a word, None to leave it to the usual words."""
    teller = _TELLERS.get(type(event))
    return None if teller is None else teller(battle, event)


def _name(battle: Battle, id: str | None) -> str:  # noqa: A002 - the files' own word
    gone = (*battle.units, *battle.awaited, *(fallen.unit for fallen in battle.fallen))
    return next((unit.called for unit in gone if unit.id == id), str(id))


def _told(battle: Battle, event: Told) -> str | None:
    teller = _RECORDS.get(event.what)
    return None if teller is None else teller(battle, event, event.values)


def _turn(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    side = str(values["side"])
    return f"{side[:1].upper()}{side[1:]} to move."


def _fire(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    came = _SHOTS.get(str(values["result"]), str(values["result"]))
    far = f"{values['range']:.0f} mm" if isinstance(values.get("range"), (int, float)) else "range"
    return f"{_name(battle, event.unit)} fired at {_name(battle, event.target)} at {far}: {came}."


def _combat(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    came = _RESULTS.get(str(values["result"]), str(values["result"]))
    at = f" at {values['odds']}" if values.get("odds") else ""
    return f"{_name(battle, event.unit)} attacked {_name(battle, event.target)}{at}: {came}."


def _square(battle: Battle, event: Told, values: Mapping[str, Any]) -> str | None:
    if event.target is None:
        return f"{_name(battle, event.unit)} formed square in time."
    did = _SQUARES.get(str(values["result"]), "came to nothing against the square of")
    return f"{_name(battle, event.unit)} {did} {_name(battle, event.target)}."


def _no_square(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    return f"{_name(battle, event.unit)} had no time to form square."


def _halt(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    return f"{_name(battle, event.unit)} {'came to a stand' if values['done'] else 'ran on'} (die {values['die']})."


def _rally(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    done = "was brought to order" if values["done"] else "could not be brought to order"
    return f"{_name(battle, event.unit)} {done} (die {values['die']})."


def _control(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    did = "kept" if values["steady"] else "lost"
    return f"{_name(battle, event.unit)} {did} their heads after the victory (die {values['die']})."


def _pursuit(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    return f"{_name(battle, event.unit)} chased {_name(battle, event.target)}."


def _crossed(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    return f"{_name(battle, event.unit)} went through {_name(battle, event.target)}, to the disorder of both."


def _messenger(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    return f"{_name(battle, event.unit)} took {_name(battle, event.target)}, and the order he carried."


def _given(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    to = " and ".join(_name(battle, unit) for unit in values["to"])
    return f"{_name(battle, event.unit)} took an order for {to}: {values['stance']}."


def _order(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    did = "understood" if values["understood"] else "misunderstood"
    return f"{_name(battle, event.target)} {did} the order to {values['stance']}."


def _silent(battle: Battle, event: Event, values: Mapping[str, Any] | None = None) -> str:
    return ""


def _placed(battle: Battle, event: Placed) -> str | None:
    if event.how not in _MOVES:
        return None
    unit = battle.unit(event.unit)
    there = standing(unit, event.pose)
    far = ((there.at[0] - unit.at[0]) ** 2 + (there.at[1] - unit.at[1]) ** 2) ** 0.5
    return _MOVES[event.how].format(unit.called, far) + "."


def _removed(battle: Battle, event: Removed) -> str:
    return f"{_name(battle, event.unit)} {_GONE.get(event.how, f'left the table ({event.how})')}."


_Record = Callable[[Battle, Told, Mapping[str, Any]], str | None]
_RECORDS: dict[str, _Record] = {
    "turn": _turn,
    "fire": _fire,
    "combat": _combat,
    "square": _square,
    "no square": _no_square,
    "halt": _halt,
    "rally": _rally,
    "control": _control,
    "pursuit": _pursuit,
    "interpenetration": _crossed,
    "messenger taken": _messenger,
    "order given": _given,
    "order": _order,
    "rout": _silent,
}
_TELLERS: dict[type[Any], Callable[[Battle, Any], str | None]] = {
    Told: _told,
    Placed: _placed,
    Removed: _removed,
    Scored: _silent,
}
