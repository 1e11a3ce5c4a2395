"""Where an answer looks: the ground beyond which nothing that stands, stood or may be shifted can change it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Terrain
from tabletop.geometry.verdict import Verdict
from tabletop.rules.common.influence import apart, girth, hides, hull, person, room, stands
from tabletop.rules.realm_of_chance.tables import length
from tabletop.rules.rule_set import Influence, Request


def between(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """Hills, woods, houses and units between two: nothing else stands in the way of sight (ROC-ART-07)."""
    near = hull(battle, request, far)
    proofs = {}
    if verdict.holds and verdict.witness:
        proofs = {"holds": shapely.LineString(verdict.witness).buffer(room(battle) / 100.0)}
    return Influence(near, near, _in_sight, apart(battle, request, 0.0), _never, {}, proofs)


def about_two(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """The ground between and about two units in combat (ROC-CBT-01..05)."""
    near = hull(battle, request, far + length("infantry_range"))
    return Influence(near, near, lambda thing: not person(thing), apart(battle, request, length("infantry_range")))


def on_the_way(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """The ground a unit may go over, and the enemies it may end near (ROC-MOV-01..05, ROC-CBT-02)."""
    unit = battle.unit(request.args[0])
    path = [unit.at, unit.front_mid, *(tuple(p) for p in request.options.get("path") or ())]
    path += [tuple(p[:2]) for p in verdict.measured.get("path") or ()]
    wide = 2.0 * girth(unit) + float(request.options.get("distance") or 0.0) + length("infantry_range")
    ground = shapely.convex_hull(shapely.union(unit.footprint, shapely.LineString(path))).buffer(wide + far)
    return Influence(ground, ground, lambda thing: True, apart(battle, request, length("infantry_range")))


def of_fire(verdict: Verdict) -> Mapping[str, Any]:
    """The range band of a shot that may be fired (ROC-ART-04)."""
    return {"band": verdict.measured.get("band")} if verdict.holds else {}


def of_assault(verdict: Verdict) -> Mapping[str, Any]:
    """Whether an attack that may be made is frontal (ROC-CBT-05)."""
    return {"frontal": verdict.measured.get("frontal")} if verdict.holds else {}


def _in_sight(thing: Unit | Terrain) -> bool:
    return hides(thing) or stands(thing)


def _never(thing: Unit | Terrain) -> bool:
    return False
