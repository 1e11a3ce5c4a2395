"""The block ``game`` of a scenario: what it says becomes the battle's setup; every slip in it is told with its cure."""

from __future__ import annotations

from pathlib import Path

import pytest
import shapely

from tabletop.play.files.load import load_scene, read_file

ROOT = Path(__file__).parents[2]

SCENE = """format: tabletop-scene/1
title: A scene
rules: tse
table: {unit: in, width: 24, height: 20}
units:
  - {id: kempt, side: allied, troop: infantry, bases: 4, formation: deployed, at: [10, 10], facing: 180}
  - {id: picton, side: allied, troop: general}
  - {id: pack, side: allied, parent: picton, troop: infantry, bases: 3, formation: deployed}
  - {id: foy, side: french, troop: infantry, bases: 4, formation: deployed, at: [10, 4], facing: 0}
game:
  attacker: french
  turns: 6
  starts: "15:30"
  options: {initiative: chaotic, initiative_attacker: 0.6}
  arrivals:
    - {units: [picton, pack], turn: 2, at: [0, 12], along: [[4, 12], [8, 10]]}
  objectives:
    - {id: crossroads, name: The crossroads, at: [12, 8], radius: 2, points: 3, holder: allied}
"""


def faults(tmp_path: Path, old: str, new: str) -> list[str]:
    """Return the faults of the scene after a change to it, without the folder."""
    path = tmp_path / "scene.yaml"
    assert old in SCENE
    path.write_text(SCENE.replace(old, new))
    return [str(fault).replace(f"{tmp_path}/", "") for fault in read_file(path, playable=True).faults]


def test_the_block_becomes_the_setup_of_the_battle(tmp_path: Path) -> None:
    """TSE-TRN-01: attacker and defender by scenario, for the whole battle."""
    path = tmp_path / "scene.yaml"
    path.write_text(SCENE)
    setup = load_scene(path).setup
    assert setup.sides == ("french", "allied")
    assert (setup.attacker, setup.turns, setup.starts) == ("french", 6, "15:30")
    assert setup.options == {"initiative": "chaotic", "initiative_attacker": 0.6}
    (arrival,) = setup.arrivals
    assert (arrival.units, arrival.turn, arrival.at, arrival.facing) == (("picton", "pack"), 2, (0.0, 12.0), 90.0)
    assert arrival.along == ((4.0, 12.0), (8.0, 10.0))
    (objective,) = setup.objectives
    assert (objective.id, objective.points, objective.holder) == ("crossroads", 3.0, "allied")


def test_who_is_still_to_come_is_mustered_off_the_table(tmp_path: Path) -> None:
    """TSE-ACT-80, TSE-ACT-82, TSE-ACT-83: in march column, the head on the table's edge, the others behind it."""
    path = tmp_path / "scene.yaml"
    path.write_text(SCENE)
    battle = load_scene(path)
    assert [unit.id for unit in battle.units] == ["foy", "kempt"]
    pack, picton = battle.awaited
    assert (picton.id, picton.at) == ("picton", (0.0, 12.0))
    assert (pack.formation, pack.front_mid, pack.facing) == ("march-column", (0.0, 12.0), 90.0)
    assert max(base.x for base in pack.bases) < 0.0


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("attacker: french", "attacker: frensh", "11:13: 'frensh' is no side; did you mean 'french'?"),
        ("turns: 6", "turns: 0", "12:10: turns: 0 is out of bounds; it must be at least 1"),
        ("turns: 6", "turns: 1", "16:37: arrival 1: turn: 2 is after the last turn (1)"),
        ('"15:30"', '"25:30"', "13:11: starts: '25:30' is no time of day; write e.g. 'starts: \"15:30\"'"),
        (
            "initiative: chaotic",
            "initative: chaotic",
            "14:13: there is no option 'initative' in There Stand Empires; did",
        ),
        (
            "initiative: chaotic",
            "initiative: wild",
            "option 'initiative' cannot be wild; it must be division or chaotic",
        ),
        ("attacker: 0.6", "attacker: 1.6", "cannot be 1.6; it must be a number from 0 to 1"),
        ("[picton, pack]", "[picton, pakc]", "there is no unit 'pakc'; did you mean 'pack'?"),
        ("[picton, pack]", "[picton, pack, pack]", "'pack' comes already by arrival 1; name it once"),
        ("turn: 2", "turn: 0", "16:37: arrival 1: turn: 0 is out of bounds; it must be at least 1"),
        ("turn: 2", "trun: 2", "16:31: arrival 1: no key 'trun' here; did you mean 'turn'?"),
        ("at: [0, 12]", "at: [1, 12]", "at: this is no point of the table's edge (24 x 20); the nearest is [0, 12]"),
        ("at: [0, 12]", "at: [0, 12], facing: 270", "facing: 270 looks off the table; straight in is 90"),
        ("[[4, 12]", "[[-4, 12]", "along: a point off the table (24 x 20); move it"),
        ("[picton, pack]", "[picton, pack, kempt]", "unit 'kempt': at: it stands here and is still to come"),
        ("at: [12, 8]", "at: [12, 28]", "objective 'crossroads': at: it lies off the table (24 x 20); move it"),
        ("holder: allied", "holder: alied", "objective 'crossroads': 'alied' is no side; did you mean 'allied'?"),
        ("radius: 2, ", "", "objective 'crossroads': 'radius' is missing; write e.g. 'radius: 2'"),
        ("id: kempt, side: allied", "id: kempt, side: blue", "between two sides; there are: allied, blue, french"),
        ("troop: infantry, bases: 3", "troop: infantry, bases: 1", "unit 'pack': bases"),
    ],
)
def test_every_slip_is_told_with_its_place_and_cure(tmp_path: Path, old: str, new: str, says: str) -> None:
    found = faults(tmp_path, old, new)
    assert any(says in fault for fault in found), found


def test_a_block_that_is_none(tmp_path: Path) -> None:
    (fault, *_) = faults(tmp_path, SCENE[SCENE.index("game:") :], "game: 4\n")
    assert "game must be a block of keys, not 4; write e.g. 'game: {attacker: french, turns: 6}'" in fault


def test_a_faulty_block_does_not_miss_the_places_of_who_is_still_to_come(tmp_path: Path) -> None:
    assert len(faults(tmp_path, "turns: 6", "turns: six")) == 1


def test_corners_are_entered_across(tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(SCENE.replace("at: [0, 12]", "at: [24, 0]"))
    assert load_scene(path).setup.arrivals[0].facing == 315.0


def test_a_place_in_an_army_gives_way_to_an_arrival_and_one_in_the_scenario_does_not(tmp_path: Path) -> None:
    scenario = (ROOT / "scenarios/tse/quatre-bras.yaml").read_text("utf-8")
    battle = load_scene(ROOT / "scenarios/tse/quatre-bras.yaml")
    assert "guiton" in {unit.id for unit in battle.awaited}
    path = tmp_path / "quatre-bras.yaml"
    path.write_text(scenario.replace("game:\n", "place: [{id: guiton, at: [14, 9], facing: 0}]\ngame:\n"))
    (fault,) = read_file(path, playable=True).faults
    assert "unit 'guiton': at: it stands here and is still to come" in str(fault)


def test_everybody_comes_to_quatre_bras_by_road_and_hour() -> None:
    battle = load_scene(ROOT / "scenarios/tse/quatre-bras.yaml")
    turns = {unit: arrival.turn for arrival in battle.setup.arrivals for unit in arrival.units}
    assert (turns["guiton"], turns["halkett"], turns["moll"], turns["maitland"]) == (1, 2, 2, 4)
    assert {unit.id for unit in battle.awaited} == set(turns)
    roads = {"charleroi-road", "nivelles-road", "brussels-road"}
    shapes = [battle.table.piece(road).shape for road in roads]
    for arrival in battle.setup.arrivals:
        for point in (arrival.at, *arrival.along):
            assert any(shape.distance(shapely.Point(point)) < 0.02 for shape in shapes), point


def test_reinforcements_may_belong_to_generals_of_the_army_they_join(tmp_path: Path) -> None:
    text = (ROOT / "armies/tse/allied-quatre-bras-later.yaml").read_text("utf-8")
    path = tmp_path / "later.yaml"
    path.write_text(text.replace("parent: brunswick,", "parent: brunswik,", 1))
    (fault,) = read_file(path).faults
    assert "unit 'heinemann': parent: there is no unit 'brunswik'; did you mean 'brunswick'?" in str(fault)
    path.write_text(text.replace("joins: armies", "joins: arms"))
    assert any("joins: there is no file 'arms/tse" in str(fault) for fault in read_file(path).faults)
