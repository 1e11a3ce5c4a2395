"""One point looking at another, with every reason: what stands in the line, how far its shadow falls, the side view.

The verdict is the law's, obstruction by obstruction; nothing is decided a second time here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
import shapely

from tabletop.geometry.measure import Point
from tabletop.geometry.sight import law as the
from tabletop.geometry.sight.blocked import beside
from tabletop.geometry.sight.law import InterveningUnit, Line, Rulings, SightLaw, Work, normalised
from tabletop.geometry.sight.obstruction import (
    Ground,
    InterveningUnits,
    Obstructions,
    SightObstruction,
    ground_of,
    packed,
    packed_units,
)
from tabletop.geometry.terrain import Table
from tabletop.geometry.verdict import SideView

Span = tuple[float, float]

#: A step this close behind an end (as a share of the line) is shown in the side view.
NEAR_END = 0.15


@dataclass(frozen=True)
class Hindrance:
    """One thing a line meets: the rule that applies, what it is, the stretch of the line, and the measurement.

    ``measured`` is compared with ``limit``: inches spent in woods with the budget; the gap behind the far side with the
    shadow; the inches crossed with 0; the clearance from a friend with the clearance to keep. ``far_side`` is D, and
    ``shadow`` the hidden stretch, both None if there is no shadow. ``beside`` is the sideways shift that takes the line
    clear of what blocks it, None if not computed. ``excess`` is by how much it blocks (0 or less if it does not): what
    is measured beyond its limit, or ``beside`` if that is less.
    """

    rule: str
    feature: str
    features: tuple[str, ...]
    stretch: Span
    level: int
    measured: float
    limit: float
    blocks: bool
    excess: float
    far_side: float | None = None
    shadow: Span | None = None
    kind: str = "tall"
    beside: float | None = None


@dataclass(frozen=True)
class SightLine:
    """One line judged: clear or not, its length, everything it meets (weightiest first); its side view on request.

    >>> from tabletop.geometry import SightLaw, Table, Terrain, sight_line
    >>> wood = Terrain.of_kind("wood", "woods", outline=[(8, 6), (12, 6), (12, 8), (8, 8)])
    >>> line = sight_line(Table.of("in", 20, 20, [wood]), (10.0, 4.0), (10.0, 12.0), SightLaw())
    >>> line.clear, line.length, [met.feature for met in line.blocking]
    (False, 8.0, ['wood'])
    """

    start: Point
    end: Point
    clear: bool
    length: float
    hindrances: tuple[Hindrance, ...]
    _look: _Look = field(repr=False, compare=False)

    @cached_property
    def side_view(self) -> SideView:
        return self._look.side_view(self.hindrances, self.start, self.end)

    @property
    def blocking(self) -> tuple[Hindrance, ...]:
        """What blocks, the weightiest first."""
        return tuple(h for h in self.hindrances if h.blocks)

    @property
    def excess(self) -> float:
        """By how many table units the line fails: 0 when it is clear."""
        return max((h.excess for h in self.blocking), default=0.0)


def sight_line(
    table: Table,
    s: Point,
    t: Point,
    law: SightLaw,
    intervening: Sequence[InterveningUnit] = (),
    tolerance: float | None = None,
) -> SightLine:
    """Return the line from ``s`` to ``t`` judged with every reason; distances run from ``s``, in table units.

    ``tolerance`` defaults to the table's. Source: TSE-LOS-01 to 20, TSE-FIR-10 and 12 for units ``intervening``.

    >>> from tabletop.geometry import SightLaw, Table, Terrain, sight_line
    >>> wood = Terrain.of_kind("wood", "woods", outline=[(8, 6), (12, 6), (12, 8), (8, 8)])
    >>> table = Table.of("in", 20, 20, [wood])
    >>> sight_line(table, (10.0, 4.0), (10.0, 7.0), SightLaw()).clear  # an end 1 in deep in the wood
    True
    >>> sight_line(table, (10.0, 4.0), (10.0, 12.0), SightLaw()).hindrances[0].rule
    'TSE-LOS-05'
    """
    a, b = normalised([s], [t])
    swapped = (float(a[0, 0]), float(a[0, 1])) != (float(s[0]), float(s[1]))
    rulings = law.rulings(table.tape.t if tolerance is None else tolerance)
    look = _Look.along(table, a[0].tolist(), b[0].tolist(), swapped, rulings, tuple(intervening))
    near = look.work.near[: the.nearby(look.columns, look.way, look.work.near)]
    hindrances = [h for b in near for h in look.at(b)]
    hindrances = look.with_budgets(hindrances) + [h for k in range(len(intervening)) for h in look.past(k)]
    hindrances.sort(key=lambda h: (not h.blocks, -h.excess, h.stretch, h.features))
    blocked = any(h.blocks for h in hindrances) and look.length > 0
    return SightLine((s[0], s[1]), (t[0], t[1]), not blocked, look.length, tuple(hindrances), look)


@dataclass(frozen=True)
class _Look:
    """One line being judged; ``swapped``: its end is the point that looks."""

    table: Table
    ground: Ground
    columns: Obstructions
    intervening: InterveningUnits
    names: tuple[str, ...]
    way: Line
    work: Work
    swapped: bool
    law: Rulings

    @classmethod
    def along(
        cls,
        table: Table,
        start: Sequence[float],
        end: Sequence[float],
        swapped: bool,
        law: Rulings,
        intervening: tuple[InterveningUnit, ...],
    ) -> _Look:
        ground = ground_of(table)
        columns = packed(ground, False)
        work = the.work_of(columns, False)
        way = the.line_between(columns, start[0], start[1], end[0], end[1], work)
        names = tuple(unit.id for unit in intervening)
        return cls(table, ground, columns, packed_units(intervening, False), names, way, work, swapped, law)

    @property
    def length(self) -> float:
        return self.way.length

    @property
    def levels(self) -> tuple[int, int]:
        """Levels of the higher and of the lower end."""
        ends = self.way.start_level, self.way.end_level
        return max(ends), min(ends)

    @property
    def from_end(self) -> bool:
        """Whether the far end is the higher one: lengths to far sides are measured from there."""
        return self.way.end_level > self.way.start_level

    def span(self, a: float, e: float) -> Span:
        """Return a stretch as measured from the looking end."""
        return (self.length - e, self.length - a) if self.swapped else (a, e)

    def line(self, span: Span) -> shapely.LineString:
        """Return the ground under a stretch."""
        (x, y), (ux, uy) = self.from_asker
        return shapely.LineString([(x + along * ux, y + along * uy) for along in span])

    @property
    def from_asker(self) -> tuple[Point, Point]:
        """The looking end, and the unit vector from there."""
        x, y, ux, uy, length = self.way[:5]
        return ((x + ux * length, y + uy * length), (-ux, -uy)) if self.swapped else ((x, y), (ux, uy))

    def pieces(self, ids: tuple[str, ...], span: Span) -> tuple[str, ...]:
        """Return the pieces of terrain that a stretch runs through, the longest part first."""
        if len(ids) == 1:
            return ids
        line = self.line(span)
        parts = [(-float(line.intersection(self.table.piece(i).shape).length), i) for i in ids]
        return tuple(i for part, i in sorted(parts) if part < -1e-9) or ids

    def done(self, b: int) -> tuple[int, the.Effect]:
        """Return at how many places the line meets an obstruction, and its effect; ``work`` holds the stretches."""
        n, work = the.crossings(self.columns, b, self.way, self.work.where), self.work
        the.join(work.where, 0, n)
        held = work.at_start[b], work.at_end[b]
        return n, the.effect(self.columns, b, (work.where, work.roles), (0, n), self.way, held, self.law)

    def at(self, b: int) -> Iterator[Hindrance]:
        """Yield the effect of an obstruction on the line, one hindrance per stretch."""
        n, _ = self.done(b)
        obstruction, where = self.ground.obstructions[b], self.work.where
        for k in range(0, n, 2):
            a, e = max(where[k], 0.0), min(where[k + 1], self.length)
            if self.work.roles[k] == the.CROSSED:
                yield self.crossed(obstruction, a, e)
            elif self.work.roles[k] == the.OWN and not obstruction.hill:
                yield self.within(obstruction, self.span(a, e), (e - a) / obstruction.see_through * self.law.budget)

    def crossed(self, obstruction: SightObstruction, a: float, e: float) -> Hindrance:
        """Return the hindrance of a stretch that is crossed (TSE-LOS-05, 06, 07, 16)."""
        span, kind = self.span(a, e), "hill" if obstruction.hill else "tall"
        far = self.length - a if self.from_end else e
        hindrance = self.judged(kind, self.pieces(obstruction.ids, span), span, obstruction.level, far)
        if not hindrance.blocks:
            return hindrance
        sideways = beside(obstruction, self.way)
        return replace(hindrance, beside=sideways, excess=min(hindrance.excess, sideways))

    def judged(self, kind: str, features: tuple[str, ...], span: Span, level: int, far: float) -> Hindrance:
        """Return the level test of one stretch whose far side lies at ``far`` from the higher end."""
        factor = the.shadow_factor(level, kind == "hill", *self.levels, self.law.deep_shadow)
        blocks = the.hides(level, kind == "hill", far, self.way, self.law)
        rule = _rule(kind, factor, self.levels[0] - level)
        if factor < 0:
            return Hindrance(rule, features[0], features, span, level, 0.0, 0.0, blocks, 0.0, kind=kind)
        if np.isinf(factor):
            inside = span[1] - span[0]
            return Hindrance(rule, features[0], features, span, level, inside, 0.0, blocks, inside, kind=kind)
        gap, limit = self.length - far, far * factor
        shade = self.from_higher(far, min(far + limit, self.length))
        return Hindrance(rule, features[0], features, span, level, gap, limit, blocks, limit - gap, far, shade, kind)

    def from_higher(self, a: float, e: float) -> Span:
        """Return a stretch measured from the higher end as measured from the looking end."""
        return self.span(self.length - e, self.length - a) if self.from_end else self.span(a, e)

    def within(self, obstruction: SightObstruction, span: Span, share: float) -> Hindrance:
        """Return the hindrance of a stretch of wood or town that holds an end; the budget is judged over all of them
        together."""
        features = self.pieces(obstruction.ids, span)
        return Hindrance(
            "TSE-LOS-10",
            features[0],
            features,
            span,
            obstruction.level,
            share,
            self.law.budget,
            False,
            0.0,
            kind="within",
        )

    def with_budgets(self, found: list[Hindrance]) -> list[Hindrance]:
        """Return the hindrances with the woods budget and the crest judged (TSE-LOS-10 to 13, 17)."""
        own = [h for h in found if h.kind == "within"]
        spent = sum(h.measured for h in own)
        if the.over(spent, self.law.budget, self.law):
            rule = "TSE-LOS-12" if len(own) > 1 else "TSE-LOS-10"
            own = [self._over(h, rule, spent, self.law.budget) for h in own]
        return [h for h in found if h.kind != "within"] + own + self._crest()

    def _over(self, h: Hindrance, rule: str, measured: float, limit: float) -> Hindrance:
        excess = measured - limit
        return Hindrance(rule, h.feature, h.features, h.stretch, h.level, measured, limit, True, excess, kind=h.kind)

    def _crest(self) -> list[Hindrance]:
        """Return the crest test if that ruling is on: too far from the edge of its own hill to see down."""
        if not the.crest_reach(self.law):
            return []
        blocked = []
        for obstruction in self.ground.hills:
            way = self.done(obstruction.index)[1].crest
            if the.over(way, self.law.crest, self.law):
                span = self.from_higher(0.0, way)
                features, excess = self.pieces(obstruction.ids, span), way - self.law.crest
                crest = features[0], features, span, obstruction.level, way, self.law.crest, True, excess
                blocked.append(Hindrance("TSE-LOS-17", *crest, kind="crest"))
        return blocked

    def past(self, k: int) -> Iterator[Hindrance]:
        """Yield the effect of a unit in the line of fire that the line passes within its clearance (TSE-FIR-10, 12)."""
        intervening, name = self.intervening, self.names[k]
        near, level, clearance = the.passing(intervening, k, self.way), intervening.level[k], intervening.clearance[k]
        if near >= clearance - self.law.t:
            return
        span = self.unit_span(k)
        if the.shadow_factor(level, False, *self.levels, self.law.deep_shadow) == np.inf:
            blocks, short = the.blocked_by_unit(intervening, k, self.way, self.law), clearance - near
            yield Hindrance("TSE-FIR-10", name, (name,), span, level, near, clearance, blocks, short, kind="unit")
            return
        yield self.judged("unit", (name,), span, level, min(the.far_past(intervening, k, self.way), self.length))

    def unit_span(self, k: int) -> Span:
        """Return the stretch along the line of a unit's points that lie within the clearance of it."""
        first, last = the.corridor(self.intervening, k, self.way)
        if self.swapped:
            first, last = self.length - last, self.length - first
        return max(0.0, min(first, self.length)), min(self.length, max(last, 0.0))

    def side_view(self, found: Sequence[Hindrance], s: Point, t: Point) -> SideView:
        """Return the line in section: ground, obstructions and shadows."""
        levels = self.ground.levels(np.array([s, t], float))
        tall = [h for h in found if h.kind in ("tall", "within", "unit")]
        shades = [(*self.shade(h), h.level, h.feature) for h in found if h.shadow is not None]
        ground = self.profile([along for shade in shades for along in shade[:2]]) if self.length else ()
        return SideView(
            start=(s[0], s[1]),
            end=(t[0], t[1]),
            eye=int(levels[0]),
            target=int(levels[1]),
            ground=ground,
            obstructions=tuple(sorted((*h.stretch, h.level, h.feature, h.blocks) for h in tall)),
            shadows=tuple(sorted(shades)),
            hills=self.hills(ground[0][0], ground[-1][1]) if ground else (),
        )

    def shade(self, hindrance: Hindrance) -> Span:
        """Return the whole shadow behind something, including what lies beyond the line's lower end."""
        far = hindrance.far_side or 0.0
        return self.from_higher(far, far + max(hindrance.limit, 0.0))

    def profile(self, shades: Sequence[float] = ()) -> tuple[tuple[float, float, int], ...]:
        """Return the ground under the line as (from, to, level) stretches.

        It extends beyond an end where the ground rises close behind it, so that the end stands near the foot of a step,
        and to the ends of ``shades`` close by.
        """
        (start, u), near = self.from_asker, NEAR_END * self.length
        first, last = -near, self.length + near
        cuts = {first, 0.0, self.length, last}
        for obstruction in self.ground.hills:
            met = shapely.get_coordinates(shapely.intersection(self.line((first, last)), obstruction.area))
            cuts.update(np.clip((met - start) @ np.array(u), first, last).tolist())
        at = sorted(cuts)
        middles = [(a + b) / 2 for a, b in pairwise(at)]
        levels = self.ground.levels(np.array(start) + np.outer(middles, u)).tolist()
        return _seen_beyond(
            _joined([(a, b, k) for (a, b), k in zip(pairwise(at), levels, strict=True) if b - a > 1e-9]),
            max(first, min((0.0, *shades))),
            min(last, max((self.length, *shades))),
            self.length,
        )

    def hills(self, first: float, last: float) -> tuple[tuple[float, float, int, str], ...]:
        """Return the stretches of hills under the line between two distances along it."""
        (start, u), stretches = self.from_asker, []
        line = self.line((first, last))
        for hill in (piece for piece in self.table.terrain if piece.is_hill):
            for part in shapely.get_parts(shapely.intersection(line, hill.shape)):
                along = (shapely.get_coordinates(part) - start) @ np.array(u)
                if len(along) > 1 and np.ptp(along) > self.law.t:
                    stretches.append((float(along.min()), float(along.max()), hill.level or 0, hill.id))
        return tuple(sorted(stretches))


def _seen_beyond(
    steps: tuple[tuple[float, float, int], ...], first: float, last: float, length: float
) -> tuple[tuple[float, float, int], ...]:
    """Return stretches of ground, cut off at ``first`` and ``last`` unless the ground rises there."""
    stretches = list(steps)
    while len(stretches) > 1 and stretches[0][1] <= 0.0 and stretches[0][2] < stretches[1][2]:
        stretches = [(min(first, 0.0), *stretches[1][1:]), *stretches[2:]]
    while len(stretches) > 1 and stretches[-1][0] >= length and stretches[-1][2] < stretches[-2][2]:
        stretches = [*stretches[:-2], (stretches[-2][0], max(last, length), stretches[-2][2])]
    if stretches and stretches[0][1] >= 0.0:
        stretches[0] = (first, *stretches[0][1:])
    if stretches and stretches[-1][0] <= length:
        stretches[-1] = (stretches[-1][0], last, stretches[-1][2])
    return tuple(step for step in stretches if step[1] - step[0] > 1e-9)


def _joined(steps: list[tuple[float, float, int]]) -> tuple[tuple[float, float, int], ...]:
    """Return stretches of ground with neighbours of one level joined."""
    out: list[tuple[float, float, int]] = []
    for a, b, level in steps:
        if out and out[-1][2] == level:
            out[-1] = (out[-1][0], b, level)
        else:
            out.append((a, b, level))
    return tuple(out)


def _rule(kind: str, factor: float, above: int) -> str:
    """Return the rule that applies when a stretch is crossed."""
    if kind == "hill":
        return "TSE-LOS-16"
    if kind == "unit":
        return "TSE-FIR-12"
    if factor < 0:
        return "TSE-LOS-15"
    if np.isinf(factor):
        return "TSE-LOS-05"
    return "TSE-LOS-06" if above == 1 else "TSE-LOS-07"
