"""One answer that stands for every shift up to a length: what it says of all of them holds of each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tabletop.battle.battle import Battle
from tabletop.play.files.load import load_scene
from tabletop.rules import rule_set
from tabletop.rules.rule_set import Request

ROOT = Path(__file__).resolve().parents[1] / "scenarios/tse"
RULES = rule_set.find("tse")


def holds(battle: Battle, question: str, args: tuple[str, str], **options: object) -> bool:
    request = Request(question, args, options).briefly()
    return RULES.question(question).answer(battle, request).holds


def shifted(battle: Battle, name: str, shifts: np.ndarray) -> list[Battle]:
    return [battle.with_unit(battle.unit(name).moved(float(dx), float(dy))) for dx, dy in shifts]


def within(radius: float, count: int = 24) -> np.ndarray:
    """Shifts on the rim of a disc and in it."""
    angle = np.arange(count) * 2.4
    reach = np.where(np.arange(count) % 2, radius, radius * np.sqrt(np.arange(count) / count))
    return np.stack([reach * np.sin(angle), reach * np.cos(angle)], axis=1)


def pairs(battle: Battle, question: str, answer: bool, count: int) -> list[tuple[str, str]]:
    """Pairs of enemies, near ones first, of whom the question has this answer."""
    troops = [u for u in battle.units if not u.is_general]
    both = [(a, b) for a in troops for b in troops if a.side != b.side]
    both.sort(key=lambda ab: float(np.hypot(*np.subtract(ab[0].at, ab[1].at))))
    found = [(a.id, b.id) for a, b in both[:60]]
    return [args for args in found if holds(battle, question, args) == answer][:count]


@pytest.fixture(scope="module")
def quatre_bras() -> Battle:
    return load_scene(ROOT / "quatre-bras.yaml")


@pytest.mark.parametrize("radius", [0.1, 0.5, 1.5])
def test_a_firer_that_cannot_fire_when_loosed_cannot_when_shifted(quatre_bras: Battle, radius: float) -> None:
    """TSE-FIR-01, TSE-FIR-05, TSE-FIR-08, TSE-FIR-10: where some shift fires, the loosed firer does."""
    told = []
    for firer, target in pairs(quatre_bras, "fire", False, 30):
        loose = holds(quatre_bras, "fire", (firer, target), loose=(firer, radius))
        told.append(loose)
        if not loose:
            some = shifted(quatre_bras, firer, within(radius, 6))
            assert not any(holds(battle, "fire", (firer, target)) for battle in some)
    assert not all(told), "some must be told at once"


@pytest.mark.parametrize("question", ["los", "fire"])
def test_what_a_shrunk_target_allows_every_shift_allows(quatre_bras: Battle, question: str) -> None:
    """TSE-LOS-01, TSE-FIR-06: the shifted unit covers what is left of the shrunk one."""
    told = 0
    for a, b in pairs(quatre_bras, question, True, 8):
        for radius in (0.05, 0.25):
            if holds(quatre_bras, question, (a, b), grown=(b, -radius)):
                told += 1
                some = shifted(quatre_bras, b, within(radius, 6))
                assert all(holds(battle, question, (a, b)) for battle in some)
    assert told > 3
    nothing = replace(quatre_bras.unit(b), bases=quatre_bras.unit(b).bases[:1])
    assert not holds(quatre_bras.with_unit(nothing), question, (a, b), grown=(b, -5.0))
