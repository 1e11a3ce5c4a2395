"""What it costs to turn about the middle of a front, and how much room there is: for many places and bearings.

A turn is cut into steps of ``TURN_STEP``; a base pays for the steps at one end of which its front edge is in rough
ground.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from tabletop.geometry.kernels.swinging import MET, UNSURE, Fronts, Lines, Turns, in_rough, met_turning
from tabletop.geometry.movement.choke_exemption import without_exempt_at
from tabletop.geometry.movement.farthest_advance import Paid
from tabletop.geometry.movement.ground import Ground
from tabletop.geometry.movement.move_context import MoveContext, Node, Nodes, Wheel

#: Angle (radians) between the moments of a turn at which its bases are tested for rough ground.
TURN_STEP = 0.05
#: Number of successive meetings of a base's front with obstacles that are counted in a turn.
MEETINGS = 6
ANGLES = np.linspace(0.0, math.pi, math.ceil(math.pi / TURN_STEP) + 1)


@dataclass(frozen=True)
class Turning:
    """Turns at k nodes: their ``facing`` (k,), 0 where they are ``free`` (k,) to face any way, and what has been
    ``spent``.

    ``left`` and ``right`` (k,) are how far they can turn, ``rate`` (k,) the length charged per radian; ``number`` (2,
    k) is the index in ``slow`` (r, 2, moments, bases) of those near rough ground, and in ``meets`` (m, 2, bases,
    meetings) of those near obstacles, else -1.
    """

    facing: np.ndarray
    free: np.ndarray
    spent: Paid
    left: np.ndarray
    right: np.ndarray
    rate: np.ndarray
    number: np.ndarray
    slow: np.ndarray
    meets: np.ndarray

    @classmethod
    def of(cls, context: MoveContext, nodes: Sequence[Node]) -> Turning:
        """Return the turns at nodes; their limits are computed once for each place and facing."""
        known = Nodes.of(nodes)
        return known.kept("turning", context, lambda: cls._found(context, known))

    @classmethod
    def _found(cls, context: MoveContext, nodes: Nodes) -> Turning:
        files = context.files
        wheels = _wheels(context, nodes)
        slow, slowed = _listed([wheel.slow for wheel in wheels], (2, len(ANGLES), files.count))
        meets, meeting = _listed([wheel.meets for wheel in wheels], (2, files.count, MEETINGS))
        none = (0.0,) * files.count
        return cls(
            nodes.facing,
            nodes.free,
            Paid(
                np.array([node.spent.plain for node in nodes]),
                np.array([node.spent.rough for node in nodes]),
                np.array([node.spent.met or none for node in nodes], float),
            ),
            np.array([wheel.left for wheel in wheels]),
            np.array([wheel.right for wheel in wheels]),
            np.array([files.half if wheel.charged else 0.0 for wheel in wheels]),
            np.stack([slowed, meeting]),
            slow,
            meets,
        )

    @cached_property
    def columns(self) -> np.ndarray:
        """All scalars of each node (5, k): facing, left, right, rate, what was paid before."""
        return np.stack([self.facing, self.left, self.right, self.rate, self.spent.plain])

    def to(self, of: np.ndarray, bearings: np.ndarray) -> np.ndarray:
        """Return the turns (n,) from nodes ``of`` (n,) to bearings (n,), positive to the right."""
        return np.asarray(np.remainder(bearings - self.facing[of] + math.pi, 2 * math.pi) - math.pi)

    def possible(self, of: np.ndarray, turns: np.ndarray) -> np.ndarray:
        """Return a mask (n,) of the turns there is room for."""
        return np.asarray((turns >= -self.left[of] - 1e-12) & (turns <= self.right[of] + 1e-12))

    def paid(self, of: np.ndarray, turns: np.ndarray) -> Paid:
        """Return what has been spent once the fronts have turned."""
        far, spent = np.abs(turns), self.spent.taken(of)
        plain, rough, crossed = spent.plain + far * self.rate[of], spent.rough, spent.crossed
        number, meeting = self.number[:, of]
        by = np.flatnonzero((number >= 0) & (turns != 0.0))
        if len(by):
            steps = np.minimum(far[by] / ANGLES[1], len(ANGLES) - 1.0)
            whole = np.minimum(steps.astype(int), len(ANGLES) - 2)
            place = number[by], (turns[by] > 0.0).astype(int)
            low, high = self.slow[*place, whole], self.slow[*place, whole + 1]
            rough[by] += self.rate[of[by], None] * (low + (steps - whole)[:, None] * (high - low))
        by = np.flatnonzero((meeting >= 0) & (far > 1e-9))
        if len(by):
            meets = self.meets[meeting[by], (turns[by] > 0.0).astype(int)]
            crossed[by] += (meets < far[by, None, None]).sum(axis=2)
        return Paid(plain, rough, crossed)


def _listed(found: Sequence[np.ndarray | None], shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return the arrays of a ``shape`` that are not None as one, and the index of each in it, else -1."""
    known = [array for array in found if array is not None]
    given = np.array([array is not None for array in found], bool)
    return np.array(known) if known else np.zeros((0, *shape)), np.where(given, np.cumsum(given) - 1, -1)


def _wheels(context: MoveContext, nodes: Sequence[Node]) -> list[Wheel]:
    """Return the limits on turns at nodes, cached for those seen before."""
    keys = [(node.at, float(node.facing or 0.0)) for node in nodes if node.facing is not None]
    new = [key for key in dict.fromkeys(keys) if key not in context.wheels]
    if new:
        context.wheels.update(zip(new, _looked_at(context, new), strict=True))
    return [FREE if node.facing is None else context.wheels[node.at, node.facing] for node in nodes]


FREE = Wheel(math.inf, math.inf, False, None, None)


def _looked_at(context: MoveContext, keys: list[tuple[tuple[float, float], float]]) -> list[Wheel]:
    """Return the limits on turns at places from facings. On a road a file bends without charge (TSE-MOV-23).

    It still pays for obstacles its head meets; the rest of a file does not turn there and then.
    """
    files, ground = context.files, context.ground
    room = context.turns.at(keys)
    if context.free_turns or files.half == 0.0:
        return [Wheel(left, right, False, None, None) for left, right in room]
    radius = math.hypot(files.half, files.back) + 1e-9
    at = np.asarray(shapely.points(np.array([at for at, _ in keys])))
    bends = shapely.dwithin(ground.road.area, at, 1e-9) & files.file
    swept = files.half + files.cost_model.t + 1e-9 if files.file else radius
    without_own = {k: own for k, (mid, _) in enumerate(keys) if (own := without_exempt_at(ground, [mid])) is not ground}
    met = np.any(np.asarray(shapely.dwithin(ground.linear.parts[:, None], at, swept)), axis=0) & np.ones(len(at), bool)
    slowed = ~bends & shapely.dwithin(ground.rough.area, at, radius)
    for k, own in without_own.items():  # on a choke-point, what it crosses does not count (TSE-MOV-09)
        met[k] = met[k] and bool(shapely.dwithin(own.linear.parts, at[k], swept).any())
        slowed[k] = slowed[k] and bool(shapely.dwithin(own.rough.area, at[k], radius))
    by = np.flatnonzero(slowed)
    slow = dict(zip(by.tolist(), _in_rough(context, [keys[k] for k in by]), strict=True))
    meeting, meets = np.flatnonzero(met).tolist(), dict[int, np.ndarray]()
    for own, indices in [
        (ground, [k for k in meeting if k not in without_own]),
        *((without_own[k], [k]) for k in meeting if k in without_own),
    ]:
        meets |= dict(zip(indices, _meetings(context, [keys[k] for k in indices], own), strict=True))
    return [Wheel(left, right, not bends[k], meets.get(k), slow.get(k)) for k, (left, right) in enumerate(room)]


def _meetings(context: MoveContext, keys: list[tuple[tuple[float, float], float]], ground: Ground) -> np.ndarray:
    """Return (k, 2, bases, meetings): the turns to the left and right after which bases meet obstacles; of a file its
    head.

    For turns at places from facings.
    """
    files = context.files
    whole = np.full((len(keys), 2, files.count, MEETINGS), math.inf)
    if not keys:
        return whole
    rows = np.array([(strip.left, strip.right, behind) for strip in files.strips for behind in strip.behind])
    rows = rows[:1] if files.file else rows
    turns = np.ascontiguousarray(whole[:, :, : len(rows)])
    at, facing = np.array([at for at, _ in keys]), np.array([facing for _, facing in keys])
    radius, fronts = math.hypot(files.half, files.back) + 1e-9, Fronts(*np.ascontiguousarray(rows.T))
    a, b, number, _ = ground.linear.outline.each
    near = _within(a, b, at, radius + files.cost_model.t)
    lines = Lines(a[near], b[near])
    met_turning(Turns(at, facing), fronts, radius, files.cost_model.t, lines, number[near], turns)
    whole[:, :, : len(rows)] = turns
    return whole


def _within(a: np.ndarray, b: np.ndarray, places: np.ndarray, radius: float) -> np.ndarray:
    """Return which lines from ``a`` to ``b`` (n, 2) come within ``radius`` of the bounding box of ``places`` (k, 2)."""
    low, high = places.min(axis=0) - radius, places.max(axis=0) + radius
    return np.asarray(((np.minimum(a, b) <= high) & (np.maximum(a, b) >= low)).all(axis=1))


def _in_rough(context: MoveContext, keys: list[tuple[tuple[float, float], float]]) -> np.ndarray:
    """Return (k, 2, moments, bases): how long each base has been in rough ground up to each moment of a turn.

    For turns to the left and to the right from facings at places.
    """
    mid, facing = np.array([at for at, _ in keys]).reshape(-1, 2), np.array([facing for _, facing in keys])
    quick = in_rough.ready()
    inside = _edges_in_rough(context, mid, facing) if quick is None else _quickly(quick, context, mid, facing)
    slow = (inside[:, :, :-1] | inside[:, :, 1:]) * np.diff(ANGLES)[:, None]
    return np.concatenate([np.zeros_like(slow[:, :, :1]), slow.cumsum(axis=2)], axis=2)


def _edges_in_rough(context: MoveContext, mid: np.ndarray, facing: np.ndarray) -> np.ndarray:
    """Return (k, 2, moments, bases): which front edges meet rough ground at each moment of those turns."""
    turned = facing[:, None, None] + np.array([-1.0, 1.0])[:, None] * ANGLES
    u = np.stack([np.sin(turned), np.cos(turned)], axis=-1)
    right = np.stack([u[..., 1], -u[..., 0]], axis=-1)
    edges = []
    for strip in context.files.strips:
        for behind in strip.behind:
            back = mid[:, None, None] - behind * u
            edges.append(np.stack([back + strip.left * right, back + strip.right * right], axis=-2))
    lines = np.asarray(shapely.linestrings(np.stack(edges, axis=-3)))
    return np.asarray(shapely.intersects(context.ground.rough.area, lines))  # only the first argument can be prepared


def _quickly(quick: Callable[..., None], context: MoveContext, mid: np.ndarray, facing: np.ndarray) -> np.ndarray:
    """Return the same by the kernel, except for places where it is unsure."""
    files, (a, b, *_) = context.files, context.ground.rough.outline.each
    rows = np.array([(strip.left, strip.right, behind) for strip in files.strips for behind in strip.behind])
    states = np.empty((len(mid), 2, len(ANGLES), files.count), np.uint8)
    fronts = Fronts(*np.ascontiguousarray(rows.T))
    quick(Turns(mid, facing), ANGLES, fronts, math.hypot(files.half, files.back), Lines(a, b), states)
    unsure = (states == UNSURE).any(axis=(1, 2, 3))
    if unsure.any():
        states[unsure] = _edges_in_rough(context, mid[unsure], facing[unsure])
    return np.asarray(states == MET)
