"""What there is to open: battles, kept games, and files that cannot be opened."""

from pathlib import Path

import pytest

from tabletop.play import engine
from tabletop.play.files.load import load_scene
from tabletop.play.saves import library
from tabletop.play.saves.library import Field, Kept, Unfit
from tabletop.play.session import Session
from tabletop.rules import rule_set

ROOT = Path(__file__).resolve().parents[2]
SKIRMISH = ROOT / "scenarios" / "tse" / "skirmish.yaml"


def begun(path: Path) -> Session:
    return Session.start(load_scene(SKIRMISH), 3, {"red": "human", "blue": "greedy"}, path)


def test_every_installed_battle_can_be_begun() -> None:
    paths = library.installed_battles().paths
    assert {path.parent.name for path in paths} == set(rule_set.NAMES)
    for path in paths:
        found = library.field(path)
        assert isinstance(found, Field) and len(found.battle.setup.sides) == 2 and found.about
        engine.begin(found.battle, 1)


def test_disputed_positions_are_no_battles() -> None:
    assert not any("disputes" in path.parts for path in library.installed_battles().paths)


def test_a_game_is_told_as_it_was_left(tmp_path: Path) -> None:
    session = begun(tmp_path / "a.jsonl")
    found = library.game(tmp_path / "a.jsonl")
    assert isinstance(found, Kept) and found.battle == session.battle
    assert found.players == {"red": "human", "blue": "greedy"} and found.actions == 0 and not found.over


def test_only_files_of_the_kind_are_listed_the_newest_first(tmp_path: Path) -> None:
    import os

    for age, name in enumerate(("a.jsonl", "c.JSONL", "b.jsonl", "x.yaml", ".hidden.jsonl")):
        (tmp_path / name).write_text("x")
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    assert [path.name for path in library.kept_games(tmp_path).paths] == ["a.jsonl", "c.JSONL", "b.jsonl"]
    assert [path.name for path in library.own_battles(tmp_path).paths] == ["x.yaml"]


def test_a_folder_not_there_is_empty_one_that_cannot_be_read_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert library.kept_games(tmp_path / "none") == library.Library()

    def refused(_: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refused)
    found = library.kept_games(tmp_path)
    assert found.paths == () and "Permission denied" in found.trouble and str(tmp_path) in found.trouble


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("x.yaml", "format: tabletop-scene/1\ntitle: [", ""),
        ("x.yaml", "format: tabletop-map/1\ntitle: A map\ntable: {unit: in, width: 10, height: 10}\n", "no units"),
        ("x.yaml", "", "the file is empty"),
        ("x.json", "{}", "'format' is missing"),
    ],
)
def test_a_battle_that_cannot_be_read_says_why_in_a_line(tmp_path: Path, name: str, text: str, word: str) -> None:
    (tmp_path / name).write_text(text)
    found = library.field(tmp_path / name)
    assert isinstance(found, Unfit) and word in found.why and "\n" not in found.why and found.why


def test_a_battle_of_one_side_alone_is_none(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(
        "format: tabletop-scene/1\ntitle: Alone\nrules: tse\ntable: {unit: in, width: 20, height: 20}\nunits:\n"
        "  - {id: a, side: red, troop: infantry, bases: 4, formation: deployed, at: [10, 10], facing: 0}\n"
    )
    found = library.field(tmp_path / "x.yaml")
    assert isinstance(found, Unfit) and "two sides" in found.why


def test_a_missing_game_is_unfit(tmp_path: Path) -> None:
    found = library.game(tmp_path / "none.jsonl")
    assert isinstance(found, Unfit) and "there is no such file" in found.why


def test_the_newest_unfinished_passes_by_what_is_broken(tmp_path: Path) -> None:
    begun(tmp_path / "good.jsonl")
    (tmp_path / "bad.jsonl").write_text("x")
    found = library.newest_unfinished([tmp_path / "bad.jsonl", tmp_path / "none.jsonl", tmp_path / "good.jsonl"])
    assert found is not None and found.path.name == "good.jsonl"
    assert library.newest_unfinished([tmp_path / "bad.jsonl"]) is None
