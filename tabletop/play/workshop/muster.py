"""Armies made by hand at the workshop: the cost of units, places for new ones, armies taken from the library.

Points are those of the quick battle (``quick_battle/forces.py``), which are the program's own and not from a rulebook.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.lengths import PER_INCH
from tabletop.battle.unit import PERSONS
from tabletop.errors import BadQuestion
from tabletop.play.files.draft import Draft, Row
from tabletop.play.quick_battle import forces
from tabletop.play.quick_battle.deployment import Ground, deployed
from tabletop.play.quick_battle.forces import Force
from tabletop.rules import rule_set


def roster(draft: Draft, side: str) -> list[Row]:
    """Return the units of a side in the order of their rows, but with every general before those he commands."""
    own = [row for row in draft.units if row["side"] == side]
    names = {row["id"] for row in own}
    under: dict[str, list[Row]] = {}
    for row in own:
        parent = row.get("parent")
        under.setdefault(str(parent) if parent in names and parent != row["id"] else "", []).append(row)
    ordered: list[Row] = []
    stack = list(reversed(under.get("", [])))
    while stack:
        row = stack.pop()
        ordered.append(row)
        stack += reversed(under.get(str(row["id"]), []))
    return [*ordered, *(row for row in own if row not in ordered)]


def depth(draft: Draft, row: Row) -> int:
    """Return the number of generals of its own side above a unit in the chain of command."""
    by_id = {each["id"]: each for each in draft.units}
    count, now = 0, row
    while count < 8 and now.get("parent") in by_id:
        now, count = by_id[now["parent"]], count + 1
    return count


def cost(row: Row, rules: str) -> float:
    """Return the points of a unit; generals cost none."""
    return forces.points_of(row, rule_set.find(rules))


def total(draft: Draft, side: str) -> float:
    """Return the points of a side."""
    return sum(cost(row, draft.rules) for row in draft.units if row["side"] == side)


def library(rules: str) -> list[Force]:
    """Return the armies that come with the program for a rule set."""
    return [force for force in forces.forces() if force.rules == rules]


# --- new units on the table ------------------------------------------------------------------------------------------


def added(draft: Draft, battle: Battle, row: Row) -> Draft:
    """Return the draft with a new unit, deployed behind its side's front; BadQuestion if there is no room."""
    side = str(row["side"])
    ground = _ground(draft, battle, side)
    placed = deployed([row], side, ground)
    return draft.with_rows(units=placed)


def taken_over(draft: Draft, battle: Battle, force: Force, side: str, points: float | None) -> Draft:
    """Return the draft with a side's units replaced by an army of the library, cut or filled to ``points``."""
    without_side = replace(draft, units=tuple(row for row in draft.units if row["side"] != side))
    rows = _own_ids(forces.ready(force, points), without_side)
    others = replace(battle, units=tuple(unit for unit in battle.units if unit.side != side))
    placed = deployed(rows, side, _ground(draft, others, side))
    return replace(without_side, units=(*without_side.units, *placed))


def _own_ids(rows: Sequence[Row], draft: Draft) -> list[Row]:
    """Return rows with ids that are not yet used in a draft."""
    names = {str(row["id"]): str(row["id"]) for row in rows}
    for name in names:
        if draft.has(name):
            names[name] = next(new for k in range(2, 1000) if not draft.has(new := f"{name}-{k}") and new not in names)
    renamed: list[Row] = []
    for row in rows:
        changed: Mapping[str, Any] = {key: names.get(row[key], row[key]) for key in ("id", "parent") if key in row}
        renamed.append({**row, **changed})
    return renamed


def _ground(draft: Draft, battle: Battle, side: str) -> Ground:
    """Return the ground for deploying a side (the first from the south), with the places of all units taken."""
    rules = rule_set.find(draft.rules)
    ground = Ground(battle.table, rules, PER_INCH[rules.unit], _north(draft, battle, side))
    ground.taken.extend(shapely.box(*unit.footprint.bounds) for unit in battle.units)
    return ground


def _north(draft: Draft, battle: Battle, side: str) -> bool:
    """Return whether a side deploys in the north: where its units are, or opposite the others if it has none."""
    own = [unit.at[1] for unit in battle.units if unit.side == side]
    others = [unit.at[1] for unit in battle.units if unit.side != side]
    middle = battle.table.height / 2
    if own:
        return sum(own) / len(own) > middle
    return (
        sum(others) / len(others) < middle if others else draft.sides.index(side) > 0 if side in draft.sides else False
    )


def named_row(draft: Draft, row: Row, side: str, parent: str = "") -> Row:
    """Return a new unit's row with an unused id and a name, under the general ``parent`` unless it is a person."""
    stem = f"{side}-{row['troop']}"
    name = draft.fresh(stem)
    spoken = name.replace("-", " ").capitalize()
    above = {"parent": parent} if parent and row["troop"] not in PERSONS else {}
    return {"id": name, "name": spoken, "side": side, **above, **row}


def lone_general(draft: Draft, side: str) -> str:
    """Return the id of the only general of a side, "" if there is none or more than one."""
    generals = [str(row["id"]) for row in draft.units if row["side"] == side and row["troop"] in PERSONS]
    return generals[0] if len(generals) == 1 else ""


def checked_limit(points: float | None) -> float | None:
    """Return a points limit unchanged; BadQuestion if no army can be made for it."""
    if points is not None and not forces.LEAST <= points <= forces.MOST:
        raise BadQuestion(f"an army of {points:g} points cannot be made; give from {forces.LEAST} to {forces.MOST}")
    return points
