"""The options a scenario sets for a battle, for each side if they may differ (``options.toml``)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.rules.rule_set import Option, read_options


def chosen(battle: Battle, name: str, side: str) -> Any:
    """Return an option's value for a side; its default if the scenario does not set it.

    >>> from tabletop.play.files.opened import open_battle
    >>> chosen(open_battle("starter"), "column_assault", "french")
    True
    """
    default = _options()[name].default
    value = battle.setup.options.get(name, default)
    return value.get(side, default) if isinstance(value, Mapping) else value


@cache
def _options() -> Mapping[str, Option]:
    return read_options("tabletop.rules.tse")
