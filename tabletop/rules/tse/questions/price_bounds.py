"""Bounds on the cost of a path wherever one obstacle or choke-point lies, which may settle whether it can be paid.

Obstacles and choke-points only add to the cost, a fixed amount for each crossing (TSE-MOV-08, TSE-MOV-09), so a path
costs least without obstacles. On a straight leg a front sweeps a strip and meets each edge of an obstacle in it at most
once. A stretch of the leg on a choke-point may cut every edge in two; for a line, which has no width, at most one edge.
Obstacles that are joined count as one, which only lowers the count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import GRAZE, heading
from tabletop.geometry.movement.choke_exemption import Strip
from tabletop.geometry.movement.ground import NOTHING, Ground, edges_of, edges_within, ground_of
from tabletop.geometry.movement.line_cost import line_cost
from tabletop.geometry.movement.motion import Slide
from tabletop.geometry.movement.motion_cost import CostModel, toll
from tabletop.geometry.terrain import Terrain
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.assault.path import paths_to, reach_of
from tabletop.rules.tse.movement.judge import planned
from tabletop.rules.tse.movement.motion import ACTIONS, PlannedMove, action_of, cost_model, either_hand, ground_under

#: By how much sums of the same items may differ through rounding.
ROUNDING = 1e-6
#: How many tolerances outside a strip edges are still counted.
BESIDE = 4.0


@dataclass(frozen=True)
class Leg:
    """A straight leg: its line, along which choke-points exempt other costs, and the strip each base sweeps.

    ``wide`` is False for a bare line without width.
    """

    line: BaseGeometry
    strips: tuple[BaseGeometry, ...]
    wide: bool = True


@dataclass(frozen=True)
class PriceBounds:
    """The cost of a path without obstacles and choke-points, and what these can add to it.

    ``bare`` is the cost on open ground, ``least`` the cost without obstacles, ``most`` the cost without choke-points
    either, and so without their exemptions; ``allowed`` is the budget (all in table units). ``legs`` is None if the
    path turns.
    """

    battle: Battle
    bare: float
    least: float
    most: float
    allowed: float
    law: CostModel
    legs: tuple[Leg, ...] | None

    def settles(self, piece: Terrain) -> bool:
        """Return whether the path is within budget wherever this piece lies, or beyond it wherever the piece lies."""
        if self._exceeds(self.bare) or (piece.movement == "linear" and self._exceeds(self.least)):
            return True
        if self.legs is None or piece.movement not in ("linear", "choke"):
            return False
        return self.battle.tape.at_most(self._most(piece, self.legs) + ROUNDING, self.allowed)

    def _exceeds(self, price: float) -> bool:
        return not self.battle.tape.at_most(price - ROUNDING, self.allowed)

    def _most(self, piece: Terrain, legs: Sequence[Leg]) -> float:
        """Return the most the path can cost, wherever a piece lies."""
        others = [other for other in self.battle.table.terrain if other is not piece]
        linear = [other.shape for other in others if other.movement == "linear"]
        chokes = [other.shape for other in others if other.movement == "choke"]
        own, gap = (piece.movement == kind for kind in ("linear", "choke"))
        most = self.most
        for leg in legs:
            over = sum(_stretches(choke) for choke in chokes if shapely.dwithin(choke, leg.line, BESIDE * self.law.t))
            over += _stretches(piece.uncut) if gap else 0
            met = max(edges_within(linear, strip) for strip in leg.strips)
            met += len(edges_of([piece.uncut])) if own else 0
            met = met * (1 + over) if leg.wide else met + over
            most += met * self.law.linear + over * self.law.choke
        return most


def _stretches(choke: BaseGeometry) -> int:
    """Return how many separate stretches of a straight line can lie on a choke-point at most."""
    if shapely.convex_hull(choke).area - choke.area <= GRAZE**2:
        return 1
    return max(1, len(edges_of([choke])) // 2)


def bounds_of_move(battle: Battle, request: Request) -> PriceBounds | None:
    """Return the bounds of a move along a path (TSE-MOV-01); None for other moves, or if it makes a half turn."""
    unit, name = battle.unit(request.args[0]), request.options.get("as")
    name = name or ("general" if unit.is_general else "maneuver")
    if name not in ACTIONS or not request.options.get("path"):
        return None
    action = action_of(unit, name, bool(request.options.get("delayed")))
    plan, _ = planned(battle, unit, action, request)
    if len(either_hand(plan)) > 1:
        return None
    ground = ground_under(battle, unit, action)
    law = cost_model(battle, unit, action)
    least, most = (toll(plan.motion, bounding_ground, law).price().total for bounding_ground in _poorer(ground))
    bare = 0.0 if action.marching else plan.motion.charge
    straight = not plan.motion.file and all(isinstance(sweep, Slide) for sweep in plan.motion.sweeps)
    legs = tuple(_legs(plan, law)) if straight else None
    return PriceBounds(battle, bare, least, most, plan.allowed, law, legs)


def bounds_of_assault(battle: Battle, request: Request) -> PriceBounds | None:
    """Return the bounds on the cost of an assaulter's path (TSE-ASL-06); None if paths tie or it has no reach."""
    unit, target = (battle.unit(name) for name in request.args[:2])
    paths, reach = paths_to(unit, target), reach_of(battle, unit, bool(request.options.get("delayed")))
    if len(paths) > 1 or reach is None:
        return None
    (path,), ground = paths, ground_of(battle.table)
    law = cost_model(battle, unit, ACTIONS["maneuver"])
    least, most = (line_cost(path.start, path.end, bounding_ground, law).total for bounding_ground in _poorer(ground))
    strip = Strip.about(path.start, heading(path.facing), heading(path.facing + 90.0), 0.0, 0.0, 0.0, path.length)
    leg = Leg(strip.line, (path.line.buffer(BESIDE * law.t),), wide=False)
    return PriceBounds(battle, path.length, least, most, reach, law, (leg,))


def settled_by(bounds: PriceBounds | None) -> Callable[[Unit | Terrain], bool]:
    """Return a test for whether the bounds settle the cost wherever a piece of terrain lies; without bounds, never.

    >>> settled_by(None)(Terrain.of_kind("hedge", "hedge", line=[(0, 0), (6, 0)]))
    False
    """
    return lambda thing: bounds is not None and isinstance(thing, Terrain) and bounds.settles(thing)


def _poorer(ground: Ground) -> tuple[Ground, Ground]:
    """Return the ground without obstacles, and the ground without obstacles or choke-points."""
    bare = replace(ground, linear=NOTHING)
    return bare, replace(bare, choke=NOTHING)


def _legs(plan: PlannedMove, law: CostModel) -> Iterator[Leg]:
    """Yield the legs of a move without turns."""
    for step, guide in zip(zip(*plan.motion.tracks, strict=True), plan.motion.way, strict=False):
        slides = [sweep for sweep in step if isinstance(sweep, Slide)]
        by = slides[0].dx, slides[0].dy
        strip = Strip.of([slide.base for slide in slides], guide, by, law.leading, law.t)
        if strip is not None:
            yield Leg(strip.line, tuple(slide.swept.buffer(BESIDE * law.t) for slide in slides))
