"""How near the clear lines between many pairs of footprints are: the search of ``line_of_sight``, the easy pairs first.

The closest points of every pair are put to the law at once; only pairs whose closest line is not clear are searched.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely

from tabletop.geometry.line_of_sight import Search, SightLaw, clear_lines
from tabletop.geometry.sight_ground import SHRUNK, Floats, ground_of
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
    ends = shapely.get_coordinates(shapely.shortest_line(a, b)).reshape(-1, 2, 2)
    found: Floats = np.hypot(*(ends[:, 1] - ends[:, 0]).T)
    for k in np.nonzero(~clear_lines(table, ends[:, 0], ends[:, 1], law, (), 0.0))[0].tolist():
        line = Search(table, a[k], b[k], law, ()).shortest(0.0, ground_of(table, shrink))
        found[k] = np.inf if line is None else np.hypot(*(line[1] - line[0]))
    return found
