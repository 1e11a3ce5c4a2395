"""The phases of a player turn, what may be done in each, and the units in the order of their dice."""

from __future__ import annotations

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.verdict import Reason
from tabletop.rules.ages.turn.simultaneous import in_sequence
from tabletop.rules.common import kinds, phases

#: Phases of a player turn (ROC-SEQ-01).
PHASES = RALLY_PHASE, ARTILLERY_PHASE, MOVEMENT_PHASE, COMBAT_PHASE = "rally", "artillery", "movement", "combat"

#: The package of the family's data.
HERE = "tabletop.rules.ages"


def phase_reasons(battle: Battle, action: Action, phase: str) -> list[Reason]:
    """Return as reasons whether it is the right phase, and whether the unit is the player's own (ROC-SEQ-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> reasons = phase_reasons(open_battle("drill-ground"), Action("move", "french", "hussars"), MOVEMENT_PHASE)
    >>> [reason.text for reason in reasons if not reason.holds]
    ['that is done in the movement phase', 'Hussars is on the Prussian side']
    """
    return phases.phase_reasons(battle, action, (phase,), "ROC-SEQ-01", f"that is done in the {phase} phase")


def in_turn(battle: Battle, name: str, kind: str) -> Battle:
    """Return a battle that has not begun with its clock at the phase of a kind of action; any other battle unchanged.

    Source: ROC-SEQ-01.

    >>> from tabletop.play.files.opened import open_battle
    >>> clock = in_turn(open_battle("drill-ground"), "hussars", "charge").clock
    >>> clock.turn, clock.side, clock.phase
    (1, 'prussian', 'movement')
    """
    return phases.in_phase(battle, name, kinds.first_phase(HERE, kind, MOVEMENT_PHASE))


def fighters(battle: Battle, side: str) -> tuple[Unit, ...]:
    """Return the fighting units of a side, without generals and staff officers, in the order of their dice.

    Source: ROC-SCA-04, ROC-ORD-03.

    >>> from tabletop.play.files.opened import open_battle
    >>> [unit.id for unit in fighters(open_battle("drill-ground"), "prussian")]
    ['horse-guns', 'hussars', 'russian-1', 'prussian-1']
    """
    return in_sequence(battle, (unit for unit in battle.side(side) if not unit.is_general))
