"""The shortest way of a point among hard outlines, exactly: straight legs from corner to corner.

Such a way bends only at convex corners of what stands in it, and round them: a leg that would run into the outline
beyond the corner it ends at is of no use. Which corners see each other is found once for a table, by walking a mesh of
the free ground (as ``visibility`` does); a way is then a search over those legs, the straight distance to the goal
being its bound. Grazing is allowed. Lengths are exact but for rounding.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from shapely.geometry.base import BaseGeometry

from tabletop.geometry.measure import Point
from tabletop.geometry.mesh import NONE, Mesh

#: Turns (table units squared) no greater than this are rounding: such corners are in line.
IN_LINE = 1e-12
Legs = list[tuple[float, int]]


@dataclass(frozen=True, eq=False)
class FreeGround:
    """Free ground whose legs between corners are found as they are first asked for, and kept."""

    mesh: Mesh

    @classmethod
    def of(cls, free: BaseGeometry) -> FreeGround:
        """Return the ways over a free (multi)polygon; everything else is hard."""
        return cls(Mesh.of(free))

    def shortest(self, start: Point, goal: Point) -> tuple[float, tuple[Point, ...]]:
        """Return the length and the points of the shortest way; (inf, ()) when there is none or an end is not free."""
        first, last = self.mesh.triangle_at(start), self.mesh.triangle_at(goal)
        if NONE in (first, last):
            return math.inf, ()
        seen, direct = self._seen(start, _sides(first), goal, last)
        if direct:
            return math.dist(start, goal), (start, goal)
        ends, _ = self._seen(goal, _sides(last))
        before = dict(self._useful(goal, ends))
        return self._search(start, goal, self._useful(start, seen), before)

    def _search(
        self, start: Point, goal: Point, out: list[tuple[int, float]], home: dict[int, float]
    ) -> tuple[float, tuple[Point, ...]]:
        """Search from the corners ``out`` (with their distance from the start) to those ``home`` from the goal."""
        xs, ys = self.mesh.lists
        gx, gy = goal
        best: dict[int, float] = dict(out)
        came: dict[int, int] = {}
        queue = [(d + math.hypot(xs[k] - gx, ys[k] - gy), d, k) for k, d in out]
        heapq.heapify(queue)
        least, end = math.inf, NONE
        while queue:
            bound, d, k = heapq.heappop(queue)
            if bound >= least:
                break
            if d > best[k]:
                continue
            if k in home and d + home[k] < least:
                least, end = d + home[k], k
            for length, j in self.legs(k):
                reached = d + length
                if reached < best.get(j, math.inf):
                    best[j], came[j] = reached, k
                    heapq.heappush(queue, (reached + math.hypot(xs[j] - gx, ys[j] - gy), reached, j))
        return (least, (start, *self._back(end, came), goal)) if end != NONE else (math.inf, ())

    def _back(self, end: int, came: dict[int, int]) -> Iterator[Point]:
        xs, ys = self.mesh.lists
        way = [end]
        while way[-1] in came:
            way.append(came[way[-1]])
        return ((xs[k], ys[k]) for k in reversed(way))

    def legs(self, corner: int) -> Legs:
        """Return the legs (length, other corner) from a corner, in no order."""
        found = self._legs.get(corner)
        if found is None:
            found = self._legs[corner] = self._legs_from(corner)
        return found

    def find_all(self) -> FreeGround:
        """Find every leg now; return this."""
        for corner in sorted(self._corners):
            self.legs(corner)
        return self

    @cached_property
    def _legs(self) -> dict[int, Legs]:
        return {}

    def _legs_from(self, corner: int) -> Legs:
        xs, ys = self.mesh.lists
        at = xs[corner], ys[corner]
        seen, _ = self._seen(at, self.mesh.around[corner])
        seen.discard(corner)
        return [(length, k) for k, length in self._useful(at, seen) if self._goes_round(corner, xs[k], ys[k])]

    def _useful(self, at: Point, seen: set[int]) -> list[tuple[int, float]]:
        """Return those of the corners seen from ``at`` round which a way can go on, with their distances."""
        xs, ys = self.mesh.lists
        found = [k for k in seen if k in self._corners and self._goes_round(k, *at)]
        return [(k, math.hypot(xs[k] - at[0], ys[k] - at[1])) for k in found]

    def _goes_round(self, corner: int, x: float, y: float) -> bool:
        """Return whether a leg between (x, y) and a corner leaves, at the corner, all of one outline on one side."""
        xs, ys = self.mesh.lists
        dx, dy = xs[corner] - x, ys[corner] - y
        for one, other in self._corners[corner]:
            a = dx * (ys[one] - ys[corner]) - dy * (xs[one] - xs[corner])
            b = dx * (ys[other] - ys[corner]) - dy * (xs[other] - xs[corner])
            if (a >= -IN_LINE and b >= -IN_LINE) or (a <= IN_LINE and b <= IN_LINE):
                return True
        return False

    @cached_property
    def _corners(self) -> dict[int, list[tuple[int, int]]]:
        """The corners a way can go round, and for each hard wedge there its neighbours along the border."""
        _, _, _, right_end, left_end = self.mesh.steps
        follow: dict[int, list[int]] = {}
        lead: dict[int, list[int]] = {}
        for side, beyond in enumerate(self.mesh.across.tolist()):
            if beyond < 0:  # free ground lies to the left of right_end -> left_end
                follow.setdefault(right_end[side], []).append(left_end[side])
                lead.setdefault(left_end[side], []).append(right_end[side])
        found: dict[int, list[tuple[int, int]]] = {}
        for corner, after in follow.items():
            pairs = [(one, other) for one in lead[corner] for other in after]
            if len(after) > 1:
                found[corner] = pairs  # outlines touch here: any pairing may be a wedge
            elif self._convex(corner, *pairs[0]):
                found[corner] = pairs
        return found

    def _convex(self, corner: int, before: int, after: int) -> bool:
        xs, ys = self.mesh.lists
        ax, ay = xs[corner] - xs[before], ys[corner] - ys[before]
        bx, by = xs[after] - xs[corner], ys[after] - ys[corner]
        return ax * by - ay * bx < 0

    def _seen(
        self, eye: Point, sides: tuple[int, ...], goal: Point | None = None, triangle: int = NONE
    ) -> tuple[set[int], bool]:
        """Return the corners seen from ``eye`` through ``sides``, and whether a goal in ``triangle`` is seen."""
        ex, ey = eye
        xs, ys = self.mesh.lists
        far, to_right, to_left, right_end, left_end = self.mesh.steps
        seen = {right_end[s] for s in sides} | {left_end[s] for s in sides}
        if goal is not None and any(s // 3 == triangle for s in sides):
            return seen, True
        gx, gy = (goal[0] - ex, goal[1] - ey) if goal is not None else (0.0, 0.0)
        cones = [
            (s, xs[right_end[s]] - ex, ys[right_end[s]] - ey, xs[left_end[s]] - ex, ys[left_end[s]] - ey) for s in sides
        ]
        while cones:
            side, rx, ry, lx, ly = cones.pop()
            corner = far[side]
            if corner < 0:
                continue
            if to_right[side] // 3 == triangle and rx * gy - ry * gx >= 0 and lx * gy - ly * gx <= 0:
                return seen, True
            ox, oy = xs[corner] - ex, ys[corner] - ey
            right_of_left, left_of_right = lx * oy - ly * ox, rx * oy - ry * ox
            if right_of_left <= 0 <= left_of_right:
                seen.add(corner)
            if right_of_left < 0:
                cones.append((to_left[side], ox, oy, lx, ly) if left_of_right > 0 else (to_left[side], rx, ry, lx, ly))
            if left_of_right > 0:
                cones.append(
                    (to_right[side], rx, ry, ox, oy) if right_of_left < 0 else (to_right[side], rx, ry, lx, ly)
                )
        return seen, False


def _sides(triangle: int) -> tuple[int, ...]:
    return 3 * triangle, 3 * triangle + 1, 3 * triangle + 2
