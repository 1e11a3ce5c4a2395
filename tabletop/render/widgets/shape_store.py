"""The shapes of widgets that have been drawn, kept for all screens together, and never more than so many."""

from __future__ import annotations

from typing import Any

import pygame
from pygame_gui.core.surface_cache import SurfaceCache

#: Sheets of four megabytes that shapes are kept on, and shapes that wait for a place on one.
MOST_SHEETS, MOST_WAITING = 2, 400


class ShapeStore(SurfaceCache):
    """pygame_gui's store of shapes drawn, which keeps them for ever: this one begins anew when it is full.

    Nothing is lost but the time to draw a shape once more: whoever shows one has a copy of his own.
    """

    def __init__(self) -> None:
        begin: Any = super().__init__  # pygame_gui leaves some methods untyped
        begin()

    def add_surface_to_cache(self, surface: pygame.Surface, string_id: str) -> None:
        """Keep a shape; where too many wait for a place, those go."""
        if len(self.cache_short_term_lookup) >= MOST_WAITING:
            self.cache_short_term_lookup.clear()
        super().add_surface_to_cache(surface, string_id)

    def update(self) -> None:
        """Lay one of those waiting on a sheet; begin anew where there are too many sheets."""
        usual: Any = super().update
        usual()
        if len(self.cache_surfaces) > MOST_SHEETS:
            self.forget()

    def forget(self) -> None:
        """Let go of everything but one empty sheet."""
        vars(self).update(vars(ShapeStore()))


#: The one store. A shape's key names its size, colours, edges and corners: it is the same for every screen.
SHAPES = ShapeStore()
