"""The kinds of terrain a rule set uses, from the data file ``terrain.toml`` of its package.

The file may hold ``kinds``, all kinds that its rules know, and ``own``, those that no other rule set has unless it
lists them itself. A rule set without the file has every kind that no other one claims as its own.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from tabletop.errors import Broken
from tabletop.geometry.terrain import presets
from tabletop.rules import rule_set
from tabletop.rules.published import published
from tabletop.rules.registry import folder_of
from tabletop.rules.rule_set import RuleSet

FILE = "terrain.toml"


def kinds_of(rules: RuleSet) -> tuple[str, ...]:
    """Return the kinds of terrain that may lie on a table of this rule set; Broken if its file cannot be read.

    >>> kinds_of(rule_set.find("sail"))
    ('sea', 'shoal', 'land')
    """
    for package in reversed(rules.data_packages):
        listed = _read(resources.files(package).joinpath(FILE)).get("kinds")
        if listed is not None:
            return tuple(kind for kind in presets() if kind in listed)
    claimed = {kind for name in rule_set.NAMES if name != rules.name for kind in own_kinds(name)}
    return tuple(kind for kind in presets() if kind not in claimed)


@cache
def own_kinds(name: str) -> tuple[str, ...]:
    """Return the kinds that the rule set of this name claims as its own, without importing it; none if unreadable.

    >>> own_kinds("sail"), own_kinds("tse")
    (('sea', 'shoal', 'land'), ())
    """
    try:
        folder = _folder(name)
        return tuple(map(str, _read(folder.joinpath(FILE)).get("own", ()))) if folder is not None else ()
    except Broken:
        return ()


def _folder(name: str) -> Traversable | None:
    """Return the folder of a rule set's module; None if its package is not found."""
    if name in rule_set.BUILT_IN:
        return resources.files("tabletop.rules").joinpath(name.replace("-", "_"))
    folder = folder_of(name)
    return folder.joinpath(*published()[name].partition(":")[0].split(".")[1:-1]) if folder is not None else None


def _read(file: Traversable) -> Mapping[str, Any]:
    """Return the data of a file, nothing if it does not exist; Broken, with its name, if it cannot be read."""
    if not file.is_file():
        return {}
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise Broken(f"{file}: {error}; ask the author of these rules, or uninstall them") from None
