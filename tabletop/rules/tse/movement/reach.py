"""The move context that the geometry of routes and reach needs: forming, zones, friends, the table's edge."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, outline, radius
from tabletop.geometry.base import Base, Disc
from tabletop.geometry.kernels.swinging import Shapes, Turns, swing
from tabletop.geometry.measure import GRAZE, Point
from tabletop.geometry.movement.advance_contact import Outlines
from tabletop.geometry.movement.advance_cost import Files
from tabletop.geometry.movement.advances import Heads, advances
from tabletop.geometry.movement.choke_points import may_overhang
from tabletop.geometry.movement.ground import Ground, Opened, Patches, ground_of
from tabletop.geometry.movement.motion_cost import CostModel
from tabletop.geometry.movement.move_context import MoveContext, Node, Standing
from tabletop.geometry.movement.swept_strips import Edges
from tabletop.geometry.shapes import hull_about, hulls_about
from tabletop.geometry.terrain import Table
from tabletop.rules.tse.movement.formation import assume
from tabletop.rules.tse.movement.motion import Action, allowance, body_of, cost_model
from tabletop.rules.tse.movement.zone_of_control import zone_limit, zone_width

#: Radians between the poses at which a turn is checked; between two, a corner 2 in away strays less than 0.0005 in.
SWING_STEP = math.radians(2.5)
SWUNG = np.linspace(0.0, math.pi, math.ceil(math.pi / SWING_STEP) + 1)

#: Radius of the disc that stands for a general's square base once everything around it is grown by the square.
SLIVER = 1e-3
NOWHERE = np.zeros((0, 2))

#: Where a route over a gap may turn: how far in front of the gap, in half fronts, and how far aside, in gap widths.
GATE_ROOM, GATE_SIDE = (0.25, 0.5, 0.75, 1.05), 0.4


def setting_of(battle: Battle, unit: Unit, action: Action, *, overhang: bool = False, **forming: int) -> MoveContext:
    """Return the context of a unit's move by an action: its formation faces north until it turns (TSE-FRM-06).

    With ``overhang``, impassable ground beside a bridge, gate or ford does not stop a front that is wider than the gap;
    use it for routes that are judged afterwards (TSE-MOV-15).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.tse.movement.motion import action_of
    >>> battle = open_battle("starter")
    >>> context = setting_of(battle, battle.unit("arnaud"), action_of(battle.unit("arnaud"), "maneuver"))
    >>> context.budget, context.offset
    (6.0, 0.75)
    """
    start = _point(unit) if action.formation is None else assume(battle, unit, action.formation, facing=0.0, **forming)
    half = max(0.0, _half_square(unit) - SLIVER)
    body = body_of(start)
    law = cost_model(battle, unit, action)
    files = Files.of(body, law, action.marching)
    pivot = unit.bases[forming.get("head", 0)].centre if action.marching else start.at
    radius = start.bases[0].radius if isinstance(start.bases[0], Disc) else 0.0
    ground = _traced(ground_of(battle.table, action.marching), law, unit)
    offset = (body.mid[1] - pivot[1]) if action.formation else 0.0
    far = offset + files.half + files.back + allowance(battle, unit, action) * law.road + radius + 2.0 * half
    zones = [(grown_by_square(outline(e), half), zone_limit(battle, unit, e) + radius) for e in battle.enemies(unit)]
    zones = [(shape, keep) for shape, keep in zones if shape.distance(shapely.Point(pivot)) < far + min(keep, far)]
    at_forming = _inch(battle, unit) if action.marching else zones
    gaps = ground.gaps.buffer(files.half) if overhang and not ground.gaps.is_empty else ground.gaps
    barred = [(grown_by_square(part.difference(gaps), half), radius) for part in ground.barred.parts]
    friends = () if unit.is_general else tuple(_solid(f) for f in battle.friends(unit))
    near = tuple(f for f in friends if f.distance(shapely.Point(pivot)) < far)
    coming_on = action.marching and bool(unit.marks.get("coming_on"))
    straight = _straight_on(unit, pivot, at_forming, far) if action.marching else NOWHERE
    return MoveContext(
        files=files,
        ground=ground,
        pivot=pivot,
        offset=offset,
        budget=allowance(battle, unit, action) if unit.status != "demoralized" else 0.0,
        keep=Outlines.of([*zones, *barred]),
        friends=near,
        room=(0.0, 0.0, battle.table.width, battle.table.height),
        forms=_forming(
            unit if action.marching else None,
            start,
            pivot,
            _Room(at_forming, near, ground, None if coming_on else battle.table, law.t),
        )
        if action.formation
        else _anywhere,
        turns=_Swings.of(files, zones, ground, battle.table),
        pad=radius + half,
        free_turns=action.formation is None,
        gates=np.concatenate([gates(ground, files) if overhang else NOWHERE, straight]),
    )


def _half_square(unit: Unit) -> float:
    """Return half the side of a general's square base, 0 for any other base (TSE-UNI-19)."""
    base = unit.bases[0]
    return base.frontage / 2 if unit.is_general and isinstance(base, Base) else 0.0


def _point(unit: Unit) -> Unit:
    """Return a general on a square base as a point: everything around him is grown by the square instead."""
    return replace(unit, bases=(Disc(*unit.at, SLIVER),)) if _half_square(unit) else unit


def grown_by_square(shape: BaseGeometry, half: float) -> BaseGeometry:
    """Return the Minkowski sum of a shape and an upright square of side 2 * half: where its centre may not go.

    It is the union of the shape and the ground the square sweeps when carried along each of the shape's edges.
    """
    if half == 0.0 or shape.is_empty:
        return shape
    square = half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    lines = [line for part in shapely.get_parts(shape) for line in _lines_of(part)]
    edges = [edge for line in lines for edge in pairwise(line)]
    carried = [hull_about(np.concatenate([a + square, b + square])) for a, b in edges]
    return shapely.union_all(np.array([shape, *carried], object))


def _lines_of(part: BaseGeometry) -> list[np.ndarray]:
    if isinstance(part, shapely.Polygon):
        return [shapely.get_coordinates(ring) for ring in (part.exterior, *part.interiors)]
    return [shapely.get_coordinates(part)]


def _traced(ground: Ground, law: CostModel, unit: Unit) -> Ground:
    """Return the ground on which pricing by the front edge never undercuts the ruling's own trace (TSE-MOV-06).

    The front edge is in rough ground wherever its middle is. A footprint may be in it while the edge is up to a base's
    depth away, so rough ground is widened by that.
    """
    if law.trace != "footprint" or not ground.rough:
        return ground
    depth = max(base.depth if isinstance(base, Base) else base.radius for base in unit.bases)
    wider = shapely.buffer(shapely.union_all(ground.rough.parts), depth, join_style="mitre", mitre_limit=1.5)
    return replace(ground, rough=Patches.of(wider, ()))


def gates(ground: Ground, files: Files) -> np.ndarray:
    """Return places (n, 2) on the axes of the gaps in impassable ground: at their ends, and where a front can turn."""
    places = [NOWHERE]
    for gap in shapely.get_parts(ground.gaps):
        box = shapely.get_coordinates(shapely.minimum_rotated_rectangle(gap))
        if len(box) == 5:
            middle, sides = box[:4].mean(axis=0), (box[:4] + box[1:]) / 2
            out = sides - middle
            ahead = out / np.maximum(np.hypot(*out.T), 1e-9)[:, None]
            aside = (box[1:] - box[:4]) * GATE_SIDE
            rooms = (0.01, *(share * files.half for share in GATE_ROOM), math.hypot(files.half, files.back))
            places += [sides + side * aside + room * ahead for room in rooms for side in (0.0, -1.0, 1.0)]
    return np.concatenate(places)


def _solid(unit: Unit) -> BaseGeometry:
    """Return a unit's footprint, with the hollow of a square filled in."""
    return shapely.convex_hull(unit.footprint) if unit.formation == "square" else unit.footprint.buffer(0.0)


def _inch(battle: Battle, unit: Unit) -> list[tuple[BaseGeometry, float]]:
    """Return, for each enemy, how near a base of a march column may be placed anew: more than 1 in (TSE-FRM-24)."""
    width = zone_width(battle) + battle.tape.t + GRAZE
    return [(outline(enemy), width + radius(enemy)) for enemy in battle.enemies(unit)]


def _straight_on(unit: Unit, pivot: Point, zones: list[tuple[BaseGeometry, float]], far: float) -> np.ndarray:
    """Return places (n, 2) straight ahead of and behind a march column, if an enemy is within the inch.

    Beside an enemy the column may form in no other direction; it turns once it is past him (TSE-FRM-24).
    """
    if unit.formation != "march-column" or not any(shape.distance(unit.footprint) <= keep for shape, keep in zones):
        return NOWHERE
    steps = np.arange(3.0, max(far, 1.0), 3.0)
    ahead = np.concatenate([steps, -steps])[:, None] * np.array(unit.forward)
    return np.asarray(np.array(pivot) + ahead)


@dataclass(frozen=True)
class _Room:
    """What a unit must stay clear of when it forms: zones (shape, distance), friends, impassable ground and the edge.

    ``table`` is None for a column that is coming on, which may cross the edge. ``t`` is the tolerance.
    """

    zones: list[tuple[BaseGeometry, float]]
    friends: tuple[BaseGeometry, ...]
    ground: Ground
    table: Table | None
    t: float


def _anywhere(bearings: np.ndarray) -> np.ndarray:
    """Return True for every facing: this unit need not form."""
    return np.ones(len(bearings), bool)


def _forming(before: Unit | None, start: Unit, pivot: Point, room: _Room) -> Callable[[np.ndarray], np.ndarray]:
    """Return a test for the facings in which a unit can form: as ``start``, turned about ``pivot`` (TSE-FRM-07).

    If ``before`` is given, bases placed where one of its bases stood need not stay out of zones.
    """
    ground, table, t = room.ground, room.table, room.t
    polygons = np.array([b.polygon for b in start.bases], object)
    xy = shapely.get_coordinates(polygons).reshape(len(polygons), -1, 2) - np.array(pivot)
    radius = float(np.hypot(xy[..., 0], xy[..., 1]).max())
    pivot_point = shapely.Point(pivot)
    near_zones = [(s, keep) for s, keep in room.zones if s.distance(pivot_point) <= radius + keep]
    solid = [f for f in room.friends if f.distance(pivot_point) <= radius]
    shut = [k for k, part in enumerate(ground.barred.parts) if part.distance(pivot_point) <= radius]
    barred = [ground.barred.parts[k] for k in shut if ground.opened[k] is None]
    opened = [o for k in shut if (o := ground.opened[k]) is not None]
    rel = np.array([start.front_mid, start.at]) - np.array(pivot)
    where_one_stood = None if before is None else _where_one_stood(before)
    x, y = pivot
    by_edge = table is not None and min(x, y, table.width - x, table.height - y) < radius
    shapely.prepare([*(shape for shape, _ in near_zones), *solid, *barred])

    def forms(bearings: np.ndarray) -> np.ndarray:
        ok = np.ones(len(bearings), bool)
        if not (near_zones or solid or shut or by_edge):
            return ok
        turned = _turned(xy, bearings) + np.array(pivot)
        if by_edge and table is not None:
            ok &= ((turned >= -GRAZE) & (turned <= np.array([table.width, table.height]) + GRAZE)).all(axis=(1, 2, 3))
        shapes = np.asarray(shapely.polygons(turned))
        for shape, keep in near_zones:
            near = shapely.dwithin(shape, shapes, keep + GRAZE)
            near[near] = shapely.distance(shapes[near], shape) < keep
            if where_one_stood is not None and near.any():
                near[near] = ~where_one_stood(turned[near])
            ok &= ~near.any(axis=1)
        for shape in (*solid, *barred):
            inside = shapely.intersects(shape, shapes)
            inside[inside] = ~shapely.touches(shape, shapes[inside])
            ok &= ~inside.any(axis=1)
        for feature in opened:
            ok &= may_overhang(shapes, _turned(rel[None], bearings)[:, 0] + np.array(pivot), feature, t)
        return ok

    return forms


def _where_one_stood(before: Unit) -> Callable[[np.ndarray], np.ndarray]:
    """Return a test for which rectangles (k, 4 or 5, 2) lie exactly where a base of the unit lay (TSE-FRM-07).

    It compares corners to within rounding, so whatever passes also passes the wider comparison of ``placed_anew``.
    """
    old = [base.corners for base in before.bases if isinstance(base, Base)]

    def test(corners: np.ndarray) -> np.ndarray:
        matches = np.zeros(len(corners), bool)
        for old_corners in old:
            apart = np.hypot(*np.moveaxis(corners[:, :4, None] - old_corners[None, None], -1, 0))
            matches |= (apart.min(axis=2) <= GRAZE).all(axis=1)
        return matches

    return test


def _turned(xy: np.ndarray, bearings: np.ndarray) -> np.ndarray:
    """Return (n, 4or5, 2) corners turned clockwise by each bearing: (k, n, ., 2)."""
    turned = (xy[..., 0] + 1j * xy[..., 1])[None] * np.exp(-1j * bearings)[:, None, None]
    return np.stack([turned.real, turned.imag], axis=-1)


@dataclass(frozen=True)
class _Swings:
    """How far a front can turn on its middle, to either side, without coming too near to anything.

    The front extends ``half`` to each side and is ``depth`` deep. It must keep the distances ``keep`` (s,) from
    ``shapes`` (s,) and stay on a table of ``size``.
    """

    half: float
    depth: float
    shapes: np.ndarray
    keep: np.ndarray
    size: tuple[float, float]
    opened: tuple[Opened, ...] = ()
    t: float = 0.0
    known: dict[Standing, tuple[float, float]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, files: Files, zones: list[tuple[BaseGeometry, float]], ground: Ground, table: Table) -> _Swings:
        barred = [p for p, opened in zip(ground.barred.parts, ground.opened, strict=True) if opened is None]
        opened = tuple(o for o in ground.opened if o is not None)
        shapes = np.array([*(shape for shape, _ in zones), *barred], object)
        keep = np.array([*(distance for _, distance in zones), *(0.0 for _ in barred)])
        depth = files.tail if files.file else files.back
        return cls(files.half, depth, shapes, keep, (table.width, table.height), opened, files.cost_model.t)

    def __call__(self, mid: Point, facing: float) -> tuple[float, float]:
        """Return how far (radians) the front can turn to the left and to the right at a place."""
        return self.at([(mid, facing)])[0]

    def at(self, standing: Sequence[Standing]) -> list[tuple[float, float]]:
        """Return the same for several fronts, each given by its place and facing."""
        if self.half == 0.0:
            return [(math.inf, math.inf)] * len(standing)
        new = [key for key in dict.fromkeys(standing) if key not in self.known]
        quick = swing.ready()
        plain = [key for key, bridged in zip(new, self._by_bridges(new), strict=True) if not bridged]
        if quick is not None and plain:
            self.known.update(self._quickly(quick, plain))
        self.known.update((key, self._free(*key)) for key in new if key not in self.known)
        return [self.known[key] for key in standing]

    def _by_bridges(self, standing: Sequence[Standing]) -> np.ndarray:
        """Return which turns may meet an impassable feature with bridges, gates or fords in it."""
        near_bridges = np.zeros(len(standing), bool)
        if self.opened and len(standing):
            radius, places = math.hypot(self.half, self.depth), shapely.points(np.array([at for at, _ in standing]))
            for feature in self.opened:
                near_bridges |= shapely.dwithin(feature.closed, places, radius)
        return near_bridges

    def _bridged(self, mid: Point) -> list[Opened]:
        """Return the impassable features with bridges, gates or fords in them that a turn there may meet."""
        radius, point = math.hypot(self.half, self.depth), shapely.Point(mid)
        return [feature for feature in self.opened if shapely.dwithin(feature.closed, point, radius)]

    def _free(self, mid: Point, facing: float) -> tuple[float, float]:
        bridged = self._bridged(mid)
        shapes, keep, (width, height) = self.shapes, self.keep, self.size
        radius = math.hypot(self.half, self.depth)
        close = shapely.distance(shapes, shapely.Point(mid)) < radius + keep if len(shapes) else np.zeros(0, bool)
        inside = radius <= mid[0] <= width - radius and radius <= mid[1] <= height - radius
        if inside and not close.any() and not bridged:
            return math.inf, math.inf
        half, depth = (1.0 - GRAZE) * self.half, (1.0 - GRAZE) * self.depth
        corners = np.array([(-half, 0.0), (half, 0.0), (half, -depth), (-half, -depth)])
        poses = _turned(corners[None], facing + np.concatenate([-SWUNG, SWUNG]))[:, 0] + np.array(mid)
        bad = _too_near(poses, shapes[close], keep[close], np.array(self.size) + GRAZE)
        for one in bridged:
            bad |= np.concatenate([_overhanging(own, mid, one, self.t) for own in np.split(poses, 2)])
        left, right = np.split(bad, 2)
        ends = [float(SWUNG[max(0, int(np.argmax(bad)) - 1)]) if bad.any() else math.inf for bad in (left, right)]
        return ends[0], ends[1]

    def _quickly(
        self, quick: Callable[..., None], standing: list[Standing]
    ) -> Iterator[tuple[Standing, tuple[float, float]]]:
        """Yield the answers that the kernel can give with certainty."""
        shapes = Shapes(*self._edges.each, self.keep)
        half, depth, (width, height) = (1.0 - GRAZE) * self.half, (1.0 - GRAZE) * self.depth, self.size
        size, steps = np.array([-GRAZE, -GRAZE, width + GRAZE, height + GRAZE]), np.empty((len(standing), 2), int)
        mid, facing = np.array([at for at, _ in standing]), np.array([facing for _, facing in standing])
        quick(Turns(mid, facing), SWUNG, half, depth, size, shapes, steps)
        ends = np.append(SWUNG, math.inf)[np.where(steps == len(SWUNG), steps, np.maximum(steps - 1, 0))]
        for k in np.flatnonzero(steps.min(axis=1) >= 0).tolist():
            yield standing[k], (float(ends[k, 0]), float(ends[k, 1]))

    @cached_property
    def _edges(self) -> Edges:
        return Edges.of(list(self.shapes))


def _overhanging(poses: np.ndarray, mid: Point, opened: Opened, t: float) -> np.ndarray:
    """Return which of (k,) successive poses are barred, there or just before, by impassable ground with choke-points.

    To pass over such ground between two poses, a body must be free to stand over it in both (TSE-MOV-15).
    """
    bad = np.zeros(len(poses), bool)
    swept = hulls_about(np.concatenate([poses[:-1], poses[1:]], axis=1))
    met = np.flatnonzero(shapely.intersects(swept, opened.closed))
    affected = np.unique(np.concatenate([met, met + 1]))
    shapes = np.asarray(shapely.polygons(poses[affected]))
    guides = np.stack([np.broadcast_to(mid, (len(affected), 2)), poses[affected].mean(axis=1)], axis=1)
    bad[affected] = ~may_overhang(shapes[:, None], guides, opened, t)
    stands = np.zeros(len(poses), bool)
    stands[affected] = shapely.intersects(shapes, opened.surely(t))
    bad[met + 1] |= bad[met] | ~stands[met] | ~stands[met + 1]
    return bad


def _too_near(poses: np.ndarray, shapes: np.ndarray, keep: np.ndarray, edge: np.ndarray) -> np.ndarray:
    """Return which of (k, 4, 2) rectangles leave the table or come nearer to a shape than allowed."""
    bad = ((poses < -GRAZE) | (poses > edge)).any(axis=(1, 2))
    rectangles = np.asarray(shapely.polygons(poses))
    for shape, distance in zip(shapes, keep, strict=True):
        bad |= (
            shapely.distance(rectangles, shape) < distance if distance > 0.0 else shapely.intersects(rectangles, shape)
        )
    return np.asarray(bad)


def farthest_advance(battle: Battle, unit: Unit, action: Action, bearing: float, **forming: int) -> float:
    """Return how far the unit can go straight along a compass bearing (degrees), formed up facing it; -1 if nowhere.

    Cost, zones, impassable ground and the table's edge limit it, exactly and without tolerance (TSE-MOV-01, -15, -17,
    -21).
    """
    context = setting_of(battle, unit, action, overhang=False, **forming)
    heads = Heads((Node.first(context),), np.zeros(1, int), np.array([math.radians(bearing)]))
    return float(advances(context, heads).lengths[0])
