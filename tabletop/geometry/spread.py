"""The ground under farthest advances: fans as bands of ground between neighbouring advances.

Between two neighbours the farthest lies on the chord of theirs, a little short of it; where they differ by a jump only
the shorter counts. Ground where the unit would end in a friend is left out (TSE-MOV-16).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.fan import Advances, Setting, directions_of
from tabletop.geometry.lanes import Stretches, united
from tabletop.geometry.outward import SPACING, differing, following

#: Neighbouring advances that differ by more than this share of their length (for ``SPACING`` degrees) jump.
JUMP = 0.35
#: How much, as a share of their difference, the farthest advance between two neighbours may fall short of the chord.
SAG = 0.1
#: Bands narrower than this (table units) are none.
THIN = 1e-6
#: Ends of neighbouring bands that differ by less (table units) are made one, the lesser of the two; ends that stick
#: out by less than a hair are left out.
ALIKE, HAIR = 0.02, 0.003
#: Friends are given this much more room ahead and behind (table units) than the two advances beside them say.
ROOM = 1e-3


@dataclass(frozen=True)
class _Bands:
    """Pieces of sectors: the advance each starts from and the next, and between which lengths it lies at either."""

    first: np.ndarray
    second: np.ndarray
    inner: np.ndarray
    outer: np.ndarray

    def taken(self, chosen: np.ndarray) -> _Bands:
        return _Bands(self.first[chosen], self.second[chosen], self.inner[chosen], self.outer[chosen])


def fans(setting: Setting, found: Advances) -> np.ndarray:
    """Return the ground the middle of the front can end on by one of the advances, as polygons."""
    bands = _simpler(setting, found, _less(_sectors(found), _taken_by_friends(setting, found)))
    rings = _rings(found, bands)
    number = np.repeat(np.arange(len(rings)), [len(ring) for ring in rings])
    lines = shapely.linearrings(np.concatenate([*rings, np.zeros((0, 2))]), indices=number)
    whole = np.asarray(shapely.polygons(lines))
    bad = ~shapely.is_valid(whole)
    if bad.any():
        whole[bad] = shapely.make_valid(whole[bad])
    return whole


def _sectors(found: Advances) -> _Bands:
    """Return the sectors between neighbouring advances."""
    gone, after = found.lengths, following(found.heads.of)
    first = np.arange(len(gone))
    gaps, unlike = differing(found)
    lies = (gone >= 0.0) & (gone[after] >= 0.0) & (gaps <= math.radians(2 * SPACING)) & (gaps > 0.0)
    first, after, gaps, unlike = first[lies], after[lies], gaps[lies], unlike[lies]
    a, b = gone[first], gone[after]
    least = np.minimum(a, b)
    steep = JUMP * np.maximum(1.0, least) * np.maximum(gaps / math.radians(SPACING), 0.02)
    jumps = unlike | (np.abs(a - b) > steep)
    sag = np.where(jumps, 0.0, SAG * np.abs(a - b))
    ends = np.stack([np.where(jumps, least, a) - sag, np.where(jumps, least, b) - sag], axis=1)
    return _Bands(first, after, np.zeros((len(first), 2)), np.maximum(ends, 0.0))


def _taken_by_friends(setting: Setting, found: Advances) -> Stretches:
    """Return, by advance, the lengths at which the unit would stand in a friend there or on the way to the next.

    They take in a little more than either advance says: friends' corners are among the directions.
    """
    u, after = directions_of(found.bearings), following(found.heads.of)
    gaps = np.remainder(found.bearings[after] - found.bearings, 2 * math.pi)
    rows = []
    for friend in setting.friends:
        low, high = _inside_lane(shapely.get_coordinates(friend), found.starts, u, setting.files.half)
        high = high + setting.files.back
        near, far = np.minimum(low, low[after]), np.maximum(high, high[after])
        met = np.flatnonzero(np.isfinite(near) & (gaps < 0.2))
        near, far = near[met], far[met]
        bulge = ROOM + (np.abs(far) + setting.offset) * gaps[met] ** 2 / 4  # arcs over chords, what lies between
        near, far = np.maximum(0.0, near - bulge), far + bulge
        real = far > np.maximum(near, 2 * ROOM)
        rows.append((met[real], near[real], far[real]))
    if not rows:
        return Stretches(np.zeros(0, int), np.zeros(0), np.zeros(0), np.zeros(0, int))
    of, near, far = (np.concatenate(column) for column in zip(*rows, strict=True))
    return united(Stretches(of, near, far, 0 * of), 0.0)


def _inside_lane(ring: np.ndarray, starts: np.ndarray, u: np.ndarray, half: float) -> tuple[np.ndarray, np.ndarray]:
    """Return from where to where ahead an outline (a closed ring) lies in each lane; (inf, -inf) if it does not."""
    dx, dy = ring[:, 0] - starts[:, :1], ring[:, 1] - starts[:, 1:]
    ahead, aside = dx * u[:, :1] + dy * u[:, 1:], dx * u[:, 1:] - dy * u[:, :1]
    low, high = np.full(len(u), np.inf), np.full(len(u), -np.inf)
    left, right = aside > -half + 1e-9, aside < half - 1e-9
    i, k = np.nonzero((left[:, :-1] | left[:, 1:]) & (right[:, :-1] | right[:, 1:]))
    fa, fb, la, lb = ahead[i, k], ahead[i, k + 1], aside[i, k], aside[i, k + 1]
    steep = np.where(la == lb, 1.0, lb - la)
    cuts = [np.where(la == lb, end, np.clip((side - la) / steep, 0.0, 1.0)) for end, side in ((0, -half), (1, half))]
    ends = [fa + cut * (fb - fa) for cut in cuts]
    np.minimum.at(low, i, np.minimum(*ends))
    np.maximum.at(high, i, np.maximum(*ends))
    return low, high


def _less(bands: _Bands, taken: Stretches) -> _Bands:
    """Return the sectors, which start at nothing, less what is taken: as pieces, from the inside out."""
    if not len(taken):
        return bands.taken(bands.outer.max(axis=1) > THIN)
    number = np.full(int(max(bands.first.max(initial=-1), taken.lane.max())) + 1, -1)
    number[bands.first] = np.arange(len(bands.first))
    sector = number[taken.lane]
    near, far = taken.low[sector >= 0], taken.high[sector >= 0]
    sector = sector[sector >= 0]
    # a sector's pieces: from nothing to the first thing taken, from each to the next, from the last to its end
    whose = np.concatenate([np.arange(len(bands.first)), sector])
    start = np.concatenate([np.zeros(len(bands.first)), far])
    order = np.lexsort((start, whose))
    whose, start = whose[order], start[order]
    end = np.full(len(whose), np.inf)
    more = np.flatnonzero(whose[1:] == whose[:-1])
    end[more] = near  # in order of sector, then of length, as the stretches are
    outer = np.minimum(bands.outer[whose], end[:, None])
    inner = np.repeat(start[:, None], 2, axis=1)
    layer = np.arange(len(whose)) - np.searchsorted(whose, whose)
    real = np.flatnonzero((outer >= inner).all(axis=1) & ((outer - inner).max(axis=1) > THIN))
    rows = real[np.argsort(layer[real], kind="stable")]
    return _Bands(bands.first[whose], bands.second[whose], inner, outer).taken(rows)


def _simpler(setting: Setting, found: Advances, bands: _Bands) -> _Bands:
    """Return fewer bands that cover a little less: ends nearly alike made one, some that hardly stick out left out."""
    first, second, inner, outer = bands.first, bands.second, bands.inner.copy(), bands.outer.copy()
    alike = np.flatnonzero((second[:-1] == first[1:]) & (np.abs(outer[:-1, 1] - outer[1:, 0]) < ALIKE))
    outer[alike, 1] = outer[alike + 1, 0] = np.minimum(outer[alike, 1], outer[alike + 1, 0])
    free = np.array([setting.offset if node.facing is None else 0.0 for node in found.heads.nodes])[found.heads.of]
    for odd in (0, 1, 0, 1):
        k = np.arange(odd, len(first) - 1, 2)
        k = k[_mergeable(found, _Bands(first, second, inner, outer), free, k)]
        second[k], outer[k, 1], inner[k, 1] = second[k + 1], outer[k + 1, 1], inner[k + 1, 1]
        kept = np.delete(np.arange(len(first)), k + 1)
        first, second, inner, outer = first[kept], second[kept], inner[kept], outer[kept]
    return _Bands(first, second, inner, outer)


def _mergeable(found: Advances, bands: _Bands, free: np.ndarray, k: np.ndarray) -> np.ndarray:
    """Return which bands ``k`` can be made one with the next: what lies between their outer ends, but for a hair."""
    one, other = bands.taken(k), bands.taken(k + 1)
    joined = (
        (one.second == other.first) & (one.outer[:, 1] == other.outer[:, 0]) & (one.inner[:, 1] == other.inner[:, 0])
    )
    alpha, beta = (
        np.remainder(found.bearings[band.second] - found.bearings[band.first], 2 * math.pi) for band in (one, other)
    )
    off = free[one.first]
    a, m, b = one.outer[:, 0] + off, one.outer[:, 1] + off, other.outer[:, 1] + off
    chord = a * b * np.sin(alpha + beta) / np.maximum(a * np.sin(alpha) + b * np.sin(beta), 1e-12)
    plain = (one.inner == 0.0).all(axis=1) & (other.inner == 0.0).all(axis=1)
    narrow = alpha + beta <= math.radians(2 * SPACING)
    return np.asarray(joined & plain & narrow & (chord <= m) & (chord >= m - HAIR))


def _rings(found: Advances, bands: _Bands) -> list[np.ndarray]:
    """Return a ring for each run of bands side by side, at most a quarter of a circle: out along the ends, back."""
    if not len(bands.first):
        return []
    u, starts = directions_of(found.bearings), found.starts
    gaps = np.remainder(found.bearings[bands.second] - found.bearings[bands.first], 2 * math.pi)
    outer = _points(starts, u, bands, bands.outer)
    inner = _points(starts, u, bands, bands.inner)
    follows = bands.second[:-1] == bands.first[1:]
    open_to = np.minimum(bands.outer[:-1, 1], bands.outer[1:, 0]) - np.maximum(bands.inner[:-1, 1], bands.inner[1:, 0])
    breaks = np.flatnonzero(~(follows & (open_to > THIN))) + 1
    rings = []
    for part in np.split(np.arange(len(gaps)), breaks):
        turn = np.floor(np.cumsum(gaps[part]) / (math.pi / 2))
        for run in np.split(part, np.flatnonzero(np.diff(turn)) + 1):
            ring = np.concatenate([outer[run].reshape(-1, 2), inner[run].reshape(-1, 2)[::-1]])
            same = (np.abs(np.diff(ring, axis=0)) < 1e-12).all(axis=1)
            ring = ring[np.r_[True, ~same]]
            if len(ring) > 2:
                rings.append(ring)
    return rings


def _points(starts: np.ndarray, u: np.ndarray, bands: _Bands, lengths: np.ndarray) -> np.ndarray:
    ends = np.stack([bands.first, bands.second], axis=1)
    return np.asarray(starts[ends] + lengths[..., None] * u[ends])


def only_areas(area: BaseGeometry) -> BaseGeometry:
    """Return the pieces of ground in a geometry."""
    parts = [p for p in shapely.get_parts(area) if shapely.get_dimensions(p) == 2 and p.area > 1e-9]
    return shapely.MultiPolygon(parts) if len(parts) != 1 else parts[0]
