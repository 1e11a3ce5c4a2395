"""A sheet laid over the battle: the table stands dimmed behind it, and nothing moves on it meanwhile."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from tabletop.render.screens import Look
from tabletop.render.widgets.pages.brush import Brush
from tabletop.render.widgets.pages.page import Frame, Page
from tabletop.render.widgets.pages.spots import Draw, Spot

#: The sheet's width, its margin, a button's height, the air between, the least distance from the window's edge.
WIDE, PAD, HIGH, AIR, EDGE = 460.0, 26.0, 42.0, 9.0, 12.0
#: How dark the table behind becomes.
DIM = 0.55


class Over(Page):
    """Base of the sheets over a battle."""

    wide = WIDE

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._behind = self.surface.copy()

    def stacked(self, wide: float) -> Sequence[tuple[float, Spot]]:
        """Return what lies on the sheet from above down, each with the height it takes.

        Places count from the sheet's left margin and the top of the row.
        """
        raise NotImplementedError

    def said(self) -> Draw:
        """Return how what there is to say is drawn: what is wrong, or what the thing pointed at does."""
        return lambda brush, place, _: brush.lines(
            self.note or self.hint, place, 14, "wrong" if self.note else "quiet", most=2
        )

    @property
    def place(self) -> tuple[float, float, float, float]:
        """Where the sheet lies."""
        wide, high = self.size
        own = min(self.wide, wide - 2 * EDGE)
        tall = sum(step for step, _ in self.stacked(own - 2 * PAD)) + 2 * PAD
        tall = min(tall, high - 2 * EDGE)
        return ((wide - own) / 2, (high - tall) / 2, own, tall)

    def frame_of(self, wide: float, high: float) -> Frame:
        """What lies on the sheet scrolls."""
        _, top, _, tall = self.place
        return Frame(top + 1, top + tall - 1)

    def laid(self, wide: float, high: float) -> Sequence[Spot]:
        """Return the rows of the sheet."""
        left, top, own, _ = self.place
        y, spots = top + PAD, []
        for step, spot in self.stacked(own - 2 * PAD):
            x, down, spot_wide, spot_high = spot.place
            spots.append(spot.placed((left + PAD + x, y + down, spot_wide, spot_high)))
            y += step
        return spots

    def backdrop(self, brush: Brush) -> None:
        """Draw the battle, dimmed, and the sheet."""
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
