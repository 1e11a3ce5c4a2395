"""Validation of an action's options as given by a player or a file."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from tabletop.battle.action import Action
from tabletop.errors import BadQuestion
from tabletop.geometry.layout import ALIGN
from tabletop.geometry.movement.motion import PIVOTS
from tabletop.rules.tse.movement.layouts import FORMATIONS

#: The greatest coordinate accepted, in table units.
FARTHEST = 1e6


def _number(value: Any) -> bool:
    right = isinstance(value, (int, float)) and not isinstance(value, bool)
    return right and math.isfinite(value) and abs(value) <= FARTHEST


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _point(value: Any) -> bool:
    return isinstance(value, (tuple, list)) and len(value) == 2 and all(map(_number, value))


def _points(value: Any) -> bool:
    return isinstance(value, (tuple, list)) and all(map(_point, value))


def _numbers(value: Any) -> bool:
    return isinstance(value, (tuple, list)) and all(map(_number, value))


def _sizes(value: Any) -> bool:
    return isinstance(value, (tuple, list)) and all(map(_whole, value))


def _pivots(value: Any) -> bool:
    return isinstance(value, (tuple, list)) and all(isinstance(word, str) and word in PIVOTS for word in value)


#: For each option of an action, the test it must pass and what it must be, in words.
OPTIONS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "path": (_points, "a list of points such as [[30, 20], [32, 24]]"),
    "pivots": (_pivots, "what the front turns on at each waypoint: middle, left or right"),
    "to": (_point, "a point such as [30, 20]"),
    "facing": (_number, "a number of degrees clockwise from north"),
    "shift": (_point, "two lengths such as [0, 0.5]"),
    "ref": (_whole, "the number of a base, from 0"),
    "head": (_whole, "the number of a base, from 0"),
    "place": (_whole, "the number of a place in the line, from 0 at its left"),
    "ranks": (_sizes, "the sizes of the ranks such as [2, 1, 1]"),
    "align": (lambda value: value in ALIGN, f"one of: {', '.join(ALIGN)}"),
    "front": (_whole, "how many bases the front rank has"),
    "bend": (_numbers, "one angle for each base"),
    "length": (lambda value: _number(value) and value >= 0.0, "a length, not negative"),
    "formation": (lambda value: value in FORMATIONS, f"one of: {', '.join(FORMATIONS)}"),
    "to_fire": (lambda value: isinstance(value, bool), "true or false"),
}


def check_options(action: Action) -> None:
    """Raise BadQuestion, naming option, value and cure, if an option of the action is invalid."""
    for name, value in action.options.items():
        if name in OPTIONS and value is not None and not OPTIONS[name][0](value):
            value_text = repr(value)
            shown = value_text if len(value_text) <= 60 else value_text[:57] + "..."
            raise BadQuestion(f"{action.kind}: '{name}' must be {OPTIONS[name][1]}, not {shown}")
