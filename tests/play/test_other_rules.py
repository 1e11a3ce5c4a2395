"""What belongs to another rule set is refused by naming it; a map may say by which rules it is measured alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.errors import Unreadable
from tabletop.play.files.load import load_scene_data, load_table

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
