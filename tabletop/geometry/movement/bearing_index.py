"""An index, by bearing, of the edges that straight strips from some places may meet.

From a place an edge is seen over a range of bearings. A strip in any other bearing, allowing for its width, cannot meet
the edge, so most pairs of strips and edges are skipped. Too wide a range costs time, but never changes an answer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

CIRCLE = 2 * math.pi
#: The widest range that holds no bearing twice.
WHOLE = CIRCLE - 1e-12
#: Margin (radians) at both ends of a range: far above rounding.
ROOM = 1e-6

Pairs = tuple[np.ndarray, np.ndarray]


def begins(*keys: np.ndarray) -> np.ndarray:
    """Return a mask (n,) of the rows that are the first, or differ in any key from the row before."""
    first = np.ones(len(keys[0]), bool)
    first[1:] = keys[0][1:] != keys[0][:-1]
    for key in keys[1:]:
        first[1:] |= key[1:] != key[:-1]
    return first


@dataclass(frozen=True)
class Ranges:
    """For m edges and k places: ranges clockwise from bearing ``first`` (m, 2, k), in [0, 2 pi), over ``width`` (m, 2,
    k).

    There are two disjoint ranges each, ahead and behind; the width is negative if no strip from the place meets the
    edge.
    """

    first: np.ndarray
    width: np.ndarray

    def pairs(self, of: np.ndarray, bearings: np.ndarray) -> Pairs:
        """Return (direction, edge) of the pairs that may meet, in order of edges; ``bearings`` (n,) from the places
        ``of`` (n,).

        Bearings are radians clockwise from north.
        """
        turn = 2 * CIRCLE
        key = of * turn + bearings % CIRCLE
        order = np.argsort(key, kind="stable")
        key = key[order]
        thing, way, place = np.nonzero(self.width >= 0.0)
        first, width, base = self.first[thing, way, place], self.width[thing, way, place], place * turn
        last = first + width
        past = np.flatnonzero(last > CIRCLE)  # across north: a second range
        low = np.searchsorted(key, np.concatenate([base + first, base[past]]))
        ends = np.concatenate([base + np.minimum(last, CIRCLE), base[past] + (last[past] - CIRCLE)])
        count = np.searchsorted(key, ends, "right") - low
        at = np.arange(count.sum()) + np.repeat(low - (np.cumsum(count) - count), count)
        return order[at], np.repeat(np.concatenate([thing, thing[past]]), count)


def edge_ranges(
    places: np.ndarray, a: np.ndarray, b: np.ndarray, wide: np.ndarray, back: np.ndarray
) -> tuple[Ranges, np.ndarray]:
    """Return the ranges of edges from ``a`` to ``b`` (m, 2) around ``places`` (k, 2), and the distance (m, k) of each.

    Strips are ``wide`` (m, 1) to each side and begin ``back`` (m, k) behind the place.
    """
    ax, ay = a[:, :1] - places[:, 0], a[:, 1:] - places[:, 1]
    dx, dy = (b - a).T[:, :, None]
    square = np.maximum(dx * dx + dy * dy, 1e-18)
    share = np.clip(-(ax * dx + ay * dy) / square, 0.0, 1.0)
    near = np.hypot(ax + share * dx, ay + share * dy)
    start = np.arctan2(ax, ay)
    turn = np.arctan2(ax + dx, ay + dy) - start
    turn -= CIRCLE * np.rint(turn / CIRCLE)
    aside = np.arcsin(np.minimum(1.0, wide / np.maximum(near, 1e-9))) + ROOM
    first, width = start + np.minimum(turn, 0.0) - aside, np.abs(turn) + 2 * aside
    beside = (near <= wide + ROOM) | (width >= math.pi)
    behind = ~beside & (near <= np.hypot(wide, back) + ROOM)
    first = np.stack([np.where(beside, 0.0, first), first + math.pi], axis=1) % CIRCLE
    return Ranges(first, np.stack([np.where(beside, WHOLE, width), np.where(behind, width, -1.0)], axis=1)), near
