"""The judge's table as drawn: the ground with the photo over it, the units, the proof, what is in hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import pygame
from PIL import Image

from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Table
from tabletop.geometry.verdict import Verdict
from tabletop.render.drawing import scene
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.landscape import store
from tabletop.render.drawing.primitives import Drawing, Frame, Layer
from tabletop.render.drawing.proof_page import names_and_words
from tabletop.render.drawing.theme import colour
from tabletop.render.judge import marks
from tabletop.render.judge.controller import JudgeController, Mode
from tabletop.render.painting.painter import paint
from tabletop.render.table.canvas import Canvas, seen_from
from tabletop.render.table.sheets import Sheet

#: Letter height of names.
LETTERS = 14.0
#: Milliseconds that the ground must be unchanged before it is painted; until then a map stands in.
RESTS = 700


class View(Canvas):
    """Paints the judge's table through a camera, caching the parts that did not change."""

    def __init__(self) -> None:
        super().__init__()
        self._photo: tuple[Image.Image, pygame.Surface] | None = None
        self._same_since: tuple[str, int] = ("", 0)

    def show(
        self, table: pygame.Surface, controller: JudgeController, camera: Camera, box: tuple[Point, Point] | None
    ) -> None:
        """Draw the table and everything on it."""
        seen_from(controller.battle.table, camera)
        self._still(table, cast(Any, controller), camera)
        verdict, over = _proved(controller), marks.drawing(controller, camera.drawn, box)
        lines = () if verdict is None else self._proof(controller, verdict, camera.drawn).layers[1:2]
        written = self._written_clear_of(controller, camera, over)
        paint(table, replace(over, layers=(*lines, *over.layers, *written)), camera, camera.density)

    def _written_clear_of(self, controller: JudgeController, camera: Camera, over: Drawing) -> tuple[Layer, ...]:
        """Return the names, and the words of a proof, that nothing laid over them hides in part."""
        return self._clear.of(self._made.apart((self._names_of(controller, camera),)), over.layers, camera.drawn)

    def drawings(self, controller: Any, camera: Camera, between: Sequence[Drawing] = ()) -> tuple[Drawing, ...]:
        """Return drawings of the table and everything on it except the photo, the lowest first, for a file."""
        battle, scale = controller.battle, camera.drawn
        terrain = self._drawn_ground(controller)
        units, over = scene.unit_layer(battle), marks.drawing(controller, scale, None)
        names = replace(over, layers=self._written_clear_of(controller, camera, over))
        verdict = controller.verdict if controller.mode is Mode.ASK else None
        proof = self._proof(controller, verdict, scale).layers if verdict is not None else ()
        areas, lines = (Drawing(layers, (0.0, 0.0, 1.0, 1.0), scale) for layers in (proof[:1], proof[1:]))
        return terrain, areas, units, lines, over, names

    def show_photo(self, table: pygame.Surface, controller: JudgeController, camera: Camera) -> None:
        """Draw the photo as taken, with its four handles; the camera measures its pixels, y up."""
        photo = controller.backdrop.photo
        assert photo is not None
        table.fill(colour("page", "quiet"))
        width, height = photo.picture.size
        _laid(table, self._surface_of(photo.picture), camera, (float(width), float(height)))
        corners = [(x, height - y) for x, y in photo.corners]
        paint(table, marks.photo_handles(corners), camera, camera.density)

    def show_card(self, table: pygame.Surface, card: Drawing, density: float) -> None:
        """Draw the card, as large as there is room."""
        table.fill(colour("page", "quiet"))
        wide, high = card.size
        share = 0.96 * min(table.get_width() / wide, table.get_height() / high)
        size = max(1, round(wide * share)), max(1, round(high * share))

        def make(sheet: pygame.Surface) -> None:
            sheet.fill(card.background or "#ffffff")
            paint(sheet, card, Frame.of(card, share), share)

        sheet = self._sheets.painted("card", (card,), size, make).surface
        table.blit(sheet, sheet.get_rect(center=table.get_rect().center))

    # --- the still picture -------------------------------------------------------------------------------------------

    def _table_of(self, controller: Any) -> Table:
        return cast(Table, controller.battle.table)

    def _ground(self, size: tuple[int, int], controller: Any, camera: Camera) -> Sheet:
        """Return the ground, the photo over it at the chosen opacity, and the areas of the proof."""
        drawing, back = self._drawn_ground(controller), controller.backdrop
        bare = self._sheets.painted("ground", (camera, drawing), size, lambda sheet: _painted(sheet, drawing, camera))
        image = back.image if back.shown else None
        verdict = _proved(controller)

        def make(sheet: pygame.Surface) -> None:
            sheet.blit(bare.surface, (0, 0))
            if image is not None:
                _laid(sheet, self._surface_of(image), camera, controller.size, back.opacity)
            if verdict is not None:
                area = self._proof(controller, verdict, camera.drawn).layers[0]
                paint(sheet, Drawing((area,), (0.0, 0.0, 1.0, 1.0), camera.drawn), camera, camera.density)

        return self._sheets.painted("areas", (camera, drawing, image, back.opacity, verdict), size, make)

    def _drawn_ground(self, controller: Any) -> Drawing:
        return self._drawing(
            "terrain", self._ground_of(controller), lambda: scene.terrain_layer(controller.battle, wait=False)
        )

    def _is_to_stay(self, table: Table) -> bool:
        """Return whether the ground has been unchanged for a while."""
        now, digest = pygame.time.get_ticks(), store.digest(table)
        if digest != self._same_since[0]:
            self._same_since = (digest, now)
        return now - self._same_since[1] >= RESTS

    def _pieces(self, size: tuple[int, int], controller: Any, camera: Camera) -> Sheet:
        """Return the units, half transparent over a photo, or while they are moved."""
        battle = controller.battle
        traced = controller.backdrop.shown and controller.mode in (Mode.PLACE, Mode.PHOTO)
        faint = tuple(unit.id for unit in battle.units if traced) or (controller.held.names if controller.held else ())
        units = self._drawing("units", (battle, ",".join(faint)), lambda: scene.unit_layer(battle, faint=faint))

        def make(sheet: pygame.Surface) -> None:
            sheet.fill((0, 0, 0, 0))
            paint(sheet, units, camera, camera.density)

        return self._sheets.painted("pieces", (camera, units), size, make, pygame.SRCALPHA)

    def _names_of(self, controller: JudgeController, camera: Camera) -> Drawing:
        """Return the names, including the words of a proof."""
        battle, first, verdict, scale = (
            controller.battle,
            tuple(controller.asking.units),
            _proved(controller),
            camera.drawn,
        )
        kept_off = marks.signs(controller, scale)
        parts = (battle, scale, ",".join(first), verdict, str(kept_off))

        def make() -> Drawing:
            if verdict is None:
                return scene.name_layer(battle, scale, first=first, off=kept_off)
            whole = (0.0, 0.0, *controller.size)
            return Drawing((names_and_words(battle, verdict, whole, scale, LETTERS),), whole, scale)

        return self._drawing("names", parts, make)

    def _proof(self, controller: JudgeController, verdict: Verdict, scale: float) -> Drawing:
        """Return a verdict's three layers: areas, lines, words."""
        make = lambda: scene.verdict_layer(verdict, scale, controller.battle)  # noqa: E731 - kept until one of its parts changes
        return self._drawing("proof", (verdict, scale, controller.battle), make)

    def _surface_of(self, image: Image.Image) -> pygame.Surface:
        if self._photo is None or self._photo[0] is not image:
            made = pygame.image.frombytes(image.tobytes(), image.size, "RGB")
            self._photo = (image, made.convert() if pygame.display.get_surface() else made)
        return self._photo[1]


def _proved(controller: JudgeController) -> Verdict | None:
    """Return the verdict whose proof is shown."""
    return controller.verdict if controller.mode is Mode.ASK else None


def _painted(sheet: pygame.Surface, drawing: Drawing, camera: Camera) -> None:
    sheet.fill(colour("page", "paper"))
    paint(sheet, drawing, camera, camera.density)


def _laid(
    sheet: pygame.Surface, picture: pygame.Surface, camera: Camera, size: tuple[float, float], opacity: float = 1.0
) -> None:
    """Draw a picture that spans (0, 0) to ``size`` in table units; only the visible part is scaled."""
    wide, high = picture.get_size()
    per_x, per_y = wide / size[0], high / size[1]
    west, north = camera.to_table((0, 0))
    east, south = camera.to_table((camera.width, camera.height))
    left, right = max(0, int(west * per_x)), min(wide, int(east * per_x) + 2)
    top, bottom = max(0, int((size[1] - north) * per_y)), min(high, int((size[1] - south) * per_y) + 2)
    if right <= left or bottom <= top:
        return
    part = picture.subsurface(pygame.Rect(left, top, right - left, bottom - top))
    a = camera.to_screen((left / per_x, size[1] - top / per_y))
    b = camera.to_screen((right / per_x, size[1] - bottom / per_y))
    target = max(1, round(b[0]) - round(a[0])), max(1, round(b[1]) - round(a[1]))
    shown = pygame.transform.smoothscale(part, target)
    shown.set_alpha(round(255 * opacity))
    sheet.blit(shown, (round(a[0]), round(a[1])))
