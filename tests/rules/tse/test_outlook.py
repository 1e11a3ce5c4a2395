"""What places promise, weighed up by one look ahead: by the weights, exactly at their limits and either side."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.progress import Clock, Objective
from tabletop.battle.unit import Unit
from tabletop.rules.play import Result
from tabletop.rules.tse.calculator import model, odds
from tabletop.rules.tse.command.orders import ORDERED
from tabletop.rules.tse.computer import action_value, combat_value, position_value
from tabletop.rules.tse.computer.action_value import NAMED
from tabletop.rules.tse.computer.combat_value import assault_worth, shot_worth
from tabletop.rules.tse.computer.position_value import (
    AttackValue,
    Part,
    assaults_on,
    attack_value,
    eagerness,
    ground_under,
    weights,
)
from tabletop.rules.tse.tables import length, troop
from tests.field import Field
from tests.playing import FIELD, general, scene, unit

STEP = 1.0 / 1024.0
HALF = position_value.HALF_BASE
W = weights()


def red(id: str = "e", **keys: Any) -> Unit:  # noqa: A002
    return unit(id, **{"side": "red", "at": (0.0, 10.0), "facing": 180, "parent": "rd", **keys})


def nearly(worth: float, about: str) -> Any:
    """Return a part to be compared with, whatever the last bits of its worth."""
    return Part(pytest.approx(worth), about)  # type: ignore[arg-type]


def ahead_of(own: Unit, target: Unit, gap: float) -> Unit:
    """Return a target moved straight before a unit's front, its nearest base ``gap`` away as the outlook reckons."""
    (x, y), (bx, by) = own.front_mid, target.bases[0].centre
    return target.moved(x - bx, y + gap + HALF - by)


def at_gap(own: Unit, target: Unit, gap: float) -> tuple[Battle, Unit, Unit]:
    there = ahead_of(own, target, gap)
    return scene(own, there), own, there


# --- shots and assaults -----------------------------------------------------------------------------------------------


def test_out_of_all_reach_nothing_is_promised_and_nobody_named() -> None:
    own = unit(at=(0.0, -38.0))
    battle = scene(own, red(at=(0.0, 35.0)))
    found = position_value.evaluation(battle, battle.unit("a"))
    assert found["shot"] == found["assault"] == found["danger"] == Part()


GUNS: dict[str, Any] = {"troop": "heavy-foot-artillery", "formation": "deployed", "bases": 2}
HORSE: dict[str, Any] = {"troop": "heavy-cavalry", "front": 2}


@pytest.mark.parametrize("keys", [{}, GUNS, HORSE], ids=["foot", "guns", "horse"])
@pytest.mark.parametrize(("more", "weighed"), [(-STEP, True), (0.0, True), (STEP, False)])
def test_as_far_beyond_reach_as_anything_is_weighed(keys: dict[str, Any], more: float, weighed: bool) -> None:
    own = unit(at=(0.0, -30.0), **keys)
    kind = troop(own.troop)
    far = max(kind.range or 0.0, kind.assault_reach or 0.0) + W["far"] + more
    found = attack_value(*at_gap(own, red(bases=2, front=1, status="demoralized"), far))
    assert (found.best > 0.0) == weighed


@pytest.mark.parametrize("gap", [0.5, 2.0, 3.0, 4.0, 6.0, 7.5])
def test_a_chance_is_the_models_worth_fading_beyond_reach(gap: float) -> None:
    """TSE-FIR-01, TSE-ASL-05: whole within reach, less with every inch beyond it."""
    battle, own, target = at_gap(unit(), red(status="disordered"), gap)
    kind = troop("infantry")
    fire, reach = float(kind.range or 0.0), float(kind.assault_reach or 0.0)
    found = attack_value(battle, own, target)
    shot = shot_worth(battle, own, target, min(gap, fire)) * W["fades"] ** max(0.0, gap - fire)
    clash = assault_worth(battle, own, target, True) * W["fades"] ** max(0.0, gap - reach)
    assert (found.shot, found.assault) == pytest.approx((shot, max(0.0, clash)))
    assert found == AttackValue("e", found.shot, found.assault)
    assert found.shot > 0.0


@pytest.mark.parametrize(("aside", "turn"), [(3.0, False), (3.0 + STEP, True), (-3.0, False), (-3.0 - STEP, True)])
def test_who_must_turn_first_promises_less(aside: float, turn: bool) -> None:
    """TSE-FIR-05: the arc opens 45 degrees to either side, closed; judged by the middles."""
    own, target = unit(), red(status="demoralized", bases=2, front=1)
    x, y = own.front_mid
    there = target.moved(x + aside - target.at[0], y + 3.0 - target.at[1])
    battle = scene(own, there)
    gap, factor = position_value._gap(own, there, 1.0), W["aside"] if turn else 1.0
    found = attack_value(battle, own, there)
    assert found.shot == pytest.approx(factor * shot_worth(battle, own, there, min(gap, 3.0)) * _fading(gap, 3.0))
    clash = assault_worth(battle, own, there, position_value._ahead(there, own))
    assert found.assault == pytest.approx(factor * clash)
    assert clash > 0.0


def test_who_must_form_first_promises_less() -> None:
    """TSE-ACT-60, TSE-FIR-01: a march column assaults only when it has formed, and never fires."""
    battle, own, target = at_gap(unit(formation="march-column"), red(status="demoralized"), 2.0)
    found = attack_value(battle, own, target)
    assert found.shot == 0.0
    assert found.assault == pytest.approx(W["reform"] * assault_worth(battle, own, target, True))
    assert found.assault > 0.0


def _fading(gap: float, reach: float) -> float:
    return float(W["fades"] ** max(0.0, gap - reach))


def test_a_square_looks_every_way() -> None:
    """TSE-FRM-30: nobody is outside the arc of a square."""
    square = unit(formation="square")
    for at in ((0.0, 5.0), (0.0, -5.0), (5.0, 0.0), (-5.0, 0.0)):
        assert position_value._ahead(square, red(at=at))


def test_troops_that_never_shoot_promise_no_shot_and_guns_no_assault() -> None:
    """TSE-FIR-01, TSE-ASL-05: not even at who stands next to them and is beaten already."""
    beaten = red(status="demoralized", bases=2, front=1)
    assert attack_value(*at_gap(unit(**HORSE), beaten, 0.0)).shot == 0.0
    assert attack_value(*at_gap(unit(**GUNS), beaten, 0.0)).assault == 0.0
    assert attack_value(*at_gap(unit(troop="transport", bases=2), beaten, 0.0)).best == 0.0
    assert attack_value(*at_gap(unit(status="demoralized"), beaten, 0.0)).best == 0.0


@pytest.mark.parametrize(
    ("formation", "linear", "fit"),
    [
        ("maneuver-column", False, True),
        ("deployed", True, True),
        ("deployed", False, False),
        ("march-column", False, False),
        ("square", False, False),
    ],
)
def test_formations_that_assault(formation: str, linear: bool, fit: bool) -> None:
    """TSE-ACT-60: a maneuver column, or a line drilled to."""
    assert position_value.may_assault(replace(unit(formation=formation), linear=linear)) == fit


@pytest.mark.parametrize(("gap", "may"), [(6.0 - STEP, True), (6.0, True), (6.0 + STEP, False)])
def test_who_may_assault_from_where_it_stands(gap: float, may: bool) -> None:
    """TSE-ASL-05: exactly as far as an assault reaches among it."""
    battle, own, target = at_gap(unit(), red(status="demoralized", bases=2, front=1), gap)
    expected_ = [(attack_value(battle, own, target).assault, own)] if may else []
    assert list(assaults_on(battle, [own], target)) == expected_


def test_assaults_that_promise_nothing_are_not_among_the_chances() -> None:
    weak, strong = unit(bases=2, front=1, status="disordered", quality="poor"), red(bases=10, quality="elite")
    battle, own, target = at_gap(weak, strong, 2.0)
    assert attack_value(battle, own, target).assault == 0.0
    assert list(assaults_on(battle, [own, unit(**GUNS), unit("b", formation="march-column")], target)) == []


def test_the_gap_is_from_the_front_to_the_nearest_base() -> None:
    own, target = unit(), red(at=(0.0, 10.0), bases=10, front=2)
    nearest = min(math.dist(b.centre, own.front_mid) for b in target.bases)
    assert position_value._gap(own, target, 1.0) == nearest - HALF
    assert position_value._gap(own, own, 1.0) == pytest.approx(math.hypot(0.5, 0.375) - HALF)
    assert position_value._gap(own, target.moved(0.0, own.front_mid[1] - target.bases[0].centre[1]), 1.0) == 0.0


def test_the_outlook_is_the_same_at_twice_the_scale() -> None:
    """TSE-SCL-01: everything twice as far off and as large promises the same."""
    found = []
    for field in (FIELD, Field(2)):
        usual = {"quality": "average", "parent": "div"}
        own = field.unit("a", at=(0.0, 0.0), **usual)
        foes = [
            field.unit("e", side="red", at=(2.0, 5.5), facing=180, quality="average"),
            field.unit("h", side="red", troop="heavy-cavalry", front=2, at=(-9.0, 12.0), facing=160, quality="average"),
        ]
        spot = Objective("hill", (field.scale * 40.0, field.scale * 44.0), 1.5 * field.scale, name="Hill")
        battle = field.battle(own, *foes)
        battle = replace(battle, setup=replace(scene(unit()).setup, objectives=(spot,)))
        found.append(position_value.evaluation(battle, own))
    assert found[0].keys() == found[1].keys()
    for name, part in found[0].items():
        assert part.about == found[1][name].about
        assert part.worth == pytest.approx(found[1][name].worth)


def test_the_worst_danger_whole_and_the_others_in_part() -> None:
    found = position_value._danger(
        [AttackValue("x", 0.5, 0.25), AttackValue("y", 0.25, 1.5), AttackValue("z", 0.0, 0.125)], W["danger"]
    )
    assert found == Part(-W["danger"] * (1.5 + W["others"] * (0.5 + 0.125)), "y")
    assert position_value._danger([], 1.0) == Part()


def test_an_outlook_names_the_best_shot_and_assault() -> None:
    firm, beaten = red("firm", at=(0.0, 3.5)), red("beaten", at=(3.0, 5.0), status="demoralized", bases=2, front=1)
    battle = scene(unit(), firm, beaten, red("off", at=(30.0, 35.0)))
    own, foes = battle.unit("a"), [battle.unit(name) for name in ("firm", "beaten")]
    found = position_value.evaluation(battle, own)
    chances = [attack_value(battle, own, foe) for foe in foes]
    shot, clash = max(chances, key=lambda c: c.shot), max(chances, key=lambda c: c.assault)
    assert (shot.name, clash.name) == ("firm", "beaten")
    assert found["shot"] == nearly(W["shot"] * shot.shot, "firm")
    assert found["assault"] == nearly(W["assault"] * clash.assault, "beaten")
    assert found["danger"] == position_value._danger([attack_value(battle, foes[0], own, "firm")], W["danger"])
    assert position_value.total(found) == pytest.approx(sum(part.worth for part in found.values()))


# --- pressing on ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("away", "gap"), [(6.0, 0.0), (6.0 + STEP, STEP), (10.0, 4.0), (2.0, 0.0)])
def test_who_is_out_of_reach_of_all_is_pressed_on(away: float, gap: float) -> None:
    battle = scene(unit(), red(at=(0.0, away)), red("f", at=(0.0, away + 5.0)))
    own = battle.unit("a")
    part = position_value._press(battle, own, battle.enemies(own))
    assert part == nearly(-W["press"] * gap, "e")


@pytest.mark.parametrize("keys", [{"status": "disordered"}, {"troop": "transport", "bases": 2}])
def test_the_shaken_and_those_without_reach_are_not_pressed(keys: dict[str, Any]) -> None:
    battle = scene(unit(**keys), red(at=(0.0, 20.0)))
    own = battle.unit("a")
    assert position_value._press(battle, own, battle.enemies(own)) == Part()
    fresh = scene(unit(), red(at=(0.0, 20.0)))
    assert position_value._press(fresh, fresh.unit("a"), []) == Part(0.0, "")


@pytest.mark.parametrize("near", [4.0, 11.0])
def test_a_group_is_eager_for_what_it_may_do(near: float) -> None:
    battle = scene(unit(), general(), red(at=(0.0, near)), red("f", at=(15.0, 20.0)))
    own = battle.unit("a")
    best = max((attack_value(battle, own, battle.unit(e)) for e in ("e", "f")), key=lambda c: c.best)
    eager = 1.0 + best.best - W["lead"] * near
    assert eagerness(battle, [battle.unit("div"), own]) == nearly(eager, "e")
    assert eagerness(battle, [battle.unit("div")]) == eagerness(battle, []) == Part()
    assert eagerness(battle, [unit("gone")]) == Part()


# --- ground -----------------------------------------------------------------------------------------------------------


def place(at: tuple[float, float], radius: float = 2.0, **keys: Any) -> Objective:
    return Objective("hill", tuple(FIELD.put(at)), radius, **keys)  # type: ignore[arg-type]


def ground(battle: Battle, id: str = "a") -> Part:  # noqa: A002
    return position_value._ground(battle, battle.unit(id))


def on(objective: Objective, *units: Unit, **setup: Any) -> Battle:
    return scene(*units, setup={"objectives": (objective,), **setup})


@pytest.mark.parametrize(("away", "gap"), [(0.0, None), (2.0, None), (2.0 + STEP, STEP), (5.0, 3.0)])
@pytest.mark.parametrize("holder", [None, "blue", "red"])
def test_ground_is_worth_most_to_who_stands_on_it(away: float, gap: float | None, holder: str | None) -> None:
    """Exactly at its rim is on it."""
    battle = on(place((0.0, away), points=3.0, holder=holder), unit(), red(at=(30.0, 30.0)))
    share = W["stand"] if gap is None else W["ground_fades"] ** gap
    weight = W["guarded"] if holder == "blue" else W["ground"]
    assert ground(battle) == nearly(3.0 * weight * share, "hill")


@pytest.mark.parametrize(("away", "crowds"), [(5.0 - STEP, True), (5.0, False), (5.0 + STEP, False)])
def test_a_friend_who_is_nearer_takes_part_of_it(away: float, crowds: bool) -> None:
    """One as near does not."""
    alone = ground(on(place((0.0, 0.0), 1.0), unit(at=(5.0, 0.0))))
    friend = unit("b", at=(-away, 0.0))
    shared = ground(on(place((0.0, 0.0), 1.0), unit(at=(5.0, 0.0)), friend))
    assert shared == nearly(alone.worth * (W["crowd"] if crowds else 1.0), "hill")
    beaten = replace(friend, status="demoralized")
    assert ground(on(place((0.0, 0.0), 1.0), unit(at=(5.0, 0.0)), beaten)) == alone


@pytest.mark.parametrize(("more", "barred"), [(-STEP, True), (0.0, True), (STEP, False)])
@pytest.mark.parametrize("status", ["ok", "demoralized"])
def test_an_enemy_on_the_spot_keeps_it(more: float, barred: bool, status: str) -> None:
    """With half a base on it among them; one who is demoralized keeps nothing."""
    foe = red(at=(2.0 + HALF + more, 0.0), status=status)
    found = ground(on(place((0.0, 0.0)), unit(at=(0.0, -1.0)), foe))
    kept = barred and status == "ok"
    assert found.worth == pytest.approx(W["ground"] * (1.0 if kept else W["stand"]))


def test_ground_held_and_ground_not_held_are_added_and_the_better_is_named() -> None:
    held = place((0.0, 0.0), name="Mill", holder="blue")
    other = replace(place((0.0, 6.0)), id="farm", name="Farm")
    poor = replace(place((0.0, 30.0)), id="far", name="Far")
    battle = scene(unit(), setup={"objectives": (other, held, poor)})
    mill, farm = W["guarded"] * W["stand"], W["ground"] * W["ground_fades"] ** 4.0
    assert ground(battle) == nearly(mill + farm, "Mill" if mill > farm else "Farm")


def test_guns_take_less_ground_and_the_demoralized_none() -> None:
    spot = place((0.0, 0.0))
    whole = ground(on(spot, unit())).worth
    assert ground(on(spot, unit(**GUNS))).worth == pytest.approx(W["guns"] * whole)
    assert ground(on(spot, unit(status="demoralized"))) == Part()


@pytest.mark.parametrize(("turn", "turns"), [(3, 6), (6, 6), (8, 6), (4, None)])
def test_ground_counts_the_more_the_nearer_the_last_turn(turn: int, turns: int | None) -> None:
    battle = on(place((0.0, 0.0)), unit(), turns=turns)
    battle = replace(battle, clock=Clock(turn, "acting", "blue", "div"))
    urgent = 1.0 + W["last"] * min(1.0, turn / turns) ** 3 if turns else 1.0
    assert ground(battle).worth == pytest.approx(urgent * W["stand"] * W["ground"])


@pytest.mark.parametrize(("away", "under"), [(2.0 - STEP, True), (2.0, True), (2.0 + STEP, False)])
@pytest.mark.parametrize("holder", [None, "red", "blue"])
def test_the_ground_a_unit_stands_on(away: float, under: bool, holder: str | None) -> None:
    battle = on(place((0.0, 10.0 - away), points=2.0, holder=holder), unit(), red(at=(0.0, 10.0)))
    found = ground_under(battle, "blue", battle.unit("e"))
    assert found == pytest.approx(2.0 * W["stand"] * W["ground"] if under and holder != "blue" else 0.0)


# --- generals ---------------------------------------------------------------------------------------------------------


def leading(*units: Unit) -> position_value.Evaluation:
    battle = scene(*units, general(at=(0.0, 0.0)))
    return position_value.evaluation(battle, battle.unit("div"))


@pytest.mark.parametrize(("more", "near"), [(-STEP, 1), (0.0, 1), (STEP, 0)])
def test_a_general_is_for_the_units_within_command(more: float, near: int) -> None:
    """TSE-ORD-03: exactly at its length among them."""
    found = leading(unit(at=(0.0, length("command") + more)), unit("x", at=(0.0, -2.0), parent="other"))
    assert found["command"] == nearly(W["command"] * near, "a" if near else "div")
    assert found["overrun"] == Part()


def test_he_is_for_the_shaken_first() -> None:
    found = leading(unit(at=(0.0, 3.0)), unit("b", at=(3.0, 0.0), status="disordered"))
    assert found["command"] == nearly(2 * W["command"] + W["rally"], "b")


def test_a_general_of_nobody_is_there_for_the_whole_side() -> None:
    found = leading(unit(at=(0.0, 3.0), parent="other"), unit("b", at=(3.0, 0.0), parent="third"))
    assert found["command"].worth == pytest.approx(2 * W["command"])


@pytest.mark.parametrize(("more", "near"), [(-STEP, True), (0.0, True), (STEP, False)])
@pytest.mark.parametrize("troops", ["heavy-cavalry", "infantry"])
def test_he_fears_who_may_reach_him(troops: str, more: float, near: bool) -> None:
    """TSE-LDR-07."""
    away = float(troop(troops).assault_reach or 0.0) + more
    foe = red(troop=troops, front=2, at=(0.0, away))
    found = leading(unit(at=(20.0, 0.0)), foe)
    assert found["overrun"] == (Part(-W["overrun"], "e") if near else Part())
    assert leading(unit(at=(20.0, 0.0)), replace(foe, status="demoralized"))["overrun"] == Part()


@pytest.mark.parametrize(("away", "alone"), [(2.0 - STEP, False), (2.0, False), (2.0 + STEP, True)])
def test_with_his_troops_about_him_he_fears_nobody(away: float, alone: bool) -> None:
    found = leading(unit(at=(away, 0.0)), red(at=(0.0, 5.0)))
    assert found["overrun"] == (Part(-W["overrun"], "e") if alone else Part())


# --- the reasons given ------------------------------------------------------------------------------------------------


def parts(**worth: float) -> dict[str, Part]:
    return {name: Part(value, name) for name, value in worth.items()}


@pytest.mark.parametrize(("gain", "named"), [(NAMED, True), (math.nextafter(NAMED, 0.0), False), (-NAMED, True)])
def test_changes_worth_naming(gain: float, named: bool) -> None:
    assert bool(action_value._changes(parts(shot=0.0), parts(shot=gain), True)) == named


def test_the_two_greatest_changes_are_named_those_for_the_decision_first() -> None:
    old = parts(shot=0.0, assault=0.0, danger=0.0, ground=0.0)
    new = parts(shot=0.25, assault=0.5, danger=-1.0, ground=0.125)
    assert action_value._changes(old, new, True) == "ready to assault assault (+0.50), a shot at shot (+0.25)"
    assert action_value._changes(old, new, False) == "open to danger (-1.00), ready to assault assault (+0.50)"


@pytest.mark.parametrize(
    ("name", "gain", "words"),
    [
        ("shot", 1.0, "a shot at new"),
        ("shot", -1.0, "no such shot at old"),
        ("danger", 1.0, "safer from old"),
        ("danger", -1.0, "open to new"),
        ("overrun", 1.0, "clear of old"),
        ("overrun", -1.0, "within reach of new"),
    ],
)
def test_a_change_names_who_it_is_about(name: str, gain: float, words: str) -> None:
    """What is gained is there now, what is lost was there before; a danger the other way round."""
    old, new = {name: Part(0.0, "old")}, {name: Part(gain, "new")}
    assert action_value._change_text(name, gain, old, new) == words
    assert action_value._change_text(name, gain, {name: Part()}, {name: Part(gain, "there")}).endswith(" there")
    assert action_value._change_text(name, gain, {name: Part(0.0, "there")}, {name: Part(gain)}).endswith(" there")
    assert action_value._change_text(name, gain, {name: Part()}, {name: Part(gain)}).endswith(" the enemy")


def test_a_move_that_changes_nothing_in_all_is_told_by_its_gains(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gains and losses that even out: what speaks for it comes first."""
    battle = scene(unit(), red(at=(0.0, 20.0)))
    moved = Action("maneuver", "blue", "a", options={"path": (tuple(FIELD.put((0.0, 1.0))),)})
    monkeypatch.setattr(action_value, "_evaluation_now", lambda *_: parts(shot=0.0, danger=0.0))
    monkeypatch.setattr(action_value, "evaluation", lambda *_: parts(shot=0.5, danger=-0.5))
    assert action_value.prospect(battle, moved) == (-W["stir"], "a shot at shot (+0.50), open to danger (-0.50)")


def test_worths_kept_are_no_more_than_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combat_value, "MOST_KEPT", 2)
    monkeypatch.setattr(combat_value, "_kept", {})
    made = [combat_value._cached((k,), lambda k=k: float(k)) for k in (1, 2, 2, 1, 3, 3)]  # type: ignore[misc]
    assert made == [1.0, 2.0, 2.0, 1.0, 3.0, 3.0]
    assert combat_value._kept == {(3,): 3.0}


@pytest.mark.parametrize("kind", ["maneuver", "deploy", "general"])
def test_a_move_is_worth_what_its_orders_let_through(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-ORD-01: all of it when they come, part when they come late; a general needs none."""
    battle = scene(unit(), general(at=(0.0, -3.0)), red(at=(0.0, 20.0)))
    options: dict[str, dict[str, Any]] = {
        "maneuver": {"path": (tuple(FIELD.put((0.0, 2.0))),)},
        "general": {"path": (tuple(FIELD.put((2.0, -3.0))),)},
        "deploy": {"ref": 1, "facing": 0.0, "shift": (0.0, 0.0)},
    }
    who = "div" if kind == "general" else "a"
    monkeypatch.setattr(action_value, "_evaluation_now", lambda *_: parts(shot=0.25))
    monkeypatch.setattr(action_value, "evaluation", lambda *_: parts(shot=1.25))
    gain, _ = action_value.prospect(battle, Action(kind, "blue", who, options=options[kind]))
    own, share = battle.unit(who), 1.0
    if kind in ORDERED:
        _, delayed, received = model.order_odds(own, kind, True)
        share = received + W["late"] * delayed
        assert share < 1.0
    assert gain == pytest.approx(share - W["stir"])


@pytest.mark.parametrize("friend", [False, True])
def test_a_shot_that_opens_the_way_for_a_friend_is_worth_more(friend: bool) -> None:
    """TSE-ASL-05: another who may assault the same target afterwards, not the one who fires."""
    foe = red(at=(0.0, 3.75), status="disordered", bases=2, front=1)
    others = [unit("b", at=(3.0, 0.0), troop="heavy-cavalry", front=2)] if friend else []
    battle = scene(unit(), *others, foe)
    gain, why = action_value.prospect(battle, Action("advancing-fire", "blue", "a", "e"))
    results = odds.results_of(battle, Action("advancing-fire", "blue", "a", "e")) or ()
    alone = action_value._average(battle, "blue", results)
    more = max((worth for worth, _ in assaults_on(battle, others, battle.unit("e"))), default=0.0)
    assert gain == pytest.approx(alone + W["opens"] * more)
    assert ("then b may assault" in why) == friend
    assert (more > 0.0) == friend


@pytest.mark.parametrize("side", ["blue", "red"])
def test_what_shakes_an_army_is_for_the_good_of_the_other(side: str) -> None:
    """TSE-MOR-01: units newly gone or demoralized count, by how near to breaking that makes each army."""
    troops = [unit(f"u{k}", at=(4.0 * k, 0.0)) for k in range(3)]
    foes = [red(f"e{k}", at=(4.0 * k, 10.0), status="demoralized" if k == 2 else "ok") for k in range(3)]
    battle = scene(*troops, *foes)

    def stake(*effects: tuple[str, str, float]) -> float:
        return action_value._morale_effect(battle, side, Result("", 0.0, effects, ""))

    sign = 1.0 if side == "blue" else -1.0
    one, two, again = (action_value._morale_cost(battle, "red", *more) for more in ((1, 0), (1, 1), (1, -1)))
    assert 0.0 <= again < one < two
    assert stake(("e0", "removed", 4.0)) == pytest.approx(sign * one)
    assert stake(("e0", "removed", 4.0), ("e1", "status:demoralized", 1.0)) == pytest.approx(sign * two)
    assert stake(("e2", "removed", 4.0)) == pytest.approx(sign * again)
    assert stake(("e0", "lost", 1.0)) == stake(("e0", "status:disordered", 1.0)) == 0.0
    assert stake(("u0", "removed", 4.0)) == pytest.approx(-sign * action_value._morale_cost(battle, "blue", 1, 0))


def test_who_holds_ground_looks_to_his_safety() -> None:
    """Foot on ground of its side weighs its dangers more and its assaults less; in line it is then better placed."""
    ahead = red("b", at=(0.0, 5.0), status="disordered")
    free = scene(unit(), ahead)
    ground = Objective("hill", free.unit("a").at, 1.0, holder="blue")
    held = replace(free, setup=replace(free.setup, objectives=(ground,)))
    column, line = held.unit("a"), scene(unit(formation="deployed"), ahead).unit("a")
    assert position_value.holding(held, column) and not position_value.holding(free, column)
    assert not position_value.holding(held, replace(column, status="disordered"))
    mine, open_field = position_value.evaluation(held, column), position_value.evaluation(free, column)
    assert mine["danger"].worth < open_field["danger"].worth < 0.0
    assert 0.0 < mine["assault"].worth < open_field["assault"].worth
    assert position_value.evaluation(held.with_unit(line), line)["danger"].worth > mine["danger"].worth


def test_a_deployment_counts_the_shot_after_it() -> None:
    """TSE-CMB-01: infantry that deploys may still fire, advancing; who is behind it or out of range is no target."""
    battle = scene(unit(formation="deployed"), red("b", at=(0.0, 2.5)), red("off", at=(0.0, -2.5)))
    shots = [(worth > 0.0, enemy.id) for worth, enemy in position_value.shots_after_deploying(battle, battle.unit("a"))]
    assert shots == [(True, "b")]
    far = scene(unit(formation="deployed"), red("b", at=(0.0, 9.0)))
    assert not list(position_value.shots_after_deploying(far, far.unit("a")))


def test_forming_up_costs_an_assault_a_move_and_no_more_where_a_move_is_needed_anyway() -> None:
    """TSE-FRM-02, TSE-ACT-60: a line in reach loses a move; far beyond reach it promises what a column does."""
    beaten, reach = red(bases=2, front=1, status="demoralized"), float(troop("infantry").assault_reach or 0.0)
    even = reach + math.log(W["reform"]) / math.log(W["fades"])
    for gap, share in ((2.0, W["reform"]), (reach, W["reform"]), (even - 1.0, W["reform"]), (even + 1.0, None)):
        column, line = (
            attack_value(*at_gap(unit(formation=formation), beaten, gap)).assault
            for formation in ("maneuver-column", "deployed")
        )
        left = _fading(gap, reach)
        assert line == pytest.approx(column * min(1.0, W["reform"] / left) if share else column)
        assert 0.0 < line <= column
