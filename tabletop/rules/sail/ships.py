"""Ships and their boxes: classes, what is left of each ship, and making one from its entry in a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.measure import snap_facing, snap_point
from tabletop.rules.common.banded import band
from tabletop.rules.common.courses import Steering
from tabletop.rules.common.data import data_of, rows_of
from tabletop.rules.common.entry import names, number, pair, place, whole, without, word
from tabletop.rules.common.vessel import Vessel
from tabletop.rules.rule_set import MusterError

HERE = "tabletop.rules.sail"
PORT, STARBOARD = "port", "starboard"
SIDES = (PORT, STARBOARD)
MASTS = ("fore", "main", "mizzen")
OK, ANCHORED, STRUCK = "ok", "anchored", "struck"
#: The only formation of a ship.
SAILING = "sailing"
USELESS = ("front", "bend", "track", "reference", "linear", "rank", "parent", "front_mid", "strength_override")


@dataclass(frozen=True)
class ShipClass:
    """A kind of ship: gun decks on each side, points of each mast from fore to mizzen, hull boxes (SAIL-REC-01)."""

    name: str
    decks: int
    masts: tuple[int, ...]
    hull: int


@cache
def tables() -> Mapping[str, Any]:
    """Return the numbers of the rules."""
    return data_of(HERE, "tables.toml")


@cache
def classes() -> Mapping[str, ShipClass]:
    """Return the classes of ships by name, two of which stand in for lost record sheets (SAIL-REC-01, SAIL-REC-03)."""
    return rows_of(ShipClass, tables()["ship"])


@cache
def steering() -> Steering:
    """Return how ships turn: by points, with 1 cm ahead before each (SAIL-MOV-11)."""
    rows = tables()["movement"]
    return Steering(float(rows["point"]), float(rows["advance"]))


def hit_row(battle: Battle, far: float) -> Mapping[str, Any] | None:
    """Return the row of the hit table for a distance in cm; None beyond the last (SAIL-FIR-03)."""
    rows = tables()["hit"]
    number = band(battle.tape, [row["upto"] for row in rows], far)
    return None if number is None else rows[number]


def muster(entry: Mapping[str, Any], rulings: Mapping[str, Any]) -> Unit:
    """Return the ship described by ``entry``, its place snapped to the grid, with all its boxes (SAIL-REC-01, -03).

    Raises MusterError naming the first key at fault. A heading must be one of the sixteen points (SAIL-MOV-11).
    """
    kind = classes()[word(entry, "troop", classes())]
    without(entry, USELESS)
    facing, point = snap_facing(number(entry, "facing")), float(tables()["movement"]["point"])
    if facing % point:
        near = round(facing / point) * point % 360.0
        raise MusterError("facing", f"{facing:g} is none of the sixteen points; the nearest is {near:g}")
    x, y = snap_point(place(entry, "at"))
    whole(entry, "bases", 1, 1, 1)
    size = float(tables()["base"]["beam"]), float(tables()["base"]["length"])
    if entry.get("base") is not None and pair("base", entry["base"]) != size:
        raise MusterError("base", f"a ship is {size[0]:g} wide and {size[1]:g} long; leave base out")
    base = Base(x, y, facing, *size)
    quality = word({**entry, "quality": entry.get("quality") or None}, "quality", tables()["quality"], "full")
    decks = kind.decks - int(tables()["quality"][quality]["decks_lost"])
    return Unit(
        **names(entry),
        troop=kind.name,
        bases=(base,),
        facing=facing,
        formation=word(entry, "formation", (SAILING,), SAILING),
        quality="" if quality == "full" else quality,
        front_bases=(0,),
        status=word(entry, "status", (OK, ANCHORED, STRUCK), OK),
        marks={PORT: decks, STARBOARD: decks, "masts": (1,) * len(kind.masts), "hull": kind.hull},
        rules="sail",
    )


def vessel(ship: Unit) -> Vessel:
    """Return how a ship looks from above, with the masts and gun ports it has left."""
    kind = classes()[ship.troop]
    masts = tuple(float(worth * stands) for worth, stands in zip(kind.masts, ship.marks["masts"], strict=True))
    ports = (decks(ship, PORT), kind.decks), (decks(ship, STARBOARD), kind.decks)
    furled = ship.status == ANCHORED or bool(ship.marks.get("aground"))
    return Vessel(masts, ports, furled, bool(ship.marks.get("afire")), ship.status != STRUCK)


# --- what is left of a ship ------------------------------------------------------------------------------------------


def decks(ship: Unit, side: str) -> int:
    """Return the gun decks left on one side."""
    return int(ship.marks.get(side, 0))


def all_decks(ship: Unit) -> int:
    """Return the gun decks left on both sides, which are its dice in boarding (SAIL-REC-02)."""
    return decks(ship, PORT) + decks(ship, STARBOARD)


def standing_masts(ship: Unit) -> tuple[int, ...]:
    """Return the numbers of the standing masts, from fore to mizzen."""
    return tuple(k for k, stands in enumerate(ship.marks.get("masts", ())) if stands)


def mast_points(ship: Unit) -> int:
    """Return the total points of the standing masts (SAIL-MOV-06, SAIL-MOV-08)."""
    worth = classes()[ship.troop].masts
    return sum(worth[k] for k in standing_masts(ship))


def hull(ship: Unit) -> int:
    """Return the hull boxes left."""
    return int(ship.marks.get("hull", 0))


def boxes(ship: Unit) -> int:
    """Return all boxes left: decks, masts and hull; for a ship that was taken, only the decks manned since."""
    if ship.marks.get("taken"):
        return all_decks(ship)
    return all_decks(ship) + len(standing_masts(ship)) + hull(ship)


def manned(ship: Unit) -> bool:
    """Return whether a crew sails and fights the ship: it has not struck and is no unmanned prize (SAIL-BRD-03)."""
    return ship.status != STRUCK and not ship.marks.get("prize")


def armed(ship: Unit) -> bool:
    """Return whether the ship has a crew and a gun deck."""
    return manned(ship) and all_decks(ship) > 0


def wreck(ship: Unit) -> bool:
    """Return whether the ship has neither decks nor hull boxes left (SAIL-FIR-11)."""
    return all_decks(ship) == 0 and hull(ship) == 0
