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
from tabletop.geometry.sight.law import Bools, Floats, Ints


def _shares(across: tuple[float, ...], along: tuple[float, ...]) -> Floats:
    """Return shares of the four corners of a stretch for points across it and along it."""
    found = [((1 - a) * (1 - b), (1 - a) * b, a * b, a * (1 - b)) for a in across for b in along]
    return np.array(found)


#: Points tried in a stretch, as shares of its corners: in a lesser one, and in a great one.
FEW = _shares((0.01, 0.99), (0.03, 0.5, 0.997))
MANY = _shares((0.005, 0.35, 0.65, 0.995), (0.35, 0.6, 0.85, 0.997))
EVERY = np.concatenate([FEW, MANY])
#: Shares of the largest view: what a further view, and a single stretch, must show that is new; the least stretch in
#: which points are tried, and the least in which many are.
NEW_VIEW, NEW_STRETCH, LEAST_STRETCH, GREAT_STRETCH = 1e-3, 1e-5, 1e-4, 1e-3


def taken(every: Stretches, eyes: Floats) -> Bools:
    """Return which stretches, in order of eye, bearing and distance, to take of those that ``eyes`` (n, 2) see."""
    run = kernel.ready()
    if run is None:
        return _plain(every, eyes)
    least, found = np.array([NEW_VIEW, NEW_STRETCH, LEAST_STRETCH, GREAT_STRETCH]), np.zeros(len(every.whose), bool)
    run(eyes, every.whose, every.first(len(eyes)), every.right, every.left, every.ends, EVERY, least, found)
    return found


def _points(corners: Floats, great: Bools) -> tuple[Floats, Ints]:
    """Return the points tried in quadrangles (m, 4, 2), those of each one after another from (m + 1,) on."""
    begins = np.append(0, np.cumsum(np.where(great, len(MANY), len(FEW))))
    points = np.empty((begins[-1], 2))
    for which, shares in ((~great, FEW), (great, MANY)):
        at = begins[:-1][which, None] + np.arange(len(shares))
        for c in (0, 1):
            points[at, c] = corners[which, :, c] @ shares.T
    return points, begins


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


def _plain(every: Stretches, eyes: Floats) -> Bools:
    """Do what the kernel does, many points at once."""
    n, first, corners = len(eyes), every.first(len(eyes)), every.corners(eyes)
    sizes, found = _sizes(corners), np.zeros(len(corners), bool)
    new = np.bincount(every.whose, sizes, n)
    most = float(np.max(new))
    tried = np.nonzero(sizes > LEAST_STRETCH * most)[0]
    points, begins = _points(corners[tried], sizes[tried] > GREAT_STRETCH * most)
    turns = np.stack([_turn(np.stack([np.cos(a), np.sin(a)], axis=1)) for a in (every.right, every.left)], axis=1)
    whose, many = every.whose[tried], np.diff(begins)
    owner, of = np.repeat(whose, many), np.repeat(np.arange(len(tried)), many)
    dark, done, left = np.ones(len(points), bool), np.zeros(n, bool), sizes[tried]
    while not done.all():
        i = int(np.argmax(new))
        if new[i] < NEW_VIEW * most:
            break
        its = slice(first[i], first[i + 1])
        found[its] = done[i] = True
        dark &= owner != i
        some = np.nonzero(dark)[0]
        dark[some] = ~_shown(points[some], eyes[i], turns[its], corners[its])
        left = sizes[tried] * np.bincount(of[dark], minlength=len(tried)) / many
        new = np.bincount(whose, left, n)
    least = NEW_STRETCH * most
    for s in np.argsort(-left, kind="stable")[: int((left >= least).sum())].tolist():
        k, mine = tried[s], int(dark[begins[s] : begins[s + 1]].sum())
        if mine and sizes[k] * mine / many[s] >= least:
            found[k] = True
            some = np.nonzero(dark)[0]
            dark[some] = ~_shown(points[some], eyes[whose[s]], turns[k : k + 1], corners[k : k + 1])
    return found


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
