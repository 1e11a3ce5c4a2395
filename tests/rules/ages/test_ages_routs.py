"""Routs in the four Ages: the edge a unit runs to, its turn beside other edges and impassable ground, where it ends."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.errors import Unreadable
from tabletop.geometry.depth import deepest
from tabletop.geometry.terrain import Terrain
from tabletop.play.files.load import load_scene_data
from tabletop.play.saves.saved_opening import check_meaning
from tabletop.rules.ages.morale.edges import settle
from tabletop.rules.ages.turn.sequence import advance
from tests.ages import told
from tests.destiny import Numbers, battle, done, unit

FAR = unit("far", "red", at=[700, 750])


def lake(*outline: tuple[float, float]) -> Terrain:
    """Return a lake, which nobody can enter."""
    return Terrain.of_kind("lake", "lake", outline=list(outline))


def routed(at: tuple[float, float], facing: float = 180.0, **keys: Any) -> Unit:
    """Return a blue battalion of five bases in rout, whose own edge is the southern one."""
    return unit("blue", at=at, facing=facing, status="routing", **keys)


def after_the_run(scene: Battle) -> Battle:
    """Return a battle after a rally phase in which the routing battalion does not stop."""
    unfolding = Unfolding(scene, Numbers([100.0]))
    advance(unfolding)
    return unfolding.battle


def still_there(scene: Battle) -> Unit:
    """Return the battalion, which must be on the table."""
    assert scene.has("blue"), "it has left the table"
    return scene.unit("blue")


# --- beside another edge ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("at", "facing"), [((30, 600), 90), ((45, 600), 45), ((40, 600), 270), ((960, 600), 90)])
def test_a_unit_beside_a_side_edge_turns_on_the_table_and_runs_home(at: tuple[float, float], facing: float) -> None:
    """AGE-RAL-04, AGE-RAL-06: turned south it would reach over the side edge; it is shifted aside and is not lost."""
    ended = after_the_run(battle(routed(at, facing), FAR, phase="rally"))
    x0, _, x1, _ = still_there(ended).bounds
    assert still_there(ended).at == (50.0 if at[0] < 500 else 950.0, 540.0)
    assert (x0, x1) in ((0.0, 100.0), (900.0, 1000.0))


def test_a_unit_routed_in_combat_beside_a_side_edge_stays_on_the_table() -> None:
    """AGE-RAL-04, AGE-RAL-06: the same at the first run, when combat routs it."""
    attacker = unit("blue", front_mid=[60, 300], facing=270)
    defender = unit("red", "red", front_mid=[30, 300], facing=90, status="disrupted")
    step = done(battle(attacker, defender, FAR, phase="combat"), "combat", "blue", "red", numbers=[800])
    assert told(step, "combat")["result"] == "Dd"
    assert step.battle.unit("red").status == "routing"
    assert step.battle.unit("red").bounds[0] == 0.0


def test_a_unit_that_runs_over_its_own_edge_is_lost() -> None:
    """AGE-RAL-06: over the edge it runs to it leaves the table, and its bases count as lost."""
    ended = after_the_run(battle(routed((500, 60)), FAR, phase="rally"))
    assert not ended.has("blue")
    assert ended.memory["lost:blue"] == 5


def test_a_unit_that_bends_round_a_lake_never_leaves_the_table_by_a_side_edge() -> None:
    """AGE-RAL-04, AGE-RAL-06: with a lake between it and home it runs aside, but not over the side edge."""
    water = lake((0, 0), (600, 0), (600, 280), (0, 280))
    ended = after_the_run(battle(routed((60, 300)), FAR, terrain=[water], phase="rally"))
    assert min(still_there(ended).bounds) >= 0.0


# --- beside impassable ground -----------------------------------------------------------------------------------------


def test_a_unit_beside_a_lake_is_shifted_out_of_it_and_runs_straight_home() -> None:
    """AGE-RAL-04: turned south it would stand in the lake beside it; south is open, so it runs there."""
    water = lake((400, 100), (500, 100), (500, 700), (400, 700))
    ended = after_the_run(battle(routed((515, 400), 90), FAR, terrain=[water], phase="rally")).unit("blue")
    assert ended.facing == 180.0
    assert ended.bounds[0] == pytest.approx(500.0, abs=0.1)
    assert ended.at[1] == 340.0


def test_a_unit_with_no_room_to_turn_stays_where_it_stands() -> None:
    """AGE-RAL-04: on an island just as large as itself it can turn to no bearing that leads home."""
    stuck = routed((500, 400), 7, formation="column")
    island = stuck.footprint.buffer(0.2, join_style="mitre")
    halves = {"west": shapely.box(300, 200, 500, 600), "east": shapely.box(500, 200, 700, 600)}
    shores = {name: shapely.get_coordinates(half.difference(island)).tolist() for name, half in halves.items()}
    water = [Terrain.of_kind(name, "lake", outline=shore) for name, shore in shores.items()]
    ended = after_the_run(battle(stuck, FAR, terrain=water, phase="rally")).unit("blue")
    assert (ended.at, ended.facing, ended.status) == (stuck.at, stuck.facing, "routing")


@pytest.mark.parametrize("shore", [210, 224, 230])
def test_a_run_never_ends_in_a_lake_nor_in_a_friend(shore: float) -> None:
    """AGE-RAL-04: it would run through the friend into the lake behind him; it stops short or runs past."""
    water = lake((300, 100), (700, 100), (700, shore), (300, shore))
    friend = unit("friend", at=[500, 240])
    ended = after_the_run(battle(routed((500, 300)), friend, FAR, terrain=[water], phase="rally"))
    runner = still_there(ended)
    assert runner.at != (500.0, 300.0)
    assert runner.footprint.intersection(water.shape).area < 0.5
    assert deepest(runner.bases, ended.unit("friend").bases) <= ended.tape.t


def test_a_run_through_a_friend_ends_beyond_him_where_there_is_room() -> None:
    """AGE-RAL-05: without a lake it runs on until it is clear of the friend, who is disrupted."""
    ended = after_the_run(battle(routed((500, 300)), unit("friend", at=[500, 240]), FAR, phase="rally"))
    assert still_there(ended).at[1] == pytest.approx(225.0, abs=0.2)
    assert ended.unit("friend").status == "disrupted"


def test_a_run_between_friends_and_a_side_edge_never_ends_over_that_edge() -> None:
    """AGE-RAL-04: to get clear of a friend it may run on, but not over an edge that is not its own."""
    water = lake((0, 0), (1000, 0), (1000, 285), (0, 285))
    friends = unit("west", at=[10, 320], facing=90), unit("north", at=[60, 390])
    ended = after_the_run(battle(routed((60, 300)), *friends, FAR, terrain=[water], phase="rally"))
    assert ended.has("blue")
    assert min(still_there(ended).bounds) >= -ended.tape.t


# --- several edges, and edges of single units -------------------------------------------------------------------------


def home(at: tuple[float, float], edge: Any, **rulings: Any) -> float:
    """Return the bearing on which the battalion runs, with what the scenario's option says."""
    scene = battle(routed(at, 0), FAR, phase="rally", options={"edge": edge}, **rulings)
    unfolding = Unfolding(scene, Numbers([100.0]))
    settle(unfolding)
    advance(unfolding)
    return unfolding.unit("blue").facing


@pytest.mark.parametrize(
    ("at", "edge", "bearing"),
    [
        ((500, 300), {"blue": "south", "red": "north"}, 180),
        ((500, 300), {"blue": ["south"], "red": "north"}, 180),
        ((500, 300), {"blue": ["west", "south"]}, 180),
        ((280, 300), {"blue": ["south", "west"]}, 270),
        ((300, 300), {"blue": ["south", "west"]}, 180),  # equally near: the first
        ((300, 300), {"blue": ["west", "south"]}, 270),
        ((500, 300), {"blue": "south", "far": "east"}, 180),
        ((500, 300), {"red": "north"}, 180),  # the edge behind it
        ((500, 300), "east", 90),  # one for both sides
    ],
)
def test_a_unit_runs_to_the_nearest_of_its_sides_edges(at: tuple[float, float], edge: Any, bearing: float) -> None:
    """AGE-RAL-04: the nearest point of its own table edge; a scenario names each side's edges."""
    assert home(at, edge) == bearing


@pytest.mark.parametrize(("own", "bearing"), [("west", 270), (["north", "east"], 90), (["east", "north"], 90)])
def test_a_unit_may_have_edges_of_its_own(own: Any, bearing: float) -> None:
    """AGE-RAL-04: a scenario may name one per unit, which counts instead of its side's."""
    guards = routed((600, 300), 0)
    other = unit("other", at=[300, 300], status="routing")
    edges = {"blue": "south", "red": "north", "guards": own}
    scene = battle(replace(guards, id="guards"), other, FAR, phase="rally", options={"edge": edges})
    unfolding = Unfolding(scene, Numbers([100.0, 100.0]))
    advance(unfolding)
    assert (unfolding.unit("other").facing, unfolding.unit("guards").facing) == (180, bearing)


def test_with_two_edges_it_is_lost_over_the_one_it_runs_to_and_no_other() -> None:
    """AGE-RAL-06: beside its second edge, but nearer the first."""
    scene = battle(routed((45, 40), 90), FAR, phase="rally", options={"edge": {"blue": ["south", "west"]}})
    assert not after_the_run(scene).has("blue")
    far_off = battle(routed((45, 300), 90), FAR, phase="rally", options={"edge": {"blue": ["south"], "red": ["west"]}})
    assert after_the_run(far_off).has("blue")


def foot(name: str, side: str, y: float) -> dict[str, Any]:
    """Return the row of a battalion in a scene."""
    kind = {"troop": "infantry", "quality": f"{side}-line", "formation": "line"}
    return {"id": name, "side": side, **kind, "front_mid": [500, y], "facing": 0}


def scene_with(edge: Any) -> dict[str, Any]:
    """Return the data of a scene with this option."""
    return {
        "format": "tabletop-scene/1",
        "title": "Edges",
        "rules": "destiny",
        "table": {"unit": "mm", "width": 1000, "height": 800},
        "units": [foot("guards", "french", 300), foot("red", "prussian", 600)],
        "game": {"options": {"edge": edge}},
    }


@pytest.mark.parametrize(
    ("edge", "fault"),
    [
        ({"french": "south", "prussian": ["north", "east"], "guards": "west"}, None),
        ({"french": ["south", "up"]}, "it must be north or east or south or west, or a list of these"),
        ({"french": []}, "it must be north or east or south or west, or a list of these"),
        ({"guards": "up"}, "it must be north or east or south or west, or a list of these"),
        ({"guard": "west"}, "there is no side or unit 'guard'; did you mean 'guards'?"),
    ],
)
def test_a_scenario_names_edges_that_there_are(edge: Any, fault: str | None) -> None:
    """AGE-RAL-04: an unknown edge, side or unit is refused in one line that says what there is."""
    if fault is None:
        check_meaning(load_scene_data(scene_with(edge)))
        return
    with pytest.raises(Unreadable, match=re.escape(fault)):
        load_scene_data(scene_with(edge))


def test_a_saved_game_names_edges_that_there_are() -> None:
    """AGE-RAL-04: so is one in the opening of a saved game."""
    scene = load_scene_data(scene_with({"guards": "west"}))
    forged = replace(scene, setup=replace(scene.setup, options={"edge": {"guard": "west"}}))
    with pytest.raises(ValueError, match="option 'edge': there is no side or unit 'guard'"):
        check_meaning(forged)
