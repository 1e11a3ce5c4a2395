"""Maida as its scenario has it, and with the French in line as its other reading has them."""

from __future__ import annotations

import re
from pathlib import Path

from tabletop.play.files.load import load_scene

ROOT = Path(__file__).parents[3]


def test_the_french_in_line_take_one_hash_off_five_lines(tmp_path: Path) -> None:
    """The block in the scenario's comment is sound, and only the four battalions of the first line change."""
    text = (ROOT / "scenarios/destiny/maida.yaml").read_text(encoding="utf-8")
    lines, found = re.subn(r"^#(place:|  - )", r"\1", text, flags=re.MULTILINE)
    assert found == 5
    usual, other = ROOT / "scenarios/destiny/maida.yaml", tmp_path / "maida.yaml"
    other.write_text(lines, encoding="utf-8")
    columns, line = load_scene(usual), load_scene(other)
    changed = {unit.id: (columns.unit(unit.id).formation, unit.formation) for unit in line.units}
    assert {name for name, (was, now) in changed.items() if was != now} == {
        "1-1er-leger",
        "2-1er-leger",
        "1-42e-ligne",
        "2-42e-ligne",
    }
    assert all(changed[name] == ("column", "line") for name in ("1-1er-leger", "2-42e-ligne"))
    assert all(line.unit(name) == columns.unit(name) for name, (was, now) in changed.items() if was == now)
