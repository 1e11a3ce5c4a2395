"""Generals overrun by the enemy, and generals attached to units, who move with them (TSE-LDR)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.battle.event import Placed, Removed
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, distance_between, outline, pose_of, radius
from tabletop.geometry.measure import SAME_PLACE, Point
from tabletop.geometry.movement.ground import ground_of
from tabletop.rules.common.by_place import place_of
from tabletop.rules.tse.calculator import model
from tabletop.rules.tse.movement.motion import PlannedMove
from tabletop.rules.tse.movement.zone_of_control import zone_width

#: Segments per quarter circle of the ground a general must stay out of; ``HAIR`` widens it to make up for the chords.
SEGMENTS = 32
HAIR = 1e-3


def attached_to(battle: Battle, general: Unit) -> Unit | None:
    """Return the unit a general is attached to because he touches it; of several the first by place (TSE-LDR-06)."""
    if not _attach(battle):
        return None
    touching = (f for f in battle.friends(general) if battle.tape.touches(distance_between(general, f)))
    return min(touching, key=lambda unit: place_of(battle, unit), default=None)


def attached(battle: Battle, unit: Unit) -> tuple[Unit, ...]:
    """Return the generals attached to a unit (TSE-LDR-06).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> attached(battle, battle.unit("arnaud"))
    ()
    """
    own = (g for g in battle.units if g.is_general and g.side == unit.side and _attach(battle))
    return tuple(g for g in own if battle.tape.touches(distance_between(g, unit)))


def remarks(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """Return the remarks for a unit's card: whom a general is attached to, or the generals with a unit (TSE-LDR-06).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> remarks(battle, battle.unit("arnaud"))
    ()
    """
    if unit.is_general:
        host = attached_to(battle, unit)
        return () if host is None else (f"attached to {host.called}",)
    return tuple(f"{general.called} is with it" for general in attached(battle, unit))


def _attach(battle: Battle) -> bool:
    """Return whether generals can be attached, by the ruling ``attached_general`` (TSE-LDR-06)."""
    return bool(battle.rulings["attached_general"] != "never")


def accompany(unfolding: Unfolding, generals: Iterable[Unit], dx: float, dy: float) -> None:
    """Move generals by (dx, dy), in table units, along with their unit, which was driven back (TSE-LDR-06).

    A general who may not stand there goes to the nearest place where he may (TSE-LDR-05, TSE-LDR-08).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("general-at-six-inches"))
    >>> accompany(unfolding, [unfolding.unit("picton")], 0.0, -1.0)
    >>> unfolding.unit("picton").at
    (10.0, 4.0)
    """
    for general in generals:
        if unfolding.battle.has(general.id):
            _bring(unfolding, general, general.moved(dx, dy))


def _bring(unfolding: Unfolding, general: Unit, there: Unit) -> None:
    spot = refuge(unfolding.battle, there)
    if spot is not None and spot != general.at:
        moved = there.moved(spot[0] - there.at[0], spot[1] - there.at[1])
        unfolding.happen(Placed(general.id, pose_of(moved), (general.at, spot), "accompanies"))


def ground_swept(plan: PlannedMove) -> BaseGeometry:
    """Return the ground (table units) swept by a planned move, from the formation it sets out in to where it ends.

    Source: TSE-LDR-07.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.tse.movement.motion import action_of, along
    >>> battle = open_battle("starter")
    >>> unit = battle.unit("arnaud")
    >>> plan = along(battle, unit, action_of(unit, "maneuver"), [(unit.at[0], 9.0)], None)
    >>> [round(length, 2) for length in ground_swept(plan).bounds]
    [7.4, 5.85, 9.4, 9.0]
    """
    return shapely.union_all([plan.start.footprint, *(sweep.swept for sweep in plan.motion.sweeps)])


def overrun(unfolding: Unfolding, mover: Unit, swept: BaseGeometry) -> None:
    """Let a unit that moved over ``swept`` (table units) overrun the enemy generals there (TSE-LDR-07, TSE-LDR-09).

    This applies to voluntary moves, assaults and breakthroughs, not to units driven back. A general attached to a unit
    is safe. Any other is killed, captured, or escapes, which does not use his action (TSE-LDR-08).

    >>> from tabletop.battle.dice import ScriptedDice
    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("starter"), ScriptedDice([0.01]))
    >>> overrun(unfolding, unfolding.unit("arnaud"), unfolding.unit("hohenfels").footprint)
    >>> unfolding.battle.has("hohenfels")
    False
    """
    for general in run_over(unfolding.battle, mover, swept):
        fate = _fate(unfolding, general, mover)
        unfolding.tell("overrun", {"result": fate}, general.id, mover.id, ("TSE-LDR-07", "TSE-LDR-08"))
        spot = refuge(unfolding.battle, general) if fate == "escapes" else None
        if spot is None:
            unfolding.happen(Removed(general.id, "captured" if fate == "escapes" else fate))
        elif math.dist(spot, general.at) > SAME_PLACE:
            moved = general.moved(spot[0] - general.at[0], spot[1] - general.at[1])
            unfolding.happen(Placed(general.id, pose_of(moved), (general.at, spot), "escapes"))


def fates(chance: Chance, battle: Battle, mover: Unit, swept: BaseGeometry) -> list[str]:
    """Return, in words, the fate of each general that a move over ``swept`` overruns, for one course of chance.

    ``swept`` is in table units. Source: TSE-LDR-07, TSE-LDR-08.

    >>> from tabletop.battle.dice import ScriptedDice
    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> fates(ScriptedDice([0.99]), battle, battle.unit("arnaud"), battle.unit("hohenfels").footprint)
    ['it rides over Hohenfels: escapes']
    """
    met = run_over(battle, mover, swept)
    return [f"it rides over {general.called}: {_fate(chance, general, mover)}" for general in met]


def _fate(chance: Chance, general: Unit, mover: Unit) -> str:
    number, _ = chance.grade(f"overrun: {general.id}", model.overrun_odds(mover))
    return model.OVERRUN[number]


def run_over(battle: Battle, mover: Unit, swept: BaseGeometry) -> tuple[Unit, ...]:
    """Return the unattached enemy generals who stand in ``swept``; touching its edge does not count (TSE-LDR-07)."""
    generals = (g for g in battle.units if g.is_general and g.side != mover.side)
    met = (g for g in generals if battle.tape.over(_into(g, swept), 0.0))
    return tuple(g for g in met if attached_to(battle, g) is None)


def _into(general: Unit, swept: BaseGeometry) -> float:
    """Return how deep a general's base reaches into ``swept``; 0 or less if it does not."""
    return radius(general) - float(shapely.distance(outline(general), swept))


def refuge(battle: Battle, general: Unit) -> Point | None:
    """Return the nearest place where a general may stand: 1 in from every enemy unit, on passable ground; else None.

    Of several equally near, it is the one nearest to a friendly unit (TSE-LDR-08, TSE-LDR-05).
    """
    free = _standing_room(battle, general)
    position = shapely.Point(general.at)
    if free.is_empty:
        return None
    if shapely.covers(free, position):
        return general.at
    places = _nearest(free, position)
    near = places[:, 2] <= places[:, 2].min() + battle.tape.t
    friends = [f.footprint for f in battle.friends(general)]
    ranked = [(_gap(friends, x, y), x, y) for x, y, _ in places[near].tolist()]
    _, x, y = min(ranked)
    return x, y


def _gap(friends: list[BaseGeometry], x: float, y: float) -> float:
    return min((round(float(f.distance(shapely.Point(x, y))), 6) for f in friends), default=math.inf)


def _nearest(free: BaseGeometry, here: shapely.Point) -> np.ndarray:
    """Return the local minima (x, y, distance) of the distance from ``here`` to the outlines of ``free``.

    An arc made of chords is nearly equidistant; of such a stretch only the nearest point counts.
    """
    rings = [ring for p in shapely.get_parts(free) for ring in (p.exterior, *p.interiors)]
    return np.concatenate([_least(np.array(list(pairwise(ring.coords))), here) for ring in rings])


def _least(edges: np.ndarray, here: shapely.Point) -> np.ndarray:
    edges = edges[np.hypot(*(edges[:, 1] - edges[:, 0]).T) > SAME_PLACE]
    ends = shapely.get_coordinates(shapely.shortest_line(shapely.linestrings(edges), here)).reshape(-1, 2, 2)[:, 0]
    far = np.hypot(ends[:, 0] - here.x, ends[:, 1] - here.y)
    least = (far <= np.roll(far, 1) + SAME_PLACE) & (far <= np.roll(far, -1) + SAME_PLACE)
    return np.column_stack([ends, far])[least]


def _standing_room(battle: Battle, general: Unit) -> BaseGeometry:
    """Return the ground where the centre of a general's base may be."""
    wide, table = radius(general) + HAIR, battle.table
    room = shapely.box(wide, wide, table.width - wide, table.height - wide)
    ground = ground_of(table)
    forbidden = [e.footprint.buffer(zone_width(battle) + wide, quad_segs=SEGMENTS) for e in battle.enemies(general)]
    if ground.barred:
        forbidden.append(ground.barred.area.difference(ground.gaps).buffer(wide, quad_segs=SEGMENTS))
    return room.difference(shapely.union_all(forbidden)) if forbidden else room
