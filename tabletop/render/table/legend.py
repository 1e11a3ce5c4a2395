"""The legend: what every line, tint, mark and badge on the table means, only those shown now.

It lies in a corner of the table until it is put away. Where it takes much of the table it folds up to its signs once
the player goes on, and opens again for as long as he points at it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import pygame

from tabletop.battle.naming import side_name
from tabletop.geometry.base import Base
from tabletop.geometry.measure import Point
from tabletop.geometry.verdict import Verdict
from tabletop.render.drawing.furniture import Page, swatch
from tabletop.render.drawing.glyphs import GLYPHS
from tabletop.render.drawing.lettering import width, wrapped
from tabletop.render.drawing.primitives import Area, Circle, Drawing, Frame, Item, Layer, Lines, Pen, Stamps, Text
from tabletop.render.drawing.theme import SideStyle, colour, role_style, side_styles
from tabletop.render.painting.painter import paint
from tabletop.render.settings.model import Overlay
from tabletop.render.table import planning, questions
from tabletop.render.table.foreground import BADGES
from tabletop.render.table.marks import mark
from tabletop.render.table.model import TableModel
from tabletop.render.table.tools import Mark

#: Pixels: letters, rows, the column of signs, margins, the widest line of words, the distance from the corner.
LETTERS, ROW, SIGN, PAD, WORDS, AWAY = 14.0, 20.0, 46.0, 12.0, 250.0, 10.0
#: Rows are no lower where the window is low; rows that the title takes.
LEAST_ROW, HEAD = 17.0, 1.2
TITLE = "Legend"
#: Pixels a sign is wide, and the share of the table that the legend may take with all its words.
SWATCH, MUCH = 34.0, 0.25
CORNERS = ("bottomright", "bottomleft", "topright", "topleft")
#: What marks on enemies mean.
MARKS: Mapping[Mark, str] = {
    Mark.FIRE: "Can be fired at from here",
    Mark.ASSAULT: "Can be assaulted from here",
    Mark.BLOCKED: "In arc and range, but no shot",
    Mark.SEEN: "Seen, but out of arc or range",
    Mark.HIDDEN: "Not seen from here",
}


@dataclass(frozen=True)
class Line:
    """A kind of line or of tinted ground: colour, dash, tint, and whether it is hatched."""

    colour: str
    dash: tuple[float, ...] = ()
    fill: str | None = None
    opacity: float = 0.2
    hatched: bool = False
    outlined: bool = True


@dataclass(frozen=True)
class Badge:
    """A disc with a sign."""

    fill: str
    sign: str


@dataclass(frozen=True)
class Glyph:
    """A symbol on a unit."""

    name: str


@dataclass(frozen=True)
class Army:
    """A base of one side."""

    style: SideStyle


Sign = Line | Badge | Glyph | Army


@dataclass(frozen=True)
class Entry:
    """One line of the legend."""

    sign: Sign
    words: str


# --- what is shown ---------------------------------------------------------------------------------------------------


def entries(model: TableModel) -> tuple[Entry, ...]:
    """Return what is on the table now: sides and states, then each overlay with its lines, then marks."""
    return tuple(dict.fromkeys((*_units(model), *_overlays(model), *_marks(model), *_hand(model))))


def _units(model: TableModel) -> Iterator[Entry]:
    for side, style in side_styles(u.side for u in model.battle.units).items():
        yield Entry(Army(style), side_name(side))
    for status in sorted({u.status for u in model.battle.units} & set(GLYPHS)):
        yield Entry(Glyph(status), status.capitalize())


def _role(role: str, words: str) -> Entry:
    style = role_style(role)
    return Entry(Line(style.colour, style.dash, style.fill, max(style.fill_opacity, 0.12)), words)


def _overlays(model: TableModel) -> Iterator[Entry]:
    for overlay in model.offered:
        if overlay in model.overlays and overlay in _OF:
            yield from _OF[overlay](model)


def _of_unit(question: str, role: str, words: str) -> Callable[[TableModel], Iterator[Entry]]:
    """Return what tells of an area of the unit selected: nothing while it is not there."""

    def found(model: TableModel) -> Iterator[Entry]:
        if model.verdict(question) is not None or model.verdict(question, "first") is not None:
            yield _role(role, words)

    return found


def _arc(model: TableModel) -> Iterator[Entry]:
    verdict = model.verdict("field")
    roles = {shape.role for shape in verdict.shapes} if verdict is not None else set()
    if "arc" in roles:
        yield _role("arc", "Arc, out to the range where it shoots")
    if "band" in roles:
        yield _role("band", "Range bands")


def _ground(model: TableModel) -> Iterator[Entry]:
    if model.verdict("ground") is not None:
        yield Entry(Line("#1d2733", fill="#1d2733", opacity=0.3, outlined=False), "Ground it cannot see")


def _threat(model: TableModel) -> Iterator[Entry]:
    known = [answer for answer in model.foreseen.values() if isinstance(answer, Verdict)]
    if known:
        yield Entry(_threatening(planning.COME_EDGE, 0.13, hatched=True), "Next turn an enemy could move here")
        if any(verdict.measured.get("assault") for verdict in known):
            yield Entry(_threatening(planning.CHARGE_EDGE, 0.16), "Next turn he could assault up to here")
        if any(verdict.measured.get("fire") for verdict in known):
            said = "Next turn he could shoot up to here. An estimate, for shots and assaults never too small"
            yield Entry(_threatening(planning.SHOT_EDGE, 0.08), said)


def _threatening(edge: Pen, opacity: float, hatched: bool = False) -> Line:
    return Line(edge.colour, edge.dash, edge.colour, opacity, hatched)


def _command(model: TableModel) -> Iterator[Entry]:
    if model.verdict("command") is not None:
        yield Entry(Line(planning.COMMAND, (6.0, 2.0, 1.5, 2.0), planning.COMMAND, 0.08), "How far a general helps")
        if model.unit is not None and model.unit.is_general:
            yield Entry(Line(planning.COMMAND, (3.0, 2.0)), "Who is under him")
        elif model.unit is not None:
            yield Entry(Line(colour("answer", "yes")), "To the nearest general: in command")
            yield Entry(Line(colour("answer", "no"), (3.0, 2.0)), "The same: too far away")


def _fallback(model: TableModel) -> Iterator[Entry]:
    unit = model.unit
    if unit is not None and any(model.verdict("fallback", word) for word in questions.driven(model.battle, unit)):
        yield _role("arc", "Where it may fall back if the nearest enemy drove it")
        yield _role("path", "The way it would go")
        yield _role("ghost", "Where it would stand")


def _terrain(model: TableModel) -> Iterator[Entry]:
    for level in sorted({hill.level for hill in model.battle.table.hills if hill.level > 0}):
        tint = planning.LEVELS[min(level, len(planning.LEVELS)) - 1]
        yield Entry(Line("#6b4f22", fill=tint, opacity=0.8), f"Level {level}")
    for word in planning.covers(model.battle.table):
        said, tint, _ = planning.COVER[word]
        yield Entry(Line(tint, fill=tint, opacity=0.12, hatched=True), f"{said.capitalize()} cover")


_OF: Mapping[Overlay, Callable[[TableModel], Iterator[Entry]]] = {
    Overlay.ARC: _arc,
    Overlay.ZONE: _of_unit("zone", "zone", "Zone of control"),
    Overlay.REACH: _of_unit("reach", "reach", "Where its front's middle can go"),
    Overlay.GROUND: _ground,
    Overlay.THREAT: _threat,
    Overlay.COMMAND: _command,
    Overlay.FALLBACK: _fallback,
    Overlay.TERRAIN: _terrain,
}


def _marks(model: TableModel) -> Iterator[Entry]:
    unit = model.unit
    if unit is None or Overlay.ENEMIES not in model.overlays:
        return
    there = {mark(model, enemy.id) for enemy in model.battle.enemies(unit)}
    for one, words in MARKS.items():
        if one in there:
            yield Entry(Badge(*BADGES[one]), words)


def _hand(model: TableModel) -> Iterator[Entry]:
    if model.drag is not None:
        yield _role("path", "The way of the unit in hand")
    if model.stretch is not None:
        yield _role("tape", "The tape, or the line looked along")


# --- on the table ----------------------------------------------------------------------------------------------------


@dataclass
class Legend:
    """The legend on the table: open or put away, and where it lay last (pixels of the table)."""

    open: bool = False
    place: pygame.Rect | None = None
    _corner: str | None = None
    _read: bool = False
    _kept: tuple[tuple[Entry, ...], float, tuple[int, int], bool, pygame.Surface] | None = None

    def turn(self) -> None:
        """Open it, or put it away."""
        self.open, self.place, self._corner, self._read = not self.open, None, None, False

    def fold(self) -> None:
        """Let it fold up to its signs where it takes much of the table: the player goes on."""
        self._read = True

    def hit(self, pixel: tuple[int, int]) -> bool:
        """True where it lies."""
        return self.open and self.place is not None and self.place.collidepoint(pixel)

    def draw(
        self,
        table: pygame.Surface,
        shown: Iterable[Entry],
        density: float,
        busy: Iterable[Point] = (),
        cursor: tuple[int, int] | None = None,
    ) -> None:
        """Lay it into a corner of the table, painted anew only when it says something else.

        Of the corners it takes the one with the fewest of the pixels ``busy`` under it when it is opened.
        """
        if not self.open:
            return
        found, size = tuple(shown), table.get_size()
        pointed_at = cursor is not None and self.hit(cursor)
        told = not self._read or pointed_at or not _takes_much(found, density, size)
        if self._kept is None or self._kept[:4] != (found, density, size, told):
            self._kept = (found, density, size, told, _painted(found, density, size[1], told))
        sheet = self._kept[4]
        inner = table.get_rect().inflate(-2 * round(AWAY * density), -2 * round(AWAY * density))
        places = {corner: sheet.get_rect(**{corner: getattr(inner, corner)}) for corner in CORNERS}
        if self._corner is None:
            spots = tuple(busy)
            self._corner = min(CORNERS, key=lambda c: sum(places[c].collidepoint(spot) for spot in spots))
        self.place = places[self._corner]
        table.blit(sheet, self.place)


def fitted(lines: Sequence[int], room: float) -> tuple[int, float]:
    """Return how many entries of so many lines each have room in so many pixels, and how high their rows are.

    Rows draw together before anything is left out; what is left out is counted in a row of its own.

    >>> fitted([1] * 10, 720.0), fitted([1] * 40, 536.0)
    ((10, 20.0), (26, 17.0))
    """
    free = room - 2 * AWAY - 2 * PAD
    row = min(ROW, max(LEAST_ROW, free / (sum(lines) + HEAD)))
    most, rows, shown = int(free / row - HEAD + 1e-6), 0, 0
    while shown < len(lines) and rows + lines[shown] <= most - (shown < len(lines) - 1):
        rows += lines[shown]
        shown += 1
    return shown, row


@dataclass(frozen=True)
class Setting:
    """How the legend is set: the lines of each entry, how many entries have room, rows, width and height in pixels."""

    texts: list[list[str]]
    shown: int
    row: float
    wide: float
    high: float


def _set(found: tuple[Entry, ...], room: float, told: bool) -> Setting:
    """Return how it is set in so many pixels of height, with its words or folded up to its signs."""
    texts = [wrapped(entry.words, LETTERS, WORDS) if told else [""] for entry in found]
    shown, row = fitted([len(lines) for lines in texts], room if told else room - ROW)
    wide = PAD * 2 + SWATCH
    if told:
        wide = PAD * 2 + SIGN + max([width(t, LETTERS) for lines in texts for t in lines], default=80.0)
    rows = sum(map(len, texts[:shown])) + (shown < len(found) or not told)
    return Setting(texts, shown, row, wide, 2 * PAD + row * (rows + HEAD))


@lru_cache(maxsize=1)
def _takes_much(found: tuple[Entry, ...], density: float, size: tuple[int, int]) -> bool:
    whole = _set(found, size[1] / density, True)
    return whole.wide * whole.high * density**2 > MUCH * size[0] * size[1]


def _painted(found: tuple[Entry, ...], density: float, room: int, told: bool) -> pygame.Surface:
    """Return the legend as a picture; what has no room in height is left out and counted."""
    setting = _set(found, room / density, told)
    wide, high, row, left = setting.wide, setting.high, setting.row, len(found) - setting.shown
    sheet = pygame.Surface((round(wide * density), round(high * density)))
    sheet.fill(colour("page", "panel"))
    page = Page(1.0, 0.0, 0.0)
    items = [*_heading(page, wide, row, told), *_items(found[: setting.shown], setting.texts, page, row)]
    quiet, last = colour("page", "quiet"), high - PAD - row / 2
    if left and told:
        more = f"and {left} more: less on show, or a higher window"
        items.append(Text(page.at(PAD, last), more, LETTERS, quiet, anchor="start"))
    elif not told:
        items.append(Text(page.at(wide / 2, last), f"+{left} ..." if left else "...", LETTERS, quiet, "bold"))
    drawing = Drawing((Layer("legend", tuple(items)),), page.box(0, 0, wide, high), 1.0)
    paint(sheet, drawing, Frame(density, 0.0, 0.0), density)
    pygame.draw.rect(sheet, colour("page", "panel_edge"), sheet.get_rect(), max(1, round(density)))
    return sheet


def _heading(page: Page, wide: float, row: float, told: bool) -> Iterator[Item]:
    """Yield the title and the key that puts it away; folded up there is room for the title alone."""
    ink, y = colour("page", "ink"), PAD + row / 2
    if not told:
        yield Text(page.at(wide / 2, y), TITLE, LETTERS, ink)
        return
    yield Text(page.at(PAD, y), TITLE, LETTERS + 1, ink, "bold", "start")
    yield Text(page.at(wide - PAD, y), "K", LETTERS, colour("page", "quiet"), "bold", "end")


def _items(found: tuple[Entry, ...], texts: list[list[str]], page: Page, row: float) -> Iterator[Item]:
    ink, y = colour("page", "ink"), PAD + row / 2 + HEAD * row
    for entry, lines in zip(found, texts, strict=False):
        yield from _DRAWN[type(entry.sign)](entry.sign, page, y)
        for line in lines:
            yield Text(page.at(PAD + SIGN, y), line, LETTERS, ink, anchor="start")
            y += row


def _line(sign: Line, page: Page, y: float) -> Iterator[Item]:
    left, right, top, bottom = PAD, PAD + SWATCH, y - 7.0, y + 7.0
    if sign.fill is None:
        yield Lines(((page.at(left, y), page.at(right, y)),), Pen(sign.colour, 2.5, dash=sign.dash))
        return
    pen = Pen(sign.colour, 2.0, dash=sign.dash) if sign.outlined else None
    panel = page.panel(left, top, right, bottom, sign.fill, pen)
    yield Area(panel.rings, panel.fill, panel.pen, sign.opacity)
    if sign.hatched:
        lines = tuple((page.at(left + n * 8, bottom), page.at(left + n * 8 + 10, top)) for n in range(4))
        yield Lines(lines, Pen(sign.colour, 1.2, opacity=0.7))


def _badge(sign: Badge, page: Page, y: float) -> Iterator[Item]:
    at = page.at(PAD + 17, y)
    yield Circle(at, 8.5, fill=sign.fill, pen=Pen("#ffffff", 1.0), pixels=True)
    yield Text(at, sign.sign, LETTERS, "#ffffff", "bold")


def _glyph(sign: Glyph, page: Page, y: float) -> Iterator[Item]:
    yield Stamps(sign.name, (page.at(PAD + 17, y),), 18.0, pixels=True)


def _army(sign: Army, page: Page, y: float) -> Iterator[Item]:
    x, north = page.at(PAD + 17, y)
    yield from swatch(Base(x, north, 0.0, 20.0, 13.0), sign.style, "")


_DRAWN: Mapping[type, Callable[..., Iterator[Item]]] = {Line: _line, Badge: _badge, Glyph: _glyph, Army: _army}
