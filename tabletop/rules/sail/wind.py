"""The wind, and how far it carries a ship."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.event import Remembered
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.rules.common.environment import Wind
from tabletop.rules.sail.ships import mast_points, tables

#: Degrees of a point of the wind, for each value of the ruling wind_point (SAIL-WND-03).
POINTS = {"eighth": 45.0, "sixteenth": 22.5}


def wind_of(battle: Battle) -> Wind:
    """Return the present wind; before the battle, the one the scenario sets (SAIL-WND-01, -05, -06)."""
    bounds = tables()["wind"]["slowest"], tables()["wind"]["fastest"]
    now = battle.memory.get("wind")
    if now is not None:
        return Wind(float(now["from"]), int(now["speed"]), *bounds)
    options = battle.setup.options
    return Wind(
        float(options.get("wind_from", 270)), int(options.get("wind_speed", tables()["wind"]["speed"])), *bounds
    )


def remember(unfolding: Unfolding, wind: Wind) -> None:
    """Record the wind by the direction it comes from and its speed (SAIL-WND-06)."""
    unfolding.happen(Remembered("wind", {"from": wind.source, "speed": wind.speed}))


def change(unfolding: Unfolding) -> None:
    """Throw for the wind's direction and for its speed (SAIL-WND-03, SAIL-WND-04, SAIL-WND-05)."""
    data, wind = tables()["wind"], wind_of(unfolding.battle)
    point = POINTS[str(unfolding.battle.rulings["wind_point"])]
    turn, force = unfolding.die("wind direction"), unfolding.die("wind speed")
    veer = point * ((turn in data["veer_on"]) - (turn in data["back_on"]))
    after = wind.changed(veer, (force in data["rise_on"]) - (force in data["drop_on"]))
    if after != wind:
        remember(unfolding, after)
    record = {"from": after.source, "speed": after.speed, "veer": veer, "rise": after.speed - wind.speed}
    unfolding.tell("wind", record, rules=("SAIL-WND-03", "SAIL-WND-04"))


def point_of_sail(angle: float, rulings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the row for an angle off the wind (degrees, 0..180): its name, and what it adds to the wind's speed.

    SAIL-MOV-02..05. The ruling near_running makes 157.5 degrees count as running, or as 135.
    """
    if rulings.get("near_running") == "reaching" and 135.0 < angle < 180.0:
        angle = 135.0
    row: Mapping[str, Any] = next(row for row in tables()["points_of_sail"] if angle <= row["upto"] + 1e-9)
    return row


def in_irons(battle: Battle, heading: float) -> bool:
    """Return whether a heading points straight into the wind, so that no ship can go ahead on it (SAIL-MOV-05)."""
    return wind_of(battle).off(heading) < 1e-9


def allowance(battle: Battle, ship: Unit) -> float:
    """Return how many cm a ship may go in a move, from its heading at the start (SAIL-MOV-01, -07, -08, -12).

    It is 0 without masts, as the ship then drifts. With the wind straight ahead it is the least move of 1 cm, in which
    the ship may turn (SAIL-MOV-05).
    """
    masts, least = mast_points(ship), float(tables()["movement"]["least"])
    if not masts:
        return 0.0
    wind = wind_of(battle)
    if in_irons(battle, ship.facing):
        return least
    adds = int(point_of_sail(wind.off(ship.facing), battle.rulings)["adds"])
    return max(least, float(masts * (wind.speed + adds)))
