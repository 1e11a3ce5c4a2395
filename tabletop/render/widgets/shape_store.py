"""A cache of drawn widget shapes, shared by all screens and limited in size."""

from __future__ import annotations

from typing import Any

import pygame
from pygame_gui.core.surface_cache import SurfaceCache

#: Maximum sheets of four megabytes for shapes, and maximum shapes waiting for a place on one.
MOST_SHEETS, MOST_WAITING = 2, 400


class ShapeStore(SurfaceCache):
    """A replacement for pygame_gui's cache of drawn shapes, which grows without limit: this one is emptied when full.

    Emptying it only costs drawing a shape again: every widget has its own copy of the shape it shows.
    """

    def __init__(self) -> None:
        begin: Any = super().__init__  # pygame_gui leaves some methods untyped
        begin()

    def add_surface_to_cache(self, surface: pygame.Surface, string_id: str) -> None:
        """Add a shape; if too many are waiting for a place, drop those."""
        if len(self.cache_short_term_lookup) >= MOST_WAITING:
            self.cache_short_term_lookup.clear()
        super().add_surface_to_cache(surface, string_id)

    def update(self) -> None:
        """Put a waiting shape on a sheet; start over if there are too many sheets."""
        usual: Any = super().update
        usual()
        if len(self.cache_surfaces) > MOST_SHEETS:
            self.forget()

    def forget(self) -> None:
        """Drop everything but one empty sheet."""
        vars(self).update(vars(ShapeStore()))


#: The shared cache. A shape's key holds its size, colours, edges and corners, so it is the same for every screen.
SHAPES = ShapeStore()
