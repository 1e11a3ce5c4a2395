"""A dialog over the battle: the table behind it is dimmed and stands still."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from tabletop.render.screens import Look
from tabletop.render.widgets.pages.brush import Brush
from tabletop.render.widgets.pages.page import Frame, Page
from tabletop.render.widgets.pages.spots import Draw, Spot

#: The dialog's width, its margin, a button's height, the gap between, the minimum distance from the window's edge.
WIDE, PAD, HIGH, AIR, EDGE = 460.0, 26.0, 42.0, 9.0, 12.0
#: How much the table behind is dimmed.
DIM = 0.55


class Over(Page):
    """Base of the dialogs over a battle."""

    wide = WIDE

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._behind = self.surface.copy()

    def stacked(self, wide: float) -> Sequence[tuple[float, Spot]]:
        """Return the rows of the dialog from top to bottom, each with its height.

        Places count from the dialog's left margin and the top of the row.
        """
        raise NotImplementedError

    def note_or_hint(self) -> Draw:
        """Return the function that draws the error, or the hint of the spot under the cursor."""
        return lambda brush, place, _: brush.lines(
            self.note or self.hint, place, 14, "wrong" if self.note else "quiet", most=2
        )

    @property
    def place(self) -> tuple[float, float, float, float]:
        """The rectangle of the dialog."""
        wide, high = self.size
        own = min(self.wide, wide - 2 * EDGE)
        tall = sum(step for step, _ in self.stacked(own - 2 * PAD)) + 2 * PAD
        tall = min(tall, high - 2 * EDGE)
        return ((wide - own) / 2, (high - tall) / 2, own, tall)

    def frame_of(self, wide: float, high: float) -> Frame:
        """The content of the dialog scrolls."""
        _, top, _, tall = self.place
        return Frame(top + 1, top + tall - 1)

    def laid(self, wide: float, high: float) -> Sequence[Spot]:
        """Return the spots of the dialog."""
        left, top, own, _ = self.place
        y, spots = top + PAD, []
        for step, spot in self.stacked(own - 2 * PAD):
            x, down, spot_wide, spot_high = spot.place
            spots.append(spot.placed((left + PAD + x, y + down, spot_wide, spot_high)))
            y += step
        return spots

    def backdrop(self, brush: Brush) -> None:
        """Draw the dimmed battle, and the dialog."""
        size = self.surface.get_size()
        behind = self._behind
        if behind.get_size() != size:
            behind = pygame.transform.smoothscale(behind, size)
        self.surface.blit(behind, (0, 0))
        brush.shade((0, 0, *self.size), DIM, 0)
        left, top, wide, tall = self.place
        for spread, opacity in ((12, 0.12), (6, 0.16)):
            brush.shade((left - spread, top - spread + 5, wide + 2 * spread, tall + 2 * spread), opacity, 18)
        brush.paper(self.place, "paper", "edge", 10)
