"""Winning by the ground, as the two scenarios that ask most of it have it: high ground, both of two goals, denial."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.progress import Outcome
from tabletop.battle.unfolding import Unfolding
from tabletop.errors import Unreadable
from tabletop.geometry.terrain import Table, Terrain
from tabletop.play.briefing import briefing
from tabletop.play.files.load import load_scene_data
from tabletop.play.narration import outcome
from tabletop.rules.ages.turn.victory import settled
from tests.loaded import scenario

Place = tuple[float, float]


def ended(battle: Battle, **losses: int) -> Outcome:
    """Return how a battle ends when its last turn does, with so many bases of a hundred lost by each side."""
    first, last = battle.setup.sides
    memory = {**{f"army:{side}": 100 for side in (first, last)}, **{f"lost:{side}": n for side, n in losses.items()}}
    clock = replace(battle.clock, turn=battle.setup.turns or 0, side=last, phase="combat")
    unfolding = Unfolding(replace(battle, clock=clock, memory=memory))
    assert settled(unfolding)
    assert unfolding.battle.outcome is not None
    return unfolding.battle.outcome


def put(battle: Battle, places: Mapping[str, Place], **status: str) -> Battle:
    """Return a battle with units moved (their middles) and in other states."""
    for name, (x, y) in places.items():
        unit = battle.unit(name)
        battle = battle.with_unit(unit.moved(x - unit.at[0], y - unit.at[1]))
    for name, state in status.items():
        battle = battle.with_unit(replace(battle.unit(name.replace("_", "-")), status=state))
    return battle


# --- the mill and two battalions on the hill -------------------------------------------------------------------------

IN_THE_MILL: dict[str, Place] = {"languedoc": (1100, 100), "orkney": (420, 540)}
#: Both ends of the hill, 180 mm and more from the point that marks it.
ON_THE_HILL: dict[str, Place] = {"howe": (570, 720), "foot-guards": (930, 650)}


@pytest.mark.parametrize(
    ("places", "status", "wins"),
    [
        ({**IN_THE_MILL, **ON_THE_HILL}, {}, True),
        ({**IN_THE_MILL, **ON_THE_HILL}, {"orkney": "disrupted"}, True),
        ({**IN_THE_MILL, **ON_THE_HILL}, {"orkney": "routing"}, False),
        ({**IN_THE_MILL, **ON_THE_HILL}, {"howe": "disrupted"}, False),
        ({**IN_THE_MILL, "howe": (570, 720)}, {}, False),
        ({**IN_THE_MILL, "howe": (570, 720), "lumley": (930, 650)}, {}, False),
        ({**IN_THE_MILL, "howe": (570, 720), "foot-guards": (955, 650)}, {}, False),
        ({**IN_THE_MILL, **ON_THE_HILL, "languedoc": (420, 560)}, {}, False),
        (ON_THE_HILL, {}, False),
    ],
    ids=["both", "mill disrupted", "mill routs", "one disrupted", "one", "horse", "off the hill", "shared", "no mill"],
)
def test_the_causeway_is_won_by_the_mill_and_two_battalions_on_the_hill(
    places: Mapping[str, Place], status: Mapping[str, str], wins: bool
) -> None:
    """AGE-WIN-01: anywhere on the hill, the French on it too; infantry in good order; the mill held by any troops."""
    found = ended(put(scenario("gloire/causeway"), places, **status), french=0, allied=8)
    assert (found.winner, found.how) == (("allied", "ground") if wins else ("french", "casualties marginal 8.0"))


def test_a_number_on_high_ground_is_asked_on_each_hill() -> None:
    """AGE-WIN-01: two objectives on hills and one battalion each; two on the same hill are not enough."""
    battle = scenario("gloire/causeway")
    west = Terrain.of_kind("west", "hill", outline=[(50, 600), (250, 600), (250, 800), (50, 800)], level=1)
    table = Table.of("mm", 1200, 900, [*battle.table.terrain, west])
    more = (*battle.setup.objectives, replace(battle.setup.objectives[1], id="west", name="West hill", at=(150, 700)))
    options = {**battle.setup.options, "high_ground_units": {"allied": 1}}
    battle = replace(battle, table=table, setup=replace(battle.setup, objectives=more, options=options))
    assert "have 1 battalion in good order on Windmill hill and West hill" in briefing(battle, "allied").win
    assert ended(put(battle, {**IN_THE_MILL, **ON_THE_HILL})).winner is None
    assert ended(put(battle, {**IN_THE_MILL, "howe": (570, 720), "foot-guards": (150, 700)})).how == "ground"


def test_the_briefing_of_the_causeway() -> None:
    """AGE-WIN-01: what the Allies must do, in words."""
    said = briefing(scenario("gloire/causeway"), "allied").win
    assert said.startswith("Hold Marsin's mill and have 2 battalions in good order on Windmill hill when turn 12 ends,")


# --- a fort that is held and the hill it lies on ----------------------------------------------------------------------

#: The defenders near the fort elsewhere, a battalion in it, two others on the hill far from it.
IN_THE_FORT: dict[str, Place] = {
    "tattenbach": (1100, 100),
    "mercy": (1100, 160),
    "la-colonie": (1100, 130),
    "maffei-battalion": (1000, 160),
    "bavarian-dragoons": (1000, 120),
    "orkney": (800, 430),
}
ON_THE_SCHELLENBERG: dict[str, Place] = {"dutch-i": (1000, 300), "dutch-ii": (650, 280)}


@pytest.mark.parametrize(
    ("places", "status", "wins"),
    [
        ({**IN_THE_FORT, **ON_THE_SCHELLENBERG}, {}, True),
        ({**IN_THE_FORT, "dutch-i": (1000, 300)}, {}, True),
        ({**IN_THE_FORT, "dutch-i": (1000, 300)}, {"dutch_i": "disrupted"}, False),
        ({**IN_THE_FORT, "lumley-i": (1000, 300), "bloods-guns": (650, 280)}, {}, False),
        ({**IN_THE_FORT, **ON_THE_SCHELLENBERG, "mercy": (800, 480)}, {}, False),
        (ON_THE_SCHELLENBERG, {}, False),
    ],
    ids=["all", "one of the two in the fort", "one disrupted", "horse and guns", "fort shared", "no fort"],
)
def test_the_schellenberg_is_won_by_the_fort_and_two_battalions_on_the_hill(
    places: Mapping[str, Place], status: Mapping[str, str], wins: bool
) -> None:
    """AGE-WIN-01: a house on the hill is held as any other; infantry in good order anywhere on the hill."""
    found = ended(put(scenario("gloire/schellenberg"), places, **status), bavarian=0, allied=8)
    assert (found.winner, found.how) == (("allied", "ground") if wins else ("bavarian", "casualties marginal 8.0"))


def test_an_objective_in_a_house_is_no_high_ground() -> None:
    """AGE-WIN-01: the option then says nothing, on a hill or not."""
    house = {"id": "house", "kind": "town", "at": [300, 200], "size": [40, 40]}
    assert not faults([HIGH], high_ground_units=2)
    assert "in no house; add it or remove this option" in "".join(faults([HIGH], [house], high_ground_units=2))


# --- the village and beyond the stream, or neither -------------------------------------------------------------------

IN_THE_VILLAGE: dict[str, Place] = {"landfahnen": (1100, 100), "altblau": (600, 560)}


@pytest.mark.parametrize(
    ("places", "status", "winner"),
    [
        (IN_THE_VILLAGE, {}, "swedish"),
        (IN_THE_VILLAGE, {"altblau": "disrupted"}, "imperial"),
        ({**IN_THE_VILLAGE, "ermes": (900, 460)}, {"altblau": "disrupted"}, "swedish"),
        ({**IN_THE_VILLAGE, "ermes": (900, 459)}, {"altblau": "disrupted"}, "imperial"),
        ({**IN_THE_VILLAGE, "landfahnen": (600, 590)}, {}, "imperial"),
        ({"ermes": (900, 800)}, {}, "imperial"),
        ({}, {}, "imperial"),
    ],
    ids=["held", "disrupted", "another beyond", "not quite beyond", "shared", "beyond alone", "as they stand"],
)
def test_the_ford_is_won_by_the_village_and_a_unit_beyond_the_stream_or_by_denying_it(
    places: Mapping[str, Place], status: Mapping[str, str], winner: str
) -> None:
    """AGE-WIN-01: both together; whatever the losses, the Imperialists win if they prevent it."""
    found = ended(put(scenario("glaube/ford"), places, **status), imperial=30, swedish=0)
    assert found.winner == winner
    told = outcome(found.winner, found.how, ("imperial", "swedish"))
    held = "Swedish won: all the ground of the scenario is held."
    assert told == (held if winner == "swedish" else "Imperial won: ground denied to the Swedish side.")


def test_the_briefings_of_the_ford_name_no_losses() -> None:
    """AGE-WIN-01: the one side must do it and the other prevent it, so that losses are never compared."""
    battle = scenario("glaube/ford")
    goal = "hold Lössdorf and have 1 unit in good order 460 mm from the south edge when turn 12 ends"
    assert briefing(battle, "swedish").win == f"H{goal[1:]}, or rout the whole Imperial army."
    assert briefing(battle, "imperial").win == f"Do not let the Swedish side {goal}, or rout the whole Swedish army."


def test_where_both_sides_deny_the_ground_neither_wins_by_it() -> None:
    """AGE-WIN-02: the losses are compared."""
    battle = scenario("glaube/ford")
    options = {**battle.setup.options, "denies_ground": True, "ground_units": {}}
    battle = put(replace(battle, setup=replace(battle.setup, options=options)), {"landfahnen": (1100, 800)})
    found = ended(battle, imperial=30, swedish=0)
    assert (found.winner, found.how) == ("swedish", "casualties decisive 30.0")


# --- faults of the options -------------------------------------------------------------------------------------------

SCENE = {"format": "tabletop-scene/1", "title": "A", "rules": "gloire"}
FOOT = {"troop": "infantry", "quality": "french-line", "formation": "line", "facing": 0}
UNITS = [{**FOOT, "id": side, "side": side, "at": [200, y]} for side, y in (("red", 100), ("blue", 300))]
HILL = {"id": "hill", "kind": "hill", "level": 1, "at": [300, 200], "size": [60, 60]}
PLAIN, HIGH = ({"id": name, "at": at, "radius": 20} for name, at in (("mill", [100, 200]), ("hill", [300, 200])))


def faults(objectives: list[dict[str, Any]], more: Sequence[dict[str, Any]] = (), **options: Any) -> list[str]:
    table = {"unit": "mm", "width": 400, "height": 400}
    game = {"attacker": "red", "turns": 5, "objectives": objectives, "options": options}
    try:
        load_scene_data({**SCENE, "table": table, "terrain": [HILL, *more], "units": UNITS, "game": game})
    except Unreadable as error:
        return [fault.text for fault in error.faults]
    return []


@pytest.mark.parametrize(
    ("objectives", "options", "said"),
    [
        ([PLAIN], {"high_ground_units": {"red": 2}}, "'high_ground_units': it says nothing without an objective on a"),
        ([], {"beyond": 200, "ground_and_beyond": True}, "without objectives; add it or remove this option"),
        ([PLAIN], {"ground_and_beyond": {"red": True}}, "'ground_and_beyond': it says nothing without 'beyond'; add"),
        (
            [],
            {"denies_ground": {"blue": True}},
            "without objectives or 'beyond'; add one of them or remove this option",
        ),
        ([HIGH], {"high_ground_units": 21}, "'high_ground_units' cannot be 21; it must be a number from 0 to 20"),
        ([PLAIN], {"denies_ground": "often"}, "option 'denies_ground' cannot be often; it must be true or false"),
        ([PLAIN], {"denies_ground": {"green": True}}, "'green'"),
        ([PLAIN], {"high_ground_units": {"red": 0}, "ground_and_beyond": False}, ""),
        ([PLAIN, HIGH], {"high_ground_units": {"red": 2}}, ""),
        ([], {"beyond": {"red": 200}, "denies_ground": {"blue": True}}, ""),
    ],
)
def test_a_goal_that_says_nothing_is_one_clear_line(
    objectives: list[dict[str, Any]], options: Mapping[str, Any], said: str
) -> None:
    """AGE-WIN-01: what a goal needs and does not have, or the values it may take."""
    found = faults(objectives, **options)
    assert len(found) == bool(said) and said in "".join(found), found
