"""The menu of a battle, the sheets it leads to, and what is offered when the battle is over."""

import os
import sys
from pathlib import Path
from types import ModuleType

import pygame
import pytest

from tabletop.play.files import named_files
from tabletop.play.saves import autosave
from tabletop.render import destinations
from tabletop.render.battle.game_menu import GameMenu
from tabletop.render.battle.model import PutAwayBanner
from tabletop.render.battle.save_as import SaveAs
from tabletop.render.battle.window import GameWindow
from tabletop.render.destinations import saved_game
from tabletop.render.export.screen import Exporting
from tabletop.render.rooms import ROOMS, room
from tabletop.render.start.home import Home
from tests.render.start.conftest import Visit
from tests.render.start.test_home import Elsewhere
from tests.render.start.visitor import SKIRMISH, Visitor, kept_game


def at_the_table(visit: Visit, path: Path, scenario: Path = SKIRMISH, most: int = 3) -> Visitor:
    """Open a kept game over the start screen."""
    kept_game(path, scenario, most=most)
    visitor = visit()
    visitor.press("continue")
    assert isinstance(visitor.top, GameWindow)
    return visitor


def press_in_game(visitor: Visitor, word: str) -> None:
    """Click a button of the battle's own panel."""
    button = next(b for b, w in visitor.game.panel._buttons.items() if w == word)
    x, y = button.get_abs_rect().center
    visitor.click((int(x), int(y)))
    visitor.wait(3)


@pytest.fixture
def rooms(monkeypatch: pytest.MonkeyPatch) -> None:
    for to in (destinations.ToSettings, destinations.ToReplaySoFar):
        module, function = ROOMS[to]
        fake = ModuleType(module)
        setattr(fake, function, lambda *given: lambda look: Elsewhere(look, *given))
        monkeypatch.setitem(sys.modules, module, fake)


def test_the_menu_opens_by_f10_by_its_button_and_by_escape_with_nothing_in_hand(
    visit: Visit, games_folder: Path
) -> None:
    visitor = at_the_table(visit, games_folder / "a.jsonl")
    game = visitor.game
    visitor.key(pygame.K_F10)
    assert isinstance(visitor.top, GameMenu)
    visitor.key(pygame.K_ESCAPE)
    assert visitor.stands(game)
    press_in_game(visitor, "menu:")
    assert isinstance(visitor.top, GameMenu)
    visitor.press("resume")
    game.controller.select(game.controller.model.battle.units[0].id)
    visitor.key(pygame.K_ESCAPE)
    assert visitor.stands(game) and game.controller.model.selected is None, "what is in hand is let go of first"
    visitor.key(pygame.K_F1)
    visitor.key(pygame.K_ESCAPE)
    assert visitor.stands(game) and not game.helping, "the sheet of keys is put away first"
    visitor.key(pygame.K_ESCAPE)
    assert isinstance(visitor.top, GameMenu)


def test_the_computer_waits_while_the_menu_is_open(visit: Visit, games_folder: Path) -> None:
    kept_game(games_folder / "a.jsonl", players=("greedy", "greedy"), most=1)
    visitor = visit(room(saved_game(games_folder / "a.jsonl")))
    visitor.key(pygame.K_F10)
    steps = len(visitor.app.stack[0].controller.game.session.steps)  # type: ignore[attr-defined]
    visitor.wait()
    assert len(visitor.app.stack[0].controller.game.session.steps) == steps  # type: ignore[attr-defined]
    visitor.key(pygame.K_RETURN)
    visitor.wait()
    assert len(visitor.game.controller.game.session.steps) > steps


def test_the_menu_leads_where_it_says(visit: Visit, games_folder: Path, rooms: None) -> None:
    visitor = at_the_table(visit, games_folder / "a.jsonl")
    game = visitor.game
    for word, screen in (("save", SaveAs), ("export", Exporting), ("settings", Elsewhere), ("replay", Elsewhere)):
        visitor.key(pygame.K_F10)
        visitor.press(word)
        assert type(visitor.top) is screen
        if word == "replay":
            assert getattr(visitor.top, "what") == (game.controller.game.session,)  # noqa: B009
        visitor.key(pygame.K_ESCAPE)
        visitor.key(pygame.K_ESCAPE)
        assert visitor.stands(game)
    visitor.key(pygame.K_F10)
    visitor.press("keys")
    assert visitor.stands(game) and game.helping


def test_the_start_screen_is_gone_back_to_and_offers_the_battle_again(visit: Visit, games_folder: Path) -> None:
    visitor = at_the_table(visit, games_folder / "a.jsonl")
    steps = len(visitor.game.controller.game.session.steps)
    visitor.key(pygame.K_F10)
    visitor.press("home")
    assert isinstance(visitor.top, Home) and len(visitor.app.stack) == 1
    visitor.wait()
    visitor.key(pygame.K_RETURN)
    assert len(visitor.game.controller.game.session.steps) == steps


def test_quit_ends_the_program_and_the_game_is_kept(visit: Visit, games_folder: Path) -> None:
    visitor = at_the_table(visit, games_folder / "a.jsonl")
    data = (games_folder / "a.jsonl").read_bytes()
    visitor.key(pygame.K_F10)
    visitor.press("quit")
    assert not visitor.going_on and (games_folder / "a.jsonl").read_bytes() == data


# --- keeping ---------------------------------------------------------------------------------------------------------


def test_save_as_keeps_the_game_there_from_now_on(visit: Visit, games_folder: Path, tmp_path: Path) -> None:
    visitor = at_the_table(visit, games_folder / "a.jsonl")
    visitor.key(pygame.K_F10)
    visitor.press("save")
    visitor.type(str(tmp_path / "mine.jsonl"))
    visitor.key(pygame.K_RETURN)
    assert isinstance(visitor.top, GameMenu)
    visitor.key(pygame.K_ESCAPE)
    session = visitor.game.controller.game.session
    assert session.path == tmp_path / "mine.jsonl"
    assert (tmp_path / "mine.jsonl").read_bytes() == (games_folder / "a.jsonl").read_bytes()


def test_save_as_asks_before_it_replaces_a_file(visit: Visit, games_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "theirs.jsonl").write_text("theirs")
    visitor = at_the_table(visit, games_folder / "a.jsonl")
    visitor.key(pygame.K_F10)
    visitor.press("save")
    visitor.type(str(tmp_path / "theirs.jsonl"))
    visitor.press("save")
    assert "is there already" in visitor.page.note and (tmp_path / "theirs.jsonl").read_text() == "theirs"
    visitor.press("save")
    assert named_files.is_game(tmp_path / "theirs.jsonl")


def test_where_it_cannot_be_saved_is_said_and_nothing_lost(visit: Visit, games_folder: Path, tmp_path: Path) -> None:
    visitor = at_the_table(visit, games_folder / "a.jsonl")
    visitor.key(pygame.K_F10)
    visitor.press("save")
    visitor.type(str(tmp_path / "no" / "such" / "folder.jsonl"))
    visitor.press("save")
    assert "cannot be saved" in visitor.page.note
    visitor.press("cancel")
    visitor.key(pygame.K_ESCAPE)
    assert visitor.game.controller.game.session.path == games_folder / "a.jsonl"


def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(autosave, "write_whole", full)
    monkeypatch.setattr(autosave.Autosave, "_append", full)


def unkept_battle(visit: Visit, games_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Visitor:
    """Return a battle in which something was done after the disk was full."""
    visitor = at_the_table(visit, games_folder / "a.jsonl", most=0)
    full_disk(monkeypatch)
    session = visitor.game.controller.game.session
    from tabletop.play.players import player_kind

    make = player_kind("random").make
    assert make is not None
    visitor.game.controller.game.do(make(1).choose(session.battle).action)
    assert session.trouble and "No space left" in visitor.game.unkept
    return visitor


def test_a_battle_that_is_not_kept_is_not_left_unasked(
    visit: Visit, games_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = unkept_battle(visit, games_folder, monkeypatch)
    visitor.key(pygame.K_F10)
    visitor.press("home")
    assert isinstance(visitor.top, GameMenu) and "No space left" in visitor.app.notice
    visitor.key(pygame.K_a)
    visitor.press("home")
    assert isinstance(visitor.top, Home), "asked for twice it is done"


def test_nor_is_the_window_closed_on_it_unasked(
    visit: Visit, games_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = unkept_battle(visit, games_folder, monkeypatch)
    visitor.tell(pygame.QUIT)
    assert visitor.going_on and "not kept" in visitor.app.notice
    monkeypatch.undo()
    visitor.app._patience = 0.0
    visitor.key(pygame.K_a)
    visitor.tell(pygame.QUIT)
    assert visitor.going_on, "asked once more after a while"
    visitor.tell(pygame.QUIT)
    assert not visitor.going_on


def test_the_window_is_not_closed_amid_a_battle_unasked_though_it_is_kept(visit: Visit, games_folder: Path) -> None:
    visitor = at_the_table(visit, games_folder / "a.jsonl")
    visitor.tell(pygame.QUIT)
    assert visitor.going_on and "not over; it is kept in" in visitor.app.notice
    visitor.tell(pygame.QUIT)
    assert not visitor.going_on


# --- the end ---------------------------------------------------------------------------------------------------------


def test_a_battle_that_is_over_offers_table_replay_report_and_start_screen(
    visit: Visit, games_folder: Path, rooms: None
) -> None:
    path = games_folder / "over.jsonl"
    assert kept_game(path, players=("random", "random"), most=2000).battle.over
    os.utime(path, (1, 1))
    visitor = visit()
    visitor.press("load")
    visitor.press(f"game:{path}")
    game = visitor.game
    for word, screen in (("replay:", Elsewhere), ("export:", Exporting)):
        press_in_game(visitor, word)
        assert type(visitor.top) is screen
        visitor.key(pygame.K_ESCAPE)
    press_in_game(visitor, "close:")
    assert visitor.stands(game) and game.controller.state.chosen.banner_away
    game.controller.game.store.update(PutAwayBanner(False))
    visitor.wait(2)
    press_in_game(visitor, "home:")
    assert isinstance(visitor.top, Home) and "continue" not in visitor.page.words


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (640, 400)])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_the_menu_fits_every_window_and_follows_its_size(
    visit: Visit, games_folder: Path, size: tuple[int, int], scale: float
) -> None:
    kept_game(games_folder / "a.jsonl")
    visitor = visit(room(saved_game(games_folder / "a.jsonl")), size, scale)
    visitor.key(pygame.K_F10)
    page = visitor.page
    pygame.display.set_mode((size[0] - 100, size[1] - 60), pygame.RESIZABLE)
    visitor.wait(3)
    left, top, wide, high = page.place  # type: ignore[attr-defined]
    assert left >= 0 and top >= 0 and left + wide <= page.size[0] and top + high <= page.size[1]
    visitor.press("quit")
    assert not visitor.going_on
