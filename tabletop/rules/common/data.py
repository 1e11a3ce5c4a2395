"""A rule set's numbers and words, from the data files beside it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any, TypeVar

Row = TypeVar("Row")


def data_of(package: str, name: str) -> Mapping[str, Any]:
    """Return a data file of a rule set's package, "tables.toml"."""
    return tomllib.loads(resources.files(package).joinpath(name).read_text("utf-8"))


def rows_of(make: Callable[..., Row], sections: Mapping[str, Mapping[str, Any]]) -> dict[str, Row]:
    """Return what is made of each section, by its name; lists become tuples."""
    rows = {}
    for name, section in sections.items():
        values = {key: tuple(v) if isinstance(v, list) else v for key, v in section.items()}
        rows[name] = make(name=name, **values)
    return rows
