"""Margins are true: what is named turns the answer, brute force finds nothing smaller, what is left out is nothing."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import pytest

from benchmarks.margins import drawn, put
from tabletop.battle.battle import Battle
from tabletop.geometry.verdict import Margin, Verdict
from tabletop.judge import certainty, judge, margin
from tabletop.judge.relevance import relevant
from tabletop.judge.things import Placement, things_of
from tabletop.play.files.load import load_scene, load_scene_data
from tabletop.rules import rule_set
from tabletop.rules.rule_set import Request
from tools.brute_margins import Asked, Brute, liars, settled
from tools.margin_questions import question

ROOT = Path(__file__).resolve().parents[1]
BATTLES = ("scenarios/tse/quatre-bras.yaml", "scenarios/tse/starter.yaml")


def scene(units: list[dict[str, Any]], terrain: list[dict[str, Any]] | None = None, **rulings: Any) -> Battle:
    table = {"unit": "in", "width": 36, "height": 36}
    head = {"format": "tabletop-scene/1", "title": "Margins", "rules": "tse", "rulings": rulings, "table": table}
    return load_scene_data({**head, "terrain": terrain or [], "units": units})


def foot(name: str, at: tuple[float, float], side: str = "red", facing: float = 0.0, **more: Any) -> dict[str, Any]:
    row = {"troop": "infantry", "bases": 4, "formation": "maneuver-column", "front": 2, "facing": facing}
    return {"id": name, "side": side, "at": list(at), **row, **more}


def guns(name: str, at: tuple[float, float], side: str = "red", facing: float = 0.0, **more: Any) -> dict[str, Any]:
    row = {"troop": "light-foot-artillery", "bases": 1, "formation": "deployed", "facing": facing}
    return {"id": name, "side": side, "at": list(at), **row, **more}


def box(name: str, kind: str, west: float, south: float, east: float, north: float, **more: Any) -> dict[str, Any]:
    return {"id": name, "kind": kind, "outline": [[west, south], [east, south], [east, north], [west, north]], **more}


# --- the thing that turns it, by hand --------------------------------------------------------------------------------


#: A lone gun one inch wide fires along a lane; friends ahead at either side leave lines 0.5 from each.
LANE = scene(
    [
        guns("gun", (18, 10)),
        guns("target", (18, 17), "blue", 180),
        guns("left", (16.98, 13)),
        guns("right", (19.02, 13)),
    ]
)


@pytest.fixture(scope="module", params=["few", pytest.param("all", marks=pytest.mark.sweep)])
def along_the_lane(request: pytest.FixtureRequest) -> Verdict:
    """The shot along the lane, judged once, with a stated error, by few placements, and in the sweeps by all."""
    with pytest.MonkeyPatch.context() as patched:
        if request.param == "few":
            patched.setattr(margin, "AFFORDED", 1500)
            patched.setattr(margin, "TURNS_AFFORDED", 400)
        patched.setattr(certainty, "PLACEMENTS", 60)
        return judge(LANE, "fire", ["gun", "target"], {"error": (0.125, 2.0)})


def test_a_friend_beside_the_line_of_fire_is_the_thing_that_turns_it(along_the_lane: Verdict) -> None:
    """TSE-FIR-10: the only line keeps 0.52 clear of a friend on either hand: 0.02 in and it is barred."""
    verdict = along_the_lane
    assert verdict.holds and verdict.closeness is not None and verdict.closeness.shifted is not None
    assert verdict.margin == pytest.approx(0.045, abs=0.02)
    assert verdict.closeness.shifted.id in ("left", "right")
    assert verdict.too_close is True
    assert not liars(Asked(LANE, "fire", ("gun", "target"), {}), verdict)


def test_an_assault_on_the_ray_is_frontal_by_a_hair_and_too_close() -> None:
    """TSE-ASL-08: exactly on the 45-degree ray frontal and flank are a hundredth apart."""
    # the target's right front corner stands at (19, 10.75), the middle of the assaulter's front at (21.47, 13.22)
    battle = scene([foot("a", (22, 13.75), facing=225), foot("b", (18, 10), "blue")])
    verdict = judge(battle, "assault", ["a", "b"])
    frontal = verdict.attributes["frontal"]
    assert verdict.holds and verdict.too_close is True
    assert frontal.shift is not None and frontal.shift < 1 / 16
    assert frontal.shifted is not None and frontal.shifted.id in ("a", "b")
    assert not liars(Asked(battle, "assault", ("a", "b"), {}), verdict)


def test_the_band_has_a_margin_of_its_own() -> None:
    """TSE-FIR-04: in range by three inches, but 0.1 in under the break-point of 6."""
    battle = scene([guns("gun", (18, 10)), guns("target", (18, 16.9), "blue", 180)])
    verdict = judge(battle, "fire", ["gun", "target"])
    assert verdict.holds and verdict.margin is None
    band = verdict.attributes["band"]
    assert band.value == "3-6"
    assert band.shift == pytest.approx(0.105, abs=0.01)
    assert verdict.too_close is False
    near = judge(battle, "fire", ["gun", "target"], {"tape": 0.2})
    assert near.too_close is True, "any fact that matters counts"


def test_a_shot_that_these_troops_may_not_fire_tells_how_close_band_and_cover_are() -> None:
    """TSE-ACT-91, TSE-FIR-04: no shift makes it legal; which band it would be in is in dispute all the same."""
    battle = scene([guns("gun", (18, 10), status="demoralized"), guns("target", (18, 16.9), "blue", 180)])
    verdict = judge(battle, "fire", ["gun", "target"], {"tape": 0.2})
    assert not verdict.holds and verdict.margin is None and verdict.margin_turn is None
    assert {name: margin.value for name, margin in verdict.attributes.items()} == {"band": "3-6", "cover": "none"}
    assert verdict.attributes["band"].shift == pytest.approx(0.105, abs=0.01)
    assert verdict.too_close is False, "whatever the band, the answer is no"
    assert not liars(Asked(battle, "fire", ("gun", "target"), {}), verdict)


def test_an_assault_far_out_of_reach_tells_how_close_it_is_to_frontal() -> None:
    """TSE-ASL-05, TSE-ASL-08: on the ray to the corner, but six inches short."""
    battle = scene([foot("a", (26, 17.75), facing=225), foot("b", (18, 10), "blue")])
    verdict = judge(battle, "assault", ["a", "b"])
    assert not verdict.holds and verdict.margin is None and verdict.too_close is False
    values = {name: margin.value for name, margin in verdict.attributes.items()}
    assert values == {"frontal": True, "cover": "none", "supported": False, "in_reach": False}
    frontal, in_reach = verdict.attributes["frontal"], verdict.attributes["in_reach"]
    assert frontal.shift is not None and frontal.shift < 1 / 16 and frontal.turn is not None
    assert in_reach.shift is None and in_reach.turn is None, "no shift brings it into reach"
    assert not liars(Asked(battle, "assault", ("a", "b"), {}), verdict)


def test_a_move_far_over_its_budget_says_so_of_its_cost() -> None:
    """TSE-MOV-01."""
    battle = scene([foot("a", (20, 10))])
    verdict = judge(battle, "move", ["a"], {"path": [(20, 22)]})
    assert not verdict.holds and verdict.margin is None
    assert {name: margin.value for name, margin in verdict.attributes.items()} == {"in_budget": False}
    assert verdict.attributes["in_budget"] == Margin(False)


@pytest.mark.parametrize(("number", "fact"), [(4, None), (9, "band"), (14, "frontal"), (34, "frontal"), (129, "band")])
def test_answers_in_the_other_rules_carry_what_is_disputed_in_them(number: int, fact: str | None) -> None:
    """ROC-ART-04, ROC-CBT-05: the band of a shot and the zone of an attack, be the answer yes or no."""
    put_ = question(number)
    verdict = judge(put_.battle, put_.question, put_.args, put_.options)
    assert list(verdict.attributes) == ([] if fact is None else [fact])
    assert not liars(Asked(put_.battle, put_.question, put_.args, put_.options), verdict)


def test_a_rotation_has_a_margin_of_its_own() -> None:
    """TSE-FIR-05: the target stands just inside the arc's edge."""
    battle = scene([guns("gun", (10, 10)), guns("target", (15.4, 14.5), "blue", 180)])
    verdict = judge(battle, "arc", ["gun", "target"])
    assert verdict.holds and verdict.margin_turn is not None
    assert not liars(Asked(battle, "arc", ("gun", "target"), {}), verdict)
    entry = verdict.as_json()
    assert set(entry["turned_by"]) == {"id", "shift"} and entry["margin_turn"] == pytest.approx(verdict.margin_turn)


def test_without_a_margin_the_fields_are_null() -> None:
    battle = scene([guns("gun", (18, 10)), guns("target", (18, 16.9), "blue", 180)])
    entry = judge(battle, "fire", ["gun", "target"], {"margin": False}).as_json()
    assert [entry[key] for key in ("margin", "margin_turn", "turned_by", "attributes", "too_close")] == [None] * 5


def test_what_is_named_can_be_written_into_a_file() -> None:
    """Shifts stand on the grid of 1/1024 that files are read on, turns on that of 1/64 of a degree."""
    battle = scene([guns("gun", (10, 10)), guns("target", (15.4, 14.5), "blue", 180)])
    verdict = judge(battle, "arc", ["gun", "target"])
    assert verdict.closeness is not None
    shifted, turned = verdict.closeness.shifted, verdict.closeness.turned
    assert shifted is not None and shifted.shift is not None and turned is not None and turned.turn is not None
    assert all((length * 1024).is_integer() for length in shifted.shift) and (turned.turn * 64).is_integer()


# --- brute force -----------------------------------------------------------------------------------------------------

HILL = box("hill", "hill", 17, 13, 18.9, 14, level=1)
WOOD, WALL = box("wood", "woods", 15, 13, 17.6, 15), {"id": "wall", "kind": "wall", "line": [[17, 17.2], [20, 17.2]]}
STREAM = {"id": "stream", "kind": "stream", "line": [[18.5, 11.8], [26, 11]]}
SMALL: dict[str, tuple[Battle, str, tuple[str, ...], dict[str, Any]]] = {
    "a wood that hides": (
        scene([guns("a", (14, 10)), guns("b", (16.5, 18), "blue", 180)], [WOOD]),
        "los",
        ("a", "b"),
        {},
    ),
    "a hill that hides": (
        scene(
            [guns("a", (18, 10)), guns("b", (18, 18), "blue", 180)], [box("hill", "hill", 17, 13, 18.9, 14, level=1)]
        ),
        "los",
        ("a", "b"),
        {},
    ),
    "fire past a friend at a wall": (
        scene([guns("a", (18, 10)), guns("b", (18.3, 18), "blue", 180), guns("c", (16.8, 14))], [WALL]),
        "fire",
        ("a", "b"),
        {},
    ),
    "a general": (
        scene(
            [guns("a", (10, 10)), {"id": "g", "side": "red", "troop": "general", "rank": "division", "at": [17.2, 10]}]
        ),
        "command",
        ("a",),
        {},
    ),
    "an assault over a wall": (
        scene([foot("a", (18, 13.5)), foot("b", (18.4, 19), "blue", 180), foot("c", (21, 16))], [WALL]),
        "assault",
        ("a", "b"),
        {},
    ),
    "a move past an enemy": (
        scene([foot("a", (10, 10)), foot("b", (13.3, 13), "blue", 180)], [box("rough", "rough", 9, 12, 11, 13)]),
        "move",
        ("a",),
        {"path": [(10.0, 15.0)], "as": "maneuver"},
    ),
    "a fall-back past a pond": (
        scene([foot("a", (18, 18)), guns("b", (18, 25), "blue", 180)], [box("pond", "lake", 19.4, 12, 22, 15)]),
        "fallback",
        ("a",),
        {"from": "b", "distance": 4.0},
    ),
    "a fall-back towards a stream": (  # its bank is crossed, not its ground: as wide as it is shifted it has none
        scene([foot("a", (18, 18)), guns("b", (18, 25), "blue", 180)], [STREAM]),
        "fallback",
        ("a",),
        {"from": "b", "distance": 5.0},
    ),
}


@pytest.mark.parametrize("parts", [24, pytest.param(8, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("name", SMALL)
def test_brute_force_finds_nothing_smaller_in_small_scenes(name: str, parts: int) -> None:
    """One part of all placements, of so many."""
    battle, question, args, options = SMALL[name]
    verdict = judge(battle, question, args, options)
    asked = Asked(battle, question, args, options)
    assert liars(asked, verdict) == []
    assert Brute(asked, verdict).tried(0, parts).found == []


@pytest.mark.parametrize("question", ["los", "fire", "cover", "move", "assault", "command"])
def test_what_is_left_out_of_the_search_changes_nothing(question: str) -> None:
    """Things that cannot come where the question looks, shifted by up to 2 in on a map full of them."""
    battle = load_scene(ROOT / BATTLES[0])
    asked_for = [asked for asked in drawn(battle, 48, 8) if asked[0] == question][:3]
    for kind, args, options in asked_for:
        given = {**put(battle, options), "margin": False}
        verdict = judge(battle, kind, args, given)
        asked = Asked(battle, kind, args, settled(given, verdict))
        rules = rule_set.find(battle.rules).question(kind)
        things = relevant(battle, rules, Request(kind, args, asked.options), verdict, 2.0, 30.0).things
        left_out = [one for one in things_of(battle) if all(one.body is not other.body for other in things)]
        facts, rng = asked.facts(), random.Random(8)
        for one in rng.sample(left_out, min(8, len(left_out))):
            angle, turn = rng.uniform(0.0, 2.0 * math.pi), rng.uniform(-30.0, 30.0)
            assert not asked.changed(Placement(one, (2.0 * math.sin(angle), 2.0 * math.cos(angle))), facts)
            assert not asked.changed(Placement(one, turn=turn), facts)


def test_margins_of_realm_of_chance_are_found_by_the_same_search() -> None:
    """ROC-MOV-01, ROC-ART-07: millimetres, other rules, the placement that is named turns the answer."""
    battle = load_scene(ROOT / "scenarios/realm-of-chance/wachau.yaml")
    for kind, args, options in (
        ("los", ("light-horse", "prussian-2"), {}),
        ("move", ("austrians",), {"path": [(878.72, 329.81)]}),
    ):
        verdict = judge(battle, kind, args, options)
        assert verdict.margin is not None and liars(Asked(battle, kind, args, options), verdict) == []


# --- certainty -------------------------------------------------------------------------------------------------------


def test_certain_moves_friends_and_terrain_too(along_the_lane: Verdict) -> None:
    """TSE-FIR-10: a friend 0.02 in from barring the only line makes the call uncertain."""
    sure = along_the_lane.certainty
    assert sure is not None and not sure.certain and sure.moved == 4 and 0.0 < sure.share < 1.0


def test_units_that_touch_are_drawn_again_rather_than_laid_over_one_another() -> None:
    row = scene([guns("a", (18, 10)), guns("b", (19, 10)), guns("t", (18, 15), "blue", 180)])
    sure = judge(row, "fire", ["a", "t"], {"error": (0.125, 2.0)}).certainty
    assert sure is not None and sure.redrawn > 100 and sure.placements == 400


def test_certain_wants_a_margin_above_the_error() -> None:
    """A shift of 0.105 changes the band only: the answer is certain; one of the answer itself it is not."""
    battle = scene([guns("gun", (18, 10)), guns("target", (18, 18.7), "blue", 180)])
    sure = judge(battle, "fire", ["gun", "target"], {"error": (0.125, 2.0)}).certainty
    assert sure is not None and sure.certain
    at_reach = scene([guns("gun", (18, 10)), guns("target", (18, 19.78), "blue", 180)])
    sure = judge(at_reach, "fire", ["gun", "target"], {"error": (0.125, 2.0)}).certainty
    assert sure is not None and not sure.certain
