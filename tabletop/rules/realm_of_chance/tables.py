"""The numbers of the rule set, read once from ``tables.toml``, ``armies.toml`` and ``odds.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tabletop.battle.unit import Unit
from tabletop.rules.common.data import data_of, rows_of

INFANTRY, CAVALRY, ARTILLERY = "infantry", "cavalry", "artillery"


@dataclass(frozen=True)
class Troop:
    """One kind of troops: arm, base (frontage, depth, mm), least and most bases, fire table, a person's speed (mm)."""

    name: str
    arm: str
    base: tuple[float, float]
    bases: tuple[int, int]
    fire: str = ""
    speed: float | None = None

    @property
    def fights(self) -> bool:
        """False for generals and staff officers, who have no strength of their own (ROC-SCA-04, ROC-ORD-03)."""
        return self.speed is None


@dataclass(frozen=True)
class Row:
    """One row of the national army tables: strength of a base, rally throw, and moves in mm (ROC-EFF-01)."""

    nation: str
    normal: int
    disrupted: int
    rally: int
    move: float
    difficult: float
    road: float
    charge: float


@cache
def _read(name: str) -> Mapping[str, Any]:
    return data_of("tabletop.rules.realm_of_chance", name)


def tables() -> Mapping[str, Any]:
    """Return all of ``tables.toml``."""
    return _read("tables.toml")


def printed_odds() -> Mapping[str, Any]:
    """Return the odds table as printed (ROC-ODD-01, ROC-ODD-02)."""
    return _read("odds.toml")


@cache
def troops() -> Mapping[str, Troop]:
    """Return every kind of troops by name, generals and staff officers among them."""
    return rows_of(Troop, tables()["troops"])


@cache
def rows() -> Mapping[tuple[str, str], Row]:
    """Return the rows of the army tables by (troop, quality) (ROC-EFF-01)."""
    data = _read("armies.toml")
    names = data["columns"]
    return {
        (troop, quality): Row(_nation(troop, quality), **dict(zip(names, figures, strict=True)))
        for troop, section in data.items()
        if troop != "columns"
        for quality, figures in section.items()
    }


def _nation(troop: str, quality: str) -> str:
    """Return the nation of a quality: infantry's is "nation-class", that of other arms the nation alone."""
    nations = sorted({q for t, q in _qualities() if t != INFANTRY}, key=len, reverse=True)
    return next(nation for nation in nations if quality == nation or quality.startswith(f"{nation}-"))


@cache
def _qualities() -> tuple[tuple[str, str], ...]:
    return tuple((t, q) for t, section in _read("armies.toml").items() if t != "columns" for q in section)


def row(unit: Unit) -> Row:
    """Return a unit's row of the army tables; KeyError for generals and staff officers."""
    return rows()[unit.troop, unit.quality]


def arm(unit: Unit) -> str:
    """Return a unit's arm: infantry, cavalry, artillery, general or staff."""
    return troops()[unit.troop].arm


def length(name: str) -> float:
    """Return a length of the rules in mm."""
    return float(tables()["lengths"][name])
