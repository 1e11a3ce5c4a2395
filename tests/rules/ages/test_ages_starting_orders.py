"""Orders from the start, orders for formations, orders that name a place, and moves that go against an order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.event import Told
from tabletop.battle.opening import opening_data, opening_of
from tabletop.battle.progress import Objective
from tabletop.battle.unit import Unit
from tabletop.errors import Unreadable
from tabletop.judge import ask
from tabletop.play.engine import Step, play_of
from tabletop.play.files.load import load_scene_data
from tabletop.play.narration import sentences
from tabletop.play.saves.saved_opening import check_meaning
from tabletop.play.typed.options import read_options
from tabletop.rules.ages.command.formations import formations, members
from tabletop.terminal import views
from tests import destiny, glaube, gloire, realm
from tests.ages import allowed, why
from tests.loaded import scenario

MILL = Objective("mill", (500.0, 500.0), 60.0, name="The mill")


def brigade(*more: Unit, rules: Any = destiny.BUILDER, **marks: Any) -> Battle:
    """Return a brigadier with two battalions (the first with ``marks``), a battalion of its own, and an enemy."""
    battle: Battle = rules.battle(
        rules.unit("brigadier", "blue", "general", at=[500, 120]),
        rules.unit("a", "blue", front_mid=[500, 300], parent="brigadier", marks=marks),
        rules.unit("b", "blue", front_mid=[700, 300], parent="brigadier"),
        rules.unit("alone", "blue", front_mid=[900, 300]),
        rules.unit("foe", "red", at=[100, 700]),
        *more,
    )
    return replace(battle, setup=replace(battle.setup, objectives=(MILL,)))


# --- an order for a formation ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rules", [glaube.BUILDER, gloire.BUILDER, destiny.BUILDER], ids=["wing", "brigade", "division"]
)
def test_an_order_for_a_general_is_for_all_under_him(rules: Any) -> None:
    """AGE-ORD-01, GLA-INF-03, GLO-ORD-02, DES-ORD-02: he and his units have it, his messenger and others have not."""
    general = rules.unit("g", "blue", "general", at=[500, 160])
    battle = brigade(general, rules.unit("o", "blue", "staff-officer", at=[300, 60], parent="brigadier"), rules=rules)
    assert members(battle, "brigadier") == ("brigadier", "a", "b") and members(battle, "a") == ("a",)
    after = rules.done(battle, "order", "g", stance="attack", to=("brigadier",))
    assert {u.id for u in after.battle.units if u.marks.get("order") == "attack"} == {"brigadier", "a", "b"}
    assert "brigadier and those under him understood the order to attack." in told(after)


def told(step: Step) -> str:
    """Return the sentences of a step."""
    return " ".join(sentences(step.battle, step.events))


def test_a_general_orders_only_the_formations_he_is_with() -> None:
    """AGE-ORD-02: he touches its general or one of its units; with his own, one of its units."""
    far, near = (destiny.unit("g", "blue", "general", at=at) for at in ([900, 100], [700, 265]))
    assert why(brigade(far), "order", "g", stance="hold", to=("brigadier",)) == {"AGE-ORD-02"}
    assert allowed(brigade(near), "order", "g", stance="hold", to=("brigadier",))
    battle = brigade()
    assert formations(battle, battle.unit("brigadier")) == ()
    there = battle.with_unit(battle.unit("brigadier").moved(0.0, 145.0))
    assert formations(there, there.unit("brigadier")) == ("brigadier",)


@pytest.mark.parametrize(("number", "understood"), [(149, False), (150, True)])
def test_a_messenger_brings_it_to_the_formations_general(number: int, understood: bool) -> None:
    """AGE-ORD-01, AGE-ORD-04: with him he has visited the whole formation, and one throw counts for all of it."""
    general = destiny.unit("g", "blue", "general", at=[300, 60])
    carries = {"stance": "attack", "goal": "mill", "to": ("brigadier",)}
    officer = destiny.unit("o", "blue", "staff-officer", at=[460, 60], parent="g", marks={"carries": carries})
    battle = brigade(general, officer)
    assert play_of(battle).remarks(battle, battle.unit("o")) == (
        "carries the order to attack towards the mill for brigadier",
    )
    after = destiny.done(battle, "ride", "o", path=((475, 120),), numbers=[number]).battle
    marks = {(u.marks.get("order"), u.marks.get("order_goal")) for u in after.units if u.id in ("brigadier", "a", "b")}
    assert marks == {("attack", "mill") if understood else (None, None)}
    assert "carries" not in after.unit("o").marks and "order" not in after.unit("alone").marks


def test_a_new_order_replaces_the_place_of_the_old_one() -> None:
    """AGE-ORD-02: an order that names no place leaves none behind."""
    battle = brigade(destiny.unit("g", "blue", "general", at=[500, 160]), order="advance", order_goal="mill")
    after = destiny.done(battle, "order", "g", stance="hold", to=("brigadier",)).battle
    assert after.unit("a").marks.get("order_goal") is None and after.unit("a").marks["order"] == "hold"


# --- an order that names a place -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("goal", "may"), [("mill", True), ((40.0, 50.0), True), ("moon", False), ((40, 5000), False)])
def test_the_place_of_an_order_is_one_of_the_battle(goal: object, may: bool) -> None:
    """AGE-ORD-01: an objective of the scenario or a point of the table."""
    battle = brigade(destiny.unit("g", "blue", "general", at=[500, 160]))
    assert allowed(battle, "order", "g", stance="advance", to=("brigadier",), goal=goal) is may
    if not may:
        assert why(battle, "order", "g", stance="advance", to=("brigadier",), goal=goal) == {"AGE-ORD-01"}


def test_in_realm_of_chance_an_order_names_no_place_and_no_formation() -> None:
    """ROC-ORD-01: there it is for units alone."""
    battle = brigade(realm.unit("o", "blue", "staff-officer", at=[500, 80]), rules=realm.BUILDER)
    assert members(battle, "brigadier") == ("brigadier",) and formations(battle, battle.unit("o")) == ()
    assert not allowed(battle, "order", "o", stance="advance", to=("a",), goal="mill")
    assert allowed(battle, "order", "o", stance="advance", to=("a",))


@pytest.mark.parametrize(
    ("typed", "goal"), [("goal mill", "mill"), ("goal The mill", "mill"), ("goal 40,50", (40.0, 50.0))]
)
def test_an_order_with_a_place_is_typed(typed: str, goal: object) -> None:
    """At the prompt the place is an objective by id or name, or a point; the window offers the objectives."""
    battle = brigade(destiny.unit("g", "blue", "general", at=[500, 160]))
    words = {"stance": ["hold"], "for": ["brigadier"], "goal": typed.split()[1:]}
    found, _ = read_options(battle, battle.unit("g"), False, words)
    assert found == {"stance": "hold", "to": ("brigadier",), "goal": goal}
    action = Action("order", "blue", "g", options=found)
    options = {one.option: one.values for one in play_of(battle).adjustments(battle, action)}
    assert options["goal"] == ("", "mill") and "brigadier" in options["to"]


# --- against the order -----------------------------------------------------------------------------------------------

AHEAD, BACK, WHEEL = {"path": ((500, 330),)}, {"distance": 15.0}, {"facing": 20.0}


@pytest.mark.parametrize(
    ("order", "kind", "how", "against"),
    [
        ({"order": "hold"}, "move", AHEAD, True),
        ({"order": "hold"}, "withdraw", BACK, True),
        ({"order": "hold"}, "move", WHEEL, False),
        ({"order": "advance"}, "move", AHEAD, False),
        ({"order": "advance"}, "retreat", BACK, True),
        ({"order": "attack"}, "withdraw", BACK, True),
        ({"order": "support"}, "withdraw", BACK, False),
        ({"order": "withdraw"}, "withdraw", BACK, False),
        ({"order": "withdraw"}, "move", AHEAD, False),
        ({"order": "hold", "order_goal": "mill"}, "move", AHEAD, False),
        ({"order": "hold", "order_goal": "mill"}, "withdraw", BACK, True),
        ({"order": "advance", "order_goal": (500.0, 100.0)}, "move", AHEAD, True),
        ({"order": "advance", "order_goal": (500.0, 100.0)}, "withdraw", BACK, False),
        ({}, "move", AHEAD, False),
    ],
)
def test_a_move_against_an_order_is_remarked_on_and_allowed(
    order: Mapping[str, Any], kind: str, how: Mapping[str, Any], against: bool
) -> None:
    """AGE-ORD-01: the judge says so, and the report; nobody is hindered, as people carry orders out."""
    battle = brigade(**order)
    verdict = ask(battle, "move", ("a",), {**how, "as": kind})
    remarks = [reason.text for reason in verdict.because if reason.rule == "AGE-ORD-01"]
    assert verdict.holds and bool(remarks) is against
    step = destiny.done(battle, kind, "a", **how)
    records = [event for event in step.events if isinstance(event, Told) and event.what == "against order"]
    assert bool(records) is against
    assert ("a went against its order to" in told(step)) is against


def test_a_unit_at_its_objective_may_stir() -> None:
    """AGE-ORD-01: within the objective's radius it is there, even a little farther from the middle."""
    battle = brigade(order="hold", order_goal="mill")
    there = battle.with_unit(battle.unit("a").moved(0.0, 240.0))
    assert not remarked(there, path=((500, 565),))
    assert remarked(there, path=((500, 575),))


def remarked(battle: Battle, **how: Any) -> bool:
    verdict = ask(battle, "move", ("a",), {**how, "as": "move"})
    return any(reason.rule == "AGE-ORD-01" and reason.holds for reason in verdict.because)


def test_lancers_ordered_to_withdraw_are_told_when_they_charge() -> None:
    """AGE-ORD-01: a charge goes against an order to withdraw."""
    horse = destiny.unit("horse", "blue", "light-cavalry", front_mid=[300, 300], marks={"order": "withdraw"})
    battle = brigade(horse, destiny.unit("prey", "red", front_mid=[300, 420], facing=180))
    verdict = ask(battle, "move", ("horse",), {"path": [(300, 420)], "as": "charge"})
    assert verdict.holds
    assert [r.text for r in verdict.because if r.rule == "AGE-ORD-01"] == [
        "horse is ordered to withdraw: this move goes against it"
    ]


def test_in_realm_of_chance_nothing_is_remarked() -> None:
    battle = brigade(rules=realm.BUILDER, order="hold")
    assert not any(reason.rule == "AGE-ORD-01" for reason in ask(battle, "move", ("a",), AHEAD).because)


# --- from the start --------------------------------------------------------------------------------------------------

UNITS = {"tse": "in"}
GROUND = {"attacker": "red", "turns": 5, "objectives": [{"id": "mill", "at": [300, 300], "radius": 40}]}


def scene(rules: str = "gloire", **orders: Any) -> Battle:
    """Return a battle of a general (``a``), a battalion of his (``b``) with his messenger (``c``), and an enemy."""
    foot = {"troop": "infantry", "quality": "french-line", "formation": "line", "facing": 0}
    if rules == "tse":
        foot = {"troop": "infantry", "bases": 4, "formation": "deployed", "facing": 0}
    rows: list[dict[str, Any]] = [
        {"id": "a", "side": "red", "troop": "general", "at": [100, 50]},
        {"id": "b", "side": "red", "parent": "a", **foot, "at": [300, 100]},
        {"id": "foe", "side": "blue", **foot, "at": [300, 500], "facing": 180},
    ]
    if rules != "tse":
        rows.append({"id": "c", "side": "red", "parent": "a", "troop": "staff-officer", "at": [100, 90]})
    units = [{**row, **({"order": orders[row["id"]]} if row["id"] in orders else {})} for row in rows]
    table = {"unit": UNITS.get(rules, "mm"), "width": 900, "height": 600}
    data = {"format": "tabletop-scene/1", "title": "A", "rules": rules, "table": table, "units": units}
    return load_scene_data({**data, "game": GROUND})


def faults(rules: str = "gloire", **orders: Any) -> list[str]:
    with pytest.raises(Unreadable) as caught:
        scene(rules, **orders)
    return [fault.text for fault in caught.value.faults]


def test_an_order_from_the_start_is_for_all_under_a_general() -> None:
    """AGE-ORD-01: a unit with an order of its own keeps it; messengers have none; cards show it."""
    battle = scene(a={"stance": "advance", "objective": "mill"})
    assert [battle.unit(name).marks for name in "ab"] == [{"order": "advance", "order_goal": "mill"}] * 2
    assert not battle.unit("c").marks and not battle.unit("foe").marks
    assert "; ordered to advance towards mill" in views.card(battle, battle.unit("b"))
    own = scene(a={"stance": "advance"}, b={"stance": "hold", "at": [40, 50]})
    assert own.unit("a").marks == {"order": "advance"}
    assert own.unit("b").marks == {"order": "hold", "order_goal": (40.0, 50.0)}


@pytest.mark.parametrize(
    ("rules", "orders", "said"),
    [
        ("gloire", {"a": {"stance": "atack"}}, "'atack' is no order; did you mean 'attack'?"),
        ("gloire", {"a": {"stance": "hold", "objective": "mil"}}, "there is no objective 'mil'; did you mean 'mill'?"),
        ("gloire", {"a": {"stance": "hold", "objective": "mill", "at": [5, 5]}}, "objective and at both given"),
        ("gloire", {"b": {"stance": "hold", "at": [5, 700]}}, "order: its point is off the table"),
        ("gloire", {"c": {"stance": "hold"}}, "these rules have no use for order; leave it out"),
        ("gloire", {"b": {"objective": "mill"}}, "stance"),
        ("tse", {"b": {"stance": "hold"}}, "under these rules no unit begins with an order; leave it out"),
        ("realm-of-chance", {"b": {"stance": "hold"}}, "under these rules no unit begins with an order; leave it out"),
    ],
)
def test_an_order_that_cannot_be_is_one_line(rules: str, orders: Mapping[str, Any], said: str) -> None:
    """AGE-ORD-01: once, where it is written, also if a whole formation has it."""
    found = faults(rules, **orders)
    assert len(found) == 1 and said in found[0], found


def test_a_saved_opening_keeps_the_orders() -> None:
    """AGE-ORD-01: what no file could say is refused there too."""
    battle = scene(a={"stance": "advance", "objective": "mill"}, b={"stance": "hold", "at": [40, 50]})
    again = opening_of(opening_data(battle))
    check_meaning(again)
    assert [again.unit(name).marks for name in "ab"] == [battle.unit(name).marks for name in "ab"]
    for marks in ({"order": "atack"}, {"order": "hold", "order_goal": "moon"}):
        with pytest.raises(ValueError, match="unit 'b'"):
            check_meaning(again.with_unit(replace(again.unit("b"), marks=marks)))


def test_the_allies_at_rossbach_are_to_march_off() -> None:
    """AGE-ORD-01: by the Merseburg road, north; the Prussians have no order yet."""
    battle = scenario("reason/rossbach")
    allied = [unit for unit in battle.units if unit.side == "allied"]
    assert {(unit.marks["order"], unit.marks["order_goal"]) for unit in allied} == {("advance", (1090.0, 1200.0))}
    assert not any("order" in unit.marks for unit in battle.units if unit.side == "prussian")
    assert "ordered to advance towards 1090,1200" in views.card(battle, battle.unit("bretlach"))
