"""Troops as figures on their bases, seen from above: foot in two ranks, riders, a gun with its crew, a general's staff.

A base keeps its exact outline; its rim is in its side's colour, its border and its front are marked as on any other.
Figures of a unit that is not in order stand out of line. A unit has one flag, upright whichever way it faces.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence

from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base, Disc
from tabletop.geometry.measure import Point
from tabletop.render.drawing.primitives import Area, Circle, Item, Lines, Pen, Ring
from tabletop.render.drawing.theme import SideStyle, symbols, toned
from tabletop.rules.common.looks import Figure, heavy
from tabletop.rules.common.pikes import carries_pikes
from tabletop.rules.rule_set import looks_of

#: Colours of a base's top, of hats and boots, muskets, brass and wood.
TURF, HAT, STEEL, BRASS, WOOD = "#b2ac78", "#241f1a", "#6c6a66", "#b08a3c", "#6b5136"
#: The shade of a figure on the top of a base.
SHADE = "#7d7850"
HORSES = ("#5d4330", "#4a3526", "#6e5139")
#: Files and ranks of foot, riders abreast.
FILES, RANKS, RIDERS = 6, 2, 3
#: The files with pikes, between those with muskets, and the length of a pike as a share of the base's depth.
PIKE_FILES, PIKE = (1, 2, 3, 4), 0.34
#: Corners of the ovals that bodies are drawn as.
CORNERS = 10
#: How far figures of a disordered unit stray, as a share of their room, and how far they turn (degrees).
ASTRAY, TURNED = 0.30, 65.0
#: A flag's pole above and below the middle of its base, its cloth's width and height, as shares of the base's frontage
#: or of its depth if that is less; how often its edge bends, how far, and in how many steps.
ABOVE, BELOW, CLOTH_WIDE, CLOTH_HIGH = 0.42, 0.30, 0.44, 0.28
BENDS, WAVE, STEPS = 1.3, 0.035, 9
#: Aides around a general, right and ahead as shares of the disc's radius: one, and one more for each higher rank.
AIDES = ((0.46, -0.42), (-0.46, -0.42), (0.0, -0.52))
#: The rim's width as a share of a base's smaller side.
RIM = 0.035

#: Branches that carry a flag.
FLAGGED = (Figure.FOOT, Figure.HORSE)

Place = Callable[[float, float], Point]


#: Shares of a base's depth taken by its dark front edge and its army's stripe when figures are drawn.
FRONT, STRIPE = 0.08, 0.08


def worn_figures() -> bool:
    """Return whether troops are drawn as figures under the current symbols."""
    return symbols() == "figures"


def on_base(base: Base, unit: Unit, style: SideStyle, border: Sequence[Item] = ()) -> list[Item]:
    """Return the top of a base with its side's border, and the figures on it, bottom first."""
    outline = tuple((float(x), float(y)) for x, y in base.corners)[:4]
    pen = Pen(style.fill, RIM * 2 * min(base.frontage, base.depth), pixels=False, round=False)
    inner = _shrunk(base, RIM * min(base.frontage, base.depth))
    drawer = DRAWERS.get(looks_of(unit).figure(unit.troop) or Figure.OFFICER, _officer)
    ground: list[Item] = [Area((outline,), toned(TURF)), Lines(((*inner, inner[0]),), pen)]
    return [*ground, *border, *drawer(base, unit, style)]


def on_disc(base: Disc, unit: Unit, style: SideStyle) -> list[Item]:
    """Return a general on a round base."""
    place = placed_at(base.centre, unit.facing)
    rim = Pen(style.fill, 0.16 * base.radius, pixels=False)
    top = Circle(base.centre, 0.92 * base.radius, fill=toned(TURF), pen=rim)
    items: list[Item] = [top]
    for k, (x, y) in enumerate(AIDES[: max(1, looks_of(unit).rank(unit) - 1)]):
        aide = _about(place, x * base.radius, y * base.radius)
        items += _rider(aide, 0.36 * base.radius, style, HORSES[(k + 1) % len(HORSES)])
    return [*items, *_rider(_about(place, 0.0, 0.16 * base.radius), 0.62 * base.radius, style, HORSES[0], cocked=True)]


def flag(unit: Unit, style: SideStyle) -> list[Item]:
    """Return the flag of a unit of foot or horse, bottom first: bands in its side's colours and its army's.

    It stands upright on the middle base of its front, and within it.
    """
    base = unit.fronts[len(unit.fronts) // 2] if unit.fronts else None
    if base is None or unit.is_general or looks_of(unit).figure(unit.troop) not in FLAGGED:
        return []
    size = min(base.frontage, base.depth)
    x, y = base.centre
    top, foot = y + ABOVE * size, y - BELOW * size
    army = unit.marks.get("colour")
    bands = (style.fill, toned(str(army) if army else "#f4efe0"), style.deep)
    pole = Lines((((x, foot), (x, top)),), Pen(toned(HAT), 0.05 * size, pixels=False))
    cloth = [_band(x, top, size, k, len(bands)) for k in range(len(bands))]
    edge = Pen(toned(HAT), 0.02 * size, pixels=False, opacity=0.7)
    hem = Area((_band(x, top, size, 0, 1),), None, edge)
    return [pole, *(Area((ring,), tone) for ring, tone in zip(cloth, bands, strict=True)), hem]


def _band(x: float, top: float, size: float, number: int, count: int) -> Ring:
    """Return one of the ``count`` bands of a flag whose upper corner is at the pole, waved by the wind."""
    high, upper = CLOTH_HIGH * size / count, top - number * CLOTH_HIGH * size / count
    edge = []
    for k in range(STEPS):
        share = k / (STEPS - 1)
        edge.append((x + share * CLOTH_WIDE * size, WAVE * size * math.sin(2.0 * math.pi * BENDS * share)))
    above = [(along, upper + wave) for along, wave in edge]
    return (*above, *((along, upper - high + wave) for along, wave in reversed(edge)))


def fallen(place: Place, size: float, style: SideStyle, mounted: bool) -> Iterator[Item]:
    """Yield a casualty on the ground around the origin, ``size`` long to either side; a rider beside his horse."""
    if mounted:
        yield Area((_oval(place, 0.5 * size, 0.0, 0.30 * size, 0.80 * size),), toned(HORSES[1]))
        yield Area((_oval(place, 0.62 * size, 0.82 * size, 0.16 * size, 0.26 * size),), toned(HORSES[1]))
    limbs = ((-0.12, -0.2, -0.24, -0.62), (0.06, -0.2, 0.14, -0.64), (-0.14, 0.2, -0.42, 0.34))
    lines = tuple((place(a * size, b * size), place(c * size, d * size)) for a, b, c, d in limbs)
    yield Lines(lines, Pen(toned("#8d8672"), 0.13 * size, pixels=False))
    yield Area((_oval(place, 0.0, 0.02 * size, 0.19 * size, 0.34 * size),), style.fill, opacity=0.9)
    yield Circle(place(0.0, 0.44 * size), 0.14 * size, fill=toned("#c99f7c"))


def _shrunk(base: Base, inset: float) -> Ring:
    w, d = base.frontage / 2 - inset, base.depth - inset
    return tuple(base.at_local(x, y) for x, y in ((-w, -inset), (w, -inset), (w, -d), (-w, -d)))


def _oval(place: Place, x: float, y: float, wide: float, long: float) -> Ring:
    """Return an oval around a place, of half-widths across and along the facing."""
    turns = [2.0 * math.pi * k / CORNERS for k in range(CORNERS)]
    return tuple(place(x + wide * math.cos(a), y + long * math.sin(a)) for a in turns)


def _foot(base: Base, unit: Unit, style: SideStyle) -> Iterator[Item]:
    side = min(base.frontage / FILES, 0.7 * base.depth / RANKS)
    for rank in range(RANKS - 1, -1, -1):
        for file in range(FILES):
            x = (file + 0.5) / FILES * 0.92 * base.frontage - 0.46 * base.frontage
            y = -(0.40 + 0.36 * rank) * base.depth
            pike = PIKE * base.depth if file in PIKE_FILES and carries_pikes(unit) else 0.0
            yield from _soldier(_stands(base, unit, x, y, side, FILES * rank + file), side, style, pike)


def _stands(base: Base, unit: Unit, x: float, y: float, room: float, number: int) -> Place:
    """Return the place function of one figure on a base: in line, or astray if its unit is not in order.

    How far it strays depends only on its unit's name and its number, so it stays in place from frame to frame.
    """
    if unit.in_order:
        return _about(base.at_local, x, y)
    chance = zlib.crc32(f"{unit.id} {unit.bases.index(base)} {number}".encode())
    east, north, turn = (((chance >> shift) & 1023) / 511.5 - 1.0 for shift in (0, 10, 20))
    return _about(base.at_local, x + ASTRAY * room * east, y + ASTRAY * room * north, TURNED * turn)


def placed_at(at: Point, degrees: float) -> Place:
    """Return the place function of a figure at a point of the table, with its facing in degrees."""
    return _about(lambda x, y: (x, y), *at, degrees)


def _about(place: Place, x: float, y: float, degrees: float = 0.0) -> Place:
    """Return a place function with its origin at (x, y) of another's, turned clockwise by degrees."""
    s, c = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return lambda dx, dy: place(x + c * dx + s * dy, y + c * dy - s * dx)


def _soldier(place: Place, side: float, style: SideStyle, pike: float = 0.0) -> Iterator[Item]:
    """Yield a man on foot around the origin, in a square of this side; with a pike of this length if it is given."""
    shade = _oval(place, 0.06 * side, -0.10 * side, 0.40 * side, 0.26 * side)
    yield Area((shade,), toned(SHADE))
    weapon = ((place(0.24 * side, -0.1 * side), place(0.24 * side, pike or 0.52 * side)),)
    yield Lines(weapon, Pen(toned(WOOD if pike else STEEL), 0.09 * side, pixels=False))
    yield Area((_oval(place, 0.0, 0.0, 0.38 * side, 0.22 * side),), style.fill)
    yield Lines(((place(-0.2 * side, 0.1 * side), place(0.2 * side, -0.1 * side)),), _belt(side))
    yield Circle(place(0.0, 0.04 * side), 0.19 * side, fill=toned(STEEL if pike else HAT))
    yield Circle(place(0.0, 0.10 * side), 0.07 * side, fill=toned(BRASS))


def _belt(side: float) -> Pen:
    return Pen(toned("#e8e2d0"), 0.07 * side, pixels=False)


def _horse_and_man(base: Base, unit: Unit, style: SideStyle) -> Iterator[Item]:
    size = min(0.80 * base.frontage / RIDERS, 0.42 * base.depth)
    for k in range(RIDERS):
        x, y = (k - 1) * 0.30 * base.frontage, -(0.60 + 0.05 * (k % 2)) * base.depth
        yield from _rider(_stands(base, unit, x, y, 0.6 * size, k), size, style, HORSES[k % len(HORSES)])


def _rider(place: Place, size: float, style: SideStyle, horse: str, cocked: bool = False) -> Iterator[Item]:
    """Yield a man on a horse around the origin, ``size`` long to either side."""
    yield Area((_oval(place, 0.08 * size, -0.12 * size, 0.34 * size, 0.86 * size),), toned(SHADE))
    yield Lines(((place(0.0, -0.8 * size), place(0.0, -1.05 * size)),), Pen(toned(HAT), 0.16 * size, pixels=False))
    yield Area((_oval(place, 0.0, -0.08 * size, 0.30 * size, 0.74 * size),), toned(horse))
    yield Area((_oval(place, 0.0, 0.76 * size, 0.15 * size, 0.30 * size),), toned(horse))
    yield Lines(((place(0.0, 0.45 * size), place(0.0, 0.78 * size)),), Pen(toned(HAT), 0.09 * size, pixels=False))
    yield Area((_oval(place, 0.0, -0.10 * size, 0.40 * size, 0.24 * size),), style.fill)
    yield Lines(((place(-0.2 * size, 0.02 * size), place(0.2 * size, -0.2 * size)),), _belt(size))
    if cocked:
        yield Area((_oval(place, 0.0, -0.04 * size, 0.30 * size, 0.13 * size),), toned(HAT))
    else:
        yield Circle(place(0.0, -0.05 * size), 0.19 * size, fill=toned(HAT))
        yield Circle(place(0.0, 0.04 * size), 0.08 * size, fill=toned(BRASS))


def _gun(base: Base, unit: Unit, style: SideStyle) -> Iterator[Item]:
    size = 0.5 * min(base.frontage, base.depth)
    middle = -0.56 * base.depth

    def place(x: float, y: float) -> Point:
        return base.at_local(x * size, middle + y * size)

    thick = 0.20 if heavy(unit) else 0.15
    yield Lines(((place(0.0, 0.05), place(0.0, -0.72)),), Pen(toned(WOOD), 0.16 * size, pixels=False))
    for side in (-0.30, 0.30):
        yield Lines(((place(side, -0.26), place(side, 0.30)),), Pen(toned(WOOD), 0.12 * size, pixels=False))
    yield Lines(((place(-0.30, 0.02), place(0.30, 0.02)),), Pen(toned(HAT), 0.07 * size, pixels=False))
    yield Lines(((place(0.0, -0.30), place(0.0, 0.66)),), Pen(toned(BRASS), thick * size, pixels=False))
    crew = ((-0.66, 0.30), (0.66, 0.30), (-0.62, -0.42), (0.62, -0.42))
    for k, (x, y) in enumerate(crew):
        at = _stands(base, unit, x * size, middle + y * size, 0.42 * size, k)
        yield from _soldier(at, 0.42 * size, style)


def _officer(base: Base, unit: Unit, style: SideStyle) -> Iterator[Item]:
    """Yield a general, an officer or a carriage: one rider in the middle of the base."""
    place = _about(base.at_local, 0.0, -0.55 * base.depth)
    yield from _rider(place, 0.36 * min(base.frontage, base.depth), style, HORSES[0], cocked=True)


DRAWERS: Mapping[Figure, Callable[[Base, Unit, SideStyle], Iterator[Item]]] = {
    Figure.FOOT: _foot,
    Figure.HORSE: _horse_and_man,
    Figure.GUNS: _gun,
    Figure.OFFICER: _officer,
    Figure.AIDE: _officer,
}
