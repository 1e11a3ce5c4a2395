"""Guns beside infantry stay in contact with it when it forms square."""

from __future__ import annotations

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.movement.configuration_space import obstacle
from tabletop.rules.tse.tables import troop


def guns_kept_in_contact(battle: Battle, before: Unit, square: Unit) -> tuple[Unit, ...]:
    """Return the batteries that touched the infantry ``before``, moved so that they touch it as a ``square``.

    Each is translated by the shortest vector that brings it into contact without overlap; it keeps its formation and
    facing (TSE-ACT-31).
    """
    guns = [f for f in battle.friends(before) if troop(f.troop).family == "artillery"]
    return tuple(_to_contact(g, square) for g in guns if battle.tape.touches(distance_between(g, before)))


def _to_contact(guns: Unit, square: Unit) -> Unit:
    """Return guns moved by the shortest translation into contact: to the nearest point of the Minkowski sum's edge."""
    meeting = obstacle(guns.bases, square.footprint)
    nearest = shapely.shortest_line(shapely.Point(0.0, 0.0), shapely.boundary(meeting))
    dx, dy = shapely.get_coordinates(nearest)[-1].tolist()
    return guns.moved(dx, dy)
