"""What a move costs: the one formula that judge, route, reach, advance and fall-back use.

The cost is a sum of items. All bases of a unit share the charged length (straight legs and turns), the saving on roads
and the choke-points; rough ground and linear obstacles are charged for the base that has the most of each (TSE-MOV-06,
TSE-MOV-08). So a search adds up what is shared, and keeps rough ground and obstacles base by base.
"""

from __future__ import annotations

from typing import Any

from tabletop.geometry.fast import part

#: Indices into a cost law: the cost of an inch of rough ground, of an obstacle, of a choke-point; the inches of road
#: that count as one.
ROUGH, LINEAR, CHOKE, ROAD = range(4)


@part
def total(length: Any, rough: Any, road: Any, linear: Any, choke: Any, law: Any) -> Any:
    """Return the cost of a charged ``length``, of which ``rough`` and ``road`` are in rough ground and on roads.

    Lengths are in table units, ``linear`` and ``choke`` are the counts of obstacles and choke-points: numbers or arrays
    alike. ``law`` begins with the costs indexed above. Source: TSE section 0, TSE-MOV-03..14.

    >>> total(4.0, 2.0, 0.0, 0, 0, (2.0, 0.5, 0.5, 1.0))
    6.0
    """
    return (
        length + (law[ROUGH] - 1.0) * rough - road * (1.0 - 1.0 / law[ROAD]) + linear * law[LINEAR] + choke * law[CHOKE]
    )


@part
def rough_more(law: Any) -> Any:
    """Return the extra cost of a unit of rough ground over open ground, in table units; ``law`` as for ``total``.

    Source: TSE-MOV-06.

    >>> rough_more((2.0, 0.5, 0.5, 1.0))
    1.0
    """
    return total(0.0, 1.0, 0.0, 0.0, 0.0, law)
