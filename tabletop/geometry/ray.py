"""What straight advances cost, for many of them at once: one body, many directions, one law of price.

The bases of a column stand in files: those of one file sweep the same lane one behind the other, so the ground in each
lane is measured once for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from tabletop.geometry.base import Base
from tabletop.geometry.carried import Span, merged
from tabletop.geometry.ground import Ground, Patches
from tabletop.geometry.measure import GRAZE, heading
from tabletop.geometry.motion import Body
from tabletop.geometry.price import Tariff
from tabletop.geometry.sweep import beginnings, clusters, without

#: What a head that only formed up counts as having gone: its followers lie behind it, whichever way it then turns.
SET_OUT = 1e-9


@dataclass(frozen=True)
class Lane:
    """One file of a column: its sides left and right of the middle of the front, how far behind it each base fronts."""

    left: float
    right: float
    behind: tuple[float, ...]


@dataclass(frozen=True)
class Files:
    """A column as lanes, and its price law. ``half`` is half the front, ``back`` its length behind the front.

    Of a file ``tail`` is the length of its head alone, all that turns.
    """

    lanes: tuple[Lane, ...]
    half: float
    back: float
    tariff: Tariff
    file: bool = False
    tail: float = 0.0

    @classmethod
    def of(cls, body: Body, tariff: Tariff, file: bool = False) -> Files:
        """Return the lanes of a body; a general's is the line of his centre."""
        f = heading(body.facing)
        lanes: dict[tuple[float, float], list[float]] = {}
        for base in body.bases:
            if not isinstance(base, Base):
                return cls((Lane(0.0, 0.0, (0.0,)),), 0.0, 0.0, tariff)
            dx, dy = base.front_mid[0] - body.mid[0], base.front_mid[1] - body.mid[1]
            lateral, behind = dx * f[1] - dy * f[0], -(dx * f[0] + dy * f[1])
            side = round(lateral - base.frontage / 2, 9), round(lateral + base.frontage / 2, 9)
            lanes.setdefault(side, []).append(round(behind, 9))
        made = tuple(Lane(*side, tuple(sorted(behind))) for side, behind in sorted(lanes.items()))
        first = body.bases[0]
        return cls(made, body.width / 2, body.length, tariff, file, first.depth if isinstance(first, Base) else 0.0)

    @property
    def count(self) -> int:
        return sum(len(lane.behind) for lane in self.lanes)


@dataclass(frozen=True)
class Spent:
    """What a way has cost so far: ``plain`` without rough ground, and the length each base has been in rough ground.

    Of a file also ``gone``, the length its head went, and the stretches of the head's track in rough ground and on
    roads, measured from where the head set out (what lay behind it is negative).
    """

    plain: float
    rough: tuple[float, ...]
    gone: float = 0.0
    track_rough: tuple[Span, ...] = ()
    track_road: tuple[Span, ...] = ()


@dataclass(frozen=True)
class Ray:
    """One straight advance as priced by the ground it crosses: rough stretches base by base, contacts, entries."""

    rough: tuple[tuple[Span, ...], ...] = ()
    road: tuple[Span, ...] = ()
    linear: tuple[tuple[float, ...], ...] = ()
    choke: tuple[float, ...] = ()
    track_rough: tuple[Span, ...] = ()
    track_road: tuple[Span, ...] = ()

    @property
    def plain(self) -> bool:
        return not (self.rough or self.road or self.linear or self.choke)


OPEN = Ray()


def rays(files: Files, ground: Ground, origins: np.ndarray, directions: np.ndarray, lengths: np.ndarray) -> list[Ray]:
    """Return what advances of ``lengths`` (n,) from ``origins`` (n, 2) along unit ``directions`` (n, 2) meet."""
    n = len(directions)
    tariff = files.tariff
    rough = _lane_spans(files, ground.rough, origins, directions, lengths)
    linear = _lane_contacts(files, ground.linear, origins, directions, lengths)
    behind = files.back if files.file else 0.0
    ends = np.stack([origins - behind * directions, origins + lengths[:, None] * directions], axis=1)
    middles = np.asarray(shapely.linestrings(ends))
    choke = _entries(ground.choke, middles, origins, directions, tariff.t) if tariff.choke else {}
    road = _on_roads(ground.road, origins, directions, lengths, files) if tariff.road != 1.0 else {}
    touched = {k for k, _ in rough} | {k for k, _ in linear} | set(choke) | set(road)
    found = [OPEN] * n
    for k in touched:
        found[k] = _ray(files, k, rough, linear, choke, road)
    return found


def _ray(
    files: Files,
    k: int,
    rough: dict[tuple[int, int], tuple[Span, ...]],
    linear: dict[tuple[int, int], list[float]],
    choke: dict[int, list[float]],
    road: dict[int, tuple[Span, ...]],
) -> Ray:
    own_road = road.get(k, ())
    spans, contacts = [], []
    for j, lane in enumerate(files.lanes):
        in_lane = without(rough.get((k, j), ()), own_road) if own_road else rough.get((k, j), ())
        for behind in lane.behind:
            spans.append(tuple((max(0.0, lo + behind), hi + behind) for lo, hi in in_lane if hi + behind > 0.0))
            contacts.append(tuple(s + behind for s in linear.get((k, j), ()) if s + behind >= -files.tariff.t))
    joint = own_road
    if files.file and own_road:
        behind = max(files.lanes[0].behind)
        joint = tuple((max(0.0, lo + behind), hi) for lo, hi in own_road if hi > max(0.0, lo + behind))
    track = without(rough.get((k, 0), ()), own_road)
    return Ray(
        tuple(spans) if any(spans) else (),
        joint,
        tuple(contacts) if any(contacts) else (),
        tuple(choke.get(k, ())),
        track,
        own_road,
    )


def _lane_spans(
    files: Files, patches: Patches, origins: np.ndarray, u: np.ndarray, lengths: np.ndarray
) -> dict[tuple[int, int], tuple[Span, ...]]:
    """Return, by (ray, lane), the stretches along the ray at which the lane's cross-section is in ``patches``."""
    if not patches:
        return {}
    found: dict[tuple[int, int], list[Span]] = {}
    for j, lane in enumerate(files.lanes):
        if lane.right - lane.left <= 2 * GRAZE:
            for k, spans in _crossed(patches, origins, u, lengths).items():
                found[k, j] = spans
            continue
        quads = _quads(lane, max(lane.behind), origins, u, lengths, GRAZE)
        which, part = patches.near(quads)
        pieces, owner = shapely.get_parts(shapely.intersection(patches.parts[part], quads[which]), return_index=True)
        solid = shapely.get_dimensions(pieces) == 2
        pieces, owner = pieces[solid], which[owner[solid]]
        xy, piece = shapely.get_coordinates(pieces, return_index=True)
        if not len(xy):
            continue
        own = owner[piece]
        along = ((xy - origins[own]) * u[own]).sum(axis=1)
        starts = np.flatnonzero(np.r_[True, piece[1:] != piece[:-1]])
        low, high = np.minimum.reduceat(along, starts), np.maximum.reduceat(along, starts)
        for k, lo, hi in zip(owner.tolist(), low.tolist(), high.tolist(), strict=True):
            if hi - lo > 1e-9:
                found.setdefault((k, j), []).append((lo, hi))
    return {key: merged(spans) for key, spans in found.items()}


def _quads(
    lane: Lane, behind: float, origins: np.ndarray, u: np.ndarray, lengths: np.ndarray, trim: float
) -> np.ndarray:
    right = np.column_stack([u[:, 1], -u[:, 0]])
    a, b = origins + (lane.left + trim) * right, origins + (lane.right - trim) * right
    back, ahead = -behind * u, lengths[:, None] * u
    return np.asarray(shapely.polygons(np.stack([a + back, b + back, b + ahead, a + ahead], axis=1)))


def _lane_contacts(
    files: Files, patches: Patches, origins: np.ndarray, u: np.ndarray, lengths: np.ndarray
) -> dict[tuple[int, int], list[float]]:
    """Return, by (ray, lane), where along the ray linear obstacles are first met (TSE-MOV-08)."""
    if not patches:
        return {}
    found: dict[tuple[int, int], list[float]] = {}
    for j, lane in enumerate(files.lanes):
        t = files.tariff.t
        wide = lane if lane.right > lane.left else Lane(-2 * t, 2 * t, lane.behind)
        quads = _quads(wide, max(lane.behind) + 2 * t, origins, u, lengths, t)
        which, part = patches.near(quads)
        for k, p in zip(which.tolist(), part.tolist(), strict=True):
            met = clusters(patches.parts[p].intersection(quads[k]))
            ways = [(shapely.get_coordinates(cluster) - origins[k]) @ u[k] for cluster in met]
            for at in beginnings([(float(way.min()), float(way.max())) for way in ways], t):
                if at > -max(lane.behind) - 1.5 * t:
                    found.setdefault((k, j), []).append(at)
    return found


def _entries(
    patches: Patches, middles: np.ndarray, origins: np.ndarray, u: np.ndarray, t: float
) -> dict[int, list[float]]:
    """Return, by ray, where the middle of the front enters a choke-point (TSE-MOV-09)."""
    found: dict[int, list[float]] = {}
    which, part = patches.near(middles)
    for k, p in zip(which.tolist(), part.tolist(), strict=True):
        if patches.parts[p].dwithin(shapely.Point(origins[k] - 2 * t * u[k]), 1e-9):
            continue
        inside = patches.parts[p].intersection(middles[k])
        found.setdefault(k, []).append(float(((shapely.get_coordinates(inside) - origins[k]) @ u[k]).min()))
    return found


def _on_roads(
    patches: Patches, origins: np.ndarray, u: np.ndarray, lengths: np.ndarray, files: Files
) -> dict[int, tuple[Span, ...]]:
    """Return, by ray, the stretches of the head's line on roads, also behind where it sets out."""
    if not patches:
        return {}
    back = files.back if files.file else 0.0
    crossed = _crossed(patches, origins - back * u, u, lengths + back, closed=True)
    return {k: tuple((lo - back, hi - back) for lo, hi in merged(spans)) for k, spans in crossed.items()}


def _crossed(
    patches: Patches, origins: np.ndarray, u: np.ndarray, lengths: np.ndarray, closed: bool = False
) -> dict[int, list[Span]]:
    """Return, by line, its stretches inside ``patches``; with ``closed``, along their borders too."""
    lines = np.asarray(shapely.linestrings(np.stack([origins, origins + lengths[:, None] * u], axis=1)))
    which, part = patches.near(lines)
    areas = patches.wider[part] if closed else patches.parts[part]
    pieces, owner = shapely.get_parts(shapely.intersection(lines[which], areas), return_index=True)
    long = shapely.length(pieces) > GRAZE
    pieces, owner = pieces[long], which[owner[long]]
    if not closed and len(pieces):
        middle = shapely.get_coordinates(shapely.line_interpolate_point(pieces, 0.5, normalized=True))
        inside = shapely.contains_xy(patches.area, middle[:, 0], middle[:, 1])
        pieces, owner = pieces[inside], owner[inside]
    found: dict[int, list[Span]] = {}
    for piece, k in zip(pieces, owner.tolist(), strict=True):
        along = (shapely.get_coordinates(piece) - origins[k]) @ u[k]
        found.setdefault(k, []).append((float(along.min()), float(along.max())))
    return found


def price_at(ray: Ray, spent: Spent, files: Files, s: float) -> float:
    """Return the price of a way that has ``spent`` so much and then advances ``s`` along a ray."""
    law = files.tariff
    total = spent.plain + s
    if ray.plain:
        return total + (law.rough - 1.0) * max(spent.rough, default=0.0)
    rough = [
        r + _measure(spans, s) for r, spans in zip(spent.rough, ray.rough or ((),) * len(spent.rough), strict=True)
    ]
    linear = max((sum(1 for at in own if at < s - 1e-12) for own in ray.linear), default=0)
    choke = sum(1 for at in ray.choke if at < s - 1e-12)
    road = _measure(ray.road, s)
    return (
        total
        + (law.rough - 1.0) * max(rough, default=0.0)
        - road * (1.0 - 1.0 / law.road)
        + linear * law.linear
        + choke * law.choke
    )


def farthest(ray: Ray, spent: Spent, files: Files, budget: float, limit: float) -> float:
    """Return how far along a ray the budget lasts, at most ``limit``; negative if it is overspent already."""
    start = price_at(ray, spent, files, 0.0)
    if start > budget:
        return -1.0
    if ray.plain:
        return min(limit, budget - start)
    if price_at(ray, spent, files, limit) <= budget:
        return limit
    ends = [u for spans in (*ray.rough, ray.road) for span in spans for u in span]
    ends += [*(u for own in ray.linear for u in own), *ray.choke]
    marks = np.array(sorted({0.0, limit, *(u for u in ends if 0.0 < u < limit)}))
    after = _prices(ray, spent, files, marks + 1e-10)
    before = _prices(ray, spent, files, marks)
    dear = np.flatnonzero((after[:-1] > budget + 1e-9) | (before[1:] > budget))
    if not len(dear):
        return limit
    k = int(dear[0])
    if after[k] > budget + 1e-9:
        return float(marks[k])
    return _within(ray, spent, files, budget, float(marks[k]), float(marks[k + 1]))


def _prices(ray: Ray, spent: Spent, files: Files, at: np.ndarray) -> np.ndarray:
    """Return ``price_at`` for many lengths."""
    law = files.tariff
    rough = np.zeros(len(at)) if not spent.rough else np.full(len(at), max(spent.rough))
    for already, spans in zip(spent.rough, ray.rough, strict=False):
        if spans:
            rough = np.maximum(rough, already + _measures(spans, at))
    total = spent.plain + at + (law.rough - 1.0) * rough
    if ray.road:
        total = total - _measures(ray.road, at) * (1.0 - 1.0 / law.road)
    if any(ray.linear):
        met = [(np.array(own)[None, :] < at[:, None] - 1e-12).sum(axis=1) for own in ray.linear if own]
        total = total + law.linear * np.max(met, axis=0)
    for u in ray.choke:
        total = total + law.choke * (u < at - 1e-12)
    return np.asarray(total)


def _measures(spans: Sequence[Span], at: np.ndarray) -> np.ndarray:
    lo, hi = np.array(spans).T
    return np.asarray(np.clip(at[:, None] - lo, 0.0, hi - lo).sum(axis=1))


def _within(ray: Ray, spent: Spent, files: Files, budget: float, lo: float, hi: float) -> float:
    """Return where between two marks the budget ends.

    The price is convex there (the dearest of several straight lines), so a chord crosses the budget before it does.
    """
    a, low = lo + 1e-10, price_at(ray, spent, files, lo + 1e-10)
    high = price_at(ray, spent, files, hi)
    for _ in range(20):
        if high <= low or budget - low < 1e-10:
            break
        a += (budget - low) * (hi - a) / (high - low)
        low = price_at(ray, spent, files, a)
    return max(lo, a - 1e-9)


def followed(ray: Ray, spent: Spent, files: Files) -> Ray:
    """Return a later leg of a file as its followers meet it: they still have the head's track before them."""
    if not files.file or spent.gone == 0.0:
        return ray
    track = (*spent.track_rough, *_later(ray.track_rough, spent.gone))
    road = merged((*spent.track_road, *_later(ray.track_road, spent.gone)))
    behind = files.lanes[0].behind
    rough = tuple(_ahead(track, o - spent.gone) for o in behind)
    joint = tuple((max(0.0, lo + max(behind) - spent.gone), hi - spent.gone) for lo, hi in road)
    joint = tuple(span for span in joint if span[1] > span[0])
    return Ray(rough if any(rough) else (), joint, ray.linear, ray.choke, ray.track_rough, ray.track_road)


def _later(spans: Sequence[Span], gone: float) -> tuple[Span, ...]:
    return tuple((max(0.0, lo) + gone, hi + gone) for lo, hi in spans if hi > 0.0)


def _ahead(spans: Sequence[Span], shift: float) -> tuple[Span, ...]:
    return tuple((max(0.0, lo + shift), hi + shift) for lo, hi in spans if hi + shift > 0.0)


def spend(ray: Ray, spent: Spent, files: Files, s: float) -> Spent:
    """Return what a way has cost once it has gone ``s`` along a ray (``followed`` already)."""
    bare = Spent(spent.plain, (0.0,))
    unpaid = Ray((), ray.road, ray.linear, ray.choke)
    plain = price_at(unpaid, bare, files, s) if not ray.plain else spent.plain + s
    rough = spent.rough
    if ray.rough:
        rough = tuple(r + _measure(spans, s) for r, spans in zip(spent.rough, ray.rough, strict=True))
    first = spent.gone == 0.0
    track = ray.track_rough if first else (*spent.track_rough, *_later(ray.track_rough, spent.gone))
    road = ray.track_road if first else (*spent.track_road, *_later(ray.track_road, spent.gone))
    gone = max(spent.gone + s, SET_OUT)
    return Spent(plain, rough, gone, _upto(track, gone), _upto(road, gone))


def _upto(spans: Sequence[Span], end: float) -> tuple[Span, ...]:
    return tuple((lo, min(hi, end)) for lo, hi in spans if lo < end)


def _measure(spans: Sequence[Span], upto: float) -> float:
    return sum(min(hi, upto) - lo for lo, hi in spans if lo < upto)
