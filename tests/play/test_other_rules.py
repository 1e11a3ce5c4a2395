"""What belongs to another rule set is refused by naming it; a map may say by which rules it is measured alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.errors import Unreadable
from tabletop.geometry.terrain import presets
from tabletop.play.files.load import load_scene_data, load_table, read_file
from tabletop.rules import rule_set
from tabletop.rules.terrain_kinds import kinds_of, own_kinds

MAP = "format: tabletop-map/1\ntitle: A field\n{rules}table: {{unit: {unit}, width: 600, height: 400}}\n"


def written(folder: Path, rules: str, unit: str = "mm") -> Path:
    path = folder / "field.yaml"
    path.write_text(MAP.format(rules=f"rules: {rules}\n" if rules else "", unit=unit), "utf-8")
    return path


@pytest.mark.parametrize(
    ("rules", "troop", "said"),
    [
        ("tse", "lancer-cavalry", "('lancer-cavalry' is a troop of Age of Destiny)"),
        ("destiny", "light-foot-artillery", "('light-foot-artillery' is a troop of There Stand Empires)"),
        ("gloire", "frigate", "('frigate' is a troop of Age of Sail)"),
        ("gloire", "elephants", ""),
    ],
)
def test_troops_of_other_rules_are_refused_by_naming_them(rules: str, troop: str, said: str) -> None:
    unit = {"id": "a", "side": "red", "troop": troop, "at": [10, 10], "facing": 0, "formation": "line", "bases": 4}
    table = {"unit": "in" if rules == "tse" else "mm", "width": 400, "height": 400}
    with pytest.raises(Unreadable) as caught:
        load_scene_data({"format": "tabletop-scene/1", "title": "A", "rules": rules, "table": table, "units": [unit]})
    texts = [fault.text for fault in caught.value.faults]
    assert any(f"'{troop}' is no troop; " in text and text.endswith(said) for text in texts), texts
    assert said or not any(" is a troop of" in text for text in texts)


def test_a_map_may_name_its_rules(tmp_path: Path) -> None:
    """Unless it does, the first rule set of its unit measures it; one of another unit is refused."""
    assert load_table(written(tmp_path, "")).rules == "realm-of-chance"
    assert load_table(written(tmp_path, "gloire")).rules == "gloire"
    with pytest.raises(Unreadable, match="There Stand Empires measures in in, this table in mm"):
        load_table(written(tmp_path, "tse"))
    with pytest.raises(Unreadable, match="did you mean 'gloire'"):
        load_table(written(tmp_path, "glore"))


SCENE = {"format": "tabletop-scene/1", "title": "A", "table": {"unit": "mm", "width": 400, "height": 400}}
SQUARE = [[10, 10], [60, 10], [60, 60], [10, 60]]


def texts_of(rules: str, kind: str = "", **game: object) -> list[str]:
    """Return the faults of a scene by some rules with one piece of a kind and a block ``game``, if given."""
    unit = rule_set.find(rules).unit
    pieces = [{"id": "piece", "kind": kind, "outline": SQUARE}] if kind else []
    scene = {**SCENE, "rules": rules, "table": {"unit": unit, "width": 400, "height": 400}, "terrain": pieces}
    try:
        load_scene_data({**scene, **({"game": game} if game else {})})
    except Unreadable as error:
        return [fault.text for fault in error.faults]
    return []


@pytest.mark.parametrize("name", rule_set.BUILT_IN)
def test_the_kinds_of_terrain_of_a_rule_set_are_kinds_there_are(name: str) -> None:
    """A rule set's file names only known kinds, and it has all that it claims as its own."""
    kinds = kinds_of(rule_set.find(name))
    assert kinds and set(kinds) <= set(presets()) and set(own_kinds(name)) <= set(kinds)
    assert ("woods" in kinds) != ("sea" in kinds)


@pytest.mark.parametrize(
    ("rules", "kind", "cure"),
    [
        (
            "sail",
            "woods",
            "there are: sea, shoal, land ('woods' is a kind of terrain of There Stand Empires, Realm of Chance, ",
        ),
        ("sail", "building", "there are: sea, shoal, land ('building' is a kind of terrain of There Stand Empires, "),
        ("glaube", "sea", "('sea' is a kind of terrain of Age of Sail)"),
        ("realm-of-chance", "shoal", "('shoal' is a kind of terrain of Age of Sail)"),
        ("tse", "land", "('land' is a kind of terrain of Age of Sail)"),
    ],
)
def test_a_kind_of_terrain_of_other_rules_is_refused_by_naming_them(rules: str, kind: str, cure: str) -> None:
    """A piece of a kind that its rules do not have is one fault, which names the rules that have it."""
    (text,) = texts_of(rules, kind)
    assert text.startswith(f"piece 'piece': kind: {rule_set.find(rules).title} has no '{kind}'; ") and cure in text


def test_a_map_is_refused_where_the_kind_is_written(tmp_path: Path) -> None:
    """A map that names its rules is checked alone; one that does not, by the rules of the scenario on it."""
    woods = f"terrain:\n  - {{id: wood, kind: woods, outline: {SQUARE}}}\n"
    path = written(tmp_path, "sail", "cm")
    path.write_text(path.read_text("utf-8") + woods, "utf-8")
    (fault,) = read_file(path).faults
    assert (fault.line, fault.column) == (6, 22) and "Age of Sail has no 'woods'" in fault.text
    path.write_text(path.read_text("utf-8").replace("rules: sail\n", ""), "utf-8")
    assert not read_file(path).faults
    scenario = tmp_path / "battle.yaml"
    scenario.write_text("format: tabletop-scenario/1\ntitle: B\nrules: sail\nmap: field.yaml\narmies: [none.yaml]\n")
    faults = {Path(fault.file).name: fault.text for fault in read_file(scenario).faults}
    assert "Age of Sail has no 'woods'" in faults["field.yaml"]


def test_a_map_of_another_unit_is_refused_where_it_is_named(tmp_path: Path) -> None:
    """The fault stands at the key map, and says in which unit the rules and the map are measured."""
    written(tmp_path, "", "mm")
    scenario = tmp_path / "battle.yaml"
    scenario.write_text("format: tabletop-scenario/1\ntitle: B\nrules: sail\nmap: field.yaml\narmies: []\n")
    faults = [fault for fault in read_file(scenario).faults if fault.text.startswith("map")]
    assert [(fault.line, fault.column) for fault in faults] == [(4, 6)]
    told = "map: Age of Sail is measured in 'cm', the table of this map in 'mm'; name a map in 'cm'"
    assert faults[0].text == told


def test_a_scene_of_another_unit_is_told_its_own() -> None:
    """The cure names the unit of the rules, not another one."""
    with pytest.raises(Unreadable, match="unit: Age of Sail is measured in 'cm', not 'mm'; write 'unit: cm'"):
        load_scene_data({**SCENE, "rules": "sail"})


@pytest.mark.parametrize(
    ("rules", "option", "said"),
    [
        ("sail", "mist", "first, strike, decisive_lead ('mist' is an option of Age of Glaube"),
        ("glaube", "wind_from", "('wind_from' is an option of Age of Sail)"),
        ("sail", "wind_sped", "did you mean 'wind_speed'?"),
    ],
)
def test_options_of_other_rules_are_refused_by_naming_them(rules: str, option: str, said: str) -> None:
    """An option that the rules lack and others have is not taken for a misspelling."""
    texts = texts_of(rules, options={option: True})
    assert any(said in text for text in texts), texts


def test_rulings_of_other_rules_are_refused_by_naming_them() -> None:
    """A ruling that the rules lack names the rules that have it."""
    scene = {**SCENE, "rules": "sail", "rulings": {"thin_wood_transparent": True}}
    with pytest.raises(Unreadable, match=r"in Age of Sail; .*'thin_wood_transparent' is a ruling of There Stand Emp"):
        load_scene_data(scene)


def test_losses_before_the_battle_are_whole_bases() -> None:
    """SQP-TST-09: half a base cannot be lost."""
    texts = texts_of("destiny", options={"sauve_qui_peut": True, "lost_before": 2.5})
    said = "option 'lost_before' cannot be 2.5; it must be a whole number from 0 to 500"
    assert said in texts
    assert said not in texts_of("destiny", options={"sauve_qui_peut": True, "lost_before": 2})


FOOT = {"troop": "infantry", "quality": "french-line", "formation": "line"}
GUNS = {"troop": "foot-artillery", "quality": "french", "formation": "unlimbered"}


@pytest.mark.parametrize(
    ("rules", "row", "said"),
    [
        ("destiny", GUNS, ""),
        ("destiny", FOOT, "unit 'a': status: no status 'abandoned'; one of: ok, disrupted, routing"),
        ("destiny", {"troop": "general"}, "unit 'a': status: a general has no status; leave it out"),
        ("tse", {"troop": "light-foot-artillery"}, "('abandoned' is a status of Realm of Chance, Age of Destiny, "),
        ("sail", {"troop": "frigate"}, "'abandoned' is no status; there are: "),
    ],
)
def test_abandoned_guns_are_a_state_of_batteries_of_the_ages(rules: str, row: dict[str, str], said: str) -> None:
    """SQP-TST-08: a file says that a crew has run, of batteries alone; others are refused in one line each."""
    unit = {"id": "a", "side": "red", "at": [200, 200], "facing": 0, "status": "abandoned", **row}
    table = {"unit": rule_set.find(rules).unit, "width": 400, "height": 400}
    scene = {**SCENE, "rules": rules, "table": table, "units": [unit]}
    if not said:
        (gun,) = load_scene_data(scene).units
        assert gun.in_order and gun.marks["abandoned"] is True
        return
    with pytest.raises(Unreadable) as caught:
        load_scene_data(scene)
    assert any(said in fault.text for fault in caught.value.faults), caught.value
