"""What a motion costs: its length, turns, rough ground, obstacles, choke-points and roads, by one law.

The formula is ``movement.cost``. Its inputs are the charged length, the greatest length for which the traced part of a
base is in rough ground, the length for which the middle of the head's front edge (by a ruling, of every base's) is on a
road or in a town (marchers only), the greatest number of obstacles a base crosses, and the number of choke-points. What
is crossed by a choke-point that the middle of the front passes over counts for nobody (``choke_exemption``). Source:
TSE section 0, TSE-MOV-03..14.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

import numpy as np
import shapely

from tabletop.geometry.base import AnyBase, Base, Disc
from tabletop.geometry.measure import GRAZE, Point
from tabletop.geometry.movement import cost
from tabletop.geometry.movement.choke_exemption import (
    MORE,
    Strip,
    may_be_exempt,
    passages,
    without_exempt,
    without_exempt_at,
)
from tabletop.geometry.movement.crossing import slide_contacts, swing_contacts
from tabletop.geometry.movement.ground import NOTHING, Ground, Patches
from tabletop.geometry.movement.motion import ARC_ERROR, Motion, Slide, Sweep
from tabletop.geometry.movement.stretches import Span, merged
from tabletop.geometry.movement.sweep import (
    common,
    line_spans,
    may_meet,
    spans_in,
    swing_midpoint_spans,
)

#: Largest bracket (table units) around the computed end of a budget in which the exact end is searched for.
NARROW = 1e-11


@dataclass(frozen=True)
class CostModel:
    """The costs for a mover: lengths in table units.

    ``rough`` is the full cost of an inch of rough ground, ``linear`` and ``choke`` what each passage adds, ``road`` the
    inches of road that count as one (1: no bonus). ``trace`` is the part of a base traced through rough ground,
    ``leading`` the edge that leads. ``t`` is the tolerance of contact with an obstacle. ``all_on_road`` means that
    every base must be on the road to get the bonus, not the head alone.

    >>> from tabletop.geometry import CostModel
    >>> CostModel(rough=2.0, linear=2.0, choke=1.0).law
    (2.0, 2.0, 1.0, 1.0)
    """

    rough: float
    linear: float
    choke: float
    road: float = 1.0
    trace: str = "front_edge"
    leading: str = "front"
    t: float = 0.005
    all_on_road: bool = False

    @property
    def law(self) -> tuple[float, float, float, float]:
        """The costs in the order ``movement.cost`` expects."""
        return self.rough, self.linear, self.choke, self.road


@dataclass(frozen=True)
class MoveCost:
    """One cost, itemised: ``rough`` the length in rough of the base that has most, ``linear`` and ``choke`` counts.

    >>> from tabletop.geometry import MoveCost
    >>> MoveCost(total=7.0, length=5.0, rough=2.0).items()["rough"]
    2.0
    """

    total: float
    length: float
    turns: float = 0.0
    rough: float = 0.0
    linear: int = 0
    choke: int = 0
    road: float = 0.0

    def items(self) -> dict[str, float]:
        """Return the items by name, without the total."""
        names = ("length", "turns", "rough", "linear", "choke", "road")
        return {name: float(getattr(self, name)) for name in names}


@dataclass(frozen=True)
class Toll:
    """What a motion meets along its charged length: enough to compute its cost up to any point.

    ``rough``: stretches base by base; ``road``: stretches of the unit; ``linear``: contacts base by base; ``choke``:
    entries; ``turning``: the stretches charged for turns.
    """

    charge: float
    cost_model: CostModel
    rough: tuple[tuple[Span, ...], ...]
    road: tuple[Span, ...]
    linear: tuple[tuple[float, ...], ...]
    choke: tuple[float, ...]
    turning: tuple[Span, ...]

    def price(self, upto: float | None = None) -> MoveCost:
        """Return the cost of the motion, or of its part up to a charged length."""
        u = self.charge if upto is None else upto
        rough, road, linear, choke = self._met(u, upto is None)
        turns = _measure(self.turning, u)
        return MoveCost(self._sum(u, rough, road, linear, choke), u - turns, turns, rough, linear, choke, road)

    def total(self, upto: float) -> float:
        """Return the total cost up to a charged length, not itemised."""
        return self._sum(upto, *self._met(upto, False))

    def _met(self, upto: float, all_of_it: bool) -> tuple[float, float, int, int]:
        """Return the rough ground, road, obstacles and choke-points met so far."""
        rough, linear = 0.0, 0
        for spans in self.rough:
            if spans:
                rough = max(rough, _measure(spans, upto))
        for at in self.linear:
            if at:
                linear = max(linear, _count(at, upto, all_of_it))
        road = _measure(self.road, upto) if self.road else 0.0
        return rough, road, linear, _count(self.choke, upto, all_of_it) if self.choke else 0

    def _sum(self, upto: float, rough: float, road: float, linear: int, choke: int) -> float:
        return float(cost.total(upto, rough, road, linear, choke, self.cost_model.law))

    def breaks(self) -> list[float]:
        """Return the charged lengths at which the cost changes its slope or jumps, in order."""
        ends = [u for spans in (*self.rough, self.road, self.turning) for span in spans for u in span]
        lengths = {0.0, self.charge, *ends, *self.choke, *(u for at in self.linear for u in at)}
        return sorted(u for u in lengths if 0.0 <= u <= self.charge)

    def affordable(self, budget: float) -> float:
        """Return the greatest charged length whose cost is within ``budget`` (exact: no tolerance).

        The cost is piecewise linear between its breaks and jumps up just after an obstacle is met.
        """
        if self._before(self.charge) <= budget:
            return self.charge
        breaks = self.breaks()
        first = bisect_right(breaks, budget, key=self._after)
        if first == len(breaks):
            return breaks[-1]
        if first and self._before(breaks[first]) > budget:
            return breaks[first - 1] + self._invert(breaks[first - 1], breaks[first], budget)
        return breaks[first]

    def _after(self, u: float) -> float:
        """Return the cost just past ``u``: obstacles met there are paid."""
        return self.total(math.nextafter(u, math.inf))

    def _before(self, u: float) -> float:
        """Return the cost on reaching ``u``: obstacles met there are not yet crossed."""
        return self.total(u)

    def _invert(self, lo: float, hi: float, budget: float) -> float:
        """Return how far past ``lo`` the budget lasts, to the last bit: the costliest base may change in between."""
        a, b = math.nextafter(lo, math.inf), hi
        near, step = self._crossing(lo, hi, budget), math.ulp(hi)
        while step < NARROW and a < near - step and self.total(near - step) > budget:
            step *= 2.0
        if a < near - step and step < NARROW:
            a = near - step
            step = math.ulp(hi)
            while a + step < b and self.total(a + step) <= budget:
                a, step = a + step, 2.0 * step
            b = min(b, a + step)
        for _ in range(100):
            mid = (a + b) / 2
            if mid in (a, b):
                break
            a, b = (mid, b) if self.total(mid) <= budget else (a, mid)
        return a - lo

    def _crossing(self, lo: float, hi: float, budget: float) -> float:
        """Return an estimate of where between two breaks the cost reaches ``budget``, treating each base's cost as
        linear."""
        start, end, dear = self._after(lo), self.price(hi), cost.rough_more(self.cost_model.law)
        plain = end.total - dear * end.rough
        most = max((_measure(spans, lo) for spans in self.rough), default=0.0)
        shared = (plain - (start - dear * most)) / (hi - lo)
        rest = budget - start
        estimates = []
        for spans in self.rough or ((),):
            at, to = _measure(spans, lo), _measure(spans, hi)
            rate = shared + dear * (to - at) / (hi - lo)
            estimates.append((rest + dear * (most - at)) / rate if rate > 0.0 else math.inf)
        return min(hi, lo + min(estimates))


def _measure(spans: Sequence[Span], upto: float) -> float:
    if len(spans) == 1:
        ((lo, hi),) = spans
        return min(hi, upto) - lo if lo < upto else 0.0
    return math.fsum([min(hi, upto) - lo for lo, hi in spans if lo < upto])


def _count(at: Sequence[float], upto: float, all_of_it: bool) -> int:
    """Return how many contacts lie before ``upto``; an obstacle met exactly there is not crossed yet."""
    return len(at) if all_of_it else len([u for u in at if u < upto])


def toll(motion: Motion, ground: Ground, cost_model: CostModel) -> Toll:
    """Return everything a motion meets on the ground, for its cost (see the module's law).

    Rough ground under a road does not slow marchers: it is not part of their ground (TSE-MOV-13, TSE-MOV-14).

    >>> from tabletop.geometry import Base, Body, Table, CostModel, Terrain, ground_of, rigid_motion, steps_along, toll
    >>> wood = Terrain.of_kind("wood", "woods", outline=[(0, 12), (20, 12), (20, 14), (0, 14)])
    >>> body = Body.of([Base(10.0, 9.5, 0.0, 1.0, 1.0)], [0], 0.0)
    >>> met = toll(
    ...     rigid_motion(body, steps_along(body, [(10.0, 15.0)])), ground_of(Table.of("in", 20, 20, [wood])),
    ...     CostModel(rough=2.0, linear=2.0, choke=1.0))
    >>> met.price().total, met.price().rough, met.affordable(3.0)
    (7.0, 2.0, 2.5)
    """
    return tolls([motion], ground, cost_model)[0]


def tolls(motions: Sequence[Motion], ground: Ground, cost_model: CostModel) -> list[Toll]:
    """Return the toll of each motion; rough ground is measured for all of them at once."""
    met = [met_by(motion, ground, cost_model.t) for motion in motions]
    near = [motion.sweeps if own.rough else () for motion, own in zip(motions, met, strict=True)]
    spans = spans_in([s for sweeps in near for s in sweeps], ground.rough, cost_model.trace, cost_model.leading)
    meets = iter(may_meet([s for m in motions for s in m.sweeps], ground.linear, cost_model.t, cost_model.leading))
    each_toll, k = [], 0
    for motion, own, sweeps in zip(motions, met, near, strict=True):
        slow = spans[k : k + len(sweeps)] or [[]] * len(motion.sweeps)
        crossing = {id(sweep) for sweep in motion.sweeps if next(meets)}
        each_toll.append(_toll(motion, own, cost_model, slow, crossing))
        k += len(sweeps)
    return each_toll


def _toll(motion: Motion, ground: Ground, cost_model: CostModel, slow: list[list[Span]], crossing: set[int]) -> Toll:
    """Return a motion's toll from its stretches in rough ground and the ids of sweeps that may cross obstacles."""
    starts = [[0.0, *accumulate(s.charge for s in track)] for track in motion.tracks]
    over = _over_chokes(motion, ground, cost_model)
    sweeps = motion.sweeps
    slow = [_slowed(s, over[id(s)], cost_model) if id(s) in over else own for s, own in zip(sweeps, slow, strict=False)]
    rough = _by_track(motion.tracks, starts, slow)
    road = _on_roads(motion, starts, ground, cost_model.all_on_road) if cost_model.road != 1.0 and ground.road else ()
    linear = tuple(
        _contacts(track, start, ground, cost_model, crossing, over)
        for track, start in zip(motion.tracks, starts, strict=True)
    )
    choke = chokes_along(motion.way, [sweep.charge for sweep in motion.tracks[0]], ground.choke, cost_model)
    return Toll(motion.charge, cost_model, rough, road, linear, choke, _turning(motion.tracks[0]))


def _slowed(sweep: Sweep, ground: Ground, cost_model: CostModel) -> list[Span]:
    """Return the stretches of one sweep in rough ground."""
    return spans_in([sweep], ground.rough, cost_model.trace, cost_model.leading)[0] if ground.rough else []


def _over_chokes(motion: Motion, ground: Ground, cost_model: CostModel) -> dict[int, Ground]:
    """Return, by the ids of the sweeps that pass over choke-points, the ground less what these exempt."""
    if not passages(ground):
        return {}
    grounds: dict[int, Ground] = {}
    for k, step in enumerate(zip(*motion.tracks, strict=True) if not motion.file else ()):
        own = _exempt_step(step, motion.way[k : k + 2], ground, cost_model)
        grounds |= {id(sweep): own for sweep in step if own is not ground}
    for sweep in (sweep for track in motion.tracks if motion.file for sweep in track):
        if cost_model.leading == "front" and not may_be_exempt(ground, sweep.bounds, _width(sweep.base, cost_model.t)):
            continue
        own = _exempt_step([sweep], [_fronted(sweep.base)], ground, cost_model)
        if own is not ground:
            grounds[id(sweep)] = own
    return grounds


def _exempt_step(step: Sequence[Sweep], mids: Sequence[Point], ground: Ground, cost_model: CostModel) -> Ground:
    """Return the ground that counts for bases making one step together; the middle of their front is at ``mids``."""
    first, bases = step[0], [sweep.base for sweep in step]
    if isinstance(first, Slide):
        return without_exempt(ground, Strip.of(bases, mids[0], (first.dx, first.dy), cost_model.leading, cost_model.t))
    x, y = np.array([base.centre for base in bases]).mean(axis=0).tolist()
    return without_exempt_at(ground, [*mids, (x, y)])


def _width(base: AnyBase, t: float) -> float:
    return base.frontage if isinstance(base, Base) else 2.0 * t


def _fronted(base: AnyBase) -> Point:
    return base.front_mid if isinstance(base, Base) else base.centre


def met_by(motion: Motion, ground: Ground, t: float) -> Ground:
    """Return the ground without those kinds of it that lie nowhere near the motion (table units; TSE-MOV-05).

    >>> from tabletop.geometry import Base, Body, Table, Terrain, ground_of, rigid_motion, steps_along
    >>> wood = Terrain.of_kind("wood", "woods", outline=[(0, 12), (20, 12), (20, 14), (0, 14)])
    >>> body, ground = Body.of([Base(10.0, 4.5, 0.0, 1.0, 1.0)], [0], 0.0), ground_of(Table.of("in", 20, 20, [wood]))
    >>> [bool(met_by(rigid_motion(body, steps_along(body, [(10.0, y)])), ground, 1e-6).rough) for y in (8.0, 13.0)]
    [False, True]
    """
    pad = 4.0 * t + max(base.radius if isinstance(base, Disc) else 0.0 for base in motion.end) + ARC_ERROR
    ahead = pad + sum(base.frontage if isinstance(base, Base) else 0.0 for base in motion.end) + MORE

    def met(patches: Patches, pad: float = pad) -> Patches:
        return patches if patches and patches.within(motion.bounds, pad) else NOTHING

    choke = met(ground.choke, ahead)
    return replace(ground, rough=met(ground.rough), road=met(ground.road), linear=met(ground.linear), choke=choke)


def _by_track(
    tracks: Sequence[Sequence[Sweep]], starts: list[list[float]], spans: list[list[Span]]
) -> tuple[tuple[Span, ...], ...]:
    """Return the stretches of all sweeps (in track order) as one list per track, in its charged length."""
    by_track, i = [], 0
    for track, start in zip(tracks, starts, strict=True):
        own = [(lo + u, hi + u) for u, part in zip(start, spans[i : i + len(track)], strict=False) for lo, hi in part]
        by_track.append(merged(own))
        i += len(track)
    return tuple(by_track)


def _on_roads(motion: Motion, starts: list[list[float]], ground: Ground, everyone: bool) -> tuple[Span, ...]:
    """Return the stretches on a road of the head, or of ``everyone``; cached on the motion for the same roads."""
    kept: tuple[Patches, bool, tuple[Span, ...]] | None = vars(motion).get("_on_roads")
    if kept is None or kept[0] is not ground.road or kept[1] != everyone:
        on_road = _road(motion.tracks[0], starts[0], ground)
        for track, start in zip(motion.tracks[1:], starts[1:], strict=True) if everyone else ():
            on_road = common(on_road, _road(track, start, ground))
        kept = vars(motion)["_on_roads"] = ground.road, everyone, on_road
    return kept[2]


def _road(track: Sequence[Sweep], starts: list[float], ground: Ground) -> tuple[Span, ...]:
    """Return the stretches during which the middle of this base's front edge is on a road (TSE-MOV-14)."""
    spans: list[Span] = []
    for sweep, u in zip(track, starts, strict=False):
        spans += [(lo + u, hi + u) for lo, hi in _road_spans(sweep, ground)]
    return merged(spans)


def _road_spans(sweep: Sweep, ground: Ground) -> list[Span]:
    mid = sweep.base.front_mid if isinstance(sweep.base, Base) else sweep.base.centre
    if not isinstance(sweep, Slide):
        return swing_midpoint_spans(sweep, ground.road, mid)
    if sweep.length > 1e-12:
        return line_spans(np.array(mid), (sweep.dx, sweep.dy), sweep.charge, ground.road, closed=True)
    return [(0.0, sweep.charge)] if on_road(mid, ground) and sweep.charge > 0.0 else []


def on_road(point: Point, ground: Ground) -> bool:
    """Return whether a point (table units) lies on a road or in a town, borders included (TSE-MOV-23).

    >>> from tabletop.geometry import Table, Terrain, ground_of
    >>> ground = ground_of(Table.of("in", 20, 20, [Terrain.of_kind("road", "road", line=[(10, 0), (10, 20)])]))
    >>> on_road((10.0, 5.0), ground), on_road((14.0, 5.0), ground)
    (True, False)
    """
    return bool(ground.road) and bool(shapely.dwithin(shapely.Point(point), ground.road.area, GRAZE))


def _contacts(
    track: Sequence[Sweep],
    starts: list[float],
    ground: Ground,
    cost_model: CostModel,
    crossing: set[int],
    over: dict[int, Ground],
) -> tuple[float, ...]:
    if not ground.linear:
        return ()
    contacts: list[float] = []
    for sweep, u in zip(track, starts, strict=False):
        own = over.get(id(sweep), ground)
        contacts += [u + at for at in _met(sweep, own, cost_model)] if id(sweep) in crossing and own.linear else []
    return tuple(sorted(contacts))


def _met(sweep: Sweep, ground: Ground, cost_model: CostModel) -> list[float]:
    if isinstance(sweep, Slide):
        return slide_contacts(sweep, ground.linear, cost_model.t, leading=cost_model.leading)
    return swing_contacts(sweep, ground.linear, cost_model.t)


def chokes_along(
    way: Sequence[Point], charges: Sequence[float], choke: Patches, cost_model: CostModel
) -> tuple[float, ...]:
    """Return where the middle of the front enters a choke-point (TSE-MOV-09: charged once per passage, on entry).

    ``way`` is the path of the middle, ``charges`` the length charged for each leg of it.
    """
    if not choke or cost_model.choke == 0.0:
        return ()
    entries: list[float] = []
    u = 0.0
    for ((ax, ay), (bx, by)), charge in zip(pairwise(way), charges, strict=True):
        if math.hypot(bx - ax, by - ay) > 1e-12:
            leg = Slide(_marker((ax, ay)), bx - ax, by - ay, charge)
            entries += [u + at for at in slide_contacts(leg, choke, cost_model.t, line_only=True)]
        u += charge
    return tuple(entries)


def _marker(point: Point) -> Disc:
    """Return a point as a disc, so that it can move like a base."""
    return Disc(point[0], point[1], 0.0)


def _turning(track: Sequence[Sweep]) -> tuple[Span, ...]:
    turns, u = [], 0.0
    for sweep in track:
        if not isinstance(sweep, Slide):
            turns.append((u, u + sweep.charge))
        u += sweep.charge
    return merged(turns)
