"""Cheapest moves found independently of the program's search: a lattice of places and headings, then local descent.

Dijkstra's search goes over places 0.1 in apart and 72 headings (those of whole-number steps near every 5 degrees). Its
law of cost and its legality are coarse: they only propose ways. Each way is then shortened and its waypoints shifted,
split and dropped as long as the judge's own question, a move along a path, makes it cheaper. So what is found is always
a legal move at its true price; what is not found proves nothing. For moves in a maneuver column (TSE-MOV-01..18).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, outline
from tabletop.geometry.movement.ground import ground_of
from tabletop.rules.tse.movement.formation import assume
from tabletop.rules.tse.movement.legality import at_the_end, on_the_way, setting_out
from tabletop.rules.tse.movement.motion import ACTIONS, PlannedMove, allowance, along, body_of, cost_model
from tabletop.rules.tse.movement.zone_of_control import zone_limit

Point = tuple[float, float]

#: Inches between places, and how much nearer than allowed (inches) the lattice may come: less than the tolerance.
STEP, SLACK = 0.1, 0.0049
#: The headings, as whole-number steps of the lattice: one near every 5 degrees.
TURNS = 72
#: Shifts (inches) of waypoints tried one after the other.
SHIFTS = (0.4, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005)
#: Ways of one arrival that are refined, the cheapest first, and the most waypoints of a way that legs are split for.
REFINED, MOST = 3, 6
#: Columns of edges: ends, distance to keep, the part each belongs to.
KEPT, PART = 4, 5


def _steps() -> np.ndarray:
    """Return (72, 2) whole-number steps, at most about an inch long, each nearest to its multiple of 5 degrees."""
    near = [(i, j) for i in range(-11, 12) for j in range(-11, 12) if math.gcd(i, j) == 1 and math.hypot(i, j) <= 11.1]
    found = []
    for k in range(TURNS):
        wanted = math.radians(360.0 * k / TURNS)
        off = [(abs(math.remainder(math.atan2(i, j) - wanted, 2 * math.pi)), math.hypot(i, j)) for i, j in near]
        found.append(near[min(range(len(near)), key=lambda n: (round(off[n][0], 3), off[n][1]))])
    return np.array(found)


HEADINGS = _steps()


@lru_cache(maxsize=1)
def _compiled() -> tuple[Callable[..., Any], ...]:
    """Return the loops below, compiled where numba is installed."""
    try:
        import numba
    except ImportError:
        return _search, _free
    for name in ("_box_distance", "_inside", "_too_near", "_in_rough", "_crossings"):
        globals()[name] = numba.njit(globals()[name])
    return numba.njit(_search), numba.njit(_free)


def _box_distance(ax: float, ay: float, bx: float, by: float, half: float, back: float) -> float:
    """Return how far a segment, as seen from a front (to the right, ahead), is from its rectangle."""
    low, high, dx, dy = 0.0, 1.0, bx - ax, by - ay
    meets = True
    for axis in range(2):
        p, d = (ax, dx) if axis == 0 else (ay, dy)
        least, most = (-half, half) if axis == 0 else (-back, 0.0)
        if abs(d) < 1e-12:
            meets = meets and least <= p <= most
        else:
            one, other = (least - p) / d, (most - p) / d
            low, high = max(low, min(one, other)), min(high, max(one, other))
    if meets and low <= high:
        return 0.0
    best = 1e18
    for k in range(2):
        x, y = (ax, ay) if k == 0 else (bx, by)
        ex, ey = max(0.0, abs(x) - half), max(0.0, y, -back - y)
        best = min(best, ex * ex + ey * ey)
    length = max(dx * dx + dy * dy, 1e-18)
    for k in range(4):
        x, y = half if k % 2 else -half, -back if k // 2 else 0.0
        share = min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / length))
        ex, ey = ax + share * dx - x, ay + share * dy - y
        best = min(best, ex * ex + ey * ey)
    return math.sqrt(best)


def _inside(x: float, y: float, edges: Any, part: float) -> bool:
    """Return whether a point is inside the outline of a part, by how many of its edges lie due east."""
    found = False
    for e in range(len(edges)):
        ax, ay, bx, by = edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3]
        if edges[e, PART] == part and (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            found = not found
    return found


def _too_near(
    x: float, y: float, ux: float, uy: float, length: float, half: float, back: float, edges: Any, room: Any, gaps: Any
) -> bool:
    """Return whether a block that goes ``length`` straight ahead comes too near to an edge, or leaves the table."""
    for side in (-half, half):
        for behind in (-back, length):
            cx, cy = x + side * uy + behind * ux, y - side * ux + behind * uy
            if cx < room[0] or cy < room[1] or cx > room[2] or cy > room[3]:
                return True
    mx, my = x + (length - back) / 2 * ux, y + (length - back) / 2 * uy
    radius = math.hypot(half, (length + back) / 2)
    part, hit = -1.0, False
    for e in range(len(edges)):
        if edges[e, PART] != part:
            part, hit = edges[e, PART], False
            if edges[e, KEPT] <= 0.0 and _inside(mx, my, edges, part):
                hit = True
        elif hit:
            continue
        if not hit:
            ax, ay, bx, by, keep = edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3], edges[e, KEPT]
            dx, dy = bx - ax, by - ay
            share = min(1.0, max(0.0, ((mx - ax) * dx + (my - ay) * dy) / max(dx * dx + dy * dy, 1e-18)))
            if math.hypot(ax + share * dx - mx, ay + share * dy - my) > radius + max(keep, 0.0):
                continue
            ax, ay, bx, by = ax - x, ay - y, bx - x, by - y
            fa, la, fb, lb = ax * ux + ay * uy, ax * uy - ay * ux, bx * ux + by * uy, bx * uy - by * ux
            slack = SLACK if keep <= 0.0 else 0.0
            hit = _box_distance(la, fa - length, lb, fb - length, half - slack, back + length) < max(keep - SLACK, 1e-9)
        if hit:
            if not len(gaps) or edges[e, KEPT] > 0.0:
                return True
            guided, over = False, False
            for g in range(len(gaps)):
                gx, gy, tx, ty = gaps[g, 0] - x, gaps[g, 1] - y, gaps[g, 2] - x, gaps[g, 3] - y
                la, fa, lb, fb = gx * uy - gy * ux, gx * ux + gy * uy, tx * uy - ty * ux, tx * ux + ty * uy
                over = over or _box_distance(la, fa, lb, fb, half, back) <= 0.0
            guided = _inside(x, y, gaps, 0.0) or not _inside(x, y, edges, part)
            cx, cy = x - back / 2 * ux, y - back / 2 * uy
            guided = guided or _inside(cx, cy, gaps, 0.0) or not _inside(cx, cy, edges, part)
            if not (guided and over):
                return True
    return False


def _in_rough(x: float, y: float, ux: float, uy: float, half: float, rough: Any, parts: int) -> bool:
    """Return whether a front edge is in rough ground, at one of five places."""
    for k in range(5 if len(rough) else 0):
        side = half * (k / 2.0 - 1.0) * 0.98
        for part in range(parts):
            if _inside(x + side * uy, y - side * ux, rough, part):
                return True
    return False


def _crossings(ax: float, ay: float, bx: float, by: float, linear: Any) -> int:
    """Return how many pieces of linear obstacles the way of the middle of the front crosses."""
    count = 0
    for e in range(len(linear)):
        cx, cy, dx, dy = linear[e, 0], linear[e, 1], linear[e, 2], linear[e, 3]
        one = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        other = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
        three = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)
        four = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
        count += (one > 0) != (other > 0) and (three > 0) != (four > 0)
    return count


def _search(
    n: int, corner: Any, starts: Any, headings: Any, shape: Any, law: Any, most: float,
    edges: Any, gaps: Any, rough: Any, parts: int, linear: Any, room: Any, cost: Any, before: Any,
) -> None:  # fmt: skip
    """Fill in the cost (n, n, 72) of every place and heading from the starts, and from which each is reached."""
    half, back = shape[0], shape[1]
    turns = len(headings)
    buckets = int(most / 0.01) + 2
    head, after, waiting = np.full(buckets, -1), np.full(1, -1), np.zeros(1, np.int64)
    count = 0
    held = np.zeros(1)
    after, waiting, held = np.full(1 << 16, -1), np.zeros(1 << 16, np.int64), np.zeros(1 << 16)
    flat, done = cost.reshape(-1), np.zeros(cost.size, np.bool_)
    for s in starts:
        flat[s] = 0.0
        after[count], waiting[count], held[count] = head[0], s, 0.0
        head[0] = count
        count += 1
    for bucket in range(buckets):
        while head[bucket] >= 0:
            entry = head[bucket]
            head[bucket] = after[entry]
            state = waiting[entry]
            if done[state] or held[entry] > flat[state]:
                continue
            done[state] = True
            k, place = state % turns, state // turns
            i, j = place // n, place % n
            x, y, now = corner[0] + STEP * i, corner[1] + STEP * j, flat[state]
            di, dj = headings[k, 0], headings[k, 1]
            length = math.hypot(di, dj) * STEP
            ux, uy = di * STEP / length, dj * STEP / length
            here = _in_rough(x, y, ux, uy, half, rough, parts)
            for move in range(3):
                if move == 0:
                    ni, nj, nk = i + di, j + dj, k
                    if ni < 0 or nj < 0 or ni >= n or nj >= n:
                        continue
                    to = (ni * n + nj) * turns + nk
                    if flat[to] <= now + length:
                        continue
                    if _too_near(x, y, ux, uy, length, half, back, edges, room, gaps):
                        continue
                    tx, ty = corner[0] + STEP * ni, corner[1] + STEP * nj
                    there = _in_rough(tx, ty, ux, uy, half, rough, parts)
                    price = length * (1.0 + (law[0] - 1.0) * (here + there) / 2.0)
                    price += law[1] * _crossings(x, y, tx, ty, linear)
                else:
                    nk = (k + (1 if move == 1 else turns - 1)) % turns
                    to = (i * n + j) * turns + nk
                    vi, vj = headings[nk, 0], headings[nk, 1]
                    cosine = (di * vi + dj * vj) / math.hypot(di, dj) / math.hypot(vi, vj)
                    price = half * math.acos(min(1.0, cosine)) * (law[0] if here else 1.0)
                    if flat[to] <= now + price:
                        continue
                    wide = math.hypot(vi, vj)
                    if _too_near(x, y, vi / wide, vj / wide, 0.0, half, back, edges, room, gaps):
                        continue
                new = now + price
                if new < flat[to] - 1e-9 and new <= most:
                    flat[to], before[to] = new, state
                    if count == len(waiting):
                        after = np.concatenate((after, np.full(count, -1)))
                        waiting = np.concatenate((waiting, np.zeros(count, np.int64)))
                        held = np.concatenate((held, np.zeros(count)))
                    b = int(new / 0.01)
                    after[count], waiting[count], held[count] = head[b], to, new
                    head[b] = count
                    count += 1


def _free(points: Any, offset: float, half: float, back: float, edges: Any, room: Any, gaps: Any) -> bool:
    """Return whether a block gets along a way, from where it forms, without coming too near to anything."""
    wx, wy = 0.0, 0.0
    for k in range(len(points) - 1):
        x, y = points[k, 0], points[k, 1]
        length = math.hypot(points[k + 1, 0] - x, points[k + 1, 1] - y)
        if length < 1e-9:
            return False
        ux, uy = (points[k + 1, 0] - x) / length, (points[k + 1, 1] - y) / length
        if k == 0:
            x, y, length = x + offset * ux, y + offset * uy, length - offset
        else:
            turn = math.atan2(wx * uy - wy * ux, wx * ux + wy * uy)
            steps = int(abs(turn) / 0.1) + 1
            for step in range(1, steps):
                s, c = math.sin(turn * step / steps), math.cos(turn * step / steps)
                if _too_near(x, y, wx * c - wy * s, wx * s + wy * c, 0.0, half, back, edges, room, gaps):
                    return False
        if _too_near(x, y, ux, uy, max(length, 0.0), half, back, edges, room, gaps):
            return False
        wx, wy = ux, uy
    return True


@dataclass(frozen=True)
class Found:
    """A legal move: its waypoints and what the judge says it costs."""

    cost: float
    way: tuple[Point, ...]


@dataclass(frozen=True, eq=False)
class AnyAngle:
    """The search for one unit's maneuver; costs beyond its base move by ``beyond`` are not looked for."""

    battle: Battle
    unit: Unit
    beyond: float = 0.3

    @cached_property
    def north(self) -> Unit:
        return assume(self.battle, self.unit, "maneuver-column", facing=0.0)

    @cached_property
    def most(self) -> float:
        return allowance(self.battle, self.unit, ACTIONS["maneuver"]) + self.beyond

    @cached_property
    def corner(self) -> Point:
        x, y = self.north.at
        far = STEP * (self.size // 2)
        return x - far, y - far

    @cached_property
    def size(self) -> int:
        body = body_of(self.north)
        return 2 * math.ceil((self.most + body.length) / STEP) + 1

    @cached_property
    def offset(self) -> float:
        return body_of(self.north).mid[1] - self.north.at[1]

    @cached_property
    def around(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What it must keep from: edges of enemies and impassable ground, the table, edges of gaps."""
        ground, table = ground_of(self.battle.table), self.battle.table
        enemies = [(outline(e), zone_limit(self.battle, self.unit, e)) for e in self.battle.enemies(self.unit)]
        room = np.array([-SLACK, -SLACK, table.width + SLACK, table.height + SLACK])
        gaps = _edges([(ground.gaps, 0.0)]) if not ground.gaps.is_empty else np.zeros((0, 6))
        gaps[:, PART] = 0.0
        return _edges([*enemies, *((part, 0.0) for part in ground.barred.parts)]), room, gaps

    @cached_property
    def costs(self) -> tuple[np.ndarray, np.ndarray]:
        """What every place and heading costs by the lattice (n, n, 72), and the state each is reached from."""
        n, body = self.size, body_of(self.north)
        cost, before = np.full((n, n, TURNS), np.inf), np.full(n * n * TURNS, -1)
        law, ground = cost_model(self.battle, self.unit, ACTIONS["maneuver"]), ground_of(self.battle.table)
        edges, room, gaps = self.around
        rough, linear = _edges([(p, 0.0) for p in ground.rough.parts]), _edges([(p, 0.0) for p in ground.linear.parts])
        _compiled()[0](
            n, np.array(self.corner), np.array(self._starts()), HEADINGS, np.array([body.width / 2, body.length]),
            np.array([law.rough, law.linear]), self.most, edges, gaps, rough,
            len(ground.rough.parts), linear, room, cost, before,
        )  # fmt: skip
        return cost, before

    def _starts(self) -> list[int]:
        """Return the states it can form in: those the judge lets it set out in."""
        n, (x, y), offset = self.size, self.north.at, self.offset
        found = []
        for k, (i, j) in enumerate(HEADINGS):
            length = math.hypot(i, j)
            mid = x + offset * i / length, y + offset * j / length
            plan = self.along([(mid[0] + 0.02 * i / length, mid[1] + 0.02 * j / length)])
            if plan is not None and not setting_out(plan):
                place = [round((at - low) / STEP) for at, low in zip(mid, self.corner, strict=True)]
                found.append((place[0] * n + place[1]) * TURNS + k)
        return found

    def along(self, way: Sequence[Point]) -> PlannedMove | None:
        """Return the going along a way as the judge takes it."""
        return along(self.battle, self.unit, ACTIONS["maneuver"], tuple(way), None)

    def price(self, way: Sequence[Point]) -> float:
        """Return what the judge says a way costs; infinite where it is not legal for more than its price."""
        return self._price(way, math.inf)

    def _price(self, way: Sequence[Point], most: float) -> float:
        points = np.array([self.north.at, *way])
        legs = np.diff(points, axis=0)
        turns = np.diff(np.arctan2(legs[:, 0], legs[:, 1]))
        half, back = body_of(self.north).width / 2, body_of(self.north).length
        least = np.hypot(*legs.T).sum() - self.offset
        least += half * np.abs(np.remainder(turns + math.pi, 2 * math.pi) - math.pi).sum()
        if least >= most or not _compiled()[1](points, self.offset, half, back, *self.around):
            return math.inf
        plan = self.along(way)
        if plan is None or plan.price.total >= most or self._behind(plan, way[0]):
            return math.inf
        bad = setting_out(plan) or on_the_way(plan) or at_the_end(plan)
        return math.inf if bad else plan.price.total

    def _behind(self, plan: PlannedMove, point: Point) -> bool:
        """Return whether the first waypoint lies behind the front it sets out with (TSE-MOV-02)."""
        (rx, ry), (mx, my) = body_of(plan.start).axis
        return (point[0] - mx) * (mx - rx) + (point[1] - my) * (my - ry) < 0.0

    def lattice_cost(self, end: Point) -> float:
        """Return about what a place costs by the lattice, whatever the heading; infinite where it does not get to."""
        i, j = (round((at - low) / STEP) for at, low in zip(end, self.corner, strict=True))
        if not (0 <= i < self.size and 0 <= j < self.size):
            return math.inf
        return float(self.costs[0][i, j].min())

    def best(self, end: Point) -> Found | None:
        """Return the cheapest legal way to a place that was found, or None."""
        ways = [*self._proposed(end), (end,)]
        found: list[Found] = []
        for way in ways:
            short = self._shortened(way)
            if short is not None:
                found.append(self._descended(short))
        return min(found, key=lambda one: one.cost, default=None)

    def _proposed(self, end: Point) -> list[tuple[Point, ...]]:
        """Return ways by the lattice: the cheapest that arrive in different eighths of the circle."""
        i, j = (round((at - low) / STEP) for at, low in zip(end, self.corner, strict=True))
        cost, before = self.costs
        if not (0 <= i < self.size and 0 <= j < self.size):
            return []
        own = cost[i, j]
        eighth = [min(range(9 * k, 9 * k + 9), key=lambda h: own[h]) for k in range(8)]
        chosen = sorted((k for k in eighth if np.isfinite(own[k])), key=lambda k: own[k])[:REFINED]
        return [(*self._traced(before, (i * self.size + j) * TURNS + k)[:-1], end) for k in chosen]

    def _traced(self, before: np.ndarray, state: int) -> tuple[Point, ...]:
        """Return the waypoints by which the lattice comes to a state."""
        states = [state]
        while before[states[-1]] >= 0:
            states.append(int(before[states[-1]]))
        places: list[tuple[Point, int]] = []
        for one in reversed(states):
            i, j = divmod(one // TURNS, self.size)
            point = self.corner[0] + STEP * i, self.corner[1] + STEP * j
            if not places or places[-1][0] != point:
                places.append((point, one % TURNS))
        kept = [at for k, (at, way) in enumerate(places) if k + 1 == len(places) or places[k + 1][1] != way]
        return tuple(kept[1:] if len(kept) > 1 and kept[0] == places[0][0] else kept)

    def _shortened(self, way: tuple[Point, ...]) -> tuple[Point, ...] | None:
        """Return the way without those waypoints it can do without; None where no legal one is found."""
        best, price = way, self.price(way)
        dropped = True
        while dropped:
            dropped = False
            for k in range(len(best) - 1):
                shorter = best[:k] + best[k + 1 :]
                cost = self._price(shorter, price if np.isfinite(price) else math.inf)
                if cost < price:
                    best, price, dropped = shorter, cost, True
                    break
        if np.isfinite(price):
            return best
        for shift in (0.03, 0.06, 0.12):  # the lattice came a little too near to something: away from it
            for k in range(8 * (len(way) - 1)):
                at, turn = k // 8, math.radians(45.0 * (k % 8))
                moved = way[at][0] + shift * math.sin(turn), way[at][1] + shift * math.cos(turn)
                if np.isfinite(self.price((*way[:at], moved, *way[at + 1 :]))):
                    return (*way[:at], moved, *way[at + 1 :])
        return None

    def _descended(self, way: tuple[Point, ...]) -> Found:
        """Return the way with its waypoints shifted, dropped and split as long as that makes it cheaper."""
        best = Found(self.price(way), way)
        for shift in SHIFTS:
            for _ in range(30):
                better = next(self._better(best, shift), None)
                if better is None:
                    break
                best = better
        return best

    def _better(self, best: Found, shift: float) -> Any:
        """Give ways near one that are cheaper."""
        way = best.way
        for k in range(len(way) - 1):
            tries = [way[:k] + way[k + 1 :]]
            for turn in range(0, 360, 45):
                dx, dy = shift * math.sin(math.radians(turn)), shift * math.cos(math.radians(turn))
                moved = (*way[:k], (way[k][0] + dx, way[k][1] + dy))
                tries.append((*moved, *way[k + 1 :]))
                if k + 2 < len(way):
                    tries.append((*moved, (way[k + 1][0] + dx, way[k + 1][1] + dy), *way[k + 2 :]))
            for one in tries:
                cost = self._price(one, best.cost - 1e-5)
                if cost < best.cost - 1e-5:
                    yield Found(cost, one)
        if len(way) < MOST:
            for k, (a, b) in enumerate(pairwise((self.north.at, *way))):
                length = math.dist(a, b)
                for share, sign in ((0.33, -1), (0.33, 1), (0.67, -1), (0.67, 1)) if length > 2 * shift else ():
                    x, y = a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])
                    mid = x - sign * shift * (b[1] - a[1]) / length, y + sign * shift * (b[0] - a[0]) / length
                    one = (*way[:k], mid, *way[k:])
                    cost = self._price(one, best.cost - 1e-5)
                    if cost < best.cost - 1e-5:
                        yield Found(cost, one)


def _edges(shapes: Sequence[tuple[Any, float]]) -> np.ndarray:
    """Return the edges (m, 6) of shapes and the distances to keep from them, numbered by shape."""
    found = [np.zeros((0, 6))]
    for number, (shape, keep) in enumerate(shapes):
        for part in shapely.get_parts(shape):
            lines = shapely.get_rings(part) if shapely.get_dimensions(part) == 2 else [part]
            for line in lines:
                xy = shapely.get_coordinates(line)
                more = np.column_stack([np.full(len(xy) - 1, keep), np.full(len(xy) - 1, float(number))])
                found.append(np.column_stack([xy[:-1], xy[1:], more]))
    return np.concatenate(found)
