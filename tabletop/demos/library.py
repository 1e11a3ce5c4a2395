"""The demos that come with the program, by name."""

from __future__ import annotations

from pathlib import Path

from tabletop.demos.demo import Demo
from tabletop.demos.reading import load_demo
from tabletop.errors import BadQuestion
from tabletop.lessons.reading import name_of
from tabletop.play.files.installed import installed_data
from tabletop.play.files.nearest_words import clip, did_you_mean


def paths() -> tuple[Path, ...]:
    """Return the files of the demos that come with the program, in order."""
    data = installed_data()
    return tuple(sorted((data / "demos").glob("*.yaml"))) if data is not None else ()


def path_of(word: str) -> Path:
    """Return the file of a demo by name, by number in the list, or by path; BadQuestion if there is none."""
    path, known = Path(word), paths()
    if path.suffix.lower() in (".yaml", ".yml", ".json"):
        return path
    if word.isascii() and word.isdigit() and 1 <= int(word[:4]) <= len(known):
        return known[int(word) - 1]
    fitting = [p for p in known if name_of(p) == word] or [p for p in known if word in p.stem]
    if len(fitting) != 1:
        names = [name_of(p) for p in (fitting or known)]
        cure = f"it may be {' or '.join(names)}" if fitting else did_you_mean(word, names)
        raise BadQuestion(f"no demo '{clip(word)}'; {cure} ('tabletop demos' lists them)")
    return fitting[0]


def find(word: str) -> Demo:
    """Return a demo as ``path_of`` finds it; Unreadable for a faulty file."""
    return load_demo(path_of(word))
