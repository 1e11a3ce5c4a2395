"""The report of a battle of the Ages: each event as a sentence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tabletop.battle.apply import placed_by
from tabletop.battle.battle import Battle
from tabletop.battle.event import Placed, Scored, Told
from tabletop.battle.naming import side_name
from tabletop.geometry.measure import turn_between
from tabletop.rules.ages.command.obedience import wording
from tabletop.rules.ages.movement.layouts import SQUARE
from tabletop.rules.ages.movement.move_kinds import CHARGE, MOVE
from tabletop.rules.ages.throws import in_words
from tabletop.rules.common.narration import Narration, Record, recorded, silent, whose_turn

#: The results of combat in words (ROC-RES-01..05); "" is no result.
_RESULTS = {
    "Ar": "the attacker routed",
    "Aw": "the attacker driven off",
    "Ad": "the attacker disrupted",
    "Dx": "both the worse for it",
    "Dd": "the defender disrupted",
    "Dw": "the defender driven off",
    "Dr": "the defender routed",
    "": "without effect",
}
_SHOTS = {"Dd": "disrupted", "Dr": "routed", "": "without effect"}
_SQUARES = {"broken": "rode down the square of", "repelled": "were thrown back by the square of"}
_GONE = {"fled": "fled the field", "captured": "was captured", "destroyed": "ceased to exist"}
_GONE |= {"killed": "left the field", "wounded": "left the field"}
_GONE |= {"dismissed": "reported back and was dismissed"}
_MOVES = {
    "move": "{} moved {:.0f} mm",
    "ride": "{} rode {:.0f} mm",
    "charge": "{} charged {:.0f} mm",
    "rout": "{} ran {:.0f} mm",
    "fall back": "{} fell back {:.0f} mm",
    "retreat": "{} drew off {:.0f} mm",
    "withdraw": "{} drew back {:.0f} mm",
    "line": "{} formed line",
    "column": "{} formed column",
    "square": "{} formed square",
    "garrison": "{} went into the house",
    "limbered": "{} limbered up",
    "unlimbered": "{} unlimbered",
    "dismounted": "{} dismounted",
    "mounted": "{} mounted",
}


def _fire(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    came = _SHOTS.get(str(values["result"]), str(values["result"]))
    far = f"{values['range']:.0f} mm" if isinstance(values.get("range"), (int, float)) else "range"
    return f"{battle.called(event.unit)} fired at {battle.called(event.target)} at {far}: {came}."


def _combat(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    came = _RESULTS.get(str(values["result"]), str(values["result"]))
    at = f" at {values['odds']}" if values.get("odds") else ""
    return f"{battle.called(event.unit)} attacked {battle.called(event.target)}{at}: {came}."


def _stands(battle: Battle, event: Placed) -> str | None:
    """Return the sentence for a placed unit; a square formed in the enemy's move was formed in time (ROC-FRM-06)."""
    if event.how == SQUARE and battle.unit(event.unit).side != battle.clock.side:
        return f"{battle.called(event.unit)} formed square in time."
    wheel = _wheel(battle, event) if event.how in (MOVE, CHARGE) else ""
    if wheel and (len(event.path) < 2 or _gone_far(battle, event) < 0.5):  # the way begins where the unit stood
        return f"{battle.called(event.unit)} wheeled {wheel}."
    sentence = MOVED.narrate(battle, event)
    return f"{sentence[:-1]} and wheeled {wheel}." if sentence and wheel else sentence


def _gone_far(battle: Battle, event: Placed) -> float:
    """Return how far (mm) a unit's middle has moved."""
    unit = battle.anyone(event.unit)
    return math.dist(unit.at, placed_by(unit, event).at)


def _wheel(battle: Battle, event: Placed) -> str:
    """Return in words how far a unit's front has turned, "" for less than a degree (ROC-FRM-02)."""
    unit = battle.anyone(event.unit)
    turn = round(turn_between(unit.facing, placed_by(unit, event).facing))
    return f"{abs(turn)}° to the {'right' if turn > 0 else 'left'}" if turn else ""


def _square(battle: Battle, event: Told, values: Mapping[str, Any]) -> str | None:
    if event.target is None:
        return ""  # the event that placed it is reported
    did = _SQUARES.get(str(values["result"]), "came to nothing against the square of")
    return f"{battle.called(event.unit)} {did} {battle.called(event.target)}."


def _halt(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    did = "came to a stand" if values["done"] else "ran on"
    return f"{battle.called(event.unit)} {did} ({in_words(battle, values['die'])})."


def _rally(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    done = "was brought to order" if values["done"] else "could not be brought to order"
    return f"{battle.called(event.unit)} {done} ({in_words(battle, values['die'])})."


def _control(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    did = "kept" if values["steady"] else "lost"
    return f"{battle.called(event.unit)} {did} their heads after the victory ({in_words(battle, values['die'])})."


def _given(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    to = " and ".join(battle.called(unit) for unit in values["to"])
    return f"{battle.called(event.unit)} took an order for {to}: {_what(battle, values)}."


def _order(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    did = "understood" if values["understood"] else "misunderstood"
    whole = " and those under him" if values.get("formation") else ""
    return f"{battle.called(event.target)}{whole} {did} the order to {_what(battle, values)}."


def _what(battle: Battle, values: Mapping[str, Any]) -> str:
    return wording(battle, str(values["stance"]), values.get("goal"))


def _against(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    return f"{battle.called(event.unit)} went against its order to {values['order']}."


def _under_fire(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    came = {"killed": "was killed", "wounded": "was wounded", "shaken": "had his horse shot under him"}
    return f"{battle.called(event.unit)} {came[values['result']]}." if values["result"] in came else ""


def _crisis(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    return f"{side_name(str(values['side']))} losses came to {values['percent']} in a hundred: a crisis of morale."


def _in_crisis(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    number = f"number {int(values['die']) / 1000:.3f}"
    return f"{battle.called(event.unit)} lost heart ({number})." if values["crisis"] else ""


def _mist(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    far = values["far"]
    return "There is no mist now." if far is None else f"In the mist nobody sees beyond {far:.0f} mm."


def _no_square(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    lacking = "time" if values.get("room", True) else "room"
    return f"{battle.called(event.unit)} had no {lacking} to form square."


def _messenger(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    order = ", and the order he carried" if values.get("order") else ""
    return f"{battle.called(event.unit)} took {battle.called(event.target)}{order}."


_RECORDS: dict[str, Record] = {
    "turn": whose_turn,
    "mist": _mist,
    "fire": _fire,
    "combat": _combat,
    "square": _square,
    "no square": _no_square,
    "halt": _halt,
    "rally": _rally,
    "control": _control,
    "pursuit": recorded("{0} chased {1}."),
    "interpenetration": recorded("{0} went through {1}, to the disorder of both."),
    "messenger taken": _messenger,
    "order given": _given,
    "order": _order,
    "against order": _against,
    "rout": silent,
    "under fire": _under_fire,
    "crisis": _crisis,
    "in crisis": _in_crisis,
    "crew": silent,
}
#: The words of these rules.
MOVED = Narration(_RECORDS, _MOVES, _GONE, left="left the table")
NARRATION = replace(MOVED, others={Scored: silent, Placed: _stands})
