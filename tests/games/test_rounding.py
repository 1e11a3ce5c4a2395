"""Nothing that happens hangs on a last bit: from a battle shaken by rounding the same actions lead to the same events.

Other processors, Pythons and libraries differ in last bits; a table that touches, lines up and stands square is full
of places where a careless comparison would make that a different battle.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.codec import event_data
from tabletop.geometry.base import AnyBase, Base
from tabletop.play.engine import Step, begin, submit
from tabletop.play.match import fight
from tabletop.play.players import player_kind
from tests.games.golden import EACH, path_of, read, replayed
from tests.games.positions import position, scenarios

#: How far a last bit moves a base (table units, degrees), and how far apart what comes of it may be.
LAST_BIT, SAME = 2e-14, 1e-6


def shaken(battle: Battle, rng: Random) -> Battle:
    """Return a battle whose bases stand where other rounding might have put them: farther out in larger steps."""

    def bit(length: float) -> float:
        most = max(LAST_BIT, 2 * math.ulp(length))
        return length + rng.uniform(-most, most)

    def moved(base: AnyBase) -> AnyBase:
        x, y = bit(base.x), bit(base.y)
        if isinstance(base, Base):
            return replace(base, x=x, y=y, facing=base.facing + rng.uniform(-LAST_BIT, LAST_BIT))
        return replace(base, x=x, y=y)

    return replace(battle, units=tuple(replace(u, bases=tuple(map(moved, u.bases))) for u in battle.units))


def difference(one: Any, other: Any, where: str = "") -> str | None:
    """Return where two pieces of plain data first differ by more than rounding, None if nowhere."""
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        apart = abs(one - other)
        return None if min(apart, abs(apart - 360.0)) <= SAME else f"{where}: {one} {other}"
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        pairs = [(f"{where}/{key}", one[key], other[key]) for key in one]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(f"{where}/{k}", a, b) for k, (a, b) in enumerate(zip(one, other, strict=True))]
    else:
        return None if one == other else f"{where}: {one} {other}"
    return next((found for key, a, b in pairs if (found := difference(a, b, key))), None)


def told(step: Step) -> Any:
    """Return what happened as plain data."""
    return json.loads(json.dumps([event_data(event) for event in step.events]))


def turned_by_rounding(battle: Battle, action: Action, step: Step, rng: Random) -> str | None:
    """Return what is different when ``action`` is taken in a shaken ``battle`` instead."""
    found = difference(told(step), told(submit(shaken(battle, rng), action)))
    return found and f"{action}: {found}"


def turned_in(scenario: str, first: int, times: int) -> list[str]:
    """Return what rounding changes in the recorded battle of a scenario, asked at every ``EACH``-th action."""
    golden, rng = read(path_of(scenario)), Random(f"{scenario} {first}")
    battle, found = begin(position(golden.scenario), golden.seed).battle, []
    for number, action in enumerate(golden.actions):
        step = submit(battle, action)
        if number % EACH == first:
            found += [turned_by_rounding(battle, action, step, rng) for _ in range(times)]
        battle = step.battle
    return [fault for fault in found if fault]


@pytest.mark.parametrize("scenario", scenarios())
def test_a_last_bit_changes_nothing(scenario: str) -> None:
    rng, some = Random(scenario), replayed(scenario).some
    assert some
    for battle, step in some:
        assert step.action is not None
        assert turned_by_rounding(battle, step.action, step, rng) is None


@pytest.mark.sweep
@pytest.mark.parametrize("first", range(EACH))
@pytest.mark.parametrize("scenario", scenarios())
def test_a_last_bit_changes_nothing_anywhere(scenario: str, first: int) -> None:
    assert turned_in(scenario, first, 10) == []


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("scenario", scenarios())
def test_a_last_bit_changes_no_random_battle(scenario: str, seed: int) -> None:
    battle, rng = position(scenario), Random(seed)
    make = player_kind("random").make
    assert make is not None
    players = {side: make(2 * seed + k) for k, side in enumerate(begin(battle, seed).battle.setup.sides)}
    before, faults = None, []
    for step in fight(battle, players, seed):
        if step.action is not None and before is not None:
            faults.append(turned_by_rounding(before, step.action, step, rng))
        before = step.battle
    assert [fault for fault in faults if fault] == []
