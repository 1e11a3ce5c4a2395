"""The place for lessons: what is installed of them."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.play.saves import library
from tabletop.render.destinations import ToJudge
from tabletop.render.screens import Go, Open
from tabletop.render.start import cards
from tabletop.render.widgets.pages.page_with_way_back import Leaf
from tabletop.render.widgets.pages.spots import Spot, words

#: What serves to learn the game without lessons: word, head and what is said of it.
_INSTEAD = (
    ("new", "Begin a small battle", "A skirmish over a hedge: two units, ten minutes. Every button says what it does, "
     "every refusal names its rule."),
    ("judge", "Ask the judge", "Lay out a position and click two units: the judge shows what is seen, fired at and "
     "reached, and why."),
)  # fmt: skip


class Lessons(Leaf):
    """The lessons, or a calm word that there are none, and what serves instead."""

    title = "Lessons"
    widest = 760.0

    def content(self, left: float, top: float, wide: float, high: float) -> Sequence[Spot]:
        """Return what is installed, and two ways to learn without."""
        found = library.lessons()
        if found:
            head = f"{len(found)} lesson{'s are' if len(found) > 1 else ' is'} installed, to be read beside the table:"
        else:
            head = "No lessons are installed yet."
        spots = [Spot((left, top, wide, 34), words(head, 18, "bold"))]
        top += 44
        for path in found:
            spots.append(Spot((left, top, wide, 28), words(path.stem.replace("-", " ").capitalize(), 16)))
            top += 30
        top += 10
        for number, (word, head, said) in enumerate(_INSTEAD):
            place = (left, top + number * 112, wide, 100)
            spots.append(Spot(place, cards.plain_card(head, said), word, head))
        return spots

    def chose(self, word: str) -> None:
        """Go to a battle or to the judge."""
        from tabletop.render.start.battles import Battles

        self.going = Go(ToJudge()) if word == "judge" else Open(Battles)
