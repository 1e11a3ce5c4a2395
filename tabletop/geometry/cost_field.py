"""What it costs to get from one point to every node of a grid over uneven ground: to order searches by, and previews.

A table is cut into square cells, each with one slowness (cost per unit of length), a node in the middle of each. What
is handed back is the cost of real ways over these cells: straight lines over the ground about the start as far as that
is of one slowness, then legs from node to node in 32 directions, each charged cell by cell. So no node is ever said
to be cheaper than the cells allow. It may be dearer: out of sight of the start by up to 1.4 % (legs go in 32 directions
only), half that on average, whatever the size of the cells. What cells of size ``h`` do not show of the true ground,
gaps under ``2 h`` and the last ``h / 2`` of every border, is not in it either. It is never the authority on a move.

Rows and columns are swept in turn, both ways at once, each row from the three before it, until nothing gets cheaper;
a kernel, where there is one, settles the nodes one by one instead, the nearest first.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from tabletop.geometry.kernels import settling
from tabletop.geometry.measure import Point

#: Legs into a row: how many rows back, and from which columns. Together with the sweeps' four ways, 32 directions.
LEGS = {1: (-3, -2, -1, 0, 1, 2, 3), 2: (-3, -1, 1, 3), 3: (-2, -1, 0, 1, 2)}
PAD = 3
#: Directions told apart about the start.
BINS = 2048
#: On even ground out of sight of the start no cost is further above the least than this share.
EXCESS = 0.0135
#: Gains below this are rounding, and not followed up.
EVEN = 1e-9

Field = np.ndarray


@dataclass(frozen=True)
class CostGrid:
    """Cells of ``h`` table units about the nodes ``(i * h, j * h)``; ``slowness`` [ny, nx] is inf where none may go."""

    slowness: Field
    h: float

    @cached_property
    def _legs(self) -> tuple[Field, Field]:
        """The prices of the legs into every row, and into every column."""
        return _prices(self.slowness, self.h), _prices(self.slowness.T, self.h)

    def field(self, start: Point, most: float = math.inf) -> Field:
        """Return the cost [ny, nx] of a way from ``start`` to every node; inf where there is none for ``most``.

        ``start`` lies on the table (table units); from blocked ground nothing is reached.
        """
        settle = settling.settle.ready()
        cost = self._swept(start, most) if settle is None else self._settled(start, most, settle)
        cost[cost > most] = np.inf
        return cost

    def _settled(self, start: Point, most: float, settle: Callable[[Field, Field, Field, float, float], None]) -> Field:
        prices, legs, least = self._both_ways
        ny, nx = self.slowness.shape
        cost = np.full((ny + 2 * PAD, nx + 2 * PAD), -1.0)
        inner = cost[PAD : PAD + ny, PAD : PAD + nx]
        inner[...] = self._straight(start)
        settle(cost.reshape(-1), prices, legs, least, most)
        return np.ascontiguousarray(inner)

    @cached_property
    def _both_ways(self) -> tuple[Field, Field, float]:
        """The prices of half the legs from every node of the grid with its margin, how far on they go, the least."""
        padded = np.pad(self.slowness, 2 * PAD, constant_values=np.inf)
        every = [(back, aside) for back, columns in LEGS.items() for aside in columns if math.gcd(back, aside) == 1]
        prices = np.stack([_priced(padded, PAD, *leg, self.h) for leg in [*every, (0, -1)]], axis=-1)
        width = self.slowness.shape[1] + 2 * PAD
        legs = np.array([-back * width + aside for back, aside in [*every, (0, -1)]])
        least = float(np.min(prices, where=np.isfinite(prices), initial=np.inf))
        return prices.reshape(-1, prices.shape[-1]), legs, least if math.isfinite(least) else self.h

    def _swept(self, start: Point, most: float) -> Field:
        part = self._about(start, most)
        rows, columns = (_Sweep(prices) for prices in self._legs_in(part))
        cost, going = self._straight(start)[part], True
        while going:
            cost, cheaper = rows.swept(cost)
            turned, going = columns.swept(cost.T)
            cost, going = turned.T, going or cheaper
        whole = np.full(self.slowness.shape, np.inf)
        whole[part] = cost
        return whole

    def _about(self, start: Point, most: float) -> tuple[slice, slice]:
        """Return the rows and columns of the nodes that could be had for ``most`` over the best ground there is."""
        least = float(self.slowness.min(initial=np.inf))
        reach = min(most / (least * self.h), 1e9) if least > 0.0 else 1e9
        middle = start[1] / self.h, start[0] / self.h
        ends = [(max(0, math.floor(m - reach)), max(0, math.ceil(m + reach) + 1)) for m in middle]
        return slice(*ends[0]), slice(*ends[1])

    def _legs_in(self, part: tuple[slice, slice]) -> tuple[Field, Field]:
        """Return the prices of the legs into the rows and into the columns of a part of the grid."""
        whole = part[0].start == part[1].start == 0 and all(
            s.stop >= n for s, n in zip(part, self.slowness.shape, strict=True)
        )
        if whole:
            return self._legs
        slowness = self.slowness[part]
        return _prices(slowness, self.h), _prices(slowness.T, self.h)

    def _straight(self, start: Point) -> Field:
        """Return the cost of the straight line to every node that sees ``start`` over cells of its own slowness."""
        ny, nx = self.slowness.shape
        x, y = start[0] / self.h, start[1] / self.h
        i, j = min(max(round(x), 0), nx - 1), min(max(round(y), 0), ny - 1)
        own = self.slowness[j, i]
        found = np.full(self.slowness.shape, np.inf)
        if np.isfinite(own):
            dx, dy = np.arange(nx) - x, (np.arange(ny) - y)[:, None]
            away = np.hypot(dx, dy)
            seen = _seen(self.slowness == own, dx, dy, away)
            seen[j, i] = True
            found[seen] = own * self.h * away[seen]
        return found


def near_least(cost: Field) -> Field:
    """Return the least of each node's cost and its eight neighbours': what a node's surroundings can be had for."""
    wide = np.pad(cost, 1, constant_values=np.inf)
    tall = np.minimum(np.minimum(wide[:-2], wide[1:-1]), wide[2:])
    return np.asarray(np.minimum(np.minimum(tall[:, :-2], tall[:, 1:-1]), tall[:, 2:]))


def _seen(like: np.ndarray, dx: Field, dy: Field, away: Field) -> np.ndarray:
    """Return the nodes with nothing but ``like`` cells on the straight line from the start, by directions about it."""
    angle = (np.arctan2(dy, dx) + math.pi) * (BINS / (2 * math.pi))
    stops = ~like & (_grown(like))
    far = away[stops]
    if not len(far):
        return like.copy()
    # A cell lies within half its diagonal of its node: the angle it takes up is no wider than that seen from the start.
    half = np.arcsin(np.minimum(1.0, math.sqrt(0.5) / np.maximum(far, 1e-9))) * (BINS / (2 * math.pi))
    half = np.where(far <= 1.0, BINS / 2, half)
    first = np.floor(angle[stops] - half).astype(int)
    count = np.floor(angle[stops] + half).astype(int) - first + 1
    bins = np.repeat(first, count) + np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    nearest = np.full(BINS, np.inf)
    np.minimum.at(nearest, bins % BINS, np.repeat(far - math.sqrt(0.5), count))
    return np.asarray(like & (away <= nearest[np.floor(angle).astype(int) % BINS]))


def _grown(mask: np.ndarray) -> np.ndarray:
    """Return the cells that are in ``mask`` or touch a cell that is."""
    wide = np.pad(mask, 1)
    tall = wide[:-2] | wide[1:-1] | wide[2:]
    return np.asarray(tall[:, :-2] | tall[:, 1:-1] | tall[:, 2:])


class _Sweep:
    """Sweeps over the rows of one field, upward and, rows turned about, downward; remembers what each has seen."""

    def __init__(self, prices: Field) -> None:
        ny, _, _, nx = prices.shape
        self._prices = prices
        self._both = np.full((2, ny + PAD, nx + 2 * PAD), np.inf)
        self._inner = self._both[:, PAD:, PAD:-PAD]
        self._from = [_windows(self._both, back, columns, nx) for back, columns in LEGS.items()]
        self._tried = np.empty(prices.shape[1:])

    def swept(self, cost: Field) -> tuple[Field, bool]:
        """Return the cost [ny, nx] after one sweep up and one down, and whether there was anything new to sweep."""
        new = np.stack((cost, cost[::-1]))
        fresh = np.flatnonzero((new < self._inner - EVEN).any(axis=(0, 2)))
        np.minimum(self._inner, new, out=self._inner)
        if len(fresh):
            self._sweep(int(fresh[0]), int(fresh[-1]))
        return np.minimum(self._inner[0], self._inner[1, ::-1]), bool(len(fresh))

    def _sweep(self, first: int, last: int) -> None:
        """Sweep from the first row with news, past the last for as long as that makes rows cheaper."""
        tried, best = self._tried, np.empty(self._inner.shape[::2])
        edges = np.cumsum([0, *map(len, LEGS.values())]).tolist()
        legs = [slice(a, b) for a, b in pairwise(edges)]
        for row in range(first, self._inner.shape[1]):
            prices = self._prices[row]
            for into, before in zip(legs, self._from, strict=True):
                np.add(before[row], prices[:, into], out=tried[:, into])
            np.minimum.reduce(tried, axis=1, out=best)
            here = self._inner[:, row]
            if (best < here).any():
                np.minimum(here, best, out=here)
                last = max(last, row)
            elif row >= last + PAD:
                break


def _prices(slowness: Field, h: float) -> Field:
    """Return the prices of the legs into every row, from below and, rows turned about, from above [ny, 2, legs, nx]."""
    ny, nx = slowness.shape
    legs = [(back, aside) for back, columns in LEGS.items() for aside in columns]
    prices = np.empty((ny, 2, len(legs), nx))
    for way, ground in enumerate((slowness, slowness[::-1])):
        padded = np.pad(ground, PAD, constant_values=np.inf)
        for k, (back, aside) in enumerate(legs):
            prices[:, way, k] = _priced(padded, PAD, back, aside, h)
    return prices


def _windows(both: Field, back: int, columns: tuple[int, ...], nx: int) -> Field:
    """Return, for every row, the costs ``back`` rows before it as seen from ``columns`` aside [ny, 2, columns, nx]."""
    step = columns[1] - columns[0]
    way, row, item = both.strides
    first = both[:, PAD - back :, PAD + columns[0] :]
    shape = (both.shape[1] - PAD, 2, len(columns), nx)
    return np.lib.stride_tricks.as_strided(first, shape, (row, way, step * item, item), writeable=False)


def _priced(padded: Field, pad: int, back: int, aside: int, h: float) -> Field:
    """Return the price of the leg into every node from the node ``back`` rows before it, ``aside`` columns over."""
    ny, nx = (n - 2 * pad for n in padded.shape)
    total = np.zeros((ny, nx))
    for share, (down, over) in _cells(back, aside):
        total += share * padded[pad - down : pad - down + ny, pad + over : pad + over + nx]
    return np.asarray(total * (math.hypot(back, aside) * h))


def _cells(back: int, aside: int) -> list[tuple[float, tuple[int, int]]]:
    """Return the cells a leg from (0, 0) to (back, aside) runs over, each with its share of the leg."""
    cuts = {0.0, 1.0}
    for n in (back, abs(aside)):
        cuts |= {(k + 0.5) / n for k in range(n)}
    ends = sorted(cuts)
    middles = [(b - a, (a + b) / 2) for a, b in pairwise(ends)]
    return [(share, (round(t * back), round(t * aside))) for share, t in middles if share > 1e-12]
