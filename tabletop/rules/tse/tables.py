"""The numbers of the rule set, read once from ``tables.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tabletop.rules.common.data import data_of, rows_of


@dataclass(frozen=True)
class Troop:
    """One kind of troops: family, base size and number, rough factor and ranges (lengths in inches at scale 1)."""

    name: str
    family: str
    base: tuple[float, float]
    depths: tuple[float, float]
    bases: tuple[int, int]
    rough_factor: int
    graded: bool
    range: float | None = None
    assault_reach: float | None = None
    linear_assault_reach: float | None = None


@cache
def tables() -> Mapping[str, Any]:
    """Return all of ``tables.toml``: the numbers of the rules, lengths in inches at scale 1.

    >>> sorted(tables()["angles"])[:2]
    ['behind', 'bend']
    """
    return data_of("tabletop.rules.tse", "tables.toml")


@cache
def troops() -> Mapping[str, Troop]:
    """Return every kind of troops by name, among them two of cavalry (TSE-UNI-09) and three of artillery (TSE-UNI-15).

    >>> len(troops()), troops()["heavy-cavalry"].family
    (8, 'cavalry')
    """
    return rows_of(Troop, tables()["troops"])


def troop(name: str) -> Troop:
    """Return one kind of troops; KeyError if unknown.

    >>> troop("infantry").family
    'infantry'
    """
    return troops()[name]


def length(name: str) -> float:
    """Return a length of the rules in inches at scale 1 (multiply by ``battle.scale``); KeyError if unknown.

    >>> length("zone"), length("command")
    (1.0, 6.0)
    """
    return float(tables()["lengths"][name])


def move_source(action: str) -> str:
    """Return where the base moves of an action come from: ``source`` (the rulebook) or ``reconstruction``.

    >>> move_source("maneuver")
    'reconstruction'
    """
    return str(tables()["move_sources"].get(action, "source"))


def base_move(troop_name: str, quality: str, action: str, flat: bool = False) -> float | None:
    """Return the base move in inches at scale 1; None if the troops lack the action (TSE-ACT-20, -70, TSE-ACT-80a..d).

    >>> base_move("infantry", "average", "maneuver"), base_move("infantry", "average", "assail")
    (6.0, None)
    """
    flat_moves = tables()["flat_maneuver"]
    if flat and action == "maneuver" and troop_name in flat_moves:
        return float(flat_moves[troop_name])
    rows = tables()["moves"][troop_name]
    inches = rows.get(quality, rows.get("any", {})).get(action)
    return None if inches is None else float(inches)
