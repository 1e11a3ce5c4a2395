"""The drills, each with the player's score by eye and by tape; pressing one starts it."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.drills.drilling import scores
from tabletop.drills.families import FAMILIES
from tabletop.drills.standing import Standings
from tabletop.render.destinations import ToDrill
from tabletop.render.drawing import measures
from tabletop.render.screens import Go, Look
from tabletop.render.widgets.pages.brush import Brush, Place
from tabletop.render.widgets.pages.page_with_back import PageWithBack
from tabletop.render.widgets.pages.spots import Draw, Spot, State, radio, text, words

#: A row's height, and the gap between two.
HIGH, AIR = 54.0, 10.0
#: Shown above the list.
ABOUT = (
    "A position, a question, an answer, the proof. Your score is the margin you judge right 85 % of the time: how far "
    "one thing would have to be shifted for the answer to be another."
)


class Drills(PageWithBack):
    """The families of drills, mixed or a single one, by eye or by tape."""

    title = "Drills"
    widest = 760.0

    def __init__(self, look: Look) -> None:
        self.mode = "eye"
        self.standings = Standings()
        super().__init__(look)
        self.note = self.standings.trouble

    def shown(self, look: Look) -> None:
        """Adapt to the window, and show the present scores."""
        self.standings = Standings()
        super().shown(look)

    def content(self, left: float, top: float, wide: float, high: float) -> Sequence[Spot]:
        """Return the choice of eye or tape, the mixed session, and every family."""
        spots = [Spot((left, top, wide, 46), text(ABOUT, 15))]
        top += 54
        for number, (mode, label) in enumerate((("eye", "By eye"), ("tape", "With the tape"))):
            place = (left + number * 170, top, 160, 34)
            spots.append(Spot(place, radio(label, self.mode == mode), f"mode:{mode}", "Each has a score of its own"))
        for right, label in ((120, "by eye"), (16, "by tape")):
            place = (left + wide - right - 90, top, 90, 34)
            spots.append(Spot(place, words(label, 14, ink="quiet", align="right")))
        top += 44
        rows = [("mixed", "All of them, mixed", "", "")]
        rows += [(name, *row) for name, row in zip(FAMILIES, scores(self.standings), strict=True)]
        for name, title, eye, tape in rows:
            draw = _row(title, measures.in_chosen_unit(eye), measures.in_chosen_unit(tape), name == "mixed")
            spots.append(Spot((left, top, wide, HIGH), draw, f"drill:{name}", title))
            top += HIGH + AIR
        return spots

    def chose(self, word: str) -> None:
        """Choose eye or tape, or go to a session."""
        act, _, what = word.partition(":")
        if act == "mode":
            self.mode = what
        else:
            self.going = Go(ToDrill(self.mode, "" if what == "mixed" else what))


def _row(title: str, eye: str, tape: str, strong: bool) -> Draw:
    """Return the function that draws a family: its title and its scores."""

    def draw(brush: Brush, place: Place, state: State) -> None:
        left, top, wide, high = place
        lit = state.hovered or state.focused
        brush.paper(place, "card_lit" if lit else "card", "strong" if lit or strong else "edge", 8, 2 if strong else 1)
        brush.line(title, left + 16, top + high / 2, wide - 260, 16, "bold")
        brush.line(eye, left + wide - 120, top + high / 2, 94, 14, "plain", "quiet", "right")
        brush.line(tape, left + wide - 16, top + high / 2, 94, 14, "plain", "quiet", "right")

    return draw
