"""What a move costs: the one formula that judge, route, reach, advance and fall-back call.

The cost is a sum of items. All bases of a unit share the charged length (straight legs and turns), what roads save and
the choke-points; rough ground and linear obstacles count for the base that has most of either (TSE-MOV-06, TSE-MOV-08).
So a search may add up what is shared, and keep rough ground and obstacles base by base.
"""

from __future__ import annotations

from typing import Any

from tabletop.geometry.fast import part

#: Where the prices stand in a law of cost: an inch of rough ground in all, an obstacle, a choke-point, inches of road
#: that go for one.
ROUGH, LINEAR, CHOKE, ROAD = range(4)


@part
def total(length: Any, rough: Any, road: Any, linear: Any, choke: Any, law: Any) -> Any:
    """Return the cost of a charged ``length`` of which ``rough`` and ``road`` are so, past obstacles and choke-points.

    Lengths in table units, ``linear`` and ``choke`` counts: numbers or arrays alike. ``law`` begins with the prices, by
    the numbers above. Source: TSE section 0, TSE-MOV-03..14.

    >>> total(4.0, 2.0, 0.0, 0, 0, (2.0, 0.5, 0.5, 1.0))
    6.0
    """
    return (
        length + (law[ROUGH] - 1.0) * rough - road * (1.0 - 1.0 / law[ROAD]) + linear * law[LINEAR] + choke * law[CHOKE]
    )


@part
def rough_more(law: Any) -> Any:
    """Return what a unit of rough ground costs more than one of open ground, in table units; ``law`` as for ``total``.

    Source: TSE-MOV-06.

    >>> rough_more((2.0, 0.5, 0.5, 1.0))
    1.0
    """
    return total(0.0, 1.0, 0.0, 0.0, 0.0, law)
