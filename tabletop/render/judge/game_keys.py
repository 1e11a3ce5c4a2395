"""The block ``game`` of a draft: its content, and replacing values in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tabletop.play.files.draft import Draft

#: The parts of the page on which a battle's terms are set.
PARTS = (("terms", "Terms"), ("goals", "Objectives"), ("arrivals", "Arrivals"))


@dataclass
class Terms:
    """What the page shows: its part, the chosen option, objective and arrival, and the action of a click."""

    part: str = PARTS[0][0]
    option: str = ""
    goal: str = ""
    arrival: int = 0
    tool: str = ""


def game_of(draft: Draft) -> dict[str, Any]:
    """Return the block ``game`` of a scene, empty if it has none."""
    return dict(draft.rest.get("game") or {})


def with_game(draft: Draft, **changes: Any) -> Draft:
    """Return a draft with values replaced in its block ``game``; None removes a key, and an empty block goes too."""
    game = {key: value for key, value in {**game_of(draft), **changes}.items() if value is not None}
    rest = {key: value for key, value in draft.rest.items() if key != "game"}
    return replace(draft, rest={**rest, "game": game} if game else rest)


def goals(draft: Draft) -> Sequence[Mapping[str, Any]]:
    """Return the rows of the objectives."""
    return tuple(game_of(draft).get("objectives") or ())


def arrivals(draft: Draft) -> Sequence[Mapping[str, Any]]:
    """Return the rows of the arrivals."""
    return tuple(game_of(draft).get("arrivals") or ())


def coming(draft: Draft) -> frozenset[str]:
    """Return the ids of the units that arrive later."""
    return frozenset(str(unit) for row in arrivals(draft) for unit in row.get("units") or ())
