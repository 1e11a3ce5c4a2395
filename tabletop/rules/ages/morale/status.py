"""The state a unit is in: order, disruption, rout, its marks, and its strength because of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.rules.ages.movement.layouts import SQUARE
from tabletop.rules.ages.tables import row

OK, DISRUPTED, ROUTING = "ok", "disrupted", "routing"

#: Marks a unit may carry, with what they mean.
MARKS = {
    "spent": "fraction of a move used this turn, what was carried over included",
    "debt": "fraction of its next move already used",
    "moved": "it made its move this turn",
    "charged": "turn of its last charge",
    "charging": "it charges this turn",
    "retreating": "it went back with its back turned: no attack, disrupted to whoever attacks it",
    "pursuing": "the enemy it pursues",
    "fired": "the enemy it fired at this turn",
    "fought": "it fought in this combat phase",
    "captured": "turn in which these guns were taken",
    "counted": "its first disruption has been counted, where later ones are not",
    "order": "the last order it understood",
    "carries": "the order a staff officer carries, and to whom",
}
#: How marks read on a unit's card.
SIGNS = {
    "spent": "{} of its move used",
    "debt": "{} of its next move used",
    "moved": "has moved",
    "charging": "charges",
    "charged": "charged in turn {}",
    "retreating": "went back with its back turned",
    "pursuing": "pursues {}",
    "fired": "fired at {}",
    "fought": "has fought",
    "captured": "taken in turn {}",
}
#: Marks that last for one player turn of the unit's side.
OF_A_TURN = ("spent", "moved", "charging", "fired", "fought")


def organised(unit: Unit) -> bool:
    """Return whether a unit is in order (ROC-EFF-01)."""
    return unit.status == OK


def steady(unit: Unit) -> bool:
    """Return whether a unit counts as in order for results: it is, and has not turned its back (ROC-MOV-06)."""
    return organised(unit) and not unit.marks.get("retreating")


def factor(unit: Unit, rulings: Mapping[str, Any] | None = None) -> int:
    """Return the strength of one of its bases as it stands now.

    The disrupted factor counts for disrupted and (unless ruled otherwise) routing units (ROC-CBT-03), for squares in
    any state (ROC-CBT-10), and for units with their backs turned (ROC-MOV-06).
    """
    figures, whole = row(unit), steady(unit)
    if rulings is not None and rulings["routing_factor"] == "normal":
        whole = whole or unit.status == ROUTING
    return figures.normal if whole and unit.formation != SQUARE else figures.disrupted


def strength(unit: Unit, rulings: Mapping[str, Any] | None = None) -> int:
    """Return a unit's strength: bases times factor (ROC-CBT-03)."""
    return unit.strength * factor(unit, rulings)


def just_taken(battle: Battle, gun: Unit) -> bool:
    """Return whether guns were captured this turn and are not used before their captor's next (ROC-ART-08)."""
    late = battle.rulings["captured_guns"] == "next-turn"
    return late and gun.marks.get("captured") is not None and gun.marks["captured"] == battle.clock.turn


def free(unit: Unit) -> bool:
    """Return whether a unit is under control: neither routing nor pursuing (ROC-RAL-05, ROC-CTL-01)."""
    return unit.status != ROUTING and not unit.marks.get("pursuing")
