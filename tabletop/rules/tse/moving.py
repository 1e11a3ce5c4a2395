"""Voluntary moves as actions: judged by the measuring question ``move``, ordered, and made (TSE-ACT, TSE-ORD)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.event import Placed
from tabletop.battle.unfolding import Unfolding
from tabletop.geometry.verdict import Verdict
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.movement import move
from tabletop.rules.tse.turn import acted, ruled, turn_reasons


def _measured(battle: Battle, action: Action) -> Verdict:
    """Put the action to the measuring question: its options are the question's own (docs: settling a dispute)."""
    options: dict[str, Any] = {**action.options, "as": action.kind}
    return move(battle, Request("move", (str(action.unit),), options))


def judge_general(battle: Battle, action: Action) -> Verdict:
    """Say whether a general may move so (TSE-ACT-02, TSE-ACT-03)."""
    against = [r for r in turn_reasons(battle, action) if not r.holds]
    if against:
        return ruled(battle, action, against)
    return _measured(battle, action)


def move_general(unfolding: Unfolding, action: Action) -> None:
    """Move a general: no order is needed, nothing is left to chance (TSE-ACT-02)."""
    put(unfolding, str(action.unit), _measured(unfolding.battle, action).measured)
    acted(unfolding, str(action.unit))


def put(unfolding: Unfolding, unit: str, measured: Mapping[str, Any]) -> None:
    """Stand a unit where a verdict's measures say it ends."""
    path = tuple((float(x), float(y)) for x, y in measured.get("path") or ())
    unfolding.happen(Placed(unit, measured["after"], path))
