"""The distance between two units: nearest edge to nearest edge, as a tape measures it."""

from __future__ import annotations

import math

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, outline, radius
from tabletop.geometry.measure import Point
from tabletop.geometry.shapes import line_shape
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.rule_set import Request


def distance(battle: Battle, request: Request) -> Verdict:
    """Answer ``distance A B``: the distance between the nearest edges of two units; always holds (TSE section 0).

    ``measured["distance"]`` is in table units.

    >>> from tabletop.play.files.opened import open_battle
    >>> round(distance(open_battle("starter"), Request("distance", ("arnaud", "auer"))).measured["distance"], 3)
    9.301
    """
    a, b = (battle.unit(name) for name in request.args)
    tape = nearest_between(a, b)
    measured = math.dist(*tape)
    reason = Reason("distance", True, f"the nearest edges of {a.called} and {b.called}", measured)
    return Verdict(
        "distance",
        request.args,
        battle.rules,
        True,
        {"distance": measured},
        (reason,),
        witness=tape,
        options=request.options,
        shapes=(line_shape("tape", tape, f"{measured:.2f}"),),
    )


def nearest_between(a: Unit, b: Unit) -> tuple[Point, Point]:
    """Return the nearest points (table units) of two footprints, the first on ``a``; they are equal if the units meet.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> (_, y), (_, other) = nearest_between(battle.unit("arnaud"), battle.unit("auer"))
    >>> round(other - y, 3)
    9.301
    """
    line = shapely.get_coordinates(shapely.shortest_line(outline(a), outline(b)))
    (ax, ay), (bx, by) = line.tolist()
    length = math.dist((ax, ay), (bx, by))
    ra, rb = radius(a), radius(b)
    if length == 0.0:
        return (ax, ay), (bx, by)
    if length <= ra + rb:
        share = ra / (ra + rb)
        meeting = ax + share * (bx - ax), ay + share * (by - ay)
        return meeting, meeting
    ux, uy = (bx - ax) / length, (by - ay) / length
    return (ax + ra * ux, ay + ra * uy), (bx - rb * ux, by - rb * uy)
