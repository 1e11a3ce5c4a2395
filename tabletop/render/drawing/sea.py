"""Sea tables: water with waves, shoals, land, and the wind as a rose with an arrow along its flow."""

from __future__ import annotations

import math
from functools import lru_cache

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.geometry.measure import Point, heading
from tabletop.geometry.terrain import Table
from tabletop.render.drawing.primitives import Area, Box, Circle, Item, Layer, Lines, Pen, Ring, Text
from tabletop.render.drawing.shapes import areas, scattered, strings
from tabletop.rules import rule_set
from tabletop.rules.common.environment import Wind

#: The kind of terrain that is open sea: a table that has any is drawn as a map in every look.
OPEN = "sea"
WATER, DEEP, WAVE, FOAM = "#8fb9cd", "#7daac0", "#5f8fa8", "#d7e8ee"
BANK, BANK_EDGE, GRAINS = "#c9d8c4", "#6d8f86", "#7d7a55"
EARTH, BEACH, COAST, HATCH = "#c3bb8c", "#e6dcb4", "#5d5636", "#8c8658"
INK, PALE, ARROW = "#22333d", "#eef5f7", "#9c2a1c"
#: The rose: its radius as a share of the table's shorter side, and its distance from the corner in radii.
ROSE, CORNER = 0.05, 1.9
#: Its radius in pixels in a corner of a view that does not show its place on the table.
IN_VIEW = 26.0


#: The plain colours of these kinds of terrain on a small map, bottom up.
SMALL = {OPEN: WATER, "shoal": BANK, "land": EARTH}


def is_sea(table: Table) -> bool:
    """Return whether a table is a sea."""
    return any(piece.kind == OPEN for piece in table.terrain)


def water(shape: BaseGeometry, grain: float) -> list[Item]:
    """Return open water: deeper patches, and short waves."""
    items: list[Item] = [*areas(shape, WATER)]
    for x, y in scattered(shape, 5.2 * grain, "deep"):
        patch = shapely.affinity.scale(shapely.Point(x, y).buffer(1.0, quad_segs=10), 3.4 * grain, 1.1 * grain)
        items += areas(shapely.intersection(patch, shape), DEEP, None, 0.22)
    waves = [_wave(spot, 0.34 * grain) for spot in scattered(shape, 2.3 * grain, "waves")]
    caps = [_wave(spot, 0.2 * grain) for spot in scattered(shape, 4.1 * grain, "foam")]
    items.append(Lines(tuple(waves), Pen(WAVE, 1.1, opacity=0.7)))
    items.append(Lines(tuple(caps), Pen(FOAM, 1.3, opacity=0.8)))
    return items


def _wave(spot: Point, size: float) -> Ring:
    """Return a wave: two crests side by side."""
    x, y = spot
    return tuple((x + size * (k / 4 - 1.0), y + 0.28 * size * abs(math.sin(math.pi * k / 4))) for k in range(9))


def shoal(shape: BaseGeometry, grain: float, name: str) -> list[Item]:
    """Return a shoal: pale water, dots of sand, a dashed edge."""
    items: list[Item] = [*areas(shape, BANK, Pen(BANK_EDGE, 1.6, dash=(4.0, 2.5)))]
    items += [Circle(spot, 1.1, GRAINS, pixels=True) for spot in scattered(shape, 0.55 * grain, name)]
    return items


def land(shape: BaseGeometry, grain: float) -> list[Item]:
    """Return land: a beach, the coast line, hachures inward."""
    inner = shape.buffer(-0.35 * grain)
    items: list[Item] = [*areas(shape, BEACH, Pen(COAST, 2.2)), *areas(inner, EARTH)]
    for k in (1, 2, 3):
        rings = strings(shape.buffer(-(0.35 + 0.5 * k) * grain).boundary)
        items.append(Lines(tuple(rings), Pen(HATCH, 1.0, opacity=0.7 / k)))
    return items


# --- the wind --------------------------------------------------------------------------------------------------------


def wind_layers(battle: Battle) -> tuple[Layer, ...]:
    """Return the layer of the wind if the rules have wind; the same object while the wind stays the same."""
    wind = rule_set.find(battle.rules).wind(battle)
    return () if wind is None else (_rose(wind, *_corner(battle.table)),)


def wind_in_view(battle: Battle, view: Box, scale: float) -> tuple[Layer, ...]:
    """Return the wind in a view's upper left corner, at ``scale`` pixels a unit; none if the table's is in view."""
    wind = rule_set.find(battle.rules).wind(battle)
    (x, y), r = _corner(battle.table)
    west, south, east, north = view
    whole = west <= x - CORNER * r and x + r <= east and south <= y - CORNER * r and y + r <= north
    if wind is None or whole:
        return ()
    r = IN_VIEW / scale
    return (_rose(wind, (west + CORNER * r, north - CORNER * r), r),)


def _corner(table: Table) -> tuple[Point, float]:
    """Return the middle of the rose in a table's upper right corner, and its radius."""
    r = ROSE * min(table.width, table.height)
    return (table.width - CORNER * r, table.height - CORNER * r), r


@lru_cache(maxsize=32)
def _rose(wind: Wind, at: Point, r: float) -> Layer:
    """Return a rose of sixteen points, an arrow along the wind, and its speed."""
    x, y = at
    items: list[Item] = [Circle((x, y), 1.12 * r, PALE, Pen(INK, 1.2), opacity=0.75)]
    for k in range(16):
        east, north = heading(22.5 * k)
        long = 1.0 if k % 4 == 0 else 0.72 if k % 2 == 0 else 0.45
        side = heading(22.5 * k + 90.0)
        foot = 0.12 * r
        for sign in (-1.0, 1.0):
            ring = (
                (x + long * r * east, y + long * r * north),
                (x + sign * foot * side[0], y + sign * foot * side[1]),
                (x, y),
            )
            items.append(Area((ring,), INK if sign > 0 else PALE, Pen(INK, 0.7), opacity=0.55))
    items.append(Text((x, y + 1.28 * r), "N", 14.0, INK, "bold", halo=PALE))
    items += _arrow((x, y), wind, r)
    items.append(Circle((x, y), 0.36 * r, PALE, Pen(ARROW, 1.6)))
    items.append(Text((x, y), f"{wind.speed}", 14.0, ARROW, "bold"))
    return Layer("wind", tuple(items))


def _arrow(at: Point, wind: Wind, r: float) -> list[Item]:
    """Return an arrow through a point along the wind's flow, thicker the stronger the wind."""
    (x, y), (e, n) = at, heading(wind.flow)
    across = (n, -e)
    half = r * (0.05 + 0.02 * wind.speed)

    def spot(along: float, aside: float) -> Point:
        return x + along * r * e + aside * across[0], y + along * r * n + aside * across[1]

    shaft = (spot(-1.25, half), spot(0.7, half), spot(0.7, -half), spot(-1.25, -half))
    head = (spot(1.3, 0.0), spot(0.62, 2.6 * half + 0.1 * r), spot(0.62, -2.6 * half - 0.1 * r))
    return [Area((shaft,), ARROW, Pen(PALE, 1.0)), Area((head,), ARROW, Pen(PALE, 1.0))]
