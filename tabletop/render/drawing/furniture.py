"""Around the map: frame and ruler, title, compass, key to sides and symbols, scale bar."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.measure import Point
from tabletop.geometry.measure import heading as bearing_of
from tabletop.play.environment import ground_of
from tabletop.render.drawing.glyphs import GLYPHS
from tabletop.render.drawing.lettering import width
from tabletop.render.drawing.primitives import Anchor, Area, Box, Face, Item, Layer, Lines, Pen, Sheet, Stamps, Text
from tabletop.render.drawing.ships import ship_items, vessel_of
from tabletop.render.drawing.theme import SideStyle, colour, side_styles
from tabletop.render.drawing.troops import BORDERS, BRANCHES, FRONT
from tabletop.rules.common.vessel import Vessel
from tabletop.rules.rule_set import looks_of

#: Pixels of the band that carries the ruler, and of the strips above and below the map.
BAND, HEAD, FOOT = 38.0, 62.0, 64.0
#: Pixels down to the middle of each of the key's rows, and the width reserved for the scale bar.
ROWS = (18.0, 46.0)
BAR_ROOM = 250.0
#: Beam and length in pixels of a ship in the key.
SHIP = (13.0, 34.0)
#: Pixels from the middle of the compass to its letter.
NORTH = 27.0
UNIT_WORDS = {"in": "inches", "mm": "millimetres", "cm": "centimetres"}
#: Lengths half a scale bar may show, in table units.
BAR_LENGTHS = (1, 2, 3, 6, 12, 25, 50, 100, 250)


@dataclass(frozen=True)
class Page:
    """A sheet in pixels laid over the table: turns pixels from a corner into table points."""

    scale: float
    west: float
    north: float

    def at(self, right: float, down: float) -> tuple[float, float]:
        """Return the table point ``right`` and ``down`` pixels from the page's top left corner."""
        return self.west + right / self.scale, self.north - down / self.scale

    def box(self, left: float, top: float, right: float, bottom: float) -> Box:
        """Return a box in table units from one in pixels."""
        (west, north), (east, south) = self.at(left, top), self.at(right, bottom)
        return west, south, east, north

    def panel(
        self, left: float, top: float, right: float, bottom: float, fill: str | None, pen: Pen | None = None
    ) -> Area:
        """Return a rectangle given in pixels."""
        ring = (self.at(left, top), self.at(right, top), self.at(right, bottom), self.at(left, bottom))
        return Area((ring,), fill, pen)


def ruler_step(unit: str, scale: float) -> tuple[float, float]:
    """Return the lengths of a ruler's small and numbered divisions: the finest that stay readable."""
    steps = {
        "in": ((1, 6), (2, 12), (6, 24), (12, 48)),
        "mm": ((25, 100), (50, 200), (100, 500)),
        "cm": ((5, 10), (10, 50), (20, 100)),
    }
    for small, large in steps[unit]:
        if large * scale >= 60 and small * scale >= 7:
            return float(small), float(large)
    small, large = steps[unit][-1]
    return float(small), float(large)


def ruler(unit: str, view: Box, scale: float) -> Layer:
    """Return the frame around a view: a black and white band with figures, as on printed maps."""
    west, south, east, north = view
    small, large = ruler_step(unit, scale)
    sheet, page = Sheet("ruler"), Page(scale, west, north)
    w, h = (east - west) * scale, (north - south) * scale
    ink, paper = colour("page", "rule"), colour("page", "panel")
    sheet.add(page.panel(-7, -7, w + 7, h + 7, None, Pen(ink, 1.0)), page.panel(0, 0, w, h, None, Pen(ink, 1.4)))
    for start, end, place in ((west, east, _across), (south, north, _upward)):
        for i, (a, b) in enumerate(_divisions(start, end, small)):
            fill = ink if round(a / small) % 2 == 0 else paper
            sheet.extend(place(page, (a - start) * scale, (b - start) * scale, w, h, fill, i))
        for value in _marks(start, end, large):
            sheet.extend(_figures(page, value, (value - start) * scale, w, h, place is _across))
    return sheet.layer


def _divisions(start: float, end: float, step: float) -> list[tuple[float, float]]:
    first = int(start // step)
    cuts = [k * step for k in range(first, int(end // step) + 2)]
    return [(max(a, start), min(b, end)) for a, b in pairwise(cuts) if min(b, end) > max(a, start)]


def _marks(start: float, end: float, step: float) -> list[float]:
    return [k * step for k in range(int(-(-start // step)), int(end // step) + 1)]


def _across(page: Page, a: float, b: float, _w: float, h: float, fill: str, _i: int) -> list[Item]:
    return [page.panel(a, -5.5, b, -1.5, fill), page.panel(a, h + 1.5, b, h + 5.5, fill)]


def _upward(page: Page, a: float, b: float, w: float, h: float, fill: str, _i: int) -> list[Item]:
    return [page.panel(-5.5, h - b, -1.5, h - a, fill), page.panel(w + 1.5, h - b, w + 5.5, h - a, fill)]


def _figures(page: Page, value: float, at: float, w: float, h: float, across: bool) -> list[Item]:
    ink, label = colour("page", "quiet"), f"{value:g}"
    spots = ((at, -16.0), (at, h + 16.0)) if across else ((-11.0, h - at), (w + 11.0, h - at))
    anchors: tuple[Anchor, Anchor] = ("middle", "middle") if across else ("end", "start")
    return [Text(page.at(*spot), label, 11.0, ink, anchor=a) for spot, a in zip(spots, anchors, strict=True)]


def heading(page: Page, wide: float, title: str, subtitle: str, north: float = 0.0) -> Layer:
    """Return the title at the top left and the compass, turned to true ``north``, at the top right."""
    sheet, ink = Sheet("heading"), colour("page", "ink")
    sheet.add(Text(page.at(2, 22), title, 25.0, ink, "bold", "start"))
    sheet.add(Text(page.at(2, 46), subtitle, 13.0, colour("page", "quiet"), "plain", "start"))
    right, up = bearing_of(north)
    sheet.add(Stamps("compass", (page.at(wide - 26, 36),), 40.0, pixels=True, turns=(north,) if north else ()))
    sheet.add(Text(page.at(wide - 26 + NORTH * right, 36 - NORTH * up), "N", 14.0, ink, "bold"))
    return sheet.layer


def footing(page: Page, wide: float, battle: Battle) -> Layer:
    """Return the key to sides, conditions and troops, and the scale bar."""
    sheet, room = Sheet("key"), wide - BAR_ROOM
    x = _sides_and_conditions(sheet, page, battle, room)
    _troops(sheet, page, battle, room, x)
    sheet.extend(_scale_bar(page, wide, battle))
    return sheet.layer


def _sides_and_conditions(sheet: Sheet, page: Page, battle: Battle, room: float) -> float:
    """Draw the sides and the badges in the key's first row; return where it ends."""
    x = 2.0
    for side, style in side_styles(u.side for u in battle.units).items():
        x = _key(sheet, page, (x, ROWS[0]), style, "", side.replace("-", " ").capitalize())
    for status in sorted({u.status for u in battle.units} & set(GLYPHS)):
        if x + 44 + width(status, 13.0) < room:
            sheet.add(Stamps(status, (page.at(x + 9, ROWS[0]),), 19.0, pixels=True))
            sheet.add(Text(page.at(x + 24, ROWS[0]), status, 13.0, colour("page", "ink"), "plain", "start"))
            x += 44 + width(status, 13.0)
    return x


def _troops(sheet: Sheet, page: Page, battle: Battle, room: float, x: float) -> None:
    """Draw the kinds of troops present in the second row, then after the end of the first, as far as there is room."""
    style = SideStyle("#8f877a", "#4a443b", "#ffffff", "plain")
    at = {ROWS[1]: 2.0, ROWS[0]: x}
    for troop in sorted({u.troop for u in battle.units if not u.is_general}):
        words = troop.replace("-", " ")
        row = next((y for y in at if at[y] + 31 + width(words, 13.0) < room), None)
        if row is not None:
            at[row] = _key(sheet, page, (at[row], row), style, troop, words, battle)


def _key(
    sheet: Sheet, page: Page, at: Point, style: SideStyle, troop: str, words: str, battle: Battle | None = None
) -> float:
    """Draw one base, or a ship, and its word in the key; return where the next one starts."""
    x, y = at
    vessel = None if battle is None else _vessel(battle, troop)
    x += 0.0 if vessel is None else SHIP[1] - 20.0  # the word keeps clear of her bow
    cx, cy = page.at(x + (12 if vessel is None else 7), y)
    if vessel is not None:
        ship = Base(cx, cy, 90.0, SHIP[0] / page.scale, SHIP[1] / page.scale)
        sheet.extend(ship_items(Unit("key", "", troop, (ship,)), vessel, style))
    else:
        base = Base(cx, cy, 0.0, 23.0 / page.scale, 19.0 / page.scale)
        sheet.extend(swatch(base, style, troop, "" if battle is None else battle.rules))
    face: Face = "plain" if troop else "bold"
    sheet.add(Text(page.at(x + 31, y), words, 13.0 if troop else 15.0, colour("page", "ink"), face, "start"))
    return x + 31 + width(words, 13.0 if troop else 15.0, face) + 20


def _vessel(battle: Battle, troop: str) -> Vessel | None:
    """Return how a ship of this kind looks under sail, after the one that has lost least; None for other troops."""
    found = [vessel for unit in battle.units if unit.troop == troop and (vessel := vessel_of(unit)) is not None]
    best = max(found, key=lambda vessel: (sum(vessel.masts), sum(left for left, _ in vessel.ports)), default=None)
    return None if best is None else replace(best, furled=False, afire=False, colours=True)


def swatch(base: Base, style: SideStyle, troop: str, rules: str = "") -> list[Item]:
    """Return a base of some troops as on the table, for a key; with their rule set's own looks if it is named."""
    outline = tuple((float(x), float(y)) for x, y in base.corners)
    items: list[Item] = [Area((outline,), style.fill), *BORDERS[style.border](base, style)]
    unit = Unit("key", "", troop, (base,), rules=rules)
    figure = looks_of(unit).figure(troop)
    mark = BRANCHES.get(figure) if figure is not None else None
    if mark:
        items += mark(base, unit, style)
    front = (
        *outline[:2],
        base.at_local(base.frontage / 2, -FRONT * base.depth),
        base.at_local(-base.frontage / 2, -FRONT * base.depth),
    )
    return [*items, Area((front,), style.deep), Area((outline,), None, Pen(colour("page", "ink"), 1.2))]


def _scale_bar(page: Page, wide: float, battle: Battle) -> list[Item]:
    """Return the scale bar, the table's unit of length, and the ground that half the bar stands for."""
    step = ([n for n in BAR_LENGTHS if n * page.scale <= 110] or [1])[-1]
    unit, ground = battle.table.unit, ground_of(battle)
    px = step * page.scale
    ink, x0, y = colour("page", "rule"), wide - 2 * px - 24, 36.0
    items: list[Item] = []
    for i in range(4):
        a, b = x0 + i * px / 2, x0 + (i + 1) * px / 2
        items.append(page.panel(a, y, b, y + 6, ink if i % 2 == 0 else colour("page", "panel"), Pen(ink, 1.0)))
    for i, label in ((0, "0"), (2, f"{step}"), (4, f"{2 * step}")):
        items.append(Text(page.at(x0 + i * px / 2, y - 10), label, 12.0, colour("page", "ink")))
    note = UNIT_WORDS[unit] + ("" if ground is None else f"  ·  {step} {unit} = {ground.of(step)}")
    items.append(Text(page.at(x0 + px, y + 18), note, 12.0, colour("page", "quiet")))
    return items


def panel_rule(page: Page, left: float, right: float, y: float) -> Lines:
    """Return a thin line across a panel."""
    return Lines(((page.at(left, y), page.at(right, y)),), Pen(colour("page", "panel_edge"), 1.0))
