"""What others have published: installed packages that name their record under one of the program's entry points.

Rule sets are published under ``tabletop.rule_sets``, modules under ``tabletop.modules``. Only names are read here; a
record is imported when a battle, a file or a page chooses it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, TypeVar

from tabletop.errors import Broken

#: The group of entry points of rule sets: ``my-rules = "my_rules.rule_set:RULES"``.
GROUP = "tabletop.rule_sets"
#: Suffixes of the folders that describe installed packages.
DESCRIPTIONS = (".dist-info", ".egg-info")


class Named(Protocol):
    """A record that knows its name."""

    @property
    def name(self) -> str: ...


Record = TypeVar("Record", bound=Named)


def published() -> Mapping[str, str]:
    """Return the published rule sets, sorted by name, each with the ``module:attribute`` of its record.

    >>> "sail" in published()  # it is built in
    False
    """
    return published_under(GROUP)


@cache
def published_under(group: str) -> Mapping[str, str]:
    """Return what is published under a group, sorted by name, each with the ``module:attribute`` of its record.

    The files that describe installed packages are searched for the group first: importlib.metadata takes as long to
    import as a verdict takes, so it is used only if one of the files names the group.

    >>> published_under("tabletop.nobody")
    {}
    """
    if not any(f"[{group}]" in text for text in _entry_points()):
        return {}
    from importlib.metadata import entry_points

    return {point.name: point.value for point in sorted(entry_points(group=group), key=lambda point: point.name)}


def _entry_points() -> Iterator[str]:
    """Yield the entry points of every installed package, as text."""
    for folder in dict.fromkeys(sys.path):
        try:
            described = [entry for entry in Path(folder or ".").iterdir() if entry.name.endswith(DESCRIPTIONS)]
        except OSError:
            continue
        for entry in described:
            try:
                yield (entry / "entry_points.txt").read_text("utf-8")
            except (OSError, UnicodeDecodeError):
                continue


def loaded(
    name: str,
    place: str,
    record_type: type[Record],
    called: tuple[str, str],
    read: Callable[[Record], object] = lambda record: None,
) -> Record:
    """Return a published record, ``read`` by the way; Broken, naming the package's fault, if that cannot be done.

    ``place`` is its ``module:attribute``; ``called`` are the word for such records and the attribute meant if none is
    named.

    >>> from tabletop.rules.rule_set import RuleSet
    >>> loaded("sail", "tabletop.rules.sail.rule_set", RuleSet, ("rule set", "RULES")).title
    'Age of Sail'
    """
    what, usual = called
    module, _, attribute = place.partition(":")
    again = "ask its author, or uninstall it"
    try:
        record: Any = getattr(import_module(module), attribute or usual)
        if isinstance(record, record_type):
            read(record)
    except Exception as error:  # whatever a stranger's package does must not end the program
        error_text = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise Broken(f"{what} '{name}' ({place}) cannot be loaded: {error_text}; {again}") from None
    if not isinstance(record, record_type) or record.name != name:
        raise Broken(f"{what} '{name}' ({place}) is no record {record_type.__name__} of that name; {again}")
    return record
