"""Points and convex outlines moved straight through ground: the stretches inside it, for many at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from tabletop.geometry.measure import GRAZE
from tabletop.geometry.movement.ground import Patches

Span = tuple[float, float]


def merged(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return intervals united and in order; those separated only by rounding are joined."""
    united: list[Span] = []
    for lo, hi in sorted(spans):
        if united and lo <= united[-1][1] + 1e-9:
            united[-1] = (united[-1][0], max(hi, united[-1][1]))
        elif hi > lo:
            united.append((lo, hi))
    return tuple(united)


def lines_spans(
    starts: np.ndarray, ways: np.ndarray, charges: np.ndarray, patches: Patches, closed: bool = False
) -> list[list[Span]]:
    """Return for each straight path from (n, 2) ``starts`` by (n, 2) ``ways`` its stretches inside ``patches``.

    Strictly inside; with ``closed``, along their borders too. Intervals are parts of [0, charge].
    """
    spans_of: list[list[Span]] = [[] for _ in starts]
    lines = np.asarray(shapely.linestrings(np.stack([starts, starts + ways], axis=1)))
    line, part = patches.near(lines)
    if not len(line):
        return spans_of
    inside = shapely.intersection(lines[line], (patches.wider if closed else patches.parts)[part])
    if not closed:
        inside = shapely.difference(inside, shapely.boundary(patches.parts[part]))
    pieces, owner = shapely.get_parts(inside, return_index=True)
    points, piece = shapely.get_coordinates(pieces, return_index=True)
    if not len(points):
        return spans_of
    own = line[owner[piece]]
    length = np.hypot(ways[:, 0], ways[:, 1])
    share = np.einsum("ij,ij->i", points - starts[own], ways[own]) / length[own] ** 2
    firsts = np.flatnonzero(np.r_[True, piece[1:] != piece[:-1]])
    low, high = np.minimum.reduceat(share, firsts), np.maximum.reduceat(share, firsts)
    of = own[firsts]
    long = (high - low) * length[of] > GRAZE / 2
    low, high = np.maximum(low, 0.0) * charges[of], np.minimum(high, 1.0) * charges[of]
    for k, lo, hi in zip(of[long].tolist(), low[long].tolist(), high[long].tolist(), strict=True):
        spans_of[k].append((lo, hi))
    return [list(merged(spans)) for spans in spans_of]


def outlines_spans(rings: np.ndarray, ways: np.ndarray, charges: np.ndarray, patches: Patches) -> list[list[Span]]:
    """Return for each convex outline (n, k, 2), moved straight, the stretches in which it meets the inside of
    ``patches``.

    An outline meets a part when the part's points, moved backward, enter it. That is computed strip by strip between
    its corners, from the extents of the part against the outline's leading and trailing sides. An outline without width
    across its path counts as the line of its foremost point.
    """
    reach = np.hypot(ways[:, 0], ways[:, 1])
    unit = ways / reach[:, None]
    across = np.stack([unit[:, 1], -unit[:, 0]], axis=1)
    aside, ahead = (np.einsum("nij,nj->ni", rings, axis) for axis in (across, unit))
    sides = np.sort(np.round(aside, 9), axis=1)
    spans_of: list[list[Span]] = [[] for _ in rings]
    narrow = np.flatnonzero(sides[:, 0] == sides[:, -1])
    fore = rings[narrow, ahead[narrow].argmax(axis=1)]
    for k, spans in zip(narrow, lines_spans(fore, ways[narrow], charges[narrow], patches), strict=True):
        spans_of[k] = spans
    low, high = sides[:, :-1] + GRAZE, sides[:, 1:] - GRAZE
    own, strip = np.nonzero(high > low)
    if not len(own):
        return spans_of
    at = np.stack([low[own, strip], high[own, strip]])
    trail, lead = _chords(aside[own], ahead[own], at)
    strips = _Strips(at, trail, lead, unit[own], across[own], reach[own])
    strip_of, enters, leaves = strips.inside(patches)
    of = own[strip_of]
    rate = charges[of] / reach[of]
    for k, lo, hi in zip(of, (enters * rate).tolist(), (leaves * rate).tolist(), strict=True):
        spans_of[k].append((lo, hi))
    return [list(merged(spans)) for spans in spans_of]


@dataclass(frozen=True)
class _Strips:
    """Strips of outlines along their paths: two laterals each (2, n), and where the outline ends and begins there."""

    at: np.ndarray
    trail: np.ndarray
    lead: np.ndarray
    unit: np.ndarray
    across: np.ndarray
    reach: np.ndarray

    @property
    def quads(self) -> np.ndarray:
        """The ground each strip sweeps."""
        far = self.lead + self.reach
        lateral, along = self.at[[0, 0, 1, 1]], np.stack([self.trail[0], far[0], far[1], self.trail[1]])
        corners = lateral[..., None] * self.across + along[..., None] * self.unit
        return np.asarray(shapely.polygons(corners.transpose(1, 0, 2)))

    def inside(self, patches: Patches) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return, for each piece of ground met: the strip, and the lengths at which it enters and leaves the piece."""
        quads = self.quads
        strip, part = patches.near(quads)
        pieces, owner = shapely.get_parts(shapely.intersection(patches.parts[part], quads[strip]), return_index=True)
        solid = shapely.get_dimensions(pieces) == 2
        points, piece = shapely.get_coordinates(pieces[solid], return_index=True)
        if not len(points):
            return np.zeros(0, int), np.zeros(0), np.zeros(0)
        k = strip[owner[solid]][piece]
        share = (np.einsum("ij,ij->i", points, self.across[k]) - self.at[0, k]) / (self.at[1, k] - self.at[0, k])
        along = np.einsum("ij,ij->i", points, self.unit[k])
        firsts = np.flatnonzero(np.r_[True, piece[1:] != piece[:-1]])
        enters = np.minimum.reduceat(along - _between(self.lead[:, k], share), firsts)
        leaves = np.maximum.reduceat(along - _between(self.trail[:, k], share), firsts)
        enters, leaves = np.maximum(enters, 0.0), np.minimum(leaves, self.reach[k[firsts]])
        met = leaves - enters > 1e-9
        return k[firsts][met], enters[met], leaves[met]


def _between(ends: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return the values at a share of the way from the first of two (2, n) to the second."""
    return np.asarray(ends[0] + share * (ends[1] - ends[0]))


def _chords(aside: np.ndarray, ahead: np.ndarray, lateral: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where the lines at ``lateral`` (m, n) along the paths enter and leave the rings (n, k) of n outlines."""
    l0, l1, f0, f1 = aside[:, :-1], aside[:, 1:], ahead[:, :-1], ahead[:, 1:]
    at = lateral[..., None]
    cut = (np.minimum(l0, l1) <= at) & (at <= np.maximum(l0, l1)) & (l0 != l1)
    share = np.divide(at - l0, l1 - l0, out=np.zeros(cut.shape), where=l0 != l1)
    along = f0 + share * (f1 - f0)
    return np.where(cut, along, np.inf).min(axis=-1), np.where(cut, along, -np.inf).max(axis=-1)
