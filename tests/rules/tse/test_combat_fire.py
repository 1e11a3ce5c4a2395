"""Fire played: who may fire how, the form filled in from the table, every outcome carried out (TSE-FIR, TSE-STS)."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.codec import event_data, event_of
from tabletop.battle.event import Placed, Removed
from tabletop.battle.unit import Unit
from tabletop.play import engine
from tabletop.rules.tse.calculator.calculator import ladder_of
from tabletop.rules.tse.turn.report import NARRATION
from tests.combat import FIELD, Fate, against, do, scene, told

FIRE_STEPS = [step.name for step in ladder_of("fire").steps]


def firer(**keys: Any) -> Unit:
    return FIELD.unit("a", **{"formation": "deployed", "front_mid": (0.0, 0.0), **keys})


def target(**keys: Any) -> Unit:
    return FIELD.unit("b", **{"side": "red", "formation": "deployed", "front_mid": (0.0, 2.5), "facing": 180, **keys})


def marked(battle: Battle, unit: str, **marks: Any) -> Battle:
    one = battle.unit(unit)
    return battle.with_unit(replace(one, marks={**one.marks, **marks}))


# --- who, and how ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formation", "deployed", "advancing"),
    [
        ("deployed", set(), {"TSE-ACT-50"}),
        ("maneuver-column", {"TSE-ACT-41"}, set()),
        ("square", {"TSE-ACT-41"}, set()),
        ("march-column", {"TSE-ACT-41", "TSE-ACT-50"}, {"TSE-ACT-50"}),
    ],
)
def test_each_way_of_firing(formation: str, deployed: set[str], advancing: set[str]) -> None:
    """TSE-ACT-40, TSE-ACT-41, TSE-ACT-50, TSE-FIR-22: lines deliver deployed fire, columns and squares advancing."""
    battle = scene(firer(formation=formation), target())
    assert against(battle, "deployed-fire", "a", "b") == deployed
    assert against(battle, "advancing-fire", "a", "b") == advancing


def test_after_its_move_a_line_delivers_advancing_fire() -> None:
    """TSE-CMB-01, TSE-ACT-50: in the turn it deploys a unit delivers advancing fire only."""
    battle = marked(scene(firer(), target()), "a", may_fire=True)
    assert against(battle, "advancing-fire", "a", "b") == set()
    assert "TSE-ACT-41" in against(battle, "deployed-fire", "a", "b")


def test_lost_orders_leave_fire() -> None:
    """TSE-CMB-05: a unit whose orders were lost may still fire; by the ruling it may not."""
    battle = marked(scene(firer(), target()), "a", lost_orders=True)
    assert against(battle, "deployed-fire", "a", "b") == set()
    strict = battle.with_ruling("lost_orders_leave_fire", False)
    assert "TSE-CMB-05" in against(strict, "deployed-fire", "a", "b")


def test_a_shot_is_the_units_action_and_not_the_targets() -> None:
    """TSE-TRN-07, TSE-FIR-19, TSE-ACT-96: who fired has acted; who was fired at has not, even driven back."""
    battle = scene(firer(), FIELD.unit("a2", at=(-12.0, -5.0)), target())
    step = do(battle, "deployed-fire", "a", "b", {"fire": "disordered and falls back"})
    assert step.battle.unit("a").marks["acted"]
    assert "acted" not in step.battle.unit("b").marks
    assert against(step.battle, "deployed-fire", "a", "b") == {"TSE-TRN-07"}


def test_a_shot_needs_no_orders() -> None:
    """TSE-ACT-51: nothing but the shot itself is drawn, and the firer faces as before."""
    battle, fate = scene(firer(formation="maneuver-column"), target()), Fate({"fire": "no effect"})
    after = do(battle, "advancing-fire", "a", "b", fate).battle
    assert [purpose for purpose, _ in fate.asked] == ["fire"]
    assert after.unit("a").bases == battle.unit("a").bases


def test_out_of_range_is_wasted() -> None:
    """TSE-FIR-09, TSE-APP-08: a shot out of range may be fired; nothing is drawn, nothing happens, it has acted."""
    battle, fate = scene(firer(), target(front_mid=(0.0, 3.2))), Fate()
    assert against(battle, "deployed-fire", "a", "b") == set()
    step = do(battle, "deployed-fire", "a", "b", fate)
    assert fate.asked == []
    assert told(step.events, "deployed-fire").values["result"] == "out of range"
    assert step.battle.unit("a").marks["acted"]
    assert step.battle.unit("b") == battle.unit("b")


def test_out_of_arc_cannot_be_declared() -> None:
    """TSE-FIR-05, TSE-FIR-09: what lies outside the arc is no target at all, in range or not."""
    battle = scene(firer(), target(front_mid=(6.5, -1.0)))
    assert "TSE-FIR-05" in against(battle, "deployed-fire", "a", "b")


# --- the form --------------------------------------------------------------------------------------------------------


def test_the_form_is_filled_in_from_the_table() -> None:
    """TSE-FIR-04, -14, -15, -21, -27, TSE-STS-09: every field of the calculator, from what stands on the table."""
    wall = FIELD.path("wall", "wall", (-6.0, 5.2), (6.0, 5.2))
    battle = scene(
        firer(troop="light-foot-artillery", bases=2),
        target(bases=4, front_mid=(0.0, 5.5), quality="poor", status="demoralized"),
        wall,
    )
    form = told(do(battle, "deployed-fire", "a", "b").events, "deployed-fire").values["form"]
    assert form == {
        "actor": "light-foot-artillery",
        "target": "poor infantry",
        "target_formation": "deployed",
        "cover": "hard",
        "range": "3-6",
        "actor_disordered": False,
        "target_disordered": True,
        "odds": "actor-badly-outnumbered",
    }


def test_the_words_go_on_record() -> None:
    """TSE-APP-09: the report has the word for the performance."""
    step = do(scene(firer(), target()), "deployed-fire", "a", "b", {"fire": "broken"})
    assert told(step.events, "deployed-fire").values["words"] == {"firing": "brilliant"}


# --- every outcome, carried out --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outcome", "status", "bases", "at"),
    [
        ("no effect", "ok", 4, 0.0),
        ("disordered", "disordered", 4, 0.0),
        ("disordered and falls back", "disordered", 4, 3.0),
        ("demoralized and falls back", "demoralized", 4, 6.0),
        ("demoralized with loss", "demoralized", 3, 6.0),
    ],
)
def test_effects_on_infantry(outcome: str, status: str, bases: int, at: float) -> None:
    """TSE-INV-01, -02, -07, -11, TSE-STS-01..05: status, bases and the way back, in formation and facing as before."""
    battle = scene(firer(), target())
    step = do(battle, "deployed-fire", "a", "b", {"fire": outcome})
    before, after = battle.unit("b"), step.battle.unit("b")
    assert (after.status, after.strength) == (status, bases)
    assert after.facing == before.facing and after.formation == before.formation
    ways = [event.path for event in step.events if isinstance(event, Placed) and event.unit == "b"]
    assert [math.dist(*way) for way in ways] == pytest.approx([at] if at else [])
    assert (after.at[1] > before.at[1]) == (at > 0.0)
    assert step.battle.unit("a").at == battle.unit("a").at
    assert step.battle.unit("a").status == "ok"


def test_every_step_of_the_ladder_was_carried_out() -> None:
    """Whoever adds an outcome to the model adds it to these tests."""
    assert FIRE_STEPS == [
        "no effect", "disordered", "disordered and falls back", "demoralized and falls back", "demoralized with loss",
        "broken",
    ]  # fmt: skip


def test_broken() -> None:
    """TSE-STS-08: a broken unit leaves the table at once and counts among the fallen."""
    step = do(scene(firer(), target()), "deployed-fire", "a", "b", {"fire": "broken"})
    assert not step.battle.has("b")
    assert [(f.unit.id, f.how, f.turn) for f in step.battle.fallen] == [("b", "broken", 1)]


@pytest.mark.parametrize(("troop", "far"), [("light-cavalry", 12.0), ("horse-artillery", 10.0), ("transport", 6.0)])
def test_how_far_others_fall_back(troop: str, far: float) -> None:
    """TSE-INV-01: cavalry and horse guns are driven farther than infantry."""
    battle = scene(firer(), target(troop=troop, bases=2, formation="maneuver-column"))
    step = do(battle, "deployed-fire", "a", "b", {"fire": "demoralized and falls back"})
    assert step.battle.unit("b").at[1] - battle.unit("b").at[1] == pytest.approx(far)


def test_status_adds_up() -> None:
    """TSE-STS-02, TSE-STS-04: disorder on disorder demoralizes; the demoralized get no worse, but are driven back."""
    twice = do(scene(firer(), target(status="disordered")), "deployed-fire", "a", "b", {"fire": "disordered"})
    assert twice.battle.unit("b").status == "demoralized"
    battle = scene(firer(), target(status="demoralized"))
    again = do(battle, "deployed-fire", "a", "b", {"fire": "disordered and falls back"})
    assert again.battle.unit("b").status == "demoralized"
    assert again.battle.unit("b").at[1] == pytest.approx(battle.unit("b").at[1] + 3.0)


@pytest.mark.parametrize(("bases", "lost_before", "left"), [(2, 0, 0), (4, 0, 3), (4, 1, 0), (6, 1, 4), (6, 2, 0)])
def test_destroyed_at_half(bases: int, lost_before: int, left: int) -> None:
    """TSE-STS-06, TSE-STS-07, TSE-STS-12, TSE-INV-15: at half of what it started with it is gone, and does not move."""
    battle = marked(scene(firer(), target(bases=bases - lost_before)), "b", started=bases)
    step = do(battle, "deployed-fire", "a", "b", {"fire": "demoralized with loss"})
    if left:
        assert step.battle.unit("b").strength == left
    else:
        assert step.battle.fallen[-1].how == "destroyed"
        assert not any(isinstance(event, Placed) and event.unit == "b" for event in step.events)


def test_surrender() -> None:
    """TSE-INV-08: where the way back is barred the unit surrenders; it counts as destroyed."""
    lake = FIELD.box("lake", "lake", (-30.0, 30.0), (5.0, 20.0))
    step = do(scene(firer(), target(), lake), "deployed-fire", "a", "b", {"fire": "demoralized and falls back"})
    assert step.battle.fallen[-1].how == "surrendered"
    assert told(step.events, "surrender").rules == ("TSE-INV-08",)


def test_driven_off_the_table() -> None:
    """TSE-INV-10: over the table's edge it is lost."""
    battle = scene(firer(front_mid=(0.0, 33.5)), target(front_mid=(0.0, 36.0)))
    battle = replace(battle, units=tuple(u for u in battle.units if u.id != "red-far1"))
    step = do(battle, "deployed-fire", "a", "b", {"fire": "demoralized and falls back"})
    assert step.battle.fallen[-1].how == "driven off"


def test_why_it_falls_back_farther_than_its_result() -> None:
    """TSE-INV-09: that it goes on past friends, how far and past whom, is on record and told."""
    front = FIELD.back(target().front_mid)[1]
    corners = [(x, front + y) for y in (4.25, 5.0, 5.75) for x in (-10.0, 0.0)]
    friends = [FIELD.line(f"friend{k}", corner, n=10, side="red") for k, corner in enumerate(corners)]
    battle = scene(firer(), target(), *friends)
    step = do(battle, "deployed-fire", "a", "b", {"fire": "demoralized and falls back"})
    event = told(step.events, "beyond")
    assert event_of(json.loads(json.dumps(event_data(event)))) == event
    assert event.rules == ("TSE-INV-09",)
    assert event.values["distance"] == 6.0
    assert event.values["spent"] > 6.0
    assert set(event.values["friends"]) <= {friend.id for friend in friends}
    assert event.values["friends"]
    assert "had to go on past" in str(NARRATION.records["beyond"](step.battle, event, event.values))


def test_generals_go_along() -> None:
    """TSE-LDR-06: a general who touches a unit driven back goes with it; one who stands apart stays."""
    with_it = FIELD.unit("g", side="red", troop="general", rank="division", at=(0.0, 3.5), **_GENERAL)
    apart = FIELD.unit("h", side="red", troop="general", rank="division", at=(8.0, 3.5), **_GENERAL)
    battle = scene(firer(), target(), with_it, apart)
    step = do(battle, "deployed-fire", "a", "b", {"fire": "demoralized and falls back"})
    assert step.battle.unit("g").at == pytest.approx((battle.unit("g").at[0], battle.unit("g").at[1] + 6.0))
    assert step.battle.unit("h").at == battle.unit("h").at


_GENERAL: dict[str, Any] = {"bases": None, "formation": None, "facing": None}


@pytest.mark.parametrize(
    ("capture", "gone"), [(False, False), (True, True), ({"red": True}, True), ({"blue": True}, False)]
)
def test_transport_may_be_captured(capture: Any, gone: bool) -> None:
    """TSE-UNI-17: where the scenario says so, of all or of one side, a defeat of transport is its capture."""
    wagons = target(troop="transport", bases=2, formation="march-column")
    battle = scene(firer(), wagons, options={"transport_capture": capture})
    step = do(battle, "deployed-fire", "a", "b", {"fire": "disordered and falls back"})
    assert any(isinstance(e, Removed) and e.how == "captured" for e in step.events) == gone
    assert do(battle, "deployed-fire", "a", "b", {"fire": "disordered"}).battle.has("b")
    shaken = battle.with_unit(replace(battle.unit("b"), status="disordered"))
    assert do(shaken, "deployed-fire", "a", "b", {"fire": "disordered"}).battle.has("b") != gone


def test_odds_are_the_resolvers_own() -> None:
    """TSE-APP-10: every outcome's probability is the one it is drawn with, and what it says is what happens."""
    battle = scene(firer(quality="elite"), target(formation="maneuver-column"))
    action = Action("deployed-fire", "blue", "a", "b")
    odds = engine.play_of(battle).odds(battle, action)
    assert odds is not None
    fate = Fate()
    engine.submit(battle, action, fate)
    assert [p for p, _ in odds.results] == pytest.approx(list(fate.chances("fire")[0]))
    for _, result in odds.results:
        after = do(battle, "deployed-fire", "a", "b", {"fire": result.text}).battle
        said = {effect for unit, effect, _ in result.effects if unit == "b"}
        assert ("removed" in said) == (not after.has("b"))
        if after.has("b"):
            assert f"status:{after.unit('b').status}" in {*said, "status:ok"}
    assert sum(f.amount for f in odds.factors) == pytest.approx(0.2 + 0.2)
    assert {f.rule for f in odds.factors} == {"TSE-UNI-07", "TSE-FIR-21"}
    assert all(f.basis == "reconstruction" for f in odds.factors)
