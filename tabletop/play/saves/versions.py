"""The versions under which a game is played: of its rules, and of their model of chance if they have one.

They are numbered in the record of each rule set (``RuleSet.versions``). A saved game names its versions; a game played
under others than the present ones is shown as it was recorded, but never verified.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.play.files.nearest_words import clip
from tabletop.rules import rule_set

Versions = Mapping[str, int]


def current(rules: str) -> dict[str, int]:
    """Return the versions under which this program plays some rules; BadQuestion for unknown rules."""
    return dict(rule_set.find(rules).versions)


def first(rules: str) -> dict[str, int]:
    """Return the versions of games saved before versions were recorded: all 1."""
    return dict.fromkeys(rule_set.find(rules).versions, 1)


def known(data: Any, rules: str) -> dict[str, int]:
    """Return the versions written as ``data``; ValueError, in one line, if this program does not know them all."""
    newest = current(rules)
    if not isinstance(data, Mapping) or data.keys() != newest.keys():
        raise ValueError(f"it names no versions of {' and '.join(newest)} it was played under; use another copy")
    for name, number in data.items():
        if type(number) is not int or number < 1:
            raise ValueError(f"its version of the {name} is {clip(number)}, which is no version; use another copy")
    if any(data[name] > newest[name] for name in newest):
        raise ValueError(
            f"it was played under {named(data)}; this program knows them as far as {named(newest)}: use a newer one"
        )
    return dict(data)


def named(versions: Versions) -> str:
    """Return versions in words.

    >>> named({"rules": 1, "model": 2})
    'rules 1, model 2'
    """
    return ", ".join(f"{name} {number}" for name, number in versions.items())
