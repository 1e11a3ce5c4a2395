"""The zone of influence of each answer: the ground outside which nothing that stands or is shifted can change it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Terrain
from tabletop.geometry.verdict import Verdict
from tabletop.rules.ages.tables import profile_of
from tabletop.rules.common.influence import apart, girth, hides, hull, person, room, stands
from tabletop.rules.rule_set import Influence, Request


def between(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """Return the influence on sight: hills, woods, houses and units between the two (ROC-ART-07).

    ``far`` is how far things may be shifted, in table units (mm).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.sight.judge import los
    >>> battle, request = open_battle("drill-ground"), Request("los", ("french-1", "prussian-1"))
    >>> between(battle, request, los(battle, request), 5.0).terrain.bounds
    (82.5, 205.0, 197.5, 300.0)
    """
    near = hull(battle, request, far)
    proofs = {}
    if verdict.holds and verdict.witness:
        proofs = {"holds": shapely.LineString(verdict.witness).buffer(room(battle) / 100.0)}
    by_themselves = {"band": Influence()}  # a range depends on the two units alone (ROC-ART-03)
    return Influence(near, near, _in_sight, apart(battle, request, 0.0), _never, by_themselves, proofs)


def about_two(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """Return the influence on a combat: the ground between and about the two units (ROC-CBT-01..05).

    ``far`` is how far things may be shifted, in table units (mm).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.combat.judge import assault
    >>> battle, request = open_battle("drill-ground"), Request("assault", ("french-1", "prussian-1"))
    >>> about_two(battle, request, assault(battle, request), 5.0).terrain.bounds
    (32.5, 155.0, 247.5, 350.0)
    """
    reach = profile_of(battle).longest_attack
    near = hull(battle, request, far + reach)
    by_themselves = {"frontal": Influence()}  # whether it is frontal depends on the two units alone (ROC-CBT-05)
    return Influence(near, near, lambda thing: not person(thing), apart(battle, request, reach), facts=by_themselves)


def on_the_way(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """Return the influence on a move: the ground it crosses and enemies it ends near (ROC-MOV-01..05, ROC-CBT-02).

    ``far`` is how far things may be shifted, in table units (mm).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.movement.judge import move
    >>> battle, request = open_battle("drill-ground"), Request("move", ("hussars",), {"path": [(760, 240)]})
    >>> on_the_way(battle, request, move(battle, request), 5.0).terrain.area > 0.0
    True
    """
    unit = battle.unit(request.args[0])
    path = [unit.at, unit.front_mid, *(tuple(p) for p in request.options.get("path") or ())]
    path += [tuple(p[:2]) for p in verdict.measured.get("path") or ()]
    wide = 2.0 * girth(unit) + float(request.options.get("distance") or 0.0) + profile_of(battle).longest_attack
    ground = shapely.convex_hull(shapely.union(unit.footprint, shapely.LineString(path))).buffer(wide + far)
    return Influence(ground, ground, lambda thing: True, apart(battle, request, profile_of(battle).longest_attack))


def of_fire(verdict: Verdict) -> Mapping[str, Any]:
    """Return the further facts of a shot: its range band (ROC-ART-04).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.fire.judge import fire
    >>> of_fire(fire(open_battle("to-the-last-millimetre"), Request("fire", ("far-guns", "far"))))
    {'band': '60-120'}
    """
    return {"band": verdict.measured.get("band")}


def of_assault(verdict: Verdict) -> Mapping[str, Any]:
    """Return the further facts of an attack: whether it is frontal (ROC-CBT-05).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.combat.judge import assault
    >>> of_assault(assault(open_battle("struck-at-the-corner"), Request("assault", ("hussars-east", "line-east"))))
    {'frontal': False}
    """
    return {"frontal": verdict.measured.get("frontal")}


def _in_sight(thing: Unit | Terrain) -> bool:
    return hides(thing) or stands(thing)


def _never(thing: Unit | Terrain) -> bool:
    return False
