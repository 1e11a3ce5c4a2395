"""The least costs over legs between places, the nearest first: what ``cost_field`` spreads."""

from typing import Any

import numpy as np

from tabletop.geometry.fast import kernel, part

#: There are no more steps of cost than this; the last takes in all that is dearer.
STEPS = 8192
#: What stands before a node: another of its step; ``HEAD`` less the step for the first of it; ``OUT`` of every list.
HEAD, OUT = -2, -1


@part
def placed(v: Any, to: Any, first: Any, after: Any, before: Any) -> None:
    """Put a place into the list of a step, out of the one it is in."""
    if before[v] != OUT:
        if before[v] >= 0:
            after[before[v]] = after[v]
        else:
            first[HEAD - before[v]] = after[v]
        if after[v] >= 0:
            before[after[v]] = before[v]
    after[v], before[v] = first[to], HEAD - to
    if first[to] >= 0:
        before[first[to]] = v
    first[to] = v


@part
def step_of(cost: Any, width: Any) -> Any:
    """Return which step a cost belongs to."""
    return min(int(cost / width), STEPS - 1)


@kernel("void(float64[::1], float64[:, ::1], int64[::1], float64, float64)")
def settle(cost: Any, prices: Any, legs: Any, width: float, most: float) -> None:
    """Lower the cost (n,) of every node that can be had for ``most`` to the least over legs to and from it.

    ``prices`` [n, k] of the leg from each node to the one ``legs`` (k,) further on, the same both ways. The nodes of a
    step of cost ``width`` are settled together: best no price is under it, for then they do not change each other. A
    margin of nodes with a cost of -1, or that no leg leads to, keeps legs on the grid.
    """
    n = len(cost)
    first, after, before = np.full(STEPS, -1), np.full(n, -1), np.full(n, OUT)
    for v in range(n):
        if cost[v] >= 0.0 and cost[v] <= most and cost[v] < np.inf:
            placed(v, step_of(cost[v], width), first, after, before)
    for step in range(STEPS):
        while first[step] >= 0:
            u = first[step]
            first[step] = after[u]
            if after[u] >= 0:
                before[after[u]] = HEAD - step
            before[u] = OUT
            here = cost[u]
            for way in range(2):
                for k in range(len(legs)):
                    v = u + legs[k] if way == 0 else u - legs[k]
                    new = here + (prices[u, k] if way == 0 else prices[v, k])
                    if new < cost[v] and new <= most:  # as `placed` does: called here, it takes a fifth longer
                        if before[v] != OUT:
                            if before[v] >= 0:
                                after[before[v]] = after[v]
                            else:
                                first[HEAD - before[v]] = after[v]
                            if after[v] >= 0:
                                before[after[v]] = before[v]
                        cost[v] = new
                        to = min(int(new / width), STEPS - 1)
                        after[v], before[v] = first[to], HEAD - to
                        if first[to] >= 0:
                            before[first[to]] = v
                        first[to] = v
