"""A lesson mirrored, east for west: its position, its regions and its actions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

#: Keys whose values are points, lists of points, bearings.
_POINTS, _BEARINGS = ("at", "front_mid", "of", "toward", "start", "end"), ("facing", "toward", "away")
_LINES = ("outline", "line", "track", "along", "inside")
_PLACE = re.compile(r"(?<![\w.])(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)")
_FACING = re.compile(r"\bfacing (-?\d+(?:\.\d+)?)\b")
_SIDES = re.compile(r"\b(left|right)\b|(?<=\bfacing )(east|west)\b")
_OTHER = {"left": "right", "right": "left", "east": "west", "west": "east"}
#: Words of an action that count bases from the left: an action with one of them cannot be mirrored.
NUMBERED = re.compile(r"\b(ref|head|place|bend|shift)\b")


def mirrored(data: Any, width: float, key: str = "") -> Any:
    """Return plain data of a lesson mirrored on a table ``width`` wide; ``key`` is the key of the data.

    >>> mirrored({"at": [4, 9], "facing": 90}, 24)
    {'at': [20, 9], 'facing': 270}
    """
    if isinstance(data, Mapping):
        return _unit({name: mirrored(value, width, str(name)) for name, value in data.items()})
    if key == "bend":
        return [-angle for angle in reversed(data)]
    if key in _LINES and is_line(data):
        return [[width - x, y] for x, y in data]
    if key in (*_POINTS, "to") and _is_point(data):
        return [width - data[0], data[1]]
    if key == "path" and is_line(data):
        return [[width - x, y] for x, y in data]
    if isinstance(data, list | tuple):
        return [mirrored(each, width, key if key in _LINES else "") for each in data]
    if key in _BEARINGS and _is_number(data):
        return mirrored_bearing(data)
    if isinstance(data, str) and key in ("solution", "watch", "acts", "odds", "enemy"):
        return mirrored_acts(data, width)
    return data


def mirrored_bearing(value: Any) -> Any:
    """Return a bearing (degrees or a word), a list of bearings, or those of each side or unit, mirrored.

    >>> mirrored_bearing(270), mirrored_bearing({"red": "west", "blue": "north"})
    (90, {'red': 'east', 'blue': 'north'})
    """
    if isinstance(value, Mapping):
        return {name: mirrored_bearing(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [mirrored_bearing(each) for each in value]
    return (360 - value) % 360 if _is_number(value) else _OTHER.get(value, value)


def mirrored_acts(acts: str, width: float) -> str:
    """Return typed actions with their places, bearings and sides mirrored.

    >>> mirrored_acts("maneuver guns to 9,9 facing 90; maneuver guns left 2", 24)
    'maneuver guns to 15,9 facing 270; maneuver guns right 2'
    """
    acts = _PLACE.sub(lambda m: f"{width - float(m[1]):g},{m[2]}", acts)
    acts = _FACING.sub(lambda m: f"facing {(360.0 - float(m[1])) % 360.0:g}", acts)
    return _SIDES.sub(lambda m: _OTHER[m[0]], acts)


def _unit(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with its reference base counted from the other end, if its line is bent."""
    if "bend" in row and _is_number(row.get("bases")):
        row["reference"] = row["bases"] - 1 - row.get("reference", 0)
    return row


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_point(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(map(_is_number, value))


def is_line(value: Any) -> bool:
    """Return whether plain data is a list of points."""
    return isinstance(value, list | tuple) and bool(value) and all(map(_is_point, value))
