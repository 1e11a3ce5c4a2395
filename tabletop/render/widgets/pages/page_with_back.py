"""A page with a head (Back and the title) and a bottom line (the keys)."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.render.screens import Back
from tabletop.render.widgets.pages.brush import Brush
from tabletop.render.widgets.pages.page import Frame, Page
from tabletop.render.widgets.pages.spots import Spot, State, button, sheet, words

#: Heights of head and bottom line, the margin at either side, the gap between things.
HEAD, FOOT, PAD, GAP = 68.0, 40.0, 28.0, 20.0


class PageWithBack(Page):
    """Base of the pages that the start screen leads to."""

    title = ""
    #: The bottom line when no spot has a hint to show.
    keys = "Arrows and Tab choose, Enter opens, Esc goes back."

    def frame_of(self, wide: float, high: float) -> Frame:
        """The space between head and bottom line scrolls."""
        return Frame(HEAD, high - FOOT)

    def inner(self, wide: float) -> tuple[float, float]:
        """Return the left edge and the width of the layout."""
        room = min(wide - 2 * PAD, self.widest)
        return (wide - room) / 2, room

    def head(self) -> Sequence[tuple[str, str, str]]:
        """Return the buttons at the right of the head: word, label, hint."""
        return ()

    def content(self, left: float, top: float, wide: float, high: float) -> Sequence[Spot]:
        """Return the page's own spots from ``top`` on; ``high`` is the visible height."""
        raise NotImplementedError

    def laid(self, wide: float, high: float) -> Sequence[Spot]:
        """Return the page with its head and bottom line."""
        left, room = self.inner(wide)
        foot = (left, high - FOOT, room, FOOT)
        return [
            Spot((left, 16, 88, 36), button("Back"), "back", "Back to where you came from (Esc)", fixed=True),
            Spot(
                (left + 108, 16, max(40.0, room - 108 - self._head_wide()), 36),
                words(self.title, 24, "place"),
                fixed=True,
            ),
            *self._head_spots(left + room),
            *self.content(left, HEAD + 16, room, high - HEAD - FOOT - 16),
            Spot(foot, lambda b, p, _: self._foot(b, p), fixed=True),
        ]

    def _head_wide(self) -> float:
        return sum(self._button_wide(label) + 10 for _, label, _ in self.head())

    def _button_wide(self, label: str) -> float:
        from tabletop.render.drawing.lettering import width

        return width(label, 15) + 34

    def _head_spots(self, right: float) -> list[Spot]:
        spots = []
        for word, label, hint in reversed(self.head()):
            wide = self._button_wide(label)
            right -= wide
            spots.append(Spot((right, 16, wide, 36), button(label), word, hint, fixed=True))
            right -= 10
        return spots[::-1]

    def _foot(self, brush: Brush, place: tuple[float, float, float, float]) -> None:
        left, top, wide, high = place
        message, fill = (self.note, "wrong") if self.note else (self.hint or self.keys, "quiet")
        brush.line(message, left, top + high / 2, wide, 14, "bold" if self.note else "plain", fill)

    def backdrop(self, brush: Brush) -> None:
        """Draw the paper, the head and the bottom line."""
        wide, high = self.size
        brush.surface.fill("#efe6cf")
        sheet("paper", "", 0)(brush, (0, 0, wide, HEAD), State())
        brush.paper((0, HEAD - 1, wide, 1), "edge", radius=0)
        sheet("paper", "", 0)(brush, (0, high - FOOT, wide, FOOT), State())
        brush.paper((0, high - FOOT, wide, 1), "edge", radius=0)

    def did(self, word: str) -> None:
        """Go back, or do what the page defines."""
        if word == "back":
            self.going = Back()
        else:
            self.chose(word)

    def chose(self, word: str) -> None:
        """Run the action of a word of the page."""
        raise NotImplementedError
