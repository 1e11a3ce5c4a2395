"""A battle played twice, every unit under another name the second time, and so listed in another order."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from tabletop.battle import codec
from tabletop.battle.battle import Battle
from tabletop.battle.event import Thrown
from tabletop.battle.progress import Setup
from tabletop.errors import Unreadable
from tabletop.play.engine import Step, begin, mover, submit
from tabletop.play.files.load import load_scene_data
from tabletop.play.players import Player, player_kind

#: The most actions that are played, and the turns a battle has.
MOST, TURNS = 250, 5


def renamed(data: Any, names: Mapping[str, str]) -> Any:
    """Return data with every unit's id exchanged for another, in prose too."""
    ids = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    text = re.sub(rf"(?<![\w-])({ids})(?![\w])", lambda found: names[found[0]], json.dumps(data))
    return json.loads(text)


def new_names(data: Mapping[str, Any], number: int) -> dict[str, str]:
    """Return new ids in another order than the old ones: reversed, or shuffled."""
    old = sorted(row["id"] for row in data["units"])
    new = [f"n{k:02}" for k in range(len(old))]
    if number % 2:
        Random(number).shuffle(new)
    else:
        new.reverse()
    return dict(zip(old, new, strict=True))


def loaded(data: dict[str, Any]) -> Battle:
    return replace(load_scene_data(data), setup=Setup(turns=TURNS))


def told(step: Step) -> tuple[list[str], list[list[Any]]]:
    """Return what happened, in no order, for independent things are listed by name; and the dice as they fell."""
    events = [json.dumps(codec.event_data(e), sort_keys=True) for e in step.events]
    return sorted(events), [[e.purpose, e.face] for e in step.events if isinstance(e, Thrown)]


def same(one: Step, two: Step, names: Mapping[str, str]) -> None:
    """The same happened, the same dice fell for the same things, and the same state came of it."""
    events, dice = told(one)
    events = sorted(json.dumps(renamed(json.loads(e), names), sort_keys=True) for e in events)
    assert (events, renamed(dice, names)) == told(two)
    state = renamed(codec.state(one.battle), names)
    for listed in ("units", "awaited"):
        state[listed].sort(key=lambda row: row["id"])
    assert _rounded(state) == _rounded(codec.plain(codec.state(two.battle)))


def _rounded(value: Any) -> Any:
    return codec._rounded(value)


def play_both(data: dict[str, Any], number: int, player: str, choosing: bool = True, most: int = MOST) -> int:
    """Play a battle twice, under both sets of names; return how many actions it had, none if it cannot be laid out.

    ``choosing`` asks that the player chooses the same under both; without it what it chose under the first is done. No
    more than ``most`` actions are played.
    """
    names = new_names(data, number)
    try:
        one, two = begin(loaded(data), number), begin(loaded(renamed(data, names)), number)
    except Unreadable:
        return 0
    make = player_kind(player).make
    assert make is not None
    players: tuple[Player, Player] = make(number), make(number)
    for n in range(most):
        same(one, two, names)
        if mover(one.battle) is None:
            return n
        first = players[0].choose(one.battle).action
        second = codec.action_of(renamed(codec.action_data(first), names))
        if choosing:
            chosen = players[1].choose(two.battle).action
            assert codec.plain(codec.action_data(second)) == codec.plain(codec.action_data(chosen))
        one, two = submit(one.battle, first), submit(two.battle, second)
    return most
