"""The values of a unit's entry in a file, read key by key; MusterError names the key at fault and the cure."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tabletop.geometry.base import Base
from tabletop.geometry.layout import Layout
from tabletop.geometry.measure import Point, snap_facing, snap_point
from tabletop.rules.rule_set import MusterError
from tabletop.rules.traits import in_order


def names(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields every unit has: id, side, name, parent, traits.

    >>> sorted(names({"id": "a", "side": "red"}))
    ['id', 'name', 'parent', 'side', 'traits']
    """
    id_, side = text(entry, "id"), text(entry, "side")
    parent = entry.get("parent")
    name, traits = str(entry.get("name") or id_), in_order(entry.get("traits") or ())
    return {"id": id_, "side": side, "name": name, "parent": parent and str(parent), "traits": traits}


def word(entry: Mapping[str, Any], key: str, allowed: Iterable[str], default: str | None = None) -> str:
    """Return the word under ``key``, one of ``allowed``; the default if it is not written.

    Raises MusterError for any other word, or if it is missing and has no default.

    >>> word({"quality": "elite"}, "quality", ("elite", "average"))
    'elite'
    >>> word({}, "quality", ("elite", "average"), "average")
    'average'
    """
    words = tuple(allowed)
    value = entry.get(key)
    value = default if value is None else value
    if value is None:
        raise MusterError(key, f"missing; one of: {', '.join(words)}")
    if value not in words:
        near = difflib.get_close_matches(str(value), words, 1)
        raise MusterError(
            key, f"no {key} '{value}'; " + (f"did you mean '{near[0]}'?" if near else f"one of: {', '.join(words)}")
        )
    return str(value)


def without(entry: Mapping[str, Any], keys: Iterable[str]) -> None:
    """Raise MusterError for the first of ``keys`` that is set, as the rules have no use for it.

    >>> without({"rank": None, "linear": False}, ("rank", "linear"))
    """
    for key in keys:
        if entry.get(key) not in (None, False):
            raise MusterError(key, f"these rules have no use for {key}; leave it out")


def text(entry: Mapping[str, Any], key: str) -> str:
    """Return the text under ``key``; MusterError if it is missing or empty."""
    value = entry.get(key)
    if value is None or not str(value):
        raise MusterError(key, f"missing; give the unit's {key}")
    return str(value)


def flag(entry: Mapping[str, Any], key: str) -> bool:
    """Return whether ``key`` is set; MusterError if it is neither true nor false.

    >>> flag({"linear": True}, "linear"), flag({}, "linear")
    (True, False)
    """
    value = entry.get(key)
    if value is not None and not isinstance(value, bool):
        raise MusterError(key, f"{value!r} is neither true nor false")
    return bool(value)


def whole(entry: Mapping[str, Any], key: str, low: int, high: int, default: int | None) -> int | None:
    """Return the whole number under ``key``, from ``low`` to ``high``; the default if it is not written.

    Raises MusterError for any other value.

    >>> whole({"front": 2}, "front", 1, 4, None)
    2
    """
    value = entry.get(key)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int):
        raise MusterError(key, f"{value!r} is not a whole number; write one from {low} to {high}")
    if not low <= value <= high:
        text = f"{value} is not between {low} and {high}" if low < high else f"it is always {low}; leave {key} out"
        raise MusterError(key, text)
    return value


def number(entry: Mapping[str, Any], key: str) -> float:
    """Return the number under ``key``, in the unit it is written in; MusterError if it is missing or not finite.

    >>> number({"facing": 90}, "facing")
    90.0
    """
    if entry.get(key) is None:
        raise MusterError(key, "missing; give a compass bearing in degrees" if key == "facing" else "missing")
    return finite(key, entry[key])


def finite(key: str, value: Any) -> float:
    """Return the value of ``key`` as a finite number, in the unit it is written in; MusterError if it is none.

    >>> finite("facing", 90)
    90.0
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise MusterError(key, f"{value!r} is not a number")
    return float(value)


def list_(entry: Mapping[str, Any], key: str) -> Sequence[Any]:
    """Return the list under ``key``; MusterError if it is something else.

    >>> list_({"ranks": [2, 2]}, "ranks")
    [2, 2]
    """
    value = entry[key]
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        raise MusterError(key, f"{value!r} is not a list")
    return value


def pair(key: str, value: Any) -> Point:
    """Return the value of ``key`` as a pair of numbers (2,); MusterError if it is something else.

    >>> pair("base", [1, 0.75])
    (1.0, 0.75)
    """
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 2:
        raise MusterError(key, f"{value!r} is not a pair [a, b]")
    return finite(key, value[0]), finite(key, value[1])


def place(entry: Mapping[str, Any], key: str) -> Point:
    """Return the point (east, north; table units) under ``key``; MusterError if it is missing.

    >>> place({"at": [8, 6]}, "at")
    (8.0, 6.0)
    """
    if entry.get(key) is None:
        raise MusterError(key, f"missing; give {key}: [x, y]")
    return pair(key, entry[key])


def posed(entry: Mapping[str, Any], layout: Layout, reference: int = 0) -> tuple[Base, ...]:
    """Return the bases laid out about the centre-point (``at``) or the middle of the front (``front_mid``).

    Points are in table units, facings in degrees, both snapped to the grid first. Raises MusterError unless exactly one
    of the two points is given.

    >>> from tabletop.geometry import line
    >>> [base.centre for base in posed({"front_mid": [8, 6], "facing": 0}, line(2, 1.0, 1.0))]
    [(7.5, 5.5), (8.5, 5.5)]
    """
    facing = snap_facing(number(entry, "facing"))
    if entry.get("front_mid") is not None:
        if entry.get("at") is not None:
            raise MusterError("front_mid", "at and front_mid both given; keep one of them")
        return layout.by_front(snap_point(place(entry, "front_mid")), facing, reference)
    if entry.get("at") is None:
        text = "missing; give at: [x, y], the centre-point, or front_mid: [x, y], the middle of the front"
        raise MusterError("at", text)
    return layout.about_centre(snap_point(place(entry, "at")), facing, reference)
