"""The start screen: what it goes on with, and where every button leads."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pygame
import pytest

from tabletop.errors import Unsaved
from tabletop.play.briefing import briefing
from tabletop.play.engine import opened
from tabletop.play.files.load import load_scene
from tabletop.play.saves import library
from tabletop.render import rooms
from tabletop.render.destinations import ToCalculator, ToJudge, ToSettings
from tabletop.render.screens import Look
from tabletop.render.start import home, setting_up
from tabletop.render.start.background_jobs import InlineJobs
from tabletop.render.start.battles import Battles
from tabletop.render.start.games import Loading, Replays
from tabletop.render.start.home import Home, _briefed
from tabletop.render.start.lessons import Lessons
from tabletop.render.start.setting_up import SettingUp
from tabletop.render.widgets.pages.page import Page
from tests.render.start.conftest import Visit
from tests.render.start.visitor import SKIRMISH, kept_game


def the_home(page: Page) -> Home:
    assert isinstance(page, Home)
    return page


def test_with_nothing_kept_a_small_first_battle_is_offered_and_enter_begins_it(
    visit: Visit, games_folder: Path
) -> None:
    visitor = visit()
    page = the_home(visitor.page)
    assert page.looked and page.last is None and "continue" not in page.words
    assert page.on_table is not None and page.on_table.title == "The brook at Weidenau"
    assert sum(not unit.is_general for unit in page.on_table.units) <= 20
    visitor.key(pygame.K_RETURN)
    session = visitor.game.controller.game.session
    assert session.header.players == {"french": "human", "austrian": "greedy"}
    assert session.path is not None and session.path.parent == games_folder


class Slow(InlineJobs[str]):
    """Background jobs that never return the first battle."""

    def take(self) -> list[tuple[str, Any]]:
        return [pair for pair in super().take() if pair[0] != "first"]


@pytest.mark.parametrize(
    ("jobs", "said"),
    [
        (Slow, ("Your first battle", "Laying out its table ...")),
        (InlineJobs, ("Continue", "No battle is under way.")),
    ],
)
def test_while_the_first_battle_is_laid_out_nobody_is_told_that_there_is_none(
    visit: Visit, monkeypatch: pytest.MonkeyPatch, jobs: type[InlineJobs[str]], said: tuple[str, str]
) -> None:
    """Only where it cannot be read at all is there nothing to go on with."""
    told: list[tuple[str, str]] = []
    card = home._no_battle

    def noted(*words: str) -> Any:
        told.append((words[0], words[1]))
        return card(*words)

    def unreadable() -> None:
        raise Unsaved("no such file")

    monkeypatch.setattr(home, "BackgroundJobs", jobs)
    monkeypatch.setattr(home, "_no_battle", noted)
    monkeypatch.setattr(home, "_first", unreadable)
    visit()
    assert told[-1] == said


def test_the_card_of_the_first_battle_says_who_you_are_what_to_hold_and_how_to_win(visit: Visit) -> None:
    page = the_home(visit().page)
    assert page.offered is not None
    told = briefing(page.offered.battle, "french")
    assert told.who == "Lambert, with 7 French units. You attack, the computer defends."
    assert told.hold == "The bridge (3 points), Upper Weidenau (1 point, yours now) and Lower Weidenau (1 point)."
    assert told.win == "Have more points than the Austrian side when turn 7 ends, or break the Austrian army."
    other = briefing(page.offered.battle, "austrian")
    assert other.who.startswith("Hohenfels, with 7 Austrian units. You defend") and "French" in other.win
    rows = dict(_briefed(page.offered, 316))
    assert " ".join(rows["You"]) == told.who and list(rows) == ["You", "Hold", "Win"]


@pytest.mark.parametrize("name", ["tse/quatre-bras", "tse/skirmish", "realm-of-chance/wachau"])
def test_every_battle_can_be_told(name: str) -> None:
    battle = opened(load_scene(name), 0)
    for side in battle.setup.sides:
        told = briefing(battle, side)
        assert told.win.endswith(".") and told.who.endswith(".")


def test_what_has_nothing_behind_it_is_not_on_the_menu(
    visit: Visit, games_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "lessons", lambda: ())
    visitor = visit()
    assert not {"continue", "load", "replays", "lessons"} & set(visitor.page.words)
    assert {"first", "new", "judge", "calculator", "settings", "quit"} <= set(visitor.page.words)
    kept_game(games_folder / "a.jsonl")
    with_one = visit()
    assert {"continue", "load", "replays"} <= set(with_one.page.words)
    assert not {"first", "lessons"} & set(with_one.page.words)


def test_with_finished_games_alone_a_short_battle_is_offered_beside_them(visit: Visit, games_folder: Path) -> None:
    assert kept_game(games_folder / "over.jsonl", players=("random", "random"), most=2000).battle.over
    words = visit().page.words
    assert {"first", "load", "replays"} <= set(words) and "continue" not in words


@pytest.mark.parametrize(("size", "scale"), [((1280, 720), 1.0), ((800, 600), 1.0), ((1920, 1080), 1.5)])
@pytest.mark.parametrize("games", [0, 1])
def test_the_whole_menu_is_in_sight(
    visit: Visit, games_folder: Path, size: tuple[int, int], scale: float, games: int
) -> None:
    if games:
        kept_game(games_folder / "over.jsonl", players=("random", "random"), most=2000)
    page = visit(size=size, scale=scale).page
    bottom = page.frame_of(*page.size).bottom * scale
    assert all(rect.bottom <= bottom for rect in page.words.values())


def test_a_first_battle_that_cannot_be_kept_is_set_up_by_hand(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> Path:
        raise Unsaved("the disk is full")

    monkeypatch.setattr(home, "free_path", full)
    monkeypatch.setattr(setting_up, "free_path", full)
    visitor = visit()
    visitor.press("first")
    assert isinstance(visitor.top, SettingUp) and "unkept" in visitor.page.words


@pytest.mark.parametrize(
    ("word", "screen"), [("new", Battles), ("load", Loading), ("replays", Replays), ("lessons", Lessons)]
)
def test_buttons_open_the_pages_they_name_and_escape_leads_back(
    visit: Visit, word: str, screen: type, games_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_game(games_folder / "a.jsonl")
    monkeypatch.setattr(library, "lessons", lambda: (Path("one.yaml"),))
    visitor = visit()
    home = visitor.top
    visitor.press(word)
    assert type(visitor.top) is screen
    visitor.key(pygame.K_ESCAPE)
    assert visitor.top is home
    visitor.press(word)
    visitor.press("back")
    assert visitor.top is home


class Elsewhere(Page):
    """A room of somebody else's."""

    def __init__(self, look: Look, *what: Any) -> None:
        super().__init__(look)
        self.what = what

    def laid(self, wide: float, high: float) -> tuple[()]:
        return ()


@pytest.mark.parametrize(("word", "what"), [("judge", (None,)), ("calculator", ()), ("settings", ())])
def test_the_other_rooms_are_asked_for_by_their_names(
    visit: Visit, word: str, what: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    module, function = rooms.ROOMS[{"judge": ToJudge, "calculator": ToCalculator, "settings": ToSettings}[word]]
    fake = ModuleType(module)
    setattr(fake, function, lambda *given: lambda look: Elsewhere(look, *given))
    monkeypatch.setitem(sys.modules, module, fake)
    visitor = visit()
    visitor.press(word)
    assert isinstance(visitor.top, Elsewhere) and visitor.top.what == what
    visitor.key(pygame.K_ESCAPE)
    assert isinstance(visitor.top, Home)


def test_a_room_that_is_missing_is_a_word(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "ROOMS", {ToSettings: ("tabletop.render.no_such_room", "x")})
    visitor = visit()
    visitor.press("settings")
    assert isinstance(visitor.top, Home) and "missing" in visitor.app.notice


def test_quit_ends_the_program(visit: Visit) -> None:
    visitor = visit()
    visitor.press("quit")
    assert not visitor.going_on


def test_continue_is_the_newest_game_not_over(visit: Visit, games_folder: Path) -> None:
    import os

    kept_game(games_folder / "old.jsonl")
    kept_game(games_folder / "newer.jsonl", most=2)
    over = kept_game(games_folder / "over.jsonl", players=("random", "random"), most=2000)
    assert over.battle.over
    (games_folder / "broken.jsonl").write_text('{"format": "tabletop-game/1", "x": 1}\n')
    for age, name in enumerate(("broken", "over", "newer", "old")):
        os.utime(games_folder / f"{name}.jsonl", (1_700_000_000 - age, 1_700_000_000 - age))
    visitor = visit()
    page = the_home(visitor.page)
    assert page.last is not None and page.last.path == games_folder / "newer.jsonl"
    visitor.key(pygame.K_RETURN)
    session = visitor.game.controller.game.session
    assert session.path == games_folder / "newer.jsonl" and len(session.steps) == 3


def test_a_finished_game_is_never_gone_on_with(visit: Visit, games_folder: Path) -> None:
    assert kept_game(games_folder / "over.jsonl", players=("random", "random"), most=2000).battle.over
    visitor = visit()
    assert the_home(visitor.page).last is None and "continue" not in visitor.page.words


def test_a_game_gone_since_is_a_clear_word(visit: Visit, games_folder: Path) -> None:
    kept_game(games_folder / "gone.jsonl")
    visitor = visit()
    (games_folder / "gone.jsonl").unlink()
    visitor.press("continue")
    assert isinstance(visitor.top, Home) and "there is no such file" in visitor.app.notice
    assert "\n" not in visitor.app.notice


def test_what_was_played_meanwhile_is_there_on_coming_back(visit: Visit, games_folder: Path) -> None:
    visitor = visit()
    visitor.press("new")
    kept_game(games_folder / "new.jsonl")
    visitor.key(pygame.K_ESCAPE)
    visitor.wait()
    assert the_home(visitor.page).last is not None


def test_a_folder_that_cannot_be_read_is_said(visit: Visit, games_folder: Path) -> None:
    games_folder.parent.mkdir(parents=True)
    games_folder.write_text("a file where a folder belongs")
    visitor = visit()
    assert "cannot be read" in visitor.page.note
    visitor.press("load")
    assert "cannot be read" in visitor.page.note


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (3840, 2160), (640, 480), (320, 240), (1, 1)])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_every_button_can_be_reached_by_keys_in_every_window(
    visit: Visit, size: tuple[int, int], scale: float, games_folder: Path
) -> None:
    kept_game(games_folder / "a.jsonl", SKIRMISH)
    visitor = visit(None, size, scale)
    page = visitor.page
    met: list[str] = []
    for _ in page.words:
        visitor.key(pygame.K_TAB)
        met.append(str(page.focus))
        spot = next(s for s in page.spots if s.word == page.focus)
        frame = page.frame_of(*page.size)
        if frame.bottom - frame.top > spot.place[3] + 24:
            assert (
                frame.top <= spot.place[1] - page.scroll and spot.place[1] + spot.place[3] - page.scroll <= frame.bottom
            )
    assert sorted(met) == sorted(page.words)
