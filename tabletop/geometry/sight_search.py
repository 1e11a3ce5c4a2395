"""The shortest clear line between two convex cells.

On a pair of cells the levels of both ends, and so the part each obstruction plays, are constant: a *wall* hides all
behind it, a *shade* hides for ``c`` times the way to its far side, a wood that holds an end spends the budget.

The argument. The clear lines are a closed set. If the closest pair of points is not clear, then at the shortest clear
line (and at some line of every family of clear lines) a constraint binds:

1. It touches a corner: of an obstruction or, where shades or budgets matter, of a cell. About one corner the directions
   fall into gaps between the directions of all other corners. In a gap the line crosses the same edges; the two ends,
   the far sides and the stretches of wood are then single secants of the direction, and the best of the gap is found by
   narrowing a bracket (``sight_found.narrow``). With walls alone the length is convex in the direction over all gaps
   of a corner: each end is the nearer side of a convex body, the greatest of secants; its least is found exactly
   (``sight_turn``).
2. It touches no corner. Turn to a fixed direction: ends, far sides and stretches are linear in the line's offset, so
   two of them must balance: the end of a shade (of a unit passed over: by either rim of the corridor along the line, or
   by a corner within it) against a side of the lower cell or against the end of another shade, or the budget against
   either (``sight_limits``). Each such family of edges gives one smooth curve of lines; its shortest is a candidate; so
   is every line in which two families that have the ends in common meet, for there a third limit ends what is clear
   (``sight_balanced``).

Every candidate is then put to the law of ``sight.law`` itself: the search proposes, the law decides. Lengths are
narrowed to 1e-4 table units in both kinds, past walls alone to rounding. With walls alone a shut verdict is exact down
to openings of about 1e-5.
With shades or budgets it rests on directions looked at (``sight_balanced.SPREAD``): of two least lengths of one family,
or two lines common to the same two families, that lie between the same neighbours, one may be missed; ``sight_net``
lies below to catch the wide ones. Arcs of clearance about screens are polygons (``sight_screens``), drawn finer about
the line found, and lines that turn about a corner of a screen at the rim of the corridor are looked for on them only.
What only the tape's tolerance opens is searched for in the same way, on ground cut back by it (``sight_lenient``).
Cells between which all lines are proved hidden, and corners through which only such lines run, are left out
(``sight_bundles``): that saves time and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import shapely

from tabletop.geometry.past_walls import closed_off
from tabletop.geometry.sight.obstruction import Floats
from tabletop.geometry.sight_balanced import balanced
from tabletop.geometry.sight_chords import Bundles
from tabletop.geometry.sight_found import Found, inside, within_reach
from tabletop.geometry.sight_mixed import Mixed
from tabletop.geometry.sight_pair import Pair
from tabletop.geometry.sight_pivots import NONE, Edges, clip, gaps, heading_of
from tabletop.geometry.sight_turn import shortest_turn

#: How far (table units) an end may lie off its cell, and how nearly (radians) a line must run along a side for the
#: place at which it crosses that side to be rounding.
OFF, ALONG = 1e-5, 1e-6


def shortest_of(
    pair: Pair, limit: float, first_clear: Callable[[Found], Floats | None], left: Bundles | None = None
) -> Floats | None:
    """Return the shortest clear line (2, 2) under ``limit``, but for the closest pair; None where there is none.

    ``first_clear`` puts candidates to the law, the shortest first; none outside the bundles ``left`` is clear. What
    touches a corner is cheaper found, and bounds what touches none. Where not even a corner has an open direction there
    is no line at all, unless corners too far off were left out.
    """
    if pair.simple:
        return first_clear(on_cells(past_walls(pair, limit), pair).under(limit))
    mixed = Mixed(pair, limit, left)
    found = mixed.found()
    if found is None and np.isinf(limit):
        return None
    best = None if found is None else first_clear(on_cells(found, pair).under(limit))
    if best is not None:
        mixed.limit = float(np.hypot(*(best[1] - best[0])))
    shorter = first_clear(on_cells(balanced(mixed), pair).under(mixed.limit))
    return best if shorter is None else shorter


def on_cells(found: Found, pair: Pair) -> Found:
    """Return the candidates with both ends on their cells.

    Where a line runs almost along a side, the place at which it would cross that side is rounding: such a line is cut
    anew by the other sides, and left out if its ends are off the cells even so.
    """
    good = inside(found.high, pair.high, OFF) & inside(found.low, pair.low, OFF)
    if good.all():
        return found
    v = found.high[~good]
    u = (found.low[~good] - v) / found.length[~good][:, None]
    h, e = clip(pair.high, v, u, ALONG)[1], clip(pair.low, v, u, ALONG)[0]
    with np.errstate(invalid="ignore"):
        again = Found.of(v, u, h, e)
    kept = inside(again.high, pair.high, OFF) & inside(again.low, pair.low, OFF)
    return Found(found.length[good], found.high[good], found.low[good]).with_(
        Found(again.length[kept], again.high[kept], again.low[kept])
    )


def shut(pair: Pair) -> bool:
    """Return True when walls alone close every line between two convex grounds, whatever else stands there.

    The grounds may be hulls of many cells: walls that reach into one are left out, so that True is always right.
    """
    high, low = pair.high.shape, pair.low.shape
    if shapely.intersects(high, low):
        return False
    apart = [bar for bar in pair.walls if not (shapely.intersects(bar.core, high) or shapely.intersects(bar.core, low))]
    told = closed_off(apart, pair.high.points, pair.low.points)
    if told is not None:
        return told
    edges = Edges.of([(bar, 0) for bar in apart], pair.hull.sides)
    index = np.nonzero(edges.convex & inside(edges.points, pair.hull))[0]
    corners = np.concatenate([pair.high.points, pair.low.points])
    pivots = np.concatenate([edges.points[index], corners])
    number = np.concatenate([index, np.full(len(corners), NONE)])
    return bool(apart) and not len(gaps(pivots, number, edges, pair.high, pair.low)[0])


def past_walls(pair: Pair, limit: float) -> Found:
    """Return the best line of every open gap when walls alone stand between the cells."""
    edges = Edges.of([(bar, 0) for bar in pair.walls], pair.hull.sides)
    index = np.nonzero(edges.convex & inside(edges.points, pair.hull))[0]
    index = index[within_reach(edges.points[index], pair, limit)]
    pivots = edges.points[index]
    row, a, e = gaps(pivots, index, edges, pair.high, pair.low)
    if not len(row):
        return Found.none()
    v = pivots[row]

    angle = shortest_turn(v, a, e, pair.high.body, pair.low.body)
    u = heading_of(angle)
    return Found.of(v, u, clip(pair.high, v, u)[1], clip(pair.low, v, u)[0])
