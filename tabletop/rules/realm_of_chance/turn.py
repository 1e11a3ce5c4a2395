"""The turn: two player turns of four phases each, and the end of the battle."""

from __future__ import annotations

from collections.abc import Iterable

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.verdict import Reason, Verdict

#: Phases of a player turn (ROC-SEQ-01).
RALLY_PHASE, ARTILLERY_PHASE, MOVEMENT_PHASE, COMBAT_PHASE = "rally", "artillery", "movement", "combat"


def phase_reasons(battle: Battle, action: Action, phase: str) -> list[Reason]:
    """Return whether it is the right phase, and whether the unit is the player's own (ROC-SEQ-01)."""
    found = [Reason("ROC-SEQ-01", battle.clock.phase == phase, f"that is done in the {phase} phase")]
    if action.unit is not None:
        unit = battle.unit(action.unit)
        found.append(Reason("ROC-SEQ-01", unit.side == action.side, f"{unit.name or unit.id} is of side {unit.side}"))
    return found


def ruled(battle: Battle, action: Action, reasons: Iterable[Reason]) -> Verdict:
    """Return the verdict on an action: it holds when every reason does; those against it first."""
    found = sorted(reasons, key=lambda reason: reason.holds)
    args = tuple(name for name in (action.unit, action.target) if name is not None)
    return Verdict(action.kind, args, battle.rules, all(r.holds for r in found), because=tuple(found))


def fighters(battle: Battle, side: str) -> tuple[Unit, ...]:
    """Return the units of a side that fight: generals and staff officers left out."""
    return tuple(unit for unit in battle.side(side) if not unit.is_general)
