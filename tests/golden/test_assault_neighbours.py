"""Worked cases of what neighbours do to an assault: supported guns (G31), lines out of true (G32, G33), G39.

Every case also turned by quarters, mirrored, shifted and with the units in another order.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.terrain import Terrain
from tabletop.geometry.verdict import Verdict
from tabletop.judge import ask
from tests.field import FIELDS, Field, O

T = 1e-3
both_scales = pytest.mark.parametrize("field", FIELDS, ids=["15 mm", "doubled"])


def refused(verdict: Verdict) -> list[tuple[str, str | None]]:
    """Return rule and feature of what speaks against, in order."""
    return [(reason.rule, reason.feature) for reason in verdict.because if not reason.holds]


def column(field: Field, x: float, **keys: Any) -> Unit:
    """Infantry 2x2 facing north, the middle of its front at (x, 4)."""
    return field.unit("unit", front_mid=(x, 4), **keys)


def guns(field: Field, x: float = 4.0, y: float = 8.0) -> Unit:
    """One gun base on [x, x + 1] x [y, y + 1] facing south."""
    return field.unit("guns", side="red", troop="light-foot-artillery", bases=1, formation="deployed",
                      at=(x + 0.5, y + 0.5), facing=180)  # fmt: skip


# --- G31 -------------------------------------------------------------------------------------------------------------


@both_scales
def test_g31_supported_guns_and_the_infantry_in_their_place(field: Field) -> None:
    """TSE-ASL-40: the guns are refused, the infantry is offered; before this it was barred by the guns beside it."""
    battle = field.battle(column(field, 4.5), field.line("foot", (0, 8), side="red"), guns(field))
    verdict = ask(battle, "assault", ["unit", "guns"])
    assert refused(verdict) == [("TSE-ASL-40", "foot")]
    assert verdict.measured["instead"] == ["foot"]
    assert not ask(battle, "assault", ["unit", "guns"], {"brief": True}).holds


@both_scales
def test_g31_the_infantry_is_assaulted_past_its_guns(field: Field) -> None:
    """TSE-ASL-07, TSE-ASL-23: D = 4.0311, bearing -7.125; in contact 0.1240 short of n, at the gun's corner."""
    battle = field.battle(column(field, 4.5), field.line("foot", (0, 8), side="red"), guns(field))
    verdict = ask(battle, "assault", ["unit", "foot"])
    assert verdict.holds
    assert verdict.measured["instead"] == []
    assert field.back(verdict.measured["path"][1]) == pytest.approx((4, 8))
    assert verdict.measured["cost"] == pytest.approx(4.0311 * field.scale, abs=T)
    assert verdict.measured["heading"] == pytest.approx(360 - 7.1250, abs=1e-4)
    assert verdict.measured["gap"] == pytest.approx(0.1240 * field.scale, abs=T)
    assert ask(battle, "assault", ["unit", "foot"], {"brief": True}).holds


def behind_its_guns(field: Field, deep: float, **keys: Any) -> Battle:
    """Guns whose front stands ``deep`` before that of the infantry at their side; an assaulter opposite the joint."""
    foot = field.line("foot", (0, 8), side="red", **keys)
    return field.battle(column(field, 3.5), foot, guns(field, y=8 - deep))


@both_scales
def test_supported_guns_stop_an_assault_at_any_gap(field: Field) -> None:
    """TSE-ASL-23: contact with guns that the target supports is contact with it; with others only up to 1 in."""
    wide = field.unit("unit", front_mid=(3.5, 1), bases=6, front=3)
    foot = field.line("foot", (0, 6), side="red")
    long = field.unit("guns", side="red", troop="light-foot-artillery", bases=1, formation="deployed",
                      base=[1, 1.5], at=(4.5, 5.35), facing=180)  # fmt: skip
    verdict = ask(field.battle(wide, foot, long), "assault", ["unit", "foot"])
    assert verdict.holds
    assert verdict.measured["gap"] == pytest.approx(1.4 * field.scale, abs=T)
    shaken = replace(foot, status="disordered")
    verdict = ask(field.battle(wide, shaken, long), "assault", ["unit", "foot"])
    assert refused(verdict) == [("TSE-ASL-23", "guns")]


@both_scales
def test_guns_are_immune_only_while_their_infantry_may_be_assaulted(field: Field) -> None:
    """TSE-ASL-42: here the infantry lies beyond the reach: the guns themselves may be assaulted."""
    foot, near = field.line("foot", (0, 8), side="red"), field.unit("unit", front_mid=(9.9, 8.4), facing=270)
    battle = field.battle(near, foot, guns(field))
    assert ask(battle, "assault", ["unit", "guns"]).holds is False
    far = near.moved(0.2 * field.scale, 0.0)
    battle = field.battle(far, foot, guns(field))
    assert not ask(battle, "assault", ["unit", "foot"]).holds
    verdict = ask(battle, "assault", ["unit", "guns"])
    assert verdict.holds
    assert verdict.measured["instead"] == []
    assert "TSE-ASL-42" in [reason.rule for reason in verdict.because]
    assert ask(battle, "assault", ["unit", "guns"], {"brief": True}).holds


def test_delayed_orders_count_for_both_guns_and_infantry() -> None:
    """TSE-ASL-09, TSE-ASL-42: delayed, the infantry is out of reach and the guns are not."""
    field = Field()
    unit = field.unit("unit", front_mid=(7.5, 8.4), facing=270)
    battle = field.battle(unit, field.line("foot", (0, 8), side="red"), guns(field))
    assert ask(battle, "assault", ["unit", "guns"]).measured["instead"] == ["foot"]
    assert ask(battle, "assault", ["unit", "guns"], {"delayed": True}).holds


# --- G32, G33 --------------------------------------------------------------------------------------------------------


def lines(field: Field, a: float, b: float = 8.05, x: float = 4.6, **rulings: Any) -> Battle:
    """Two lines facing south: a on [0, 4], b on [4.05, 8.05], their fronts at y = a and b; a column 2 wide at x."""
    return field.battle(
        column(field, x), field.line("a", (0, a), side="red"), field.line("b", (4.05, b), side="red"), **rulings
    )


@both_scales
def test_g32_lines_out_of_true(field: Field) -> None:
    """TSE-ASL-23, TSE-MOV-20: on b 0.05 short, on a 0.0994 short; before this each vetoed the assault on the other."""
    on_b = ask(lines(field, 8.0), "assault", ["unit", "b"])
    assert on_b.holds
    assert on_b.measured["cost"] == pytest.approx(4.05 * field.scale, abs=T)
    assert on_b.measured["gap"] == pytest.approx(0.05 * field.scale, abs=T)
    assert field.back(on_b.measured["contact"][:2]) == pytest.approx((4.6, 8.0), abs=T)
    on_a = ask(lines(field, 8.0), "assault", ["unit", "a"])
    assert on_a.holds
    assert on_a.measured["cost"] == pytest.approx(4.0447 * field.scale, abs=T)
    assert on_a.measured["gap"] == pytest.approx(0.0994 * field.scale, abs=T)


@both_scales
def test_assault_bars_front(field: Field) -> None:
    """TSE-ASL-07, switch ``assault_bars``: by the other reading the swept front may meet no other enemy."""
    assert refused(ask(lines(field, 8.0, assault_bars="front"), "assault", ["unit", "b"])) == [("TSE-ASL-07", "a")]
    assert ask(lines(field, 8.0, x=5.1, assault_bars="front"), "assault", ["unit", "b"]).holds


G33 = {"1.25 short": (6.80, 1.25, False), "0.95 short": (7.10, 0.95, True),
       "exactly 1": (7.05, 1.0, True), "within the tolerance": (7.046, 1.004, True),
       "beyond it": (7.044, 1.006, False)}  # fmt: skip


@both_scales
@pytest.mark.parametrize(("y", "gap", "holds"), G33.values(), ids=G33)
def test_g33_a_neighbour_well_in_front(field: Field, y: float, gap: float, holds: bool) -> None:
    """TSE-ASL-23: at most 1 in short of the end of the path, the limit closed; the refusal names who stands there."""
    verdict = ask(lines(field, y), "assault", ["unit", "b"])
    assert verdict.measured["gap"] == pytest.approx(gap * field.scale, abs=0.002 * field.scale)
    assert verdict.holds is holds
    assert refused(verdict) == ([] if holds else [("TSE-ASL-23", "a")])
    assert holds or "a" in verdict.because[0].text


@both_scales
@pytest.mark.parametrize("y", [5.0, 7.2])
def test_g33_a_path_across_another_enemy(field: Field, y: float) -> None:
    """TSE-ASL-07: refused at any gap."""
    verdict = ask(field.battle(column(field, 4.0), field.line("a", (3, y), n=2, side="red"),
                               field.line("b", (0, 8.05), side="red")), "assault", ["unit", "b"])  # fmt: skip
    assert ("TSE-ASL-07", "a") in refused(verdict)


def test_a_path_along_the_edge_of_an_enemy_does_not_cross_it() -> None:
    """TSE-ASL-07: touching is not crossing; the front still meets it, here 0.9 in short."""
    field = Field()
    other = field.line("a", (0, 7.1), side="red")
    verdict = ask(
        field.battle(column(field, 4.0), other, field.line("b", (3, 8), side="red")), "assault", ["unit", "b"]
    )
    assert verdict.holds
    assert verdict.measured["gap"] == pytest.approx(0.9, abs=T)


@pytest.mark.parametrize(("side", "holds"), [(1.0, True), (0.996, True), (0.99, False)])
def test_a_neighbour_passed_at_the_side(side: float, holds: bool) -> None:
    """TSE-ASL-23: overlapped by no more than the tolerance it is touched in passing and stops nobody."""
    field = Field()
    foe = field.unit("a", side="red", bases=2, formation="deployed", at=(4 + side + 1, 6), facing=180)
    verdict = ask(field.battle(column(field, 4), foe, field.line("b", (2, 8), side="red")), "assault", ["unit", "b"])
    assert verdict.holds is holds


# --- friends ---------------------------------------------------------------------------------------------------------


def beside_a_friend(field: Field, y: float) -> Battle:
    """A friend on the right half of the way whose front stands at y before the line at 8."""
    friend = field.unit("friend", bases=2, front=1, front_mid=(5.3, y))
    return field.battle(column(field, 4.5), friend, field.line("b", (0, 8), n=8, side="red"))


@both_scales
def test_a_friend_in_the_same_fight_stops_the_assault_short(field: Field) -> None:
    """TSE-ASL-23: touching the target it is met, not passed through; its rear stands 1.5 in short: no assault."""
    assert refused(ask(beside_a_friend(field, 8.0), "assault", ["unit", "b"])) == [("TSE-ASL-23", "friend")]
    one_deep = field.unit("friend", bases=2, front=2, front_mid=(6.3, 8))
    battle = field.battle(column(field, 4.5), one_deep, field.line("b", (0, 8), n=8, side="red"))
    verdict = ask(battle, "assault", ["unit", "b"])
    assert verdict.holds
    assert verdict.measured["gap"] == pytest.approx(0.75 * field.scale)


@both_scales
def test_a_friend_on_the_way_is_passed_through(field: Field) -> None:
    """TSE-ASL-07, TSE-ASL-23: not in that fight; but the assault may not end in it."""
    assert ask(beside_a_friend(field, 6.0), "assault", ["unit", "b"]).holds
    verdict = ask(beside_a_friend(field, 7.9), "assault", ["unit", "b"])
    assert refused(verdict) == [("TSE-ASL-23", "friend")]
    assert "deep in" in verdict.because[0].text


# --- the same seen otherwise -----------------------------------------------------------------------------------------


def turned(unit: Unit, quarters: int, mirror: bool, shift: float) -> Unit:
    """Return a unit on a table mirrored east to west, then turned by quarters about its middle and shifted."""
    bases = [base for base in unit.bases if isinstance(base, Base)]
    if mirror:
        bases = [replace(base, x=2 * O - base.x, facing=-base.facing % 360) for base in bases]
        bases = bases[::-1] if unit.formation == "deployed" else [bases[i] for i in (1, 0, 3, 2)[: len(bases)]]
    for _ in range(quarters):
        bases = [replace(b, x=O + (b.y - O), y=O - (b.x - O), facing=(b.facing + 90) % 360) for b in bases]
    moved = tuple(base.moved(shift, -shift) for base in bases)
    return replace(unit, bases=moved, facing=moved[0].facing)


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
@pytest.mark.parametrize("mirror", [False, True])
def test_the_same_seen_otherwise(quarters: int, mirror: bool) -> None:
    """TSE-ASL-23: gaps of G31 to G33 mirrored, turned, shifted, the units renamed so that their order changes."""
    field = Field()
    g31 = field.battle(column(field, 4.5), field.line("b", (0, 8), side="red"), guns(field))
    for battle in (g31, lines(field, 8.0), lines(field, 7.10), lines(field, 6.80)):
        found = ask(battle, "assault", ["unit", "b"])
        for name in ("unit", "zz"):
            units = [turned(replace(u, id=name) if u.id == "unit" else u, quarters, mirror, 3.0) for u in battle.units]
            other = ask(Battle.of("tse", battle.table, units, battle.rulings), "assault", [name, "b"])
            assert other.holds == found.holds
            assert other.measured["gap"] == pytest.approx(found.measured["gap"], abs=1e-9)


# --- G39 -------------------------------------------------------------------------------------------------------------


def charged(field: Field, *things: Unit | Terrain, rulings: dict[str, Any] | None = None, **keys: Any) -> Verdict:
    """Light cavalry charges from (0, 0) at light cavalry on [-2, 2] x [10, 10.75] facing south."""
    unit = field.unit("unit", troop="light-cavalry", front_mid=(0, 0))
    usual = {"troop": "light-cavalry", "base": [1, 0.75], "formation": "deployed", "at": (0, 10.375), "facing": 180}
    target = field.unit("target", side="red", **{**usual, **keys})
    return ask(field.battle(unit, target, *things, **(rulings or {})), "assault", ["unit", "target"])


@both_scales
def test_g39_countercharge_from_a_line(field: Field) -> None:
    """TSE-ASL-61, TSE-ASL-63: D = 10, they meet at (0, 5); before this only a maneuver column countercharged."""
    verdict = charged(field)
    assert verdict.measured["cost"] == pytest.approx(10 * field.scale)
    assert field.back(verdict.measured["countercharge"]) == pytest.approx((0, 5))
    assert charged(field, rulings={"countercharge_from": "column"}).measured["countercharge"] is None
    assert charged(field, formation="march-column", at=(0, 11.5)).measured["countercharge"] is None


@both_scales
def test_g39_no_room_no_countercharge(field: Field) -> None:
    """TSE-ASL-63: about its centre-point the column is 1.5 deep; a unit close behind leaves no room for it."""
    behind = field.line("behind", (-2, 10.8), side="red")
    assert charged(field, behind).measured["countercharge"] is None
    assert charged(field, behind.moved(0.0, 0.34 * field.scale)).measured["countercharge"] is not None
