"""Falling back beyond friends: the least extension of a straight path that makes it end clear of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tabletop.geometry.measure import Point, heading
from tabletop.geometry.movement.configuration_space import Obstacles, critical, directions
from tabletop.geometry.movement.fall_back import (
    FINE,
    Arc,
    Budget,
    Fall,
    chunks,
    hinted,
    least,
    may_get_through,
    scanned,
    spans,
)


def fall_back_beyond(arc: Arc, obstacles: Obstacles, budget: Budget, most: float, fine: float = FINE) -> Fall | None:
    """Return the straight path of least deviation that ends clear when extended by at most ``most`` (TSE-INV-09).

    Lengths (table units) are exact, as in ``fall_back``, unless a path is legal only within the declared tolerance;
    ``fine``, in degrees, as there.

    >>> from types import SimpleNamespace
    >>> import shapely
    >>> from tabletop.geometry import Arc, Base, Obstacles, obstacle
    >>> def sixes(before, starts, ways):
    ...     return np.full(len(ways), 6.0)
    >>> six = SimpleNamespace(  # inches, on open ground
    ...     plain=True, shortest=lambda before: 6.0, left=lambda before: 6.0, at_least=sixes,
    ...     between=lambda *legs: (sixes(*legs), sixes(*legs)), lengths=lambda legs: [(6.0, True) for _ in legs])
    >>> friend = obstacle([Base(10.0, 10.0, 0.0, 1.0, 1.0)], shapely.box(0.0, 3.0, 20.0, 5.0))
    >>> way = fall_back_beyond(Arc(180.0, -45.0, 45.0), Obstacles(ends=(friend,)), six, most=3.0)
    >>> round(way.shift[1], 2)
    -7.5
    """
    paths = (_beyond(arc, law, budget, most, fine) for law in (obstacles.exactly(), obstacles))
    return next(filter(None, paths), None)


def some_fall_back_beyond(
    arc: Arc, obstacles: Obstacles, budget: Budget, most: float, hints: Sequence[tuple[Point, ...]] = ()
) -> tuple[Fall, float] | None:
    """Return some path where ``fall_back_beyond`` finds one, and its deviation; along one of ``hints`` if possible.

    A direction legal under the exact law is also legal within the tolerance, so the latter can rule all of them out.
    Lengths are in table units, the deviation in degrees (TSE-INV-09).

    >>> from types import SimpleNamespace
    >>> import shapely
    >>> from tabletop.geometry import Arc, Base, Obstacles, obstacle
    >>> def sixes(before, starts, ways):
    ...     return np.full(len(ways), 6.0)
    >>> six = SimpleNamespace(  # inches, on open ground
    ...     plain=True, shortest=lambda before: 6.0, left=lambda before: 6.0, at_least=sixes,
    ...     between=lambda *legs: (sixes(*legs), sixes(*legs)), lengths=lambda legs: [(6.0, True) for _ in legs])
    >>> friend = obstacle([Base(10.0, 10.0, 0.0, 1.0, 1.0)], shapely.box(0.0, 3.0, 20.0, 5.0))
    >>> way, deviation = some_fall_back_beyond(Arc(180.0, -45.0, 45.0), Obstacles(ends=(friend,)), six, 3.0)
    >>> round(way.shift[1], 2) <= -7.5, abs(deviation) <= 45.0
    (True, True)
    """
    exact = obstacles.exactly()
    near = hinted(arc, hints)
    straight = _straight(near, arc, exact, budget, most) if near else None
    if straight is not None:
        return straight
    if not may_get_through(arc, obstacles, budget, most):
        return None
    tried = scanned(_tried(arc, obstacles, budget, most), arc)
    if near:
        tried.sort(key=lambda deviation: min(abs(deviation - d) for d in near))
    straight = next(filter(None, (_straight(chunk, arc, obstacles, budget, most) for chunk in chunks(tried))), None)
    if straight is not None:
        return straight
    rest = np.array(sorted(set(_tried(arc, exact, budget, most)) - set(tried), key=abs))
    may = rest[np.isfinite(_ends_beyond(rest.tolist(), arc, obstacles, budget, most))] if len(rest) else rest
    return _straight(may.tolist(), arc, exact, budget, most) if len(may) else None


def _straight(
    tried: Sequence[float], arc: Arc, law: Obstacles, budget: Budget, most: float
) -> tuple[Fall, float] | None:
    """Return the first legal path beyond friends in the directions ``tried``, and its deviation; None if none is."""
    far = _ends_beyond(tried, arc, law, budget, most)
    good = np.flatnonzero(np.isfinite(far)).tolist()
    return (_way(tried[good[0]], float(far[good[0]]), arc), tried[good[0]]) if good else None


def _way(deviation: float, length: float, arc: Arc) -> Fall:
    x, y = heading(arc.wanted + deviation)
    return Fall(((0.0, 0.0), (length * x, length * y)))


def _beyond(arc: Arc, law: Obstacles, budget: Budget, most: float, fine: float) -> Fall | None:
    def legal(deviations: Sequence[float]) -> np.ndarray:
        return np.asarray(np.isfinite(_ends_beyond(deviations, arc, law, budget, most)))

    deviation = least(_tried(arc, law, budget, most), arc, legal, fine)
    if deviation is None:
        return None
    return _way(deviation, float(_ends_beyond([deviation], arc, law, budget, most)[0]), arc)


def _tried(arc: Arc, law: Obstacles, budget: Budget, most: float) -> list[float]:
    """Return the deviations at which a path beyond friends becomes legal or illegal."""
    ((length, _),) = budget.lengths([((), arc.wanted)])
    bounds = [critical(law, (0.0, 0.0), far) for far in (length, length + most)]
    return arc.inside(np.concatenate([*bounds, directions(law.ends)]))


def _ends_beyond(deviations: Sequence[float], arc: Arc, law: Obstacles, budget: Budget, most: float) -> np.ndarray:
    """Return for each direction the least length, from the whole budget on, at which a path may end; inf if none."""
    ways, none = np.array([heading(arc.wanted + d) for d in deviations]), np.zeros((len(deviations), 2))
    ends = np.full(len(ways), np.inf)
    free = np.arange(len(ways))
    for sure in (budget.at_least, lambda *legs: budget.between(*legs)[0]):  # blocked so far: no need to cost it
        least = sure([()] * len(free), none[free], ways[free])
        free = free[law.legs_clear(none[free], least[:, None] * ways[free])]
    lengths = budget.lengths([((), arc.wanted + deviations[k]) for k in free.tolist()])
    whole = [(k, reach) for k, (reach, full) in zip(free.tolist(), lengths, strict=True) if full]
    if whole:
        of, near = np.array([k for k, _ in whole]), np.array([reach for _, reach in whole])
        ends[of] = _first_clear_ends(ways[of], near, near + most + law.give, law)
    candidates = np.flatnonzero(np.isfinite(ends))
    barred = ~law.legs_clear(none[candidates], ends[candidates, None] * ways[candidates])
    ends[candidates[barred]] = np.inf
    return ends


def _first_clear_ends(ways: np.ndarray, near: np.ndarray, far: np.ndarray, law: Obstacles) -> np.ndarray:
    """Return for each path the least length from ``near`` to ``far`` at which it may end, inf if none (TSE-INV-09)."""
    of, span = spans(ways, far, law)
    beyond = span > near[of]
    of, lengths = np.concatenate([np.arange(len(ways)), of[beyond]]), np.concatenate([near, span[beyond]])
    clear = law.ends_clear(lengths[:, None] * ways[of])
    least = np.full(len(ways), np.inf)
    np.minimum.at(least, of[clear], lengths[clear])
    return least
