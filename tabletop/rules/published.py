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
#: What the folders of installed packages' descriptions end with.
DESCRIPTIONS = (".dist-info", ".egg-info")


@cache
def published() -> Mapping[str, str]:
    """Return the published rule sets by name, in order of name: each the ``module:attribute`` of its record.

    Names are looked for in the files that describe installed packages: importlib.metadata, which reads them, takes as
    long to import as a verdict does, and is asked only where one of the files names the group.
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
