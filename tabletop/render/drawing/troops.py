"""Units on the table: every base to scale, with its front edge, branch, side and condition."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base, Disc
from tabletop.geometry.measure import Point, turn_between
from tabletop.render.drawing import cards, figures, ships
from tabletop.render.drawing.air import environment_layers
from tabletop.render.drawing.primitives import (
    Area,
    Circle,
    Item,
    Layer,
    Lines,
    Painting,
    Pen,
    Ring,
    Sheet,
    Stamps,
    Text,
)
from tabletop.render.drawing.shapes import ring
from tabletop.render.drawing.theme import SideStyle, colour, side_styles, toned
from tabletop.rules.common.looks import Figure, heavy, ridden
from tabletop.rules.common.pikes import carries_pikes
from tabletop.rules.rule_set import looks_of

#: Share of a base's depth taken by its dark front edge.
FRONT = 0.16
#: Shares of a front base's depth, behind its front edge, taken by its army's colour and by the light lines beside it.
STRIPE, LIGHT = 0.12, 0.03
#: Degrees from a unit's facing beyond which a front base does not face with it.
ONE_WAY = 60.0
#: Opacity of a faint unit.
FAINT = 0.4


def unit_layers(battle: Battle, faint: Collection[str] = (), only: Collection[str] | None = None) -> tuple[Layer, ...]:
    """Return the layer of units; those in ``faint`` are half transparent, ``only`` restricts to some ids."""
    styles = side_styles(unit.side for unit in battle.units)
    sheet = Sheet("units")
    for unit in in_order(battle.units):
        if only is None or unit.id in only:
            items = unit_items(unit, styles[unit.side])
            sheet.extend(faded(items) if unit.id in faint else items)
    return (*(environment_layers(battle) if only is None else ()), sheet.layer)


def in_order(units: Iterable[Unit]) -> list[Unit]:
    """Return units in the order they are drawn in: generals lie on top."""
    return sorted(units, key=lambda u: (u.is_general, u.id))


def unit_items(unit: Unit, style: SideStyle) -> list[Item]:
    """Return one unit's items, bottom first."""
    vessel = ships.vessel_of(unit)
    if vessel is not None:
        return ships.ship_items(unit, vessel, style)
    items: list[Item] = []
    for base in unit.bases:
        items += _shade(base)
    fronts = set(unit.front_bases)
    for i, base in enumerate(unit.bases):
        items += _disc(base, unit, style) if isinstance(base, Disc) else _base(base, unit, style, i in fronts)
    if figures.worn_figures():
        items += figures.flag(unit, style)
    return items + cards.card(unit, style) + _pointer(unit, style) + condition(unit)


def faded(items: list[Item]) -> list[Item]:
    """Return a unit's items half transparent, without symbols: where it stood, or if the question is not about it."""
    pale: list[Item] = []
    for item in items:
        if isinstance(item, Stamps | Text | Painting):
            continue
        pen = item.pen and replace(item.pen, opacity=FAINT * item.pen.opacity)
        if isinstance(item, Lines):
            pale.append(replace(item, pen=pen or item.pen))
        else:
            pale.append(replace(item, pen=pen, opacity=FAINT * item.opacity))
    return pale


def _shade(base: Base | Disc) -> list[Item]:
    d = 0.055 * (base.frontage if isinstance(base, Base) else 2 * base.radius)
    if isinstance(base, Disc):
        return [Circle((base.x + d, base.y - d), base.radius, fill=colour("page", "ink"), opacity=0.3)]
    return [Area((tuple((x + d, y - d) for x, y in ring(base.corners)),), colour("page", "ink"), opacity=0.3)]


def _quad(base: Base, left: float, front: float, right: float, rear: float) -> Ring:
    """Return a rectangle of a base, in shares of its frontage (0 left) and depth (0 front)."""
    w, d = base.frontage, base.depth
    spots = ((left, front), (right, front), (right, rear), (left, rear))
    return tuple(base.at_local((x - 0.5) * w, -y * d) for x, y in spots)


def _base(base: Base, unit: Unit, style: SideStyle, is_front: bool) -> list[Item]:
    outline = _quad(base, 0, 0, 1, 1)
    items = _manned(base, unit, style) if figures.worn_figures() else _marked(base, unit, style)
    if is_front:
        items.append(Area((_quad(base, 0, 0, 1, _shares()[0]),), style.deep))
        items += _stripe(base, unit)
    items.append(Area((outline,), None, Pen(colour("page", "ink"), 1.4)))
    return items


def _shares() -> tuple[float, float]:
    """Return the shares of a front base's depth taken by its front edge and its army's stripe."""
    return (figures.FRONT, figures.STRIPE) if figures.worn_figures() else (FRONT, STRIPE)


def _manned(base: Base, unit: Unit, style: SideStyle) -> list[Item]:
    """Return a base with its side's border, and figures."""
    return figures.on_base(base, unit, style, BORDERS[style.border](base, style))


def _marked(base: Base, unit: Unit, style: SideStyle) -> list[Item]:
    """Return a base in its side's colour and border, with the mark of its branch."""
    items: list[Item] = [Area((_quad(base, 0, 0, 1, 1),), style.fill), *BORDERS[style.border](base, style)]
    mark = BRANCHES.get(figure) if (figure := looks_of(unit).figure(unit.troop)) is not None else None
    return items if mark is None or cards.carded(unit) else [*items, *mark(base, unit, style)]


def _stripe(base: Base, unit: Unit) -> list[Item]:
    """Return the stripe in the colour of its army, if it has one: behind the front edge, set off by light lines.

    It distinguishes armies of one side; the side is recognized by its own colour and border.
    """
    army = unit.marks.get("colour")
    if not army:
        return []
    front, wide = _shares()
    light = _quad(base, 0, front, 1, front + wide + 2 * LIGHT)
    stripe = _quad(base, 0, front + LIGHT, 1, front + LIGHT + wide)
    return [Area((light,), colour("page", "halo")), Area((stripe,), toned(str(army)))]


# --- borders: how sides are told apart without colour ----------------------------------------------------------------


def _inner(base: Base, inset: float) -> Ring:
    dx, dy = inset / base.frontage, inset / base.depth
    quad = _quad(base, dx, _shares()[0] + dy, 1 - dx, 1 - dy)
    return (*quad, quad[0])


def _plain(_base: Base, _style: SideStyle) -> list[Item]:
    return []


def _bordered(dash: tuple[float, ...], width: float) -> Callable[[Base, SideStyle], list[Item]]:
    def border(base: Base, style: SideStyle) -> list[Item]:
        size = min(base.frontage, base.depth)
        pen = Pen(style.mark, width * size, pixels=False, dash=dash, round=not dash)
        return [Lines((_inner(base, 0.085 * size),), pen)]

    return border


def _notched(base: Base, style: SideStyle) -> list[Item]:
    """Return the rear corners, cut off in dark."""
    left = (base.at_local(-base.frontage / 2, -base.depth), *_corner(base, -1))
    right = (base.at_local(base.frontage / 2, -base.depth), *_corner(base, 1))
    return [Area((left,), style.deep), Area((right,), style.deep)]


def _corner(base: Base, side: int) -> tuple[Point, Point]:
    cut, edge = 0.3 * min(base.frontage, base.depth), side * base.frontage / 2
    return base.at_local(edge - side * cut, -base.depth), base.at_local(edge, cut - base.depth)


def _barred(base: Base, style: SideStyle) -> list[Item]:
    return [Area((_quad(base, 0, 0.82, 1, 1),), style.deep)]


BORDERS: Mapping[str, Callable[[Base, SideStyle], list[Item]]] = {
    "plain": _plain,
    "double": _bordered((), 0.06),
    "dashed": _bordered((2.4, 1.6), 0.07),
    "dotted": _bordered((1.0, 1.4), 0.08),
    "notched": _notched,
    "barred": _barred,
}


# --- branches --------------------------------------------------------------------------------------------------------


def _mark_pen(base: Base, style: SideStyle) -> Pen:
    return Pen(style.mark, 0.075 * min(base.frontage, base.depth), pixels=False)


def _infantry(base: Base, unit: Unit, style: SideStyle) -> list[Item]:
    """Return a cross; for foot with pikes a solid block with a stroke on either side: the pikes between their shot."""
    if carries_pikes(unit):
        (_, a, b, _), (c, _, _, d) = _quad(base, 0.0, 0.46, 0.23, 0.76), _quad(base, 0.77, 0.46, 1.0, 0.76)
        return [
            Area((_quad(base, 0.37, 0.46, 0.63, 0.76),), style.mark),
            Lines(((a, b), (c, d)), _mark_pen(base, style)),
        ]
    a, b, c, d = _quad(base, 0.24, 0.34, 0.76, 0.84)
    return [Lines(((a, c), (b, d)), _mark_pen(base, style))]


def _cavalry(base: Base, unit: Unit, style: SideStyle) -> list[Item]:
    _a, b, c, d = _quad(base, 0.22, 0.32, 0.78, 0.84)
    items: list[Item] = [Lines(((d, b),), _mark_pen(base, style))]
    if heavy(unit):
        items.append(Area(((b, c, d),), style.mark))
    return items


def _artillery(base: Base, unit: Unit, style: SideStyle) -> list[Item]:
    size = min(base.frontage, base.depth)
    centre = base.at_local(0, -0.58 * base.depth)
    items: list[Item] = [Circle(centre, (0.21 if heavy(unit) else 0.15) * size, fill=style.mark)]
    if ridden(unit):
        _a, b, _c, d = _quad(base, 0.2, 0.3, 0.8, 0.86)
        items.append(Lines(((d, b),), _mark_pen(base, style)))
    return items


def _transport(base: Base, _unit: Unit, _style: SideStyle) -> list[Item]:
    centre = base.at_local(0, -0.58 * base.depth)
    return [Stamps("wheel", (centre,), 0.6 * min(base.frontage, base.depth), turns=(base.facing,))]


def _person(size: float) -> Callable[[Base, Unit, SideStyle], list[Item]]:
    """Return a general on a rectangular base, or an officer: a star, and no branch."""

    def mark(base: Base, _unit: Unit, style: SideStyle) -> list[Item]:
        glyph = "star" if style.mark == "#ffffff" else "star-dark"
        return [Stamps(glyph, (base.centre,), size * min(base.frontage, base.depth))]

    return mark


BRANCHES: Mapping[Figure, Callable[[Base, Unit, SideStyle], list[Item]]] = {
    Figure.FOOT: _infantry,
    Figure.HORSE: _cavalry,
    Figure.GUNS: _artillery,
    Figure.WAGON: _transport,
    Figure.OFFICER: _person(0.8),
    Figure.AIDE: _person(0.45),
}


def _disc(base: Disc, unit: Unit, style: SideStyle) -> list[Item]:
    """Return a general: a star on a disc, with one ring for a division's general and one more for each rank above."""
    r = base.radius
    if figures.worn_figures():
        edge = Circle(base.centre, r, pen=Pen(colour("page", "ink"), 1.4))
        return [*figures.on_disc(base, unit, style), edge]
    items: list[Item] = [Circle(base.centre, r, fill=style.fill, pen=Pen(colour("page", "ink"), 1.4))]
    if cards.carded(unit):
        return items
    rings = max(1, looks_of(unit).rank(unit) - 1)
    for i in range(rings):
        pen = Pen(style.mark, 0.07 * r, pixels=False, dash=_ring_dash(style))
        items.append(Circle(base.centre, r * (0.86 - 0.15 * i), pen=pen))
    glyph = "star" if style.mark == "#ffffff" else "star-dark"
    return [*items, Stamps(glyph, (base.centre,), r * (1.3 - 0.28 * (rings - 1)))]


def _ring_dash(style: SideStyle) -> tuple[float, ...]:
    """Return a general's ring in the pattern of the side's border."""
    return {"dashed": (4.0, 3.0), "dotted": (1.0, 2.0)}.get(style.border, ())


# --- facing and condition --------------------------------------------------------------------------------------------


def _pointer(unit: Unit, style: SideStyle) -> list[Item]:
    shape = pointer(unit)
    return [Area((shape,), style.deep, Pen(colour("page", "halo"), 1.0))] if shape else []


def pointer(unit: Unit) -> Ring | None:
    """Return the small triangle ahead of the middle of the front, None if the unit does not face one way."""
    fronts = unit.fronts
    if not fronts or any(abs(turn_between(unit.facing, b.facing)) > ONE_WAY for b in fronts):
        return None
    size = 0.2 * fronts[0].frontage
    (x, y), (fx, fy) = unit.front_mid, unit.forward
    rx, ry = fy, -fx
    tip = (x + 1.25 * size * fx, y + 1.25 * size * fy)
    return tip, (x + size * rx, y + size * ry), (x - size * rx, y - size * ry)


def solid_of(unit: Unit) -> tuple[shapely.Polygon, ...]:
    """Return the ground that a unit's drawing covers, for names to avoid; cached with the unit."""
    kept: tuple[shapely.Polygon, ...] | None = unit.__dict__.get("_solid")
    if kept is None:
        kept = unit.__dict__["_solid"] = tuple(_solid(unit))
    return kept


def _solid(unit: Unit) -> Iterator[shapely.Polygon]:
    yield from (base.polygon for base in unit.bases)
    triangle = pointer(unit)
    if triangle:
        yield shapely.Polygon(triangle)
    if not unit.in_order:
        yield shapely.Point(badge_at(unit)).buffer(_badge_size(unit) / 2)


def condition(unit: Unit, least: float = 0.0) -> list[Item]:
    """Return a badge, at least ``least`` table units wide, on the rear right corner of a unit that is not in order."""
    badge = looks_of(unit).condition(unit)
    if badge is None:
        return []
    return [Stamps(badge.value, (badge_at(unit),), max(least, _badge_size(unit)))]


def _badge_size(unit: Unit) -> float:
    base = unit.bases[-1]
    return 0.55 * (base.frontage if isinstance(base, Base) else 2 * base.radius)


def badge_at(unit: Unit) -> Point:
    """Return the place of a unit's badge: its rear right corner as the unit faces."""
    corners = np.vstack([b.corners if isinstance(b, Base) else np.array([b.centre]) for b in unit.bases])
    fx, fy = unit.forward
    score = corners @ np.array([fy - fx, -fx - fy])  # farthest to the right and to the rear
    x, y = corners[int(score.argmax())]
    return float(x), float(y)
