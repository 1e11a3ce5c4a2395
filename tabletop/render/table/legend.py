"""The legend: the meaning of every line, tint, mark and badge now shown on the table.

It is docked beside the table until the player hides it, and scrolls if it is too high for the window.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pygame
import shapely

from tabletop.battle.naming import side_name
from tabletop.geometry.base import Base
from tabletop.geometry.verdict import Verdict
from tabletop.render.drawing import own_kinds, sea
from tabletop.render.drawing.furniture import Page, swatch
from tabletop.render.drawing.glyphs import GLYPHS
from tabletop.render.drawing.lettering import wrapped
from tabletop.render.drawing.primitives import Area, Circle, Drawing, Frame, Item, Layer, Lines, Pen, Stamps, Text
from tabletop.render.drawing.theme import SideStyle, colour, look, role_style, side_styles
from tabletop.render.painting.painter import paint
from tabletop.render.settings.model import Overlay
from tabletop.render.table import planning, questions
from tabletop.render.table.foreground import BADGES
from tabletop.render.table.marks import mark
from tabletop.render.table.model import TableModel
from tabletop.render.table.tools import Mark
from tabletop.rules.asked import ASSAULT, FIRE
from tabletop.rules.terrain_kinds import own_kind
from tabletop.rules.traits import traits_on

#: Pixels: letters, rows, the column of signs, margins, the height of the title, a sign's width.
LETTERS, ROW, SIGN, PAD, HEAD, SWATCH = 14.0, 20.0, 46.0, 12.0, 26.0, 34.0
#: Pixels scrolled by a wheel notch, and the width of the scroll bar.
NOTCH, RAIL = 40.0, 5.0
#: Pixels of an inch in which the pattern of a kind of ground is shown.
INCH = 17.0
TITLE = "Legend"
#: Meanings of the marks on enemies.
MARKS: Mapping[Mark, str] = {
    Mark.FIRE: "Can be fired at from here",
    Mark.ASSAULT: "Can be assaulted from here",
    Mark.BLOCKED: "In arc and range, but no shot",
    Mark.SEEN: "Seen, but out of arc or range",
    Mark.HIDDEN: "Not seen from here",
}


@dataclass(frozen=True)
class Line:
    """The style of a line or tinted area: colour, dash, tint, hatching."""

    colour: str
    dash: tuple[float, ...] = ()
    fill: str | None = None
    opacity: float = 0.2
    hatched: bool = False
    outlined: bool = True


@dataclass(frozen=True)
class Badge:
    """A disc with a sign on it."""

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


@dataclass(frozen=True)
class Word:
    """A word that stands on the ground."""

    text: str


@dataclass(frozen=True)
class Patch:
    """Ground of a kind that a rule set defines: its colour, its outline's, and its pattern."""

    fill: str
    ink: str
    pattern: str


Sign = Line | Badge | Glyph | Army | Word | Patch


@dataclass(frozen=True)
class Entry:
    """One line of the legend."""

    sign: Sign
    words: str


# --- entries ---------------------------------------------------------------------------------------------------------


def entries(model: TableModel) -> tuple[Entry, ...]:
    """Return the entries for what is on the table now: sides and states, each overlay with its lines, then marks."""
    parts = (_units(model), _overlays(model), _marks(model), _hand(model), _kinds(model), _fields(model))
    return tuple(dict.fromkeys(entry for part in parts for entry in part))


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
    """Return the function that yields an area's entry, or nothing while the area is not known."""

    def area_entry(model: TableModel) -> Iterator[Entry]:
        if model.verdict(question) is not None or model.verdict(question, "first") is not None:
            yield _role(role, words)

    return area_entry


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
        if any(verdict.measured.get(ASSAULT) for verdict in known):
            yield Entry(_threatening(planning.CHARGE_EDGE, 0.16), "Next turn he could assault up to here")
        if any(verdict.measured.get(FIRE) for verdict in known):
            label = "Next turn he could shoot up to here. An estimate, for shots and assaults never too small"
            yield Entry(_threatening(planning.SHOT_EDGE, 0.08), label)


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
        label, tint, _ = planning.COVER[word]
        yield Entry(Line(tint, fill=tint, opacity=0.12, hatched=True), f"{label.capitalize()} cover")
    found = {trait.name: trait for piece in model.battle.table.terrain for trait in traits_on(model.battle, piece)}
    for _, trait in sorted(found.items()):
        yield Entry(Word(trait.name[:1].upper()), trait.line)


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
    shown = {mark(model, enemy.id) for enemy in model.battle.enemies(unit)}
    for relation, words in MARKS.items():
        if relation in shown:
            yield Entry(Badge(*BADGES[relation]), words)


def _hand(model: TableModel) -> Iterator[Entry]:
    if model.drag is not None:
        yield _role("path", "The way of the unit in hand")
    if model.stretch is not None:
        yield _role("tape", "The tape, or the line looked along")


def _kinds(model: TableModel) -> Iterator[Entry]:
    """Yield the kinds of terrain on the table that the rule set defines, as it explains them."""
    found = {kind.name: kind for piece in model.battle.table.terrain if (kind := own_kind(piece)) is not None}
    for name, kind in sorted(found.items()):
        words = f"{name.replace('-', ' ').capitalize()}: {kind.about}"
        yield Entry(Patch(*own_kinds.tones(kind), kind.pattern), words)


def _fields(model: TableModel) -> Iterator[Entry]:
    table, painted = model.battle.table, look() == "painted"
    if table.fields or (painted and not sea.is_sea(table)):
        yield Entry(Line("#8d8450", (1.0, 2.2), "#aba065", 0.6), "Fields: no effect, whatever grows there")
    if painted and model.battle.clock.turn:
        yield Entry(Glyph("smoke-1"), "Smoke, the fallen, flags: no effect")


# --- on the table ----------------------------------------------------------------------------------------------------


@dataclass
class Legend:
    """The legend: whether it is open, and how far it is scrolled (in design pixels)."""

    open: bool = False
    scrolled: float = 0.0
    _kept: tuple[tuple[Entry, ...], float, int, pygame.Surface] | None = None

    def turn(self) -> None:
        """Open or close it."""
        self.open, self.scrolled = not self.open, 0.0

    def scroll(self, notches: int) -> None:
        """Scroll down by this many wheel notches, or up if negative."""
        self.scrolled = max(0.0, self.scrolled + notches * NOTCH)

    def draw(self, surface: pygame.Surface, place: pygame.Rect, shown: Iterable[Entry], density: float) -> None:
        """Draw it into a rectangle of the window; it is repainted only when its entries or the width change."""
        place = place.clip(surface.get_rect())
        if not (self.open and place.width and place.height):
            return
        rows = tuple(shown)
        if self._kept is None or self._kept[:3] != (rows, density, place.width):
            self._kept = (rows, density, place.width, _rows_painted(rows, density, place.width))
        sheet, head = self._kept[3], round((PAD / 2 + HEAD) * density)
        room = max(1, place.height - head)
        self.scrolled = min(self.scrolled, max(0, sheet.get_height() - room) / density)
        surface.fill(colour("page", "panel"), place)
        paint(surface.subsurface(place), _heading(place.width / density), Frame(density, 0.0, 0.0), density)
        top = round(self.scrolled * density)
        surface.blit(sheet, (place.left, place.top + head), (0, top, place.width, room))
        if sheet.get_height() > room:
            rail = round(RAIL * density)
            long = max(rail, room * room // sheet.get_height())
            at = place.top + head + top * room // sheet.get_height()
            pygame.draw.rect(surface, colour("page", "panel_edge"), (place.right - 2 * rail, at, rail, long))
        pygame.draw.rect(surface, colour("page", "panel_edge"), place, max(1, round(density)))


def _rows_painted(shown_entries: tuple[Entry, ...], density: float, wide: int) -> pygame.Surface:
    """Return all entries as a picture of this width in pixels."""
    room = wide / density - 2 * PAD - SIGN
    texts = [wrapped(entry.words, LETTERS, room) for entry in shown_entries]
    high = ROW * sum(map(len, texts)) + PAD
    page = Page(1.0, 0.0, 0.0)
    sheet = pygame.Surface((wide, max(1, round(high * density))))
    sheet.fill(colour("page", "panel"))
    layer = Layer("legend", tuple(_items(shown_entries, texts, page)))
    paint(sheet, Drawing((layer,), page.box(0, 0, wide / density, high), 1.0), Frame(density, 0.0, 0.0), density)
    return sheet


def _heading(wide: float) -> Drawing:
    """Return the title and the key that closes the legend."""
    page, y = Page(1.0, 0.0, 0.0), PAD / 2 + HEAD / 2
    items = (
        Text(page.at(PAD, y), TITLE, LETTERS + 1, colour("page", "ink"), "bold", "start"),
        Text(page.at(wide - PAD, y), "K", LETTERS, colour("page", "quiet"), "bold", "end"),
    )
    return Drawing((Layer("legend", items),), page.box(0, 0, wide, PAD + HEAD), 1.0)


def _items(shown_entries: Sequence[Entry], texts: Sequence[Sequence[str]], page: Page) -> Iterator[Item]:
    ink, y = colour("page", "ink"), ROW / 2
    for entry, lines in zip(shown_entries, texts, strict=True):
        yield from _DRAWN[type(entry.sign)](entry.sign, page, y)
        for line in lines:
            yield Text(page.at(PAD + SIGN, y), line, LETTERS, ink, anchor="start")
            y += ROW


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


def _word(sign: Word, page: Page, y: float) -> Iterator[Item]:
    yield Text(page.at(PAD + 17, y), sign.text, LETTERS - 2, planning.TRAIT, "bold")


def _patch(sign: Patch, page: Page, y: float) -> Iterator[Item]:
    """Yield a swatch of a kind of ground, its pattern drawn for an inch of so many pixels that some marks show."""
    left, right, top, bottom = PAD, PAD + SWATCH, y - 7.0, y + 7.0
    yield page.panel(left, top, right, bottom, sign.fill, Pen(sign.ink, 1.5))
    found = own_kinds.marks(sign.pattern, shapely.box(0.0, 0.0, right - left, bottom - top), INCH)
    strokes = tuple(tuple(page.at(left + x, top + y) for x, y in stroke) for stroke in found.strokes)
    if strokes:
        yield Lines(strokes, Pen(sign.ink, 1.0))
    yield from (Circle(page.at(left + x, top + y), 1.2, sign.ink, pixels=True) for x, y in found.dots)


_DRAWN: Mapping[type, Callable[..., Iterator[Item]]] = {
    Line: _line, Badge: _badge, Glyph: _glyph, Army: _army, Word: _word, Patch: _patch,
}  # fmt: skip
