"""Bases that stand astride a contour: part of each is on the hill, part of it below (TSE-LOS-19)."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.measure import Point
from tabletop.geometry.sight.line import SightLine
from tabletop.geometry.verdict import Reason


def straddling(battle: Battle, units: tuple[Unit, Unit], shown: SightLine | None) -> tuple[Reason, ...]:
    """Return a reason for each base at an end of the line that stands astride a contour (TSE-LOS-19).

    The reason holds if the line's end is on the hill. It measures how far the smaller part of the base reaches off the
    hill, or on to it, in table units.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("level-shadow")
    >>> straddling(battle, (battle.unit("low-guns"), battle.unit("middle")), None)
    ()
    """
    if shown is None:
        return ()
    ends = zip(units, (shown.start, shown.end), strict=True)
    return tuple(reason for unit, end in ends for reason in _astride(battle, unit, end))


def _astride(battle: Battle, unit: Unit, end: Point) -> Iterator[Reason]:
    point, t = shapely.Point(end), battle.tape.t
    base = min(unit.bases, key=lambda one: float(shapely.distance(one.polygon, point)))
    for hill in battle.table.hills:
        on, off = shapely.intersection(base.polygon, hill.area), shapely.difference(base.polygon, hill.area)
        if shapely.is_empty(on) or shapely.is_empty(off) or not isinstance(base, Base):
            continue
        reaches = _farthest(on, off), _farthest(off, on)
        if min(reaches) <= t:
            continue
        name = next(i for i in hill.ids if shapely.intersects(battle.table.piece(i).shape, base.polygon))
        word, part, reach = ("on", on, reaches[0]) if reaches[0] < reaches[1] else ("off", off, reaches[1])
        holds = bool(shapely.dwithin(hill.area, point, t))
        text = (
            f"{unit.called} stands astride the contour of {name}: its {_side(base, part)} stands "
            f"{reach:.2f} {battle.table.unit} {word} the hill, and the line's end lies {'on' if holds else 'below'} it"
        )
        yield Reason("TSE-LOS-19", holds, text, reach, 0.0, name)


def _farthest(part: shapely.Geometry, other: shapely.Geometry) -> float:
    """Return the greatest distance of any corner of one part from the other."""
    return float(shapely.distance(shapely.points(shapely.get_coordinates(part)), other).max())


def _side(base: Base, part: shapely.Geometry) -> str:
    """Return which side of a base a part of it takes up."""
    lateral, ahead = base.local((shapely.centroid(part).x, shapely.centroid(part).y))
    across, along = lateral / base.frontage, (ahead + base.depth / 2) / base.depth
    if abs(along) >= abs(across):
        return "front" if along > 0.0 else "rear"
    return "right side" if across > 0.0 else "left side"
