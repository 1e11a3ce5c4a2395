"""Two convex cells and what stands between them, sorted by its effect.

On a pair of cells the levels of both ends are constant, and so is the effect of each obstruction: a *wall* hides
everything behind it, a *shade* casts a shadow ``c`` times as long as the distance to its far side, a wood that holds an
end spends the budget.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import shapely

from tabletop.geometry.shapes import hull_about
from tabletop.geometry.sight.cells import Cell
from tabletop.geometry.sight.law import InterveningUnit, SightLaw
from tabletop.geometry.sight.obstruction import Ground, SightObstruction


@dataclass(frozen=True)
class Own:
    """A wood (or, under some rulings, a hill) that holds an end: which ends, and the effect of its other stretches."""

    obstruction: SightObstruction
    high: bool
    low: bool
    factor: float
    per: float  # length that uses up the whole budget; inf for a hill
    crest: bool = False


@dataclass(frozen=True, eq=False)
class Over:
    """A unit that fire may pass over: its shadow factor, its ground, and whether a cell lies within its clearance."""

    unit: InterveningUnit
    obstruction: SightObstruction
    factor: float
    always: bool


@dataclass(frozen=True, eq=False)
class Pair:
    """Two cells, the higher one first, and what stands between them."""

    high: Cell
    low: Cell
    law: SightLaw
    t: float
    walls: tuple[SightObstruction, ...] = ()
    shades: tuple[tuple[float, SightObstruction], ...] = ()
    owns: tuple[Own, ...] = ()
    thin: tuple[tuple[float, SightObstruction], ...] = ()
    over: tuple[Over, ...] = ()
    hopeless: bool = False
    swapped: bool = False  # the higher cell is the second one given

    @cached_property
    def hull(self) -> Cell:
        ring = hull_about(np.concatenate([self.high.points, self.low.points]))
        xy = shapely.get_coordinates(shapely.orient_polygons(ring))
        return Cell(xy[:-1] if len(xy) > 3 else xy, 0, frozenset())

    @property
    def simple(self) -> bool:
        """Whether there are only walls."""
        return not (self.shades or self.owns or self.thin or self.over)


def pair_of(
    a: Cell,
    b: Cell,
    ground: Ground,
    law: SightLaw,
    t: float,
    units_with_ground: Sequence[tuple[InterveningUnit, SightObstruction]] = (),
    loose: Ground | None = None,
) -> Pair:
    """Return two cells with every obstruction between them sorted by its effect (TSE-LOS-05 to 17, TSE-FIR-10, 12).

    ``units_with_ground`` has each unit in the line of fire with the ground it closes. If ``loose`` is given, the ground
    less what the tolerance lets pass, walls and shadow casters are taken from it.
    """
    high, low = (a, b) if a.level >= b.level else (b, a)
    parts = _Parts(Pair(high, low, law, t, swapped=high is b), ground if loose is None else loose)
    for obstruction in _between(ground, parts.pair):
        parts.add(obstruction)
    for unit, obstruction in units_with_ground:
        parts.add_unit(unit, obstruction)
    return parts.done()


def _between(ground: Ground, pair: Pair) -> Iterator[SightObstruction]:
    """Yield the obstructions that meet the hull of the cells."""
    if not ground.obstructions:
        return
    low, high, box = pair.hull.points.min(0), pair.hull.points.max(0), ground.boxes
    hit = (box[:, 0] <= high[0]) & (box[:, 2] >= low[0]) & (box[:, 1] <= high[1]) & (box[:, 3] >= low[1])
    near = np.nonzero(hit)[0]
    own = pair.high.within | pair.low.within
    meets = shapely.intersects(ground.cores[near], pair.hull.shape)
    yield from (ground.obstructions[k] for k, m in zip(near.tolist(), meets.tolist(), strict=True) if m or k in own)


@dataclass
class _Parts:
    """The obstructions of a pair while they are being sorted."""

    pair: Pair
    loose: Ground
    walls: list[SightObstruction] = field(default_factory=list)
    shades: list[tuple[float, SightObstruction]] = field(default_factory=list)
    owns: list[Own] = field(default_factory=list)
    thin: list[tuple[float, SightObstruction]] = field(default_factory=list)
    over: list[Over] = field(default_factory=list)
    hopeless: bool = False

    def add(self, obstruction: SightObstruction) -> None:
        high, low = self.pair.high, self.pair.low
        factor = float(self.pair.law.factor(obstruction.level, obstruction.hill, high.level, low.level))
        at_high, at_low = obstruction.index in high.within, obstruction.index in low.within
        if obstruction.hill:
            self._hill(obstruction, factor, at_high, at_low)
        elif obstruction.see_through > 0 and (at_high or at_low):
            self.owns.append(Own(obstruction, at_high, at_low, factor, obstruction.see_through))
        elif factor > 0:
            self._solid(obstruction, factor, at_high, at_low)

    def _hill(self, obstruction: SightObstruction, factor: float, at_high: bool, at_low: bool) -> None:
        law, high, low = self.pair.law, self.pair.high, self.pair.low
        if at_high or at_low:
            crest = law.crest_edge and at_high and not at_low and obstruction.level == high.level > low.level
            middle = factor if law.hills_block and not law.own_hill_exempt else -np.inf
            if crest or middle > 0:
                self.owns.append(Own(obstruction, at_high, at_low, middle, np.inf, crest))
        elif law.hills_block and factor > 0:
            self._solid(obstruction, factor, at_high, at_low)

    def _solid(self, obstruction: SightObstruction, factor: float, at_high: bool, at_low: bool) -> None:
        left = self.loose.obstructions[obstruction.index]
        if at_low or (at_high and np.isinf(factor)):
            self.hopeless = True
        elif self.pair.law.thin_wood_transparent and obstruction.see_through > 0:
            self.thin.append((factor, obstruction))
        elif shapely.is_empty(left.core):
            return
        elif np.isinf(factor):
            self.walls.append(left)
        else:
            self.shades.append((factor, left))

    def add_unit(self, unit: InterveningUnit, obstruction: SightObstruction) -> None:
        """Add a unit in the line of fire: it closes its ground to the line, or is passed over from above."""
        high, low = self.pair.high, self.pair.low
        factor = float(self.pair.law.factor(unit.level, False, high.level, low.level))
        inside = obstruction.index in high.within or obstruction.index in low.within
        if factor <= 0 or not (inside or shapely.intersects(obstruction.area, self.pair.hull.shape)):
            return
        if not np.isinf(factor):
            self.over.append(Over(unit, obstruction, factor, inside))
        elif inside:
            self.hopeless = True
        else:
            self.walls.append(obstruction)

    def done(self) -> Pair:
        return replace(
            self.pair,
            walls=tuple(self.walls),
            shades=tuple(self.shades),
            owns=tuple(self.owns),
            thin=tuple(self.thin),
            over=tuple(self.over),
            hopeless=self.hopeless,
        )
