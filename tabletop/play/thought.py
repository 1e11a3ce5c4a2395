"""Why a computer player took an action: its reason, the value it gave it, and the runner-up.

A thought is a note on an action and is saved with it. It is not part of the state or its hash, and play does not depend
on it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.codec import action_data, action_of

#: Decimals of a value when saved.
DECIMALS = 4


@dataclass(frozen=True)
class Weighed:
    """An action with its value (in bases, by the player's own evaluation) and the reason for that value."""

    action: Action
    value: float
    why: str = ""


@dataclass(frozen=True)
class Thought:
    """The reason for an action, with its value in bases and the runner-up, None if nothing was weighed."""

    why: str = ""
    value: float | None = None
    other: Weighed | None = None


def thought_of(chosen: Weighed, candidates: Iterable[Weighed]) -> Thought:
    """Return the thought behind a choice among candidates.

    The runner-up is the best candidate that does something else: another kind of action, by another unit, or against
    another enemy. If all do the same, it is the best that differs at all.
    """
    others = sorted((one for one in candidates if one.action != chosen.action), key=lambda one: -one.value)
    other = next((one for one in others if _deed(one.action) != _deed(chosen.action)), next(iter(others), None))
    return Thought(chosen.why, chosen.value, other)


def _deed(action: Action) -> tuple[Any, ...]:
    return action.kind, action.unit, action.target, action.options.get("choice"), action.options.get("group")


def thought_data(thought: Thought) -> dict[str, Any]:
    """Return a thought as plain data, without missing parts and values that are not finite."""
    data: dict[str, Any] = {"why": thought.why}
    if thought.value is not None and math.isfinite(thought.value):
        data["value"] = round(thought.value, DECIMALS)
    if thought.other is not None and math.isfinite(thought.other.value):
        value = round(thought.other.value, DECIMALS)
        data["other"] = {"action": action_data(thought.other.action), "value": value, "why": thought.other.why}
    return data


def thought_from(data: Mapping[str, Any]) -> Thought:
    """Return the thought written as ``data``; KeyError, TypeError or ValueError if it is none."""
    if unknown := data.keys() - {"why", "value", "other"}:
        raise ValueError(f"no thought has a '{min(unknown)}'")
    value, other = data.get("value"), data.get("other")
    weighed = (
        None if other is None else Weighed(action_of(other["action"]), _number(other["value"]), _text(other["why"]))
    )
    return Thought(_text(data["why"]), None if value is None else _number(value), weighed)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError("the value of an action is a number")
    return float(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a reason is a text")
    return value
