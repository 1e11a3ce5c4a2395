"""Mutants of data files: one number, or one boolean, of a line whose comment names a rule.

A rule whose whole content is a number in a table has no limit or branch of its own in code, so that number is what can
be changed. A comment at the end of a line names the rules of that line; a comment on lines of its own those of the next
line, or of the next section as a whole; and ``rule = "..."`` those of what follows it in its section.
"""

from __future__ import annotations

import gc
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from tabletop.rules.ages.tables import Profile

ROOT = Path(__file__).resolve().parent.parent
HEADER = re.compile(r"^\[+([^\]]+)\]+")
KEY = re.compile(r"^([\w.\"' -]+?)\s*=")
#: A number or boolean of TOML that stands alone; quoted text is matched first and skipped.
VALUE = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'|(?<![\w.+-])(?:true|false|[+-]?\d[\d_]*(?:\.\d+)?)(?![\w.:-])')


@dataclass(frozen=True)
class DataMutant:
    """One change of a line of a data file; ``where`` is its section and key, ``was`` and ``now`` the line's value."""

    file: str
    where: str
    line: int
    was: str
    now: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What identifies it whatever its line."""
        return self.file, self.where, self.was, self.now

    def text(self) -> str:
        """Return the file's text with the change applied."""
        lines = (ROOT / self.file).read_text("utf-8").split("\n")
        lines[self.line - 1] = lines[self.line - 1].replace(self.was, self.now, 1)
        return "\n".join(lines)


def data_mutants(file: str, names: Callable[[str], bool] | None = None) -> Iterator[DataMutant]:
    """Yield the mutants of a data file (path from the root), of all lines or of those whose comments pass ``names``."""
    section, key, above, of_section = "", "", "", ""
    for n, line in enumerate((ROOT / file).read_text("utf-8").split("\n"), 1):
        stated, comment = _parted(line)
        if not stated.strip():
            above = f"{above} {comment}" if comment else ""
            continue
        if header := HEADER.match(stated):
            section, of_section, above = header[1], f"{above} {comment}", ""
            continue
        if entry := KEY.match(stated):
            key = entry[1].strip()
            of_section += _quoted(stated) if key == "rule" else ""
        if names is None or names(f"{comment} {above} {of_section} {_quoted(stated)}"):
            value = stated[entry.end() :].strip() if entry else stated.strip()
            for now in _changed(value):
                yield DataMutant(file, f"{section}.{key}" if section else key, n, value, now)
        above = ""


def _parted(line: str) -> tuple[str, str]:
    """Return what a line states, and its comment."""
    quote = ""
    for n, letter in enumerate(line):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter == "#":
            return line[:n], line[n + 1 :]
    return line, ""


def _quoted(stated: str) -> str:
    """Return the quoted texts: a table may name its rule in a field of its own."""
    return " ".join(value for value in VALUE.findall(stated) if value[0] in "\"'")


def _changed(value: str) -> Iterator[str]:
    """Yield a value with one of its numbers, or one boolean, changed: one more and one less, or half as much."""
    for match in VALUE.finditer(value):
        for new in _others(match[0]):
            yield value[: match.start()] + new + value[match.end() :]


def _others(word: str) -> tuple[str, ...]:
    if word in ("true", "false"):
        return ("false" if word == "true" else "true",)
    if word[0] in "\"'":
        return ()
    number = float(word) if "." in word else int(word.replace("_", ""))
    return (str(number + 1), str(number / 2 if isinstance(number, float) else number - 1))


@cache
def data_mutants_of(file: str) -> tuple[DataMutant, ...]:
    """Return every mutant of a data file; none if the file no longer exists."""
    return tuple(data_mutants(file)) if (ROOT / file).exists() else ()


class Reading:
    """Makes data files be read again, one of them with a change applied; for use in forks of the process that made
    it."""

    def __init__(self) -> None:
        self.usual = tomllib.loads
        self.was = self.now = ""
        kept = (thing for thing in gc.get_objects() if hasattr(type(thing), "cache_clear"))
        self.caches = [cached for cached in kept if str(getattr(cached, "__module__", "")).startswith("tabletop")]
        self.profiles = [thing for thing in gc.get_objects() if isinstance(thing, Profile)]

    def begin(self, mutant: DataMutant | None) -> None:
        """Drop everything that was read and computed, and from now on read with the change, or as it stands."""
        if mutant is not None:
            self.was, self.now = (ROOT / mutant.file).read_text("utf-8"), mutant.text()
        tomllib.loads = self.loads
        for cached in self.caches:
            cached.cache_clear()
        for profile in self.profiles:
            for name in [name for name in vars(profile) if isinstance(getattr(Profile, name, None), cached_property)]:
                del vars(profile)[name]

    def loads(self, text: str, **words: Any) -> dict[str, Any]:
        """Parse a text; if it is that of the changed file, with the change applied."""
        return self.usual(self.now if self.was and text == self.was else text, **words)
