"""The order in which the computer considers units and groups: by place, or as arrivals list them, never by name."""

from __future__ import annotations

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.rules.common.by_place import by_place
from tabletop.rules.tse.turn.sequence import group_of, groups, idle


def idle_in_order(battle: Battle, side: str, group: str | None = None) -> list[Unit]:
    """Return the units that have not acted: those on the table by place, then those to come as arrivals list them."""
    anybody = idle(battle, side, group)
    listed = [name for arrival in battle.arrivals for name in arrival.units]
    coming = sorted((u for u in anybody if not battle.has(u.id)), key=lambda u: listed.index(u.id))
    return [*by_place(battle, (u for u in anybody if battle.has(u.id))), *coming]


def groups_in_order(battle: Battle) -> list[str]:
    """Return the groups the side to move may choose from, in the order of their first units."""
    side, open_to = battle.clock.side, groups(battle)
    named = dict.fromkeys(group_of(battle, unit) for unit in (idle_in_order(battle, side) if side else ()))
    return [group for group in named if group in open_to]
