"""Surfaces painted once and cached until their content changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pygame

from tabletop.render.drawing.camera import Camera

#: While things move, painting takes at most one part in this many of the time.
SHARE = 4


@dataclass
class Sheet:
    """A painted surface: what it was painted from, when, and how long that took (milliseconds)."""

    of: tuple[Any, ...]
    surface: pygame.Surface
    at: int
    took: int

    def is_of(self, parts: tuple[Any, ...]) -> bool:
        """Return whether it was painted from these very parts."""
        return len(self.of) == len(parts) and all(a is b or same(a, b) for a, b in zip(self.of, parts, strict=True))

    def may_wait(self, least: int = 0) -> bool:
        """Return whether it was painted so recently that repainting can wait."""
        return pygame.time.get_ticks() - self.at < max(least, SHARE * self.took)


class Sheets:
    """The sheets of a table, by name."""

    def __init__(self) -> None:
        self._kept: dict[str, Sheet] = {}

    def get(self, name: str) -> Sheet | None:
        """Return the sheet stored under a name, if there is one."""
        return self._kept.get(name)

    def put(self, name: str, sheet: Sheet) -> Sheet:
        """Store a sheet painted elsewhere under a name."""
        self._kept[name] = sheet
        return sheet

    def drop(self, name: str) -> None:
        """Remove the sheet stored under a name."""
        self._kept.pop(name, None)

    @property
    def took(self) -> int:
        """How long painting all of them took, in milliseconds."""
        return sum(sheet.took for sheet in self._kept.values())

    def painted(
        self,
        name: str,
        parts: tuple[Any, ...],
        size: tuple[int, int],
        make: Callable[[pygame.Surface], None],
        flags: int = 0,
    ) -> Sheet:
        """Return the sheet stored under ``name``, repainted when one of its parts or the size has changed."""
        kept = self._kept.get(name)
        fits = kept is not None and kept.surface.get_size() == size
        if kept is not None and fits and kept.is_of(parts):
            return kept
        surface = kept.surface if kept is not None and fits else blank(size, flags)
        before = pygame.time.get_ticks()
        make(surface)
        now = pygame.time.get_ticks()
        self._kept[name] = Sheet(parts, surface, now, now - before)
        return self._kept[name]


def same(a: Any, b: Any) -> bool:
    """Compare small things by value; verdicts and battles only by identity."""
    return isinstance(a, Camera | str | float | tuple | frozenset | None) and a == b


def blank(size: tuple[int, int], flags: int) -> pygame.Surface:
    """Return a new surface in the format of the screen, with ``flags`` for a transparent one."""
    return pygame.Surface(size, flags).convert_alpha() if flags else pygame.Surface(size).convert()
