"""The cost of getting from one point to every node of a grid over uneven ground: to order searches, and for previews.

The table is cut into square cells, each with one slowness (cost per unit of length) and a node in the middle. The
result is the cost of real paths over these cells: straight lines within the area of one slowness around the start, then
legs from node to node in 16 directions, each charged cell by cell. So the cost of a node is never lower than the cells
allow. Out of sight of the start it may be up to 2.8 % higher (legs go in 16 directions only), half that on average,
whatever the size of the cells. What cells of size ``h`` cannot represent, gaps under ``2 h`` and the last ``h / 2`` of
every border, is missing too, and matters more than the directions do. It is never the authority on a move.

Rows and columns are swept in turn, in both directions at once, each row from the two before it, until a sweep changes
little; then only the nodes that still get cheaper are followed up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from tabletop.geometry.measure import Point

#: Half the legs from a node: how many rows back, how many columns over. The others are their reverses.
LEGS = ((1, -2), (1, -1), (1, 0), (1, 1), (1, 2), (2, -1), (2, 1), (0, -1))
#: Legs into a row: from how many rows back, and from which columns.
INTO = {1: (-2, -1, 0, 1, 2), 2: (-1, 1)}
PAD = 2
#: Number of directions distinguished around the start, and the radius (cells) first searched for ground of one
#: slowness.
BINS = 2048
ABOUT = 16.0
#: More than the single-precision error of angles (directions) and distances (cells).
SINGLE = 0.01
#: Greatest relative excess over the true cost on even ground out of sight of the start.
EXCESS = 0.0275
#: Gains below this are rounding and are not followed up.
EVEN = 1e-9
#: Once a sweep improves no more than this share of the nodes, it is faster to follow up these alone.
FEW = 0.15

Field = np.ndarray


@dataclass(frozen=True)
class CostGrid:
    """Cells of ``h`` table units around the nodes ``(i * h, j * h)``; ``slowness`` [ny, nx] is inf where none may
    go."""

    slowness: Field
    h: float

    def field(self, start: Point, most: float = math.inf) -> Field:
        """Return the cost [ny, nx] of a path from ``start`` to every node; inf if there is none for at most ``most``.

        ``start`` lies on the table (table units); from blocked ground nothing is reached.
        """
        ny, nx = self.slowness.shape
        cost = np.full((ny + 2 * PAD, nx + 2 * PAD), np.inf)
        inner = cost[PAD : PAD + ny, PAD : PAD + nx]
        inner[...] = self._straight(start)
        part = self._about(start, most)
        inner[part] = self._swept(inner[part], part)
        self._follow_up(cost, part[0], most)
        return np.where(inner <= most, inner, np.inf)

    @cached_property
    def _prices(self) -> Field:
        """The costs [legs, ny + 2 PAD, nx + 2 PAD] of ``LEGS`` into every node of the padded grid."""
        padded = np.pad(self.slowness, 2 * PAD, constant_values=np.inf)
        return np.stack([_priced(padded, PAD, *leg, self.h) for leg in LEGS])

    @cached_property
    def _steps(self) -> np.ndarray:
        """The offset of each of ``LEGS`` in the flattened padded grid."""
        width = self.slowness.shape[1] + 2 * PAD
        return np.array([-back * width + aside for back, aside in LEGS])

    @cached_property
    def _into(self) -> tuple[Field, Field]:
        """The costs [n, 2, legs, m] of the legs into every row, and every column, from before it and from beyond.

        Those from beyond are in reverse order: the last row's first.
        """
        ny, nx = self.slowness.shape
        legs = [(back, aside) for back, columns in INTO.items() for aside in columns]
        rows, columns = np.empty((ny, 2, len(legs), nx)), np.empty((nx, 2, len(legs), ny))
        for k, (back, aside) in enumerate(legs):
            rows[:, 0, k], rows[::-1, 1, k] = self._price_from(-back, aside), self._price_from(back, aside)
            columns[:, 0, k], columns[::-1, 1, k] = self._price_from(aside, -back).T, self._price_from(aside, back).T
        return rows, columns

    def _price_from(self, down: int, over: int) -> Field:
        """Return the cost [ny, nx] of the leg into every node from the node that many rows and columns away."""
        ny, nx = self.slowness.shape
        if (-down, over) in LEGS:
            return self._prices[LEGS.index((-down, over)), PAD : PAD + ny, PAD : PAD + nx]
        leg = LEGS.index((down, -over))
        return self._prices[leg, PAD + down : PAD + down + ny, PAD + over : PAD + over + nx]

    def _swept(self, cost: Field, part: tuple[slice, slice]) -> Field:
        """Return the cost of the nodes of a part of the grid after sweeping its rows and columns in turn."""
        down, over = part
        sweeps = _Sweep(_part(self._into[0], down, over)), _Sweep(_part(self._into[1], over, down))
        turn = changed = 0
        while turn < 2 or changed > FEW * cost.size:
            swept = sweeps[turn % 2].swept(cost)
            changed = int(np.count_nonzero(swept < cost - EVEN))
            cost, turn = swept.T, turn + 1
        return cost if turn % 2 == 0 else cost.T

    def _follow_up(self, cost: Field, rows: slice, most: float) -> None:
        """Relax the legs between nodes of the padded grid until none gets cheaper, up to ``most``."""
        all_costs, width = cost.reshape(-1), cost.shape[1]
        near = slice(rows.start * width, (rows.stop + 2 * PAD) * width)
        prices = self._prices.reshape(len(LEGS), -1)
        fresh = near.start + _one_leg(all_costs[near], prices[:, near], self._steps)
        steps, legs = self._steps[:, None], np.arange(len(LEGS))[:, None]
        marked = np.zeros(len(all_costs), bool)
        while len(fresh):
            back = fresh - steps
            to = np.concatenate([fresh + steps, back])
            new = np.concatenate([prices[:, fresh], prices[legs, back]])
            new += all_costs[fresh]
            cheaper = (new < all_costs[to] - EVEN) & (new <= most)
            to = to[cheaper]
            np.minimum.at(all_costs, to, new[cheaper])
            marked[to] = True
            fresh = np.flatnonzero(marked)
            marked[fresh] = False

    def _about(self, start: Point, most: float) -> tuple[slice, slice]:
        """Return the rows and columns of the nodes within reach for ``most`` if all ground were the best there is."""
        least = float(self.slowness.min(initial=np.inf))
        return self._within(start, most / (least * self.h) if least > 0.0 else math.inf)

    def _within(self, start: Point, cells: float) -> tuple[slice, slice]:
        """Return the rows and columns of the nodes at most ``cells`` rows and columns away from ``start``."""
        ny, nx = self.slowness.shape
        far = min(cells, 1e9)
        (j0, j1), (i0, i1) = ((math.floor(at / self.h - far), math.ceil(at / self.h + far)) for at in start[::-1])
        return slice(max(0, j0), min(ny, j1 + 1)), slice(max(0, i0), min(nx, i1 + 1))

    def _straight(self, start: Point) -> Field:
        """Return the cost of the straight line to every node visible from ``start`` over cells of its own slowness."""
        ny, nx = self.slowness.shape
        x, y = start[0] / self.h, start[1] / self.h
        i, j = min(max(round(x), 0), nx - 1), min(max(round(y), 0), ny - 1)
        own = self.slowness[j, i]
        cost = np.full(self.slowness.shape, np.inf)
        if np.isfinite(own):
            for far in (ABOUT, math.inf):
                part = self._within(start, far + 1.0)
                dx, dy = np.arange(nx)[part[1]] - x, (np.arange(ny)[part[0]] - y)[:, None]
                rows, columns = np.nonzero(_seen(self.slowness[part] == own, dx, dy, far))
                away = np.hypot(dx[columns], dy[rows, 0])
                if away.max(initial=0.0) <= far - 2.0:
                    break
            cost[part][rows, columns] = own * self.h * away
            cost[j, i] = own * self.h * math.dist((i, j), (x, y))
        return cost


def _part(prices: Field, rows: slice, columns: slice) -> Field:
    """Return the costs of the legs into some rows, for some of their columns, ordered as in ``_into``."""
    n, _, _, m = prices.shape
    if columns.stop - columns.start == m and rows.stop - rows.start == n:
        return prices
    before, beyond = prices[rows, 0, :, columns], prices[n - rows.stop : n - rows.start, 1, :, columns]
    return np.stack([before, beyond], axis=1)


def _one_leg(cost: Field, prices: Field, steps: np.ndarray) -> np.ndarray:
    """Lower costs (n,) to the least over one leg, ``prices`` (legs, n); return the nodes that got cheaper."""
    best, new = cost.copy(), np.empty_like(cost)
    for step, price in zip((-steps).tolist(), prices, strict=True):
        np.add(cost[step:], price[step:], out=new[step:])
        np.minimum(best[:-step], new[step:], out=best[:-step])
        np.add(cost[:-step], price[step:], out=new[step:])
        np.minimum(best[step:], new[step:], out=best[step:])
    fresh = np.flatnonzero(best < cost - EVEN)
    cost[fresh] = best[fresh]
    return fresh


def near_least(cost: Field) -> Field:
    """Return the least cost of each node and its eight neighbours: a lower bound for the area around the node."""
    wide = np.pad(cost, 1, constant_values=np.inf)
    tall = np.minimum(np.minimum(wide[:-2], wide[1:-1]), wide[2:])
    return np.asarray(np.minimum(np.minimum(tall[:, :-2], tall[:, 1:-1]), tall[:, 2:]))


def _seen(like: np.ndarray, dx: Field, dy: Field, most: float) -> np.ndarray:
    """Return the nodes within ``most`` cells with only ``like`` cells on the straight line from the start.

    The search bins directions around the start. The axes fall in the middle of their bins, so that the result is
    symmetric.
    """
    east, north = dx.astype(np.float32), dy.astype(np.float32)
    away = np.sqrt(east * east + north * north)
    angle = np.arctan2(north, east) * np.float32(BINS / (2 * math.pi)) + np.float32(BINS / 2 + 0.5)
    stops = ~like & _grown(like)
    far, to = away[stops].astype(float), angle[stops].astype(float)
    # A cell lies within half its diagonal of its node, so the angle it covers is no wider than that diagonal seen from
    # the start.
    half = np.arcsin(np.minimum(1.0, math.sqrt(0.5) / np.maximum(far, 1e-9))) * (BINS / (2 * math.pi)) + SINGLE
    half = np.where(far <= 1.0, BINS / 2, half)
    first = np.floor(to - half).astype(int)
    count = np.floor(to + half).astype(int) - first + 1
    bins = np.repeat(first, count) + np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    nearest = np.full(BINS, min(most, 1e9))
    np.minimum.at(nearest, bins % BINS, np.repeat(far - math.sqrt(0.5) - SINGLE, count))
    return np.asarray(like & (away <= nearest.astype(np.float32).take(angle.astype(np.int64), mode="wrap")))


def _grown(mask: np.ndarray) -> np.ndarray:
    """Return the cells that are in ``mask`` or touch a cell that is."""
    wide = np.pad(mask, 1)
    tall = wide[:-2] | wide[1:-1] | wide[2:]
    return np.asarray(tall[:, :-2] | tall[:, 1:-1] | tall[:, 2:])


class _Sweep:
    """Sweeps over the rows of one field, upward and, with the rows reversed, downward."""

    def __init__(self, prices: Field) -> None:
        ny, _, _, nx = prices.shape
        self._prices = prices
        self._both = np.full((2, ny + PAD, nx + 2 * PAD), np.inf)
        self._inner = self._both[:, PAD:, PAD:-PAD]
        self._from = [_windows(self._both, back, columns, nx) for back, columns in INTO.items()]
        self._tried = np.empty((2, prices.shape[2] + 1, nx))

    def swept(self, cost: Field) -> Field:
        """Return the cost [ny, nx] after one sweep up and one down."""
        np.minimum(self._inner, np.stack((cost, cost[::-1])), out=self._inner)
        split = len(INTO[1])
        near, far, as_it_is = self._tried[:, :split], self._tried[:, split:-1], self._tried[:, -1]
        first = int(np.argmax(np.isfinite(self._inner).any(axis=(0, 2))))
        rows = (each[first:] for each in (*self._from, self._prices, self._inner.swapaxes(0, 1)))
        for near_rows, far_rows, prices, row in zip(*rows, strict=True):
            np.add(near_rows, prices[:, :split], out=near)
            np.add(far_rows, prices[:, split:], out=far)
            as_it_is[...] = row
            np.minimum.reduce(self._tried, axis=1, out=row)
        return np.asarray(np.minimum(self._inner[0], self._inner[1, ::-1]))


def _windows(both: Field, back: int, columns: tuple[int, ...], nx: int) -> Field:
    """Return, for every row, the costs ``back`` rows before it, shifted by each of ``columns`` [ny, 2, columns, nx]."""
    step = columns[1] - columns[0]
    way, row, item = both.strides
    first = both[:, PAD - back :, PAD + columns[0] :]
    shape = (both.shape[1] - PAD, 2, len(columns), nx)
    return np.lib.stride_tricks.as_strided(first, shape, (row, way, step * item, item), writeable=False)


def _priced(padded: Field, pad: int, back: int, aside: int, h: float) -> Field:
    """Return the cost of the leg into every node from the node ``back`` rows before it, ``aside`` columns over."""
    ny, nx = (n - 2 * pad for n in padded.shape)
    total = np.zeros((ny, nx))
    for share, (down, over) in _cells(back, aside):
        total += share * padded[pad - down : pad - down + ny, pad + over : pad + over + nx]
    return np.asarray(total * (math.hypot(back, aside) * h))


def _cells(back: int, aside: int) -> list[tuple[float, tuple[int, int]]]:
    """Return the cells that a leg from (0, 0) to (back, aside) crosses, each with its share of the leg."""
    cuts = {0.0, 1.0}
    for n in (back, abs(aside)):
        cuts |= {(k + 0.5) / n for k in range(n)}
    ends = sorted(cuts)
    middles = [(b - a, (a + b) / 2) for a, b in pairwise(ends)]
    return [(share, (round(t * back), round(t * aside))) for share, t in middles if share > 1e-12]
