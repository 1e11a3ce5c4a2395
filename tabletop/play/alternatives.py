"""Alternatives to a refused action, as the verdict on it names them."""

from __future__ import annotations

from dataclasses import replace

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.geometry.verdict import Verdict
from tabletop.play.engine import judge


def in_its_place(battle: Battle, action: Action, verdict: Verdict | None) -> tuple[Action, ...]:
    """Return the same action against the targets a refusal names instead, where that is allowed (TSE-ASL-40).

    An assault on guns becomes one on the infantry that supports them (``measured["instead"]``).
    """
    if verdict is None or verdict.holds:
        return ()
    others = (replace(action, target=name) for name in verdict.measured.get("instead") or ())
    return tuple(other for other in others if judge(battle, other).holds)
