"""Zones of control and command (TSE-MOV-17..19, TSE-FRM-07, -15, -24, TSE-ORD-03, TSE-LDR-02, -03), status and odds."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from tabletop.errors import BadQuestion
from tabletop.rules.tse.calculator.outnumbering import assault_box, fire_box
from tabletop.rules.tse.morale.status import destroyed, regrouped, worsened
from tabletop.rules.tse.movement.zone_of_control import placing_faults, zone_faults, zone_limit
from tests.firing import ask, battle, block, general

UNIT = block("unit", "blue", (-1.0, 1.0), (-0.75, 0.0))


@pytest.mark.parametrize(("gap", "inside"), [(0.5, True), (0.99, True), (0.996, False), (1.0, False), (1.2, False)])
def test_the_zone_is_open(gap: float, inside: bool) -> None:
    """TSE-MOV-17: exactly 1 in is outside; generals and friends do not count (TSE-MOV-19)."""
    enemy = block("enemy", "red", (-1.0, 1.0), (gap, gap + 1.0))
    friend = block("friend", "blue", (-1.0, 1.0), (-2.0, -1.0))
    verdict = ask(battle(UNIT, enemy, friend, general("ney", "red", 1.5, -0.5)), "zone", "unit")
    assert verdict.holds
    assert verdict.measured["units"] == (["enemy"] if inside else [])


def test_the_zone_is_the_footprint_grown_by_an_inch() -> None:
    """TSE-MOV-17: as nested lists of [x, y], closed, round at the corners."""
    (outer,) = ask(battle(UNIT), "zone", "unit").measured["area"]
    area = shapely.Polygon(outer)
    assert area.area == pytest.approx(2.0 * 0.75 + 2 * (2.0 + 0.75) + math.pi, abs=2e-3)
    assert outer[0] == outer[-1]


def test_a_general_exerts_no_zone() -> None:
    """TSE-MOV-19."""
    with pytest.raises(BadQuestion):
        ask(battle(general("ney", "red", 0, 0)), "zone", "ney")
    scene = battle(UNIT, general("ney", "red", 0.0, 3.0))
    assert zone_faults(scene, UNIT, UNIT.moved(0.0, 2.0)) == ()


@pytest.mark.parametrize(("gap", "forming", "rule"), [(1.0, False, None), (0.9, False, "TSE-FRM-15"),
                                                      (1.0, True, "TSE-FRM-24"), (1.004, True, "TSE-FRM-24"),
                                                      (1.01, True, None)])  # fmt: skip
def test_forming_a_march_column_at_exactly_an_inch(gap: float, forming: bool, rule: str | None) -> None:
    """TSE-FRM-24 is closed where every other layout is open (TSE-FRM-07, TSE-FRM-15)."""
    scene = battle(UNIT, block("enemy", "red", (-1.0, 1.0), (3.0, 4.0)))
    after = replace(UNIT, formation="march-column" if forming else "deployed").moved(0.0, 3.0 - gap)
    faults = placing_faults(scene, UNIT, after)
    assert [fault.rule for fault in faults] == ([rule] if rule else [])


@pytest.mark.parametrize(("ruling", "nearer", "same"), [("not_closer", False, True), ("free", True, True),
                                                        ("forbidden", False, False)])  # fmt: skip
def test_leaving_a_zone_it_starts_in(ruling: str, nearer: bool, same: bool) -> None:
    """TSE-MOV-18: never nearer to that enemy than it started; all others keep their inch."""
    other = block("other", "red", (3.0, 4.0), (-0.75, 0.0))
    scene = battle(UNIT, block("enemy", "red", (-1.0, 1.0), (0.5, 1.5)), other, leaving_zone=ruling)
    legal = [not zone_faults(scene, UNIT, UNIT.moved(dx, dy)) for dx, dy in ((0.0, 0.1), (0.5, 0.0), (1.5, -0.5))]
    assert legal == [nearer, same, False]
    limits = {"not_closer": 0.5, "free": 0.0, "forbidden": math.inf}
    assert zone_limit(scene, UNIT, scene.unit("enemy")) == limits[ruling]
    assert zone_limit(scene, UNIT, other) == 1.0


@pytest.mark.parametrize(("x", "legal"), [(2.0, False), (3.0, True)])
def test_a_general_keeps_out_of_zones(x: float, legal: bool) -> None:
    """TSE-LDR-05: an inch from his base's edge to the enemy; he may stand among friends."""
    ney = general("ney", "red", 9.0, 0.0)
    scene = battle(UNIT, ney, block("friend", "red", (2.2, 4.0), (-1.0, 1.0)))
    assert (not zone_faults(scene, ney, general("ney", "red", x, -0.5))) is legal


def test_the_worst_zone_comes_first() -> None:
    scene = battle(UNIT, block("a", "red", (-1, 1), (3, 4)), block("b", "red", (1.5, 2.5), (2, 3)))
    assert [fault.feature for fault in zone_faults(scene, UNIT, UNIT.moved(0.0, 2.25))] == ["b", "a"]


@pytest.mark.parametrize(("x", "helped"), [(7.0, True), (7.004, True), (7.01, False)])
def test_a_general_helps_within_six_inches(x: float, helped: bool) -> None:
    """TSE-ORD-03: from his base's edge to the unit's nearest point, closed; any general of the side."""
    scene = battle(UNIT, general("far", "blue", 30.0, 0.0), general("near", "blue", x + 0.5, -0.5))
    verdict = ask(scene, "command", "unit")
    assert (verdict.holds, verdict.measured["general"]) == (helped, "near")
    assert verdict.measured["distance"] == pytest.approx(x - 1.0)


def test_command_says_that_any_general_counts() -> None:
    """TSE-ORD-03, TSE-LDR-02: in words, with a general and without."""
    unit = block("a", "blue", (-1.0, 1.0), (-0.75, 0.0))
    for scene in (battle(unit, general("g", "blue", 2.0, 2.0)), battle(unit)):
        assert "any general of the side" in ask(scene, "command", "a").because[0].text


def test_no_general_no_command() -> None:
    """TSE-ORD-03: an enemy general is no help, and a general asks for none."""
    scene = battle(UNIT, general("ney", "red", 2.0, 0.0))
    verdict = ask(scene, "command", "unit")
    assert not verdict.holds
    assert verdict.measured == {"distance": None, "general": None}
    with pytest.raises(BadQuestion):
        ask(scene, "command", "ney")


@given(st.integers(1, 20), st.integers(1, 20))
def test_outnumbering_is_a_mirror(n: int, m: int) -> None:
    """TSE-FIR-17: one side outnumbered is the other outnumbering."""
    swap = str.maketrans({"A": "T", "T": "A"})
    for box in (fire_box, lambda a, b: assault_box(a, b, "1"), lambda a, b: assault_box(a, b, "4/3")):
        there = box(n, m).replace("actor", "A").replace("target", "T").translate(swap)
        assert there == box(m, n).replace("actor", "A").replace("target", "T")
    assert assault_box(n, m, "4/3") == fire_box(n, m)


@given(st.integers(1, 10), st.integers(0, 10))
def test_destroyed_from_half_the_start(start: int, lost: int) -> None:
    """TSE-STS-06."""
    assert destroyed(start, lost) is (lost >= start / 2)


def test_regrouping_and_worsening() -> None:
    """TSE-STS-01, TSE-STS-11, TSE-STS-02."""
    assert [regrouped("demoralized", full) for full in (False, True)] == ["disordered", "ok"]
    assert regrouped("ok", False) == "ok"
    assert worsened("disordered", "demoralize") == "demoralized"
