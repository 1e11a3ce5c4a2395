"""Battles that have gone by hold only what they are; what was worked out about them is worked out again if looked at.

A game keeps the battle after every action. Units that did not move are the same in all of them; those that did stand
there once more with each place they left, and their shapes would be most of what a long game holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit


def let_go(past: Battle, after: Battle) -> None:
    """Let go of what was worked out about ``past``, except about units and bases that are the same in ``after``."""
    kept = {id(part) for unit in _everybody(after) for part in (unit, *unit.bases)}
    gone = (part for unit in _everybody(past) if id(unit) not in kept for part in (unit, *unit.bases))
    for part in (past, *(part for part in gone if id(part) not in kept)):
        _bare(part)


def _everybody(battle: Battle) -> Iterator[Unit]:
    yield from battle.units
    yield from battle.awaited
    yield from (fallen.unit for fallen in battle.fallen)


def _bare(value: Any) -> None:
    """Leave a frozen value nothing but its fields."""
    own = {field.name for field in fields(value)}
    for name in [name for name in list(vars(value)) if name not in own]:
        vars(value).pop(name, None)
