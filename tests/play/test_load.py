"""From files to battles: what is read, what is found where, and every fault told at once with its place."""

from __future__ import annotations

from pathlib import Path

import pytest
import shapely

from tabletop.errors import Unreadable
from tabletop.geometry.measure import GRID
from tabletop.play.files.check import check_files
from tabletop.play.files.load import load, load_scene, load_scene_data, read_file
from tabletop.play.files.yaml_text import parse
from tests.bases import rectangles
from tests.play.mutations import SCENE

ROOT = Path(__file__).parents[2]
SHIPPED = [path for folder in ("maps", "armies", "scenarios") for path in sorted((ROOT / folder).rglob("*.yaml"))]

MAP = """format: tabletop-map/1
title: Ground
table: {unit: in, width: 24, height: 24}
terrain:
  - {id: pond, kind: lake, outline: [[2, 2], [6, 2], [6, 6], [2, 6]]}
"""
ARMY = """format: tabletop-army/1
title: Blue
side: blue
rules: tse
units:
  - {id: blucher, troop: general, rank: army}
  - {id: tippelskirch, name: Tippelskirch, parent: blucher, troop: infantry, bases: 4, formation: maneuver-column}
  - {id: horse, troop: light-cavalry, bases: 2, formation: deployed, at: [20, 20], facing: 90}
"""
SCENARIO = """format: tabletop-scenario/1
title: Ligny
rules: tse
map: maps/ground.yaml
armies: [armies/blue.yaml]
place:
  - {id: blucher, at: [12, 4]}
  - {id: tippelskirch, at: [12, 12], facing: 180, front: 4, formation: deployed}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a map, an army and a scenario."""
    for name, text in {"maps/ground": MAP, "armies/blue": ARMY, "scenarios/tse/ligny": SCENARIO}.items():
        path = tmp_path / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def scenario(project: Path, old: str = "", new: str = "") -> list[str]:
    """Return the faults of the project's scenario after a change to it, without the folder."""
    path = project / "scenarios/tse/ligny.yaml"
    assert old in SCENARIO
    path.write_text(SCENARIO.replace(old, new) if old else SCENARIO)
    return [str(fault).replace(f"{project}/", "") for fault in read_file(path, playable=True).faults]


def scene(tmp_path: Path, old: str, new: str) -> list[str]:
    path = tmp_path / "scene.yaml"
    assert old in SCENE
    path.write_text(SCENE.replace(old, new))
    return [str(fault).replace(f"{tmp_path}/", "") for fault in check_files([path])]


# --- scenes ----------------------------------------------------------------------------------------------------------


def test_a_scene_becomes_a_battle(tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(SCENE)
    battle = load_scene(path)
    assert (battle.title, battle.rules, battle.table.width) == ("A scene", "tse", 24.0)
    assert battle.unit("kempt").at == (10.0, 10.0)
    assert battle.table.piece("wood").see_through == 3.0


def test_plain_data_becomes_the_same_battle(tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(SCENE)
    assert load_scene_data(parse("", SCENE).data).units == load_scene(path).units


def test_places_are_snapped_to_the_grid_on_entry(tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(SCENE.replace("at: [10, 10]", "at: [10.0001, 10.3333]").replace("[2, 2]", "[2.00013, 2]"))
    battle = load_scene(path)
    x, y = battle.unit("kempt").at
    assert (x, y) == (10.0, round(10.3333 * GRID) / GRID)
    assert shapely.get_coordinates(battle.table.piece("wood").shape)[:, 0].min() == 2.0


def test_a_box_stands_on_its_centre_and_faces_its_bearing(tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(SCENE.replace("outline: [[2, 2], [8, 2], [8, 6], [2, 6]]", "at: [5, 5], size: [4, 2], facing: 90"))
    assert load_scene(path).table.piece("wood").shape.bounds == (4.0, 3.0, 6.0, 7.0)


def test_doubled_scale_doubles_the_lengths_of_the_rules_and_not_those_written(tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(SCENE.replace("rules: tse", "rules: tse\nrulings: {scale: 2}"))
    battle = load_scene(path)
    assert battle.scale == 2.0
    assert rectangles(battle.unit("kempt").bases)[0].frontage == 2.0
    assert battle.table.piece("wood").see_through == 6.0
    assert battle.table.width == 24.0


def test_all_faults_are_told_at_once_sorted_with_their_places(tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    text = SCENE.replace("kind: woods", "kind: wods").replace("facing: 180", "facng: 180").replace("title", "titel")
    path.write_text(text.replace("[8, 2]", "[x, 2]"))
    with pytest.raises(Unreadable) as caught:
        load_scene(path)
    faults = caught.value.faults
    assert [(fault.line, fault.column) for fault in faults] == [(1, 1), (2, 1), (6, 22), (6, 47), (8, 93)]
    assert faults == sorted(faults)


def test_a_faulty_row_does_not_hide_its_other_faults(tmp_path: Path) -> None:
    new = "bases: four, parent: pack, quality: bold, formation: deploid"
    faults = scene(tmp_path, "bases: 4, formation: deployed", new)
    assert len(faults) == 4
    assert all("scene.yaml:8:" in fault for fault in faults)


def test_every_fault_the_rules_find_in_a_unit_is_told(tmp_path: Path) -> None:
    faults = scene(tmp_path, "bases: 4", "bases: 4, rank: army, reference: 7, bend: [1]")
    assert {fault.split(": ")[2] for fault in faults} == {"rank", "reference", "bend"}


def test_a_touch_is_no_overlap_and_deeper_than_the_tolerance_is(tmp_path: Path) -> None:
    row = SCENE.splitlines()[-1]
    for shift, overlaps in (("14", False), ("13.996", False), ("13.98", True)):
        other = row.replace("kempt", "pack").replace("[10, 10]", f"[{shift}, 10]")
        assert bool(scene(tmp_path, row, f"{row}\n{other}")) is overlaps, shift


def test_generals_overlap_nobody(tmp_path: Path) -> None:
    row = SCENE.splitlines()[-1]
    assert not scene(tmp_path, row, f"{row}\n  - {{id: picton, side: allied, troop: general, at: [10, 10]}}")


def test_flush_with_the_edge_is_on_the_table(tmp_path: Path) -> None:
    assert not scene(tmp_path, "at: [10, 10]", "at: [22, 10]")
    assert "off the table" in scene(tmp_path, "at: [10, 10]", "at: [22.01, 10]")[0]


def test_impassable_ground_is_a_warning_and_a_bridge_over_it_none(tmp_path: Path) -> None:
    lake = "id: wood, kind: lake, outline: [[8, 8], [13, 8], [13, 12], [8, 12]]"
    old = "id: wood, kind: woods, outline: [[2, 2], [8, 2], [8, 6], [2, 6]]"
    faults = scene(tmp_path, old, lake)
    assert len(faults) == 1
    assert "warning: unit 'kempt': at: it stands in impassable ground: wood" in faults[0]
    assert load(tmp_path / "scene.yaml").warnings
    bridge = "{id: span, kind: bridge, at: [10, 10], size: [6, 3]}"
    assert not scene(tmp_path, f"{{{old}}}", f"{{{lake}}}\n  - {bridge}")


def test_terrain_may_hang_over_the_edge_and_is_warned_of_beyond_it(tmp_path: Path) -> None:
    assert not scene(tmp_path, "[2, 2], [8, 2]", "[2, -2], [8, -2]")
    assert "warning" in scene(tmp_path, "[[2, 2], [8, 2], [8, 6], [2, 6]]", "[[-9, 2], [-2, 2], [-2, 6]]")[0]


def test_the_same_id_for_a_unit_twice_names_the_first(tmp_path: Path) -> None:
    row = SCENE.splitlines()[-1]
    assert "'kempt' is taken on line 8" in scene(tmp_path, row, f"{row}\n{row.replace('10, 10', '10, 14')}")[0]


# --- scenarios -------------------------------------------------------------------------------------------------------


def test_a_scenario_puts_its_armies_on_its_map(project: Path) -> None:
    loaded = load(project / "scenarios/tse/ligny.yaml")
    battle = loaded.battle
    assert [unit.id for unit in battle.units] == ["blucher", "horse", "tippelskirch"]
    assert battle.unit("tippelskirch").formation == "deployed"
    assert battle.unit("horse").side == "blue"
    assert len(loaded.files) == 3


def test_a_new_place_replaces_the_old_one_however_it_was_written(project: Path) -> None:
    new = "place:\n  - {id: horse, front_mid: [20, 10], formation: maneuver-column, front: 1}"
    assert not scenario(project, "place:", new)


def test_an_army_not_deployed_is_sound_alone_and_not_in_a_scenario(project: Path) -> None:
    assert not check_files([project / "armies/blue.yaml"])
    faults = scenario(project, "  - {id: blucher, at: [12, 4]}\n", "")
    assert len(faults) == 1
    assert faults[0].startswith("armies/blue.yaml:6:5: unit 'blucher': 'at' is missing")


def test_faults_of_every_file_come_together(project: Path) -> None:
    (project / "maps/ground.yaml").write_text(MAP.replace("lake", "lago"))
    (project / "armies/blue.yaml").write_text(ARMY.replace("bases: 2", "bases: 22"))
    faults = scenario(project, "id: blucher, at", "id: bluecher, at")
    assert [fault.split(":")[0] for fault in faults].count("maps/ground.yaml") == 1
    assert any(fault.startswith("armies/blue.yaml:8") and "between" in fault for fault in faults)
    assert any("did you mean 'blucher'?" in fault for fault in faults)


def test_a_place_with_a_fault_is_told_in_the_scenario(project: Path) -> None:
    faults = scenario(project, "front: 4, formation: deployed", "front: 3, formation: maneuver-column")
    assert faults[0].startswith("scenarios/tse/ligny.yaml:8:")
    assert "unit 'tippelskirch': front" in faults[0]


def test_rules_must_agree(project: Path) -> None:
    (project / "armies/blue.yaml").write_text(ARMY.replace("rules: tse", "rules: tes"))
    assert "did you mean 'tse'?" in scenario(project)[0]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("../maps/ground.yaml", "leads out"),
        ("maps/../../secret.yaml", "leads out"),
        ("/etc/passwd", "absolute"),
        ("C:/maps/ground.yaml", "absolute"),
        ("~/ground.yaml", "leads out"),
        (r"maps\ground.yaml", "use '/': 'maps/ground.yaml'"),
        ("maps/grund.yaml", "did you mean 'maps/ground.yaml'?"),
        ("armies/blue.yaml", "this is a 'tabletop-army/1' where a 'tabletop-map/1' belongs"),
        ("maps", "there is no file"),
        ("x" * 190, "there is no file"),
        ("\U0001f3b2" * 190, "there is no file"),
        ("x" * 250, "cannot be the name"),
    ],
)
def test_a_name_that_leads_nowhere_or_outside_is_refused(project: Path, name: str, says: str) -> None:
    (project.parent / "secret.yaml").write_text(MAP)
    faults = scenario(project, "map: maps/ground.yaml", f"map: '{name}'")
    assert any(says in fault for fault in faults), faults


def test_a_link_that_leads_outside_is_refused_and_one_inside_is_read(project: Path, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside.yaml"
    outside.write_text(MAP)
    (project / "maps/out.yaml").symlink_to(outside)
    (project / "maps/in.yaml").symlink_to(project / "maps/ground.yaml")
    assert "link that leads out" in scenario(project, "maps/ground.yaml", "maps/out.yaml")[0]
    assert not scenario(project, "maps/ground.yaml", "maps/in.yaml")


def test_names_are_found_beside_the_file_then_in_the_project_then_installed(project: Path) -> None:
    assert not scenario(project, "maps/ground.yaml", "maps/bare.yaml")
    near = project / "scenarios/tse/maps"
    near.mkdir()
    (near / "ground.yaml").write_text(MAP.replace("width: 24", "width: 30"))
    scenario(project)
    assert load_scene(project / "scenarios/tse/ligny.yaml").table.width == 30.0


def test_a_map_or_an_army_alone_is_no_battle(project: Path) -> None:
    for name in ("maps/ground.yaml", "armies/blue.yaml"):
        with pytest.raises(Unreadable, match="name a scene or a scenario instead"):
            load_scene(project / name)


@pytest.mark.parametrize("what", ["missing", "folder"])
def test_what_is_no_file_is_told(tmp_path: Path, what: str) -> None:
    path = tmp_path if what == "folder" else tmp_path / "none.yaml"
    with pytest.raises(Unreadable, match="folder" if what == "folder" else "no such file"):
        load_scene(path)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_every_shipped_file_is_sound(path: Path) -> None:
    assert not [fault for fault in read_file(path).faults if not fault.warning]


def test_an_armys_colour_that_is_none_is_refused_with_the_cure(tmp_path: Path) -> None:
    text = (ROOT / "armies" / "tse" / "teaching-red.yaml").read_text("utf-8")
    path = tmp_path / "red.yaml"
    path.write_text(text.replace('"#a8322a"', "reddish"), "utf-8")
    [fault] = check_files([path])
    assert "'reddish' is no colour; write e.g. 'colour: \"#a8322a\"'" in str(fault)
