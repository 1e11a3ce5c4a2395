"""Places a front advances from, and its farthest straight advances from them, many at once.

Each advance is exact (price, zones, impassable ground, the table's edge). Source: TSE-MOV-01..18.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.abreast import Pairs
from tabletop.geometry.contact import Outlines, advance_until, table_until
from tabletop.geometry.fares import Fares, Paid
from tabletop.geometry.ground import Ground
from tabletop.geometry.measure import Point
from tabletop.geometry.ray import Beside, Files, Ray, Spent, farthest, followed, met_by, rays, spend
from tabletop.geometry.surroundings import Crowd, Surroundings

#: Radians between the moments of a turn at which its bases are looked for in rough ground.
TURN_STEP = 0.1

Forms = Callable[[np.ndarray], np.ndarray]


Turns = Callable[[Point, float, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Setting:
    """Everything that bears on where a mover can go.

    ``files`` the column with its prices, ``pivot`` the point it forms about, its front ``offset`` ahead of that;
    ``keep`` what it keeps its distance from, ``friends`` where it may not end, ``room`` (x0, y0, x1, y1) of the
    table, ``pad`` a disc's radius, ``gates`` places by which gaps are passed. ``forms(bearings)`` tells in which
    facings it can form; ``turns(mid, facing, bearings)`` to which it can turn on the middle of its front. Bearings are
    radians clockwise from north. ``meetings`` is how often one obstacle is thought to be met in a turn: twice to claim
    nothing false, for a front may leave it and come back.
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
    meetings: int = 2
    gates: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))

    @cached_property
    def friends_corners(self) -> np.ndarray:
        """The corners (n, 2) of all friends."""
        return np.unique(shapely.get_coordinates(np.array(self.friends, object)), axis=0).reshape(-1, 2)

    @cached_property
    def crowd(self) -> Crowd:
        """All friends as shapes not to end in."""
        return Crowd.of(self.friends)

    @cached_property
    def surroundings(self) -> Surroundings:
        """All that advances may meet."""
        return Surroundings.of(self.files, self.ground, self.keep, self.pivot, self.span)

    @cached_property
    def beside(self) -> dict[Point, tuple[bool, int, bool]]:
        """What bears on turns at places looked at before."""
        return {}

    @cached_property
    def swings(self) -> dict[tuple[Point, float, float], tuple[np.ndarray, np.ndarray]]:
        """How long each base is in rough ground during turns looked at before, by place, facing and hand."""
        return {}

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

    @classmethod
    def first(cls, setting: Setting) -> Node:
        """Return where a mover forms, free to face any way."""
        return cls(0.0, setting.pivot, None, Spent(0.0, (0.0,) * setting.files.count), ())


def directions_of(bearings: np.ndarray) -> np.ndarray:
    """Return the unit vectors (n, 2) of bearings in radians, clockwise from north."""
    return np.column_stack([np.sin(bearings), np.cos(bearings)])


class Fare(Protocol):
    """What some advances meet, priced: how far a budget lasts along each, and what has been spent at a length."""

    def lasting(self, budget: float, limit: np.ndarray) -> np.ndarray: ...

    def after(self, at: np.ndarray) -> Sequence[Spent]: ...


@dataclass(frozen=True)
class _Trains:
    """The fares of files, whose bases ride the track of the head: one advance at a time."""

    files: Files
    rays: list[Ray]
    spent: list[Spent]

    def lasting(self, budget: float, limit: np.ndarray) -> np.ndarray:
        every = zip(self.rays, self.spent, limit.tolist(), strict=True)
        return np.array([farthest(ray, s, self.files, budget, c) if c >= 0.0 else -1.0 for ray, s, c in every])

    def after(self, at: np.ndarray) -> list[Spent]:
        every = zip(self.rays, self.spent, at.tolist(), strict=True)
        return [spend(ray, s, self.files, far) for ray, s, far in every]


@dataclass(frozen=True)
class Heads:
    """Directions to advance in: bearings (n,) and of which of ``nodes`` each is (n,)."""

    nodes: tuple[Node, ...]
    of: np.ndarray
    bearings: np.ndarray

    def taken(self, chosen: np.ndarray) -> Heads:
        return Heads(self.nodes, self.of[chosen], self.bearings[chosen])

    def starts(self, setting: Setting) -> np.ndarray:
        """Return where the middle of the front is (n, 2) once it faces each way."""
        at = np.array([node.at for node in self.nodes])[self.of]
        ahead = np.array([setting.offset if node.facing is None else 0.0 for node in self.nodes])[self.of]
        return np.asarray(at + ahead[:, None] * directions_of(self.bearings))

    def beside(self, setting: Setting) -> tuple[Pairs, Beside]:
        """Return the outlines to keep from, and the edges of ground, that an advance in each direction may meet."""
        road, offset = setting.files.tariff.road, setting.offset
        places = []
        for node in self.nodes:
            ahead = offset if node.facing is None else 0.0
            places.append((node.at, ahead, ahead + max(setting.budget - node.cost, 0.0) * road))
        return setting.surroundings.beside(places, self.of, self.bearings)

    def each(self) -> Iterator[tuple[Node, np.ndarray]]:
        """Yield every node with the numbers of its directions, if it has any."""
        for k, node in enumerate(self.nodes):
            own = np.flatnonzero(self.of == k)
            if len(own):
                yield node, own


@dataclass(frozen=True)
class Advances:
    """The farthest advances: their directions, where each front starts (n, 2), how far it goes (negative: nowhere)."""

    heads: Heads
    starts: np.ndarray
    lengths: np.ndarray

    @property
    def bearings(self) -> np.ndarray:
        return self.heads.bearings


def advances(setting: Setting, heads: Heads) -> Advances:
    """Return the farthest legal advance in each direction (exact law, t = 0)."""
    paid = _paid(setting, heads)
    left = (setting.budget - paid.plain) * setting.files.tariff.road
    starts = heads.starts(setting)
    outlines, ground = heads.beside(setting)
    cap = np.where(left >= 0.0, _unhindered(setting, heads, starts, np.maximum(left, 0.0), outlines), -1.0)
    fare = fares(setting, heads, starts, cap, paid, ground)
    return Advances(heads, starts, np.where(cap >= 0.0, fare.lasting(setting.budget, cap), -1.0))


def fares(setting: Setting, heads: Heads, starts: np.ndarray, lengths: np.ndarray, paid: Paid, beside: Beside) -> Fare:
    """Return the fares of advances of ``lengths`` (n,), whose turns have been ``paid``, past the ground ``beside``."""
    files, u = setting.files, directions_of(heads.bearings)
    lengths = np.maximum(lengths, 1e-6)
    if not files.file and files.tariff.road == 1.0:
        return Fares.of(files, met_by(files, setting.ground, starts, u, lengths, beside), paid)
    spent = [replace(heads.nodes[k].spent, plain=p, rough=tuple(r)) for k, p, r in _rows(heads, paid)]
    met = rays(files, setting.ground, starts, u, lengths, beside)
    return _Trains(files, [followed(ray, s, files) for ray, s in zip(met, spent, strict=True)], spent)


def _rows(heads: Heads, paid: Paid) -> Iterator[tuple[int, float, list[float]]]:
    return zip(heads.of.tolist(), paid.plain.tolist(), paid.rough.tolist(), strict=True)


def _unhindered(setting: Setting, heads: Heads, starts: np.ndarray, limit: np.ndarray, beside: Pairs) -> np.ndarray:
    """Return how far, up to ``limit`` (n,), nothing but its price stops each front past the outlines ``beside``.

    Negative where the front cannot form, or turn, to face that way.
    """
    u, half = directions_of(heads.bearings), setting.files.half
    legal = np.zeros(len(u), bool)
    for node, own in heads.each():
        bearings = heads.bearings[own]
        free = node.facing is None
        legal[own] = setting.forms(bearings) if free else setting.turns(node.at, float(node.facing or 0.0), bearings)
    cap = np.minimum(limit, table_until(starts, u, half, setting.room, setting.pad))
    i, e = beside
    some = legal[i]
    most = float(limit.max(initial=0.0))
    cap = np.minimum(cap, advance_until(starts, u, half, setting.keep, most, (i[some], e[some])))
    return np.where(legal, cap, -1.0)


def turned(setting: Setting, node: Node, bearings: np.ndarray) -> list[Spent]:
    """Return what is spent once the front has turned on its middle from the node's facing to each bearing."""
    paid = _paid(setting, Heads((node,), np.zeros(len(bearings), int), bearings))
    every = zip(paid.plain.tolist(), paid.rough.tolist(), strict=True)
    return [replace(node.spent, plain=plain, rough=tuple(rough)) for plain, rough in every]


def _paid(setting: Setting, heads: Heads) -> Paid:
    """Return what is spent once the fronts have turned on their middles to face each direction."""
    plain = np.array([node.spent.plain for node in heads.nodes])[heads.of]
    rough = np.array([node.spent.rough for node in heads.nodes])[heads.of]
    for node, own in heads.each():
        _pay_turns(setting, node, heads.bearings[own], own, Paid(plain, rough))
    return Paid(plain, rough)


def _pay_turns(setting: Setting, node: Node, bearings: np.ndarray, own: np.ndarray, paid: Paid) -> None:
    """Add the price of the turns from a node's facing to the rows ``own`` of what was paid.

    An obstacle beside is charged ``meetings`` times. A base pays for the parts of the turn, by steps of ``TURN_STEP``,
    at an end of which its front edge is in rough ground. On a road a file bends without charge (TSE-MOV-23).
    """
    half = setting.files.half
    if node.facing is None or setting.free_turns or half == 0.0:
        return
    if node.at not in setting.beside:
        setting.beside[node.at] = _beside(setting, node.at)
    on_road, obstacles, by_rough = setting.beside[node.at]
    if on_road:
        return
    turns = np.remainder(bearings - float(node.facing or 0.0) + math.pi, 2 * math.pi) - math.pi
    paid.plain[own] += np.abs(turns) * half
    if obstacles:
        paid.plain[own] += np.where(
            np.abs(turns) > 1e-9, setting.meetings * obstacles * setting.files.tariff.linear, 0.0
        )
    if by_rough:
        paid.rough[own] += half * _turning_in_rough(setting, node, turns)


def _beside(setting: Setting, at: Point) -> tuple[bool, int, bool]:
    """Return whether a place lies on a road a file bends along, how many obstacles turns may meet, whether rough."""
    ground, radius = setting.ground, math.hypot(setting.files.half, setting.files.back)
    bends = setting.files.file and _near(ground.road.area, at, 0.0)
    obstacles = int(shapely.dwithin(ground.linear.parts, shapely.Point(at), radius + 1e-9).sum())
    return bends, obstacles, bool(ground.rough) and _near(ground.rough.area, at, radius)


def _turning_in_rough(setting: Setting, node: Node, turns: np.ndarray) -> np.ndarray:
    """Return (n, bases): for each turn and base the angle (radians) during which its front edge is in rough ground."""
    found = np.zeros((len(turns), setting.files.count))
    for sign in (-1.0, 1.0):
        chosen = np.flatnonzero(turns * sign > 0.0)
        if len(chosen):
            angles, slow = _swing(setting, node, sign)
            steps = np.minimum(np.abs(turns[chosen]) / angles[1], len(angles) - 1.0)
            whole = np.minimum(steps.astype(int), len(angles) - 2)
            found[chosen] = slow[whole] + (steps - whole)[:, None] * (slow[whole + 1] - slow[whole])
    return found


def _swing(setting: Setting, node: Node, sign: float) -> tuple[np.ndarray, np.ndarray]:
    """Return angles (k,), and how long (k, bases) each base was in rough ground up to each of them."""
    key = node.at, float(node.facing or 0.0), sign
    if key not in setting.swings:
        angles = np.linspace(0.0, math.pi, math.ceil(math.pi / TURN_STEP) + 1)
        inside = _edges_inside(setting, node, sign * angles)
        slow = (inside[:-1] | inside[1:]) * np.diff(angles)[:, None]
        setting.swings[key] = angles, np.concatenate([np.zeros((1, slow.shape[1])), slow.cumsum(axis=0)])
    return setting.swings[key]


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


def _cheapest(setting: Setting, heads: Heads, away: np.ndarray) -> np.ndarray:
    """Return what it costs at least (n,) to turn and get ``away`` (n,) from the nodes, were all the ground good."""
    cost = np.array([node.cost for node in heads.nodes])[heads.of]
    free = np.array([node.facing is None for node in heads.nodes])
    if setting.free_turns or setting.files.file or free.any():
        return np.asarray(cost)
    facing = np.array([float(node.facing or 0.0) for node in heads.nodes])[heads.of]
    turn = np.abs(np.remainder(heads.bearings - facing + math.pi, 2 * math.pi) - math.pi)
    return np.asarray(cost + turn * setting.files.half + away / setting.files.tariff.road)


def onward(setting: Setting, nodes: Sequence[Node], points: np.ndarray) -> list[Node]:
    """Return the nodes at those ``points`` (n, 2) that one straight advance from any of ``nodes`` reaches."""
    d = points - np.array([node.at for node in nodes]).reshape(-1, 1, 2)
    away = np.hypot(d[..., 0], d[..., 1])
    offset = np.array([setting.offset if node.facing is None else 0.0 for node in nodes])[:, None]
    left = np.array([setting.budget - node.cost for node in nodes])[:, None] * setting.files.tariff.road
    of, place = np.nonzero((away >= offset - 1e-5) & (away < left + offset) & (away > 1e-6))
    heads = Heads(tuple(nodes), of, np.arctan2(d[of, place, 0], d[of, place, 1]))
    paying = np.flatnonzero(_cheapest(setting, heads, away[of, place]) <= setting.budget + 1e-9)
    heads, of, place = heads.taken(paying), of[paying], place[paying]
    if not len(of):
        return []
    lengths = np.maximum(away[of, place] - offset[of, 0], 0.0)
    starts = heads.starts(setting)
    outlines, ground = heads.beside(setting)
    free = _unhindered(setting, heads, starts, lengths, outlines) >= lengths - 1e-9
    ground = ground.taken(free)
    heads, place, lengths = heads.taken(free), place[free], lengths[free]
    found = []
    after = fares(setting, heads, starts[free], lengths, _paid(setting, heads), ground).after(lengths)
    for k, spent in enumerate(after):
        cost = spent.plain + (setting.files.tariff.rough - 1.0) * max(spent.rough)
        if cost <= setting.budget:
            at = float(points[place[k], 0]), float(points[place[k], 1])
            found.append(Node(cost, at, float(heads.bearings[k]), spent, (*heads.nodes[heads.of[k]].way, at)))
    return found
