"""Rule sets that others have published: installed packages that name one under the entry point ``tabletop.rule_sets``.

Only names are read here; a rule set is imported when a battle, a file or a page chooses it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

#: The group of entry points: ``my-rules = "my_rules.rule_set:RULES"``.
GROUP = "tabletop.rule_sets"
#: Suffixes of the folders that describe installed packages.
DESCRIPTIONS = (".dist-info", ".egg-info")


@cache
def published() -> Mapping[str, str]:
    """Return the published rule sets, sorted by name, each with the ``module:attribute`` of its record.

    The files that describe installed packages are searched for the group first: importlib.metadata takes as long to
    import as a verdict takes, so it is used only if one of the files names the group.

    >>> "sail" in published()  # it is built in
    False
    """
    if not any(_names_the_group()):
        return {}
    from importlib.metadata import entry_points

    return {point.name: point.value for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


def _names_the_group() -> Iterator[bool]:
    for folder in dict.fromkeys(sys.path):
        try:
            described = [entry for entry in Path(folder or ".").iterdir() if entry.name.endswith(DESCRIPTIONS)]
        except OSError:
            continue
        for entry in described:
            try:
                yield GROUP in (entry / "entry_points.txt").read_text("utf-8")
            except (OSError, UnicodeDecodeError):
                continue
