"""The registry of rule sets: which can be loaded, and what is wrong with the others."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import cache

from tabletop.errors import Broken
from tabletop.rules import terrain_kinds, traits
from tabletop.rules.rule_set import NAMES, RuleSet, find


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
    for name in NAMES:
        try:
            terrain_kinds.kinds_of(find(name))
            traits.traits_of(find(name), traits.UNIT)
        except Broken as error:
            yield name, error
