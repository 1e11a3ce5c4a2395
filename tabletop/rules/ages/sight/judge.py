"""Direct sight, which hills, woods, houses and other units block; the question ``los``."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, grown
from tabletop.geometry.cache import Cache
from tabletop.geometry.line_of_sight import Sight, SightLaw, seen_by, sight
from tabletop.geometry.measure import GRAZE, Point
from tabletop.geometry.shapes import line_shape
from tabletop.geometry.sight.nearby_line import Line
from tabletop.geometry.terrain import Table, Terrain
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.ages.sight import mist
from tabletop.rules.ages.tables import length, tables
from tabletop.rules.common.sight import ends_of, seen_or_not
from tabletop.rules.rule_set import Request
from tabletop.rules.surroundings import Conditions

#: How many points the closed outline of a rectangle has.
RECTANGLE = 5


def law(battle: Battle) -> SightLaw:
    """Return the law of sight in mm: sight is straight, and higher ground sees over lower (ROC-ART-07)."""
    return SightLaw(budget=length(battle, "woods_sight"))


def sight_limit(battle: Battle) -> float:
    """Return how far (mm) units can see, which dusk and mist reduce (AGE-ART-04)."""
    return min(_at_dusk(battle), mist.seen_through(battle))


def conditions(battle: Battle) -> Conditions | None:
    """Return the dusk or mist of this turn and how far (mm) units see; None if there is neither (AGE-ART-04).

    >>> from dataclasses import replace
    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("schellenberg")
    >>> conditions(replace(battle, clock=replace(battle.clock, turn=28))).text
    'Dusk: nobody sees beyond 125 mm.'
    """
    dusk, through = _at_dusk(battle), mist.seen_through(battle)
    far = min(dusk, through)
    if math.isinf(far):
        return None
    name = "Dusk and mist" if max(dusk, through) < math.inf else "Dusk" if dusk < through else "Mist"
    return Conditions(f"{name}: nobody sees beyond {far:.0f} mm.", far, dusk < math.inf, through < math.inf)


def _at_dusk(battle: Battle) -> float:
    """Return how far (mm) units can see at dusk: less each turn in the last hour before night (AGE-ART-04)."""
    night, data = battle.setup.options.get("night"), tables(battle)["sight"]
    if night is None or not battle.clock.turn or "dusk_turns" not in data:
        return math.inf
    hour, turns_left = int(data["dusk_turns"]), max(0, int(night) - battle.clock.turn + 1)
    return (
        math.inf if turns_left > hour else max(float(data["dusk_least"]), float(data["dusk_range"]) * turns_left / hour)
    )


def los(battle: Battle, request: Request) -> Verdict:
    """Answer ``los A B``: whether some point of A sees some point of B, past terrain and other units (ROC-ART-07).

    ``measured`` has the ``distance`` in table units (mm), None if B is not seen.

    >>> from tabletop.play.files.opened import open_battle
    >>> verdict = los(open_battle("drill-ground"), Request("los", ("french-1", "prussian-1")))
    >>> verdict.holds, verdict.measured
    (True, {'distance': 50.0})
    """
    a, b = ends_of(battle, request)
    if request.brief:
        return _briefly(battle, request, a, b)
    result = seen(battle, a, b)
    rule = "ROC-ART-07"
    if result.seen:
        text = f"a clear line of {result.distance:.1f} mm runs from {a.called} to {b.called}"
        because = (Reason(rule, True, text, result.distance),)
    else:
        because = (_unseen(battle, a, b, result),)
    shown = result.line or (result.best_blocked and (result.best_blocked.start, result.best_blocked.end))
    label = "" if result.distance is None else f"{result.distance:.1f} mm"
    shapes = (line_shape("witness" if result.seen else "blocked", shown, label),) if shown else ()
    return seen_or_not(battle, request, result, because, shapes)


def _unseen(battle: Battle, a: Unit, b: Unit, result: Sight) -> Reason:
    if too_dark(battle, result):
        return too_far_to_see(battle, b, result)
    return Reason("ROC-ART-07", False, f"no line from {a.called} to {b.called} is clear")


def _briefly(battle: Battle, request: Request, a: Unit, b: Unit) -> Verdict:
    """Answer without proof; the options ``grown`` and ``loose`` make it a weaker question (``_ground_of``)."""
    start, end = (_ground_of(unit, request) for unit in (a, b))
    nothing = shapely.is_empty(start) or shapely.is_empty(end)
    line = None if nothing else some_line(battle, a, b, start, end, request.options.get("hints", ()))
    return Verdict("los", request.args, battle.rules, line is not None, witness=line)


def _ground_of(unit: Unit, request: Request) -> BaseGeometry:
    """Return a unit's footprint, shrunk (option ``grown``) or grown to all it covers if shifted (``loose``)."""
    name, far = request.options.get("loose") or (None, 0.0)
    if name == unit.id:
        return unit.footprint.buffer(far, join_style="mitre")
    return grown(unit, request.options.get("grown"))


def some_line(
    battle: Battle, a: Unit, b: Unit, start: BaseGeometry, end: BaseGeometry, hints: Sequence[Line] = ()
) -> Line | None:
    """Return some line along which ``start`` of one unit sees ``end`` of another; None if there is none.

    It need not be the shortest: it serves callers that only need to know whether there is one (ROC-ART-07). Lines near
    ``hints`` are tried first. Points are in table units.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> a, b = battle.unit("french-1"), battle.unit("prussian-1")
    >>> some_line(battle, a, b, a.footprint, b.footprint) is not None
    True
    """
    far = sight_limit(battle) + battle.tape.t
    return seen_by(_with_units(battle, a, b, start, end), start, end, law(battle), hints, longest=far)


def some_line_past_ground(battle: Battle, a: Unit, b: Unit) -> Line | None:
    """Return some line along which two units would see each other if no other unit stood between; None without one.

    Without one neither sees the other, whoever stands between. Source: ROC-ART-07. Points are in table units.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> some_line_past_ground(battle, battle.unit("french-1"), battle.unit("prussian-1")) is not None
    True
    """
    far = sight_limit(battle) + battle.tape.t
    return seen_by(battle.table, a.footprint, b.footprint, law(battle), longest=far)


def seen(battle: Battle, a: Unit, b: Unit, start: BaseGeometry | None = None) -> Sight:
    """Return the sight from a unit, or a part ``start`` of it, to another; other units block it (ROC-ART-07).

    Its ``distance`` is in table units (mm). Generals and staff officers block nothing. At dusk and in mist no unit sees
    beyond ``sight_limit``.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> seen(battle, battle.unit("french-1"), battle.unit("prussian-1")).distance
    50.0
    """
    sighting = sight(
        _with_units(battle, a, b, a.footprint, b.footprint), start or a.footprint, b.footprint, law(battle)
    )
    if sighting.distance is None or battle.tape.at_most(sighting.distance, sight_limit(battle)):
        return sighting
    return replace(sighting, seen=False)


def too_dark(battle: Battle, found: Sight) -> bool:
    """Return whether only dusk or mist hides a target: there is a clear line, but it is too long (AGE-ART-04).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> too_dark(battle, seen(battle, battle.unit("french-1"), battle.unit("prussian-1")))
    False
    """
    return not found.seen and found.line is not None


def too_far_to_see(battle: Battle, target: Unit, found: Sight) -> Reason:
    """Return the reason why a target that dusk or mist hides is not seen (AGE-ART-04).

    >>> from tabletop.battle.event import Remembered
    >>> from tabletop.battle.unfolding import Unfolding
    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> unfolding.happen(Remembered("mist", 40.0))
    >>> a, b = unfolding.unit("french-1"), unfolding.unit("prussian-1")
    >>> too_far_to_see(unfolding.battle, b, seen(unfolding.battle, a, b)).text
    'in the mist nobody sees beyond 40 mm, and Prussian battalion is 50.0 mm away'
    """
    far = sight_limit(battle)
    when = "at dusk" if far < mist.seen_through(battle) else "in the mist"
    text = f"{when} nobody sees beyond {far:.0f} mm, and {target.called} is {found.distance or 0.0:.1f} mm away"
    return Reason("AGE-ART-04", False, text, found.distance, far)


def sees(battle: Battle, a: Unit, b: Unit) -> bool:
    """Return whether one unit sees another (ROC-ART-07).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> sees(battle, battle.unit("french-guns"), battle.unit("prussian-1"))
    True
    """
    return seen(battle, a, b).seen


def _with_units(battle: Battle, a: Unit, b: Unit, start: BaseGeometry, end: BaseGeometry) -> Table:
    """Return the table with every unit between two others as a sight obstruction; the table itself if there is none.

    ``start`` and ``end`` are the ground of the two. Cached, because the same units stand between again and again.
    """
    field = shapely.convex_hull(shapely.geometrycollections([start, end]))
    between = tuple(
        unit
        for unit in battle.units
        if not unit.is_general and unit.id not in (a.id, b.id) and shapely.intersects(field, unit.footprint)
    )
    if not between:
        return battle.table
    over = battle.rulings["fire_over"] == "higher-ground"
    key = (over, *((unit.id, unit.name, unit.bases) for unit in between))
    level = None if over else int(tables(battle)["sight"]["units_level"])
    return _TABLES.of(battle.table, key, lambda: _walled(battle.table, between, level))


_TABLES: Cache[Table] = Cache(32)


def _walled(table: Table, between: Iterable[Unit], level: int | None) -> Table:
    """Return the table with units as obstructions of a level; None means the ground's, so higher ground sees over."""
    walls = [_wall(unit, int(table.level_at(unit.at)) if level is None else level) for unit in between]
    return Table(table.unit, table.width, table.height, (*table.terrain, *walls), table.scale)


def _wall(unit: Unit, level: int) -> Terrain:
    """Return a unit as terrain, without the joints of bases along a straight side, which are no corners."""
    return Terrain(unit.id, "unit", blocking_ground(unit), sight="tall", level=level, name=unit.name)


def blocking_ground(unit: Unit) -> BaseGeometry:
    """Return the ground by which a unit blocks sight: without the hairlines that rounding opens between its bases.

    In table units. Source: ROC-ART-07.

    >>> from tabletop.play.files.opened import open_battle
    >>> unit = open_battle("drill-ground").unit("french-1")
    >>> blocking_ground(unit).equals(unit.footprint)
    True
    """
    return _GROUND.of((unit.bases,), None, lambda: _closed(unit.footprint))


#: By a unit's bases, the ground by which it blocks sight.
_GROUND: Cache[BaseGeometry] = Cache(1024)


def _closed(ground: BaseGeometry) -> BaseGeometry:
    """Return some ground without hairlines."""
    whole = shapely.simplify(ground, GRAZE)
    if whole.geom_type == "Polygon" and shapely.get_num_coordinates(whole) == RECTANGLE:
        return whole
    grown = shapely.buffer(ground, GRAZE, join_style="mitre")
    return shapely.simplify(shapely.buffer(grown, -GRAZE, join_style="mitre"), GRAZE)


def nearest(a: BaseGeometry, b: BaseGeometry) -> tuple[Point, Point]:
    """Return the nearest points of two shapes, in table units (ROC-ART-03).

    >>> nearest(shapely.box(0, 0, 100, 15), shapely.box(0, 65, 100, 80))
    ((100.0, 15.0), (100.0, 65.0))
    """
    (ax, ay), (bx, by) = shapely.get_coordinates(shapely.shortest_line(a, b)).tolist()
    return (ax, ay), (bx, by)
