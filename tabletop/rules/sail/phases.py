"""The phases of a player turn, and what every action needs: its phase, its own side, a crew."""

from __future__ import annotations

from dataclasses import replace

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.progress import Clock
from tabletop.geometry.verdict import Reason
from tabletop.rules.sail.ships import manned

#: Phases of a player turn in which somebody decides (SAIL-SEQ-03, SAIL-SEQ-06).
CLEARING, SAILING, GUNNERY = "clearing", "sailing", "gunnery"
#: The phases of each kind of action.
PHASES_OF = {
    "separate": (CLEARING,),
    "sail": (SAILING,),
    "anchor": (SAILING,),
    "weigh": (SAILING,),
    "repair": (SAILING,),
    "fire": (SAILING, GUNNERY),
    "board": (GUNNERY,),
}


def phase_reasons(battle: Battle, action: Action) -> list[Reason]:
    """Return as reasons whether it is the right phase, and whether the ship is the side's own and has a crew."""
    phases = PHASES_OF[action.kind]
    if action.kind == "fire" and battle.rulings["fire_when"] == "after-moving":
        phases = (GUNNERY,)
    now = f"that is done while {' or '.join(phases)}; this is {battle.clock.phase or 'before the battle'}"
    ship = battle.unit(str(action.unit))
    return [
        Reason("SAIL-SEQ-06", battle.clock.phase in phases, now),
        Reason("SAIL-SEQ-06", ship.side == action.side, f"{ship.called} is of side {ship.side}"),
        Reason("SAIL-BRD-03", manned(ship), f"{ship.called} has no crew of yours that would do it"),
    ]


def in_turn(battle: Battle, name: str, kind: str) -> Battle:
    """Return a battle that has not begun with the clock at the phase of such an action; any other unchanged."""
    if battle.clock.turn:
        return battle
    phase = PHASES_OF.get(kind, (SAILING,))[0]
    return replace(battle, clock=Clock(1, phase, battle.anyone(name).side))
