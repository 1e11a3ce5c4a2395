"""What units are called decides nothing: with every one renamed, and so listed in another order, the same battle."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tabletop.battle import codec
from tabletop.battle.battle import Battle
from tabletop.battle.event import Thrown
from tabletop.battle.progress import Setup
from tabletop.errors import Unreadable
from tabletop.play.engine import Step, begin, mover, submit
from tabletop.play.load import load_scene_data
from tabletop.play.players import Player, player_kind
from tests.games.positions_in_mm import realm_of_chance

MOST = 250


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
    return replace(load_scene_data(data), setup=Setup(turns=5))


def told(step: Step) -> tuple[list[str], list[Any]]:
    """Return what happened, in no order, for independent things are listed by name; and the dice as they fell."""
    events = [json.dumps(codec.event_data(e), sort_keys=True) for e in step.events]
    return sorted(events), [(e.purpose, e.face) for e in step.events if isinstance(e, Thrown)]


def same(one: Step, two: Step, names: Mapping[str, str]) -> None:
    """The same happened, the same dice fell for the same things, and the same state came of it."""
    events, dice = told(one)
    assert [sorted(json.dumps(renamed(json.loads(e), names), sort_keys=True) for e in events), dice] == [*told(two)]
    state = renamed(codec.state(one.battle), names)
    for listed in ("units", "awaited"):
        state[listed].sort(key=lambda row: row["id"])
    assert _rounded(state) == _rounded(codec.plain(codec.state(two.battle)))


def _rounded(value: Any) -> Any:
    return codec._rounded(value)


def play_both(number: int, player: str) -> int:
    """Play a battle twice, under both sets of names; return how many actions it had."""
    data = realm_of_chance(Random(number))
    names = new_names(data, number)
    try:
        one, two = begin(loaded(data), number), begin(loaded(renamed(data, names)), number)
    except Unreadable:
        return 0
    make = player_kind(player).make
    assert make is not None
    players: tuple[Player, Player] = make(number), make(number)
    for n in range(MOST):
        same(one, two, names)
        if mover(one.battle) is None:
            return n
        first, second = (p.choose(s.battle).action for p, s in zip(players, (one, two), strict=True))
        assert renamed(codec.action_data(first), names) == codec.plain(codec.action_data(second))
        one, two = submit(one.battle, first), submit(two.battle, second)
    return MOST


@pytest.mark.parametrize("number", range(12))
def test_names_decide_nothing(number: int) -> None:
    """ROC-SEQ-01, ROC-RAL-02, ROC-RES-01: dice, routs, losses and pursuits go by place; players choose by it too."""
    play_both(number, "random")


def test_the_computer_chooses_by_place() -> None:
    """The greedy player too: what it prefers among equals has nothing to do with names."""
    assert sum(play_both(number, "greedy") for number in range(40, 43))


@pytest.mark.sweep
def test_names_decide_nothing_in_many_battles() -> None:
    for number in range(12, 400):
        play_both(number, "random")
