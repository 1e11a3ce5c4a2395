"""What straight advances cost, many at once: one body, many directions, one cost model.

The bases of a column stand in files. Those of one file sweep the same strip one behind the other, so the ground in each
strip is measured only once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely

from tabletop.geometry.base import Base
from tabletop.geometry.measure import GRAZE, heading
from tabletop.geometry.movement import cost
from tabletop.geometry.movement.bearing_index import Pairs, begins
from tabletop.geometry.movement.choke_crossings import lines_alone, met_over
from tabletop.geometry.movement.choke_exemption import BEYOND, MORE, Passage, Strip, passages, without_exempt
from tabletop.geometry.movement.ground import Ground
from tabletop.geometry.movement.motion import Body
from tabletop.geometry.movement.motion_cost import CostModel
from tabletop.geometry.movement.stretches import Span, merged
from tabletop.geometry.movement.swept_strips import NONE as NOWHERE
from tabletop.geometry.movement.swept_strips import Stretches, Strips

#: The distance that counts as gone for a head that has only formed up: its followers lie behind it, whichever way it
#: then turns.
SET_OUT = 1e-9


@dataclass(frozen=True)
class FileStrip:
    """One file of a column: its left and right side from the middle of the front, and how far behind each base's
    front is."""

    left: float
    right: float
    behind: tuple[float, ...]


@dataclass(frozen=True)
class Files:
    """A column as strips, with its cost model. ``half`` is half the front, ``back`` its length behind the front.

    For a march column in file, ``tail`` is the length of the head alone, the only base that turns.

    >>> from tabletop.geometry import Body, Files, CostModel, column
    >>> body = Body.of(column((2, 2), 1.0, 0.75).by_front((10.0, 10.0), 0.0), range(2), 0.0)
    >>> files = Files.of(body, CostModel(rough=2.0, linear=2.0, choke=1.0))
    >>> len(files.strips), files.half, files.back
    (2, 1.0, 1.5)
    """

    strips: tuple[FileStrip, ...]
    half: float
    back: float
    cost_model: CostModel
    file: bool = False
    tail: float = 0.0

    @classmethod
    def of(cls, body: Body, cost_model: CostModel, file: bool = False) -> Files:
        """Return the strips of a body; for a general the single line of his centre."""
        f = heading(body.facing)
        strips: dict[tuple[float, float], list[float]] = {}
        for base in body.bases:
            if not isinstance(base, Base):
                return cls((FileStrip(0.0, 0.0, (0.0,)),), 0.0, 0.0, cost_model)
            dx, dy = base.front_mid[0] - body.mid[0], base.front_mid[1] - body.mid[1]
            lateral, behind = dx * f[1] - dy * f[0], -(dx * f[0] + dy * f[1])
            side = round(lateral - base.frontage / 2, 9), round(lateral + base.frontage / 2, 9)
            strips.setdefault(side, []).append(round(behind, 9))
        made = tuple(FileStrip(*side, tuple(sorted(behind))) for side, behind in sorted(strips.items()))
        first = body.bases[0]
        return cls(made, body.width / 2, body.length, cost_model, file, first.depth if isinstance(first, Base) else 0.0)

    @property
    def count(self) -> int:
        return sum(len(strip.behind) for strip in self.strips)


@dataclass(frozen=True)
class Spent:
    """What a path has cost so far: ``plain`` is shared by all bases, ``rough`` is each base's length in rough ground,
    ``met`` each base's count of linear obstacles (empty if not counted).

    For a file also: ``gone``, the length its head has gone, and the stretches of the head's track in rough ground and
    on roads and where it met linear obstacles, measured from where the head set out (negative behind it).
    """

    plain: float
    rough: tuple[float, ...]
    gone: float = 0.0
    track_rough: tuple[Span, ...] = ()
    track_road: tuple[Span, ...] = ()
    track_linear: tuple[float, ...] = ()
    met: tuple[float, ...] = ()

    def cost(self, law: CostModel) -> float:
        """Return the total cost of the path."""
        rough, met = max(self.rough, default=0.0), max(self.met, default=0)
        return self.plain + float(cost.total(0.0, rough, 0.0, met, 0, law.law))


@dataclass(frozen=True)
class Ray:
    """The ground that one straight advance crosses: rough stretches base by base, contacts with obstacles, entries."""

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


@dataclass(frozen=True)
class Met:
    """What n straight advances meet; strips are numbered advance by advance.

    ``rough``: stretches of each strip in rough ground; ``road``: stretches of the middle on roads; ``linear``: first
    contacts in each strip; ``choke``: entries of the middle. Of the last two only ``low`` counts.
    """

    count: int
    rough: Stretches
    road: Stretches
    linear: Stretches
    choke: Stretches


@dataclass(frozen=True)
class Beside:
    """What advances may meet, where that is known: pairs of an advance and an edge, for each class of ground."""

    rough: Pairs | None = None
    linear: Pairs | None = None
    choke: Pairs | None = None
    road: Pairs | None = None

    def taken(self, chosen: np.ndarray) -> Beside:
        """Return the pairs of some of the advances, masked by ``chosen`` (n,), with the advances renumbered."""
        number, kept = np.cumsum(chosen) - 1, []
        for pairs in (self.rough, self.linear, self.choke, self.road):
            if pairs is not None:
                i, e = pairs
                pairs = number[i[chosen[i]]], e[chosen[i]]
            kept.append(pairs)
        return Beside(*kept)


ANYTHING = Beside()


def met_by(
    files: Files, ground: Ground, origins: np.ndarray, u: np.ndarray, lengths: np.ndarray, beside: Beside = ANYTHING
) -> Met:
    """Return what advances of ``lengths`` (n,) from ``origins`` (n, 2) along unit ``u`` (n, 2) meet.

    Only what lies ``beside`` them is looked at. What choke-points exempt is not counted (TSE-MOV-09).
    """
    met = _met_by(files, ground, origins, u, lengths, beside)
    over, quick = _exempt(files, ground, origins, u, lengths, met)
    if quick.any():
        lines_only = over[quick]
        met = replace(
            met,
            linear=_past_lines(
                files, ground, (origins[lines_only], u[lines_only], lengths[lines_only]), met.linear, lines_only
            ),
        )
    over = over[~quick].tolist()
    if not over:
        return met
    m, rough, linear = len(files.strips), [], []
    for k in over:
        own = without_exempt(ground, strip_of(files, origins[k], u[k], float(lengths[k])))
        alone = _met_by(files, own, origins[k : k + 1], u[k : k + 1], lengths[k : k + 1], ANYTHING)
        rough.append(replace(alone.rough, strip=alone.rough.strip + k * m))
        linear.append(replace(alone.linear, strip=alone.linear.strip + k * m))
    return replace(met, rough=_instead(met.rough, rough, over, m), linear=_instead(met.linear, linear, over, m))


Ways = tuple[np.ndarray, np.ndarray, np.ndarray]


def _past_lines(files: Files, ground: Ground, ways: Ways, met: Stretches, over: np.ndarray) -> Stretches:
    """Return the obstacles met; for the advances ``over`` (k,), along ``ways``, without what bridges exempt."""
    m, fronts, behind, t = len(files.strips), *_fronts(files), files.cost_model.t
    left, right = _sides(files)
    more = BEYOND * (right - left) + MORE
    stretches, lines = met_over(ground, *ways, fronts, behind + 2 * t, (left, right, float(behind.max()), more, t))
    stretches = stretches.taken(stretches.low > -behind[stretches.strip % m] - 1.5 * t)
    number = np.full(int(over.max()) + 1, -1)
    number[over] = np.arange(len(over))
    ray = np.minimum(met.strip // m, len(number) - 1)
    of = np.where(met.strip // m < len(number), number[ray], -1)
    kept = met.taken(~((of >= 0) & lines[of, met.part]))
    every = (
        np.concatenate(both)
        for both in (
            (kept.strip, over[stretches.strip // m] * m + stretches.strip % m),
            (kept.low, stretches.low),
            (kept.high, stretches.high),
            (kept.part, stretches.part),
        )
    )
    whole = Stretches(*every)
    return whole.taken(np.lexsort((whole.low, whole.strip)))


def _exempt(
    files: Files, ground: Ground, origins: np.ndarray, u: np.ndarray, lengths: np.ndarray, met: Met
) -> tuple[np.ndarray, np.ndarray]:
    """Return the advances over choke-points that meet ground these cross: no other is exempt from anything.

    Also returns which of them pass only choke-points that cross nothing but lines.
    """
    exempt, m = np.zeros(met.count, bool), len(files.strips)
    lines = np.ones(met.count, bool)
    slowed = np.zeros(met.count, bool)
    slowed[met.rough.strip // m] = True
    for passage, over in over_chokes(files, ground, origins, u, lengths):
        meets = slowed.copy() if passage.rough else np.zeros(met.count, bool)
        meets[met.linear.strip[np.isin(met.linear.part, passage.linear)] // m] = True
        exempt |= over & meets
        lines &= ~over | lines_alone(passage, ground)
    return np.flatnonzero(exempt), lines[exempt]


def _instead(found: Stretches, others: Sequence[Stretches], rays: Sequence[int], strips: int) -> Stretches:
    """Return stretches in order of strip, those of some rays replaced by ``others``."""
    kept = found.taken(~np.isin(found.strip // strips, rays))
    every = [(s.strip, s.low, s.high, s.part) for s in (kept, *others)]
    strip, low, high, part = (np.concatenate(column) for column in zip(*every, strict=True))
    return Stretches(strip, low, high, part).taken(np.lexsort((low, strip)))


def strip_of(files: Files, origin: np.ndarray, u: np.ndarray, length: float) -> Strip:
    """Return the strip of a straight advance."""
    (x, y), (ux, uy) = origin.tolist(), u.tolist()
    left, right = _sides(files)
    behind = max(max(strip.behind) for strip in files.strips)
    return Strip.about((x, y), (ux, uy), (uy, -ux), left, right, -behind, length)


def _sides(files: Files) -> tuple[float, float]:
    """Return how far left and right of its middle a front counts; a general, a point, counts the tolerance each way."""
    if not _wide(files):
        return -files.cost_model.t, files.cost_model.t
    return min(strip.left for strip in files.strips), max(strip.right for strip in files.strips)


def over_chokes(
    files: Files, ground: Ground, origins: np.ndarray, u: np.ndarray, lengths: np.ndarray
) -> list[tuple[Passage, np.ndarray]]:
    """Return the choke-points that cross something, each with a mask (n,) of advances whose middle passes over it."""
    over = passages(ground) if ground.choke else ()
    if not over or not len(u):
        return []
    left, right = _sides(files)
    more, behind = BEYOND * (right - left) + MORE, max(max(strip.behind) for strip in files.strips)
    starts, ends = origins - (behind + more) * u, origins + (lengths + more)[:, None] * u
    lines = shapely.linestrings(np.stack([starts, ends], axis=1))
    return [(passage, np.asarray(shapely.intersects(passage.area, lines))) for passage in over]


def _met_by(
    files: Files, ground: Ground, origins: np.ndarray, u: np.ndarray, lengths: np.ndarray, beside: Beside
) -> Met:
    law, t = files.cost_model, files.cost_model.t
    fronts, behind = _fronts(files)
    middle = Strips(origins, u, lengths, np.zeros((1, 2)), np.zeros(1))
    sides = np.array([(strip.left, strip.right) for strip in files.strips])
    wide = _wide(files)
    if wide:
        rough = Strips(origins, u, lengths, sides + np.array([GRAZE, -GRAZE]), behind).meeting(
            ground.rough.outline, pairs=beside.rough
        )
        rough = rough.taken(rough.high - rough.low > 1e-9)
    else:
        rough = middle.running(ground.rough.outline, closed=False, pairs=beside.rough)
    linear = Strips(origins, u, lengths, fronts, behind + 2 * t).meeting(
        ground.linear.outline, t, by_part=True, pairs=beside.linear
    )
    linear = linear.taken(linear.low > -behind[linear.strip % len(sides)] - 1.5 * t)
    back = np.array([files.back if files.file else 0.0])
    road = NOWHERE
    if law.road != 1.0:
        road = replace(middle, behind=back).running(ground.road.outline, closed=True, pairs=beside.road)
    return Met(len(u), rough, road, linear, _entries(ground, middle, t, beside) if law.choke else NOWHERE)


def _wide(files: Files) -> bool:
    """Return whether strips have any width."""
    return files.strips[0].right - files.strips[0].left > 2 * GRAZE


def _fronts(files: Files) -> tuple[np.ndarray, np.ndarray]:
    """Return the sides (strips, 2) between which strips meet obstacles, and how far behind each begins (strips,)."""
    sides, t = np.array([(strip.left, strip.right) for strip in files.strips]), files.cost_model.t
    fronts = sides + np.array([t, -t]) if _wide(files) else np.array([(-t, t)])
    return fronts, np.array([max(strip.behind) for strip in files.strips])


def _entries(ground: Ground, middle: Strips, t: float, beside: Beside) -> Stretches:
    """Return where the middle of the front first enters each choke-point it does not start in (TSE-MOV-09)."""
    entries = replace(middle, behind=np.array([2 * t])).running(
        ground.choke.outline, closed=True, by_part=True, pairs=beside.choke
    )
    first = begins(entries.strip, entries.part)
    return entries.taken(first & (entries.low > 1e-9 - 2 * t))


def rays(
    files: Files,
    ground: Ground,
    origins: np.ndarray,
    directions: np.ndarray,
    lengths: np.ndarray,
    beside: Beside = ANYTHING,
) -> list[Ray]:
    """Return what advances of ``lengths`` (n,) from ``origins`` (n, 2) along unit ``directions`` (n, 2) meet."""
    met = met_by(files, ground, origins, directions, lengths, beside)
    rough, road, linear = _by_strip(met.rough), _by_strip(met.road), _by_strip(met.linear)
    choke: dict[int, list[float]] = {}
    for k, at in zip(met.choke.strip.tolist(), met.choke.low.tolist(), strict=True):
        choke.setdefault(k, []).append(max(0.0, at))
    m = len(files.strips)
    touched = {k // m for k in (*rough, *linear)} | set(choke) | set(road)
    each_ray = [OPEN] * met.count
    for k in touched:
        each_ray[k] = _ray(files, k, rough, linear, choke, road)
    return each_ray


def _by_strip(found: Stretches) -> dict[int, tuple[Span, ...]]:
    kept: dict[int, list[Span]] = {}
    for k, low, high in zip(found.strip.tolist(), found.low.tolist(), found.high.tolist(), strict=True):
        kept.setdefault(k, []).append((low, high))
    return {k: tuple(spans) for k, spans in kept.items()}


def _ray(
    files: Files,
    k: int,
    rough: dict[int, tuple[Span, ...]],
    linear: dict[int, tuple[Span, ...]],
    choke: dict[int, list[float]],
    road: dict[int, tuple[Span, ...]],
) -> Ray:
    own_road, m = road.get(k, ()), len(files.strips)
    spans, contacts = [], []
    for j, strip in enumerate(files.strips):
        in_strip = rough.get(k * m + j, ())
        for behind in strip.behind:
            spans.append(tuple((max(0.0, lo + behind), hi + behind) for lo, hi in in_strip if hi + behind > 0.0))
            met = (at + behind for at, _ in linear.get(k * m + j, ()))
            contacts.append(tuple(at for at in met if at >= -files.cost_model.t))
    last = max(files.strips[0].behind) if files.cost_model.all_on_road else 0.0
    joint = tuple((max(0.0, lo + last), hi) for lo, hi in own_road if hi > max(0.0, lo + last))
    track = rough.get(k * m, ())
    return Ray(
        tuple(spans) if any(spans) else (),
        joint,
        tuple(contacts) if any(contacts) else (),
        tuple(choke.get(k, ())),
        track,
        own_road,
    )


def price_at(ray: Ray, spent: Spent, files: Files, s: float) -> float:
    """Return the cost of a path that has ``spent`` so much and then advances ``s`` along a ray."""
    law = files.cost_model
    if ray.plain:
        return spent.cost(law) + s
    rough = [
        r + _measure(spans, s) for r, spans in zip(spent.rough, ray.rough or ((),) * len(spent.rough), strict=True)
    ]
    linear = max(_met(ray, spent, s), default=0)
    choke = sum(1 for at in ray.choke if at < s - 1e-12)
    most, road = max(rough, default=0.0), _measure(ray.road, s)
    return spent.plain + float(cost.total(s, most, road, linear, choke, law.law))


def _met(ray: Ray, spent: Spent, s: float) -> tuple[float, ...]:
    """Return how many linear obstacles each base has met after ``s`` along a ray."""
    if not ray.linear:
        return spent.met
    before = spent.met or (0,) * len(ray.linear)
    return tuple(n + sum(1 for at in own if at < s - 1e-12) for n, own in zip(before, ray.linear, strict=True))


def farthest(ray: Ray, spent: Spent, files: Files, budget: float, limit: float) -> float:
    """Return how far along a ray the budget lasts, at most ``limit``; negative if it is already exceeded."""
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
    law = files.cost_model
    rough = np.zeros(len(at)) if not spent.rough else np.full(len(at), max(spent.rough))
    for already, spans in zip(spent.rough, ray.rough, strict=False):
        if spans:
            rough = np.maximum(rough, already + _measures(spans, at))
    road = _measures(ray.road, at) if ray.road else np.zeros(len(at))
    met = [np.full(len(at), n) for n in spent.met or (0,) * len(ray.linear)]
    for n, own in zip(met, ray.linear, strict=False):
        n += (np.array(own)[None, :] < at[:, None] - 1e-12).sum(axis=1)
    linear = np.max(met, axis=0) if met else np.zeros(len(at), int)
    choke = sum((u < at - 1e-12 for u in ray.choke), np.zeros(len(at), int))
    return np.asarray(spent.plain + cost.total(at, rough, road, linear, choke, law.law))


def _measures(spans: Sequence[Span], at: np.ndarray) -> np.ndarray:
    lo, hi = np.array(spans).T
    return np.asarray(np.clip(at[:, None] - lo, 0.0, hi - lo).sum(axis=1))


def _within(ray: Ray, spent: Spent, files: Files, budget: float, lo: float, hi: float) -> float:
    """Return where between two marks the budget runs out.

    The cost is convex there (the maximum of several linear functions), so a chord reaches the budget before the cost
    does.
    """
    a, low = lo + 1e-10, price_at(ray, spent, files, lo + 1e-10)
    high = price_at(ray, spent, files, hi)
    for _ in range(100):
        if high <= low or budget - low < 1e-10:
            break
        a += (budget - low) * (hi - a) / (high - low)
        low = price_at(ray, spent, files, a)
    return max(lo, a - 1e-9)


def followed(ray: Ray, spent: Spent, files: Files) -> Ray:
    """Return a later leg of a file as its followers meet it: they still have the head's track ahead of them."""
    if not files.file or spent.gone == 0.0:
        return ray
    track = (*spent.track_rough, *_later(ray.track_rough, spent.gone))
    road = merged((*spent.track_road, *_later(ray.track_road, spent.gone)))
    behind = files.strips[0].behind
    rough = tuple(_ahead(track, o - spent.gone) for o in behind)
    last = max(behind) if files.cost_model.all_on_road else 0.0
    joint = tuple((max(0.0, lo + last - spent.gone), hi - spent.gone) for lo, hi in road)
    joint = tuple(span for span in joint if span[1] > span[0])
    own = ray.linear[0] if ray.linear else ()  # of the head; what it met before is still ahead of those behind it
    every = (*spent.track_linear, *(at + spent.gone for at in own))
    linear = tuple(tuple(at + o - spent.gone for at in every if at + o >= spent.gone - 1e-12) for o in behind[1:])
    linear = (own, *linear) if own or any(linear) else ()
    return Ray(rough if any(rough) else (), joint, linear, ray.choke, ray.track_rough, ray.track_road)


def _later(spans: Sequence[Span], gone: float) -> tuple[Span, ...]:
    return tuple((max(0.0, lo) + gone, hi + gone) for lo, hi in spans if hi > 0.0)


def _ahead(spans: Sequence[Span], shift: float) -> tuple[Span, ...]:
    return tuple((max(0.0, lo + shift), hi + shift) for lo, hi in spans if hi + shift > 0.0)


def spend(ray: Ray, spent: Spent, files: Files, s: float) -> Spent:
    """Return what a path has cost after ``s`` along a ray that has passed through ``followed``."""
    bare = Spent(spent.plain, (0.0,))
    unpaid = Ray((), ray.road, (), ray.choke)
    plain = price_at(unpaid, bare, files, s) if not ray.plain else spent.plain + s
    rough = spent.rough
    if ray.rough:
        rough = tuple(r + _measure(spans, s) for r, spans in zip(spent.rough, ray.rough, strict=True))
    if not files.file:
        return Spent(plain, rough, met=_met(ray, spent, s))
    first = spent.gone == 0.0
    track = ray.track_rough if first else (*spent.track_rough, *_later(ray.track_rough, spent.gone))
    road = ray.track_road if first else (*spent.track_road, *_later(ray.track_road, spent.gone))
    gone = max(spent.gone + s, SET_OUT)
    linear = (*spent.track_linear, *(at for at in _on_track(ray, spent, files) if at < spent.gone + s - 1e-12))
    return Spent(plain, rough, gone, _upto(track, gone), _upto(road, gone), linear, _met(ray, spent, s))


def _on_track(ray: Ray, spent: Spent, files: Files) -> Iterator[float]:
    """Yield where on the head's track a ray meets linear obstacles; on the first leg also those behind the head."""
    if not ray.linear:
        return
    if spent.gone == 0.0:
        last = files.strips[0].behind[-1]
        yield from (at - last for at in ray.linear[-1])
    else:
        yield from (at + spent.gone for at in ray.linear[0])


def _upto(spans: Sequence[Span], end: float) -> tuple[Span, ...]:
    return tuple((lo, min(hi, end)) for lo, hi in spans if lo < end)


def _measure(spans: Sequence[Span], upto: float) -> float:
    return sum(min(hi, upto) - lo for lo, hi in spans if lo < upto)
