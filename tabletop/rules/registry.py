"""The registry of rule sets: the titles and folders of all of them without importing any, and which can be loaded."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from tabletop.errors import Broken
from tabletop.rules.published import published
from tabletop.rules.rule_set import BUILT_IN, NAMES, RuleSet, find

#: The titles of the built-in rule sets, as their records have them.
TITLES = {
    "tse": "There Stand Empires",
    "realm-of-chance": "Realm of Chance",
    "destiny": "Age of Destiny",
    "reason": "Age of Reason",
    "gloire": "Age of Gloire",
    "glaube": "Age of Glaube",
    "sail": "Age of Sail",
}
#: The file in a published rule set's package that has its title.
ABOUT = "about.toml"


def title_of(name: str) -> str:
    """Return the title of an installed rule set without importing it; that of a published one is in its ``about.toml``.

    Without such a file the title is made of the name.

    >>> title_of("sail")
    'Age of Sail'
    """
    return TITLES.get(name) or _about(name).get("title") or name.replace("-", " ").capitalize()


@cache
def folder_of(name: str) -> Path | None:
    """Return the folder of a published rule set's top package, found without importing it; None if there is none.

    >>> folder_of("sail") is None  # it is built in
    True
    """
    if name in BUILT_IN or name not in published():
        return None
    top = published()[name].partition(":")[0].partition(".")[0]
    try:
        spec = find_spec(top)
    except (ImportError, ValueError, AttributeError):
        return None
    places = spec.submodule_search_locations if spec is not None else None
    return next((Path(place) for place in places or () if Path(place).is_dir()), None)


@cache
def loadable() -> tuple[RuleSet, ...]:
    """Return every rule set that can be loaded; those that cannot are left out and named once on stderr.

    >>> [rules.title for rules in loadable()][:2]
    ['There Stand Empires', 'Realm of Chance']
    """
    for error in broken().values():
        print(f"tabletop: {error}", file=sys.stderr)
    return tuple(find(name) for name in NAMES if name not in broken())


@cache
def broken() -> Mapping[str, Broken]:
    """Return the errors of the published rule sets that cannot be loaded, by name; all rule sets are imported.

    >>> "tse" in broken()
    False
    """
    return dict(_broken())


def _broken() -> Iterator[tuple[str, Broken]]:
    for name in NAMES:
        try:
            find(name)
        except Broken as error:
            yield name, error


@cache
def _about(name: str) -> Mapping[str, str]:
    """Return the texts of a published rule set's ``about.toml``; empty without a readable one."""
    folder = folder_of(name)
    try:
        read = tomllib.loads((folder / ABOUT).read_text("utf-8")) if folder is not None else {}
    except (OSError, ValueError):
        return {}
    return {key: value for key, value in read.items() if isinstance(value, str)}
