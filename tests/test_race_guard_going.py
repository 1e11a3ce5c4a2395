"""The pace of going, of whole fronts and of verdicts is kept: beside a plain loop, in turns within one run.

About half of what is reached is asked for: a busy machine does not cry wolf, and a way that is lost is noticed. No
absolute times.
"""

import itertools
from functools import cache
from typing import Any

import numpy as np
import pytest

from benchmarks import one_by_one, own
from tabletop.battle.battle import Battle
from tabletop.geometry.movement.advances import advances
from tabletop.geometry.movement.move_context import MoveContext
from tabletop.geometry.sight.field_of_view import eyes_along, ground_seen
from tabletop.judge import judge
from tabletop.play.files.load import load_scene
from tabletop.rules.tse.movement.motion import ACTIONS
from tabletop.rules.tse.movement.reach import setting_of
from tabletop.rules.tse.sight.ground_seen import looks_from
from tabletop.rules.tse.sight.judge import law_of

BRIGADES = ("bauduin", "kempt")


def battle() -> Battle:
    return load_scene(own.ROOT / own.BATTLE)


@cache
def kept() -> Battle:
    return battle()


def context(name: str) -> MoveContext:
    return setting_of(kept(), kept().unit(name), ACTIONS["maneuver"])


@pytest.mark.sweep
@pytest.mark.parametrize("name", BRIGADES)
def test_advances_of_the_turning_block(name: str) -> None:
    """87 times as fast as one after another, found."""
    assert one_by_one.race_advances(context(name)).ratio >= 43.0


@pytest.mark.sweep
@pytest.mark.parametrize("name", BRIGADES)
def test_turning_block_with_kernels_and_without(name: str) -> None:
    """2.3 to 2.5 times as fast, found."""
    pytest.importorskip("numba", reason="numba is not installed: there is nothing to compare")
    assert one_by_one.race_turning_block(lambda: context(name)).ratio >= 1.5


@pytest.mark.sweep
@pytest.mark.parametrize("name", BRIGADES)
def test_ground_a_whole_front_sees(name: str) -> None:
    """3.3 to 6.6 times as fast as the views of its eyes, joined, found."""
    on = kept()
    found = one_by_one.race_front(on.table, eyes_along(*looks_from(on.unit(name))), law_of(on))
    assert found.ratio >= 2.2


@pytest.mark.sweep
@pytest.mark.parametrize("name", BRIGADES)
def test_ground_a_whole_front_sees_with_kernels_and_without(name: str) -> None:
    """9 to 11 times as fast, found."""
    pytest.importorskip("numba", reason="numba is not installed: there is nothing to compare")
    on = kept()
    eyes, law = eyes_along(*looks_from(on.unit(name))), law_of(on)
    assert one_by_one.with_and_without(lambda: ground_seen(on.table, eyes, law)).ratio >= 4.0


def requests(of_each: int) -> list[dict[str, Any]]:
    """So many requests of every question, in turns."""
    some = own._by_question(list(own._requests()), of_each)
    return [r for group in itertools.zip_longest(*some.values()) for r in group if r is not None]


@pytest.mark.sweep
def test_verdicts_of_a_batch() -> None:
    """5 times as fast as asking again under every ruling, found."""
    assert one_by_one.race_verdicts(battle, requests(20)).ratio >= 3.7


def test_advances_one_by_one_say_the_same() -> None:
    """What the pace is measured against answers the same questions."""
    some = one_by_one.fan_of(context("kempt"), 24)
    found, alone = advances(context("kempt"), some).lengths, one_by_one.advances_one_by_one(context("kempt"), some)
    assert np.maximum(found, -1.0) == pytest.approx(np.maximum(alone, -1.0), abs=2e-9)
    assert alone.max() > 1.0


def test_every_ruling_says_the_same() -> None:
    """Rulings a verdict turns on, of some requests of every kind."""
    turned = 0
    for r in requests(6):
        args, options = r["args"], {**r.get("options", {}), "margin": False}
        told = {d.ruling for d in judge(kept(), r["question"], args, options).depends_on}
        assert told == one_by_one.verdict_by_every_ruling(kept(), r["question"], args, options), r
        turned += bool(told)
    assert turned
