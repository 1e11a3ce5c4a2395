"""A published rule set brings kinds of terrain and traits: usable, drawn, judged and kept where its rules are chosen.

The package of the guide is installed in a folder of its own, as in ``test_published``.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.published import described, put, written

MAP = """format: tabletop-map/1
title: Vines
rules: push-of-pike
table: {unit: in, width: 24, height: 18}
terrain:
  - {id: vines, name: The vines, kind: vineyard, outline: [[2, 2], [8, 2], [8, 6], [2, 6]]}
  - {id: wood, kind: woods, outline: [[12, 2], [18, 2], [18, 6], [12, 6]]}
"""
#: Two blocks on either side of a piece of ground that is as wide as both.
HIDDEN = """format: tabletop-scene/1
title: Hidden
rules: push-of-pike
table: {unit: in, width: 24, height: 18}
terrain:
  - {id: vines, kind: KIND, outline: [[2, 7], [22, 7], [22, 10], [2, 10]]}
units:
  - {id: swiss, side: red, troop: pikes, bases: 5, formation: block, traits: [drilled], at: [12, 5], facing: 0}
  - {id: landsknechts, side: blue, troop: pikes, bases: 5, formation: block, at: [12, 12], facing: 180}
game: {attacker: red, turns: 12}
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the package of the guide as an installer leaves it."""
    folder = written(tmp_path_factory.mktemp("vines"))
    described(folder, "push-of-pike", "push_of_pike.rule_set:RULES")
    return folder


def held(installed: Path, code: str, *more: Path) -> None:
    """Run code where the package is installed; it has to end without an error."""
    run = put(installed, "-c", f"{code}\nprint('held')", beside=more[0] if more else None)
    assert run.stdout.splitlines()[-1:] == ["held"], run.stdout + run.stderr


def faulty(installed: Path, folder: Path, file: str, old: str, new: str) -> Path:
    """Return a folder with a copy of the package in which one line of a data file is other."""
    for name in ("push_of_pike", "push_of_pike-1.0.dist-info"):
        shutil.copytree(installed / name, folder / name)
    path = folder / "push_of_pike" / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    return folder


# --- terrain ---------------------------------------------------------------------------------------------------------


def test_a_map_of_its_rules_has_its_kind_with_all_its_properties(installed: Path, tmp_path: Path) -> None:
    """Rough, tall, an inch to see into it, at the table's scale; a key of the piece overrides the definition."""
    path = tmp_path / "map.yaml"
    path.write_text(MAP, "utf-8")
    assert put(installed, "-m", "tabletop", "check", str(path)).stderr == ""
    held(
        installed,
        f"""
from tabletop.play.files.load import load_table
piece = load_table({str(path)!r}).table.piece("vines")
assert (piece.kind, piece.rules, piece.movement) == ("vineyard", "push-of-pike", "rough")
assert (piece.sight, piece.see_through, piece.cover_fire) == ("tall", 1.0, "none")
text = open({str(path)!r}).read().replace("kind: vineyard,", "kind: vineyard, movement: open, see_through: 2,")
open({str(path)!r}, "w").write(text)
piece = load_table({str(path)!r}).table.piece("vines")
assert (piece.movement, piece.see_through) == ("open", 2.0)
assert load_table({str(path)!r}).table.piece("wood").rules == ""
""",
    )


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("rules: tse", "map.yaml:6:40: piece 'vines': kind: There Stand Empires has no 'vineyard'; there are: woods, "),
        ("# no rules", "map.yaml:6:40: piece 'vines': kind: 'vineyard' is a kind of terrain of Push of Pike; "
         "add 'rules: push-of-pike' to the map"),
    ],
)  # fmt: skip
def test_other_rules_refuse_it_by_naming_its_owner(rules: str, said: str, installed: Path, tmp_path: Path) -> None:
    (tmp_path / "map.yaml").write_text(MAP.replace("rules: push-of-pike", rules), "utf-8")
    checked = put(installed, "-m", "tabletop", "check", str(tmp_path / "map.yaml"))
    (line,) = checked.stderr.splitlines()
    assert checked.returncode == 2 and said in line
    assert "('vineyard' is a kind of terrain of Push of Pike)" in line or "add 'rules: push-of-pike'" in line


def test_nowhere_else_is_it_a_kind(tmp_path: Path) -> None:
    """Without the package the word is unknown."""
    (tmp_path / "map.yaml").write_text(MAP.replace("rules: push-of-pike\n", ""), "utf-8")
    checked = put(tmp_path, "-m", "tabletop", "check", str(tmp_path / "map.yaml"))
    assert "'vineyard' is no kind; there are: woods, " in checked.stderr


def test_its_kinds_are_known_without_importing_it(installed: Path, tmp_path: Path) -> None:
    """Reading a map of other rules, or of none, and its refusal, import nothing of the package but its data."""
    path = tmp_path / "map.yaml"
    path.write_text(MAP.replace("rules: push-of-pike\n", ""), "utf-8")
    held(
        installed,
        f"""
import sys
from tabletop.play.files.load import read_file
from tabletop.rules import terrain_kinds
from tabletop.render.judge.placing import palette
faults = [fault.text for fault in read_file({str(path)!r}).faults]
assert len(faults) == 1 and "Push of Pike" in faults[0], faults
assert "vineyard" in terrain_kinds.every_kind() and terrain_kinds.owner("vineyard") == "push-of-pike"
assert "vineyard" not in palette("tse")
assert not [name for name in sys.modules if name.startswith("push_of_pike")]
assert palette("push-of-pike")[-1] == "vineyard"
""",
    )


@pytest.mark.parametrize(("kind", "seen"), [("vineyard", False), ("marsh", True)])
def test_the_law_of_sight_judges_it(kind: str, seen: bool, installed: Path, tmp_path: Path) -> None:
    """A vineyard hides what is behind it, as its definition says."""
    (tmp_path / "scene.yaml").write_text(HIDDEN.replace("KIND", kind), "utf-8")
    asked = put(
        installed,
        "-m",
        "tabletop",
        "judge",
        str(tmp_path / "scene.yaml"),
        "los",
        "swiss",
        "landsknechts",
        "--json",
        "--no-margin",
    )
    verdict = json.loads(asked.stdout)
    assert verdict["holds"] is seen and verdict["blockers"] == ([] if seen else ["vines"]), asked.stderr


def test_its_own_rules_judge_it_and_a_game_keeps_it(installed: Path, tmp_path: Path) -> None:
    """POP-MOV-02, POP-PSH-03: it slows a block, drill counts in a push, and both come back from a saved game."""
    scene = tmp_path / "scene.yaml"
    scene.write_text(HIDDEN.replace("KIND", "vineyard"), "utf-8")
    held(
        installed,
        f"""
from pathlib import Path
from tabletop.battle.action import Action
from tabletop.play.engine import judge
from tabletop.play.files.load import load_scene
from tabletop.play.session import Session
from tabletop.play.saves import save
from tabletop.play.saves.replay import battle_at, verify
from tabletop.play.files.draft import laid
from tabletop.play.files.draft_from_file import draft_of
battle = load_scene({str(scene)!r})
session = Session.start(battle, 1, autosave=Path({str(tmp_path / "game.jsonl")!r}))
verdict = judge(session.battle, Action("advance", "red", "swiss", options={{"distance": 4.0}}))
assert [r.rule for r in verdict.because if not r.holds] == ["POP-MOV-02"], verdict.because
session.do(Action("advance", "red", "swiss", options={{"distance": 2.0}}))
session.do(Action("done", "red"))
session.do(Action("advance", "blue", "landsknechts", options={{"distance": 2.0}}))
session.do(Action("done", "blue"))
session.do(Action("advance", "red", "swiss", options={{"distance": 2.0}}))
assert session.battle.unit("swiss").traits == ("drilled",) and session.battle.unit("landsknechts").traits == ()
session.do(Action("done", "red"))
pushed = session.do(Action("push", "blue", "landsknechts", "swiss"))
(totals,) = [event.values["totals"] for event in pushed.events if type(event).__name__ == "Told"]
faces = [event.face for event in pushed.events if type(event).__name__ == "Thrown"]
assert [total - face for total, face in zip(totals, faces)] == [5, 6], (totals, faces)
session.close()
saved = save.read({str(tmp_path / "game.jsonl")!r})
verify(saved)
back = battle_at(saved)
assert back.unit("swiss").traits == ("drilled",)
assert (back.table.piece("vines").kind, back.table.piece("vines").rules) == ("vineyard", "push-of-pike")
again = laid(draft_of(back)).battle
assert again.table.piece("vines").kind == "vineyard" and again.unit("swiss").traits == ("drilled",)
""",
    )


# --- on show ---------------------------------------------------------------------------------------------------------


def test_every_look_draws_it_in_its_colour_and_pattern(installed: Path, tmp_path: Path) -> None:
    """Map, print, grey and the painted table: its colour, lightened for print, with crosses; the small map too."""
    path = tmp_path / "map.yaml"
    path.write_text(MAP, "utf-8")
    held(
        installed,
        f"""
import numpy as np
from tabletop.play.files.load import load_table
from tabletop.render.drawing import scene
from tabletop.render.drawing.furniture import Page
from tabletop.render.drawing.landscape import store
from tabletop.render.drawing.landscape.painted import painting
from tabletop.render.drawing.locator import locator_items
from tabletop.render.drawing.primitives import Area, Lines
from tabletop.render.drawing.theme import apply_theme
battle = load_table({str(path)!r})
def fills(items):
    return [item.fill for item in items if isinstance(item, Area)]
def wash():
    return scene.terrain_layer(battle).layer("wash").items
assert "#9aa653" in fills(wash()) and any(isinstance(item, Lines) for item in wash())
assert "#9aa653" in fills(locator_items(battle, (0, 0, 9, 9), Page(1.0, 0.0, 0.0), (0, 0, 99, 99)))
apply_theme("plain", look="plain")
assert "#e6e9d4" in fills(wash())
apply_theme("grey")
assert "#999999" in fills(wash())
apply_theme("plain", look="painted")
rgb = painting(battle.table, 16.0).astype(int)
ground = rgb[12 * 16 + 8 : 16 * 16 - 8, 2 * 16 + 8 : 8 * 16 - 8]
assert np.abs(np.median(ground, axis=(0, 1)) - (154, 166, 83)).max() < 25
light = ground.sum(axis=2)
assert 0.05 < (light < np.median(light) - 40).mean() < 0.4, "crosses"
from dataclasses import replace
bare = replace(battle.table, terrain=tuple(replace(p, rules="") for p in battle.table.terrain))
assert store.digest(battle.table) != store.digest(bare)
""",
    )


def test_legends_and_cards_explain_it(installed: Path, tmp_path: Path) -> None:
    """The legend of the window, the chart in letters, the cards of a unit."""
    scene = tmp_path / "scene.yaml"
    scene.write_text(HIDDEN.replace("KIND", "vineyard"), "utf-8")
    held(
        installed,
        f"""
from tabletop.play.files.load import load_scene
from tabletop.play.session import Session
from tabletop.render.table import captions, legend
from tabletop.render.table.model import TableModel
from tabletop.terminal.chart import chart
from tabletop.terminal.views import card
battle = load_scene({str(scene)!r})
model = TableModel(battle)
told = [entry.words for entry in legend.entries(model)]
assert "Vineyard: Vines on poles: a block goes 2 in at most into them, and they hide what is behind" in told, told
assert "<br>Drilled: it adds 1 to its total in a push" in captions.unit_card(battle.unit("swiss"), model)
assert "Drilled" not in captions.unit_card(battle.unit("landsknechts"), model)
drawn = chart(battle)
assert "^" * 40 in drawn and "^ vineyard: Vines on poles" in drawn
assert card(Session.start(battle, 1).battle, battle.unit("swiss")).endswith("; drilled")
from tabletop.play.files.schema import schemas
made = schemas()
assert "vineyard" in made["scene.push-of-pike"]["$defs"]["TerrainRow"]["properties"]["kind"]["enum"]
assert "vineyard" not in made["scene.tse"]["$defs"]["TerrainRow"]["properties"]["kind"]["enum"]
assert "drilled" in str(made["army.push-of-pike"]) and "drilled" not in str(made["army.tse"])
""",
    )


# --- traits ----------------------------------------------------------------------------------------------------------


def test_its_trait_is_refused_elsewhere_by_naming_it(installed: Path, tmp_path: Path) -> None:
    """A misspelling is told its cure; under other rules the fault says whose trait it is."""
    scene = tmp_path / "scene.yaml"
    text = HIDDEN.replace("KIND", "marsh")
    scene.write_text(text.replace("[drilled]", "[driled]"), "utf-8")
    (line,) = put(installed, "-m", "tabletop", "check", str(scene)).stderr.splitlines()
    assert "scene.yaml:8:79: unit 'swiss': traits: 'driled' is no trait of units in Push of Pike; did you mean" in line
    scene.write_text(text.replace("rules: push-of-pike", "rules: destiny").replace("unit: in", "unit: mm"), "utf-8")
    lines = put(installed, "-m", "tabletop", "check", str(scene)).stderr.splitlines()
    said = "traits: Age of Destiny has no traits of units; take 'drilled' out ('drilled' is a trait of units of Push"
    assert any(said in line for line in lines), lines


# --- faults of a package ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("terrain.toml", 'movement = "rough"', 'movement = "slow"',
         "[kind.vineyard] movement = 'slow'; it must be open, rough, impassable, road, linear, choke, town"),
        ("terrain.toml", 'sign = "^"', 'sign = "V"',
         "[kind.vineyard] sign = 'V'; give a character that is neither letter nor digit"),
        ("terrain.toml", 'colour = "#9aa653"', 'colour = "green"', "[kind.vineyard] colour = 'green'; give such as"),
        ("terrain.toml", 'colour = "#9aa653"', "", "[kind.vineyard] lacks colour; give such as"),
        ("terrain.toml", "see_through = 1.0", "see_thru = 1.0", "[kind.vineyard] see_thru: there is no such key"),
        ("terrain.toml", "see_through = 1.0", "see_through = -1", "[kind.vineyard] see_through = -1; it must be a num"),
        ("terrain.toml", "[kind.vineyard]", "[kind.woods]", "[kind.woods] has the name of a kind that every program"),
        ("terrain.toml", "[kind.vineyard]", "[kind.vineyard", "terrain.toml: "),
        ("traits.toml", "[unit.drilled]", "[units.drilled]", "'units' is no section; write [unit.name] or"),
        ("traits.toml", "means = ", "meant = ", "[unit.drilled] meant: there is no such key"),
        ("traits.toml", 'rule = "POP-PSH-03"', "rule = 3", "[unit.drilled] rule = 3; give the id of the rule"),
        ("traits.toml", 'rule = "POP-PSH-03"', 'given = {sight = "tall"}', "[unit.drilled] given: there is no such"),
    ],
)  # fmt: skip
def test_a_faulty_file_of_a_package_is_one_line(
    file: str, old: str, new: str, said: str, installed: Path, tmp_path: Path
) -> None:
    """Its file, section, key, value and cure; files of other rules are read all the same."""
    folder = faulty(installed, tmp_path, file, old, new)
    code = (
        "from tabletop.rules.registry import broken, loadable; (fault,) = broken().values();"
        "assert 'push-of-pike' not in [rules.name for rules in loadable()];"
        "from tabletop.play.files.opened import open_battle; open_battle('starter');"
        "print(fault)"
    )
    asked = put(folder, "-c", code)
    assert asked.returncode == 0, asked.stderr
    line = asked.stdout.splitlines()[-1]
    assert file in line and said in line and line.endswith("ask the author of these rules, or uninstall them")


def test_a_scene_of_faulty_rules_is_refused_in_one_line(installed: Path, tmp_path: Path) -> None:
    """Whoever chooses the rules is told what is wrong with them."""
    folder = faulty(installed, tmp_path, "terrain.toml", 'movement = "rough"', 'movement = "slow"')
    checked = put(folder, "-m", "tabletop", "check", str(folder / "push_of_pike/scenarios/two-blocks.yaml"))
    assert checked.returncode == 2 and "Traceback" not in checked.stderr
    assert "movement = 'slow'; it must be open" in checked.stderr.splitlines()[-1]
    told = put(folder, "-m", "tabletop", "doctor").stdout
    assert "ILL  rule set push-of-pike: " in told and "cure: ask the author of these rules" in told
