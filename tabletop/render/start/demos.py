"""The demos, each with its description; pressing one runs it on the whole screen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tabletop.demos import library
from tabletop.errors import Unreadable
from tabletop.lessons.reading import name_of
from tabletop.play.files import named_files
from tabletop.render.destinations import ToDemo
from tabletop.render.screens import Go, Look
from tabletop.render.start import cards
from tabletop.render.widgets.pages.page_with_back import PageWithBack
from tabletop.render.widgets.pages.spots import Spot, text

#: A card's height, and the gap between two.
HIGH, AIR = 100.0, 12.0
#: Shown above the list.
ABOUT = "Each runs on the whole screen, over and over. A click or any key stops it, Space goes on, Esc comes back here."


class Demos(PageWithBack):
    """The demos that come with the program."""

    title = "Demos"
    widest = 760.0

    def __init__(self, look: Look) -> None:
        self.listed = [(path, *_title_and_about(path)) for path in library.paths()]
        super().__init__(look)

    def content(self, left: float, top: float, wide: float, high: float) -> Sequence[Spot]:
        """Return the demos as cards."""
        spots = [Spot((left, top, wide, 46), text(ABOUT, 15))]
        top += 56
        for number, (_, title, about) in enumerate(self.listed):
            place = (left, top + number * (HIGH + AIR), wide, HIGH)
            spots.append(Spot(place, cards.plain_card(title, about), f"demo:{number}", title))
        return spots

    def chose(self, word: str) -> None:
        """Go to a demo."""
        self.going = Go(ToDemo(self.listed[int(word.partition(":")[2])][0]))


def _title_and_about(path: Path) -> tuple[str, str]:
    """Return the title and description in a demo's file; for a faulty file, its name."""
    try:
        data = named_files.read(path).data
    except Unreadable:
        data = {}
    data = data if isinstance(data, dict) else {}
    name = name_of(path).replace("-", " ").capitalize()
    return str(data.get("title") or name), str(data.get("about") or "")
