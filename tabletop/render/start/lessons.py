"""The lessons, each with its idea and progress; pressing one starts it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabletop.errors import Unreadable
from tabletop.lessons.progress import Progress
from tabletop.lessons.reading import name_of
from tabletop.play.files import named_files
from tabletop.play.saves import library
from tabletop.render.destinations import ToJudge, ToLesson
from tabletop.render.screens import Go, Look, Open
from tabletop.render.start import cards
from tabletop.render.widgets.pages.brush import Brush, Place
from tabletop.render.widgets.pages.page_with_back import PageWithBack
from tabletop.render.widgets.pages.spots import Draw, Spot, State, words
from tabletop.rules import rule_set
from tabletop.rules.periods import period_of

#: Ways to learn the game without lessons: word, head and description.
_INSTEAD = (
    ("new", "Begin a small battle", "A skirmish over a hedge: two units, ten minutes. Every button says what it does, "
     "every refusal names its rule."),
    ("judge", "Ask the judge", "Lay out a position and click two units: the judge shows what is seen, fired at and "
     "reached, and why."),
)  # fmt: skip
#: A lesson's height, and the gap between two.
HIGH, AIR = 62, 10


@dataclass(frozen=True)
class Listed:
    """A lesson in the list: its file, title and idea, its rules, its number of steps and of those done."""

    path: Path
    title: str
    idea: str
    rules: str
    steps: int
    done: int


class Lessons(PageWithBack):
    """The lessons, or a note that there are none, and other ways to learn."""

    title = "Lessons"
    widest = 760.0

    def __init__(self, look: Look) -> None:
        progress = Progress()
        self.listed = listed(progress)
        super().__init__(look)
        self.note = progress.trouble

    def shown(self, look: Look) -> None:
        """Adapt to the window, and show the present progress."""
        progress = Progress()
        self.listed = listed(progress)
        super().shown(look)
        self.note = progress.trouble or self.note

    def content(self, left: float, top: float, wide: float, high: float) -> Sequence[Spot]:
        """Return the installed lessons, and two ways to learn without them."""
        spots: list[Spot] = []
        if not self.listed:
            spots.append(Spot((left, top, wide, 34), words("No lessons are installed yet.", 18, "bold")))
            top += 44
        first = next((n for n, lesson in enumerate(self.listed) if lesson.done < lesson.steps), None)
        heading = ""
        for number, lesson in enumerate(self.listed):
            if lesson.rules != heading:
                heading = lesson.rules
                spots.append(Spot((left, top, wide, 30), words(heading, 18, "bold")))
                top += 38
            place = (left, top, wide, HIGH)
            spots.append(Spot(place, _row(lesson, number == first), f"lesson:{number}", lesson.idea))
            top += HIGH + AIR
        top += 10
        for number, (word, head, text) in enumerate(_INSTEAD):
            place = (left, top + number * 112, wide, 100)
            spots.append(Spot(place, cards.plain_card(head, text), word, head))
        return spots

    def chose(self, word: str) -> None:
        """Go to a lesson, to the battles or to the judge."""
        from tabletop.render.start.battles import Battles

        if word.startswith("lesson:"):
            lesson = self.listed[int(word.partition(":")[2])]
            self.going = Go(ToLesson(lesson.path, lesson.done if lesson.done < lesson.steps else 0))
        else:
            self.going = Go(ToJudge()) if word == "judge" else Open(Battles)


def listed(progress: Progress) -> list[Listed]:
    """Return the installed lessons with their progress; for a faulty file, its name."""
    lessons = list[Listed]()
    for path in library.lessons():
        try:
            data = named_files.read(path).data
        except Unreadable:
            data = None
        lessons.append(_listed(path, data if isinstance(data, dict) else {}, progress))
    return lessons


def _listed(path: Path, data: dict[str, Any], progress: Progress) -> Listed:
    name, rules, steps = name_of(path), data.get("rules"), data.get("steps")
    count = len(steps) if isinstance(steps, list) else 1
    title = str(data.get("title") or name.replace("-", " ").capitalize())
    heading = period_of(str(rules)).title if rules in rule_set.NAMES else "Others"
    return Listed(path, title, str(data.get("idea") or ""), heading, count, min(progress.done(name), count))


def _row(lesson: Listed, strong: bool) -> Draw:
    """Return the function that draws a lesson: its title, its idea, its progress."""

    def draw(brush: Brush, place: Place, state: State) -> None:
        left, top, wide, _ = place
        lit = state.hovered or state.focused
        brush.paper(place, "card_lit" if lit else "card", "strong" if lit or strong else "edge", 8, 2 if strong else 1)
        progress = "done" if lesson.done >= lesson.steps else f"{lesson.done} of {lesson.steps} steps"
        brush.line(progress, left + wide - 16, top + 21, 120, 14, "plain", "quiet", "right")
        brush.line(lesson.title, left + 16, top + 21, wide - 160, 16, "bold")
        brush.line(lesson.idea, left + 16, top + 43, wide - 32, 14, "plain", "quiet")

    return draw
