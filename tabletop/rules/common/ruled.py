"""The verdict on an action, from the reasons for and against it."""

from __future__ import annotations

from collections.abc import Iterable

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.geometry.verdict import Reason, Verdict, against_first


def ruled(battle: Battle, action: Action, reasons: Iterable[Reason]) -> Verdict:
    """Return the verdict on an action: it holds if every reason does; reasons against it come first."""
    because = against_first(reasons)
    return Verdict(action.kind, action.args, battle.rules, all(r.holds for r in because), because=because)


def either(rule: str, holds: bool, so: str, not_so: str, feature: str | None = None) -> Reason:
    """Return a reason with the text ``so`` when it holds, ``not_so`` when it does not."""
    return Reason(rule, holds, so if holds else not_so, feature=feature)
