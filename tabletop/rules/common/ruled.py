"""The verdict on an action, made from the reasons for and against it."""

from __future__ import annotations

from collections.abc import Iterable

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.geometry.verdict import Reason, Verdict, against_first


def ruled(battle: Battle, action: Action, reasons: Iterable[Reason]) -> Verdict:
    """Return the verdict on an action: it holds if every reason does; reasons against come first.

    >>> from tabletop.play.files.opened import open_battle
    >>> near = either("TSE-ORD-03", True, "a general is near", "no general is near")
    >>> outside = either("TSE-FIR-05", False, "it is in the arc", "it is outside the arc")
    >>> verdict = ruled(open_battle("starter"), Action("hold", "french", "arnaud"), [near, outside])
    >>> verdict.holds, [reason.rule for reason in verdict.because]
    (False, ['TSE-FIR-05', 'TSE-ORD-03'])
    """
    because = against_first(reasons)
    return Verdict(action.kind, action.args, battle.rules, all(r.holds for r in because), because=because)


def either(rule: str, holds: bool, so: str, not_so: str, feature: str | None = None) -> Reason:
    """Return a reason with the text ``so`` if it holds, ``not_so`` if it does not.

    >>> either("TSE-FIR-05", False, "it is in the arc", "it is outside the arc").text
    'it is outside the arc'
    """
    return Reason(rule, holds, so if holds else not_so, feature=feature)
