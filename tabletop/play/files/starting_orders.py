"""The orders that units have when a battle begins: their own, or that of the general they are under."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.battle.progress import Objective
from tabletop.battle.unit import GENERAL, PERSONS
from tabletop.errors import Fault
from tabletop.geometry.terrain import Table
from tabletop.play.files.nearest_words import clip, did_you_mean
from tabletop.play.files.unit_rows import Entry, wrong_order
from tabletop.rules.rule_set import RuleSet


def hand_down(entries: Sequence[Entry], rules: RuleSet) -> None:
    """Give all who are under a general with an order, and have none of their own, his; officers have none.

    A faulty order is left with the general, where it is noted.
    """
    ordered = [entry for entry in entries if "order" in entry.values]
    orders = {entry.id: entry.values["order"] for entry in ordered if not any(wrong_order(entry, rules))}
    for entry in entries:
        his, troop = orders.get(str(entry.values.get("parent"))), entry.values.get("troop")
        if his is not None and "order" not in entry.values and (troop == GENERAL or troop not in PERSONS):
            entry.values = {**entry.values, "order": his}


def check_places(entries: Sequence[Entry], objectives: Sequence[Objective], table: Table, faults: list[Fault]) -> None:
    """Note each order that names a place which the battle does not have, once, where it is written."""
    for entry in entries:
        order = entry.values.get("order")
        text = misplaced(order, objectives, table) if order is not None else None
        if text is not None and entry.written("order"):
            faults.append(entry.fault("order", text))


def misplaced(order: Mapping[str, Any], objectives: Sequence[Objective], table: Table) -> str | None:
    """Return what is wrong with the place an order names, and the cure; None if it names none or one of the battle.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("causeway")
    >>> misplaced({"stance": "hold", "objective": "mil"}, battle.setup.objectives, battle.table)
    "there is no objective 'mil'; did you mean 'mill'?"
    """
    name, at = order.get("objective"), order.get("at")
    names = [objective.id for objective in objectives]
    if name is not None and name not in names:
        cure = did_you_mean(name, names) if names else "the scenario has none; give at: [x, y]"
        return f"there is no objective '{clip(name)}'; {cure}"
    if at is not None and not (0 <= at[0] <= table.width and 0 <= at[1] <= table.height):
        return "its point is off the table"
    return None
