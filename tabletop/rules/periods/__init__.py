"""The title, the period, one line about each rule set and what its units are called, known without importing it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tabletop.rules.common.data import data_of
from tabletop.rules.package_folders import folder_of

#: The file of a published rule set's package that says the same of it.
OWN_FILE = "about.toml"
#: What players call one of the units if the rule set names nothing else.
UNIT = "unit"
#: The keys of a rule set in these files.
KEYS = ("title", "period", "about", "noun", "guide")


@dataclass(frozen=True)
class Period:
    """What is said of a rule set: its title, its period ("Napoleonic, 1805 to 1815"), a line; "" if unknown.

    ``noun`` is what players call one of its units, in the singular: a word that goes with "a" and has a plural in s.
    ``guide`` is its page: the name of a page of the documentation, or an address on the web; its own name by default.
    """

    title: str
    period: str = ""
    about: str = ""
    noun: str = UNIT
    guide: str = ""

    @property
    def heading(self) -> str:
        """The title with the period, if it is known."""
        return f"{self.title} · {self.period}" if self.period else self.title


@cache
def period_of(name: str) -> Period:
    """Return what is said of a rule set of this name; its name for a title if nothing is said of it.

    >>> period_of("glaube").heading
    'Age of Glaube · The Thirty Years War and its time, 1618 to 1659'
    """
    said: Mapping[str, Any] = _built_in().get(name) or _published(name)
    known = {key: " ".join(str(said[key]).split()) for key in KEYS if key in said}
    return Period(**{"title": name.replace("-", " ").capitalize(), "guide": name, **known})


@cache
def _built_in() -> Mapping[str, Mapping[str, Any]]:
    return data_of("tabletop.rules.periods", "periods.toml")


def _published(name: str) -> Mapping[str, Any]:
    """Return what a published rule set's package says in its own file; nothing if it has none that can be read."""
    import tomllib

    folder = folder_of(name)
    try:
        return tomllib.loads((folder / OWN_FILE).read_text("utf-8")) if folder is not None else {}
    except (OSError, ValueError):
        return {}
