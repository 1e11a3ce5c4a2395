"""The bases of a formation from one pose: line, bent line, column of ranks, file, file along a track, square.

A ``Layout`` holds the bases as slots in its own frame (lateral to the right, ahead, turn clockwise). It is placed on
the table by one fixed point: the centre-point, one base, or the middle of the front. Slots are symmetric numbers and
headings are exact under quarter turns, so turning or mirroring the pose turns or mirrors the bases without changing a
digit (except that the square is handed: it mirrors into the other pinwheel).

Source: TSE-FRM-05, TSE-FRM-06, TSE-FRM-10, TSE-FRM-11, TSE-FRM-20..26, TSE-FRM-30, TSE-UNI-23.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tabletop.geometry.base import Base
from tabletop.geometry.measure import SAME_PLACE, Point, bearing, heading, right_of, turn_between

#: Where a short rank stands behind the front rank: on the axis, or flush with its left or right end.
ALIGN = {"centred": 0.0, "left": -1.0, "right": 1.0}
#: Largest turn (degrees) from the formation's facing of a base that counts as facing ahead: between a bent line's 45
#: and a square's 90.
AHEAD = 60.0
SIDE_ORDER = (0, 2, 1, 3)  # bases left over when a square's number is not divisible by four go front, rear, right, left


@dataclass(frozen=True)
class Slot:
    """The place of one base in a layout's own frame: centre (lateral, ahead) and turn in degrees, clockwise."""

    lateral: float
    ahead: float
    turn: float = 0.0


@dataclass(frozen=True)
class Layout:
    """Bases of one size in their slots; ``front`` are the indices of the bases that make up the formation's front.

    >>> from tabletop.geometry import line
    >>> bases = line(4, 1.0, 0.75).by_front((10.0, 10.0), 0.0)
    >>> [base.centre for base in bases]
    [(8.5, 9.625), (9.5, 9.625), (10.5, 9.625), (11.5, 9.625)]
    """

    slots: tuple[Slot, ...]
    front: tuple[int, ...]
    frontage: float
    depth: float

    def about_centre(self, point: Point, facing: float, reference: int = 0) -> tuple[Base, ...]:
        """Return the bases with the mean of their centres at ``point``, base ``reference`` facing ``facing``."""
        n = len(self.slots)
        mean = math.fsum(s.lateral for s in self.slots) / n, math.fsum(s.ahead for s in self.slots) / n
        return self._placed(mean, point, facing - self.slots[reference].turn)

    def about_base(self, index: int, point: Point, facing: float) -> tuple[Base, ...]:
        """Return the bases with the centre of base ``index`` at ``point``, that base facing ``facing``."""
        slot = self.slots[index]
        return self._placed((slot.lateral, slot.ahead), point, facing - slot.turn)

    def by_front(self, point: Point, facing: float, reference: int = 0) -> tuple[Base, ...]:
        """Return the bases with the middle of the front at ``point``, base ``reference`` facing ``facing``."""
        turn = self.slots[reference].turn
        lying = [self._base(self.slots[i], (0.0, 0.0), (0.0, 0.0), 0.0) for i in self.front]
        return self._placed(middle_of_front(lying, turn), point, facing - turn)

    def _placed(self, pivot: Point, point: Point, frame: float) -> tuple[Base, ...]:
        return tuple(self._base(slot, pivot, point, frame) for slot in self.slots)

    def _base(self, slot: Slot, pivot: Point, point: Point, frame: float) -> Base:
        f = heading(frame)
        r = right_of(f)
        l, a = slot.lateral - pivot[0], slot.ahead - pivot[1]
        x, y = point[0] + (l * r[0] + a * f[0]), point[1] + (l * r[1] + a * f[1])
        return Base(x, y, (frame + slot.turn) % 360.0, self.frontage, self.depth)


def middle_of_front(fronts: Sequence[Base], facing: float) -> Point:
    """Return the middle of a front: of the middle base's front edge, or of the joint between the two middle bases.

    Only bases that face ahead count (a bent line turns less, a square's sides more), so for a square it is the middle
    of one side.
    """
    ahead = [b for b in fronts if abs(turn_between(facing, b.facing)) < AHEAD]
    left, right = ahead[(len(ahead) - 1) // 2], ahead[len(ahead) // 2]
    (ax, ay), (bx, by) = left.front_edge[1], right.front_edge[0]
    return float(ax + bx) / 2, float(ay + by) / 2


def line(n: int, frontage: float, depth: float) -> Layout:
    """Return ``n`` bases side by side in one rank, left to right (TSE-FRM-10); lengths in table units.

    >>> from tabletop.geometry import line
    >>> [slot.lateral for slot in line(3, 1.0, 0.75).slots]
    [-1.0, 0.0, 1.0]
    """
    return Layout(tuple(Slot(x, 0.0) for x in _row(n, frontage)), tuple(range(n)), frontage, depth)


def bent_line(bends: Sequence[float], frontage: float, depth: float, reference: int = 0) -> Layout:
    """Return a line whose bases face ``bends`` degrees (clockwise) away from the reference base, left to right.

    Neighbours stay hinged (TSE-FRM-11): at a shared front corner where the line is concave (the base on the right is
    turned anticlockwise), at a shared rear corner where it is convex. Raises ValueError unless ``bends[reference]`` is
    0.

    >>> from tabletop.geometry import bent_line
    >>> [round(s.lateral, 4) for s in bent_line([0, 30], 1.0, 0.75).slots]
    [0.0, 1.1205]
    """
    if bends[reference] != 0:
        raise ValueError("the reference base faces as itself: its bend is 0")
    slots = [Slot(0.0, 0.0)] * len(bends)
    for i in range(reference + 1, len(bends)):
        slots[i] = _hinged(slots[i - 1], bends[i], frontage, depth, side=1.0)
    for i in range(reference - 1, -1, -1):
        slots[i] = _hinged(slots[i + 1], bends[i], frontage, depth, side=-1.0)
    return Layout(tuple(slots), tuple(range(len(bends))), frontage, depth)


def _hinged(slot: Slot, turn: float, frontage: float, depth: float, side: float) -> Slot:
    """Return the neighbour of ``slot`` on its right (side 1) or left (-1); the hinge is a corner of both."""
    opening = side * (turn - slot.turn)  # > 0: the line is convex here, so the hinge is behind
    half_w = side * frontage / 2
    half_d = math.copysign(depth / 2, -opening) if opening else 0.0
    f, g = heading(slot.turn), heading(turn)
    r, q = right_of(f), right_of(g)
    step = [half_w * (r[k] + q[k]) + half_d * (f[k] - g[k]) for k in (0, 1)]
    return Slot(slot.lateral + step[0], slot.ahead + step[1], turn)


def ranks(n: int, front: int) -> tuple[int, ...] | None:
    """Return the sizes of the fewest ranks that hold ``n`` bases ``front`` wide, full ranks first, or None if there are
    none.

    No rank may be larger than the front rank or smaller than another by more than one (TSE-FRM-20).

    >>> ranks(7, 3), ranks(4, 3)
    ((3, 2, 2), None)
    """
    if not 1 <= front <= n:
        return None
    deep = -(-n // front)
    short = deep * front - n
    return None if short >= deep else (front,) * (deep - short) + (front - 1,) * short


def column(
    rank_sizes: Sequence[int], frontage: float, depth: float, gap: float = 0.0, align: str = "centred"
) -> Layout:
    """Return ranks one behind the other, front rank first, each left to right (TSE-FRM-20, TSE-FRM-23a).

    ``gap`` is left empty behind each rank (limbers, TSE-UNI-23); ``align`` places short ranks: centred, left, right.

    >>> from tabletop.geometry import column
    >>> [(slot.lateral, slot.ahead) for slot in column((2, 1), 1.0, 0.75).slots]
    [(-0.5, 0.0), (0.5, 0.0), (0.0, -0.75)]
    """
    front = rank_sizes[0]
    slots = []
    for depth_index, size in enumerate(rank_sizes):
        aside = ALIGN[align] * (front - size) / 2 * frontage
        slots += [Slot(x + aside, -depth_index * (depth + gap)) for x in _row(size, frontage)]
    return Layout(tuple(slots), tuple(range(front)), frontage, depth)


def file(n: int, frontage: float, depth: float, gap: float = 0.0) -> Layout:
    """Return ``n`` bases front to back, head first, with ``gap`` behind each (TSE-FRM-24).

    >>> from tabletop.geometry import file
    >>> [slot.ahead for slot in file(3, 1.0, 0.75).slots]
    [0.0, -0.75, -1.5]
    """
    return column((1,) * n, frontage, depth, gap)


def file_along(track: Sequence[Point], n: int, frontage: float, depth: float, gap: float = 0.0) -> tuple[Base, ...]:
    """Return ``n`` bases snaking along a track that starts at the middle of the head's front edge (TSE-FRM-25).

    The joints between bases lie on the track, each at the first point one depth away from the joint before, found in
    closed form leg by leg; each base spans two joints. So neighbours share the middle of their touching edges exactly.
    On a straight leg a base is exactly centred on the track and tangent to it; across a bend of turn p its centre is
    within depth/2 * tan(p/2) of the track and it faces along the chord. (Touching, centred and tangent cannot all hold
    at a corner: that is two conditions too many for one unknown.) Past its end the track continues straight. Raises
    ValueError for a track without length.

    >>> from tabletop.geometry import file_along
    >>> [base.facing for base in file_along([(5.0, 5.0), (5.0, 3.0), (1.0, 3.0)], 4, 1.0, 1.0)]
    [0.0, 0.0, 90.0, 90.0]
    """
    points = [track[0], *(q for p, q in pairwise(track) if math.dist(p, q) > SAME_PLACE)]
    if len(points) < 2:
        raise ValueError("a track needs two different points")
    bases, leg, joint = [], 0, points[0]
    for _ in range(n):
        leg, rear = _joint_after(points, leg, joint, depth)
        facing = bearing(joint[0] - rear[0], joint[1] - rear[1])
        bases.append(Base((joint[0] + rear[0]) / 2, (joint[1] + rear[1]) / 2, facing, frontage, depth))
        leg, joint = _joint_after(points, leg, rear, gap) if gap else (leg, rear)
    return tuple(bases)


def _joint_after(points: Sequence[Point], leg: int, joint: Point, chord: float) -> tuple[int, Point]:
    """Return (leg, point): the first point of the track after ``joint`` (on ``leg``) a ``chord`` away from it.

    Every leg tried begins within the circle of radius ``chord`` about the joint, so the point sought is where a leg
    leaves that circle. A leg that ends on the circle leaves it there, whatever rounding says: the next might turn back
    into it.
    """
    i = leg
    while True:
        (ax, ay), (bx, by) = points[i], points[i + 1]
        length = math.hypot(bx - ax, by - ay)
        ux, uy = (bx - ax) / length, (by - ay) / length
        along = (joint[0] - ax) * ux + (joint[1] - ay) * uy
        aside = 0.0 if i == leg else (joint[0] - ax) * uy - (joint[1] - ay) * ux
        at = max(0.0, along + math.sqrt(max(0.0, chord * chord - aside * aside)))
        if at <= length + SAME_PLACE or i == len(points) - 2:
            return i, (ax + at * ux, ay + at * uy)
        i += 1


def square(n: int, frontage: float, depth: float) -> Layout:
    """Return a square: front, right, rear, left sides, all facing out, base 0 ahead (TSE-FRM-30).

    Four or more bases form a pinwheel of k = ceil(n/4) places a side, outer side k * frontage + depth, each side filled
    from its left end; two stand back to back, three on the sides of a triangle.

    >>> from tabletop.geometry import square
    >>> [slot.turn for slot in square(4, 1.0, 0.75).slots]
    [0.0, 90.0, 180.0, 270.0]
    """
    if n < 4:
        return _few_outward(n, frontage, depth)
    places = -(-n // 4)
    counts = [n // 4 + (SIDE_ORDER.index(side) < n % 4) for side in range(4)]
    half = (places * frontage + depth) / 2
    slots = []
    for side, count in enumerate(counts):
        f = heading(90.0 * side)
        r = right_of(f)
        for i in range(count):
            l, a = (i + 0.5) * frontage - half, half - depth / 2
            slots.append(Slot(l * r[0] + a * f[0], l * r[1] + a * f[1], 90.0 * side))
    return Layout(tuple(slots), tuple(range(n)), frontage, depth)


def _few_outward(n: int, frontage: float, depth: float) -> Layout:
    inner = frontage / (2 * math.sqrt(3.0)) if n == 3 else 0.0
    out = depth / 2 + inner if n > 1 else 0.0
    headings = [(360.0 / n * i, heading(360.0 / n * i)) for i in range(n)]
    return Layout(tuple(Slot(out * f[0], out * f[1], turn) for turn, f in headings), tuple(range(n)), frontage, depth)


def _row(n: int, frontage: float) -> list[float]:
    """Return the lateral places of ``n`` bases side by side, symmetric about 0."""
    return [(i - (n - 1) / 2) * frontage for i in range(n)]
