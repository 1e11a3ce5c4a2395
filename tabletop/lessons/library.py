"""The lessons that come with the program, by name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tabletop.errors import BadQuestion
from tabletop.lessons.lesson import Lesson
from tabletop.lessons.reading import load_lesson, name_of
from tabletop.play.files.nearest_words import clip, did_you_mean
from tabletop.play.saves import library


def paths() -> Sequence[Path]:
    """Return the files of the lessons that come with the program, in the intended order."""
    return library.lessons()


def find(word: str) -> Lesson:
    """Return a lesson by its name, by its number in the list, or by its file.

    Raises BadQuestion if there is none, Unreadable if its file is faulty.
    """
    path = Path(word)
    if path.suffix.lower() in (".yaml", ".yml", ".json"):
        return load_lesson(path)
    installed = list(paths())
    if word.isascii() and word.isdigit() and 1 <= int(word[:4]) <= len(installed):
        return load_lesson(installed[int(word) - 1])
    fitting = [path for path in installed if name_of(path) == word] or [p for p in installed if word in p.stem]
    if len(fitting) != 1:
        names = [name_of(path) for path in (fitting or installed)]
        cure = f"it may be {' or '.join(names)}" if fitting else did_you_mean(word, names)
        raise BadQuestion(f"no lesson '{clip(word)}'; {cure} ('tabletop lessons' lists them)")
    return load_lesson(fitting[0])
