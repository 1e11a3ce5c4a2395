"""The state of a unit: order, disruption or rout, its marks, and the strength that results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.verdict import Reason
from tabletop.rules.ages.movement.layouts import SQUARE
from tabletop.rules.ages.tables import profile_of, row, tables, troop_of

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
    "retiring": "it goes back each turn until it is rallied",
    "fired": "the enemy it fired at this turn",
    "fought": "it fought in this combat phase",
    "captured": "turn in which these guns were taken",
    "contacts": "the enemies it came into contact with this turn, where that changes its strength",
    "neared": "the squares it came within reach of this turn, where it attacks them from afar",
    "met": "the turn in which it last left or came into contact, by enemy",
    "tested": "the turn in which a general was last under fire",
    "shaken": "the turn in which a general under fire is of no help",
    "exposed": "it was fired at or attacked since its last rally phase",
    "counted": "its first disruption has been counted, where later ones are not",
    "abandoned": "its crew has run, and nobody serves it",
    "order": "the last order it understood",
    "order_goal": "the place that order names: an objective or a point",
    "carries": "the order a staff officer carries, and to whom",
    "lost_before": "how many bases it lost before the battle",
}
#: How marks are worded on a unit's card.
SIGNS = {
    "spent": "{} of its move used",
    "debt": "{} of its next move used",
    "moved": "has moved",
    "charging": "charges",
    "charged": "charged in turn {}",
    "retreating": "went back with its back turned",
    "pursuing": "pursues {}",
    "retiring": "retires until it is rallied",
    "fired": "fired at {}",
    "fought": "has fought",
    "captured": "taken in turn {}",
    "abandoned": "its crew has run",
}
#: Marks that last for one player turn of the unit's side.
OF_A_TURN = ("spent", "moved", "charging", "fired", "fought", "contacts", "neared")


def organised(unit: Unit) -> bool:
    """Return whether a unit is in order (ROC-EFF-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> organised(open_battle("drill-ground").unit("hussars"))
    True
    """
    return unit.status == OK


def steady(unit: Unit) -> bool:
    """Return whether a unit counts as in order for results: it is in order and has not turned its back (ROC-MOV-06).

    >>> from dataclasses import replace
    >>> from tabletop.play.files.opened import open_battle
    >>> unit = open_battle("drill-ground").unit("hussars")
    >>> steady(unit), steady(replace(unit, marks={"retreating": True}))
    (True, False)
    """
    return organised(unit) and not unit.marks.get("retreating")


def factor(unit: Unit, rulings: Mapping[str, Any] | None = None, enemy: str = "") -> int:
    """Return the present strength of each of a unit's bases, the same for all whatever the distance (AGE-CBT-05).

    The disrupted factor applies to disrupted and (unless ruled otherwise) routing units (ROC-CBT-03), to squares in any
    state (ROC-CBT-10), and to units with their backs turned (ROC-MOV-06). Lancers have the factors of other troops
    against an ``enemy`` they came into contact with this turn (DES-CAV-02).
    """
    whole, troop = steady(unit), troop_of(unit)
    charged = bool(troop.contact) and enemy in unit.marks.get("contacts", ())
    figures = profile_of(unit).rows[troop.contact, unit.quality] if charged else row(unit)
    if rulings is not None and rulings["routing_factor"] == "normal":
        whole = whole or unit.status == ROUTING
    return figures.normal if whole and unit.formation != SQUARE else figures.disrupted


def strength(unit: Unit, rulings: Mapping[str, Any] | None = None, enemy: str = "") -> int:
    """Return a unit's strength, bases times factor, against an ``enemy`` if that makes a difference.

    All its bases count, wherever they stand (ROC-CBT-03, AGE-CBT-05).

    >>> from dataclasses import replace
    >>> from tabletop.play.files.opened import open_battle
    >>> unit = open_battle("drill-ground").unit("cuirassiers")
    >>> strength(unit), strength(replace(unit, status="disrupted"))
    (32, 16)
    """
    return unit.strength * factor(unit, rulings, enemy)


def just_taken(battle: Battle, gun: Unit) -> bool:
    """Return whether guns were captured too recently for their captor to use them (ROC-ART-08).

    >>> from dataclasses import replace
    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> just_taken(battle, replace(battle.unit("horse-guns"), marks={"captured": 0}))
    True
    """
    captured_on = gun.marks.get("captured")
    if captured_on is None or battle.rulings.get("captured_guns") == "at-once":
        return False
    return bool(battle.clock.turn - captured_on <= int(tables(gun).get("guns", {}).get("delay", 0)))


def free(unit: Unit) -> bool:
    """Return whether a unit is in hand: not routing, pursuing or retiring (ROC-RAL-05, ROC-CTL-01, AGE-RES-09).

    >>> from dataclasses import replace
    >>> from tabletop.play.files.opened import open_battle
    >>> unit = open_battle("drill-ground").unit("hussars")
    >>> free(unit), free(replace(unit, marks={"pursuing": "french-3"}))
    (True, False)
    """
    return unit.status != ROUTING and not unit.marks.get("pursuing") and not unit.marks.get("retiring")


def abandoned(gun: Unit) -> bool:
    """Return whether the crew of a battery has run (SQP-TST-08).

    >>> from dataclasses import replace
    >>> from tabletop.play.files.opened import open_battle
    >>> gun = open_battle("drill-ground").unit("horse-guns")
    >>> abandoned(gun), abandoned(replace(gun, marks={"abandoned": True}))
    (False, True)
    """
    return bool(gun.marks.get("abandoned"))


def served(gun: Unit) -> tuple[Reason, ...]:
    """Return a reason against using a battery that nobody serves; empty for any other unit (SQP-TST-08).

    >>> from dataclasses import replace
    >>> from tabletop.play.files.opened import open_battle
    >>> gun = open_battle("drill-ground").unit("horse-guns")
    >>> served(gun), served(replace(gun, marks={"abandoned": True}))[0].text
    ((), 'the crew of Horse guns has run; bring a friendly unit to it')
    """
    text = f"the crew of {gun.called} has run; bring a friendly unit to it"
    return (Reason("SQP-TST-08", False, text),) if abandoned(gun) else ()
