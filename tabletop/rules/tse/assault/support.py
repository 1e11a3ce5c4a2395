"""Artillery support: infantry beside guns keeps them from being assaulted."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, beside, distance_between
from tabletop.geometry.base import Base
from tabletop.geometry.measure import ANGLE_TOLERANCE, Tape, turn_between
from tabletop.geometry.verdict import Reason
from tabletop.rules.tse.tables import tables, troop

#: Formations in which infantry can support guns; a march column cannot (TSE-ASL-41).
SUPPORTING = ("deployed", "maneuver-column", "square")


def supporters_of(battle: Battle, guns: Unit) -> tuple[Unit, ...]:
    """Return the infantry that supports these guns, in order of id; other troops have no support (TSE-ASL-40).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("supported-battery")
    >>> [unit.id for unit in supporters_of(battle, battle.unit("guns"))]
    ['left', 'right']
    """
    if troop(guns.troop).family != "artillery":
        return ()
    return tuple(u for u in battle.friends(guns) if supports(battle, u, guns))


def support_reason(battle: Battle, target: Unit, may: Callable[[Unit], bool]) -> tuple[Reason, tuple[str, ...]]:
    """Return whether the target may be chosen, and the ids of the units that must be assaulted in its place.

    Supported guns may not be assaulted if ``may`` says that the same unit can assault some infantry that supports them:
    it must assault that infantry instead (TSE-ASL-40, TSE-ASL-42).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("supported-battery")
    >>> reason, instead = support_reason(battle, battle.unit("guns"), lambda infantry: True)
    >>> reason.holds, instead
    (False, ('left', 'right'))
    """
    name, supporters = target.called, supporters_of(battle, target)
    if not supporters:
        return Reason("TSE-ASL-40", True, f"{name} is not under the protection of infantry"), ()
    instead = tuple(unit for unit in supporters if may(unit))
    if not instead:
        who = ", ".join(unit.called for unit in supporters)
        return Reason("TSE-ASL-42", True, f"{name} is supported by {who}, but no assault can be made there"), ()
    who = " or ".join(unit.called for unit in instead)
    text = f"{name} is supported by infantry: assault {who} instead"
    return Reason("TSE-ASL-40", False, text, feature=instead[0].id), tuple(unit.id for unit in instead)


def supports(battle: Battle, infantry: Unit, guns: Unit) -> bool:
    """Return whether ``infantry`` keeps ``guns`` from being assaulted.

    Both must share a facing and touch along a side edge, or the infantry must be a square in contact; its status must
    be ok.
    """
    if troop(guns.troop).family != "artillery" or troop(infantry.troop).family != "infantry":
        return False
    if infantry.status != "ok" or infantry.formation not in SUPPORTING:
        return False
    if not beside(guns.bounds, (infantry,), 2.0 * battle.tape.t):
        return False
    if infantry.formation == "square":
        return battle.tape.touches(distance_between(infantry, guns))
    limit = float(tables()["angles"]["support"]) + ANGLE_TOLERANCE
    if abs(turn_between(infantry.facing, guns.facing)) > limit:
        return False
    pairs = ((a, b) for a in infantry.bases for b in guns.bases if isinstance(a, Base) and isinstance(b, Base))
    return any(_side_by_side(a, b, battle.tape) for a, b in pairs)


def _side_by_side(a: Base, b: Base, tape: Tape) -> bool:
    """Return whether a side edge of ``a`` lies along the opposite side edge of ``b`` for more than the tolerance."""
    return _along(a.corners[1:3], b.corners[[0, 3]], tape) or _along(b.corners[1:3], a.corners[[0, 3]], tape)


def _along(edge: np.ndarray, other: np.ndarray, tape: Tape) -> bool:
    """Return whether two edges are collinear within the tolerance and overlap by more than it."""
    way = edge[1] - edge[0]
    length = float(np.hypot(*way))
    u = way / length
    relative = other - edge[0]
    aside = np.abs(relative[:, 0] * u[1] - relative[:, 1] * u[0])
    along = relative @ u
    shared = min(length, float(along.max())) - max(0.0, float(along.min()))
    return tape.touches(float(aside.max())) and tape.over(shared, 0.0)
