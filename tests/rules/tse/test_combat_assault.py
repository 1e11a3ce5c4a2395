"""Assaults played: orders, both stages carried out, who has acted, cumulative odds, charges, breakthroughs."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.event import Placed
from tabletop.battle.unit import Unit, distance_between
from tabletop.play import engine
from tabletop.rules.tse.calculator.calculator import ladder_of
from tests.combat import FIELD, Fate, against, do, reply, scene, told


def unit(**keys: Any) -> Unit:
    """Return the assaulter, a column of four with the middle of its front at the origin."""
    return FIELD.unit("a", **{"front_mid": (0.0, 0.0), "facing": 0, **keys})


def target(**keys: Any) -> Unit:
    """Return the target, a line of four 4 in ahead."""
    return FIELD.unit("b", **{"side": "red", "formation": "deployed", "front_mid": (0.0, 4.0), "facing": 180, **keys})


def horse(name: str, **keys: Any) -> Unit:
    usual = {"troop": "light-cavalry", "formation": "maneuver-column", "front_mid": (0.0, 0.0), "facing": 0}
    return FIELD.unit(name, **{**usual, **keys})


def standing_horse(**keys: Any) -> Unit:
    return horse("b", **{"side": "red", "front_mid": (0.0, 10.0), "facing": 180, **keys})


def where(battle: Battle, name: str) -> tuple[float, float]:
    """Return the middle of a unit's front in the case's coordinates."""
    return FIELD.back(battle.unit(name).front_mid)


def acted(battle: Battle, *names: str) -> list[bool]:
    return [bool(battle.unit(name).marks.get("acted")) for name in names]


# --- orders ----------------------------------------------------------------------------------------------------------


def test_lost_orders() -> None:
    """TSE-ASL-10, TSE-ACT-61, TSE-ORD-04, TSE-CMB-05: lost orders leave it where it is, nothing counted."""
    battle = scene(unit(), target(front_mid=(0.0, 2.5)))
    step = do(battle, "assault", "a", "b", {"orders": "lost"})
    assert where(step.battle, "a") == where(battle, "a")
    assert "turn:assault:b" not in step.battle.memory
    assert acted(step.battle, "a", "b") == [False, False]
    assert "TSE-CMB-05" in against(step.battle, "assault", "a", "b")
    assert against(step.battle, "advancing-fire", "a", "b") == set()


@pytest.mark.parametrize(("gap", "reached"), [(2.9, True), (3.0, True), (3.1, False), (5.0, False)])
def test_delayed_orders(gap: float, reached: bool) -> None:
    """TSE-ASL-09, TSE-ORD-05: delayed, the reach is half; beyond it the action is used and nothing is counted."""
    battle = scene(unit(), target(front_mid=(0.0, gap)), FIELD.unit("other", at=(-15.0, -5.0)))
    step = do(battle, "assault", "a", "b", {"orders": "delayed", "assault": "both disordered"})
    assert ("turn:assault:b" in step.battle.memory) == reached
    assert acted(step.battle, "a", "b") == [True, reached]
    if not reached:
        assert where(step.battle, "a") == where(battle, "a")
        assert told(step.events, "assault").values["result"] == "out of reach"


def test_beyond_reach_there_is_no_assault() -> None:
    """TSE-ASL-05: the reach of infantry is 6."""
    assert against(scene(unit(), target(front_mid=(0.0, 6.0))), "assault", "a", "b") == set()
    assert "TSE-ASL-05" in against(scene(unit(), target(front_mid=(0.0, 6.1))), "assault", "a", "b")


# --- first stage -----------------------------------------------------------------------------------------------------

STOPPED = {
    "stopped short and disordered": ("disordered", 4, 3.0),
    "thrown back to its start and disordered": ("disordered", 4, 0.0),
    "thrown back to its start and demoralized": ("demoralized", 4, 0.0),
    "thrown back to its start and demoralized with loss": ("demoralized", 3, 0.0),
}


@pytest.mark.parametrize(("outcome", "after"), STOPPED.items())
def test_stopped_by_fire(outcome: str, after: tuple[str, int, float]) -> None:
    """TSE-ASL-20, -21, TSE-ACT-95, TSE-INV-12, -13: it does not go home; the target keeps its action and its place."""
    battle = scene(unit(), target())
    step = do(battle, "assault", "a", "b", {"defensive fire": outcome})
    one = step.battle.unit("a")
    status, bases, y = after
    assert (one.status, one.strength, one.formation) == (status, bases, "maneuver-column")
    assert where(step.battle, "a") == pytest.approx((0.0, y))
    assert acted(step.battle, "a", "b") == [True, False]
    assert step.battle.unit("b") == battle.unit("b")
    assert told(step.events, "assault").values["home"] is False
    assert step.battle.memory["turn:assault:b"] == 4


def test_the_defenders_fire_is_no_action() -> None:
    """TSE-ASL-13: a target that has fired this turn fires all the same, and what it fires in defence uses no action."""
    for marks in ({}, {"acted": True}):
        battle = scene(unit(), target())
        battle = battle.with_unit(replace(battle.unit("b"), marks=marks))
        fate = Fate({"defensive fire": "stopped short and disordered"})
        after = do(battle, "assault", "a", "b", fate).battle
        assert len(fate.chances("defensive fire")) == 1
        assert after.unit("b").marks == marks


def test_broken_by_fire() -> None:
    """TSE-STS-08: fire may break the assaulter altogether."""
    step = do(scene(unit(), target()), "assault", "a", "b", {"defensive fire": "broken by fire"})
    assert [(f.unit.id, f.how) for f in step.battle.fallen] == [("a", "broken")]


def test_every_outcome_of_the_fire_was_carried_out() -> None:
    names = {step.name for step in ladder_of("defence").steps}
    assert names == {*STOPPED, "goes on", "goes on disordered", "broken by fire"}


def test_demoralized_by_fire_it_goes_no_farther() -> None:
    """TSE-ACT-91, TSE-INV-12: a disordered assaulter disordered again is demoralized and stops short."""
    step = do(scene(unit(status="disordered"), target()), "assault", "a", "b", {"defensive fire": "goes on disordered"})
    assert step.battle.unit("a").status == "demoralized"
    assert where(step.battle, "a") == pytest.approx((0.0, 3.0))
    assert told(step.events, "assault").values["home"] is False


def test_it_faces_along_its_path() -> None:
    """TSE-ASL-24, TSE-INV-12, TSE-INV-13: stopped or thrown back, the assaulter faces along the path."""
    battle = scene(unit(), target(front_mid=(4.0, 4.0)))
    facing = math.degrees(math.atan2(2.0, 4.0))
    for outcome in ("stopped short and disordered", "thrown back to its start and disordered"):
        after = do(battle, "assault", "a", "b", {"defensive fire": outcome}).battle.unit("a")
        assert after.facing == pytest.approx(facing)


def test_no_fire_from_the_demoralized() -> None:
    """TSE-STS-10: a demoralized target draws no defensive fire at all."""
    fate = Fate({"assault": "target routed"})
    do(scene(unit(), target(status="demoralized")), "assault", "a", "b", fate)
    assert fate.chances("defensive fire") == []
    assert len(fate.chances("assault")) == 1


def test_no_room_to_turn_at_its_start() -> None:
    """TSE-INV-13: where friends leave no room to turn it stands again as it stood."""
    friend = FIELD.unit("friend", at=(-2.0, -0.75), facing=0)
    battle = scene(unit(), friend, target(front_mid=(5.0, 3.0)))
    outcome = "thrown back to its start and disordered"
    after = do(battle, "assault", "a", "b", {"defensive fire": outcome}).battle
    assert after.unit("a").facing == battle.unit("a").facing
    assert engine.play_of(after).faults(after) == []


# --- second stage ----------------------------------------------------------------------------------------------------

#: Outcome: status, bases and place of the assaulter, then of the target (None: gone).
FOUGHT: dict[str, tuple[tuple[str, int, float], tuple[str, int, float] | None]] = {
    "assaulter routed with loss": (("demoralized", 3, -2.0), ("ok", 4, 4.0)),
    "assaulter routed": (("demoralized", 4, -2.0), ("ok", 4, 4.0)),
    "assaulter pushed back to its start": (("disordered", 4, 0.0), ("ok", 4, 4.0)),
    "both disordered with loss": (("disordered", 3, 4.0), ("disordered", 3, 4.0)),
    "both disordered": (("disordered", 4, 4.0), ("disordered", 4, 4.0)),
    "target pushed back": (("ok", 4, 4.0), ("disordered", 4, 7.0)),
    "target routed": (("ok", 4, 4.0), ("demoralized", 4, 10.0)),
    "target routed with loss": (("ok", 4, 4.0), ("demoralized", 3, 10.0)),
    "target routed with heavy loss": (("ok", 4, 4.0), None),
    "target broken": (("ok", 4, 4.0), None),
}


@pytest.mark.parametrize(("outcome", "after"), FOUGHT.items())
def test_hand_to_hand(outcome: str, after: tuple[tuple[str, int, float], tuple[str, int, float] | None]) -> None:
    """TSE-ASL-14, -20, -22, -23, -25, -26, TSE-INV-02, -14: it goes home; both have acted; effects on either side."""
    battle = scene(unit(), target(), FIELD.unit("other", at=(-15.0, -5.0)))
    step = do(battle, "assault", "a", "b", {"defensive fire": "goes on", "assault": outcome})
    for name, found in zip("ab", after, strict=True):
        if found is None:
            assert not step.battle.has(name)
            continue
        one = step.battle.unit(name)
        assert (one.status, one.strength) == found[:2]
        assert where(step.battle, name)[1] == pytest.approx(found[2])
        assert one.facing == battle.unit(name).facing
        assert one.marks["acted"]
    assert told(step.events, "assault").values["home"] is True
    assert engine.play_of(step.battle).faults(step.battle) == []


def test_two_bases_lost() -> None:
    """TSE-STS-05, TSE-STS-06: a result may cost two bases; six are left four, four are destroyed."""
    fate = {"defensive fire": "goes on", "assault": "target routed with heavy loss"}
    step = do(scene(unit(), target(bases=6, front=2)), "assault", "a", "b", fate)
    assert (step.battle.unit("b").status, step.battle.unit("b").strength) == ("demoralized", 4)


def test_a_fight_without_decision_may_destroy_both() -> None:
    """TSE-ASL-14, TSE-STS-05, TSE-STS-07: it costs both a base; two-base units are gone, the army's losses counted."""
    fate = {"defensive fire": "goes on", "assault": "both disordered with loss"}
    others = FIELD.unit("other", at=(-15.0, -5.0)), FIELD.unit("another", side="red", at=(15.0, 20.0))
    battle = scene(unit(bases=2, front=1), target(bases=2, front=2), *others)
    after = do(battle, "assault", "a", "b", fate).battle
    assert not after.has("a") and not after.has("b")
    assert {fallen.unit.id for fallen in after.fallen} == {"a", "b"}
    assert engine.play_of(after).faults(after) == []
    whole = do(scene(unit(bases=2, front=1), target(), *others), "assault", "a", "b", fate).battle
    assert not whole.has("a") and whole.unit("b").strength == 3


def test_every_outcome_of_the_fight_was_carried_out() -> None:
    assert [step.name for step in ladder_of("melee").steps] == list(FOUGHT)


def test_contact_comes_before_the_effects() -> None:
    """TSE-ASL-23, TSE-INV-15: it is moved into contact first; the target is driven from there."""
    step = do(scene(unit(), target()), "assault", "a", "b", {"defensive fire": "goes on", "assault": "target routed"})
    moved = [event.unit for event in step.events if isinstance(event, Placed)]
    assert moved == ["a", "b"]


def test_disordered_by_fire_it_fights_the_worse_for_it() -> None:
    """TSE-ASL-20, TSE-STS-09: goes on disordered: the fight is drawn for a disordered assaulter."""
    battle = scene(unit(), target())
    calm, shaken = Fate({"defensive fire": "goes on"}), Fate({"defensive fire": "goes on disordered"})
    do(battle, "assault", "a", "b", calm)
    assert do(battle, "assault", "a", "b", shaken).battle.unit("a").status == "disordered"
    assert shaken.chances("assault")[0][-1] < calm.chances("assault")[0][-1]


def test_the_target_goes_back_along_the_path() -> None:
    """TSE-INV-03: an assault drives its target along the assault path, wherever the target's middle lies."""
    battle = scene(unit(), target(front_mid=(1.5, 4.0)))
    step = do(battle, "assault", "a", "b", {"defensive fire": "goes on", "assault": "target routed"})
    before, after = battle.unit("b").at, step.battle.unit("b").at
    assert (after[0] - before[0], after[1] - before[1]) == pytest.approx((0.0, 6.0))


def test_an_acted_target_is_skipped() -> None:
    """TSE-ACT-95, TSE-ASL-81, TSE-TRN-08: gone home, the target has used its action; its own shot is forbidden."""
    battle = scene(unit(), target(), FIELD.unit("c", side="red", at=(15.0, 8.0)))
    fought = {"defensive fire": "goes on", "assault": "both disordered"}
    after = do(battle, "assault", "a", "b", fought).battle
    assert acted(after, "b", "c") == [True, False]


# --- odds ------------------------------------------------------------------------------------------------------------


def several(*bases: int, defender: int = 4) -> Battle:
    """Return columns of so many bases each, side by side, and one target in reach of all of them."""
    columns = [FIELD.unit(f"a{k}", bases=n, front_mid=(-2.5 + 2.5 * k, 0.0), facing=0) for k, n in enumerate(bases)]
    return scene(*columns, target(bases=defender))


def box(battle: Battle, name: str, **fate: Any) -> tuple[str, Battle]:
    outcome = {"defensive fire": "thrown back to its start and disordered", **fate}
    step = do(battle, "assault", name, "b", outcome)
    return told(step.events, "assault").values["form"]["odds"], step.battle


def test_odds_add_up() -> None:
    """TSE-ASL-30, -32, TSE-ASL-33: 4 on 4 even, 3 more make 7 on 4, 2 more make 9 on 4, gone home or not."""
    battle = several(4, 3, 2)
    for name, expected, total in (("a0", "forces-even", 4), ("a1", "target-outnumbered", 7)):
        found, battle = box(battle, name)
        assert (found, battle.memory["turn:assault:b"]) == (expected, total)
    assert box(battle, "a2")[0] == "target-badly-outnumbered"


def test_losses_of_earlier_assaulters_do_not_count() -> None:
    """TSE-ASL-31, TSE-STS-12: each counts with the bases it had; the target with those it has."""
    loss = "thrown back to its start and demoralized with loss"
    _, battle = box(several(4, 3), "a0", **{"defensive fire": loss})
    assert battle.unit("a0").strength == 3
    weakened = replace(battle.unit("b"), bases=battle.unit("b").bases[:3], front_bases=(0, 1, 2))
    assert box(battle.with_unit(weakened), "a1")[0] == "target-badly-outnumbered"


def test_the_ratio_may_be_ruled_as_in_fire() -> None:
    """TSE-ASL-33: five on four outnumber; by the other ruling they do not."""
    battle = several(5)
    assert box(battle, "a0")[0] == "target-outnumbered"
    assert box(battle.with_ruling("assault_ratio", "4/3"), "a0")[0] == "forces-even"


def test_the_count_is_forgotten_with_the_turn() -> None:
    """TSE-ASL-34: a new turn counts from nothing."""
    battle = scene(unit(), target())
    battle = do(battle, "assault", "a", "b", {"defensive fire": "thrown back to its start and disordered"}).battle
    battle = replace(battle, clock=replace(battle.clock, group="blue troops", side="blue", phase="acting"))
    for one in battle.units:
        battle = battle.with_unit(replace(one, marks={**one.marks, "acted": True}))
    step = engine.submit(battle, Action("finish", "blue"))
    assert step.battle.clock.turn == 2
    assert "turn:assault:b" not in step.battle.memory


# --- guns ------------------------------------------------------------------------------------------------------------


def guns_beside(**keys: Any) -> Battle:
    guns = target(troop="light-foot-artillery", bases=1)
    infantry = FIELD.unit(
        "i", **{"side": "red", "formation": "deployed", "front_mid": (2.5, 4.0), "facing": 180, **keys}
    )
    return scene(unit(), FIELD.unit("a2", front_mid=(3.0, 0.0), facing=0), guns, infantry)


def test_supported_guns() -> None:
    """TSE-ASL-40, -41, -43: guns beside infantry in good order are no target, and help its defence; else they are."""
    assert "TSE-ASL-40" in against(guns_beside(), "assault", "a", "b")
    assert against(guns_beside(status="disordered"), "assault", "a", "b") == set()
    form = told(do(guns_beside(), "assault", "a2", "i").events, "assault").values["form"]
    assert form["supported"] is True
    assert told(do(scene(unit(), target()), "assault", "a", "b").events, "assault").values["form"]["supported"] is False


def test_generals_and_line_only_armies() -> None:
    """TSE-ASL-51: an army of linear infantry may be barred from assaults in column by its scenario."""
    linear = unit(linear=True)
    near = target(front_mid=(0.0, 1.9))
    assert against(scene(linear, near), "assault", "a", "b") == set()
    barred = scene(linear, near, options={"column_assault": False})
    assert against(barred, "assault", "a", "b") == {"TSE-ASL-51"}
    in_line = scene(unit(linear=True, formation="deployed"), near, options={"column_assault": False})
    assert against(in_line, "assault", "a", "b") == set()


def test_linear_assault() -> None:
    """TSE-ASL-50, TSE-ASL-53: linear infantry assaults in line over 2 in and ends in line."""
    battle = scene(unit(linear=True, formation="deployed"), target(front_mid=(0.0, 2.0)))
    stopped = do(battle, "assault", "a", "b", {"defensive fire": "stopped short and disordered"}).battle
    assert stopped.unit("a").formation == "deployed"
    assert where(stopped, "a") == pytest.approx((0.0, 1.0))
    far = scene(unit(linear=True, formation="deployed"), target(front_mid=(0.0, 2.1)))
    assert "TSE-ASL-05" in against(far, "assault", "a", "b")


# --- cavalry ---------------------------------------------------------------------------------------------------------


def test_emergency_square() -> None:
    """TSE-ACT-30: infantry charged by cavalry may form an emergency square; on the table its formation stays."""
    battle = scene(horse("a"), target(front_mid=(0.0, 8.0)))
    fate = Fate({"emergency square": "yes", "assault": "assaulter pushed back to its start"})
    step = do(battle, "assault", "a", "b", fate)
    assert fate.chances("emergency square")[0][1] == pytest.approx(0.65)
    assert told(step.events, "assault").values["square"] is True
    assert step.battle.unit("b").formation == "deployed"


def test_a_countercharge_is_asked_for() -> None:
    """TSE-ASL-60: cavalry charged in front by cavalry in the open is asked; nobody else may act before the answer."""
    step = do(scene(horse("a"), standing_horse()), "assault", "a", "b")
    decision = step.battle.pending[0]
    assert (decision.side, decision.kind, decision.unit) == ("red", "countercharge", "b")
    assert engine.mover(step.battle) == "red"


@pytest.mark.parametrize("keys", [{"status": "disordered"}, {"formation": "march-column"}, {"facing": 0}])
def test_no_countercharge(keys: dict[str, Any]) -> None:
    """TSE-ASL-60, TSE-ASL-63: not by the disordered, those in march column, or against a charge from behind."""
    pending = do(scene(horse("a"), standing_horse(**keys)), "assault", "a", "b").battle.pending
    assert [decision.kind for decision in pending] == ["breakthrough"]


def test_they_meet_half_way() -> None:
    """TSE-ASL-61, TSE-ASL-35: both fronts at the middle of the path; no defensive fire; both have acted."""
    asked = do(scene(horse("a"), standing_horse()), "assault", "a", "b").battle
    fate = Fate({"assault": "both disordered"})
    after = reply(asked, "countercharge", fate).battle
    assert where(after, "a") == pytest.approx((0.0, 5.0)) == where(after, "b")
    assert (after.unit("a").facing, after.unit("b").facing) == pytest.approx((0.0, 180.0))
    assert fate.chances("defensive fire") == []
    assert acted(after, "a", "b") == [True, True]
    assert after.memory["turn:assault:b"] == 4
    assert "turn:assault:a" not in after.memory


def test_they_may_stand() -> None:
    """TSE-ASL-60: the option declined, the charge goes home to where they stand, fire first."""
    asked = do(scene(horse("a"), standing_horse()), "assault", "a", "b").battle
    fate = Fate({"defensive fire": "goes on", "assault": "both disordered"})
    after = reply(asked, "stand", fate).battle
    assert where(after, "a") == pytest.approx((0.0, 10.0)) == where(after, "b")
    assert len(fate.chances("defensive fire")) == 1


def test_a_beaten_countercharge_goes_back_to_where_each_started() -> None:
    """TSE-INV-14, TSE-ASL-61: pushed back to its start the charger stands there again, having gone home."""
    asked = do(scene(horse("a"), standing_horse()), "assault", "a", "b").battle
    after = reply(asked, "countercharge", {"assault": "assaulter pushed back to its start"}).battle
    assert where(after, "a") == pytest.approx((0.0, 0.0))
    assert where(after, "b") == pytest.approx((0.0, 5.0))


WON = {"defensive fire": "goes on", "assault": "target routed"}


def charged(*others: Unit, **keys: Any) -> Battle:
    """Return what is asked after cavalry has routed infantry 8 in ahead of it."""
    return do(scene(horse("a", **keys), target(front_mid=(0.0, 8.0)), *others), "assault", "a", "b", WON).battle


def test_breakthrough_is_offered() -> None:
    """TSE-ASL-70, TSE-ASL-71: with 4 in left the cavalry may go on against whom it can reach, ahead and in sight."""
    near = FIELD.unit("near", side="red", formation="deployed", bases=2, front_mid=(3.0, 9.0), facing=180)
    behind = FIELD.unit("behind", side="red", formation="deployed", bases=2, front_mid=(-6.0, 3.0), facing=180)
    decision = charged(near, behind).pending[0]
    assert (decision.side, decision.kind, decision.unit) == ("blue", "breakthrough", "a")
    assert decision.data["left"] == pytest.approx(4.0)
    assert "assault near" in decision.choices
    assert not any("behind" in choice or choice == "assault b" for choice in decision.choices)


def test_breakthrough_assault() -> None:
    """TSE-ASL-35, TSE-ASL-72, TSE-ASL-73: no orders, no countercharge; its bases count; never a second one."""
    near = standing_horse(front_mid=(3.0, 9.5)).moved(0.0, 0.0)
    battle = charged(replace(near, id="near"))
    fate = Fate(dict(WON))
    after = reply(battle, "assault near", fate).battle
    assert fate.chances("orders") == []
    assert after.memory["turn:assault:near"] == 4
    assert after.unit("near").status == "demoralized"
    assert not after.pending


def test_breakthrough_without_contact() -> None:
    """TSE-ASL-74: it may ride on straight ahead, keeping off the enemy's zones."""
    battle = charged()
    assert "advance" in battle.pending[0].choices
    after = reply(battle, "advance").battle
    assert 8.0 < where(after, "a")[1] <= 12.0 + 1e-6
    assert all(distance_between(after.unit("a"), e) > 0.99 for e in after.enemies(after.unit("a")))
    assert where(reply(battle, "stay").battle, "a") == pytest.approx((0.0, 8.0))


def test_cavalry_that_takes_a_battery_at_the_cost_of_a_base_may_go_on() -> None:
    """TSE-ASL-70, TSE-STS-07: one gun is gone with its first loss, and so out of the way, though the fight was even."""
    guns = target(troop="light-foot-artillery", bases=1, front=1, front_mid=(0.0, 8.0))
    fate = {"defensive fire": "goes on", "assault": "both disordered with loss"}
    after = do(scene(horse("a"), guns, FIELD.unit("o", at=(-15.0, -5.0))), "assault", "a", "b", fate).battle
    assert not after.has("b") and after.unit("a").strength == 3
    assert [decision.kind for decision in after.pending] == ["breakthrough"]


@pytest.mark.parametrize(
    "fate",
    [
        {"defensive fire": "goes on", "assault": "both disordered"},
        {"defensive fire": "goes on", "assault": "both disordered with loss"},
        {"defensive fire": "goes on", "assault": "assaulter routed"},
        {"defensive fire": "stopped short and disordered"},
    ],
)
def test_no_breakthrough_without_victory(fate: dict[str, Any]) -> None:
    """TSE-ASL-70: only cavalry that drove its target off goes on."""
    battle = scene(horse("a"), target(front_mid=(0.0, 8.0)), FIELD.unit("o", at=(-15.0, -5.0)))
    assert not do(battle, "assault", "a", "b", fate).battle.pending


def test_infantry_stays() -> None:
    """TSE-ASL-25: victorious infantry stands where it won."""
    after = do(scene(unit(), target()), "assault", "a", "b", WON).battle
    assert not after.pending
    assert where(after, "a") == pytest.approx((0.0, 4.0))


def test_over_a_general() -> None:
    """TSE-LDR-07: an assault runs over an unattached general in its way, as far as it comes."""
    general = FIELD.unit(
        "g", side="red", troop="general", rank="division", at=(0.0, 2.0), bases=None, formation=None, facing=None
    )
    battle = scene(unit(), target(), general)
    home = {"defensive fire": "goes on", "assault": "both disordered"}
    assert do(battle, "assault", "a", "b", {**home, "overrun": "killed"}).battle.fallen[-1].how == "killed"
    stopped = do(
        battle, "assault", "a", "b", {"defensive fire": "stopped short and disordered", "overrun": "captured"}
    ).battle
    assert stopped.fallen[-1].how == "captured"
    back = "thrown back to its start and disordered"
    assert do(battle, "assault", "a", "b", {"defensive fire": back}).battle.has("g")
    beyond = battle.with_unit(battle.unit("g").moved(0.0, 1.5))
    assert do(beyond, "assault", "a", "b", {"defensive fire": "stopped short and disordered"}).battle.has("g")


def test_a_countercharge_runs_over_generals_too() -> None:
    """TSE-LDR-07, TSE-ASL-61: a general of the charger's in the way of the countercharge is run over."""
    general = FIELD.unit("g", troop="general", rank="division", at=(0.0, 7.0), bases=None, formation=None, facing=None)
    asked = do(scene(horse("a"), standing_horse(), general), "assault", "a", "b").battle
    after = reply(asked, "countercharge", {"assault": "both disordered", "overrun": "killed"}).battle
    assert [f.unit.id for f in after.fallen] == ["g"]


def test_odds_are_the_resolvers_own() -> None:
    """TSE-APP-10: the odds sum to 1, and the resolver asks chance with the probabilities they are made of."""
    battle = scene(unit(quality="elite"), target(front_mid=(0.0, 5.0)))
    odds = engine.play_of(battle).odds(battle, Action("assault", "blue", "a", "b"))
    assert odds is not None
    assert sum(p for p, _ in odds.results) == pytest.approx(1.0)
    fate = Fate({"defensive fire": "goes on", "assault": "target broken"})
    do(battle, "assault", "a", "b", fate)
    asked = {name.split(":")[0]: chances for name, chances in fate.asked}
    expected = asked["orders"][2] * asked["defensive fire"][0] * asked["assault"][-1]
    found = [p for p, result in odds.results if result.text == "target broken"]
    assert found == pytest.approx([expected])
    late = next(p for p, result in odds.results if "out of reach" in result.text)
    assert late == pytest.approx(asked["orders"][1])
    assert {f.stage for f in odds.factors} == {"orders", "defence", "melee"}
