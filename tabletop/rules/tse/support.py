"""Artillery support: guns that infantry at their side keeps from being assaulted."""

from __future__ import annotations

import numpy as np

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.base import Base
from tabletop.geometry.measure import ANGLE_TOLERANCE, Tape, turn_between
from tabletop.geometry.verdict import Reason
from tabletop.rules.tse.tables import tables, troop

#: Formations in which infantry can support guns; a march column cannot (TSE-ASL-41).
SUPPORTING = ("deployed", "maneuver-column", "square")


def support_reason(battle: Battle, target: Unit) -> Reason:
    """Return whether the target may be chosen: guns supported by undisordered infantry may not (TSE-ASL-40..42)."""
    name = target.called
    supporter = next((u for u in battle.friends(target) if supports(battle, u, target)), None)
    if supporter is None:
        return Reason("TSE-ASL-40", True, f"{name} is not under the protection of infantry")
    text = f"{name} is supported by {supporter.called}: the infantry must be assaulted"
    return Reason("TSE-ASL-40", False, text, feature=supporter.id)


def supports(battle: Battle, infantry: Unit, guns: Unit) -> bool:
    """Return whether ``infantry`` keeps ``guns`` from being assaulted.

    Both share a facing and touch along a side edge, or the infantry is a square in contact; its status is ok.
    """
    if troop(guns.troop).family != "artillery" or troop(infantry.troop).family != "infantry":
        return False
    if infantry.status != "ok" or infantry.formation not in SUPPORTING:
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
    """Return whether two edges are collinear within the tolerance and share a length greater than it."""
    way = edge[1] - edge[0]
    length = float(np.hypot(*way))
    u = way / length
    relative = other - edge[0]
    aside = np.abs(relative[:, 0] * u[1] - relative[:, 1] * u[0])
    along = relative @ u
    shared = min(length, float(along.max())) - max(0.0, float(along.min()))
    return tape.touches(float(aside.max())) and tape.over(shared, 0.0)
