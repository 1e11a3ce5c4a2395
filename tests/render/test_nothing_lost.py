"""Closing in the middle, a full disk, another size of window, files gone or broken: nothing is lost, a clear word."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pygame
import pytest

from tabletop.battle.codec import state_hash
from tabletop.play import engine
from tabletop.play.computer.random_mover import RandomMover
from tabletop.play.files import writing
from tabletop.play.files.load import load_scene
from tabletop.play.saves import autosave, lock, replay, save
from tabletop.play.session import Session
from tabletop.render.battle.window import GameWindow
from tabletop.render.judge.screen import JudgingScreen
from tabletop.render.screens import Back, Look
from tabletop.render.settings import model
from tabletop.render.settings.model import USUAL, Overlay, Settings
from tests.render.clicking import SIZE
from tests.render.own_home import ROOT
from tests.render.somebody import Somebody
from tools.places import spots

DRILL = ROOT / "scenarios" / "realm-of-chance" / "drill-ground.yaml"


def full(*_: Any, **__: Any) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def half_done(path: Path) -> None:
    """Keep a battle that has come to a question in the middle of an action."""
    battle = load_scene(ROOT / "scenarios" / "tse" / "skirmish.yaml")
    session = Session.start(battle, 3, dict.fromkeys(engine.opened(battle, 0).setup.sides, "human"), path)
    mover = RandomMover(3)
    while len(session.steps) < 6 or not session.battle.pending:
        session.do(mover.choose(session.battle).action)


def kept_whole(path: Path, steps: int) -> None:
    saved = save.read(path)
    assert replay.verify(saved).sound
    assert len(saved.lines) == steps


# --- closing ---------------------------------------------------------------------------------------------------------


def test_closed_in_the_middle_of_a_decision_it_asks_the_same_again(somebody: Somebody) -> None:
    """The window is closed while a side is asked: the next time the same side is asked the same."""
    half_done(autosave.games_folder() / "half.jsonl")
    somebody.goes_on()
    before, path = somebody.session.battle, somebody.session.path
    assert path is not None
    assert somebody.app.step(0.0, [pygame.event.Event(pygame.QUIT)]), "amid a battle it asks once"
    assert not somebody.app.step(0.0, [pygame.event.Event(pygame.QUIT)])
    somebody.app.close()
    somebody.app = somebody._begun()
    somebody.goes_on()
    assert state_hash(somebody.session.battle) == state_hash(before)
    assert somebody.session.battle.pending == before.pending
    assert any(word.startswith(("answer:", "offer:", "ready:")) for word, _ in spots(somebody.top))
    kept_whole(path, len(somebody.session.steps))


def test_closed_in_the_middle_of_a_drag_nothing_has_been_done(somebody: Somebody) -> None:
    somebody.goes_on()
    steps, window = len(somebody.session.steps), somebody.game
    unit = somebody.session.battle.units[0]
    left, top = window.panel.table_rect.topleft
    x, y = (round(v) for v in window.camera.to_screen(unit.at))
    somebody._move((x + left, y + top))
    somebody._button(pygame.MOUSEBUTTONDOWN)
    somebody._move((x + left + 80, y + top + 40))
    path = somebody.session.path
    assert path is not None
    assert somebody.app.step(0.0, [pygame.event.Event(pygame.QUIT)]), "amid a battle it asks once"
    assert not somebody.app.step(0.0, [pygame.event.Event(pygame.QUIT)])
    kept_whole(path, steps)


# --- a disk that is full, a folder that cannot be written ------------------------------------------------------------


def test_on_a_full_disk_the_battle_goes_on_and_is_kept_once_there_is_room(
    somebody: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    somebody.goes_on()
    session = somebody.session
    path, begun = session.path, len(session.steps)
    assert path is not None
    held = path.read_bytes()
    with monkeypatch.context() as disk:
        disk.setattr(autosave.Autosave, "_append", full)
        disk.setattr(autosave, "write_whole", full)
        somebody.plays(lambda: len(session.steps) >= begun + 2)
        assert session.trouble is not None and "No space left on device" in session.trouble
        assert (
            "not kept" in somebody.game.controller.model.note and "No space left" in somebody.game.controller.model.note
        )
        assert path.read_bytes() == held, "what was kept before stays"
        assert not list(path.parent.glob(f".*{writing.PART}"))
        assert somebody.app.step(0.0, [pygame.event.Event(pygame.QUIT)]), "it is not closed unasked"
        assert "No space left" in somebody.app.notice
        somebody.strikes(pygame.K_LSHIFT)
    somebody.plays(lambda: len(session.steps) >= begun + 4)
    assert session.trouble is None
    kept_whole(path, len(session.steps))


def test_a_disk_full_in_the_middle_of_a_line_leaves_a_game_that_can_be_read(
    somebody: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a line written, then no room: with room again the file is whole, and verifies."""
    somebody.goes_on()
    session = somebody.session
    path, begun = session.path, len(session.steps)
    assert path is not None

    def half(self: autosave.Autosave, place: Path, line: bytes) -> None:
        self._size = -1
        with place.open("ab") as stream:
            stream.write(line[: len(line) // 2])
        full()

    with monkeypatch.context() as disk:
        disk.setattr(autosave.Autosave, "_append", half)
        somebody.plays(lambda: len(session.steps) > begun)
        assert session.trouble
        torn = save.read(path)
        assert len(torn.lines) >= begun, "all but the torn line can be read"
    somebody.plays(lambda: len(session.steps) > begun + 1)
    kept_whole(path, len(session.steps))


def test_settings_and_exports_on_a_full_disk_are_a_word(somebody: Somebody, monkeypatch: pytest.MonkeyPatch) -> None:
    somebody.rest()
    monkeypatch.setattr(os, "fsync", full)
    somebody.does("settings")
    somebody.does("symbols:nato")
    assert "cannot be kept" in somebody.app.notice and "No space left" in somebody.app.notice
    somebody.app.notice = ""
    somebody.strikes(pygame.K_ESCAPE)
    somebody.goes_on()
    somebody.strikes(pygame.K_e, pygame.KMOD_LCTRL)
    for word in ("view.png", "whole.svg", "report.html"):
        somebody.does(word)
        assert "No space left" in getattr(somebody.top, "note"), word  # noqa: B009  (any screen)


def test_a_battle_that_cannot_be_kept_is_not_begun_unasked(somebody: Somebody, monkeypatch: pytest.MonkeyPatch) -> None:
    somebody.tell(pygame.DROPFILE, file=str(DRILL))
    somebody.rest()
    page = somebody.top
    monkeypatch.setattr(os, "fsync", full)
    somebody.strikes(pygame.K_RETURN)
    assert somebody.top is page
    assert "No space left" in (somebody.app.notice or getattr(page, "note", ""))


# --- files -----------------------------------------------------------------------------------------------------------


def test_a_game_whose_file_is_taken_away_is_written_anew(somebody: Somebody) -> None:
    somebody.goes_on()
    session = somebody.session
    path, begun = session.path, len(session.steps)
    assert path is not None
    path.unlink()
    somebody.plays(lambda: len(session.steps) > begun)
    kept_whole(path, len(session.steps))


def test_a_game_that_has_been_damaged_is_a_word_and_stays_as_it_is(somebody: Somebody) -> None:
    """Damaged between being listed and being opened: one line says so, and nothing is written over."""
    somebody.rest()
    path = next(Path(p) for p in Path(autosave.games_folder()).glob("drill*.jsonl"))
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b'"', b"'", 3)
    path.write_bytes(b"".join(lines))
    before = path.read_bytes()
    somebody.does("continue")
    assert not isinstance(somebody.top, GameWindow)
    said = somebody.app.notice or getattr(somebody.top, "note", "")
    assert path.name in said and "\n" not in said
    assert path.read_bytes() == before


def test_a_game_open_in_another_program_is_told_and_kept_in_a_file_of_its_own(
    somebody: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = autosave.games_folder()
    before = {path: path.read_bytes() for path in games.glob("*.jsonl")}
    monkeypatch.setattr(lock, "take", lambda place: place in before)
    somebody.goes_on()
    assert "is open in another program: what you do is kept in a new file" in somebody.game.controller.model.note
    session, begun = somebody.session, len(somebody.session.steps)
    somebody.plays(lambda: len(session.steps) > begun)
    assert session.path is not None and session.path not in before
    kept_whole(session.path, len(session.steps))
    assert {path: path.read_bytes() for path in before} == before


# --- the window itself -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1, 1), (64, 48), (300, 200), (3840, 2160)])
def test_another_size_in_the_middle_of_a_drag_changes_nothing(somebody: Somebody, size: tuple[int, int]) -> None:
    somebody.goes_on()
    session, window = somebody.session, somebody.game
    before, steps = session.battle, len(session.steps)
    unit = before.units[0]
    left, top = window.panel.table_rect.topleft
    x, y = (round(v) for v in window.camera.to_screen(unit.at))
    somebody._move((x + left, y + top))
    somebody._button(pygame.MOUSEBUTTONDOWN)
    somebody._move((x + left + 60, y + top - 30))
    for wide, high in (size, SIZE):
        pygame.display.set_mode((wide, high), pygame.RESIZABLE)
        somebody.tell(pygame.VIDEORESIZE, size=(wide, high), w=wide, h=high)
        somebody.rest(3)
    assert session.battle is before and len(session.steps) == steps
    somebody.strikes(pygame.K_ESCAPE)
    assert somebody.top is window and not somebody.app.notice


def test_focus_lost_in_the_middle_of_a_drag_lets_go_of_the_unit(somebody: Somebody) -> None:
    """The button is let go over another window: coming back, the unit does not hang on the mouse."""
    somebody.goes_on()
    somebody.plays(lambda: any(word == "kind:move" for word, _ in spots(somebody.top)))
    session, window = somebody.session, somebody.game
    steps = len(session.steps)
    for unit in session.battle.units:
        left, top = window.panel.table_rect.topleft
        x, y = (round(v) for v in window.camera.to_screen(unit.at))
        somebody._move((x + left, y + top))
        somebody._button(pygame.MOUSEBUTTONDOWN)
        somebody._move((x + left + 60, y + top - 30))
        if window.controller.model.drag is not None:
            break
        somebody._button(pygame.MOUSEBUTTONUP)
    assert window.controller.model.drag is not None
    somebody.tell(pygame.WINDOWFOCUSLOST)
    assert window.controller.model.drag is None
    somebody.tell(pygame.WINDOWFOCUSGAINED)
    somebody._move((x + left + 90, y + top - 50))
    assert window.controller.model.drag is None and len(session.steps) == steps


@pytest.mark.parametrize("name", ["x" * 300, "~nobody-at-all/game"])
def test_a_name_no_system_takes_is_a_word_on_every_page_it_can_be_typed_on(somebody: Somebody, name: str) -> None:
    somebody.rest()
    somebody.does("load")
    somebody.does("file")
    somebody.does("path")
    somebody.tell(pygame.TEXTINPUT, text=name)
    somebody.strikes(pygame.K_RETURN)
    assert somebody.app.notice or getattr(somebody.top, "note", "")
    somebody.app.notice = ""
    while len(somebody.app.stack) > 1:
        somebody.strikes(pygame.K_ESCAPE)
    somebody.does("judge")
    somebody.does("save:")
    somebody.does("file")
    somebody.tell(pygame.TEXTINPUT, text=name)
    somebody.rest(2)
    somebody.does("choose:")
    assert isinstance(somebody.top, JudgingScreen) and not somebody.app.notice


def test_what_is_shown_of_a_unit_stays_as_the_player_left_it(somebody: Somebody) -> None:
    """Overlays turned off and on, and the legend: after Continue, and when the program is begun again."""
    somebody.goes_on()
    somebody.strikes(pygame.K_a)
    somebody.strikes(pygame.K_v)
    somebody.strikes(pygame.K_k)
    wanted = set(somebody.game.controller.model.overlays)
    assert wanted ^ USUAL == {Overlay.ARC, Overlay.TERRAIN}
    somebody.app.stack[-1].going = Back(home=True)
    somebody.goes_on()
    assert somebody.game.controller.model.overlays == wanted and somebody.game.legend.open
    assert model.read()[0].overlays == tuple(o for o in Overlay if o in wanted)
    somebody.app.look = Look(model.read()[0])
    somebody.app.stack[-1].going = Back(home=True)
    somebody.goes_on()
    assert somebody.game.controller.model.overlays == wanted


def test_under_other_rules_overlays_they_do_not_know_are_kept_all_the_same(somebody: Somebody) -> None:
    """Realm of Chance knows no reach of command: turned on in a battle of the others, it is there again."""
    somebody.app.look = Look(Settings(overlays=("arc", "command")))
    somebody.goes_on()
    assert not set(somebody.game.controller.model.offered) >= {Overlay.COMMAND}
    somebody.strikes(pygame.K_m)
    kept = set(model.read()[0].overlays)
    assert "command" in kept and kept ^ {"arc", "command"} == {"reach"}
