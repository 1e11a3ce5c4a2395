"""Routs in the four Ages: the edge a unit runs to, its turn beside other edges and impassable ground, where it ends."""

from __future__ import annotations

from typing import Any

import pytest
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.geometry.depth import deepest
from tabletop.geometry.terrain import Terrain
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


# --- beside another edge ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("at", "facing"), [((30, 600), 90), ((45, 600), 45), ((40, 600), 270), ((960, 600), 90)])
def test_a_unit_beside_a_side_edge_turns_on_the_table_and_runs_home(at: tuple[float, float], facing: float) -> None:
    """AGE-RAL-04, AGE-RAL-06: turned south it would reach over the side edge; it is shifted aside and is not lost."""
    ended = after_the_run(battle(routed(at, facing), FAR, phase="rally"))
    x0, _, x1, _ = ended.unit("blue").bounds
    assert ended.unit("blue").at == (50.0 if at[0] < 500 else 950.0, 540.0)
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
    assert min(ended.unit("blue").bounds) >= 0.0


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
    runner = ended.unit("blue")
    assert runner.at != (500.0, 300.0)
    assert runner.footprint.intersection(water.shape).area < 0.5
    assert deepest(runner.bases, ended.unit("friend").bases) <= ended.tape.t


def test_a_run_through_a_friend_ends_beyond_him_where_there_is_room() -> None:
    """AGE-RAL-05: without a lake it runs on until it is clear of the friend, who is disrupted."""
    ended = after_the_run(battle(routed((500, 300)), unit("friend", at=[500, 240]), FAR, phase="rally"))
    assert ended.unit("blue").at[1] == pytest.approx(225.0, abs=0.2)
    assert ended.unit("friend").status == "disrupted"


def test_a_run_between_friends_and_a_side_edge_never_ends_over_that_edge() -> None:
    """AGE-RAL-04: to get clear of a friend it may run on, but not over an edge that is not its own."""
    water = lake((0, 0), (1000, 0), (1000, 285), (0, 285))
    friends = unit("west", at=[10, 320], facing=90), unit("north", at=[60, 390])
    ended = after_the_run(battle(routed((60, 300)), *friends, FAR, terrain=[water], phase="rally"))
    assert ended.has("blue")
    assert min(ended.unit("blue").bounds) >= -ended.tape.t
