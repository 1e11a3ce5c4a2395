"""Folders in which nothing may be written: the window stays calm, says one clear word, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from tabletop.play.saves import autosave, replay, save
from tabletop.render import error_report, places
from tabletop.render.battle.window import GameWindow
from tabletop.render.judge.screen import JudgingScreen
from tabletop.render.settings import model
from tabletop.render.start import pictures
from tests.render.own_home import ROOT, read_only
from tests.render.somebody import Somebody
from tools.places import spots

DRILL = ROOT / "scenarios" / "realm-of-chance" / "drill-ground.yaml"
DISPUTE = ROOT / "scenarios" / "tse" / "disputes" / "level-shadow.yaml"


def held(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder, hidden ones among them."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def told(somebody: Somebody) -> str:
    """Return what the window says of what went wrong."""
    return somebody.app.notice or str(getattr(somebody.top, "note", ""))


def one_clear_word(somebody: Somebody, where: Path) -> None:
    said = told(somebody)
    assert "Permission denied" in said and str(where) in said, said
    assert "\n" not in said and "Traceback" not in said and "Errno" not in said


def types(somebody: Somebody, word: str, path: Path) -> None:
    """Type a path where another stands."""
    if word:
        somebody.does(word)
    somebody.tell(pygame.KEYDOWN, key=pygame.K_a, mod=pygame.KMOD_CTRL, unicode="", scancode=0)
    somebody.tell(pygame.TEXTINPUT, text=str(path))
    somebody.rest(2)


# --- the folder games are kept in ------------------------------------------------------------------------------------


def test_a_battle_goes_on_and_can_be_kept_in_another_folder(somebody: Somebody, tmp_path: Path) -> None:
    somebody.goes_on()
    session, folder = somebody.session, autosave.games_folder()
    begun, before = len(session.steps), held(folder)
    with read_only(folder):
        somebody.plays(lambda: len(session.steps) >= begun + 2)
        assert (
            "not kept" in somebody.game.controller.model.note
            and "Permission denied" in somebody.game.controller.model.note
        )
        assert held(folder) == before, "what was kept before stays, and nothing half written lies beside it"
        assert somebody.app.step(0.0, [pygame.event.Event(pygame.QUIT)]), "it is not closed unasked"
        assert "Permission denied" in somebody.app.notice
        somebody.strikes(pygame.K_LSHIFT)
        somebody.strikes(pygame.K_F10)
        somebody.does("save")
        path = tmp_path / "elsewhere.jsonl"
        types(somebody, "", path)
        somebody.strikes(pygame.K_RETURN)
        somebody.rest(3)
        assert session.trouble is None and session.path == path
    saved = save.read(path)
    assert replay.verify(saved).sound and len(saved.lines) == len(session.steps)


def test_a_game_that_lies_there_is_gone_on_with_all_the_same(somebody: Somebody) -> None:
    folder = autosave.games_folder()
    before = held(folder)
    with read_only(folder):
        somebody.goes_on()
        assert isinstance(somebody.top, GameWindow) and not somebody.app.notice
        assert held(folder) == before


def test_a_battle_that_could_not_be_kept_is_not_begun_unasked(somebody: Somebody) -> None:
    somebody.tell(pygame.DROPFILE, file=str(DRILL))
    somebody.rest()
    page, before = somebody.top, held(autosave.games_folder())
    with read_only(autosave.games_folder()):
        somebody.strikes(pygame.K_RETURN)
        assert somebody.top is page
        one_clear_word(somebody, autosave.games_folder())
        assert held(autosave.games_folder()) == before
        somebody.app.notice = ""
        assert "unkept" in dict(spots(page)), sorted(dict(spots(page)))
        somebody.does("unkept")
        assert isinstance(somebody.top, GameWindow), "unkept, it is played after all"


@pytest.mark.parametrize("deed", ["rename", "delete"])
def test_a_game_that_cannot_be_renamed_or_deleted_stays(somebody: Somebody, deed: str) -> None:
    folder = autosave.games_folder()
    somebody.rest()
    somebody.does("load")
    before = held(folder)
    word = next(word for word, _ in spots(somebody.top) if word.startswith(f"{deed}:"))
    with read_only(folder):
        somebody.does(word)
        sheet = somebody.top
        if deed == "rename":
            somebody.tell(pygame.TEXTINPUT, text="another")
        somebody.does(deed)
        assert somebody.top is sheet
        assert "Permission denied" in told(somebody)
        assert held(folder) == before


# --- pictures, reports, settings -------------------------------------------------------------------------------------


def test_nothing_exported_is_half_written_and_another_folder_will_do(somebody: Somebody, tmp_path: Path) -> None:
    closed = [places.pictures_folder(), places.documents_folder()]
    for folder in closed:
        folder.mkdir(parents=True)
    somebody.goes_on()
    somebody.strikes(pygame.K_e, pygame.KMOD_LCTRL)
    with read_only(*closed):
        for word, where in (("view.png", 0), ("view.svg", 0), ("whole.png", 0), ("whole.svg", 0), ("report.html", 1)):
            somebody.does(word)
            one_clear_word(somebody, closed[where])
            assert not held(closed[where]), word
        places.choose(tmp_path / "mine")
        somebody.does("view.png")
        assert not told(somebody) and list((tmp_path / "mine").glob("*.png"))


def test_settings_hold_until_the_window_is_closed_and_it_is_said_that_they_are_not_kept(somebody: Somebody) -> None:
    folder = model.settings_file().parent
    folder.mkdir(parents=True, exist_ok=True)
    somebody.rest()
    somebody.does("settings")
    with read_only(folder):
        somebody.does("symbols:nato")
        one_clear_word(somebody, folder)
        assert not held(folder)
        assert somebody.app.look.settings.symbols == "nato"
        somebody.app.notice = ""
        somebody.strikes(pygame.K_ESCAPE)
        assert somebody.app.look.settings.symbols == "nato"


def test_pictures_of_fields_that_cannot_be_kept_are_painted_all_the_same(somebody: Somebody) -> None:
    folder = pictures.cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    before = held(folder)
    with read_only(folder):
        somebody.rest()
        somebody.does("new")
        somebody.rest(40)
        assert not told(somebody)
        assert held(folder) == before
        assert any(picture is not None for picture in somebody.top.pictures.values())  # type: ignore[attr-defined]


def test_a_report_that_cannot_be_written_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(error_report, "reports_folder", lambda: tmp_path / "log")
    with read_only(tmp_path):
        said = error_report.report_error(ValueError("odd"))
    assert "The game is kept as it was. No report could be written." in said
    assert not held(tmp_path)


# --- the judge's table -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("deeds", "name"), [(("save:",), "ours.yaml"), (("tab:ask", "ask:los"), "ours.pdf")])
def test_what_cannot_be_saved_from_the_judges_table_may_go_elsewhere(
    somebody: Somebody, tmp_path: Path, deeds: tuple[str, ...], name: str
) -> None:
    """A scene, and the card of a verdict: the name is asked for still, and the position stays as it was laid."""
    closed, free = tmp_path / "closed", tmp_path / "free"
    closed.mkdir()
    somebody.rest()
    somebody.does("judge")
    somebody.tell(pygame.DROPFILE, file=str(DISPUTE))
    somebody.rest(20)
    screen = somebody.top
    assert isinstance(screen, JudgingScreen)
    draft = screen.controller.draft
    for deed in deeds:
        somebody.does(deed)
    if name.endswith(".pdf"):
        for unit in ("low-guns", "middle"):
            somebody.at(screen.at(screen.controller.battle.unit(unit).at))
        somebody.rest(10)
        somebody.does("tab:card")
        somebody.rest(5)
        somebody.does("card:.pdf")
    with read_only(closed):
        types(somebody, "file", closed / name)
        somebody.does("choose:")
        assert screen.chooser is not None, "it is asked for still"
        assert "Permission denied" in screen.chooser.note and "choose another place" in screen.chooser.note
        assert screen.controller.draft == draft and screen.controller.path is None
        assert not held(closed)
        types(somebody, "file", free / name)
        somebody.does("choose:")
        somebody.rest(10)
    assert screen.chooser is None and (free / name).is_file()
