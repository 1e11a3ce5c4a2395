"""The screen of the settings: every choice visible and effective at once, with a picture of its effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pygame
import shapely

from tabletop.battle.battle import Battle
from tabletop.play.files.load import load_scene
from tabletop.play.files.named_files import first_battle
from tabletop.render.drawing import scene, theme
from tabletop.render.drawing.colour_names import name_of
from tabletop.render.drawing.ground import is_painted
from tabletop.render.drawing.landscape.baking import Baker
from tabletop.render.drawing.lettering import width
from tabletop.render.drawing.primitives import Frame
from tabletop.render.painting.painter import paint
from tabletop.render.screens import Look, Maker, Set
from tabletop.render.settings.model import CHOICES, Settings, settings_file
from tabletop.render.table import bindings
from tabletop.render.table.bindings import BINDINGS
from tabletop.render.widgets.pages.brush import Brush, Place, height_of
from tabletop.render.widgets.pages.page_with_back import PageWithBack
from tabletop.render.widgets.pages.spots import Spot, button, radio, text, words

#: Scales to choose from, in percent.
SCALES = (100, 125, 150, 175, 200, 225, 250)
#: The label of each choice, and hints.
LABELS: Mapping[str, Mapping[object, str]] = {
    "palette": {
        "plain": "Usual; also for eyes that do not tell red from green",
        "tritanopia": "For eyes that do not tell blue from yellow",
        "grey": "Shades of grey, as for print",
    },
    "look": {"painted": "Painted table", "map": "Staff map", "plain": "Plain, for print"},
    "symbols": {
        "look": "As the table has them",
        "period": "Marks of the branch",
        "nato": "Cards of modern maps",
        "figures": "Figures",
    },
    "pace": {"slow": "Slow", "normal": "Normal", "fast": "Fast", "at once": "At once"},
    "sound": {False: "Off", True: "On"},
    "captions": {False: "Off", True: "On"},
    "coach": {"first": "First battle", "always": "Always", "off": "Off"},
    "units": {"table": "The table's own", "inches": "Inches", "centimetres": "Centimetres"},
}
HEADS: Mapping[str, str] = {
    "palette": "Colours",
    "look": "Table",
    "symbols": "Troops",
    "pace": "What happens is shown",
    "sound": "Sound",
    "captions": "Captions of sounds",
    "coach": "Coach",
    "units": "Lengths",
}
HINTS: Mapping[str, str] = {
    "palette": "Sides also differ by border, verdicts by word and sign: nothing is told by colour alone",
    "look": "How the table is drawn; the fields of a painted one are there for the eye alone",
    "symbols": "How infantry, cavalry, artillery and generals are marked; a painted table has figures for a close view",
    "pace": "How fast actions are shown after they are done; any key skips",
    "sound": "A few quiet sounds: drums, hooves, muskets, guns",
    "captions": "What is heard is written at the table's edge as well, with sound or without",
    "coach": "One short warning before certain waste or an opened flank; silent on what you did right twice",
    "units": "Only how lengths are shown; the table is measured in the unit of its rules",
}
#: Heights of a heading and a row, the gap after a part; the width from which two columns stand side by side.
HEADING, ROW, AIR, TWO = 30, 30, 14, 860
#: Minimum width of a button with a scale on it.
SHARE = 64
KEY_WIDE = 120
#: Letter size of the hints, and rows of the colours with their names.
HINT, SWATCHES = 14, 2
#: Height of the sample, its pixels to a table unit, and how far (table units) what is drawn of a thing may reach.
PICTURE, CLOSE, BESIDE = 190, 44.0, 2.0


def setting() -> Maker:
    """Return the function that makes the screen of the settings."""
    return lambda look: Setting(look)


class Setting(PageWithBack):
    """The settings, each applied as soon as it is chosen."""

    title = "Settings"
    keys = "Arrows and Tab choose, Space or Enter sets, Esc goes back. Everything is kept at once."

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.waiting: str | None = None
        self._battle = load_scene(first_battle("sample"))
        self._picture: tuple[tuple[Settings, tuple[int, int], int], pygame.Surface] | None = None
        self._baker = Baker()

    def close(self) -> None:
        """Stop the painter."""
        self._baker.close()

    @property
    def settings(self) -> Settings:
        """The present settings."""
        return self.look.settings

    # --- layout ------------------------------------------------------------------------------------------------------

    def head(self) -> Sequence[tuple[str, str, str]]:
        """The button that resets everything."""
        return (("usual", "All as usual", f"Put every setting back; they are kept in {settings_file()}"),)

    def content(self, left: float, top: float, wide: float, high: float) -> Sequence[Spot]:
        """Return the looks at the left and the keys at the right; one above the other on a narrow page."""
        if wide < TWO:
            spots, below = self._looks(left, top, wide)
            return [*spots, *self._keys_laid(left, below, wide)]
        half = (wide - 40) / 2
        spots, _ = self._looks(left, top, half)
        return [*spots, *self._keys_laid(left + half + 40, top, half)]

    def _looks(self, left: float, top: float, wide: float) -> tuple[list[Spot], float]:
        spots, top = self._scales(left, top, wide)
        spots.append(Spot((left, top, wide, PICTURE), lambda b, p, _: self._draw_sample(b, p)))
        top += PICTURE + AIR
        for name in HEADS:
            across = name != "palette"
            spots.append(Spot((left, top, wide, HEADING), words(HEADS[name], 16, "bold")))
            high = height_of(HINTS[name], wide, HINT)
            spots.append(Spot((left, top + HEADING - 3, wide, high), text(HINTS[name], HINT, "quiet")))
            laid, top = self._choices(name, left, top + HEADING + high, wide, across)
            spots += laid
            if name == "palette":
                spots.append(Spot((left, top, wide, SWATCHES * ROW), lambda b, p, _: swatches(b, p)))
                top += SWATCHES * ROW
            top += AIR
        return spots, top

    def _scales(self, left: float, top: float, wide: float) -> tuple[list[Spot], float]:
        spots = [Spot((left, top, wide, HEADING), words("Size of letters and buttons", 16, "bold"))]
        columns = next(n for n in (len(SCALES), 4, 1) if (wide + 6) / n - 6 >= SHARE or n == 1)
        each, top = (wide + 6) / columns - 6, top + HEADING
        for k, share in enumerate(SCALES):
            chosen = round(self.settings.scale * 100) == share
            place = (left + k % columns * (each + 6), top + k // columns * 40, each, 34)
            hint = "How large everything but the table is drawn"
            spots.append(Spot(place, button(f"{share} %", chosen), f"scale:{share}", hint))
        return spots, top + (len(SCALES) - 1) // columns * 40 + 34 + AIR

    def _choices(self, name: str, left: float, top: float, wide: float, across: bool) -> tuple[list[Spot], float]:
        """Return the choices of a setting, side by side if they fit."""
        now, spots = getattr(self.settings, name), []
        x, y = left, top
        for value in CHOICES[name]:
            label = LABELS[name][value]
            room = min(wide, width(label, 15, "bold") + 48)
            if x > left and (not across or x + room > left + wide):
                x, y = left, y + ROW
            spots.append(Spot((x, y, room, ROW), radio(label, now == value), f"{name}:{value}", HINTS[name]))
            x += room
        return spots, y + ROW

    def _keys_laid(self, left: float, top: float, wide: float) -> list[Spot]:
        spots = [Spot((left, top, wide, HEADING), words("Keys", 16, "bold"))]
        top += HEADING
        now = bindings.in_use(self.settings.keys)
        for row in BINDINGS:
            waits = self.waiting == row.name
            label = "press a key" if waits else bindings.shown(now[row.name])
            moved = now[row.name] != row.key
            hint = f"Put this on another key; usually {bindings.shown(row.key)}. Esc leaves it"
            does = row.does[0].upper() + row.does[1:]
            spots.append(Spot((left, top, KEY_WIDE, ROW - 3), button(label, waits or moved), f"key:{row.name}", hint))
            spots.append(Spot((left + KEY_WIDE + 14, top, wide - KEY_WIDE - 14, ROW - 3), words(does)))
            top += ROW
        return spots

    def _draw_sample(self, brush: Brush, place: Place) -> None:
        """Draw a piece of a battle in the present look."""
        rect = brush.rect(place)
        if theme.look() == "painted":
            self._baker.want(self._battle.table)
        key = (self.settings.changed(keys={}), rect.size, self._baker.done)
        if self._picture is None or self._picture[0] != key:
            self._picture = (key, _sample(self._battle, rect.size, self.scale))
        brush.surface.blit(self._picture[1], rect)
        brush.paper(place, "", "edge", 0)

    # --- actions -----------------------------------------------------------------------------------------------------

    def chose(self, word: str) -> None:
        """Apply a choice, or wait for a key."""
        kind, _, value = word.partition(":")
        self.note = ""
        if kind == "key":
            self.waiting = None if self.waiting == value else value
            self.note = "Press the key for it, Esc leaves it as it is." if self.waiting else ""
            return
        self.waiting = None
        self._set(_taken(self.settings, kind, value))

    def _set(self, settings: Settings) -> None:
        if settings != self.settings:
            self.going = Set(settings)

    def _key(self, event: pygame.event.Event) -> None:
        if self.waiting is None:
            super()._key(event)
        elif event.key == pygame.K_ESCAPE:
            self.waiting, self.note = None, ""
            self.anew()
        else:
            self._put_on(pygame.key.name(event.key))

    def _put_on(self, key: str) -> None:
        assert self.waiting is not None
        keys = self.settings.keys
        self.note = bindings.clash(keys, self.waiting, key)
        if not self.note:
            self._set(self.settings.changed(keys=bindings.changed(keys, self.waiting, key)))
            self.waiting = None
        self.anew()


def swatches(brush: Brush, place: Place) -> None:
    """Draw the colours of the sides, then of yes and no, each with its name for those who cannot see it."""
    left, top, wide, _ = place
    sides = theme.theme()["sides"]
    rows = (
        ("Sides", [str(sides["colours"][side]["fill"]) for side in sides["order"]]),
        ("Yes and no", [theme.colour("answer", word) for word in ("yes", "no")]),
    )
    for number, (head, colours) in enumerate(rows):
        y, x = top + (number + 0.5) * ROW, left
        for label, fill in ((head, ""), *((name_of(fill), fill) for fill in colours)):
            if fill:
                pygame.draw.rect(brush.surface, fill, brush.rect((x, y - 7, 14, 14)))
                x += 19
            brush.line(label, x, y, max(1.0, left + wide - x), HINT)
            x += width(label, HINT) + 13


def _taken(settings: Settings, kind: str, value: str) -> Settings:
    """Return the settings with a choice applied."""
    if kind == "usual":
        return Settings()
    if kind == "scale":
        return settings.changed(scale=int(value) / 100)
    return settings.changed(**{kind: next(choice for choice in CHOICES[kind] if str(choice) == value)})


def _sample(battle: Battle, size: tuple[int, int], density: float) -> pygame.Surface:
    """Return a picture of the middle of a battle in this size."""
    surface = pygame.Surface((max(1, size[0]), max(1, size[1])))
    x, y = np.median([unit.at for unit in battle.units], axis=0)
    scale = CLOSE * density
    left, top = float(x) - size[0] / 2 / scale, float(y) + size[1] / 2 / scale
    theme.view_from(CLOSE)
    seen = _in_view(battle, shapely.box(left, top - size[1] / scale, left + size[0] / scale, top))
    ground = battle if is_painted(battle.table) else seen
    for drawing in (scene.terrain_layer(ground, wait=False), scene.unit_layer(seen)):
        paint(surface, drawing, Frame(scale, left, top), density)
    return surface


def _in_view(battle: Battle, view: shapely.Geometry) -> Battle:
    """Return the part of a battle that can be seen: to draw all of it takes several times as long."""
    near = shapely.buffer(view, BESIDE)
    pieces = tuple(piece for piece in battle.table.terrain if shapely.intersects(piece.shape, near))
    units = tuple(unit for unit in battle.units if shapely.intersects(unit.footprint, near))
    return replace(battle, table=replace(battle.table, terrain=pieces), units=units)
