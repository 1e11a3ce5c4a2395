"""Files opened in the workshop, changed and saved: each change goes where it belongs, and nothing else is touched."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from difflib import ndiff
from pathlib import Path
from typing import Any

import pytest

from tabletop.battle.opening import opening_data, opening_of
from tabletop.errors import BadQuestion, Unreadable
from tabletop.play.files import named_files
from tabletop.play.files.check import check_files
from tabletop.play.files.draft import Draft, laid
from tabletop.play.files.draft_from_file import draft_of, open_draft
from tabletop.play.files.load import load_scene
from tabletop.play.workshop import muster
from tabletop.play.workshop.sources import open_work, ours, renewed_origin, written

ROOT = Path(__file__).resolve().parents[2]
SCENES = sorted(ROOT.glob("scenarios/*/*.yaml"))
MAPS = sorted(ROOT.glob("maps/*.yaml"))
ARMIES = sorted(ROOT.glob("armies/*/*.yaml"))


def own(folder: Path) -> Path:
    """Copy the starter with its map and armies into a folder of one's own; return the scenario."""
    for name in ("scenarios/tse/starter.yaml", "maps/weidenau.yaml", *_armies()):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder / "scenarios" / "tse" / "starter.yaml"


def _armies() -> list[str]:
    return list(named_files.read(ROOT / "scenarios/tse/starter.yaml").data["armies"])


def changed(path: Path, change: Callable[[Draft], Draft]) -> dict[str, list[str]]:
    """Open a file, change it and save it; return the lines that are gone (-) and new (+) of every file written."""
    opened = open_work(path)
    texts = written(change(opened.draft), opened.origin, path)
    assert not texts.renewed
    found = {}
    for each, text in texts.texts.items():
        before = each.read_text("utf-8").splitlines()
        lines = [line for line in ndiff(before, text.splitlines()) if line[0] in "+-"]
        if lines:
            found[each.name] = lines
        each.write_text(text, "utf-8")
    assert not [fault for fault in check_files([path]) if not fault.warning]
    return found


@pytest.mark.parametrize("path", [*SCENES, *MAPS, *ARMIES], ids=lambda path: path.stem)
def test_what_is_opened_and_saved_unchanged_is_the_same(path: Path) -> None:
    opened = open_work(path)
    texts = written(opened.draft, opened.origin, path).texts
    assert texts == {path: path.read_text("utf-8")}
    assert laid(opened.draft).sound


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_a_scenario_is_laid_out_as_it_is_read(path: Path) -> None:
    """Every unit stands where the file's own reader puts it, and the same battle is fought for the same things."""
    found, wanted = laid(open_work(path).draft).battle, load_scene(path)
    assert [unit.bases for unit in found.units] == [unit.bases for unit in wanted.units]
    assert (found.setup, [u.id for u in found.awaited]) == (wanted.setup, [u.id for u in wanted.awaited])


GROUND = """format: tabletop-map/1
title: Downs
table: {unit: in, width: 30, height: 20}
fields:  # by the parish map
  - {crop: rye, outline: [[5, 5], [12, 6], [11, 12]]}
terrain:
  - {id: copse, kind: woods, outline: [[1, 1], [4, 1], [4, 4]]}
credits: The parish map.
notes: Walked in May.
"""


def test_fields_credits_and_notes_of_a_map_stay(tmp_path: Path) -> None:
    path = tmp_path / "downs.yaml"
    path.write_text(GROUND, "utf-8")
    assert changed(path, lambda draft: replace(draft, title="The Downs")) == {
        "downs.yaml": ["- title: Downs", "+ title: The Downs"]
    }


def test_fields_are_those_of_the_map_in_a_battle_its_saved_game_and_a_scene_of_it(tmp_path: Path) -> None:
    """Also where the scenario's ground is changed in the workshop: the map keeps them, the scenario gets none."""
    path = own(tmp_path)
    ground = tmp_path / "maps" / "weidenau.yaml"
    ground.write_text(
        ground.read_text("utf-8") + "fields:\n  - {crop: rye, outline: [[5, 5], [9, 5], [9, 9]]}\n", "utf-8"
    )
    battle = load_scene(path)
    assert [(one.crop, one.outline.area) for one in battle.table.fields] == [("rye", 8.0)]
    assert opening_of(opening_data(battle)).table.fields == battle.table.fields
    assert laid(open_draft(path)).battle.table.fields == battle.table.fields
    assert laid(draft_of(battle)).battle.table.fields == battle.table.fields
    piece = open_work(path).draft.terrain[0]
    lines = changed(path, lambda draft: draft.with_rows([], [{**piece, "name": "Elsewhere"}]))
    assert list(lines) == ["weidenau.yaml"] and not any("fields" in line for line in lines["weidenau.yaml"])
    assert load_scene(path).table.fields == battle.table.fields


def test_faults_of_fields_are_told_in_one_line_each(tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    rows = (
        "{crop: rey, outline: [[5, 5], [12, 6], [11, 12]]}",
        "{crop: rye, outline: [[5, 5], [12, 6], [5, 6], [12, 5]]}",
        "{crop: rye}",
    )
    head = GROUND.partition("fields:")[0]
    path.write_text(head + "fields:\n" + "".join(f"  - {row}\n" for row in rows), "utf-8")
    told = [(fault.line, fault.text) for fault in check_files([path])]
    assert [line for line, _ in told] == [5, 6, 7]
    assert "did you mean 'rye'" in told[0][1] and "crosses" in told[1][1] and "'outline' is missing" in told[2][1]


def test_a_place_goes_into_the_scenario_alone(tmp_path: Path) -> None:
    path = own(tmp_path)
    row = open_work(path).draft.unit("auer")
    lines = changed(path, lambda draft: draft.with_rows([{**row, "at": [9.0, 18.0]}]))
    assert list(lines) == ["starter.yaml"]
    assert load_scene(path).unit("auer").at == pytest.approx((9.0, 18.0), abs=0.001)
    assert len(lines["starter.yaml"]) <= 3


def test_strength_and_names_go_into_the_army(tmp_path: Path) -> None:
    path = own(tmp_path)
    row = open_work(path).draft.unit("auer")
    lines = changed(path, lambda draft: draft.with_rows([{**row, "name": "Auer's brigade"}]))
    assert list(lines) == ["starter-austrian.yaml"] and len(lines["starter-austrian.yaml"]) == 2
    assert load_scene(path).unit("auer").name == "Auer's brigade"


def test_ground_goes_into_the_map(tmp_path: Path) -> None:
    path = own(tmp_path)
    pond = {"id": "pond", "kind": "lake", "outline": [[2, 2], [4, 2], [3, 4]]}
    lines = changed(path, lambda draft: draft.with_rows(terrain=[pond]))
    assert lines == {"weidenau.yaml": ["+   - {id: pond, kind: lake, outline: [[2, 2], [4, 2], [3, 4]]}"]}


def test_a_unit_taken_away_and_a_new_one(tmp_path: Path) -> None:
    path = own(tmp_path)
    draft = open_work(path).draft
    gone = changed(path, lambda draft: draft.without(["auer"]))
    assert all(line.startswith("-") and "auer" in line for lines in gone.values() for line in lines)
    row = {"id": "new-1", "side": "austrian", "troop": "infantry", "bases": 4, "formation": "deployed"}
    changed(path, lambda draft: draft.with_rows([{**row, "at": [9.0, 18.0], "facing": 180.0}]))
    assert load_scene(path).has("new-1") and not load_scene(path).has("auer")
    assert draft.has("auer")


def test_terms_of_the_battle(tmp_path: Path) -> None:
    path = own(tmp_path)

    def sooner(draft: Draft) -> Draft:
        game: dict[str, Any] = {**draft.rest["game"], "turns": 4}
        return replace(draft, rest={**draft.rest, "game": game}, title="Weidenau at noon")

    lines = changed(path, sooner)
    assert sum(line[0] == "+" for line in lines["starter.yaml"]) == 2
    assert load_scene(path).setup.turns == 4 and load_scene(path).title == "Weidenau at noon"


def test_saving_again_goes_on_from_what_was_saved(tmp_path: Path) -> None:
    path = own(tmp_path)
    opened = open_work(path)
    draft, origin = opened.draft, opened.origin
    for x in (8.0, 9.0, 10.0):
        draft = draft.with_rows([{**draft.unit("auer"), "at": [x, 18.0]}])
        texts = written(draft, origin, path).texts
        for each, text in texts.items():
            each.write_text(text, "utf-8")
        origin = renewed_origin(origin, draft, path, texts)
        assert load_scene(path).unit("auer").at == pytest.approx((x, 18.0), abs=0.001)


def test_what_comes_with_the_program_is_not_written_over() -> None:
    path = ROOT / "scenarios/tse/starter.yaml"
    opened = open_work(path)
    assert ours(path)
    pond = {"id": "pond", "kind": "lake", "outline": [[2, 2], [4, 2], [3, 4]]}
    with pytest.raises(BadQuestion, match="comes with the program"):
        written(opened.draft.with_rows(terrain=[pond]), opened.origin, Path("mine.yaml"))


def test_a_faulty_file_is_refused_with_its_line() -> None:
    with pytest.raises(Unreadable, match=r"faulty-map.yaml:5:49"):
        open_work(ROOT / "docs/examples/faulty-map.yaml")


def test_troubles_are_told_where_they_are() -> None:
    draft = open_work(ROOT / "scenarios/tse/starter.yaml").draft
    row, other = draft.unit("auer"), draft.unit("steiner")
    found = laid(draft.with_rows([{**row, "at": other["at"]}])).troubles
    assert [(each.part, each.key) for each in found] == [("units", "at")]
    assert "overlaps" in found[0].text and "line" not in found[0].text
    found = laid(draft.with_rows([{**row, "bases": 99}])).troubles
    assert ("auer", "bases") in {(each.row, each.key) for each in found}
    game = {**draft.rest["game"], "arrivals": [{"units": ["nobody"], "turn": 2, "at": [0, 3]}]}
    found = laid(replace(draft, rest={"game": game})).troubles
    assert [(each.part, each.row) for each in found] == [("arrivals", "0")]


def test_the_library_and_points() -> None:
    draft = Draft("Field", "tse", {"unit": "in", "width": 48, "height": 36})
    force = next(each for each in muster.library("tse") if each.name == "starter-french")
    draft = muster.taken_over(draft, laid(draft).battle, force, "blue", None)
    draft = muster.taken_over(draft, laid(draft).battle, force, "red", 20.0)
    found = laid(draft)
    assert found.sound and draft.sides == ("blue", "red")
    assert muster.total(draft, "red") == pytest.approx(20.0, abs=4.0)
    names = [row["id"] for row in muster.roster(draft, "blue")]
    assert sorted(names) == sorted(row["id"] for row in draft.units if row["side"] == "blue")
    for row in muster.roster(draft, "blue"):
        if row.get("parent"):
            assert names.index(row["parent"]) < names.index(row["id"])
    new = muster.named_row(draft, {"troop": "infantry", "bases": 4, "formation": "deployed"}, "blue")
    assert laid(muster.added(draft, found.battle, new)).sound
