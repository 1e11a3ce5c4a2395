"""An action in a few words, for a row of the list: kind, target, options, distance and direction."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.geometry.measure import bearing, compass_point
from tabletop.play.engine import play_of
from tabletop.render.battle import bends


def phrase(battle: Battle, action: Action) -> str:
    """Return an action in a few words: kind, target, options, distance."""
    words = [play_of(battle).kinds[action.kind].label_in(battle)]
    words += [f"at {battle.called(action.target)}"] if action.target else []
    words += [option for key, value in action.options.items() if (option := _option(battle, action, key, value))]
    words += [going] if (going := _going(battle, action)) else []
    return ", ".join(words)


def _option(battle: Battle, action: Action, key: str, value: Any) -> str:
    if isinstance(value, str) and key != "group":
        return value.replace("-", " ")
    return "" if value is None or key not in _OPTIONS else _OPTIONS[key](battle, action, value)


def _shift(battle: Battle, action: Action, value: Sequence[float]) -> str:
    dx, dy = value
    far = float((dx * dx + dy * dy) ** 0.5)
    return "" if far < 0.05 else f"{far:.1f} {battle.table.unit} {compass_point(bearing(dx, dy))}"


def _names(word: str) -> Callable[[Battle, Action, Sequence[Any]], str]:
    """Return a function that names the units in an option; places, given as numbers, are left out."""

    def named_units(battle: Battle, action: Action, value: Sequence[Any]) -> str:
        named = [battle.called(name) for name in value if isinstance(name, str)]
        return f"{word} {', '.join(named)}" if named else ""

    return named_units


def _extends(battle: Battle, action: Action, place: int) -> str:
    """Return how many bases of a line lie on either side of its fixed base."""
    strength = battle.unit(action.unit).strength if action.unit is not None and battle.has(action.unit) else place + 1
    return f"{place} left, {strength - 1 - place} right"


def _bent(battle: Battle, action: Action, bend: Sequence[float]) -> str:
    reference = action.options.get("place", action.options.get("ref", 0))
    return bends.words(bend, int(reference)) if any(bend) else ""


def _wheels(battle: Battle, action: Action, pivots: Sequence[str]) -> str:
    corners = [about for about in dict.fromkeys(pivots) if about != "middle"]
    return f"wheels on its {' and '.join(corners)}" if corners else ""


def _ranks(battle: Battle, action: Action, sizes: Sequence[int]) -> str:
    return f"ranks {'+'.join(map(str, sizes))}"


_OPTIONS: Mapping[str, Callable[[Battle, Action, Any], str]] = {
    "facing": lambda battle, action, value: f"facing {compass_point(float(value))}",
    "to": _names("for"),
    "with": _names("with"),
    "group": lambda battle, action, value: battle.called(str(value)),
    "shift": _shift,
    "ranks": _ranks,
    "place": _extends,
    "bend": _bent,
    "pivots": _wheels,
}


def _going(battle: Battle, action: Action) -> str:
    """Return how far and in which direction a path leads."""
    path = action.options.get("path")
    if not path or action.unit is None or not battle.has(action.unit):
        return ""
    unit = battle.unit(action.unit)
    (x, y), (px, py) = unit.at, path[-1]
    far = max(0.0, math.dist((x, y), (px, py)) - math.dist(unit.at, unit.front_mid))  # the distance its middle moves
    return f"{far:.1f} {battle.table.unit} {compass_point(bearing(px - x, py - y))}" if far else ""
