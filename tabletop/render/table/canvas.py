"""The table in the window: a still picture, cached until its content changes, with moving things drawn over it.

No frame waits long for painting. When the camera moves, the last still is shifted and scaled until there is time to
paint it anew; while a unit is dragged, its areas are repainted a few times a second.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pygame

from tabletop.battle.battle import Battle
from tabletop.battle.lengths import inch
from tabletop.geometry.terrain import Table
from tabletop.render.drawing import scene, sea, theme
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.gradual import Gradual, Work
from tabletop.render.drawing.landscape.baking import Baker
from tabletop.render.drawing.primitives import Drawing, Layer, Text
from tabletop.render.painting.extents import pixels_of
from tabletop.render.painting.painter import paint
from tabletop.render.table import foreground
from tabletop.render.table.clear import Clear
from tabletop.render.table.foreground import PLATES
from tabletop.render.table.ground_areas import GroundAreas
from tabletop.render.table.picture import Picture
from tabletop.render.table.pieces import Pieces, PieceSheet, together
from tabletop.render.table.planning import WORDS, Planner
from tabletop.render.table.sheets import SHARE, Sheet, Sheets, blank, same
from tabletop.render.widgets import room

#: Milliseconds after the last change of scale before names are placed again.
SETTLES = 180
#: Seconds of a frame spent on placing names while that can wait.
NAMING = 0.006
#: Seconds of processor time in a frame spent on a first picture that is spread over several frames.
OPENING = 0.016
#: Maximum milliseconds that names stay in place while the battle changes with every frame.
NAMES_REST = 100


class Canvas:
    """Paints a picture through a camera, caching the parts that did not change."""

    def __init__(self) -> None:
        self._sheets = Sheets()
        self._drawn: dict[str, tuple[tuple[Any, ...], Drawing]] = {}
        self._made, self._on_sheet, self._clear = Pieces(), PieceSheet(), Clear()
        self._foreground = foreground.Foreground()
        self._planner = Planner()
        self._areas = GroundAreas(self._sheets, self._planner)
        self._baker = Baker()
        self._in_hand: tuple[Layer, ...] = ()
        #: Names may stay in place for a moment, because the battle changes with every frame.
        self.hurried = False
        #: Names and ground may be updated over several frames, because the player is not acting.
        self.patient = False
        #: The first picture is made over several frames, on a bare table: a large table takes longer than one frame.
        self.gently = False
        self._first: Iterator[None] | None = None
        self._frame, self._worked = 0, 0
        self._naming: Gradual[Drawing] | None = None
        self._named_at = 0
        self._viewed: tuple[tuple[Any, ...], dict[int, tuple[Layer, bool]]] | None = None
        self._scale = 0.0
        self._zoom_at = 0

    def draw(self, surface: pygame.Surface, picture: Picture, camera: Camera, plates: bool = True) -> None:
        """Draw the table and everything on it into the part of the surface that the camera fills.

        Without ``plates``, plates and names are left to be drawn later, over whatever the screen draws between.
        """
        self._frame += 1
        seen_from(self._table_of(picture), camera)
        table = surface.subsurface(surface.get_rect().clip((0, 0, camera.width, camera.height)))
        self._still(table, picture, camera)
        in_hand = self._foreground.drawing(picture.model, camera, self.written(picture, camera))
        self._in_hand = in_hand.layers
        layers = (*self._planner.over(picture.model, camera.drawn), *in_hand.layers)
        shown = tuple(layer for layer in layers if layer.name not in (WORDS, *PLATES))
        paint(table, replace(in_hand, layers=shown), camera, camera.density)
        if plates:
            self.plates(table, picture, camera)

    def opens(self, surface: pygame.Surface, picture: Picture, camera: Camera) -> bool:
        """Continue a first picture spread over several frames; return True, with the table bare, until it is done."""
        if not self.gently:
            return False
        seen_from(self._table_of(picture), camera)
        _bare(surface, self._table_of(picture), camera)
        if self._first is None:
            self._first = self._made_first(surface.get_size(), picture, camera)
        end = time.thread_time() + OPENING
        for _ in self._first:
            if time.thread_time() >= end:
                return True
        self.gently, self._first = False, None
        return True

    def _made_first(self, size: tuple[int, int], picture: Picture, camera: Camera) -> Iterator[None]:
        """Draw the ground, place the names, and paint all of it, a little at a time."""
        drawn_from = self._ground_of(picture)
        ground = yield from scene.mapping(picture.model.battle)
        self._drawn["terrain"] = (drawn_from, ground)
        of = (picture.labelled, camera.drawn, picture.named_first)
        self._drawn["names"] = (of, (yield from scene.naming(*of)))
        yield
        trial = blank(size, pygame.SRCALPHA)
        yield from _painted_once(trial, ground, ground.layers, camera)
        self._ground(size, picture, camera)
        yield
        units, *written = self._piece_drawings(picture, camera)
        yield from _painted_once(trial, units, (*units.layers, *self._made.apart(written)), camera)
        self._pieces(size, picture, camera)
        yield

    def drawings(self, picture: Picture, camera: Camera, between: Sequence[Drawing] = ()) -> tuple[Drawing, ...]:
        """Return all drawings on the table now, the lowest first: the picture on the screen, for export to a file.

        ``between`` are the screen's own drawings, over the units and under the names.
        """
        seen_from(self._table_of(picture), camera)
        scale = camera.drawn
        ground = (self._terrain(picture), *self._areas.drawings(picture, scale))
        units, *_ = self._piece_drawings(picture, camera)
        in_hand = self._foreground.drawing(picture.model, camera, self.written(picture, camera))
        self._in_hand = in_hand.layers
        layers = (*self._planner.over(picture.model, scale), *in_hand.layers)
        over = replace(in_hand, layers=tuple(layer for layer in layers if layer.name not in (WORDS, *PLATES)))
        named = self.clear_names(picture, camera, [layer for drawing in between for layer in drawing.layers])
        names = Layer("names", tuple(item for layer in named for item in layer.items))
        top = replace(in_hand, layers=(names, *self.over_all(picture, camera)))
        return (*ground, together(units), over, *between, top)

    def plates(self, table: pygame.Surface, picture: Picture, camera: Camera, between: Sequence[Layer] = ()) -> None:
        """Draw the names, then the plates; names that ``between`` hides in part are left out."""
        named = self._in_view(self.clear_names(picture, camera, between), camera, table.get_rect())
        words = Drawing((*named, *self.over_all(picture, camera)), (0.0, 0.0, 1.0, 1.0), camera.drawn)
        paint(table, words, camera, camera.density)

    def _in_view(self, names: Iterable[Layer], camera: Camera, view: pygame.Rect) -> list[Layer]:
        """Return the names wholly in view; results are cached while the camera stays."""
        of = (camera, *view.size)
        before = self._viewed[1] if self._viewed is not None and self._viewed[0] == of else {}
        visible = {id(layer): before.get(id(layer)) or (layer, _whole(layer, camera, view)) for layer in names}
        self._viewed = (of, visible)
        return [layer for layer, whole in visible.values() if whole]

    def clear_names(self, picture: Picture, camera: Camera, between: Sequence[Layer] = ()) -> tuple[Layer, ...]:
        """Return the names that no plate or badge hides in part, one layer each."""
        laid = (*self._planner.over(picture.model, camera.drawn), *self._in_hand, *between)
        _, *drawings = self._piece_drawings(picture, camera)
        return self._clear.of(self._made.apart(drawings), laid, camera.drawn)

    @property
    def bands(self) -> tuple[Layer, ...]:
        """The plates at the ends of range bands, as last drawn."""
        return tuple(layer for layer in self._in_hand if layer.name == foreground.BANDS)

    def over_all(self, picture: Picture, camera: Camera) -> tuple[Layer, ...]:
        """Return the wind if its place on the table is out of view, and the plates: words of the planning overlays,
        the ends of range bands, the cost of a move."""
        wind = sea.wind_in_view(picture.model.battle, camera.view, camera.drawn)
        plates = (layer for layer in self._in_hand if layer.name in PLATES)
        return (*wind, *self._word_layers(picture, camera), *plates)

    def written(self, picture: Picture, camera: Camera) -> tuple[Layer, ...]:
        """Return the words on the table: names, texts on the ground, and the plates of planning overlays."""
        return (*self.named(picture, camera), *self._word_layers(picture, camera))

    def named(self, picture: Picture, camera: Camera) -> tuple[Layer, ...]:
        """Return the names and the texts on the ground, which stay in place while a unit is dragged."""
        _, *drawings = self._piece_drawings(picture, camera)
        return tuple(layer for drawing in drawings for layer in drawing.layers)

    def _word_layers(self, picture: Picture, camera: Camera) -> tuple[Layer, ...]:
        return tuple(layer for layer in self._planner.over(picture.model, camera.drawn) if layer.name == WORDS)

    # --- the still picture -------------------------------------------------------------------------------------------

    def _still(self, table: pygame.Surface, picture: Picture, camera: Camera) -> None:
        """Show the still picture: as it is, scaled from an earlier camera, or repainted."""
        last = self._sheets.get("ground")
        took = self._sheets.took
        moved = last is not None and last.of[0] != camera and last.surface.get_size() == table.get_size()
        if last is not None and moved and last.may_wait(SHARE * took):
            _bare(table, self._table_of(picture), camera)
            self._stretched(table, last.of[0], camera)
            return
        size = table.get_size()
        ground, pieces = self._ground(size, picture, camera), self._pieces(size, picture, camera)

        def make(sheet: pygame.Surface) -> None:
            sheet.blit(ground.surface, (0, 0))
            sheet.blit(pieces.surface, (0, 0))

        table.blit(self._sheets.painted("still", (ground, pieces), size, make).surface, (0, 0))

    def _stretched(self, table: pygame.Surface, before: Camera, camera: Camera) -> None:
        """Show the last still as the present camera sees it."""
        west, north = before.to_table((0, 0))
        x, y = camera.to_screen((west, north))
        ratio = camera.scale / before.scale
        for name in ("areas", "pieces"):
            sheet = self._sheets.get(name)
            if sheet is not None:
                _lay(table, sheet.surface, x, y, ratio)

    def _ground(self, size: tuple[int, int], picture: Picture, camera: Camera) -> Sheet:
        """Return the terrain with the areas of the selected unit on it."""
        drawing = self._terrain(picture)
        bare = self._sheets.painted("ground", (camera, drawing), size, lambda s: _painted(s, drawing, picture, camera))
        return self._areas.sheet(bare, picture, camera, self.patient)

    def _terrain(self, picture: Picture) -> Drawing:
        battle = picture.model.battle
        return self._drawing("terrain", self._ground_of(picture), lambda: scene.terrain_layer(battle, wait=False))

    def _table_of(self, picture: Picture) -> Table:
        """The table being drawn."""
        return picture.model.battle.table

    def _ground_of(self, picture: Picture) -> tuple[Any, ...]:
        """Return the parts the ground is drawn from; start painting it in the background if that look is on."""
        table = self._table_of(picture)
        if theme.look() == "painted" and self._is_to_stay(table):
            self._baker.want(table)
        return table, theme.look(), str(self._baker.done)

    def _is_to_stay(self, table: Table) -> bool:
        """Return whether the ground will stay as it is, so that it is worth painting."""
        return True

    def _pieces(self, size: tuple[int, int], picture: Picture, camera: Camera) -> Sheet:
        """Return the units, on a transparent sheet."""
        units, *_ = self._piece_drawings(picture, camera)

        def make(sheet: pygame.Surface) -> None:
            self._on_sheet.paint(sheet, units.layers, camera)

        return self._sheets.painted("pieces", (camera, units), size, make, pygame.SRCALPHA)

    def _piece_drawings(self, picture: Picture, camera: Camera) -> list[Drawing]:
        """Return the drawings of the units, of all names, and of the texts on the ground."""
        battle, unseen = picture.drawn, picture.unseen
        faint = picture.faint
        of = (battle, faint, unseen, theme.symbols(), theme.look(), picture.traces)
        units = self._drawing("units", of, lambda: self._made.units(battle, faint, unseen, picture.traces))
        placed_for, names = self._names(picture, camera)
        words = self._planner.words(picture.model, placed_for, names, camera.drawn)
        return [units, names, *([words] if words is not None else [])]

    def _names(self, picture: Picture, camera: Camera) -> tuple[Battle, Drawing]:
        """Return the names and the battle they were placed for; a new scale counts once the zoom has come to rest."""
        now, battle = pygame.time.get_ticks(), picture.labelled
        if camera.drawn != self._scale:
            self._scale, self._zoom_at = camera.drawn, now
        kept = self._drawn.get("names")
        if kept is not None and kept[0][1] != camera.drawn and now - self._zoom_at < SETTLES:
            return kept[0][0], kept[1]
        if kept is not None and kept[0][1] == camera.drawn and self.hurried and now - self._named_at < NAMES_REST:
            return kept[0][0], kept[1]
        if kept is not None and kept[0][1] == camera.drawn and kept[0][0] is not battle and self.patient:
            self._name_on(picture, camera.drawn)
            kept = self._drawn["names"]
            return kept[0][0], kept[1]
        self._named_at, self._naming = now, None
        first = picture.named_first
        parts = (battle, camera.drawn, first)
        return battle, self._drawing("names", parts, lambda: scene.name_layer(battle, camera.drawn, first=first))

    def _name_on(self, picture: Picture, scale: float) -> None:
        """Continue placing names and words, at most once a frame, for the battle as it was when this began.

        In its first frame nothing is placed yet: that frame and the next already do an action and write it in the log.
        """
        if self._naming is None or self._naming.of[1] != scale:
            parts = (picture.labelled, scale, picture.named_first)
            self._naming, self._worked = Gradual(parts, self._named_anew(picture, *parts)), self._frame + 1
        if self._frame <= self._worked:
            return
        self._worked, made = self._frame, self._naming.go_on(NAMING)
        if made is not None:
            self._drawn["names"], self._naming = (self._naming.of, made[0]), None

    def _named_anew(self, picture: Picture, battle: Battle, scale: float, first: tuple[str, ...]) -> Work[Drawing]:
        """Place the names, then the texts on the ground."""
        names = yield from scene.naming(battle, scale, first)
        yield from self._planner.wording(picture.model, battle, names, scale)
        return names

    # --- caching -----------------------------------------------------------------------------------------------------

    def _drawing(self, name: str, parts: tuple[Any, ...], make: Callable[[], Drawing]) -> Drawing:
        """Return the drawing cached under ``name``, remade when one of its parts has changed."""
        kept = self._drawn.get(name)
        if kept is None or not all(a is b or same(a, b) for a, b in zip(kept[0], parts, strict=True)):
            kept = self._drawn[name] = (parts, make())
        return kept[1]


def seen_from(table: Table, camera: Camera) -> None:
    """Choose how troops are drawn by their size at the camera's scale."""
    theme.view_from(camera.scale * inch(table))


def _bare(sheet: pygame.Surface, table: Table, camera: Camera) -> None:
    """Draw the bare table on its floor."""
    (left, top), (right, bottom) = camera.to_screen((0.0, table.height)), camera.to_screen((table.width, 0.0))
    room.under(sheet, camera.density, (left, top, right - left, bottom - top))


def _painted(sheet: pygame.Surface, drawing: Drawing, picture: Picture, camera: Camera) -> None:
    _bare(sheet, picture.model.battle.table, camera)
    paint(sheet, drawing, camera, camera.density)


def _whole(layer: Layer, camera: Camera, view: pygame.Rect) -> bool:
    """Return whether a layer is wholly in view, or is more than a single text: only names at the edge are left out."""
    single_text = len(layer.items) == 1 and isinstance(layer.items[0], Text)
    return not single_text or view.contains(pixels_of(layer, camera))


def _painted_once(trial: pygame.Surface, of: Drawing, layers: Iterable[Layer], camera: Camera) -> Iterator[None]:
    """Paint layers one at a time, out of sight, so that brushes, letters and symbols are cached for later."""
    for layer in layers:
        paint(trial, replace(of, layers=(layer,)), camera, camera.density)
        yield


def _lay(table: pygame.Surface, sheet: pygame.Surface, x: float, y: float, ratio: float) -> None:
    """Draw a sheet with its corner at (x, y), scaled by ``ratio``; only the part on the table is scaled."""
    if ratio == 1.0:
        table.blit(sheet, (round(x), round(y)))
        return
    view = pygame.Rect(-x / ratio - 1, -y / ratio - 1, table.get_width() / ratio + 3, table.get_height() / ratio + 3)
    part = view.clip(sheet.get_rect())
    if not part.width or not part.height:
        return
    size = max(1, round(part.width * ratio)), max(1, round(part.height * ratio))
    table.blit(pygame.transform.scale(sheet.subsurface(part), size), (x + part.left * ratio, y + part.top * ratio))
