"""What stands in the way of a fall-back: impassable ground, enemies and their zones, friends."""

from __future__ import annotations

from collections.abc import Sequence

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, beside, distance_between
from tabletop.geometry.cache import Cache
from tabletop.geometry.movement.choke_points import shifts_barred
from tabletop.geometry.movement.configuration_space import Obstacles, keeps, obstacle, obstacle_of
from tabletop.geometry.movement.ground import Opened, ground_of
from tabletop.geometry.terrain import FORDS
from tabletop.rules.rule_set import Shifted
from tabletop.rules.tse.morale.leading_edge import leading_middle
from tabletop.rules.tse.morale.weaker_fall_back import as_from_home
from tabletop.rules.tse.movement.formation import stance
from tabletop.rules.tse.movement.zone_of_control import zone_limit, zone_width


def obstacles_of(
    battle: Battle, unit: Unit, distance: float, shifted: Shifted | None = None, leading: str = "rear"
) -> Obstacles:
    """Return what the unit must respect within ``distance``: impassable ground, enemies and their zones, friends.

    Zones are those of moves (TSE-MOV-17, TSE-MOV-18; TSE-INV-17 for the enemy in contact with it). The unit may pass
    through friends but not end in them (TSE-INV-09). In a series of shifts of the unit (``shifted``), the obstacles
    that the same other units make are computed once.
    """
    reach = distance + zone_width(battle)
    enemies = [e for e in beside(unit.bounds, battle.enemies(unit), reach) if distance_between(unit, e) <= reach]
    friends = [f for f in beside(unit.bounds, battle.friends(unit), distance) if distance_between(unit, f) <= distance]
    limits = tuple((e, zone_limit(battle, unit, e)) for e in enemies)
    if shifted is not None and shifted.home.id == unit.id and shifted.home.facing == unit.facing:
        names = tuple((e.id, limit) for e, limit in limits), tuple(f.id for f in friends)
        return as_from_home(
            shifted,
            unit.at,
            (distance, leading, *names),
            battle.scale,
            lambda home, more: _obstacles(battle, home, distance + more, leading, limits, friends),
        )
    pose = unit.bases, unit.formation, unit.front_bases, unit.facing
    others = tuple((e.bases, limit) for e, limit in limits), tuple(f.bases for f in friends)
    key = pose, distance, leading, battle.tape.t, *others
    barring = tuple(p for p in battle.table.terrain if p.movement in ("impassable", "choke") or p.kind in FORDS)
    return _OBSTACLES.of(barring, key, lambda: _obstacles(battle, unit, distance, leading, limits, friends))


def _obstacles(
    battle: Battle,
    unit: Unit,
    distance: float,
    leading: str,
    limits: Sequence[tuple[Unit, float]],
    friends: Sequence[Unit],
) -> Obstacles:
    solid = (obstacle_of(unit.bases, e.bases) for e, limit in limits if limit <= battle.tape.t)
    return Obstacles(
        walls=(*_barred(battle, unit, distance, leading), *solid),
        keeps=tuple(k for e, limit in limits for k in keeps(unit.bases, e.bases, limit)),
        ends=tuple(obstacle_of(unit.bases, f.bases) for f in friends),
        give=battle.tape.t,
    )


#: Recent obstacles, keyed by the terrain that bars. They do not change with other terrain, nor with most of the rulings
#: that a fall-back depends on.
_OBSTACLES: Cache[Obstacles] = Cache(64)


def _barred(battle: Battle, unit: Unit, distance: float, leading: str) -> list[shapely.Geometry]:
    """Return the shifts that take a unit into impassable ground in reach, one area per feature (TSE-MOV-15).

    At bridges, gates and fords a unit may overhang as long as the middle of its leading edge is clear, and in line and
    square the centre of every base too.
    """
    ground, t = ground_of(battle.table), battle.tape.t
    window = unit.footprint.envelope.buffer(distance + t, join_style="mitre")
    spread = stance(unit).centres
    barred_shifts = []
    for part, opened in zip(ground.barred.parts, ground.opened, strict=True) if ground.barred else ():
        if not shapely.intersects(part, window):
            continue
        if opened is None:
            barred_shifts.append(obstacle(unit.bases, shapely.intersection(part, window)))
            continue
        near = Opened(shapely.intersection(opened.closed, window), opened.gaps)
        barred_shifts.append(shifts_barred(unit.bases, leading_middle(unit, leading), spread, near, t))
    return barred_shifts
