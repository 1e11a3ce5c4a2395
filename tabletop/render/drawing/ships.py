"""Ships from above: hull, gun ports, masts with sails, flag; flames on a burning one."""

from __future__ import annotations

from collections.abc import Iterator

from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.measure import Point
from tabletop.render.drawing.primitives import Area, Circle, Item, Lines, Pen, Ring
from tabletop.render.drawing.theme import SideStyle, colour
from tabletop.rules import rule_set
from tabletop.rules.common.vessel import Vessel

#: Outline of half a hull from bow to stern, as shares of half the beam (to the right) and half the length (ahead).
HALF = ((0.0, 1.0), (0.34, 0.86), (0.62, 0.66), (0.8, 0.38), (0.86, 0.0), (0.82, -0.5), (0.66, -0.86), (0.52, -1.0))
#: Share of the hull's width taken by the deck, within the rail in the side's colour.
DECK = 0.66
#: Places of the first and the last mast along the length, from bow (1) to stern (-1).
FIRST, LAST = 0.52, -0.56
#: Half the width of a usual sail as a share of half the beam, and its depth as a share of half the length.
SAIL, BELLY = 1.3, 0.22
#: Colours that are the same for all sides.
WOOD, PLANK, CANVAS, SHADE, PORT, SPENT = "#b98d57", "#8a6236", "#fbf6e6", "#d9cfb4", "#1d1712", "#e9dcc0"
FLAME, EMBER, SMOKE = "#ffb42a", "#d8381c", "#4b4640"


def vessel_of(unit: Unit) -> Vessel | None:
    """Return how a unit looks as a ship, None if it is not one."""
    return rule_set.find(unit.rules).vessel(unit) if unit.rules else None


def ship_items(unit: Unit, vessel: Vessel, style: SideStyle) -> list[Item]:
    """Return one ship's items, bottom first."""
    base = unit.bases[0]
    assert isinstance(base, Base), "a ship is a rectangle"
    items: list[Item] = [*_hull(base, style), *_ports(base, vessel), *_flag(base, vessel, style)]
    count = len(vessel.masts)
    for k, size in enumerate(vessel.masts):
        y = FIRST + (LAST - FIRST) * k / max(1, count - 1)
        items += _mast(base, y, size, vessel.furled, style)
    return [*items, *(_flames(base) if vessel.afire else ())]


def _at(base: Base, x: float, y: float) -> Point:
    """Return the point at shares of half the beam to the right and half the length ahead of the middle."""
    return base.at_local(x * base.frontage / 2, (y - 1.0) * base.depth / 2)


def _outline(base: Base, wide: float = 1.0, long: float = 1.0) -> Ring:
    right = [(x * wide, y * long) for x, y in HALF]
    left = [(-x, y) for x, y in reversed(right[1:])]
    return tuple(_at(base, x, y) for x, y in (*right, *left))


def _hull(base: Base, style: SideStyle) -> Iterator[Item]:
    """Yield the hull: a shadow on the water, the rail in the side's colour, the deck with its planks."""
    d = 0.05 * base.frontage
    yield Area((tuple((x + d, y - d) for x, y in _outline(base, 1.08, 1.02)),), colour("page", "ink"), opacity=0.3)
    yield Lines(((_at(base, 0, 0.96), _at(base, 0, 1.12)),), Pen(PLANK, 0.09 * base.frontage, pixels=False))
    yield Area((_outline(base),), style.fill, Pen(colour("page", "ink"), 1.3))
    yield Area((_outline(base, DECK, 0.93),), WOOD, Pen(style.deep, 1.0))
    lines = tuple((_at(base, x, 0.55), _at(base, x, -0.85)) for x in (-0.22, 0.0, 0.22))
    yield Lines(lines, Pen(PLANK, 0.02 * base.frontage, pixels=False))


def _ports(base: Base, vessel: Vessel) -> Iterator[Item]:
    """Yield the gun ports: dark where the guns fire, pale where they are silenced."""
    for sign, (left, most) in zip((-1.0, 1.0), vessel.ports, strict=True):
        for k in range(most):
            y = 0.3 - 0.36 * k if most > 1 else -0.06
            spot = [(0.62, y + 0.07), (1.0, y + 0.07), (1.0, y - 0.07), (0.62, y - 0.07)]
            ring = tuple(_at(base, sign * x, z) for x, z in spot)
            yield Area((ring,), PORT if k < left else SPENT, Pen(PORT, 0.8))


def _mast(base: Base, y: float, size: float, furled: bool, style: SideStyle) -> Iterator[Item]:
    """Yield a mast: its yard, its sail bellied ahead with the side's mark; a stump where it has fallen."""
    thick = base.frontage
    if not size:
        stump = (_at(base, -0.95, y - 0.2), _at(base, 0.25, y + 0.02))
        yield Lines((stump,), Pen(PLANK, 0.07 * thick, pixels=False))
        yield Circle(_at(base, 0, y), 0.09 * thick, WOOD, Pen(PORT, 1.0))
        return
    wide, deep = SAIL * (0.82 + 0.18 * size), 0.03 if furled else BELLY * (0.8 + 0.2 * size)
    rim = [(wide, y), (0.7 * wide, y + 0.75 * deep), (0.0, y + deep), (-0.7 * wide, y + 0.75 * deep), (-wide, y)]
    ring = tuple(_at(base, x, z) for x, z in (*rim, (-wide * 0.9, y - 0.03), (wide * 0.9, y - 0.03)))
    yield Area((ring,), SHADE if furled else CANVAS, Pen(colour("page", "ink"), 1.0))
    if not furled:
        yield from _band(base, y, wide, deep, style)
    yield Lines(((_at(base, -wide, y), _at(base, wide, y)),), Pen(PLANK, 0.05 * thick, pixels=False))
    yield Circle(_at(base, 0, y), 0.06 * thick, PLANK, Pen(PORT, 0.8))


def _band(base: Base, y: float, wide: float, deep: float, style: SideStyle) -> Iterator[Item]:
    """Yield a side's mark on a sail, which distinguishes sides in grey: none, or stripes along or across it."""
    thick = 0.06 * base.frontage
    if style.border in ("double", "notched"):
        lines = tuple((_at(base, x * wide, y), _at(base, x * wide, y + 0.8 * deep)) for x in (-0.6, -0.2, 0.2, 0.6))
        yield Lines(lines, Pen(style.deep, 1.4 * thick, pixels=False))
    elif style.border != "plain":
        lines = ((_at(base, -0.8 * wide, y + 0.35 * deep), _at(base, 0.8 * wide, y + 0.35 * deep)),)
        yield Lines(lines, Pen(style.deep, thick, pixels=False))


def _flag(base: Base, vessel: Vessel, style: SideStyle) -> Iterator[Item]:
    """Yield the flag at the stern in its side's colours; white if the ship has struck."""
    ring = tuple(_at(base, x, y) for x, y in ((0.0, -0.98), (0.0, -1.3), (0.62, -1.3), (0.62, -0.98)))
    yield Area((ring,), style.fill if vessel.colours else "#ffffff", Pen(colour("page", "ink"), 1.2))


def _flames(base: Base) -> Iterator[Item]:
    for x, y, size in ((-0.3, 0.25, 0.5), (0.35, 0.0, 0.62), (-0.15, -0.4, 0.55)):
        yield Circle(_at(base, x + 0.1, y + 0.06), 0.34 * size * base.frontage, SMOKE, opacity=0.55)
        tongue = ((-0.22, 0.0), (0.0, 0.26), (0.22, 0.0), (0.12, -0.1), (-0.12, -0.1))
        for share, tint in ((1.0, EMBER), (0.55, FLAME)):
            ring = tuple(_at(base, x + share * size * 2.0 * dx, y + share * size * dy) for dx, dy in tongue)
            yield Area((ring,), tint)
