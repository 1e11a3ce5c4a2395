"""Reading the data files of a rule set."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any, TypeVar

import yaml

Row = TypeVar("Row")


def data_of(package: str, name: str) -> Mapping[str, Any]:
    """Return the data file ``name`` ("tables.toml") of a rule set's package, parsed.

    >>> sorted(data_of("tabletop.rules.tse", "rulings.toml"))[:1]
    ['assault_bars']
    """
    return tomllib.loads(resources.files(package).joinpath(name).read_text("utf-8"))


def yaml_of(text: str) -> Any:
    """Return a YAML text of a rule set, parsed, with libyaml if available; yaml.YAMLError for a faulty text.

    >>> yaml_of("- {id: TSE-LOS-05, says: A hill hides.}")
    [{'id': 'TSE-LOS-05', 'says': 'A hill hides.'}]
    """
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def rows_of(make: Callable[..., Row], sections: Mapping[str, Mapping[str, Any]]) -> dict[str, Row]:
    """Return ``make(name=..., **values)`` for each section, by name; lists become tuples.

    >>> rows_of(dict, {"infantry": {"ranges": [1, 2]}})
    {'infantry': {'name': 'infantry', 'ranges': (1, 2)}}
    """
    rows = {}
    for name, section in sections.items():
        values = {key: tuple(v) if isinstance(v, list) else v for key, v in section.items()}
        rows[name] = make(name=name, **values)
    return rows
