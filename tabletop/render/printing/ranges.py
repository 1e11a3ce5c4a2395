"""The ranges of a battle's troops, as the judge answers them, for templates and range sticks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.terrain import Table
from tabletop.judge import ask

#: The question about a field of fire, and the side of the bare table (table units) on which it is asked.
FIELD, BARE = "field", 8000.0


def ranges(battle: Battle) -> Mapping[str, tuple[float, ...]]:
    """Return the ends of the ranges of each kind of troops that shoots, nearest first, in table units.

    A unit of each kind is judged alone on bare ground, so the answer has the rules' own numbers.
    """
    kinds: dict[str, Unit] = {}
    for unit in (*battle.units, *battle.awaited):
        kinds.setdefault(unit.troop, unit)
    ends_by_troop = {troop: _of(battle, unit) for troop, unit in sorted(kinds.items())}
    return {troop: ends for troop, ends in ends_by_troop.items() if ends}


def _of(battle: Battle, unit: Unit) -> tuple[float, ...]:
    table = battle.table
    middle = BARE / 2
    lone = unit.moved(middle - unit.at[0], middle - unit.at[1])
    bare = Table.of(table.unit, BARE, BARE, (), table.scale)
    try:
        verdict = ask(replace(battle, table=bare, units=(lone,), awaited=()), FIELD, (lone.id,))
    except BadQuestion:  # troops that neither shoot nor fight, or rules without fields of fire
        return ()
    far = verdict.measured.get("range")
    labels = (shape.label for shape in verdict.shapes)
    ends = {float(label) for label in labels if label.replace(".", "", 1).isdigit()}
    if isinstance(far, (int, float)):
        ends.add(float(far))
    return tuple(sorted(ends)) if far is not None else ()
