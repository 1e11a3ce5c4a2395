"""Plain data, as a file is read into, with one value other than it is."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

#: Values that no author means.
ODD: list[Any] = [
    None, True, -1, 0, 1e308, "", "x", [], {}, [[]], {"ask": 3}, "{unit:", "a;b;;", [1, 2, 3], "9" * 300,
]  # fmt: skip


def places(data: Any, where: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the keys that lead to every value, each before those within it."""
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [found for key, value in parts for found in ((*where, key), *places(value, (*where, key)))]


def changed(data: Mapping[str, Any], *where: str | int, to: Any) -> dict[str, Any]:
    """Return a copy of the data in which the value that some keys lead to is another."""
    copied: Any = copy.deepcopy(data)
    inner = copied
    for key in where[:-1]:
        inner = inner[key]
    inner[where[-1]] = to
    assert isinstance(copied, dict)
    return copied
