"""The menu of a unit: every kind of action, whether it is open, and the rule that closes it if not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.verdict import Reason
from tabletop.rules.common.ruled import ruled
from tabletop.rules.play import Choice
from tabletop.rules.tse.command.orders import MUTE, condition, movement_reasons, standing_reasons
from tabletop.rules.tse.morale.regrouping import regroup_reasons
from tabletop.rules.tse.movement.arrivals import route_reasons
from tabletop.rules.tse.tables import troop
from tabletop.rules.tse.turn.sequence import turn_reasons

Reasons = Callable[[Battle, Action], Sequence[Reason]]


def menu(battle: Battle, unit: str) -> Sequence[Choice]:
    """Return every kind of action for one unit, with the verdict that closes it if it is not open (TSE-ACT-01).

    Open means that it may be tried: path, target and range are judged with the action itself. Fire and assault depend
    here only on the unit's troops, formation and condition (the matrix of legal actions).

    >>> from tabletop.play.files.opened import open_battle
    >>> [choice.kind for choice in menu(open_battle("starter"), "morel")][:3]
    ['hold', 'general', 'deploy']
    """
    side = battle.anyone(unit).side
    return [_choice(battle, Action(kind, side, unit), reasons) for kind, reasons in MATRIX.items()]


def _choice(battle: Battle, action: Action, reasons: Reasons) -> Choice:
    against = [reason for reason in reasons(battle, action) if not reason.holds]
    return Choice(action.kind, not against, ruled(battle, action, against) if against else None)


def is_open(battle: Battle, action: Action) -> bool:
    """Return whether a kind of action is open to a unit, as its menu would say, but quicker (TSE-ACT-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> is_open(open_battle("starter"), Action("maneuver", "french", "arnaud"))
    False
    """
    return all(reason.holds for reason in MATRIX[action.kind](battle, action))


def general_reasons(battle: Battle, action: Action) -> list[Reason]:
    """Return whether the unit is a general: only generals move this way, and do no more than move and hold.

    Source: TSE-ACT-02, TSE-LDR-01.
    """
    unit = battle.anyone(str(action.unit))
    text = f"{unit.called}: {'a general' if unit.is_general else 'no general; only generals move so'}"
    return [*turn_reasons(battle, action), Reason("TSE-ACT-02", unit.is_general, text)]


def square_reasons(battle: Battle, action: Action) -> list[Reason]:
    """Return whether the unit may form square at all: only infantry does (TSE-ACT-30)."""
    unit = battle.anyone(str(action.unit))
    family = troop(unit.troop).family
    return [
        *movement_reasons(battle, action),
        Reason("TSE-ACT-30", family == "infantry", f"{unit.called}: {family}; only infantry forms square"),
    ]


def fire_reasons(battle: Battle, action: Action) -> list[Reason]:
    """Return whether the unit may fire: infantry or artillery, not demoralized, not in march column.

    Source: TSE-ACT-93, -91, -50.
    """
    unit = battle.anyone(str(action.unit))
    name, kind = unit.called, troop(unit.troop)
    return [
        *(_too_far(unit, reason) for reason in turn_reasons(battle, action)),
        Reason(
            "TSE-ACT-80", battle.has(unit.id), f"{name}: {'on the table' if battle.has(unit.id) else 'still to come'}"
        ),
        Reason("TSE-ACT-93", kind.range is not None, f"{name}: {kind.family}; only infantry and artillery fire"),
        Reason("TSE-ACT-91", unit.status != "demoralized", f"{name}: {condition(unit)}"),
        Reason("TSE-ACT-50", unit.formation not in MUTE, f"{name}: in {words(unit.formation)}"),
    ]


def _too_far(unit: Unit, reason: Reason) -> Reason:
    """Return the reason, or for a unit that moved too far the rule that no shot follows such a move (TSE-CMB-02)."""
    if reason.holds or reason.rule != "TSE-TRN-07" or not unit.marks.get("moved_far"):
        return reason
    text = f"{unit.called} moved by more than half of what was allowed, and no shot follows such a move"
    return Reason("TSE-CMB-02", False, text, feature=unit.id)


def deployed_fire_reasons(battle: Battle, action: Action) -> list[Reason]:
    """Return whether it may deliver deployed fire: it must have been deployed before its action.

    Source: TSE-ACT-40, TSE-ACT-41.
    """
    unit = battle.anyone(str(action.unit))
    stood = unit.formation == "deployed" and not unit.marks.get("may_fire")
    text = f"{unit.called} {'stood' if stood else 'did not stand'} deployed before this action"
    return [*fire_reasons(battle, action), Reason("TSE-ACT-41", stood, text)]


def advancing_fire_reasons(battle: Battle, action: Action) -> list[Reason]:
    """Return whether it may deliver advancing fire: in column or square, or just deployed (TSE-ACT-50, TSE-CMB-01)."""
    unit = battle.anyone(str(action.unit))
    just = unit.formation != "deployed" or bool(unit.marks.get("may_fire"))
    text = f"{unit.called}: in {words(unit.formation)}{' since an earlier turn' if not just else ''}"
    return [*fire_reasons(battle, action), Reason("TSE-ACT-50", just, text)]


def assault_reasons(battle: Battle, action: Action) -> list[Reason]:
    """Return whether it may assault: in maneuver column, or deployed if linear infantry (TSE-ACT-60, TSE-ACT-94)."""
    unit = battle.anyone(str(action.unit))
    name, family = unit.called, troop(unit.troop).family
    fit = unit.formation == "maneuver-column" or (unit.formation == "deployed" and unit.linear and family == "infantry")
    return [
        *turn_reasons(battle, action),
        *standing_reasons(battle, unit),
        Reason("TSE-ACT-94", family in ("infantry", "cavalry"), f"{name}: {family}; only infantry and cavalry assault"),
        Reason(
            "TSE-ACT-60", fit, f"{name}: in {words(unit.formation)}{'' if fit else '; assaults are made in column'}"
        ),
    ]


def words(formation: str) -> str:
    """Return a formation as worded in a sentence."""
    return "line" if formation == "deployed" else formation.replace("-", " ") or "no formation"


def hold_reasons(battle: Battle, action: Action) -> list[Reason]:
    """Return whether it may hold: whenever it is its turn (TSE-ACT-01)."""
    return turn_reasons(battle, action)


#: The kinds of action in menu order, and the reasons that open or close each before any measuring (TSE-ACT-01..94).
MATRIX: Mapping[str, Reasons] = {
    "hold": hold_reasons,
    "general": general_reasons,
    "deploy": movement_reasons,
    "maneuver": movement_reasons,
    "march": movement_reasons,
    "route-march": route_reasons,
    "square": square_reasons,
    "deployed-fire": deployed_fire_reasons,
    "advancing-fire": advancing_fire_reasons,
    "assault": assault_reasons,
    "regroup": regroup_reasons,
}
