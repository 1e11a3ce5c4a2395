"""Orders in the four Ages: messengers and who takes them, orders in person, and orders that were not understood."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.event import Told
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.play.engine import judge, play_of
from tabletop.rules.ages.combat.pursuit import pursue
from tabletop.rules.ages.command.orders import addressed
from tabletop.rules.ages.morale.falling_back import fall_back
from tabletop.rules.ages.turn.sequence import advance
from tests import destiny, gloire, realm
from tests.ages import Builder, Numbers, allowed, why

both = pytest.mark.parametrize("rules", [destiny.BUILDER, realm.BUILDER], ids=lambda rules: rules.rules.name)
ORDER = {"stance": "hold", "to": ("red",)}


def rider(rules: Builder, at: tuple[float, float]) -> Unit:
    """Return a red messenger with an order."""
    return rules.unit("o", "red", "staff-officer", at=at, marks={"carries": ORDER})


def persons(rules: Builder) -> tuple[Unit, Unit]:
    """Return a general of each side, far from everything."""
    return rules.unit("rg", "red", "general", at=[900, 700]), rules.unit("bg", "blue", "general", at=[100, 60])


def taken(unfolding: Unfolding) -> list[dict[str, Any]]:
    """Return what was put on record about messengers that were taken."""
    return [dict(e.values) for e in unfolding.events if isinstance(e, Told) and e.what == "messenger taken"]


def unfolds(rules: Builder, *units: Unit, phase: str = "movement") -> Unfolding:
    """Return a battle in which nobody throws well, ready for what is going to happen."""
    scene: Battle = rules.battle(*units, *persons(rules), phase=phase)
    return Unfolding(scene, rules.throws([100.0] if rules.throws is Numbers else [1.0]))


# --- messengers in the way --------------------------------------------------------------------------------------------


@both
@pytest.mark.parametrize(("x", "caught"), [(500.0, True), (569.8, True), (570.5, False), (700.0, False)])
def test_a_pursuer_takes_the_messenger_he_rides_through(rules: Builder, x: float, caught: bool) -> None:
    """AGE-ORD-05, ROC-ORD-03: the order goes to the nearest general; merely touching the messenger takes nobody."""
    horse = rules.unit("h", "blue", "heavy-cavalry", front_mid=[500, 300], marks={"pursuing": "red"})
    prey = rules.unit("red", "red", at=[500, 560], status="routing", facing=0)
    unfolding = unfolds(rules, horse, prey, rider(rules, (x, 360)))
    pursue(unfolding, "h")
    assert unfolding.battle.has("o") is not caught
    assert taken(unfolding) == ([{"order": ORDER, "to": "bg"}] if caught else [])


@both
@pytest.mark.parametrize(("y", "caught"), [(360.0, True), (250.0, False)])
def test_a_routing_unit_takes_the_messenger_it_runs_through(rules: Builder, y: float, caught: bool) -> None:
    """AGE-ORD-05, ROC-ORD-03: so does a unit that runs, but only on the ground it passes over."""
    runner = rules.unit("b", "blue", at=[500, 400], status="routing", facing=180)
    unfolding = unfolds(rules, runner, rules.unit("red", "red", at=[500, 560]), rider(rules, (500, y)), phase="rally")
    advance(unfolding)
    assert unfolding.unit("b").at == (500.0, 340.0)
    assert unfolding.battle.has("o") is not caught
    assert taken(unfolding) == ([{"order": ORDER, "to": "bg"}] if caught else [])


@both
@pytest.mark.parametrize(("y", "caught"), [(360.0, True), (300.0, False)])
def test_a_unit_that_falls_back_takes_the_messenger_behind_it(rules: Builder, y: float, caught: bool) -> None:
    """AGE-ORD-05, ROC-ORD-03: so does a unit that falls back or retires."""
    back = rules.unit("b", "blue", front_mid=[500, 410], status="disrupted", marks={"retiring": True})
    unfolding = unfolds(rules, back, rules.unit("red", "red", at=[500, 560]), rider(rules, (500, y)))
    fall_back(unfolding, "b")
    assert unfolding.unit("b").front_mid == (500.0, 360.0)
    assert unfolding.battle.has("o") is not caught
    assert taken(unfolding) == ([{"order": ORDER, "to": "bg"}] if caught else [])


# --- what a messenger carries -----------------------------------------------------------------------------------------


def sent(rules: Builder, *units: Unit, to: tuple[str, ...]) -> Battle:
    """Return a battle in which a blue messenger beside his general carries an order to units of his side."""
    general = rules.unit("g", "blue", "general", at=[500, 200])
    officer = rules.unit("o", "blue", "staff-officer", at=[500, 240], marks={"carries": {"stance": "attack", "to": to}})
    return rules.battle(general, officer, *units, rules.unit("red", "red", at=[100, 700]))


def ridden(rules: Builder, scene: Battle, to: tuple[float, float], *throws: int) -> Battle:
    """Return a battle after a ride of the messenger, who may then act again."""
    after = rules.done(scene, "ride", "o", path=(to,), numbers=throws).battle
    officer = after.unit("o")
    return after.with_unit(replace(officer, marks={k: v for k, v in officer.marks.items() if k != "moved"}))


def test_an_order_that_was_not_understood_is_lost_and_may_be_sent_again() -> None:
    """AGE-ORD-03, AGE-ORD-04: at 0.149 it is lost for all its units at once; back with the general he takes another."""
    rules = destiny.BUILDER
    units = rules.unit("a", "blue", front_mid=[500, 300]), rules.unit("b", "blue", front_mid=[900, 300])
    scene = ridden(rules, sent(rules, *units, to=("a", "b")), (500, 265), 149)
    assert "order" not in scene.unit("a").marks and "carries" not in scene.unit("o").marks
    back = ridden(rules, scene, (500, 240))
    assert allowed(back, "dismiss", "o")
    assert allowed(back, "order", "o", stance="attack", to=("a", "b"))


def test_an_order_that_was_understood_goes_on_to_the_others() -> None:
    """AGE-ORD-04: from 0.150 on he visits all its units, without another throw."""
    rules = destiny.BUILDER
    units = rules.unit("a", "blue", front_mid=[500, 300]), rules.unit("b", "blue", front_mid=[640, 300])
    scene = ridden(rules, sent(rules, *units, to=("a", "b")), (500, 265), 150)
    assert scene.unit("o").marks["carries"] == {"stance": "attack", "to": ("b",), "understood": True}
    there = ridden(rules, scene, (640, 265))
    assert there.unit("b").marks["order"] == "attack" and "carries" not in there.unit("o").marks


def test_every_unit_has_its_own_throw_in_realm_of_chance() -> None:
    """ROC-ORD-01: there a failed throw is lost for that unit alone."""
    rules = realm.BUILDER
    units = rules.unit("a", "blue", front_mid=[500, 300]), rules.unit("b", "blue", front_mid=[640, 300])
    scene = ridden(rules, sent(rules, *units, to=("a", "b")), (500, 265), 1)
    assert scene.unit("o").marks["carries"] == {"stance": "attack", "to": ("b",)}


@both
def test_an_order_for_guns_that_were_taken_meanwhile_is_dropped(rules: Builder) -> None:
    """AGE-ORD-03, AGE-ORD-05: the enemy's gun gets no order, whether he touches it or not, and he is free again."""
    taken_guns = rules.unit("guns", "red", "horse-artillery", front_mid=[500, 300], facing=0)
    near = sent(rules, taken_guns, to=("guns",))
    for to in ((500, 239.8), (560, 240)):
        after = ridden(rules, near, to)
        assert "carries" not in after.unit("o").marks and "order" not in after.unit("guns").marks


@both
def test_an_officer_whose_general_has_fallen_serves_any_general_of_his_side(rules: Builder) -> None:
    """AGE-ORD-04, ROC-ORD-02: he can be given an order and dismissed; while his own lives, no other does that."""
    first, second = (
        rules.unit("g1", "blue", "general", at=[100, 200]),
        rules.unit("g2", "blue", "general", at=[500, 200]),
    )
    officer = rules.unit("o", "blue", "staff-officer", at=[500, 240], parent="g1")
    foot, red = rules.unit("a", "blue", front_mid=[500, 300]), rules.unit("red", "red", at=[100, 700])
    led, orphaned = rules.battle(first, second, officer, foot, red), rules.battle(second, officer, foot, red)
    assert allowed(orphaned, "order", "o", stance="hold", to=("a",)) and allowed(orphaned, "dismiss", "o")
    assert not allowed(led, "order", "o", stance="hold", to=("a",)) and not allowed(led, "dismiss", "o")
    assert not allowed(orphaned, "call", "g2"), "he is beside him already"


# --- without a messenger ----------------------------------------------------------------------------------------------


def brigades() -> tuple[Unit, ...]:
    """Return a brigade of two battalions with its general, one without, and a battalion of no brigade."""
    unit = destiny.unit
    return (
        unit("brigadier", "blue", "general", at=[500, 200]),
        unit("a", "blue", front_mid=[500, 300], parent="brigadier"),
        unit("b", "blue", front_mid=[700, 300], parent="brigadier"),
        unit("c", "blue", front_mid=[300, 300], parent="colonel"),
        unit("d", "blue", front_mid=[300, 380], parent="colonel"),
        unit("alone", "blue", front_mid=[900, 300]),
        unit("lonely", "blue", front_mid=[900, 380]),
    )


@pytest.mark.parametrize(
    ("at", "may"),
    [
        ((500, 265), ("a", "b")),  # touches one of its units
        ((530, 200), ("a", "b")),  # touches its general
        ((532, 200), ()),
        ((300, 265), ("c", "d")),
        ((900, 265), ("alone",)),
    ],
)
def test_a_general_orders_the_formation_he_touches(at: tuple[float, float], may: tuple[str, ...]) -> None:
    """AGE-ORD-02: bases touching the formation's general or any of its units; units of no formation one by one."""
    scene = destiny.battle(
        destiny.unit("g", "blue", "general", at=at), *brigades(), destiny.unit("r", "red", at=[100, 700])
    )
    assert sorted(u.id for u in addressed(scene, scene.unit("g"))) == sorted(may)
    for name in ("a", "b", "c", "d", "alone", "lonely"):
        assert allowed(scene, "order", "g", stance="attack", to=(name,)) is (name in may)
    if may:
        ordered = destiny.done(scene, "order", "g", stance="attack", to=may).battle
        assert [ordered.unit(name).marks["order"] for name in may] == ["attack"] * len(may)


def test_the_formations_own_general_orders_all_of_it_once_he_touches_one_unit() -> None:
    """AGE-ORD-02: the brigadier beside one of his battalions; away from them he orders nobody."""
    away = destiny.battle(*brigades(), destiny.unit("r", "red", at=[100, 700]))
    there = away.with_unit(away.unit("brigadier").moved(0.0, 65.0))
    assert why(away, "order", "brigadier", stance="hold", to=("a",)) == {"AGE-ORD-02"}
    assert allowed(there, "order", "brigadier", stance="hold", to=("a", "b"))


@pytest.mark.parametrize(("order", "may"), [(None, True), ("hold", True), ("advance", False), ("withdraw", False)])
def test_french_troops_without_a_new_order_may_attack_or_support(order: str | None, may: bool) -> None:
    """GLO-ORD-01, DES-ORD-01: by ruling troops that nobody has ordered anything count as holding."""
    for rules, side, y in ((gloire.BUILDER, "red", 600), (destiny.BUILDER, "blue", 300)):
        marks = {"order": order} if order else {}
        foes = rules.unit("foe", "blue" if side == "red" else "red", at=[100, 400])
        scene = rules.battle(rules.unit("n", side, at=[500, y], marks=marks), foes, side=side, french_initiative=True)
        for stance in ("attack", "support"):
            verdict = judge(scene, Action("order", side, "n", None, {"stance": stance}))
            assert verdict.holds is may
            assert may or [r.text for r in verdict.because if not r.holds] == [f"n is ordered to {order}"]
        assert not allowed(scene, "order", "n", stance="withdraw")
        assert ("order" in {choice.kind for choice in play_of(scene).menu(scene, "n") if choice.open}) is may


def test_guns_that_are_taken_no_longer_retire() -> None:
    """AGE-ART-07: what the enemy's crew had to do does not bind the captor's."""
    battery = destiny.unit(
        "guns", "red", "foot-artillery", front_mid=[500, 340], status="disrupted", marks={"retiring": True}
    )
    scene = destiny.battle(destiny.unit("b", "blue", front_mid=[500, 300], formation="column"), battery)
    after = destiny.done(scene, "move", "b", path=((500, 350),)).battle.unit("guns")
    assert after.side == "blue" and "retiring" not in after.marks
