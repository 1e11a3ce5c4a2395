"""Which of many eyes' views and stretches are taken for the ground they see together.

Whole views are taken, of those that show most that is new first, while they show enough of it; then single stretches
of the other eyes. What is new is told by a few points in each stretch. So what is taken is seen, and what is left out
is little.
"""

from __future__ import annotations

import numpy as np

from tabletop.geometry.kernels.seen_together import FAR_LEFT, FAR_RIGHT, NEAR_LEFT, NEAR_RIGHT
from tabletop.geometry.kernels.seen_together import choose as kernel
from tabletop.geometry.seen_round import Stretches
from tabletop.geometry.sight_law import Bools, Floats, Ints

#: Where points of a stretch are tried, across it and along it.
TRIED = np.array([(across, along) for across in (0.02, 0.98) for along in (0.03, 0.5, 0.97)])
#: Shares of the largest view: what a further view, and a single stretch, must show that is new; and the least stretch
#: in which points are tried.
NEW_VIEW, NEW_STRETCH, LEAST_STRETCH = 1e-3, 1e-5, 1e-4


def taken(every: Stretches, eyes: Floats) -> Bools:
    """Return which stretches, in order of eye, bearing and distance, to take of those that ``eyes`` (n, 2) see."""
    corners = every.corners(eyes)
    sizes = _sizes(corners)
    most = float(np.max(np.bincount(every.whose, sizes, len(eyes)), initial=0.0))
    tried = np.nonzero(sizes > LEAST_STRETCH * most)[0]
    points = _points(corners[tried])
    turns = np.stack([_turn(np.stack([np.cos(a), np.sin(a)], axis=1)) for a in (every.right, every.left)], axis=1)
    lists = every.first(len(eyes)), turns, corners, sizes, tried, points, every.whose[tried]
    run, found = kernel.ready(), np.zeros(len(sizes), bool)
    (_plain if run is None else run)(eyes, *lists, NEW_VIEW * most, NEW_STRETCH * most, found)
    return found


def _points(corners: Floats) -> Floats:
    """Return the points tried in quadrangles (m, 4, 2), those of each one after another."""
    a, b = TRIED.T
    shares = np.stack([(1 - a) * (1 - b), (1 - a) * b, a * b, a * (1 - b)])
    return np.stack([(corners[:, :, c] @ shares).ravel() for c in (0, 1)], axis=1)


def _sizes(corners: Floats) -> Floats:
    """Return the areas of quadrangles (k, 4, 2)."""
    one, other = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    found: Floats = np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]) / 2
    return found


def _turn(way: Floats) -> Floats:
    """Return the turns of directions (k, 2)."""
    x, y = way.T
    whole = np.abs(x) + np.abs(y)
    share = np.divide(y, whole, out=np.zeros(len(y)), where=whole > 0.0)
    found: Floats = np.where(x >= 0.0, share, np.where(y >= 0.0, 2.0 - share, -2.0 - share))
    return found


def _plain(
    eyes: Floats,
    first: Ints,
    turns: Floats,
    corners: Floats,
    sizes: Floats,
    tried: Ints,
    points: Floats,
    whose: Ints,
    new_view: float,
    new_stretch: float,
    found: Bools,
) -> None:
    """Do what the kernel does, many points at once."""
    n, many = len(eyes), len(TRIED)
    new = np.bincount(np.repeat(np.arange(n), np.diff(first)), sizes, n)
    dark, done = np.ones(len(points), bool), np.zeros(n, bool)
    while not done.all():
        i = int(np.argmax(new))
        if new[i] < new_view:
            break
        its = slice(first[i], first[i + 1])
        found[its] = done[i] = True
        some = np.nonzero(dark & ~np.repeat(done[whose], many))[0]
        dark[some] = ~_shown(points[some], eyes[i], turns[its], corners[its])
        left = dark.reshape(-1, many).sum(1)
        new = np.bincount(whose, np.where(done[whose], 0.0, sizes[tried] * left / many), n)
    dark &= ~np.repeat(done[whose], many)
    left = dark.reshape(-1, many).sum(1)
    for s in np.argsort(-sizes[tried] * left, kind="stable").tolist():
        k, mine = tried[s], dark[s * many : (s + 1) * many]
        if sizes[k] * mine.sum() >= new_stretch * many and mine.any():
            found[k] = True
            some = np.nonzero(dark)[0]
            dark[some] = ~_shown(points[some], eyes[whose[s]], turns[k : k + 1], corners[k : k + 1])


def _shown(points: Floats, eye: Floats, turns: Floats, corners: Floats) -> Bools:
    """Return which points (p, 2) lie in stretches, in order, of one eye."""
    turn, found = _turn(points - eye), np.zeros(len(points), bool)
    k, sector = np.searchsorted(turns[:, 0], turn, side="right") - 1, np.searchsorted(turns[:, 0], turns[:, 0])
    some = np.nonzero((k >= 0) & (turn < turns[k, 1]))[0]
    k = k[some]
    first = sector[k]
    while len(some):
        inside = _left_of(corners[k], FAR_RIGHT, FAR_LEFT, points[some])
        inside &= _left_of(corners[k], NEAR_LEFT, NEAR_RIGHT, points[some])
        found[some[inside]] = True
        more = ~inside & (k > first)
        some, k, first = some[more], k[more] - 1, first[more]
    return found


def _left_of(corners: Floats, a: int, b: int, points: Floats) -> Bools:
    """Return which points (m, 2) lie left of, or on, the ways between two corners of quadrangles (m, 4, 2)."""
    way, off = corners[:, b] - corners[:, a], points - corners[:, a]
    found: Bools = way[:, 0] * off[:, 1] - way[:, 1] * off[:, 0] >= 0.0
    return found
