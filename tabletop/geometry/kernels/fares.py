"""How far a budget lasts along advances that meet something: the arithmetic of ``fares``, advance by advance."""

from typing import Any

import numpy as np

from tabletop.geometry.fast import kernel, part

#: As in ``fares``, of which this is the twin.
ROUNDS = 20


@part
def price(plain: Any, paid: Any, low: Any, width: Any, linear: Any, choke: Any, law: Any, i: int, s: float) -> float:
    """Return the price of way ``i``, which has paid so much, ``s`` further on; ``law``: rough, obstacle, choke."""
    dear, met = 0.0, 0
    for base in range(len(paid)):
        slow, count = 0.0, 0
        for k in range(len(low)):
            slow += min(max(s - low[k, base, i], 0.0), width[k, base, i])
        for k in range(len(linear)):
            count += linear[k, base, i] < s - 1e-12
        dear = max(dear, paid[base, i] + slow)
        met = max(met, count)
    entered = 0
    for k in range(len(choke)):
        entered += choke[k, i] < s - 1e-12
    total: float = plain[i] + s + (law[0] - 1.0) * dear + law[1] * met + law[2] * entered
    return total


@kernel(
    "void(float64[::1], float64[:, ::1], float64[:, :, ::1], float64[:, :, ::1], float64[:, :, ::1], "
    "float64[:, ::1], float64[::1], float64, float64[::1])"
)
def until(
    plain: Any, paid: Any, low: Any, width: Any, linear: Any, choke: Any, law: Any, budget: float, far: Any
) -> None:
    """Lower each of ``far`` (e,) to where the budget ends; to -1 where it is overspent.

    ``plain`` (e,), ``paid`` (bases, e) and the tables as of ``Fares``.
    """
    bases, s, c, d = len(paid), len(low), len(linear), len(choke)
    marks = np.empty(2 + bases * (2 * s + c) + d)
    for i in range(len(far)):
        most = far[i]
        if price(plain, paid, low, width, linear, choke, law, i, 0.0) > budget or most < 0.0:
            far[i] = -1.0
            continue
        if price(plain, paid, low, width, linear, choke, law, i, most) <= budget:
            continue
        marks[0], marks[1], n = 0.0, most, 2
        for base in range(bases):
            for k in range(s):
                if width[k, base, i] > 0.0:
                    marks[n], marks[n + 1] = low[k, base, i], low[k, base, i] + width[k, base, i]
                    n += 2
            for k in range(c):
                marks[n] = linear[k, base, i]
                n += 1
        for k in range(d):
            marks[n] = choke[k, i]
            n += 1
        for k in range(n):
            marks[k] = min(max(marks[k], 0.0), most)
        ordered = np.sort(marks[:n])
        before, after = 0, n - 1
        while after - before > 1:
            middle = (before + after) // 2
            if price(plain, paid, low, width, linear, choke, law, i, ordered[middle]) <= budget:
                before = middle
            else:
                after = middle
        mark, end = ordered[before], ordered[after]
        at = mark + 1e-10
        cost = price(plain, paid, low, width, linear, choke, law, i, at)
        high = price(plain, paid, low, width, linear, choke, law, i, end)
        if cost > budget + 1e-9:
            far[i] = mark
            continue
        for _ in range(ROUNDS):
            if high <= cost or budget - cost < 1e-10:
                break
            at += (budget - cost) * (end - at) / (high - cost)
            cost = price(plain, paid, low, width, linear, choke, law, i, at)
        far[i] = max(mark, at - 1e-9)
