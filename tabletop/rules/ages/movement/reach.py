"""The ground a unit can reach with one wheel and one straight leg, found sector by sector: an inner approximation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import Point, heading
from tabletop.geometry.shapes import rings, shapes_of, united
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.ages.morale.status import free
from tabletop.rules.ages.movement import terrain
from tabletop.rules.ages.movement.costs import wheel_cost
from tabletop.rules.ages.movement.layouts import FIXED
from tabletop.rules.ages.movement.legality import charge_again, charge_figures, spent
from tabletop.rules.ages.movement.motion import barriers, convex, room, solid, whole
from tabletop.rules.ages.movement.move_kinds import CHARGE, MOVE, RIDE, kinds_for
from tabletop.rules.ages.tables import length, row, troop_of
from tabletop.rules.rule_set import Request

#: Half the width of a sector, in degrees, and of the strip straight ahead, as a share of the width without a wheel.
HALF, STRIP = 1.25, 0.9


def reach(battle: Battle, request: Request) -> Verdict:
    """Answer ``reach A``: where the middle of A's front can end with one wheel and one leg (ROC-MOV-01, ROC-FRM-02).

    It is an inner approximation: every point of it can be reached, but it omits what several wheels, a road, passing
    through a friend or, with guns, through a house would add. Of a charge only the way is measured, not whether it ends
    within reach of an enemy; a unit that charged too recently reaches nothing by it (ROC-MOV-03). A general's or staff
    officer's reach is a disc. ``size`` is in square table units (mm). Raises BadQuestion for kinds of move that lead
    back or that the unit does not make.

    >>> from tabletop.play.files.opened import open_battle
    >>> verdict = reach(open_battle("drill-ground"), Request("reach", ("colonel",)))
    >>> round(verdict.measured["size"])
    45682
    """
    unit = battle.unit(request.args[0])
    kind = str(request.options.get("as") or (RIDE if unit.is_general else MOVE))
    if kind not in (MOVE, CHARGE, RIDE) or kind not in kinds_for(unit):
        raise BadQuestion(f"'{unit.id}' has no reach by '{kind}'; ask with --as {kinds_for(unit)[0]}")
    again = charge_again(battle, unit) if kind == CHARGE else None
    rested = again is None or again.holds
    area = _round(battle, unit) if unit.is_general else united(_sectors(battle, unit, kind) if rested else [])
    polygons = [part for part in shapely.get_parts(area) if isinstance(part, shapely.Polygon)]
    size = float(area.area)
    return Verdict(
        "reach",
        request.args,
        battle.rules,
        True,
        {"area": [rings(p) for p in polygons], "size": size},
        _because(size, again),
        options=request.options,
        shapes=shapes_of("reach", area, unit.called) if size else (),
    )


def _because(size: float, again: Reason | None) -> tuple[Reason, ...]:
    """Return what a reach rests on; ``again`` says whether a unit that is to charge has waited long enough."""
    if again is None:
        return (Reason("ROC-MOV-01", True, f"{size:.0f} square mm of ground can be reached", size),)
    if not again.holds:
        return (again,)
    way = Reason("ROC-MOV-01", True, f"{size:.0f} square mm of ground are near enough for a charge", size)
    return way, Reason("ROC-MOV-03", True, "a charge must also end within reach of an enemy; that is not measured here")


def _round(battle: Battle, person: Unit) -> BaseGeometry:
    """Return the ground a person can ride to: on the table and clear of enemies (ROC-ORD-01, ROC-ORD-04)."""
    speed = troop_of(person).speed or 0.0
    base = whole(person)
    margin = math.hypot(base.frontage, base.depth) / 2
    ground = shapely.intersection(shapely.Point(person.at).buffer(speed), battle.table.edge.buffer(-margin))
    enemies = [shapely.buffer(e.footprint, margin) for e in battle.enemies(person)]
    return shapely.difference(ground, shapely.union_all(enemies)) if enemies else ground


def _sectors(battle: Battle, unit: Unit, kind: str) -> list[BaseGeometry]:
    if not free(unit) or unit.formation in FIXED or unit.marks.get("moved"):
        return []
    walls = [*terrain.barred_parts(battle), *(s for u in battle.units if _stops(unit, u) for s in solid(u))]
    walls += [part for house in terrain.closed_houses(battle, unit) for part in convex(house.shape)]
    slow = _slow(battle)
    areas: list[BaseGeometry] = []
    for k in range(round(180.0 / HALF)):
        middle = unit.facing + (2 * k + 1) * HALF
        run = _run(battle, unit, kind, middle, HALF, walls, slow)
        if run > 0.0:
            areas.append(_triangle(unit.front_mid, middle, run))
    ahead = _run(battle, unit, kind, unit.facing, 0.0, walls, slow)
    if ahead > 0.0:
        areas.append(_strip(unit, ahead))
    return areas


def _slow(battle: Battle) -> list[BaseGeometry]:
    """Return difficult ground as convex pieces; a stream without width as thin strips."""
    pieces: list[BaseGeometry] = []
    for part in shapely.get_parts(terrain.difficult_area(battle)):
        if shapely.get_dimensions(part) == 2:
            pieces += convex(part)
        else:
            points = shapely.get_coordinates(part).tolist()
            pieces += [shapely.LineString(pair).buffer(battle.tape.t) for pair in pairwise(points)]
    return pieces


def _stops(unit: Unit, other: Unit) -> bool:
    return other.id != unit.id and not other.is_general


def _run(
    battle: Battle,
    unit: Unit,
    kind: str,
    bearing: float,
    half: float,
    walls: Sequence[BaseGeometry],
    slow: Sequence[BaseGeometry],
) -> float:
    """Return how far (mm) a unit can surely go in every direction within ``half`` degrees of a bearing."""
    turn = (bearing - unit.facing + 180.0) % 360.0 - 180.0
    cost = max(wheel_cost(unit, abs(turn) + side, battle.rulings) for side in (half, -half)) if half else 0.0
    share_left = 1.0 - spent(unit) - cost
    figures = row(unit)
    whole_move = figures.move + figures.charge * charge_figures(battle, unit, kind)
    base = whole(unit)
    grow = math.radians(half) * (whole_move + math.hypot(base.frontage, base.depth))
    turned = unit.turned(turn, unit.front_mid)
    if share_left <= 0.0 or (half and not _can_wheel(battle, unit, walls, grow)):
        return 0.0
    most = min(share_left * whole_move, room(battle, turned, share_left * whole_move + grow) - grow)
    most = min(most, _first(battle, turned, walls, most, grow))
    entering = _first(battle, turned, slow, most, grow)
    if half and _meets(unit, slow, grow):
        entering = 0.0
    return max(min(most, entering), min(most, share_left * (whole_move + figures.difficult)))


def _can_wheel(battle: Battle, unit: Unit, walls: Sequence[BaseGeometry], grow: float) -> bool:
    """Return True if every wheel is sure to touch no obstacle and to stay on the table."""
    return bool(shapely.covers(battle.table.edge, _circle(unit, grow))) and not _meets(unit, walls, grow)


def _meets(unit: Unit, shapes: Sequence[BaseGeometry], grow: float) -> bool:
    """Return whether a wheel could touch any of the shapes."""
    circle = _circle(unit, grow)
    return any(shapely.intersects(circle, shape) for shape in shapes)


def _circle(unit: Unit, grow: float) -> BaseGeometry:
    """Return the disc about the middle of the front that contains every corner during a wheel, grown by ``grow``."""
    x, y = unit.front_mid
    far = max(math.hypot(cx - x, cy - y) for cx, cy in shapely.get_coordinates(unit.footprint).tolist())
    circle: BaseGeometry = shapely.Point(x, y).buffer(far + grow)
    return circle


def _first(battle: Battle, unit: Unit, shapes: Sequence[BaseGeometry], most: float, grow: float) -> float:
    """Return how far (mm) a unit goes before it meets any of the shapes grown by ``grow``."""
    if most <= 0.0 or not shapes:
        return most
    grown = [shapely.convex_hull(shapely.buffer(shape, grow, quad_segs=4)) if grow else shape for shape in shapes]
    stretches = barriers(unit, grown, heading(unit.facing), most, battle.tape.t / 2)
    return max(0.0, stretches[0][0]) if stretches else most


def _triangle(start: Point, bearing: float, run: float) -> BaseGeometry:
    """Return a triangle inscribed in a sector, so that it lies inside the arc everywhere."""
    ends = [heading(bearing + side) for side in (-HALF, HALF)]
    near = run * math.cos(math.radians(HALF))
    return shapely.Polygon([start, *((start[0] + near * x, start[1] + near * y) for x, y in ends)])


def _strip(unit: Unit, run: float) -> BaseGeometry:
    """Return the strip of ground straight ahead that needs no wheel."""
    (x, y), (fx, fy) = unit.front_mid, unit.forward
    aside = STRIP * length(unit, "straight")
    return shapely.Polygon(
        [
            (x + s * aside * fy + d * fx, y - s * aside * fx + d * fy)
            for s, d in ((-1.0, 0.0), (-1.0, run), (1.0, run), (1.0, 0.0))
        ]
    )
