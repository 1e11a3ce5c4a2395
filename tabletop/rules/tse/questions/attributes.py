"""What players dispute in an answer besides whether it holds, read from the answer: each fact gets its own margin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tabletop.geometry.measure import ANGLE_TOLERANCE
from tabletop.geometry.verdict import Reason, Verdict


def of_fire(verdict: Verdict) -> Mapping[str, Any]:
    """The range band and the cover of a shot in range, whoever may fire it (TSE-FIR-04, TSE-COV-07)."""
    in_range = verdict.measured.get("cover") is not None
    return {name: verdict.measured[name] for name in ("band", "cover")} if in_range else {}


def of_assault(verdict: Verdict) -> Mapping[str, Any]:
    """Frontal or not, cover, supported guns, whether the reach is enough (TSE-ASL-05, TSE-ASL-08, -40, -80)."""
    named = {name: verdict.measured.get(name) for name in ("frontal", "cover")}
    return {
        **named,
        "supported": _against(verdict.because, "TSE-ASL-40"),
        "in_reach": _for(verdict.because, "TSE-ASL-05", "TSE-ASL-09"),
    }


def of_move(verdict: Verdict) -> Mapping[str, Any]:
    """Whether its cost is within its budget (TSE-MOV-01)."""
    return {"in_budget": _for(verdict.because, "TSE-MOV-01")}


def of_command(verdict: Verdict) -> Mapping[str, Any]:
    """Which general helps (TSE-ORD-03)."""
    return {"general": verdict.measured.get("general") if verdict.holds else None}


def of_fall_back(verdict: Verdict) -> Mapping[str, Any]:
    """Whether it surrenders, and whether it leaves the wanted direction to find a way (TSE-INV-06, TSE-INV-08)."""
    deviation = verdict.measured.get("deviation")
    return {
        "surrender": any(reason.rule == "TSE-INV-08" for reason in verdict.against),
        "deviation": None if deviation is None else _way_of(float(deviation)),
    }


def of_cover(verdict: Verdict) -> Mapping[str, Any]:
    """The class of cover (TSE-COV-01)."""
    return {"cover": verdict.measured.get("cover")}


def _way_of(deviation: float) -> str:
    if abs(deviation) <= ANGLE_TOLERANCE:
        return "straight"
    return "clockwise" if deviation > 0.0 else "anticlockwise"


def _for(reasons: Iterable[Reason], *rules: str) -> bool | None:
    """Return whether the reason by one of these rules holds, None where there is none."""
    return next((reason.holds for reason in reasons if reason.rule in rules), None)


def _against(reasons: Iterable[Reason], rule: str) -> bool | None:
    holds = _for(reasons, rule)
    return None if holds is None else not holds
