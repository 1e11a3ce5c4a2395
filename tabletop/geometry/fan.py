"""Fans: the farthest straight advances of a front from one place, in every direction that matters, as an area.

Each advance is exact (price, zones, impassable ground, the table's edge). They go out evenly spaced and to both sides
of every direction in which a lane's side just passes a corner, where the farthest advance may jump; between two that
differ much further ones are put in, and where they jump only the shorter counts. Source: TSE-MOV-01..18.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.contact import Outlines, advance_until, lane_bearings, table_until
from tabletop.geometry.ground import Ground
from tabletop.geometry.measure import Point
from tabletop.geometry.ray import Files, Ray, Spent, farthest, followed, rays, spend
from tabletop.geometry.shapes import united

#: Degrees between evenly spaced advances, and how far to each side of a jump the farthest advance is asked again.
SPACING = 3.0
BESIDE = 1e-4
#: Radians to which directions past the corners of rough ground are rounded: advances change there, but do not jump.
SOFT = math.radians(1.0)
#: Rounds of advances put in between neighbours that differ, and how close (radians) they need not be.
ROUNDS = 3
CLOSE = math.radians(0.3)
#: Neighbouring advances that differ by more than this share of their length (for ``SPACING`` degrees) jump.
JUMP = 0.35
#: How much, as a share of their difference, the farthest advance between two neighbours may fall short of the chord.
SAG = 0.1
#: Radians between the moments of a turn at which its bases are looked for in rough ground.
TURN_STEP = 0.1
#: Of turning points closer together than about this (table units) one is enough.
APART = 0.25

#: A piece of a fan (start, end, next end, next start), None where there is none, and the angle it takes.
Sector = tuple[tuple[np.ndarray, ...] | None, float]
Forms = Callable[[np.ndarray], np.ndarray]


Turns = Callable[[Point, float, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Setting:
    """Everything that bears on where a mover can go.

    ``files`` the column with its prices, ``pivot`` the point it forms about, its front ``offset`` ahead of that;
    ``keep`` what it keeps its distance from, ``friends`` where it may not end, ``room`` (x0, y0, x1, y1) of the
    table, ``pad`` a disc's radius, ``gates`` places by which gaps are passed. ``forms(bearings)`` tells in which
    facings it can form; ``turns(mid, facing, bearings)`` to which it can turn on the middle of its front. Bearings are
    radians clockwise from north.
    """

    files: Files
    ground: Ground
    pivot: Point
    offset: float
    budget: float
    keep: Outlines
    friends: tuple[BaseGeometry, ...]
    room: tuple[float, float, float, float]
    forms: Forms
    turns: Turns
    pad: float = 0.0
    free_turns: bool = False
    gates: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))

    @property
    def span(self) -> float:
        """The farthest the front can get from the pivot at best."""
        return self.offset + self.budget * self.files.tariff.road


@dataclass(order=True)
class Node:
    """A place a further fan starts from: how it was reached. Ordered by what has been spent."""

    cost: float
    at: Point = field(compare=False)
    facing: float | None = field(compare=False)
    spent: Spent = field(compare=False)
    way: tuple[Point, ...] = field(compare=False)


def clear(points: np.ndarray, keep: Outlines) -> np.ndarray:
    """Return which points are no nearer to any outline than is to be kept."""
    ok = np.ones(len(points), bool)
    for a, b, distance in zip(keep.starts, keep.ends, keep.keep, strict=True):
        d = b - a
        share = np.clip(((points - a) @ d) / max(float(d @ d), 1e-12), 0.0, 1.0)
        ok &= np.hypot(*(points - a - share[:, None] * d).T) >= distance
    return ok


def directions_of(bearings: np.ndarray) -> np.ndarray:
    """Return the unit vectors (n, 2) of bearings in radians, clockwise from north."""
    return np.column_stack([np.sin(bearings), np.cos(bearings)])


@dataclass(frozen=True)
class Advances:
    """The farthest advances from one place: bearings, where each front starts, how far it goes (negative: nowhere)."""

    bearings: np.ndarray
    starts: np.ndarray
    lengths: np.ndarray
    rays: list[Ray]
    spent: list[Spent]


def advances(setting: Setting, node: Node, bearings: np.ndarray, lengths: np.ndarray | None = None) -> Advances:
    """Return the farthest legal advance from ``node`` in each bearing, at most ``lengths`` (exact law, t = 0)."""
    u = directions_of(bearings)
    spent = turned(setting, node, bearings)
    left = np.array([setting.budget - s.plain for s in spent]) * setting.files.tariff.road
    limit = np.maximum(left, 0.0) if lengths is None else lengths
    starts, cap = _unhindered(setting, node, bearings, limit)
    cap = np.where(left >= 0.0, cap, -1.0)
    met = rays(setting.files, setting.ground, starts, u, np.maximum(cap, 1e-6))
    met = [followed(ray, s, setting.files) for ray, s in zip(met, spent, strict=True)]
    gone = [
        farthest(ray, s, setting.files, setting.budget, float(c)) if c >= 0.0 else -1.0
        for ray, s, c in zip(met, spent, cap, strict=True)
    ]
    return Advances(bearings, starts, np.array(gone), met, spent)


def _unhindered(setting: Setting, node: Node, bearings: np.ndarray, limit: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where the fronts start (n, 2) and how far, up to ``limit`` (n,), nothing but its price stops each.

    Negative where the front cannot form, or turn, to face that way.
    """
    u, free, half = directions_of(bearings), node.facing is None, setting.files.half
    starts = np.array(node.at) + (setting.offset if free else 0.0) * u
    legal = setting.forms(bearings) if free else setting.turns(node.at, float(node.facing or 0.0), bearings)
    most = float(limit.max(initial=0.0))
    near = setting.keep.within(np.array(node.at), most + setting.offset + half + setting.pad)
    cap = advance_until(starts, u, half, near, most)
    cap = np.minimum(cap, table_until(starts, u, half, setting.room, setting.pad))
    return starts, np.where(legal, np.minimum(cap, limit), -1.0)


def turned(setting: Setting, node: Node, bearings: np.ndarray) -> list[Spent]:
    """Return what is spent once the front has turned on its middle from the node's facing to each bearing.

    A base pays for the parts of the turn, by steps of ``TURN_STEP``, at an end of which its front edge is in rough
    ground. On a road a file bends without charge (TSE-MOV-23).
    """
    half = setting.files.half
    straight = node.facing is None or setting.free_turns or half == 0.0
    if straight or (setting.files.file and _near(setting.ground.road.area, node.at, 0.0)):
        return [node.spent] * len(bearings)
    turns = np.remainder(bearings - float(node.facing or 0.0) + math.pi, 2 * math.pi) - math.pi
    radius = math.hypot(half, setting.files.back)
    extra = 0.0
    if setting.ground.linear and _near(setting.ground.linear.area, node.at, radius):
        extra = setting.files.tariff.linear
    if not (setting.ground.rough and _near(setting.ground.rough.area, node.at, radius)):
        charges = np.abs(turns) * half + np.where(np.abs(turns) > 1e-9, extra, 0.0)
        return [replace(node.spent, plain=node.spent.plain + c) for c in charges.tolist()]
    slow = _turning_in_rough(setting, node, turns)
    return [
        replace(
            node.spent,
            plain=node.spent.plain + abs(turn) * half + (extra if abs(turn) > 1e-9 else 0.0),
            rough=tuple(r + half * angle for r, angle in zip(node.spent.rough, angles, strict=True)),
        )
        for turn, angles in zip(turns.tolist(), slow, strict=True)
    ]


def _turning_in_rough(setting: Setting, node: Node, turns: np.ndarray) -> list[list[float]]:
    """Return, for each turn and base, the angle (radians) during which the base's front edge is in rough ground."""
    found: list[list[float]] = [[]] * len(turns)
    for sign in (-1.0, 1.0):
        chosen = np.flatnonzero(turns * sign >= 0.0)
        if not len(chosen):
            continue
        most = float(np.abs(turns[chosen]).max())
        angles = np.linspace(0.0, most, math.ceil(most / TURN_STEP) + 1)
        inside = _edges_inside(setting, node, sign * angles)
        either = inside[:-1] | inside[1:]
        for k in chosen:
            share = np.clip(abs(turns[k]) - angles[:-1], 0.0, np.diff(angles)) if len(angles) > 1 else np.zeros(0)
            found[k] = (share @ either).tolist() if len(share) else [0.0] * setting.files.count
    return found


def _edges_inside(setting: Setting, node: Node, turns: np.ndarray) -> np.ndarray:
    """Return (moments, bases): whether each base's front edge meets rough ground when turned so far."""
    u = directions_of(float(node.facing or 0.0) + turns)
    right = np.column_stack([u[:, 1], -u[:, 0]])
    edges = []
    for lane in setting.files.lanes:
        for behind in lane.behind:
            back = np.array(node.at) - behind * u
            edges.append(np.stack([back + lane.left * right, back + lane.right * right], axis=1))
    lines = np.asarray(shapely.linestrings(np.stack(edges, axis=1)))
    return np.asarray(shapely.intersects(lines, setting.ground.rough.area))


def _near(area: BaseGeometry, point: Point, radius: float) -> bool:
    return not area.is_empty and bool(shapely.dwithin(area, shapely.Point(point), radius + 1e-9))


def bearings_from(setting: Setting, node: Node) -> np.ndarray:
    """Return the bearings worth an advance: evenly spaced, and to both sides of every jump."""
    even = np.radians(np.arange(0.0, 360.0, SPACING))
    origin, files = np.array(node.at), setting.files
    span = (setting.budget - node.cost) * files.tariff.road + setting.offset + files.half
    corners, keep = setting.keep.within(origin, span).corners
    jumps = lane_bearings(origin, corners, keep + files.half)
    jumps = np.concatenate([jumps, _passing(setting.ground.linear.parts, origin, span, files)])
    friends = np.array(list(setting.friends), object)
    slow = [_passing(kind.parts, origin, span, files) for kind in (setting.ground.rough, setting.ground.choke)]
    soft = np.unique(np.round(np.concatenate(slow) / SOFT)) * SOFT
    found = np.concatenate([even, jumps - BESIDE, jumps + BESIDE, _passing(friends, origin, span, files), soft])
    found = found % (2 * math.pi)
    if node.facing is not None and files.half > 0.0 and not setting.free_turns:
        most = (setting.budget - node.cost) / files.half
        found = np.append(found, node.facing % (2 * math.pi))
        if most < math.pi:
            turn = np.abs(np.remainder(found - node.facing + math.pi, 2 * math.pi) - math.pi)
            found = np.concatenate([found[turn < most], [node.facing + most * 0.999, node.facing - most * 0.999]])
    return np.unique(np.round(found % (2 * math.pi), 9))


def _passing(parts: np.ndarray, origin: np.ndarray, span: float, files: Files) -> np.ndarray:
    """Return the bearings in which a lane's side passes a corner of ``parts``, ahead, or behind where bases follow."""
    near = _parts_near(parts, origin, span)
    if not near:
        return np.zeros(0)
    points = np.unique(shapely.get_coordinates(np.array(near, object)), axis=0)
    away = np.hypot(*(points - origin).T)
    ahead, behind = points[away < span + files.half], points[away < math.hypot(files.back, files.half)]
    back = lane_bearings(origin, behind, np.full(len(behind), files.half)) + math.pi
    return np.concatenate([lane_bearings(origin, ahead, np.full(len(ahead), files.half)), back])


def _parts_near(parts: np.ndarray, origin: np.ndarray, span: float) -> list[BaseGeometry]:
    return [p for p in parts if shapely.dwithin(p, shapely.Point(origin), span)] if len(parts) else []


def fan(setting: Setting, node: Node, toward: np.ndarray | None = None) -> BaseGeometry:
    """Return the ground covered by the farthest advances from a node, less where the unit would end in a friend.

    With ``toward``, places (n, 2), only in the directions of those.
    """
    bearings = bearings_from(setting, node)
    if toward is not None:
        bearings = bearings[_toward(node, toward, bearings)]
    found = _refined(setting, node, advances(setting, node, bearings))
    area = _filled(_sectors(found))
    far = float(found.lengths.max(initial=0.0)) + setting.offset + setting.files.half
    here = shapely.Point(node.at)
    beside = [friend for friend in setting.friends if shapely.dwithin(friend, here, far)]
    blocked = [_filled(_blocked(setting, found, friend)) for friend in beside]
    blocked = [b for b in blocked if not b.is_empty]
    return only_areas(shapely.difference(area, united(blocked)) if blocked and not area.is_empty else area)


def _filled(sectors: Iterable[Sector]) -> BaseGeometry:
    """Return the area of sectors that follow one another round a place."""
    pieces = [shapely.Polygon(ring) for ring in _runs(sectors)]
    return united([p if p.is_valid else shapely.make_valid(p) for p in pieces]) if pieces else shapely.Polygon()


def _toward(node: Node, places: np.ndarray, bearings: np.ndarray) -> np.ndarray:
    """Return which bearings lie within two steps of the spacing of the direction of a place."""
    bins = round(360.0 / SPACING)
    d = places - np.array(node.at)
    wanted = np.zeros(bins, bool)
    wanted[np.floor(np.arctan2(d[:, 0], d[:, 1]) % (2 * math.pi) / math.radians(SPACING)).astype(int) % bins] = True
    wide = np.any([np.roll(wanted, k) for k in range(-2, 3)], axis=0)
    return np.asarray(wide[np.floor(bearings / math.radians(SPACING)).astype(int) % bins])


def _refined(setting: Setting, node: Node, found: Advances) -> Advances:
    """Return the advances with further ones between neighbours that differ, until they differ little or lie close."""
    for _ in range(ROUNDS):
        nearby, ahead = np.roll(found.lengths, -1), np.roll(found.bearings, -1)
        gaps = np.remainder(ahead - found.bearings, 2 * math.pi)
        differ = np.abs(nearby - found.lengths) > 0.01 * np.maximum(1.0, np.minimum(nearby, found.lengths))
        split = (
            differ & (gaps > CLOSE) & (gaps < math.radians(2 * SPACING)) & (np.minimum(nearby, found.lengths) >= 0.0)
        )
        if not split.any():
            break
        between = (found.bearings[split] + gaps[split] / 2) % (2 * math.pi)
        found = _joined(found, advances(setting, node, between))
    return found


def _joined(a: Advances, b: Advances) -> Advances:
    bearings = np.concatenate([a.bearings, b.bearings])
    order = np.argsort(bearings, kind="stable")
    starts, lengths = np.concatenate([a.starts, b.starts]), np.concatenate([a.lengths, b.lengths])
    return Advances(bearings[order], starts[order], lengths[order], [], [])


def _runs(sectors: Iterable[Sector]) -> Iterator[np.ndarray]:
    """Yield a ring for each run of neighbouring sectors, at most a quarter of a circle: out along the ends, back."""
    outer: list[np.ndarray] = []
    inner: list[np.ndarray] = []
    turn = 0.0
    for sector, gap in sectors:
        if sector is None or turn > math.pi / 2:
            if len(outer) > 1:
                yield np.array([*outer, *inner[::-1]])
            outer, inner, turn = [], [], 0.0
        if sector is not None:
            p, a, b, q = sector
            outer += [a, b]
            inner += [p, q]
            turn += gap
    if len(outer) > 1:
        yield np.array([*outer, *inner[::-1]])


def only_areas(area: BaseGeometry) -> BaseGeometry:
    parts = [p for p in shapely.get_parts(area) if shapely.get_dimensions(p) == 2 and p.area > 1e-9]
    return shapely.MultiPolygon(parts) if len(parts) != 1 else parts[0]


def _sectors(found: Advances) -> Iterator[Sector]:
    """Yield the sectors between neighbouring advances, None where there is none, and the angle of each.

    A sector is (start, end, next end, next start). Where the two lengths differ by a jump only the shorter counts.
    """
    n = len(found.bearings)
    u, starts, gone = directions_of(found.bearings), found.starts, found.lengths
    gaps = np.remainder(np.roll(found.bearings, -1) - found.bearings, 2 * math.pi)
    for i in range(n):
        j = (i + 1) % n
        a, b = gone[i], gone[j]
        if a < 0.0 or b < 0.0 or gaps[i] > math.radians(2 * SPACING):
            yield None, 0.0
            continue
        steep = JUMP * max(1.0, min(a, b)) * max(gaps[i] / math.radians(SPACING), 0.02)
        if abs(a - b) > steep:
            a = b = min(a, b)
        sag = SAG * abs(a - b)
        a, b = max(0.0, a - sag), max(0.0, b - sag)
        yield (starts[i], starts[i] + a * u[i], starts[j] + b * u[j], starts[j]), float(gaps[i])


def _blocked(setting: Setting, found: Advances, friend: BaseGeometry) -> Iterator[Sector]:
    """Yield the sectors of a fan in which the unit, facing outward, would stand in a friend (TSE-MOV-16).

    Each takes in a little more than either of its sides says: the friend's corners are among the directions.
    """
    u, starts = directions_of(found.bearings), found.starts
    lo, hi = _inside_lane(shapely.get_coordinates(friend), starts, u, setting.files.half)
    hi = hi + setting.files.back
    near = np.maximum(0.0, np.minimum(lo, np.roll(lo, -1)) - 1e-3)
    far = np.maximum(hi, np.roll(hi, -1)) + 1e-3
    gaps = np.remainder(np.roll(found.bearings, -1) - found.bearings, 2 * math.pi)
    met = np.isfinite(near) & (far > np.maximum(near, 2e-3)) & (gaps < 0.2)
    for i in range(len(u)):
        j = (i + 1) % len(u)
        if not met[i]:
            yield None, 0.0
            continue
        a, b = near[i], far[i]
        yield (starts[i] + a * u[i], starts[i] + b * u[i], starts[j] + b * u[j], starts[j] + a * u[j]), float(gaps[i])


def _inside_lane(points: np.ndarray, starts: np.ndarray, u: np.ndarray, half: float) -> tuple[np.ndarray, np.ndarray]:
    """Return from where to where ahead an outline (a closed ring) lies in each lane; (inf, -inf) if it does not."""
    rel = points[None] - starts[:, None]
    ahead = rel[..., 0] * u[:, None, 0] + rel[..., 1] * u[:, None, 1]
    aside = rel[..., 0] * u[:, None, 1] - rel[..., 1] * u[:, None, 0]
    lo, hi = np.full(len(u), np.inf), np.full(len(u), -np.inf)
    for k, m in pairwise(range(len(points))):
        fa, fb, la, lb = ahead[:, k], ahead[:, m], aside[:, k], aside[:, m]
        with np.errstate(divide="ignore", invalid="ignore"):
            cuts = [(side - la) / (lb - la) for side in (-half, half)]
        first = np.where(lb == la, 0.0, np.clip(np.minimum(*cuts), 0.0, 1.0))
        last = np.where(lb == la, 1.0, np.clip(np.maximum(*cuts), 0.0, 1.0))
        inside = (np.minimum(la, lb) < half - 1e-9) & (np.maximum(la, lb) > -half + 1e-9)
        for share in (first, last):
            at = fa + share * (fb - fa)
            lo = np.where(inside, np.minimum(lo, at), lo)
            hi = np.where(inside, np.maximum(hi, at), hi)
    return lo, hi


def turning_points(setting: Setting) -> np.ndarray:
    """Return places (n, 2) where a turn can open new ground: off the corners of obstacles and of rough ground.

    Off a corner to keep ``d`` from, the corners of an octagon around the circle of radius d + half a front: a little
    outside it, so that the legs from one to the next stay clear.
    """
    origin = np.array(setting.pivot)
    span, half = setting.span, setting.files.half
    corners, keep = setting.keep.within(origin, span).corners
    found = [_around(corners, keep + half)]
    rough = _parts_near(setting.ground.rough.parts, origin, span)
    if rough:
        points = np.unique(shapely.get_coordinates(np.array(rough, object)), axis=0)
        found.append(_around(points, np.full(len(points), half)))
    if setting.files.tariff.road != 1.0:
        found += [shapely.get_coordinates(p) for p in _parts_near(setting.ground.lines, origin, span)]
    around = np.radians(np.arange(0.0, 360.0, 22.5))
    if setting.offset > 0.0:
        found.append(origin + setting.offset * directions_of(around))
    points = np.concatenate(found)
    x0, y0, x1, y1 = setting.room
    on = (points[:, 0] > x0) & (points[:, 0] < x1) & (points[:, 1] > y0) & (points[:, 1] < y1)
    on &= np.hypot(*(points - origin).T) < span
    points = points[on]
    points = np.concatenate([setting.gates, points[clear(points, setting.keep.within(origin, span))]])
    _, first = np.unique(np.round(points / APART), axis=0, return_index=True)
    return np.asarray(points[np.sort(first)])


def _around(corners: np.ndarray, radius: np.ndarray) -> np.ndarray:
    angles = np.radians(np.arange(22.5, 360.0, 45.0))
    out = (radius + 2e-3) / math.cos(math.radians(22.5))
    return np.asarray((corners[:, None] + out[:, None, None] * directions_of(angles)[None]).reshape(-1, 2))


def onward(setting: Setting, node: Node, points: np.ndarray) -> list[Node]:
    """Return the nodes at those ``points`` that one straight advance from ``node`` reaches."""
    if not len(points):
        return []
    d = points - np.array(node.at)
    away = np.hypot(d[:, 0], d[:, 1])
    offset = setting.offset if node.facing is None else 0.0
    left = (setting.budget - node.cost) * setting.files.tariff.road
    near = (away >= offset - 1e-5) & (away < left + offset) & (away > 1e-6)
    if not near.any():
        return []
    points, bearings, lengths = points[near], np.arctan2(d[near, 0], d[near, 1]), away[near] - offset
    lengths = np.maximum(lengths, 0.0)
    starts, cap = _unhindered(setting, node, bearings, lengths)
    free = cap >= lengths - 1e-9
    points, bearings, lengths, starts = points[free], bearings[free], lengths[free], starts[free]
    before = turned(setting, node, bearings)
    met = rays(setting.files, setting.ground, starts, directions_of(bearings), np.maximum(lengths, 1e-6))
    nodes = []
    for k in range(len(points)):
        ray = followed(met[k], before[k], setting.files)
        spent = spend(ray, before[k], setting.files, float(lengths[k]))
        cost = spent.plain + (setting.files.tariff.rough - 1.0) * max(spent.rough)
        if cost <= setting.budget:
            at = float(points[k, 0]), float(points[k, 1])
            nodes.append(Node(cost, at, float(bearings[k]), spent, (*node.way, at)))
    return nodes
