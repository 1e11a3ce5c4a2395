"""Games renamed and deleted on their page, and folders chosen by looking, not typing."""

from pathlib import Path

import pygame

from tabletop.render import places
from tabletop.render.start.games import Loading
from tabletop.render.start.setting_up import SettingUp
from tabletop.render.start.tidy import Deleting, Renaming
from tabletop.render.widgets.pages.folders import Folders, choosing
from tests.render.start.conftest import Visit
from tests.render.start.visitor import SKIRMISH, kept_game


def test_a_game_gets_another_name(visit: Visit, games_folder: Path) -> None:
    kept_game(games_folder / "a.jsonl")
    kept_game(games_folder / "b.jsonl")
    visitor = visit(Loading)
    visitor.press(f"rename:{games_folder / 'a.jsonl'}")
    assert isinstance(visitor.page, Renaming)
    visitor.type("b")
    visitor.press("rename")
    assert isinstance(visitor.page, Renaming) and "is there already" in visitor.page.note
    visitor.type("best")
    visitor.key(pygame.K_RETURN)
    assert isinstance(visitor.page, Loading)
    assert {path.name for path in visitor.page.games.paths} == {"best.jsonl", "b.jsonl"}


def test_a_game_is_deleted_only_when_that_was_asked(visit: Visit, games_folder: Path) -> None:
    kept_game(games_folder / "a.jsonl")
    (games_folder / "odd.jsonl").write_bytes(b"hello\n")
    visitor = visit(Loading)
    for name in ("a", "odd"):
        path = games_folder / f"{name}.jsonl"
        visitor.press(f"delete:{path}")
        assert isinstance(visitor.page, Deleting) and path.exists()
        visitor.key(pygame.K_RETURN)
        assert isinstance(visitor.page, Loading) and path.exists()
        visitor.press(f"delete:{path}")
        visitor.press("delete")
        assert isinstance(visitor.page, Loading) and not path.exists()
        assert path not in visitor.page.games.paths


def test_a_folder_is_chosen_by_looking(visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "mine" / "2025").mkdir(parents=True)
    (tmp_path / "mine" / "scene.yaml").write_text("a: 1\n", "utf-8")
    taken: list[Path] = []
    visitor = visit(Loading)
    visitor.page.going = None
    visitor.app.stack.append(choosing(tmp_path / "mine" / "not there", taken.append)(visitor.app.look))
    visitor.wait(3)
    page = visitor.page
    assert isinstance(page, Folders) and page.folder == tmp_path / "mine" and not page.files
    visitor.press(f"folder:{tmp_path / 'mine' / '2025'}")
    visitor.press("take")
    assert taken == [tmp_path / "mine" / "2025"] and isinstance(visitor.page, Loading)


def test_a_battle_is_kept_in_another_folder_and_takes_no_name_that_is_there(visit: Visit, tmp_path: Path) -> None:
    visitor = visit()
    visitor.drop(SKIRMISH)
    page = visitor.page
    assert isinstance(page, SettingUp)
    name = Path(page.lines["kept"].text).name
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / name).write_text("something else", "utf-8")
    visitor.press("folder")
    assert isinstance(visitor.page, Folders)
    visitor.page.go(tmp_path / "mine")
    visitor.press("take")
    assert isinstance(visitor.page, SettingUp)
    kept = Path(page.lines["kept"].text)
    assert kept.parent == tmp_path / "mine" and kept.name != name and not kept.exists()


def test_what_is_exported_goes_where_it_was_chosen_to(tmp_path: Path) -> None:
    try:
        places.choose(tmp_path / "out")
        assert places.pictures_folder() == places.documents_folder() == tmp_path / "out"
        assert places.free_path(places.pictures_folder(), "A view", ".png") == tmp_path / "out" / "a-view.png"
    finally:
        places.choose(None)
    assert places.pictures_folder() != tmp_path / "out"
