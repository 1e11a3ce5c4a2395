"""Which choices of the law of sight matter for the lines between two footprints, given what lies between them.

All lines between two shapes run within their hull. An obstruction outside the hull blocks none of them, whatever the
law says of such obstructions; nor does one that both ends overlook. Two laws that differ only in choices about absent
obstructions are the same law there, and the search need not be repeated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely

from tabletop.geometry.sight.law import InterveningUnit, SightLaw
from tabletop.geometry.sight.obstruction import AT_EDGE, Ground, SightObstruction, ground_of
from tabletop.geometry.terrain import Table

#: How far around the hull (table units, beyond the tolerance) an obstruction counts as reaching into it.
ABOUT = 10 * AT_EDGE
#: How many tolerances around the hull a footprint may still count as standing in an obstruction: a sharp tip grown by
#: the tolerance extends beyond it, but no farther than twice that across and as much along.
TIP = 3.0


@dataclass(frozen=True)
class Between:
    """What stands between two footprints: the least and greatest level of their points; levels of what may matter.

    ``hills`` are the levels of contours that some line may not overlook, ``at_ends`` says whether a footprint reaches
    one of them; ``tall`` are levels of the ground other obstructions stand on, ``thin`` whether one of them can be seen
    through. ``obstructions`` are all that reach into the hull of both, or in whose tip one may count as standing, each
    by its level, how far sight goes into it, whether it is a hill, and its area: tables that agree in them are the same
    table to these footprints.
    """

    least: int
    greatest: int
    hills: tuple[int, ...]
    at_ends: bool
    tall: tuple[int, ...]
    thin: bool
    obstructions: tuple[tuple[int, float, bool, shapely.Geometry], ...] = ()


def between(table: Table, a: shapely.Geometry, b: shapely.Geometry) -> Between:
    """Return what stands between two footprints, in table units (TSE-LOS-03).

    >>> from tabletop.geometry import Terrain
    >>> wood = Terrain.of_kind("wood", "woods", outline=[(8, 6), (12, 6), (12, 8), (8, 8)])
    >>> ends = shapely.box(9.0, 2.0, 11.0, 3.0), shapely.box(9.0, 11.0, 11.0, 12.0)
    >>> between(Table.of("in", 20, 20, [wood]), *ends).tall
    (0,)
    """
    ground, about = ground_of(table), table.tape.t + ABOUT
    hull = shapely.convex_hull(shapely.union_all([a, b]))
    near = _met(ground, hull, TIP * table.tape.t + ABOUT)
    met = [obstruction for obstruction in near if shapely.dwithin(obstruction.area, hull, about)]
    hills = [o for o in met if o.hill]
    least = min(_least_level(hills, shape) for shape in (a, b))
    reached = [hill for hill in hills if any(shapely.dwithin(hill.area, shape, about) for shape in (a, b))]
    tall = [o for o in met if not o.hill and o.level >= least]
    return Between(
        least,
        max((hill.level for hill in reached), default=0),
        tuple(hill.level for hill in hills if hill.level > least),
        any(hill.level > least for hill in reached),
        tuple(o.level for o in tall),
        any(o.see_through > 0 for o in tall),
        tuple((o.level, o.see_through, o.hill, o.area) for o in near),
    )


def bearing(law: SightLaw, what: Between, intervening: Sequence[InterveningUnit] = ()) -> SightLaw:
    """Return the law with every choice that makes no difference there at its default (TSE-LOS-03, TSE-LOS-17).

    By ``SightLaw.factor``, a hill hides nothing from lines whose lower end is on its level; deep shadows differ only
    behind what stands above the lower end and below the higher. Only a hill that holds an end is exempt or has a crest.

    >>> ends = shapely.box(9.0, 2.0, 11.0, 3.0), shapely.box(9.0, 11.0, 11.0, 12.0)
    >>> bearing(SightLaw(), between(Table.of("in", 20, 20, []), *ends)) == SightLaw()
    True
    """
    off = SightLaw()
    stands = [*(level - 1 for level in what.hills), *what.tall, *(unit.level for unit in intervening)]
    deep = any(what.least < level for level in stands) and what.greatest > what.least + 1
    hills = bool(what.hills)
    return replace(
        law,
        thin_wood_transparent=law.thin_wood_transparent if what.thin else off.thin_wood_transparent,
        hills_block=law.hills_block if hills else off.hills_block,
        own_hill_exempt=law.own_hill_exempt if what.at_ends and law.hills_block else off.own_hill_exempt,
        deep_shadow=law.deep_shadow if deep else off.deep_shadow,
        crest_edge=law.crest_edge if what.at_ends else off.crest_edge,
    )


def _met(ground: Ground, hull: shapely.Geometry, about: float) -> list[SightObstruction]:
    if not ground.obstructions:
        return []
    x0, y0, x1, y1 = shapely.bounds(hull).tolist()
    box = ground.boxes
    hit = (box[:, 0] <= x1 + about) & (box[:, 2] >= x0 - about) & (box[:, 1] <= y1 + about) & (box[:, 3] >= y0 - about)
    near = [ground.obstructions[k] for k in np.nonzero(hit)[0].tolist()]
    return [o for o in near if shapely.dwithin(o.area, hull, about)]


def _least_level(hills: Sequence[SightObstruction], shape: shapely.Geometry) -> int:
    """Return a lower bound on the level of a footprint's points."""
    return max((hill.level for hill in hills if shapely.covers(hill.area, shape)), default=0)
