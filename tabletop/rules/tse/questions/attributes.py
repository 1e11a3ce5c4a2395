"""The facts that players dispute besides whether an answer holds, read from the answer; each gets its own margin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tabletop.geometry.measure import ANGLE_TOLERANCE
from tabletop.geometry.verdict import Reason, Verdict


def of_fire(verdict: Verdict) -> Mapping[str, Any]:
    """Return the range band and cover of a shot in range, whether or not it is allowed (TSE-FIR-04, TSE-COV-07).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.rule_set import Request
    >>> from tabletop.rules.tse.fire.judge import fire
    >>> of_fire(fire(open_battle("starter"), Request("fire", ("kessler-guns", "daumas"))))
    {'band': '6-9', 'cover': 'none'}
    """
    in_range = verdict.measured.get("cover") is not None
    return {name: verdict.measured[name] for name in ("band", "cover")} if in_range else {}


def of_assault(verdict: Verdict) -> Mapping[str, Any]:
    """Return if an assault is frontal, its cover, supported guns, if in reach (TSE-ASL-05, TSE-ASL-08, -40, -80).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.rule_set import Request
    >>> from tabletop.rules.tse.assault.judge import assault
    >>> of_assault(assault(open_battle("front-or-flank"), Request("assault", ("west-column", "west-line"))))
    {'frontal': True, 'cover': 'none', 'supported': False, 'in_reach': True}
    """
    named = {name: verdict.measured.get(name) for name in ("frontal", "cover")}
    return {
        **named,
        "supported": _against(verdict.because, "TSE-ASL-40"),
        "in_reach": _for(verdict.because, "TSE-ASL-05", "TSE-ASL-09"),
    }


def of_move(verdict: Verdict) -> Mapping[str, Any]:
    """Return whether a move's cost is within its budget (TSE-MOV-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.rule_set import Request
    >>> from tabletop.rules.tse.movement.judge import move
    >>> of_move(move(open_battle("starter"), Request("move", ("arnaud",), {"path": [(8.4, 9.0)]})))
    {'in_budget': True}
    """
    return {"in_budget": _for(verdict.because, "TSE-MOV-01")}


def of_command(verdict: Verdict) -> Mapping[str, Any]:
    """Return which general helps (TSE-ORD-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.rule_set import Request
    >>> from tabletop.rules.tse.command.judge import command
    >>> of_command(command(open_battle("starter"), Request("command", ("arnaud",))))
    {'general': 'morel'}
    """
    return {"general": verdict.measured.get("general") if verdict.holds else None}


def of_fall_back(verdict: Verdict) -> Mapping[str, Any]:
    """Return whether the unit surrenders, and to which side it deviates to find a path (TSE-INV-06, TSE-INV-08).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.rule_set import Request
    >>> from tabletop.rules.tse.morale.fall_back import fallback
    >>> request = Request("fallback", ("arnaud",), {"from": "auer", "distance": 3.0})
    >>> of_fall_back(fallback(open_battle("starter"), request))
    {'surrender': False, 'deviation': 'straight'}
    """
    deviation = verdict.measured.get("deviation")
    return {
        "surrender": any(reason.rule == "TSE-INV-08" for reason in verdict.against),
        "deviation": None if deviation is None else _way_of(float(deviation)),
    }


def of_cover(verdict: Verdict) -> Mapping[str, Any]:
    """Return the class of cover (TSE-COV-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.rule_set import Request
    >>> from tabletop.rules.tse.fire.judge_cover import cover
    >>> of_cover(cover(open_battle("starter"), Request("cover", ("auer",), {"from": "morel-guns"})))
    {'cover': 'none'}
    """
    return {"cover": verdict.measured.get("cover")}


def _way_of(deviation: float) -> str:
    if abs(deviation) <= ANGLE_TOLERANCE:
        return "straight"
    return "clockwise" if deviation > 0.0 else "anticlockwise"


def _for(reasons: Iterable[Reason], *rules: str) -> bool | None:
    """Return whether the reason citing one of these rules holds; None if there is none."""
    return next((reason.holds for reason in reasons if reason.rule in rules), None)


def _against(reasons: Iterable[Reason], rule: str) -> bool | None:
    holds = _for(reasons, rule)
    return None if holds is None else not holds
