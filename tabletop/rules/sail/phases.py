"""The phases of a player turn, and what every action needs: the right phase and side, and a crew."""

from __future__ import annotations

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.geometry.verdict import Reason
from tabletop.rules.common import phases
from tabletop.rules.common.kinds import first_phase, phases_of
from tabletop.rules.sail.ships import HERE, manned

#: The phases of a player turn that need decisions (SAIL-SEQ-03, SAIL-SEQ-06), and those of each kind of action.
PHASES = CLEARING, SAILING, GUNNERY = "clearing", "sailing", "gunnery"
PHASES_OF = phases_of(HERE)


def phase_reasons(battle: Battle, action: Action) -> list[Reason]:
    """Return as reasons whether it is the right phase, and whether the ship is the side's own and has a crew."""
    allowed = PHASES_OF[action.kind]
    if action.kind == "fire" and battle.rulings["fire_when"] == "after-moving":
        allowed = (GUNNERY,)
    now = f"that is done in the {' or '.join(allowed)} phase; now is {battle.clock.phase or 'before the battle'}"
    ship = battle.unit(str(action.unit))
    crew = Reason("SAIL-BRD-03", manned(ship), f"{ship.called} has no crew of yours that would do it")
    return [*phases.phase_reasons(battle, action, allowed, "SAIL-SEQ-06", now), crew]


def in_turn(battle: Battle, name: str, kind: str) -> Battle:
    """Return a battle that has not begun with its clock at the phase of a kind of action; any other unchanged."""
    return phases.in_phase(battle, name, first_phase(HERE, kind, SAILING))
