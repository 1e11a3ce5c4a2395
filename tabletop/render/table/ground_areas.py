"""What lies on the ground under the units: plans, and the areas of the selected unit.

Where the player is not waiting for them, they are redrawn a little in every frame while the old ones stay on show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import pygame

from tabletop.geometry.terrain import Table
from tabletop.geometry.verdict import Verdict
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.gradual import Gradual, Work, finished
from tabletop.render.drawing.primitives import Drawing
from tabletop.render.painting.painter import paint
from tabletop.render.table import overlays
from tabletop.render.table.picture import Picture
from tabletop.render.table.planning import Planner
from tabletop.render.table.sheets import Sheet, Sheets

#: Minimum milliseconds between two paintings of a dragged unit's areas.
AREAS_REST = 160
#: Seconds of a frame spent on repainting areas and on redrawing plans while the old ones are on show.
AREAS, PLANNING = 0.014, 0.006


@dataclass(frozen=True)
class Spread:
    """The area of a verdict at a scale: as a whole, and its shapes one by one, so that their paint can be cached."""

    of: Verdict
    scale: float
    area: Drawing
    shapes: tuple[Drawing, ...]


class GroundAreas:
    """Draws and paints plans and areas, caching what did not change."""

    def __init__(self, sheets: Sheets, planner: Planner) -> None:
        self._sheets, self._planner = sheets, planner
        self._areas: dict[str, Spread] = {}
        self._planning: Gradual[tuple[Drawing, ...]] | None = None
        self._plans: tuple[Drawing, ...] = ()
        self._shapes: dict[int, tuple[Drawing, tuple[Drawing, ...]]] = {}
        self._coming: Gradual[pygame.Surface] | None = None
        self._spare: pygame.Surface | None = None
        self._took = 0

    def drawings(self, picture: Picture, scale: float) -> tuple[Drawing, ...]:
        """Return the drawings on the ground, the lowest first."""
        areas = (self._spread(picture, verdict, scale).area for verdict in overlays.shown(picture.model))
        return (*self._planner.ground(picture, scale), *areas)

    def sheet(self, bare: Sheet, picture: Picture, camera: Camera, patient: bool) -> Sheet:
        """Return the ground with its plans and areas; with ``patient``, the old sheet until a new one is painted.

        While a unit is dragged, the areas also stay until repainted, but the plans are up to date.
        """
        size, last = bare.surface.get_size(), self._sheets.get("areas")
        plans, shown = self._planned(picture, camera, patient), overlays.shown(picture.model)
        parts = (*bare.of, *plans, *shown)
        areas: Iterable[Drawing] = self._shown(picture, shown, camera.drawn)
        waits = patient or picture.model.drag is not None
        if waits and last is not None and last.of[: len(bare.of)] == bare.of and not last.is_of(parts):
            if last.surface.get_size() != size:
                return bare
            if patient:  # what lies below the areas takes long too
                areas, plans = chain(*map(self._shapes_of, plans), areas), ()
            return self._anew(last, parts, self._with_plans(bare, plans, camera), areas)

        def make(sheet: pygame.Surface) -> None:
            finished(_laid_on(sheet, self._with_plans(bare, plans, camera), areas, camera))

        self._coming = None
        return self._sheets.painted("areas", parts, size, make)

    def _planned(self, picture: Picture, camera: Camera, patient: bool) -> tuple[Drawing, ...]:
        """Return the plans; with ``patient``, the old ones until the new ones are drawn over several frames."""
        if not patient:
            self._planning, self._plans = None, self._planner.ground(picture, camera.drawn)
            return self._plans
        if self._planning is None:
            self._planning = Gradual((), self._planner.grounding(picture, camera.drawn))
        made = self._planning.go_on(PLANNING)
        if made is not None:
            self._planning, self._plans = None, made[0]
        return self._plans

    def _with_plans(self, bare: Sheet, plans: tuple[Drawing, ...], camera: Camera) -> Sheet:
        """Return the ground with the plans, which stay while a unit is dragged."""
        if not plans:
            self._sheets.drop("plans")
            return bare

        def make(sheet: pygame.Surface) -> None:
            sheet.blit(bare.surface, (0, 0))
            for plan in plans:
                paint(sheet, plan, camera, camera.density)

        return self._sheets.painted("plans", (bare.of, camera, *plans), bare.surface.get_size(), make)

    def _anew(self, shown: Sheet, parts: tuple[Any, ...], below: Sheet, shapes: Iterable[Drawing]) -> Sheet:
        """Return the areas on show until newer ones are painted, a little in every frame."""
        coming, camera = self._coming, parts[0]
        if coming is None or coming.of[0] != camera:
            if shown.may_wait(AREAS_REST):
                return shown
            if self._spare is None or self._spare.get_size() != shown.surface.get_size():
                self._spare = shown.surface.copy()
            self._coming = coming = Gradual(parts, _laid_on(self._spare, below, shapes, camera))
            self._took = 0
        before = pygame.time.get_ticks()
        made, now = coming.go_on(AREAS), pygame.time.get_ticks()
        self._took += now - before
        if made is None:
            return shown
        self._coming, self._spare = None, shown.surface
        return self._sheets.put("areas", Sheet(coming.of, made[0], now, self._took))

    def _shown(self, picture: Picture, shown: Iterable[Verdict], scale: float) -> Iterator[Drawing]:
        """Yield the shapes of the verdicts' areas, each drawn only when asked for."""
        for verdict in shown:
            yield from self._spread(picture, verdict, scale).shapes

    def _spread(self, picture: Picture, verdict: Verdict, scale: float) -> Spread:
        """Return the area of a verdict, drawn once for each scale."""
        kept = self._areas.get(verdict.question)
        if kept is None or kept.of is not verdict or kept.scale != scale:
            table: Table = picture.model.battle.table
            area = overlays.area(table, verdict, scale)
            kept = self._areas[verdict.question] = Spread(verdict, scale, area, tuple(_apart(area)))
        return kept

    def _shapes_of(self, plan: Drawing) -> tuple[Drawing, ...]:
        """Return the shapes of a plan one by one, cached with their paint while the plan is shown."""
        self._shapes = {
            key: kept for key, kept in self._shapes.items() if any(kept[0] is current for current in self._plans)
        }
        if id(plan) not in self._shapes:
            self._shapes[id(plan)] = (plan, tuple(_apart(plan)))
        return self._shapes[id(plan)][1]


def _apart(area: Drawing) -> Iterator[Drawing]:
    """Yield a drawing of each shape of an area, the lowest first."""
    for layer in area.layers:
        for item in layer.items:
            yield replace(area, layers=(replace(layer, items=(item,)),))


def _laid_on(sheet: pygame.Surface, below: Sheet, shapes: Iterable[Drawing], camera: Camera) -> Work[pygame.Surface]:
    """Paint shapes one at a time over the sheet ``below``; return the sheet."""
    sheet.blit(below.surface, (0, 0))
    for shape in shapes:
        yield
        paint(sheet, shape, camera, camera.density)
    return sheet
