"""Files of both rule sets side by side: each unit of length its own presets, each army its own words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.errors import Unreadable
from tabletop.play.files.load import load_scene_data, load_table, read_file

ROOT = Path(__file__).parents[2]


def scene(unit: str, rules: str) -> dict[str, object]:
    wood = {"id": "wood", "kind": "woods", "at": [10, 10], "size": [5, 5]}
    road = {"id": "road", "kind": "road", "line": [[0, 2], [20, 2]]}
    table = {"unit": unit, "width": 40, "height": 40}
    return {"format": "tabletop-scene/1", "title": "t", "rules": rules, "table": table, "terrain": [wood, road]}


@pytest.mark.parametrize(("unit", "rules", "inch"), [("in", "tse", 1.0), ("mm", "realm-of-chance", 25.4)])
def test_preset_lengths_are_inches_on_every_table(unit: str, rules: str, inch: float) -> None:
    table = load_scene_data(scene(unit, rules)).table
    assert table.piece("wood").see_through == pytest.approx(3.0 * inch)
    assert table.piece("road").width == pytest.approx(1.0 * inch)


def test_a_map_is_drawn_by_the_rules_of_its_unit_of_length() -> None:
    assert load_table(ROOT / "maps/wachau.yaml").rules == "realm-of-chance"
    assert load_table(ROOT / "maps/teaching-table.yaml").rules == "tse"


def test_rules_and_table_must_agree() -> None:
    with pytest.raises(Unreadable, match="measured in 'mm'"):
        load_scene_data(scene("in", "realm-of-chance"))


def test_an_army_not_yet_deployed_is_checked_whatever_its_formations(tmp_path: Path) -> None:
    """Guns form no line and officers nothing: the stand-ins for a place are no faults of the file."""
    army = tmp_path / "army.yaml"
    army.write_text(
        "format: tabletop-army/1\ntitle: t\nside: blue\nrules: realm-of-chance\nunits:\n"
        "  - {id: guns, troop: heavy-artillery, quality: french}\n"
        "  - {id: aide, troop: staff-officer}\n"
        "  - {id: guard, troop: infantry, quality: french-old-guard}\n"
        "  - {id: wrong, troop: infantry, quality: french-old-guard, bases: 9}\n",
        encoding="utf-8",
    )
    assert [fault.text for fault in read_file(army).faults] == ["unit 'wrong': bases: 9 is not between 1 and 5"]
