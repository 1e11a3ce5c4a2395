"""What bears on where a unit can go, put to the geometry of ways and reach: forming, zones, friends, the edge."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, outline
from tabletop.geometry.base import Base, Disc
from tabletop.geometry.contact import Outlines
from tabletop.geometry.ground import Ground, ground_of
from tabletop.geometry.measure import GRAZE, Point, heading
from tabletop.geometry.motion import Swing
from tabletop.geometry.ray import Files
from tabletop.geometry.reach import Setting
from tabletop.rules.tse.formation import assume
from tabletop.rules.tse.movement import Action, allowance, body_of, tariff
from tabletop.rules.tse.zone_of_control import zone_limit


def setting_of(battle: Battle, unit: Unit, action: Action, **forming: int) -> Setting:
    """Return the setting of a unit's move by an action: its formation faces north until it turns (TSE-FRM-06)."""
    start = unit if action.formation is None else assume(battle, unit, action.formation, facing=0.0, **forming)
    body = body_of(start)
    law = tariff(battle, unit, action)
    files = Files.of(body, law, action.marching)
    pivot = unit.bases[forming.get("head", 0)].centre if action.marching else start.at
    radius = start.bases[0].radius if isinstance(start.bases[0], Disc) else 0.0
    ground = ground_of(battle.table, action.marching)
    offset = (body.mid[1] - pivot[1]) if action.formation else 0.0
    far = offset + files.half + files.back + allowance(battle, unit, action) * law.road + radius
    zones = [(outline(e), zone_limit(battle, unit, e) + radius) for e in battle.enemies(unit)]
    zones = [(shape, keep) for shape, keep in zones if shape.distance(shapely.Point(pivot)) < far + min(keep, far)]
    barred = [(part, radius) for part in ground.barred.parts]
    friends = () if unit.is_general else tuple(_solid(f) for f in battle.friends(unit))
    near = tuple(f for f in friends if f.distance(shapely.Point(pivot)) < far)
    return Setting(
        files=files,
        ground=ground,
        pivot=pivot,
        offset=offset,
        budget=allowance(battle, unit, action) if unit.status != "demoralized" else 0.0,
        keep=Outlines.of([*zones, *barred]),
        friends=near,
        room=(0.0, 0.0, battle.table.width, battle.table.height),
        forms=_forming(start, pivot, zones, near, ground, action),
        turns=_turning(files, zones, ground, battle),
        pad=radius,
        free_turns=action.formation is None,
    )


def _solid(unit: Unit) -> BaseGeometry:
    """Return a unit's ground without the hollow inside it."""
    return shapely.convex_hull(unit.footprint) if unit.formation == "square" else unit.footprint.buffer(0.0)


def _forming(
    start: Unit,
    pivot: Point,
    zones: list[tuple[BaseGeometry, float]],
    friends: tuple[BaseGeometry, ...],
    ground: Ground,
    action: Action,
) -> Callable[[np.ndarray], np.ndarray]:
    """Return the test in which facings the unit can form: zones kept, no friend, no impassable ground (TSE-FRM-07)."""
    polygons = np.array([b.polygon for b in start.bases], object)
    xy = shapely.get_coordinates(polygons).reshape(len(polygons), -1, 2) - np.array(pivot)
    radius = float(np.hypot(xy[..., 0], xy[..., 1]).max())
    here = shapely.Point(pivot)
    near_zones = [(s, keep) for s, keep in zones if s.distance(here) <= radius + keep]
    solid = [f for f in friends if f.distance(here) <= radius]
    barred = [p for p in ground.barred.parts if p.distance(here) <= radius]
    beyond = 1e-9 if action.marching else 0.0

    def forms(bearings: np.ndarray) -> np.ndarray:
        ok = np.ones(len(bearings), bool)
        if action.formation is None or not (near_zones or solid or barred):
            return ok
        turned = _turned(xy, bearings) + np.array(pivot)
        shapes = np.asarray(shapely.polygons(turned))
        for shape, keep in near_zones:
            ok &= (shapely.distance(shapes, shape) >= keep + beyond).all(axis=1)
        for shape in (*solid, *barred):
            inside = shapely.intersects(shapes, shape) & ~shapely.touches(shapes, shape)
            ok &= ~inside.any(axis=1)
        return ok

    return forms


def _turned(xy: np.ndarray, bearings: np.ndarray) -> np.ndarray:
    """Return (n, 4or5, 2) corners turned clockwise by each bearing: (k, n, ., 2)."""
    turned = (xy[..., 0] + 1j * xy[..., 1])[None] * np.exp(-1j * bearings)[:, None, None]
    return np.stack([turned.real, turned.imag], axis=-1)


def _turning(
    files: Files, zones: list[tuple[BaseGeometry, float]], ground: Ground, battle: Battle
) -> Callable[[Point, float, np.ndarray], np.ndarray]:
    """Return the test to which facings a front can turn on its middle without coming too near to anything."""
    back = files.back if not files.file else 0.0
    radius = math.hypot(files.half, files.back)
    table = battle.table

    def turns(mid: Point, facing: float, bearings: np.ndarray) -> np.ndarray:
        here = shapely.Point(mid)
        close = [(s, keep) for s, keep in zones if s.distance(here) < radius + keep]
        close += [(p, 0.0) for p in ground.barred.parts if p.distance(here) < radius]
        inside = radius <= mid[0] <= table.width - radius and radius <= mid[1] <= table.height - radius
        if files.half == 0.0 or (not close and inside):
            return np.ones(len(bearings), bool)
        free = [_swing(mid, facing, sign, files, close, table.width, table.height) for sign in (-1.0, 1.0)]
        turn = np.remainder(bearings - facing + math.pi, 2 * math.pi) - math.pi
        return np.where(turn < 0.0, -turn <= free[0], turn <= free[1])

    assert back >= 0.0
    return turns


def _swing(
    mid: Point,
    facing: float,
    sign: float,
    files: Files,
    close: list[tuple[BaseGeometry, float]],
    width: float,
    height: float,
) -> float:
    """Return how far (radians) the column can turn one way before some part of it comes too near or leaves the table."""
    degrees = math.degrees(facing)
    f = heading(degrees)
    depth = files.back
    centre = mid[0] - depth / 2 * f[0], mid[1] - depth / 2 * f[1]
    base = Base(*centre, degrees, 2 * files.half - 2 * GRAZE, depth - 2 * GRAZE)
    poses = Swing(base, mid, sign * 180.0, 1.0).poses
    shapes = np.asarray(shapely.polygons(poses))
    bad = ((poses < -GRAZE) | (poses > np.array([width, height]) + GRAZE)).any(axis=(1, 2))
    for shape, keep in close:
        bad |= shapely.distance(shapes, shape) < keep if keep > 0.0 else shapely.intersects(shapes, shape)
    if not bad.any():
        return math.pi
    first = int(np.argmax(bad))
    return max(0.0, (first - 1) * math.pi / (len(poses) - 1)) if first else -1.0
