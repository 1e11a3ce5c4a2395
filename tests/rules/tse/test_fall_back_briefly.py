"""A fall-back asked briefly, as rulings and margins ask it: the same answer as with its proof (TSE-INV-06..10)."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import pytest

from tabletop.battle.battle import Battle
from tabletop.judge import ask
from tabletop.play.load import load_scene

ROOT = Path(__file__).resolve().parents[3]


@cache
def battle() -> Battle:
    return load_scene(ROOT / "scenarios/tse/quatre-bras.yaml")


def holds(on: Battle, name: str, source: str, distance: float, brief: bool) -> bool:
    options = {"from": source, "distance": distance, "brief": brief}
    return ask(on, "fallback", (name,), options).holds


@pytest.mark.parametrize("in_full", [True, False])
@pytest.mark.parametrize("trace", ["front_edge", "front_mid", "footprint"])
def test_beyond_friends_and_off_the_table_it_is_lost_either_way(trace: str, in_full: bool) -> None:
    """TSE-INV-09, TSE-INV-10: within its distance nothing leads off the table; on beyond its friends something does."""
    on = battle().with_ruling("rough_trace", trace).with_ruling("fall_back_in_full", in_full)
    assert [holds(on, "colbert", "saxe-weimar", 1.0, brief) for brief in (False, True)] == [False, False]


@pytest.mark.parametrize("in_full", [True, False])
def test_every_brigade_answers_briefly_as_it_does_in_full(in_full: bool) -> None:
    """TSE-INV-06, TSE-INV-08, TSE-INV-09."""
    on = battle().with_ruling("fall_back_in_full", in_full)
    troops = [unit for unit in on.units if not unit.is_general]
    for k, unit in enumerate(troops):
        source = min((e for e in troops if e.side != unit.side), key=lambda e: math.dist(unit.at, e.at)).id
        distance = 1.0 + k % 8
        assert holds(on, unit.id, source, distance, True) == holds(on, unit.id, source, distance, False), unit.id
