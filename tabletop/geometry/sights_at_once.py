"""How near the clear lines between many pairs of footprints are: the search of ``line_of_sight``, the easy pairs first.

To two convex bodies that stand on the table itself, in nothing and on nothing, all that stops sight is a wall: such
pairs are answered together (``past_walls``). Of the others the closest points are put to the law at once; only pairs
whose closest line is not clear are searched one by one.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import shapely

from tabletop.geometry.line_of_sight import Search, SightLaw, clear_lines
from tabletop.geometry.past_walls import Walls
from tabletop.geometry.sight_ground import AT_EDGE, SHRUNK, Bar, Bools, Floats, ground_of
from tabletop.geometry.terrain import Table


def clear_distances(
    table: Table,
    spotters: Sequence[shapely.Geometry],
    targets: Sequence[shapely.Geometry],
    law: SightLaw,
    shrink: float = SHRUNK,
) -> Floats:
    """Return the length of the shortest clear line of each pair, (n,) in table units, inf where there is none.

    This is the exact law (t = 0): ``sight`` also says whether the tape's tolerance changes what is seen. Walls are
    searched ``shrink`` smaller than they are, as ``sight`` does; 0 gives their own corners. Source: TSE-LOS-01 to 20.

    >>> clear_distances(Table.of("in", 20, 20), [shapely.Point(1, 1)], [shapely.Point(4, 5)], SightLaw())
    array([5.])
    """
    a, b = np.asarray(spotters, dtype=object), np.asarray(targets, dtype=object)
    found = np.full(len(a), np.nan)
    if not law.thin_wood_transparent:
        _past_walls(table, a, b, law, shrink, found)
    rest = np.nonzero(np.isnan(found))[0]
    if len(rest):
        found[rest] = _searched(table, a[rest], b[rest], law, shrink)
    return found


def _past_walls(table: Table, a: Any, b: Any, law: SightLaw, shrink: float, found: Floats) -> None:
    """Fill in the pairs between which there are but walls."""
    walls = walls_of(table, law, shrink)
    many, others = shapely.get_num_coordinates(a), shapely.get_num_coordinates(b)
    easy = _open(table, a) & _open(table, b)
    for j, k in sorted(set(zip(many[easy].tolist(), others[easy].tolist(), strict=True))):
        some = np.nonzero(easy & (many == j) & (others == k))[0]
        high, low = _convex(a[some], j), _convex(b[some], k)
        good = np.nonzero(high[1] & low[1])[0]
        if len(good):
            found[some[good]] = walls.shortest(high[0][good], low[0][good])[0]


def _open(table: Table, shapes: Any) -> Bools:
    """Return which shapes stand in nothing that hinders sight, nor at the edge of it."""
    found: Bools = np.isin(np.asarray(shapely.get_type_id(shapes)), (1, 3))
    found[_areas(table).query(shapes, predicate="intersects")[0]] = False
    return found


def _areas(table: Table) -> shapely.STRtree:
    """Return all that hinders sight, and a hair about it; kept with the table once made."""
    kept: dict[str, shapely.STRtree] = table.__dict__.setdefault("_areas_of_sight", {})
    if "tree" not in kept:
        areas = np.array([bar.area for bar in ground_of(table).bars], dtype=object)
        kept["tree"] = shapely.STRtree(np.asarray(shapely.buffer(areas, AT_EDGE, join_style="mitre")))
    return kept["tree"]


def _convex(shapes: Any, count: int) -> tuple[Floats, Bools]:
    """Return the corners (n, k, 2) of shapes with ``count`` coordinates, counter-clockwise; and which are convex."""
    points = shapely.get_coordinates(shapes).reshape(-1, count, 2)
    if count == 2:
        return points, np.ones(len(points), bool)
    points = points[:, :-1]
    way = np.roll(points, -1, axis=1) - points
    after = np.roll(way, -1, axis=1)
    turn = way[..., 0] * after[..., 1] - way[..., 1] * after[..., 0]
    back: Bools = np.asarray((turn < 0).all(1))
    points = np.where(back[:, None, None], points[:, ::-1], points)
    return points, back | (turn > 0).all(1) & (np.asarray(shapely.get_type_id(shapes)) == 3)


def walls_of(table: Table, law: SightLaw, shrink: float = SHRUNK) -> Walls:
    """Return all that stops sight between two that stand on the table itself, kept with it once made."""
    kept: dict[Hashable, Walls] = table.__dict__.setdefault("_walls", {})
    key = (law, shrink)
    if key not in kept:
        which = [bar.index for bar in ground_of(table).bars if _stops(bar, law)]
        loose, firm = ([ground.bars[k].core for k in which] for ground in (ground_of(table, shrink), ground_of(table)))
        kept[key] = Walls.of(loose, shapely.union_all(firm))
    return kept[key]


def _stops(bar: Bar, law: SightLaw) -> bool:
    return bool(np.isposinf(law.factor(bar.level, bar.hill, 0, 0))) and (law.hills_block or not bar.hill)


def _searched(table: Table, a: Any, b: Any, law: SightLaw, shrink: float) -> Floats:
    ends = shapely.get_coordinates(shapely.shortest_line(a, b)).reshape(-1, 2, 2)
    found: Floats = np.hypot(*(ends[:, 1] - ends[:, 0]).T)
    for k in np.nonzero(~clear_lines(table, ends[:, 0], ends[:, 1], law, (), 0.0))[0].tolist():
        line = Search(table, a[k], b[k], law, ()).shortest(0.0, ground_of(table, shrink))
        found[k] = np.inf if line is None else np.hypot(*(line[1] - line[0]))
    return found
