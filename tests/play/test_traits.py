"""Traits of units and of terrain: read from files, refused in one line each, kept wherever a battle is kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.codec import state_hash
from tabletop.battle.opening import opening_data, opening_of
from tabletop.battle.unit import pose_of, standing
from tabletop.errors import Unreadable
from tabletop.play.files.draft import laid
from tabletop.play.files.draft_from_file import draft_of
from tabletop.play.files.load import load_scene, load_table, read_file
from tabletop.play.files.schema import schemas
from tabletop.play.files.trait_words import trait_faults
from tabletop.play.saves.saved_opening import check_meaning, check_shape
from tabletop.rules import rule_set
from tabletop.rules.traits import TERRAIN, UNIT, pieces_with, traits_of, traits_on
from tests.games.positions import ROOT

#: Rule sets in whose books works count (AGE-CBT-08).
AGES = ("destiny", "reason", "gloire", "glaube")
FIELD = """format: tabletop-map/1
title: A field
rules: {rules}
table: {{unit: {unit}, width: 600, height: 400}}
terrain:
  - {{id: wall, name: Mill wall, kind: {kind}, {shape}, traits: {traits}}}
"""
LINE, BOX = "line: [[0, 10], [300, 10]]", "at: [50, 50], size: [40, 30]"


def written(folder: Path, rules: str = "destiny", traits: str = "[works]") -> Path:
    """Write a map with one piece, which has traits, and return its path."""
    unit = rule_set.find(rules).unit
    kind, shape = ("land", BOX) if rules == "sail" else ("wall", LINE)
    text = FIELD.format(rules=rules, unit=unit, kind=kind, shape=shape, traits=traits)
    (folder / "field.yaml").write_text(text, "utf-8")
    return folder / "field.yaml"


def told(path: Path) -> list[str]:
    """Return the faults of a file as lines, without the folder."""
    return [str(fault).removeprefix(f"{path.parent}/") for fault in sorted(read_file(path).faults)]


# --- in files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", AGES)
def test_a_piece_has_the_traits_its_entry_names(rules: str, tmp_path: Path) -> None:
    """AGE-CBT-08: a map names works; the four Ages know them."""
    battle = load_table(written(tmp_path, rules))
    assert battle.table.piece("wall").traits == ("works",)
    assert pieces_with(battle, "works") == (battle.table.piece("wall"),)
    assert [trait.rule for trait in traits_on(battle, battle.table.piece("wall"))] == ["AGE-CBT-08"]


@pytest.mark.parametrize(
    ("traits", "said"),
    [
        (
            "[work]",
            ":6:82: piece 'wall': traits: 'work' is no trait of terrain in Age of Destiny; did you mean 'works'?",
        ),
        ("[xy]", ":6:82: piece 'wall': traits: 'xy' is no trait of terrain in Age of Destiny; there are: works"),
        ("[works, works]", ":6:89: piece 'wall': traits: 'works' is named twice; name it once"),
        ("works", ":6:81: piece 'wall': traits must be a list, not the text 'works'; write e.g. 'traits: [works]'"),
        ("[4]", ":6:82: piece 'wall': traits must be text, not 4; put it in quotes: traits: '4'"),
        ("[]", ":6:81: piece 'wall': traits has 0 entries; it needs at least 1; write e.g. 'traits: [works]'"),
    ],
)
def test_a_wrong_trait_is_one_line_with_its_place_and_cure(traits: str, said: str, tmp_path: Path) -> None:
    assert told(written(tmp_path, traits=traits)) == [f"field.yaml{said}"]


@pytest.mark.parametrize("rules", ["tse", "realm-of-chance", "sail"])
def test_a_trait_of_other_rules_is_refused_by_naming_them(rules: str, tmp_path: Path) -> None:
    """Rules that have no traits say so, and whose the word is."""
    (line,) = told(written(tmp_path, rules))
    title = rule_set.find(rules).title
    ages = "Age of Destiny, Age of Reason, Age of Gloire and Age of Glaube"
    note = f"('works' is a trait of terrain of {ages})"
    assert f"traits: {title} has no traits of terrain; take 'works' out {note}" in line


def test_a_map_without_rules_may_have_any_trait_there_is(tmp_path: Path) -> None:
    """Whose rules it is, is seen in the scenario; a word that no rules have is a fault anywhere."""
    path = written(tmp_path, traits="[works, wroks]")
    path.write_text(path.read_text("utf-8").replace("rules: destiny\n", ""), "utf-8")
    (line,) = told(path)
    assert line.startswith("field.yaml:5:89: ") and "'wroks' is no trait of terrain of any rules; did you mean" in line
    scenario = tmp_path / "battle.yaml"
    scenario.write_text("format: tabletop-scenario/1\ntitle: B\nrules: realm-of-chance\nmap: field.yaml\narmies: [a]\n")
    faults = [fault.text for fault in read_file(scenario).faults if Path(fault.file).name == "field.yaml"]
    assert any("Realm of Chance has no traits of terrain; take 'works' out" in text for text in faults)


def test_a_trait_of_terrain_is_none_of_units(tmp_path: Path) -> None:
    """The fault stands at the word in the army file, and says what has such a trait."""
    army = tmp_path / "army.yaml"
    row = "{id: a, troop: infantry, quality: french-line, bases: 5, formation: line, traits: [works]}"
    army.write_text(
        f"format: tabletop-army/1\ntitle: A\nside: red\nrules: destiny\nunits:\n  - {row}\n", encoding="utf-8"
    )
    (line,) = [line for line in told(army) if "traits" in line]
    assert line.startswith("army.yaml:6:88: unit 'a': traits: Age of Destiny has no traits of units; take 'works' out")
    assert line.endswith("('works' is a trait of terrain)")
    assert not list(trait_faults((), rule_set.find("tse"), UNIT))


def test_traits_are_in_the_schemas_of_rules_that_have_them() -> None:
    """An editor completes them with their meaning, and marks the key where there are none."""
    made = schemas()
    row = made["map.gloire"]["$defs"]["TerrainRow"]["properties"]["traits"]
    (words,) = [part["items"]["oneOf"] for part in row["anyOf"] if "items" in part]
    meant = traits_of(rule_set.find("gloire"), TERRAIN)["works"].means
    assert words == [{"const": "works", "description": meant}]
    assert "traits" not in made["scene.tse"]["$defs"]["TerrainRow"]["properties"]
    assert "traits" not in made["army.gloire"]["$defs"]["UnitRow"]["properties"], "the Ages have none of units"
    assert "traits" in made["map"]["$defs"]["TerrainRow"]["properties"]


# --- kept ------------------------------------------------------------------------------------------------------------


def drill(**traits: tuple[str, ...]) -> Battle:
    """Return a battle of Destiny in which a unit and a piece of terrain have traits."""
    battle = load_scene(ROOT / "scenarios/destiny/lancers.yaml")
    units = tuple(replace(unit, traits=traits.get("units", ())) for unit in battle.units)
    pieces = [replace(piece, traits=traits.get("terrain", ())) for piece in battle.table.terrain]
    return replace(battle, units=units, table=battle.table.with_pieces(pieces))


def test_an_opening_keeps_traits_and_is_as_before_without_any() -> None:
    """A battle without traits is written, and its state hashed, as it always was."""
    plain, named = drill(), drill(units=("drilled", "steady"), terrain=("works",))
    assert plain.table.terrain and plain.units
    assert "traits" not in str(opening_data(plain))
    back = opening_of(opening_data(named))
    assert [u.traits for u in back.units] == [("drilled", "steady")] * len(named.units)
    assert {p.traits for p in back.table.terrain} == {("works",)}
    check_shape(opening_data(named))
    assert state_hash(named) == state_hash(plain), "no action changes a trait"


def test_a_saved_trait_that_the_rules_lack_is_refused() -> None:
    """A forged save is told in one line."""
    check_meaning(drill(terrain=("works",)))
    with pytest.raises(ValueError, match=r"unit '.*': traits: Age of Destiny has no traits of units; take 'steady'"):
        check_meaning(drill(units=("steady",)))
    with pytest.raises(ValueError, match=r"terrain '.*': traits: 'moat' is no trait of terrain in Age of Destiny"):
        check_meaning(drill(terrain=("moat",)))


def test_moving_turning_and_a_new_formation_keep_traits() -> None:
    """Whatever happens to a unit, or to a piece on the judge's table, it keeps what it is."""
    battle = drill(units=("steady",), terrain=("works",))
    unit, piece = battle.units[0], battle.table.terrain[0]
    pose: dict[str, Any] = {**pose_of(unit), "formation": "another"}
    moved = (unit.moved(1.0, 2.0), unit.turned(30.0), standing(unit, pose))
    assert all(one.traits == ("steady",) for one in moved)
    assert piece.moved(1.0, 2.0, 15.0).traits == ("works",)
    assert battle.table.with_pieces([piece.moved(9.0, 0.0)]).piece(piece.id).traits == ("works",)


def test_a_draft_of_a_battle_keeps_traits(tmp_path: Path) -> None:
    """The judge's table lays it out again as it was."""
    battle = load_table(written(tmp_path))
    again = laid(draft_of(battle)).battle
    assert again.table.piece("wall").traits == ("works",)


def test_a_row_that_its_rules_refuse_for_a_trait_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="no trait of terrain in Age of Destiny"):
        load_table(written(tmp_path, traits="[moat]"))
