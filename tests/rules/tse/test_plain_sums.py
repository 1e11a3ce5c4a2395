"""Sums and shares of the rules worked out once more by hand: army forms, allowances, random ways, lengths left."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from tabletop.battle.action import Action
from tabletop.battle.progress import Arrival, Clock, Fallen
from tabletop.errors import BadQuestion
from tabletop.geometry.sight.law import SightLaw, clear_lines
from tabletop.geometry.sight.line import Hindrance
from tabletop.geometry.terrain import Table, Terrain
from tabletop.geometry.verdict import rounded
from tabletop.judge import ask
from tabletop.play import engine
from tabletop.rules.tse.assault import calculator_form
from tabletop.rules.tse.calculator.calculator import assault_facts
from tabletop.rules.tse.calculator.model import word
from tabletop.rules.tse.calculator.model_data import model as whole
from tabletop.rules.tse.computer import random_action
from tabletop.rules.tse.computer.suggest import marching, regrouping, toward
from tabletop.rules.tse.morale import army_morale
from tabletop.rules.tse.morale.fall_back_budget import Spending
from tabletop.rules.tse.movement.motion import ACTIONS, allowance
from tabletop.rules.tse.sight.judge import hindrance_reason
from tabletop.rules.tse.tables import base_move, tables
from tabletop.rules.tse.turn import sequence
from tabletop.rules.tse.turn.action_options import check_options
from tabletop.rules.tse.turn.adjustments import adjustments
from tests.playing import FIELD, general, scene, unit

STEP = 1.0 / 1024.0
HORSE: dict[str, Any] = {"troop": "heavy-cavalry", "front": 2}


def red(id: str = "e", **keys: Any) -> Any:  # noqa: A002
    return unit(id, **{"side": "red", "at": (0.0, 10.0), "facing": 180, "parent": "rd", **keys})


# --- armies -----------------------------------------------------------------------------------------------------------


def test_an_army_counts_its_own_troops_fallen_here_and_to_come() -> None:
    """TSE-MOR-01, TSE-UNI-01: no generals, nobody of the other side."""
    battle = scene(
        unit(status="demoralized"),
        unit("b", at=(5.0, 0.0)),
        general(),
        red(status="demoralized"),
        red("f", at=(5.0, 10.0), status="demoralized"),
        general("rg", (0.0, 20.0), "red"),
        setup={"arrivals": (Arrival(("late", "lead", "r-late"), 2, (40.0, 0.0), 0.0),)},
    )
    late = (unit("late"), general("lead"), red("r-late"))
    fallen = (Fallen(unit("x"), "destroyed", 1), Fallen(general("y"), "killed", 1), Fallen(red("z"), "destroyed", 1))
    battle = replace(battle, awaited=late, fallen=fallen)
    blue = {"destroyed": 1, "demoralized_units": 1, "units": 4, "senior_lost": False}
    assert army_morale.state(battle, "blue") == blue
    assert army_morale.state(battle, "red") == {
        "destroyed": 1,
        "demoralized_units": 2,
        "units": 4,
        "senior_lost": False,
    }


@pytest.mark.parametrize(("left", "lost"), [(("army", "division"), False), (("division", "corps"), False), ((), True)])
def test_the_highest_general_left_stands_in_for_the_fallen(left: tuple[str, ...], lost: bool) -> None:
    """TSE-LDR-09, TSE-MOR-06: whoever else is left, and whoever else fell."""
    others = [general(rank, (0.0, 12.0 + 2.0 * k), "red", rank) for k, rank in enumerate(left)]
    battle = scene(unit(), red(at=(0.0, 20.0)), *others)
    fallen = tuple(Fallen(general(f"f{rank}", (0.0, 10.0), "red", rank), "killed", 1) for rank in ("corps", "division"))
    assert army_morale.senior_lost(replace(battle, fallen=fallen), "red") == lost


@pytest.mark.parametrize(("shaken", "due"), [(1, False), (2, True), (3, True)])
def test_a_check_is_due_from_half_on(shaken: int, due: bool) -> None:
    """TSE-MOR-01, TSE-MOR-03: of four brigades; once a turn, and only when one more was lost in it."""
    troops = [unit(f"u{k}", at=(5.0 * k, 0.0), status="demoralized" if k < shaken else "ok") for k in range(4)]
    battle = scene(*troops)
    lost = replace(battle, memory={army_morale.SHAKEN + "blue": True})
    assert army_morale.due(lost, "blue") == due
    assert not army_morale.due(battle, "blue")
    assert not army_morale.due(replace(lost, memory={**lost.memory, army_morale.CHECKED + "blue": True}), "blue")


def test_a_performance_has_the_word_its_draw_falls_in() -> None:
    """TSE-APP-09: from where its band begins to just short of the next."""
    rows = whole().words
    for row, after in pairwise((*rows, None)):
        assert row is not None
        end = 1.0 if after is None else after.start
        assert word(row.start) == word((row.start + end) / 2) == word(math.nextafter(end, 0.0)) == row.word


@pytest.mark.parametrize(("bases", "keys"), [(1, {"facing"}), (2, {"ref", "place", "bend", "facing"})])
def test_what_of_a_line_can_be_set(bases: int, keys: set[str]) -> None:
    """TSE-ACT-11, TSE-FRM-11: one base bends nowhere, and is itself the reference base."""
    guns = unit(troop="heavy-foot-artillery", bases=bases, formation="deployed")
    found = adjustments(scene(guns), Action("adjust", "blue", "a"))
    shaped = found or adjustments(scene(guns), Action("deploy", "blue", "a"))
    assert {one.option for one in shaped} - {"shift"} == keys


# --- moves ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("troops", ["infantry", "light-cavalry", "heavy-cavalry", "heavy-foot-artillery", "transport"])
@pytest.mark.parametrize("kind", ["maneuver", "march"])
@pytest.mark.parametrize("flat", [False, True])
def test_base_moves_as_the_table_has_them(troops: str, kind: str, flat: bool) -> None:
    """TSE-ACT-20, TSE-ACT-80: by quality, or flat by the ruling."""
    own = unit(troop=troops, front=2) if "cavalry" in troops else unit(troop=troops, bases=2)
    battle = FIELD.battle(own, flat_maneuver=flat)
    expected = base_move(own.troop, own.quality, kind)
    level = tables()["flat_maneuver"].get(troops)
    if flat and kind == "maneuver" and level is not None:
        expected = float(level)
    assert allowance(battle, own, ACTIONS[kind]) == expected


def test_no_such_move_is_refused() -> None:
    with pytest.raises(BadQuestion, match="no move as general"):
        allowance(FIELD.battle(unit()), unit(), ACTIONS["general"])
    with pytest.raises(BadQuestion, match="no move as maneuver"):
        allowance(FIELD.battle(general()), general(), ACTIONS["maneuver"])


def test_a_way_drawn_at_random_is_no_longer_than_it_may_be() -> None:
    """One or two legs, bent by no more than 60 degrees."""
    battle = scene(unit(), red())
    own, bends, ways = battle.unit("a"), 0, set()
    for seed in range(200):
        way = random_action._some_way(battle, own, 6.0, Random(seed))
        points = [own.at, *way]
        legs = [(q[0] - p[0], q[1] - p[1]) for p, q in pairwise(points)]
        assert sum(math.hypot(*leg) for leg in legs) <= 6.0 + 1e-9
        ways.add(len(way))
        if len(legs) == 2 and min(math.hypot(*leg) for leg in legs) > 1e-6:
            one, other = (math.degrees(math.atan2(*leg)) for leg in legs)
            assert abs((other - one + 180.0) % 360.0 - 180.0) <= 60.0 + 1e-6
            bends += 1
    assert ways == {1, 2}
    assert bends > 40


@pytest.mark.parametrize(
    ("things", "left"),
    [
        ([], 4.0),
        ([FIELD.box("wood", "woods", (-3.0, 3.0), (-4.0, -1.0))], 2.0),
        ([FIELD.path("hedge", "hedge", (-3.0, -2.0), (3.0, -2.0))], 3.5),
        ([FIELD.path(f"h{k}", "hedge", (-3.0, -1.0 - 0.5 * k), (3.0, -1.0 - 0.5 * k)) for k in range(9)], 0.0),
    ],
)
def test_what_a_fall_back_carries_anywhere(things: list[Terrain], left: float) -> None:
    """TSE-INV-01, TSE-MOV-06, TSE-MOV-08: all of it rough, every obstacle near crossed; never less than nothing."""
    battle = FIELD.battle(unit(), *things)
    spending = Spending.of(battle, battle.unit("a"), 4.0, "rear")
    assert spending.shortest(()) == pytest.approx(left)
    assert spending.left(((0.0, -1.0),)) == pytest.approx(4.0 - spending.cost(((0.0, 0.0), (0.0, -1.0))))
    assert spending.left(((0.0, -9.0),)) == 0.0


@pytest.mark.parametrize(("more", "may"), [(0.0, True), (8 * STEP, False)])
def test_a_breakthrough_goes_as_far_as_is_left(more: float, may: bool) -> None:
    """TSE-ASL-70."""
    battle = scene(unit(**HORSE), red(at=(0.0, 4.0)))
    own, foe = battle.unit("a"), battle.unit("e")
    gap = foe.bounds[1] - own.bounds[3] + more
    found = calculator_form.breakthrough_of(battle, "a", "e", gap - 2.0 * more)
    assert (found is not None) == may
    if found is not None:
        assert found.cost == pytest.approx(gap)


def test_a_breakthrough_through_what_forbids_an_assault_is_none() -> None:
    """TSE-ASL-71: a friend or a lake in the way."""
    lake = FIELD.box("lake", "lake", (-3.0, 3.0), (2.0, 2.5))
    open_, wet = (scene(unit(**HORSE), red(at=(0.0, 4.0)), *things) for things in ((), (lake,)))
    assert calculator_form.breakthrough_of(open_, "a", "e", 6.0) is not None
    assert calculator_form.breakthrough_of(wet, "a", "e", 6.0) is None


# --- suggestions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("point", "bearing"), [((0.0, 9.0), 0.0), ((9.0, 0.0), 90.0), ((0.0, -9.0), 180.0)])
def test_toward_a_point(point: tuple[float, float], bearing: float) -> None:
    own = unit(facing=30.0)
    x, y = FIELD.put(point)
    assert toward(own, (x, y)) == bearing
    assert toward(own, own.at) == 30.0


def test_regrouping_is_thought_of_as_it_stands_and_towards_the_enemy() -> None:
    """TSE-REG-01, TSE-REG-03."""
    alone = scene(unit(status="disordered"))
    assert [a.options for a in regrouping(alone, alone.unit("a"))] == [{}]
    met = scene(unit(status="disordered"), red(at=(10.0, 0.0)))
    as_is, turned, in_line = regrouping(met, met.unit("a"))
    assert as_is.options == {}
    assert dict(turned.options) == {"formation": "deployed", "facing": 90.0}
    assert dict(in_line.options) == {"formation": "deployed", "facing": met.unit("a").facing}


def test_a_march_is_thought_of_straight_and_to_both_sides() -> None:
    """TSE-ACT-80."""
    battle = scene(unit(formation="march-column"), red(at=(0.0, 38.0)))
    found = [action.options["path"][-1] for action in marching(battle, battle.unit("a"))]
    bearings = [math.degrees(math.atan2(x - 40.0, y - 40.0)) for x, y in found]
    assert bearings == pytest.approx([0.0, -30.0, 30.0], abs=2.0)


# --- sight ------------------------------------------------------------------------------------------------------------


def test_stretches_that_meet_in_points_are_one() -> None:
    """TSE-LOS-11, by the ruling that thin woods are seen through: a line along the tips of two notches."""
    law = SightLaw(thin_wood_transparent=True)

    def clear(*tips: float) -> bool:
        notches = [p for x in sorted(tips, reverse=True) for p in ((x + 0.5, 12.0), (x, 10.0), (x - 0.5, 12.0))]
        outline = [(2.0, 8.0), (10.0, 8.0), (10.0, 12.0), *notches, (2.0, 12.0)]
        table = Table.of("in", 20, 20, [Terrain.of_kind("wood", "woods", outline=outline)])
        return bool(clear_lines(table, [(1.0, 10.0)], [(15.0, 10.0)], law)[0])

    assert not clear()
    assert not clear(4.75, 7.5)
    assert not clear(4.0, 6.0, 8.0)


# --- plain data -------------------------------------------------------------------------------------------------------


def test_numbers_are_rounded_wherever_they_stand_and_words_are_left() -> None:
    told = {"a": 1.23456789, "b": ["word", (2.00000049, None)], "c": {"d": True, "e": "other", "f": 7}}
    assert rounded(told) == {"a": 1.234568, "b": ["word", [2.0, None]], "c": {"d": True, "e": "other", "f": 7}}
    assert rounded("word") == "word"


def test_nothing_may_be_fired_at_by_who_may_not_fire() -> None:
    """TSE-FIR-22, asked briefly too: every condition counts, not just some."""
    battle = FIELD.battle(unit(status="demoralized"), red(at=(0.0, 3.0)))
    assert not ask(battle, "fire", ["a", "e"]).holds
    fit = FIELD.battle(unit(), red(at=(0.0, 3.0)))
    assert ask(fit, "fire", ["a", "e"]).holds
    assert Action("fire", "blue", "a", "e").target == "e"


def test_the_bearing_to_what_lies_in_an_arc() -> None:
    """TSE-FIR-05: of the nearest part, from the middle of the front; none of what lies outside."""
    ahead, behind = FIELD.battle(unit(), red(at=(2.0, 4.0))), FIELD.battle(unit(), red(at=(0.0, -6.0)))
    found = ask(ahead, "arc", ["a", "e"])
    assert found.holds
    x, y = ahead.unit("a").front_mid
    assert found.witness is not None
    (start, (u, v)) = found.witness
    assert start == pytest.approx((x, y))
    assert found.measured["bearing"] == pytest.approx(math.degrees(math.atan2(u - x, v - y)))
    missed = ask(behind, "arc", ["a", "e"])
    assert not missed.holds
    assert missed.measured["bearing"] is None
    assert missed.witness is None


@pytest.mark.parametrize(
    ("disordered", "demoralized", "told"), [(0, 0, False), (1, 0, True), (0, 1, True), (1, 1, True)]
)
def test_the_demoralized_count_as_disordered_in_an_assault(disordered: int, demoralized: int, told: bool) -> None:
    """TSE-ASL-12."""
    shaken = {"target_disordered": bool(disordered), "target_demoralized": bool(demoralized)}
    form = {"actor": "average infantry", "target": "average infantry", "target_formation": "deployed", "cover": "none"}
    usual = {"actor_disordered": False, "odds": "1:1", "frontal": False, "countercharge": False, "supported": False}
    facts = assault_facts({**form, **usual, **shaken})
    assert facts["target_disordered"] is told
    assert facts["target_demoralized"] is bool(demoralized)


@pytest.mark.parametrize(("option", "good", "bad"), [("bend", [0, 12.5], [0, "a"]), ("path", [[1, 2]], [[1, "b"]])])
def test_lists_of_numbers_and_points(option: str, good: list[Any], bad: list[Any]) -> None:
    """TSE-FRM-11: every one of them a number, and a list at all."""
    check_options(Action("deploy", "blue", "a", options={option: good}))
    check_options(Action("deploy", "blue", "a", options={option: tuple(map(tuple, good)) if option == "path" else ()}))
    for wrong in (bad, 3.0, "word"):
        with pytest.raises(BadQuestion, match=option):
            check_options(Action("deploy", "blue", "a", options={option: wrong}))


@pytest.mark.parametrize("left", [True, False])
def test_who_is_left_to_act_is_said(left: bool) -> None:
    """TSE-TRN-05."""
    battle = scene(unit(), general())
    battle = replace(battle, clock=Clock(1, sequence.CHOOSING, "blue", None))
    group = sequence.groups(battle)[0] if left else "strangers"
    verdict = engine.judge(battle, Action("choose", "blue", options={"group": group}))
    told = next(reason for reason in verdict.because if reason.rule == "TSE-TRN-05")
    assert told.holds == left
    assert told.text == f"{'somebody' if left else 'nobody'} of '{group}' is left to act"


@pytest.mark.parametrize(
    ("shadow", "kind", "words", "measured"),
    [
        (None, "tall", "both ends overlook wood", None),
        ((1.0, 2.0), "tall", "the lower end lies 4.00 in behind wood, beyond its shadow of 2.00 in", 4.0),
    ],
)
def test_what_does_not_hinder_a_line_says_why(
    shadow: tuple[float, float] | None, kind: str, words: str, measured: float | None
) -> None:
    """TSE-LOS-06, TSE-LOS-15."""
    met = Hindrance("TSE-LOS-06", "wood", ("wood",), (1.0, 2.0), 0, 4.0, 2.0, False, 0.0, 2.0, shadow, kind)
    reason = hindrance_reason(met)
    assert reason.holds
    assert (reason.text, reason.measured) == (words, measured)
