"""How far rectangles move straight ahead until they touch other rectangles: exact, by separating axes.

Two rectangles overlap when their projections overlap on each of the four directions of their edges. On a straight move
the projections on each axis overlap over one interval, and the rectangles overlap where all four intervals do: from the
last start to the first end.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tabletop.geometry.base import Base
from tabletop.geometry.measure import Point

#: A direction this close to perpendicular to the move counts as perpendicular: positions along it never change.
SQUARE = 1e-9


def lengths_to_contact(moving: Sequence[Base], standing: Sequence[Base], ahead: Point, t: float) -> np.ndarray:
    """Return (m,) how far ``moving`` goes along the unit vector ``ahead`` until it first touches each of ``standing``.

    Lengths in table units, 0 or more; infinite for a base that would not be overlapped by more than ``t`` however far
    the move went on: one that is passed at its side, or left behind. Serves TSE-ASL-23.

    >>> lengths_to_contact([Base(0, 0, 0, 1, 1)], [Base(0.5, 3, 0, 1, 1), Base(1, 3, 0, 1, 1)], (0.0, 1.0), 0.005)
    array([ 2., inf])
    """
    if not moving or not standing:
        return np.full(len(standing), np.inf)
    apart, along, reach = _shadows(moving, standing, np.array(ahead))
    deep_from, deep_until = _stretch(apart, along, reach - t)
    met = (deep_from < deep_until) & (deep_until > 0.0)
    enter = np.where(met, np.maximum(_stretch(apart, along, reach)[0], 0.0), np.inf)
    return np.asarray(enter.min(axis=0))


def _shadows(
    moving: Sequence[Base], standing: Sequence[Base], ahead: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return, (n, m, 4) for every pair and axis: distance of the centres, speed along it, half length of both
    projections."""
    a, b = _frames(moving), _frames(standing)
    shape = (len(moving), len(standing), 2, 2)
    axes = np.concatenate([np.broadcast_to(a[1][:, None], shape), np.broadcast_to(b[1][None], shape)], axis=2)
    apart = ((b[0][None, :, None] - a[0][:, None, None]) * axes).sum(axis=-1)
    reach = _half(axes, a[1][:, None], a[2][:, None]) + _half(axes, b[1][None], b[2][None])
    return apart, axes @ ahead, reach


def _frames(bases: Sequence[Base]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return centres (n, 2), directions of the edges (n, 2, 2), and half depth and half frontage (n, 2)."""
    centres = np.array([b.centre for b in bases])
    return (
        centres,
        np.array([(b.forward, b.right) for b in bases]),
        np.array([(b.depth, b.frontage) for b in bases]) / 2,
    )


def _half(axes: np.ndarray, frame: np.ndarray, half: np.ndarray) -> np.ndarray:
    """Return half the length of the projections of rectangles on (n, m, 4, 2) axes."""
    turned = np.abs((axes[..., :, None, :] * frame[..., None, :, :]).sum(axis=-1))
    return np.asarray((turned * half[..., None, :]).sum(axis=-1))


def _stretch(apart: np.ndarray, along: np.ndarray, reach: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (n, m) the interval of the move in which the projections overlap on every axis; from > to: nowhere."""
    still = np.abs(along) < SQUARE
    speed = np.where(still, 1.0, np.abs(along))
    towards = np.where(along < 0.0, -apart, apart)
    free = np.where(np.abs(apart) < reach, -np.inf, np.inf)
    start, end = np.where(still, free, (towards - reach) / speed), np.where(still, -free, (towards + reach) / speed)
    return start.max(axis=-1), end.min(axis=-1)
