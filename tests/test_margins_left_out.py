"""What a search for margins leaves out changes nothing: placements it never asks about, asked of the whole answer."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import shapely

from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import bearing, heading
from tabletop.geometry.terrain import Table, Terrain
from tabletop.judge import judge
from tabletop.judge.asking import facts_of
from tabletop.judge.margin import FINENESS, SEARCH, Search
from tabletop.judge.relevance import relevant
from tabletop.judge.things import Placement, Thing, on_facing_grid, placed
from tabletop.judge.turning import LONGEST, SEARCHED_TURN, TRAVEL, Turning
from tabletop.judge.unaffected import KnownUnaffected
from tabletop.play.files.load import load_scene
from tabletop.play.files.opened import open_battle
from tabletop.rules import rule_set
from tabletop.rules.rule_set import Influence, Question, Request
from tabletop.rules.tse.tables import troops
from tools.brute_margins import settled
from tools.margin_questions import question

ROOT = Path(__file__).resolve().parents[1]
QUATRE_BRAS, STARTER = "scenarios/tse/quatre-bras.yaml", "scenarios/tse/starter.yaml"
TURNED_ASIDE = ((QUATRE_BRAS, "husson", "rogers", 5.0), (QUATRE_BRAS, "bijleveld", "lallemand", 5.0))
FALL_BACKS = (
    *TURNED_ASIDE,
    (QUATRE_BRAS, "bijlandt-left", "soye", 1.0),
    (QUATRE_BRAS, "rettberg", "jamin", 5.0),
    (STARTER, "esnault", "steiner", 6.0),
    (STARTER, "granger", "kessler-guns", 5.0),
    (STARTER, "kessler-guns", "bertin", 5.0),
)


def searching(file: str, unit: str, source: str, distance: float) -> tuple[Question, Search]:
    """Return the question and a search for the margins of a fall-back that has found out what need not be asked."""
    battle = load_scene(ROOT / file)
    asked = rule_set.find(battle.rules).question("fallback")
    request = Request("fallback", (unit,), {"from": source, "distance": distance})
    verdict = asked.answer(battle, request)
    radius = SEARCH[battle.table.unit]
    bearing_on_it = relevant(battle, asked, request, verdict, radius, SEARCHED_TURN)
    facts = facts_of(asked, verdict)
    search = Search(battle, asked, request, facts, bearing_on_it, radius, FINENESS[battle.table.unit])
    search._safe()
    return asked, search


def facts_with(asked: Question, search: Search, placement: Placement) -> dict[str, object]:
    there = placed(search.battle, (placement.body(),))
    return facts_of(asked, asked.answer(there, search.request))


@pytest.mark.parametrize(("file", "unit", "source", "distance"), FALL_BACKS)
def test_who_drives_a_unit_counts_by_his_direction_alone(file: str, unit: str, source: str, distance: float) -> None:
    """TSE-INV-03: out of the way of every way, wherever in one direction he stands the answer is the same."""
    asked, search = searching(file, unit, source, distance)
    driver = Thing(search.battle.unit(source))
    eye = next((eye for thing, eye in search.eyes.items() if thing.id == source), None)
    if eye is None:
        assert math.dist(search.battle.unit(unit).at, driver.centre) < 3.0 * search.radius + 2.0 * driver.girth
        return
    assert eye == search.battle.unit(unit).at
    rng = random.Random(unit)
    for _ in range(4):
        aside, turned = rng.uniform(-0.9, 0.9) * search.radius, rng.uniform(-30.0, 30.0)
        away = bearing(driver.centre[0] - eye[0], driver.centre[1] - eye[1])
        far = math.dist(eye, driver.centre)
        east, north = heading(away + math.degrees(math.asin(aside / far)))
        more = math.sqrt(search.radius**2 - aside**2)
        along = math.sqrt(far**2 - aside**2)
        shifts = [
            (eye[0] + length * east - driver.centre[0], eye[1] + length * north - driver.centre[1])
            for length in (along - more, along, along + more)
        ]
        near, here, beyond = (facts_with(asked, search, Placement(driver, shift, turned)) for shift in shifts)
        assert near == here == beyond


@pytest.mark.parametrize(("file", "unit", "source", "distance"), TURNED_ASIDE)
def test_what_leaves_the_way_as_it_is_turns_no_fall_back_to_the_other_side(
    file: str, unit: str, source: str, distance: float
) -> None:
    """TSE-INV-06: a way of one leg that is the same with things grown and shrunk is so with them shifted."""
    asked, search = searching(file, unit, source, distance)
    others = [thing for thing in search.relevant.things[search.relevant.asked :] if isinstance(thing.body, Unit)]
    left_out = [thing for thing in others if search.safe.upto("deviation", thing) >= 0.25 * search.radius]
    assert left_out
    rng = random.Random(source)
    for thing in left_out:
        upto = min(search.radius, search.safe.upto("deviation", thing))
        east, north = heading(rng.uniform(0.0, 360.0))
        there = Placement(thing, (upto * east, upto * north))
        assert facts_with(asked, search, there).get("deviation") == search.facts["deviation"], there.as_json()


@pytest.mark.parametrize("file", [QUATRE_BRAS, STARTER])
def test_no_march_is_cheaper_or_legal_for_a_road_or_bridge_that_is_not_there(file: str) -> None:
    """TSE-MOV-13, TSE-MOV-15, TSE-MOV-23: wherever roads and bridges lie, a column that marches is helped by them."""
    battle = load_scene(ROOT / file)
    asked, rng = rule_set.find(battle.rules).question("move"), random.Random(file)
    columns = [u for u in battle.units if not u.is_general]
    helping = [piece for piece in battle.table.terrain if piece.movement in ("road", "choke")]
    tried = 0
    while tried < 40:
        unit, far = rng.choice(columns), rng.uniform(2.0, 8.0)
        (x, y), turn = unit.front_mid, math.radians(unit.facing + rng.uniform(-60.0, 60.0))
        near = min(helping, key=lambda piece: piece.shape.distance(unit.footprint))
        end = near.shape.centroid if rng.random() < 0.5 else None
        to = (end.x, end.y) if end is not None else (x + far * math.sin(turn), y + far * math.cos(turn))
        request = Request("move", (unit.id,), {"as": "march", "path": [to]})
        out = rng.choice([(near,), tuple(helping)])
        rest = tuple(piece for piece in battle.table.terrain if piece not in out)
        without = replace(battle, table=replace(battle.table, terrain=rest))
        one, other = asked.answer(battle, request), asked.answer(without, request)
        assert one.measured["cost"] <= other.measured["cost"] + 1e-9, request
        for name, value in facts_of(asked, other).items():
            assert not value or facts_of(asked, one)[name], (name, request)
        tried += 1


def test_roads_change_nothing_of_a_march_that_fails_for_another_reason_than_its_cost() -> None:
    """TSE-MOV-01: what is within its budget and not legal is so without roads, if it is within it without them."""
    battle = load_scene(ROOT / QUATRE_BRAS)
    asked = rule_set.find(battle.rules).question("move")
    request = Request("move", ("pack",), {"as": "march", "path": [(16.19, 25.48)]})
    assert facts_of(asked, asked.answer(battle, request)) == {"holds": False, "in_budget": True}
    rng = random.Random(1)
    for piece in battle.table.terrain:
        if piece.movement == "road":
            there = Placement(Thing(piece), (rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0)))
            answer = asked.answer(placed(battle, (there.body(),)), request)
            assert facts_of(asked, answer) == {"holds": False, "in_budget": True}


@pytest.mark.parametrize("number", [3, 17, 23])
def test_who_is_no_artillery_is_supported_nowhere(number: int) -> None:
    """TSE-ASL-40: only guns are supported, wherever anything is shifted to."""
    drawn = question(number)
    battle, asked = drawn.battle, rule_set.find("tse").question(drawn.question)
    request = Request(drawn.question, drawn.args, drawn.options)
    verdict = asked.answer(battle, request)
    assert asked.influence is not None
    guns = troops()[battle.unit(drawn.args[1]).troop].family == "artillery"
    fixed = asked.influence(battle, request, verdict, 0.0).fixed
    assert guns == ("supported" not in fixed)
    target, rng = Thing(battle.unit(drawn.args[1])), random.Random(number)
    for thing in (target, *map(Thing, rng.sample(battle.units, 5))) if fixed else ():
        to = target.centre[0] - thing.centre[0], target.centre[1] - thing.centre[1]
        beside = Placement(thing, (to[0] + rng.uniform(-1.5, 1.5), to[1] + rng.uniform(-1.5, 1.5)))
        try:
            told = facts_of(asked, asked.answer(placed(battle, (beside.body(),)), request))
        except BadQuestion:
            continue
        assert not told.get("supported")


@pytest.mark.parametrize(
    "number", [6, 11, 17, 19, 20, 33, 61, 72, 88, pytest.param(93, marks=pytest.mark.sweep), 155, 182, 221]
)
def test_placements_left_out_change_no_fact(number: int) -> None:
    """What keeps off the ground an answer looks at, or off the first legal way, leaves it as it is (TSE-INV-06)."""
    search = drawn_search(number)
    rng = random.Random(number)
    others = list(search.relevant.things[search.relevant.asked :])
    left_out = tried = 0
    while tried < 60:
        thing, shift = rng.choice(others), heading(rng.uniform(0.0, 360.0))
        far = rng.uniform(0.0, 1.0) * search.radius
        there = Placement(thing, (far * shift[0], far * shift[1]), rng.choice((0.0, rng.uniform(-30.0, 30.0))))
        facts = search.unaffected(thing, there.body(), search.loose)
        tried += 1
        if not facts or left_out >= 16:
            continue
        left_out += 1
        try:
            now = facts_with(search.asked, search, there)
        except BadQuestion:
            continue
        assert {name: now.get(name) for name in facts} == {name: search.facts[name] for name in facts}, there.as_json()
    assert left_out


SETTLED: tuple[tuple[str, str, tuple[str, ...], dict[str, object]], ...] = (
    (QUATRE_BRAS, "move", ("brunswick-light",), {"path": [(17.09, 17.18)], "as": "maneuver"}),
    (QUATRE_BRAS, "move", ("bauduin",), {"path": [(13.42, 19.78)], "as": "maneuver"}),
    (STARTER, "move", ("carrel",), {"path": [(16.97, 10.35)], "as": "maneuver"}),
    (QUATRE_BRAS, "assault", ("hubert", "bijlandt"), {}),
)
DEAR = pytest.param(QUATRE_BRAS, "assault", ("van-merlen", "gauthier"), {}, marks=pytest.mark.sweep)


@pytest.mark.parametrize(("file", "kind", "args", "options"), [*SETTLED, DEAR])
def test_a_piece_whose_place_settles_nothing_is_tried_and_not_asked_about(
    file: str, kind: str, args: tuple[str, ...], options: dict[str, object]
) -> None:
    """TSE-MOV-01, TSE-MOV-08, TSE-ASL-05: where the price decides and no place of an obstacle or a bridge turns it."""
    battle = load_scene(ROOT / file)
    asked, request = rule_set.find(battle.rules).question(kind), Request(kind, args, options)
    verdict, radius = asked.answer(battle, request), SEARCH[battle.table.unit]
    bearing_on_it = relevant(battle, asked, request, verdict, radius, SEARCHED_TURN)
    search = Search(
        battle, asked, request, facts_of(asked, verdict), bearing_on_it, radius, FINENESS[battle.table.unit]
    )
    unaffected, rng, seen = search._unaffected, random.Random(args[0]), 0
    assert unaffected is not None
    for thing in bearing_on_it.things[bearing_on_it.asked :]:
        facts = [name for name in search.loose if unaffected._is_settled(name, thing)]
        for _ in range(6 if facts else 0):
            far, way = radius * rng.random(), heading(rng.uniform(0.0, 360.0))
            turn = rng.choice((0.0, rng.uniform(-SEARCHED_TURN, SEARCHED_TURN)))
            there = Placement(thing, (far * way[0], far * way[1]), turn)
            before = search.asked_times
            assert not search.changed(there, facts) and search.asked_times == before + 1
            now = facts_with(asked, search, there)
            assert {name: now.get(name) for name in facts} == {name: search.facts[name] for name in facts}
            seen += 1
    assert seen


@pytest.mark.parametrize("number", [23, pytest.param(65, marks=pytest.mark.sweep), 172, 255, 298])
def test_what_cannot_bear_on_a_fact_does_not_wherever_it_is_moved(number: int) -> None:
    """TSE-ASL-07, TSE-ASL-70, TSE-MOV-17: what units alone forbid no shift of terrain allows, nor of another unit."""
    search, rng = drawn_search(number), random.Random(number)
    others, seen = search.relevant.things[search.relevant.asked :], 0
    for thing in others:
        facts = [name for name in search.loose if search.relevant.clear(name, thing) == math.inf]
        for _ in range(4 if facts else 0):
            far, way = search.radius * rng.random(), heading(rng.uniform(0.0, 360.0))
            turn = rng.choice((0.0, rng.uniform(-SEARCHED_TURN, SEARCHED_TURN)))
            there = Placement(thing, (far * way[0], far * way[1]), turn)
            now = facts_with(search.asked, search, there)
            assert {name: now.get(name) for name in facts} == {name: search.facts[name] for name in facts}
            seen += 1
    assert seen


def test_terrain_may_let_guns_be_assaulted_that_are_supported() -> None:
    """TSE-ASL-42: so what bars an assault on bare ground is asked about with terrain, where infantry supports guns."""
    battle = open_battle("supported-battery")
    request = Request("assault", ("column", "guns"))
    asked = rule_set.find("tse").question("assault")
    verdict = asked.answer(battle, request)
    assert asked.influence is not None and any(reason.rule == "TSE-ASL-40" for reason in verdict.against)
    assert "holds" not in asked.influence(battle, request, verdict, 0.0).facts


@pytest.mark.parametrize(("hill", "unaffected"), [((0.0, 0.0), True), ((0.0, -3.0), False)])
def test_a_hill_is_left_out_unless_a_wood_stands_on_it(hill: tuple[float, float], unaffected: bool) -> None:
    """TSE-LOS-15: a wood is as high as the ground it stands on."""
    ground = shapely.box(0.0, 0.0, 4.0, 1.0)
    height = Terrain.of_kind("hill", "hill", outline=[(10, 10), (14, 10), (14, 14), (10, 14)], level=1)
    wood = Terrain.of_kind("wood", "woods", outline=[(11, 8), (13, 8), (13, 9), (11, 9)])
    table = Table.of("in", 20, 20, [height, wood])
    known = KnownUnaffected(Influence(ground, ground), table.terrain, lambda fact, thing: False)
    moved = table.piece("hill").moved(*hill)
    assert known.is_unaffected("holds", Thing(table.piece("hill")), moved) == unaffected


def test_what_comes_into_the_way_is_asked_about() -> None:
    """TSE-INV-06: a thing put into the first legal way is not left out, nor one that it is turned aside by."""
    for number in (6, 33):
        search = drawn_search(number)
        lone = search.relevant.home.lone["deviation"] if search.relevant.home else None
        assert lone is not None
        units = [thing for thing in search.relevant.things[search.relevant.asked :] if thing.is_unit]
        x, y = lone.centroid.x, lone.centroid.y
        for thing in units:
            shift = (x - thing.centre[0], y - thing.centre[1])
            assert "deviation" not in search.unaffected(thing, Placement(thing, shift).body(), ["deviation"])


@pytest.mark.parametrize("number", [6, 11, 39, 45, 88, 93, 102, 205])
def test_turns_that_no_step_holds_change_no_fact(number: int) -> None:
    """Whatever turn of whatever thing is in none of the steps that are tried, the answer is the same."""
    search = drawn_search(number)
    search._safe()
    things = [thing for thing in search.relevant.things if thing.turns]
    turning = Turning(search, things, search.safe, search.radius, lambda: math.inf)
    steps = list(turning._steps())
    rng, left_out = random.Random(number), 0
    for _ in range(80):
        thing, turn = rng.choice(things), on_facing_grid(rng.uniform(-SEARCHED_TURN, SEARCHED_TURN))
        mine = [s for s in steps if s.thing is thing and s.sign * turn > 0.0 and s.low <= abs(turn) <= s.high]
        facts = [name for name in search.loose if not any(name in step.facts for step in mine)]
        if facts and turn and left_out < 16:
            left_out += 1
            now = facts_with(search.asked, search, Placement(thing, turn=turn))
            assert {name: now.get(name) for name in facts} == {name: search.facts[name] for name in facts}, turn
    assert left_out


def test_steps_of_turns_are_short_and_made_longer_only_where_they_cost_too_much() -> None:
    """No point of a thing goes farther in a step than a twentieth of the search, if all of them can be afforded."""
    search = drawn_search(102)
    search._safe()
    things = [thing for thing in search.relevant.things if thing.turns]
    for afforded in (math.inf, 100.0):
        turning = Turning(search, things, search.safe, search.radius, partial(float, afforded))
        steps = list(turning._steps())
        short = all(s.thing.stir(s.high - s.low) <= TRAVEL * search.radius and s.high - s.low <= LONGEST for s in steps)
        assert short == (afforded == math.inf) and 0 < len(steps) <= afforded
        assert max(step.high for step in steps) == SEARCHED_TURN


def test_a_turn_that_changes_the_answer_for_a_moment_is_found_or_its_step_is_named() -> None:
    """TSE-INV-06: the brook bars the straight way at 19 1/4 degrees, and at 19 and 19 1/2 it does not."""
    drawn = question(102)
    verdict = judge(drawn.battle, drawn.question, drawn.args, drawn.options)
    turn = verdict.attributes["deviation"].turn
    assert turn is not None and 19.0 < turn <= 19.25
    assert (
        verdict.searched is not None and verdict.searched.turn == SEARCHED_TURN and 0.0 < verdict.searched.step <= 2.0
    )
    said = verdict.as_json()["searched"]
    assert said["step"] == verdict.searched.step and said["apart"] == pytest.approx(verdict.searched.apart, abs=1e-6)


def drawn_search(number: int) -> Search:
    """Return a search for the margins of a numbered question, before anything is asked."""
    drawn = question(number)
    battle, rules = drawn.battle, rule_set.find(drawn.battle.rules)
    asked = rules.question(drawn.question)
    request = Request(drawn.question, drawn.args, drawn.options)
    verdict = asked.answer(battle, request)
    if "to" in drawn.options:
        request = Request(drawn.question, drawn.args, settled(drawn.options, verdict))
        verdict = asked.answer(battle, request)
    radius = SEARCH[battle.table.unit] * battle.scale
    bearing_on_it = relevant(battle, asked, request, verdict, radius, SEARCHED_TURN)
    fine = FINENESS[battle.table.unit] * battle.scale
    return Search(battle, asked, request, facts_of(asked, verdict), bearing_on_it, radius, fine)
