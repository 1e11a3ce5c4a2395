"""Saved games in a list, files from anywhere, lessons."""

import os
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from types import ModuleType

import pygame
import pytest

from tabletop.play.saves import library
from tabletop.play.saves.library import Kept, Unfit
from tabletop.render import descriptions, rooms
from tabletop.render.destinations import ToReplay, saved_game
from tabletop.render.start.games import Loading, Replays
from tabletop.render.start.home import Home
from tabletop.render.start.lessons import Lessons
from tabletop.render.start.setting_up import SettingUp
from tabletop.render.widgets.pages.browse import Browse
from tests.render.start.conftest import Visit
from tests.render.start.test_home import Elsewhere
from tests.render.start.visitor import DRILL, ROOT, SKIRMISH, Visitor, kept_game


def loading(visitor: Visitor) -> Loading:
    assert isinstance(visitor.page, Loading)
    return visitor.page


def test_games_are_listed_the_newest_first_with_turn_sides_and_end(visit: Visit, games_folder: Path) -> None:
    kept_game(games_folder / "a.jsonl", players=("human", "greedy"))
    kept_game(games_folder / "b.jsonl", players=("random", "random"), most=2000)
    kept_game(games_folder / "c.jsonl", DRILL, most=1)
    for age, name in enumerate("cab"):
        os.utime(games_folder / f"{name}.jsonl", (1_700_000_000 - age, 1_700_000_000 - age))
    page = loading(visit(Loading))
    assert [path.stem for path in page.games.paths] == ["c", "a", "b"]
    found = {path.stem: kept for path, kept in page.contents.items() if isinstance(kept, Kept)}
    assert descriptions.turn(found["a"].battle).startswith("Turn 1 of 6") and not found["a"].over
    assert found["b"].over and "Turn" not in descriptions.turn(found["b"].battle)
    assert descriptions.seats(found["a"]) == "Red (a person) against Blue (computer, greedy)"
    assert set(page.pictures) == set(page.games.paths)


BROKEN = {
    "empty": b"",
    "text": b"hello\n",
    "binary": bytes(range(256)) * 10,
    "header only": b'{"format": "tabletop-game/1", "rules": "tse"}\n',
    "later format": b'{"format": "tabletop-game/9"}\n',
}


def test_broken_games_say_why_and_cannot_be_pressed(visit: Visit, games_folder: Path) -> None:
    kept_game(games_folder / "good.jsonl")
    whole = (games_folder / "good.jsonl").read_bytes()
    broken = {**BROKEN, "forged": whole.replace(b'"seed": 5', b'"seed": 6'), "cut": whole[: len(whole) // 3]}
    for name, data in broken.items():
        (games_folder / f"{name}.jsonl").write_bytes(data)
    (games_folder / "folder.jsonl").mkdir()
    page = loading(visit(Loading))
    assert {path.stem for path, found in page.contents.items() if isinstance(found, Unfit)} == {*broken, "folder"}
    assert all(
        found.why and "Traceback" not in found.why for found in page.contents.values() if isinstance(found, Unfit)
    )
    assert [w for w in page.words if w.startswith("game:")] == [f"game:{games_folder / 'good.jsonl'}"]


def test_a_game_is_loaded_where_it_was_left(visit: Visit, games_folder: Path) -> None:
    left = kept_game(games_folder / "a.jsonl", players=("human", "greedy"))
    steps = len(left.steps)
    visitor = visit()
    visitor.press("load")
    visitor.press(f"game:{games_folder / 'a.jsonl'}")
    assert visitor.game.controller.game.session.steps[steps - 1].battle == left.battle
    assert visitor.game.controller.game.session.header.players == left.header.players
    assert len(visitor.app.stack) == 3


def test_a_replay_is_asked_for_with_its_file(visit: Visit, games_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = ModuleType(rooms.ROOMS[ToReplay][0])
    fake.replaying = lambda path: lambda look: Elsewhere(look, path)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, rooms.ROOMS[ToReplay][0], fake)
    kept_game(games_folder / "over.jsonl", players=("random", "random"), most=2000)
    visitor = visit(Replays)
    visitor.press(f"game:{games_folder / 'over.jsonl'}")
    assert isinstance(visitor.top, Elsewhere) and visitor.top.what == (games_folder / "over.jsonl",)


def test_a_long_list_is_gone_through_by_wheel_and_keys(visit: Visit, games_folder: Path) -> None:
    kept_game(games_folder / "a.jsonl")
    data = (games_folder / "a.jsonl").read_bytes()
    for number in range(30):
        (games_folder / f"b{number:02d}.jsonl").write_bytes(data)
    visitor = visit(Loading)
    page = loading(visitor)
    assert page.most_scroll > 0
    visitor.tell(pygame.MOUSEWHEEL, x=0, y=-3)
    assert page.scroll > 0
    visitor.key(pygame.K_END)
    assert page.scroll == pytest.approx(page.most_scroll, abs=60)
    visitor.key(pygame.K_HOME)
    assert page.scroll < 30
    visitor.key(pygame.K_PAGEDOWN)
    assert page.scroll > 100
    pygame.display.set_mode((1920, 3000), pygame.RESIZABLE)
    visitor.wait()
    assert page.scroll <= page.most_scroll


def test_an_empty_folder_is_a_calm_word(visit: Visit) -> None:
    assert [w for w in visit(Loading).page.words if w.startswith("game:")] == []


def test_times_are_told_as_one_says_them() -> None:
    now = datetime(2026, 3, 1, 12, 0)
    assert descriptions.when(datetime(2026, 3, 1, 9, 5), now) == "today, 09:05"
    assert descriptions.when(datetime(2026, 2, 28, 23, 59), now) == "yesterday, 23:59"
    assert descriptions.when(datetime(2025, 12, 31, 8, 0), now) == "31 December 2025, 08:00"


# --- files from anywhere ---------------------------------------------------------------------------------------------


def test_a_scenario_dropped_opens_its_page(visit: Visit) -> None:
    visitor = visit()
    visitor.drop(DRILL)
    assert isinstance(visitor.top, SettingUp) and visitor.top.field.path == DRILL
    visitor.drop(SKIRMISH)
    assert isinstance(visitor.top, SettingUp) and visitor.top.field.path == SKIRMISH


def test_a_saved_game_dropped_is_gone_on_with(visit: Visit, tmp_path: Path) -> None:
    kept_game(tmp_path / "elsewhere.jsonl")
    visitor = visit(Lessons)
    visitor.drop(tmp_path / "elsewhere.jsonl")
    assert visitor.game.controller.game.session.path == tmp_path / "elsewhere.jsonl"


def test_a_game_dropped_on_itself_is_not_opened_twice(visit: Visit, tmp_path: Path) -> None:
    kept_game(tmp_path / "a.jsonl")
    visitor = visit(rooms.room(saved_game(tmp_path / "a.jsonl")))
    game = visitor.top
    visitor.drop(tmp_path / "a.jsonl")
    assert visitor.top is game and "open already" in visitor.app.notice
    visitor.key(pygame.K_a)
    visitor.drop(SKIRMISH)
    assert isinstance(visitor.top, SettingUp), "another file is opened over it"
    visitor.key(pygame.K_ESCAPE)
    assert visitor.top is game


@pytest.mark.parametrize("name", ["picture.png", "notes.txt", "no-suffix", "map.yaml", "broken.jsonl", "missing.yaml"])
def test_anything_else_dropped_is_one_clear_line(visit: Visit, tmp_path: Path, name: str) -> None:
    if name != "missing.yaml":
        source = ROOT / "maps" / "meadow.yaml"
        (tmp_path / name).write_bytes(source.read_bytes() if name == "map.yaml" else b"\x89PNG")
    visitor = visit()
    visitor.drop(tmp_path / name)
    assert isinstance(visitor.top, Home)
    notice = visitor.app.notice
    assert notice and "\n" not in notice and name in notice and "went wrong inside" not in notice


def test_a_folder_dropped_is_one_clear_line(visit: Visit, tmp_path: Path) -> None:
    visitor = visit()
    visitor.drop(tmp_path)
    assert "is a folder" in visitor.app.notice


def test_a_file_is_found_by_looking_for_it(visit: Visit, tmp_path: Path) -> None:
    folder = tmp_path / "far" / "away"
    folder.mkdir(parents=True)
    (folder / "duel.yaml").write_text(SKIRMISH.read_text())
    kept_game(folder / "game.jsonl")
    (folder / "notes.txt").write_text("x")
    visitor = visit(lambda look: Browse(look, tmp_path))
    visitor.press(f"folder:{tmp_path / 'far'}")
    visitor.press(f"folder:{folder}")
    page = visitor.page
    assert {w for w in page.words if w.startswith("file:")} == {
        f"file:{folder / n}" for n in ("duel.yaml", "game.jsonl")
    }
    visitor.press(f"file:{folder / 'game.jsonl'}")
    assert visitor.game.controller.game.session.path == folder / "game.jsonl"


def test_a_path_can_be_typed(visit: Visit, tmp_path: Path) -> None:
    visitor = visit(lambda look: Browse(look, tmp_path))
    page = visitor.page
    visitor.press("path")
    visitor.type(str(SKIRMISH.parent))
    visitor.key(pygame.K_RETURN)
    assert f"file:{SKIRMISH}" in page.words
    visitor.press("path")
    visitor.type(str(tmp_path / "nothing.yaml"))
    visitor.key(pygame.K_RETURN)
    visitor.wait(3)
    assert visitor.top is page and "nothing.yaml" in visitor.app.notice + page.note
    visitor.key(pygame.K_a)
    visitor.press("path")
    visitor.type(str(SKIRMISH))
    visitor.key(pygame.K_RETURN)
    assert isinstance(visitor.top, SettingUp)


def test_a_folder_that_cannot_be_read_is_said_and_stayed_out_of(
    visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shut").mkdir()
    visitor = visit(lambda look: Browse(look, tmp_path))
    page = visitor.page
    assert isinstance(page, Browse)
    iterdir = Path.iterdir

    def refusing(path: Path) -> Iterator[Path]:
        if path.name == "shut":
            raise PermissionError(13, "Permission denied")
        return iterdir(path)

    monkeypatch.setattr(Path, "iterdir", refusing)
    visitor.press(f"folder:{tmp_path / 'shut'}")
    assert page.folder == tmp_path and "Permission denied" in page.note


def test_my_battles_is_made_when_it_is_looked_into(visit: Visit) -> None:
    visitor = visit(Browse)
    visitor.press(f"place:{library.own_folder()}")
    assert library.own_folder().is_dir()


def test_lessons_lead_to_something_to_do(visit: Visit) -> None:
    visitor = visit(Lessons)
    visitor.press("new")
    assert type(visitor.top).__name__ == "Battles"
