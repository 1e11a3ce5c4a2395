"""The ground an answer about an assault or a breakthrough depends on, for TSE-ASL-07, -23, -40 and -70.

See ``influence`` for the other questions.
"""

from __future__ import annotations

from dataclasses import replace

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.line_of_sight import seen_by
from tabletop.geometry.terrain import Terrain
from tabletop.geometry.verdict import Verdict
from tabletop.rules.common.influence import apart, asked, girth, hull, person, room
from tabletop.rules.rule_set import Influence, Request
from tabletop.rules.tse.morale.effects import driven
from tabletop.rules.tse.questions.influence import TURNED, covers, fails, opens, road, slows
from tabletop.rules.tse.questions.price_bounds import bounds_of_assault, settled_by
from tabletop.rules.tse.tables import length, troops


def in_the_way_of_an_assault(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """Return the ground of the path and its end, and the units that can bar or support there (TSE-ASL-07, -23, -40).

    ``far`` is how far things may be shifted, in table units.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.tse.assault.judge import assault
    >>> battle, request = open_battle("front-or-flank"), Request("assault", ("west-column", "west-line"))
    >>> sorted(in_the_way_of_an_assault(battle, request, assault(battle, request), 0.5).facts)
    ['cover', 'frontal', 'in_reach', 'supported']
    """
    unit, target = asked(battle, request)[:2]
    pad = (length("zone") + length("behind_cover")) * battle.scale
    near = hull(battle, request, far + 2.0 * girth(unit) + pad)
    at_target = target.footprint.buffer(far + pad)
    priced = None if far else _priced(battle, unit, target)
    reach = Influence(hull(battle, request, far + pad) if priced is None else priced, None, slows, opens=opens)
    if priced is not None:
        reach = replace(reach, settled=settled_by(bounds_of_assault(battle, request)))
    facts = {
        "frontal": Influence(),
        "supported": Influence(None, at_target, lambda thing: _may_support(thing, target)),
        "cover": Influence(at_target, None, covers),
        "in_reach": reach,
    }
    if fails(verdict, "TSE-ASL-05", "TSE-ASL-09"):
        facts["holds"] = reach
    elif not verdict.holds and _barred_on_bare_ground(battle, request):
        facts["holds"] = Influence(None, near, lambda thing: not person(thing), opens=opens)
    way = None if far else _way(battle, request, verdict)
    return Influence(
        near,
        near,
        lambda thing: not road(thing) and not person(thing),
        apart(battle, request, pad),
        opens,
        facts,
        {} if way is None else {"holds": way},
        fixed=() if _is_guns(target) else ("supported",),  # only guns are (TSE-ASL-40)
    )


def in_the_way_of_a_breakthrough(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """Return the influence as for an assault, plus the ground the beaten enemy may be driven over, if any.

    Source: TSE-ASL-70, TSE-INV-06. ``far`` is how far things may be shifted, in table units.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.tse.assault.judge_breakthrough import breakthrough
    >>> request = Request("breakthrough", ("west-column", "east-line"), {"after": "west-line"})
    >>> battle = open_battle("front-or-flank")
    >>> sorted(in_the_way_of_a_breakthrough(battle, request, breakthrough(battle, request), 0.5).facts)
    ['cover', 'frontal', 'holds', 'in_reach', 'supported']
    """
    beaten, distance = request.options.get("after"), request.options.get("distance")
    if beaten is None or (distance is None and beaten != request.args[1]):
        return in_the_way_of_an_assault(battle, request, verdict, far)
    unit, fled = battle.unit(request.args[0]), battle.unit(str(beaten))
    back = max(driven(battle, fled).values(), default=0.0) if distance is None else float(distance)
    deep = [girth(friend) for friend in battle.friends(fled)]
    pad = (length("zone") + length("behind_cover")) * battle.scale + far * TURNED + room(battle)
    over = fled.footprint.buffer(back + girth(fled) + max(deep, default=0.0) + 2.0 * girth(unit) + pad)
    near = shapely.union(hull(battle, request, far + 2.0 * girth(unit) + pad), over).convex_hull
    return Influence(near, near, lambda thing: not person(thing))


def _is_guns(unit: Unit) -> bool:
    return troops()[unit.troop].family == "artillery"


def _may_support(thing: Unit | Terrain, guns: Unit) -> bool:
    """Return whether a thing can begin or cease to support guns: whether it is infantry of their side (TSE-ASL-40)."""
    return isinstance(thing, Unit) and thing.side == guns.side and troops()[thing.troop].family == "infantry"


def _priced(battle: Battle, unit: Unit, target: Unit) -> BaseGeometry | None:
    """Return the ground that the cost of the path depends on: the path's and the target's (TSE-ASL-06, TSE-MOV-08).

    None if paths tie, since more ground then decides which one is chosen.
    """
    from tabletop.rules.tse.assault.path import paths_to

    paths = paths_to(unit, target)
    if len(paths) > 1:
        return None
    return shapely.union(paths[0].line, target.footprint).buffer(length("behind_cover") * battle.scale + room(battle))


def _way(battle: Battle, request: Request, verdict: Verdict) -> BaseGeometry | None:
    """Return the ground that proves an assault legal; None if more ground matters, as for guns and tied paths.

    It covers the turn, the path to its end, the ground about the target and a line of sight, with room at both units
    for the crest a unit looks down from (TSE-ASL-02 to -07, -23; TSE-LOS-17).
    """
    from tabletop.rules.tse.assault.path import advanced, paths_to, turned_to
    from tabletop.rules.tse.sight.judge import law_of

    unit, target = asked(battle, request)[:2]
    if verdict.question != "assault" or not verdict.holds or _is_guns(target):
        return None
    paths = paths_to(unit, target)
    line_of_sight = seen_by(battle.table, unit.footprint, target.footprint, law_of(battle))
    if len(paths) > 1 or line_of_sight is None:
        return None
    (path,) = paths
    swept = shapely.union(turned_to(unit, path).footprint, advanced(unit, path, path.length).footprint)
    ground = [
        shapely.convex_hull(swept),
        unit.footprint,
        target.footprint,
        path.line,
        shapely.LineString(line_of_sight),
    ]
    ends = shapely.union(unit.footprint, target.footprint).buffer(length("crest") * battle.scale + room(battle))
    return shapely.union_all([*ground, ends]).buffer(length("behind_cover") * battle.scale + room(battle))


def _barred_on_bare_ground(battle: Battle, request: Request) -> bool:
    """Return whether the assault is illegal even without any terrain, so that no shift of a piece can make it legal.

    Terrain hides, bars and costs; it helps only in two cases, which are excluded. By keeping an assault from infantry
    it may expose the guns they support (TSE-ASL-42), and it may decide between tied paths to a beaten enemy.
    """
    from tabletop.rules.tse.assault.judge import assault
    from tabletop.rules.tse.assault.judge_breakthrough import breakthrough
    from tabletop.rules.tse.assault.path import paths_to
    from tabletop.rules.tse.assault.support import supporters_of

    unit, *enemies = asked(battle, request)
    if any(enemy.is_general or supporters_of(battle, enemy) for enemy in enemies):
        return False
    if len(enemies) > 1 and len(paths_to(unit, enemies[1])) > 1:
        return False
    bare = replace(battle, table=replace(battle.table, terrain=()))
    answer = assault if request.question == "assault" else breakthrough
    return not answer(bare, request.briefly()).holds
