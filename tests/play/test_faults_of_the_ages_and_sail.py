"""Slips in files of Age of Sail, the Ages and Realm of Chance: each one line with place and a cure of its own rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.play.files import faults as faults_in_words
from tabletop.play.files.check import check_files
from tabletop.play.files.models import FILES
from tabletop.rules import rule_set

SAIL = """\
format: tabletop-scene/1
title: A
rules: sail
table: {unit: cm, width: 100, height: 80}
units:
  - {id: a, side: red, troop: frigate, at: [50, 50], facing: 0}
  - {id: b, side: blue, troop: frigate, at: [90, 50], facing: 0}
"""
DESTINY = """\
format: tabletop-scene/1
title: A
rules: destiny
table: {unit: mm, width: 900, height: 600}
units:
  - {id: a, side: red, troop: infantry, quality: french-line, formation: line, at: [100, 50], facing: 0}
"""


def told(folder: Path, text: str) -> list[str]:
    """Return the faults of a file holding ``text``, without its name."""
    path = folder / "file.yaml"
    path.write_text(text, "utf-8")
    return [str(fault).removeprefix(f"{path}:") for fault in check_files([path])]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("troop: frigate, at: [50, 50]", "at: [50, 50]", "'troop' is missing; write e.g. 'troop: ship-of-the-line'"),
        ("facing: 0}\n  -", "facing: 0, bases: six}\n  -", "not the text 'six'; write e.g. 'bases: 1'"),
        ("facing: 0}\n  -", "facing: 0, bases: 2}\n  -", "bases: it is always 1; leave bases out"),
        ("facing: 0}\n  -", "facing: 0, rank: corps}\n  -", "rank: these rules have no rank; leave it out"),
        ("facing: 0}\n  -", "facing: 0, parent: b}\n  -", "parent: these rules have no use for parent; leave it out"),
        ("facing: 0}\n  -", "facing: 0, strength_override: true}\n  -", "no use for strength_override; leave it out"),
        ("at: [50, 50], ", "", "'at' is missing; give at: [x, y]"),
        ("table: {unit: cm, width: 100, height: 80}", "table: 3", "'table: {unit: cm, width: 180, height: 120}'"),
        ("title: A\n", "title: A\nrulings: [x]\n", "write e.g. 'rulings: {wind_point: eighth}'"),
        ("title: A\n", "title: A\ngame: {options: 3}\n", "write e.g. 'options: {wind_from: 270}'"),
        ("title: A\n", "title: A\ngame: {starts: 1530}\n", "must be text, not 1530; write e.g. 'starts: \"15:30\"'"),
        ("title: A\n", "title: A\nplace: []\n", "'place' does not belong here: the units of a scene say themselves"),
        ("title: A\n", "title: A\narmies: []\n", "'armies' does not belong here: a scene has its units inline"),
    ],
)  # fmt: skip
def test_the_cure_is_one_of_these_rules(tmp_path: Path, old: str, new: str, says: str) -> None:
    """A message in a file of Age of Sail names nothing that Age of Sail refuses."""
    assert old in SAIL
    found = told(tmp_path, SAIL.replace(old, new, 1))
    assert any(says in line for line in found), found
    assert not any("infantry" in line or "front_mid" in line or "unit: in" in line for line in found)


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ("bases: 9", "6:113: unit 'a': bases: 9 is not between 1 and 5"),
        ("status: disordered", "('disordered' is a status of There Stand Empires)"),
        ("strength_override: true", "these rules have no use for strength_override; leave it out"),
        ("lost: 1", "'bases' is missing beside it"),
    ],
)
def test_units_of_the_ages(tmp_path: Path, keys: str, says: str) -> None:
    """A unit's key is refused where it stands."""
    (line,) = told(tmp_path, DESTINY.replace("facing: 0}", f"facing: 0, {keys}}}"))
    assert says in line


def test_a_map_and_an_army_hold_nothing_else(tmp_path: Path) -> None:
    """What belongs in a scene or scenario is said to belong there, and is not taken for a misspelling."""
    text = "format: tabletop-map/1\ntitle: M\nunits: []\ntable: {unit: cm, width: 40, height: 30}\n"
    (line,) = told(tmp_path, text)
    assert line == "3:1: 'units' does not belong here: a map has its ground alone; units and the game belong in a " \
                   "scenario or a scene"  # fmt: skip
    (line,) = told(tmp_path, "format: tabletop-army/1\ntitle: M\nrules: sail\nside: red\nunits: {}\n")
    assert line.endswith("units must be a list, not a block of keys; write e.g. "
                         "'units: [{id: a, troop: ship-of-the-line, ...}]'")  # fmt: skip


def test_a_scenario_on_a_map_of_another_unit_is_one_fault(tmp_path: Path) -> None:
    """Neither the kinds on the map nor the places of units are checked on a table of another unit."""
    text = "format: tabletop-scenario/1\ntitle: M\nrules: sail\nmap: maps/weidenau.yaml\n"
    found = told(tmp_path, text + "armies: [armies/sail/dutch-long-sand.yaml]\n")
    assert found == ["4:6: map: Age of Sail is measured in 'cm', the table of this map in 'in'; name a map in 'cm'"]


def test_units_are_not_looked_up_in_armies_that_cannot_be_read(tmp_path: Path) -> None:
    """A faulty list of armies is one fault; the units placed are not said to be missing as well."""
    text = "format: tabletop-scenario/1\ntitle: M\nrules: sail\nmap: maps/long-sand.yaml\n"
    (line,) = told(tmp_path, text + "armies: sail.yaml\nplace: [{id: gouda, at: [9, 9]}]\n")
    assert "write e.g. 'armies: [armies/sail/red.yaml, armies/sail/blue.yaml]'" in line


@pytest.mark.parametrize("name", rule_set.BUILT_IN)
def test_every_key_that_may_be_missing_has_an_example(name: str) -> None:
    """No cure reads "write 'key: ...'" for a key of a file that must be there."""
    rules = rule_set.find(name)
    needed = {key for model in FILES.values() for key, field in model.model_fields.items() if field.is_required()}
    assert [key for key in needed if "..." in faults_in_words.example(key, rules)] == []
