"""Guns that are overrun: they change sides, are crewed and set aside."""

from __future__ import annotations

from typing import Any

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.event import Changed, Lost, Placed
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, pose_of
from tabletop.geometry.measure import Point
from tabletop.rules.ages.morale.status import OK, ROUTING, abandoned
from tabletop.rules.ages.movement.layouts import fewer
from tabletop.rules.ages.movement.motion import stands_clear
from tabletop.rules.ages.tables import length, tables
from tabletop.rules.ages.turn import losses


def capture_guns(unfolding: Unfolding, gun: str, by: str) -> None:
    """Capture guns passed through: they change sides and are set aside, usable from the next turn (ROC-ART-08)."""
    battle, guns, captor = unfolding.battle, unfolding.unit(gun), unfolding.unit(by)
    losses.report(unfolding, guns, "gun", 1)
    marks = {"captured": battle.clock.turn, "fired": None, "spent": None, "debt": None, "colour": _colour(captor)}
    marks |= {"abandoned": None} if abandoned(guns) else {}
    marks |= {"retiring": None} if guns.marks.get("retiring") else {}
    status = OK if guns.status == ROUTING else None
    unfolding.happen(Changed(gun, side=captor.side, status=status, marks=marks))
    unfolding.happen(Placed(gun, pose_of(set_aside(unfolding.battle, unfolding.unit(gun), captor)), how="captured"))
    _crew(unfolding, captor.id, guns.at)


def _crew(unfolding: Unfolding, captor: str, guns: Point) -> None:
    """Take a base from the captor to crew the captured guns, but never his last one (AGE-ART-08).

    It does not count as a loss, since its men are still on the table. Rule sets without this rule take none.
    """
    unit = unfolding.unit(captor)
    bases = min(int(tables(unit).get("guns", {}).get("crew", 0)), unit.strength - 1)
    if bases > 0:
        unfolding.happen(Lost(captor, bases, pose_of(fewer(unit, guns))))
        unfolding.tell("crew", {"bases": bases}, captor, rules=("AGE-ART-08",))


def _colour(unit: Unit) -> Any:
    return unit.marks.get("colour")


def set_aside(battle: Battle, gun: Unit, captor: Unit) -> Unit:
    """Return captured guns where they overlap no unit: where they were, else behind their captor (ruling).

    If there is no room behind him they stand beside or in front of him.
    """
    others = [u for u in battle.units if u.id != gun.id and not u.is_general]
    faced = gun.turned((captor.facing - gun.facing) % 360.0)
    f = captor.forward
    r = (f[1], -f[0])
    low = shapely.get_coordinates(captor.footprint) @ list(f)
    back = float(min(low)) - faced.bases[0].depth / 2 - length(battle, "contact")  # type: ignore[union-attr]
    across = captor.at[0] * r[0] + captor.at[1] * r[1]
    tries = [gun]
    for row in (*range(30), *range(-1, -30, -1)):
        for aside in (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5):
            ahead, side = back - 10.0 * row, across + 20.0 * aside
            x, y = ahead * f[0] + side * r[0], ahead * f[1] + side * r[1]
            tries.append(faced.moved(x - faced.at[0], y - faced.at[1]))
    return next((t for t in tries if stands_clear(battle, t, others)), gun)
