"""The registry of rule sets: the folders of published ones without importing any, and which can be loaded."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from tabletop.errors import Broken
from tabletop.rules.published import published
from tabletop.rules.rule_set import BUILT_IN, NAMES, RuleSet, find


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

    Those whose files of terrain or of traits are faulty are among them.

    >>> "tse" in broken()
    False
    """
    return dict(_broken())


def _broken() -> Iterator[tuple[str, Broken]]:
    from tabletop.rules import terrain_kinds, traits  # these need this module

    for name in NAMES:
        try:
            terrain_kinds.kinds_of(find(name))
            traits.traits_of(find(name), traits.UNIT)
        except Broken as error:
            yield name, error
