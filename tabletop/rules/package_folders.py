"""The folders of published rule sets' packages, found without importing any."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from tabletop.rules.published import published
from tabletop.rules.rule_set import BUILT_IN


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
