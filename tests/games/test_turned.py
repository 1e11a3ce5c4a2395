"""No side is favoured: with the armies' names exchanged, or the field turned half round, it is the same battle."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from tabletop.battle import codec
from tabletop.play.engine import Step
from tabletop.play.match import fight
from tabletop.play.players import player_kind
from tools.fields import begun, equal_scene

SOUTH, NORTH = "blue", "red"
EXCHANGED = {SOUTH: NORTH, NORTH: SOUTH}
PIECES = 16
KEPT_NAMES = {SOUTH: SOUTH, NORTH: NORTH}


def renamed(data: Any) -> Any:
    """Return data with the two sides' names exchanged wherever they stand."""
    return json.loads(re.sub(r"\b(blue|red)\b", lambda found: EXCHANGED[found[0]], json.dumps(data, sort_keys=True)))


def turned(scene: dict[str, Any]) -> dict[str, Any]:
    """Return a scene whose armies stand turned half round about the middle; its terrain is the same either way."""
    width, height = scene["table"]["width"], scene["table"]["height"]
    units = [dict(row, at=[round(width - row["at"][0], 6), round(height - row["at"][1], 6)]) for row in scene["units"]]
    return scene | {"units": [u | {"facing": (u["facing"] + 180) % 360} if "facing" in u else u for u in units]}


def fought(scene: dict[str, Any], names: Mapping[str, str], player: str, seed: int, turns: int) -> list[Step]:
    """Fight a battle; the army called blue at first attacks, each army has the same player whatever it is called."""
    make = player_kind(player).make
    assert make is not None
    players = {names[side]: make(2 * seed + k) for k, side in enumerate((SOUTH, NORTH))}
    return list(fight(begun(scene, turns, attacker=names[SOUTH]), players, seed))


def told(steps: list[Step]) -> list[Any]:
    """Return what was done and what came of it; events of one action in no order, for units are listed by name."""
    rows = [(s.action and codec.action_data(s.action), [codec.event_data(e) for e in s.events]) for s in steps]
    return [[action, sorted(json.dumps(event, sort_keys=True) for event in events)] for action, events in rows]


def same_battle(player: str, brigades: int, seed: int, turns: int) -> None:
    scene = equal_scene(brigades, PIECES, seed)
    plain = fought(scene, KEPT_NAMES, player, seed, turns)
    assert len(plain) > brigades * turns, "they did something"

    other = fought(renamed(scene), EXCHANGED, player, seed, turns)
    again = [[a, sorted(json.dumps(renamed(json.loads(e)), sort_keys=True) for e in es)] for a, es in told(other)]
    assert [[renamed(action), events] for action, events in again] == told(plain)

    about = fought(turned(scene), KEPT_NAMES, player, seed, turns)
    assert [_deed(step) for step in about] == [_deed(step) for step in plain]
    width, height = scene["table"]["width"], scene["table"]["height"]
    for here, there in zip(plain[-1].battle.units, about[-1].battle.units, strict=True):
        assert (width - there.at[0], height - there.at[1]) == pytest.approx(here.at, abs=1e-6)
    assert about[-1].battle.outcome == plain[-1].battle.outcome


def _deed(step: Step) -> tuple[Any, ...]:
    action = step.action
    return (action.kind, action.side, action.unit, action.target) if action else (), [t.face for t in _thrown(step)]


def _thrown(step: Step) -> list[Any]:
    return [event for event in step.events if hasattr(event, "face")]


@pytest.mark.parametrize("brigades", [2, pytest.param(4, marks=pytest.mark.sweep)])
def test_no_side_is_favoured(brigades: int) -> None:
    same_battle("sensible", brigades, 3, 1)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(8))
def test_no_side_is_favoured_in_battles_at_length(seed: int) -> None:
    same_battle("sensible", 8, seed, 6)
