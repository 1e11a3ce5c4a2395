"""Scenes for the tests of movement: a table 200 wide and high, a mover at its middle, pieces placed about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Table, Terrain
from tabletop.geometry.verdict import Verdict
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.movement.judge import move
from tabletop.rules.tse.muster import muster
from tabletop.rules.tse.rule_set import RULES

O = 100.0
RULINGS = RULES.ruling_values()


def unit(id: str = "a", *, side: str = "red", troop: str = "infantry", n: int = 4, **keys: Any) -> Unit:  # noqa: A002
    """Return a maneuver column centred on the origin, facing north, unless said; places are from the origin."""
    entry: dict[str, Any] = {"id": id, "side": side, "troop": troop, "bases": n, "formation": "maneuver-column"}
    entry |= {"facing": 0.0, **keys}
    place = "front_mid" if "front_mid" in entry else "at"
    x, y = entry.get(place, (0.0, 0.0))
    return muster({**entry, place: (O + x, O + y)}, RULINGS)


def general(x: float = 0.0, y: float = 0.0, side: str = "red") -> Unit:
    return muster({"id": "a", "side": side, "troop": "general", "rank": "corps", "at": (O + x, O + y)}, RULINGS)


def piece(kind: str, outline: Sequence[tuple[float, float]], id: str = "piece") -> Terrain:  # noqa: A002
    return Terrain.of_kind(id, kind, outline=[(O + x, O + y) for x, y in outline])


def box(x0: float, x1: float, y0: float, y1: float, kind: str = "rough", id: str = "piece") -> Terrain:  # noqa: A002
    return piece(kind, [(x0, y0), (x1, y0), (x1, y1), (x0, y1)], id)


def drawn(kind: str, line: Sequence[tuple[float, float]], id: str = "line", **keys: Any) -> Terrain:  # noqa: A002
    return Terrain.of_kind(id, kind, line=[(O + x, O + y) for x, y in line], **keys)


def battle(*units: Unit, terrain: Sequence[Terrain] = (), **rulings: Any) -> Battle:
    return Battle.of("tse", Table.of("in", 2 * O, 2 * O, terrain), units, RULES.ruling_values(rulings))


def by_path(scene: Battle, *path: tuple[float, float], **options: Any) -> Verdict:
    """Return the verdict on moving unit ``a`` along a path given from the origin; ``as_`` is the action."""
    wanted = {"path": [(O + x, O + y) for x, y in path], **options}
    if "as_" in wanted:
        wanted["as"] = wanted.pop("as_")
    return move(scene, Request("move", ("a",), wanted))


def to(scene: Battle, x: float, y: float, **options: Any) -> Verdict:
    """Return the verdict on the cheapest way to a place given from the origin."""
    wanted = {"to": (O + x, O + y), **options}
    if "as_" in wanted:
        wanted["as"] = wanted.pop("as_")
    return move(scene, Request("move", ("a",), wanted))


def rules_against(verdict: Verdict) -> list[str]:
    return [reason.rule for reason in verdict.because if not reason.holds]
