"""Tracing a unit by its corners: whether the chosen unit fits them, and which formation of its troops fits better.

Clicks are points of the table: front left, front right and optionally rear right.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point, snap_facing, snap_point, turn_between
from tabletop.play.files.draft import Row
from tabletop.play.files.troop_register import MOST_BASES, changed, fronts_for, mustered
from tabletop.render.judge.moving import Motion
from tabletop.rules import rule_set

#: Share of its length by which a traced side may be wrong, since a photo is never quite straight.
CROOKED = 0.05
#: Degrees by which the angle at the front right corner may differ from a right one.
SKEW = 30.0
#: Number of better-fitting formations offered.
OFFERED = 3

Sides = tuple[float, float | None]


@dataclass(frozen=True)
class Fit:
    """The row of a unit (without id, side and place), its width and depth, and the error of its worse side."""

    row: Row
    size: tuple[float, float]
    off: float


@dataclass(frozen=True)
class Misfit:
    """The traced sides, the chosen unit that does not fit them, and formations that fit better."""

    sides: Sides
    chosen: Fit
    fits: tuple[Fit, ...]


def no_rectangle(clicks: Sequence[Point], least: float) -> bool:
    """Return whether the clicks cannot be the front and side of a rectangle: too close together, or far from square.

    ``least`` is the minimum length of a side (table units).
    """
    ends = list(pairwise(clicks))
    if any(math.dist(a, b) < least for a, b in ends):
        return True
    ways = [math.degrees(math.atan2(b[0] - a[0], b[1] - a[1])) for a, b in ends]
    return len(ways) > 1 and abs(turn_between(ways[0], ways[1]) - 90.0) > SKEW


def misfit(rules: str, rulings: Mapping[str, Any], chosen: Row, clicks: Sequence[Point], slack: float) -> Misfit | None:
    """Return how the chosen unit misfits these clicks, with better fits; None if it fits.

    A side fits within ``slack`` (table units) or a twentieth of its length. Among equally good fits, the number of
    bases nearest to the chosen one comes first, then the chosen formation.
    """
    sides = _sides(clicks)
    if "bases" not in chosen:
        return None
    known = rule_set.find(rules)
    unit = mustered(known, rulings, {**SOMEWHERE, **chosen})
    if not isinstance(unit, Unit):
        return None
    own = _fit(chosen, unit, sides)
    room = max(slack, CROOKED * max(side for side in sides if side is not None))
    if own.off <= room:
        return None
    better = [
        fit for fit in (_fit(row, unit, sides) for row, unit in _rows(rules, rulings, chosen)) if fit.off < own.off
    ]
    fitting = [fit for fit in better if fit.off <= room] or better
    best = min((fit.off for fit in fitting), default=0.0)

    def order(fit: Fit) -> tuple[bool, int, bool, float]:
        far = fit.off > best + slack / 2
        difference = abs(fit.row["bases"] - chosen["bases"]), fit.row["formation"] != chosen["formation"]
        return (far, *difference, fit.off)

    return Misfit(sides, own, tuple(sorted(fitting, key=order)[:OFFERED]))


def traced(corners: Sequence[Point], frontage: float, depth: float) -> tuple[Point, float]:
    """Return (front middle, facing) of a rectangle from its clicked corners: front left, front right, rear right.

    Two or three clicks. The rectangle keeps its own size, and is placed where its corners are nearest to the clicks
    (least squares over shift and turn).
    """
    model = [(-frontage / 2, 0.0), (frontage / 2, 0.0), (frontage / 2, -depth)][: len(corners)]
    n = len(model)
    mx, my = sum(p[0] for p in model) / n, sum(p[1] for p in model) / n
    cx, cy = sum(p[0] for p in corners) / n, sum(p[1] for p in corners) / n
    dot = cross = 0.0
    for (a, b), (x, y) in zip(model, corners, strict=True):
        a, b, x, y = a - mx, b - my, x - cx, y - cy
        dot += a * x + b * y
        cross += a * y - b * x
    turn = math.atan2(cross, dot)
    s, c = math.sin(turn), math.cos(turn)
    front = cx - (c * mx - s * my), cy - (s * mx + c * my)
    return snap_point(front), snap_facing(-math.degrees(turn))


def lying(unit: Unit, clicks: Sequence[Point]) -> Unit:
    """Return a unit moved and turned to fit the clicks best."""
    size, ahead = _laid_north(unit)
    front, turn = traced(clicks, *size)
    centre = Motion(turn=turn).of(ahead)
    at = front[0] + centre[0], front[1] + centre[1]
    turned = unit.turned(turn_between(unit.facing, turn))
    return turned.moved(at[0] - turned.at[0], at[1] - turned.at[1])


SOMEWHERE: Row = {"id": "traced", "side": "traced", "at": (0.0, 0.0)}


def _sides(clicks: Sequence[Point]) -> Sides:
    return math.dist(clicks[0], clicks[1]), math.dist(clicks[1], clicks[2]) if len(clicks) > 2 else None


def _laid_north(unit: Unit) -> tuple[tuple[float, float], Point]:
    """Return a unit's width and depth, and the offset of its centre point from its front's middle, facing north."""
    faced = unit.turned(-unit.facing) if not unit.is_general else unit
    west, south, east, north = faced.bounds
    x, y = faced.at
    return (east - west, north - south), (x - (west + east) / 2, y - north)


def _fit(row: Row, unit: Unit, sides: Sides) -> Fit:
    size, _ = _laid_north(unit)
    off = max(abs(a - b) for a, b in zip(size, sides, strict=True) if b is not None)
    return Fit(row, size, off)


def _rows(rules: str, rulings: Mapping[str, Any], chosen: Row) -> Iterator[tuple[Row, Unit]]:
    """Yield every formation, number of bases and front that the chosen troops may have, each arrangement once."""
    known, seen = rule_set.find(rules), set()
    for formation in known.vocabulary["formation"]:
        for n in range(1, MOST_BASES + 1):
            row = changed(changed(chosen, "formation", formation), "bases", n)
            if not isinstance(mustered(known, rulings, {**SOMEWHERE, **row}), Unit):
                continue
            for front in (None, *fronts_for(known, rulings, {**SOMEWHERE, **row})):
                arrangement = changed(row, "front", front)
                unit = mustered(known, rulings, {**SOMEWHERE, **arrangement})
                assert isinstance(unit, Unit)
                key = (formation, unit.bases)
                if key not in seen:
                    seen.add(key)
                    yield arrangement, unit
