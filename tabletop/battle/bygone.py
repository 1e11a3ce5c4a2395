"""Past battles keep only their own data; everything computed from it is dropped and computed again on demand.

A game keeps the battle after every action. Units that did not move are the same objects in all of them, but a unit that
did exists once for each place it left, and the cached shapes would be most of the memory of a long game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit


def let_go(past: Battle, after: Battle) -> None:
    """Drop what was computed about ``past``, except for units and bases that are the same objects in ``after``."""
    kept_ids = {id(part) for unit in _everybody(after) for part in (unit, *unit.bases)}
    old_parts = (part for unit in _everybody(past) if id(unit) not in kept_ids for part in (unit, *unit.bases))
    for part in (past, *(part for part in old_parts if id(part) not in kept_ids)):
        _bare(part)


def _everybody(battle: Battle) -> Iterator[Unit]:
    yield from battle.units
    yield from battle.awaited
    yield from (fallen.unit for fallen in battle.fallen)


def _bare(value: Any) -> None:
    """Remove everything but its fields from a frozen value."""
    own = {field.name for field in fields(value)}
    for name in [name for name in list(vars(value)) if name not in own]:
        vars(value).pop(name, None)
