"""The workshop by clicks: armies, arrivals and a battle from nothing; files written back; work that is not lost."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path
from typing import Any

import pygame
import pytest

from tabletop import cli
from tabletop.play.files.load import load_scene
from tabletop.play.match import made, named
from tabletop.play.saves import library
from tabletop.play.session import Session
from tabletop.play.workshop import recovery
from tabletop.render.destinations import ToExport, ToSettingUp
from tabletop.render.judge import battle_rows, game_keys
from tabletop.render.judge.controller import Mode
from tabletop.render.screens import Go
from tests.render.judge.driver import Umpire, in_the_workshop

ROOT = Path(__file__).parents[3]
POND = ((10.0, 10.0), (14.0, 10.0), (12.0, 14.0))


def pond(umpire: Umpire) -> None:
    """Draw a lake by clicks."""
    umpire.press("tab:place")
    umpire.press("what:terrain")
    umpire.press("kind:lake")
    for point in POND:
        umpire.click(point)
    umpire.key(pygame.K_RETURN)


def both_armies(umpire: Umpire) -> None:
    """Give both sides troops: one from the points list and the library, one from the library."""
    umpire.press("tab:roster")
    umpire.press("army:add")
    umpire.write("army:limit", "12")
    umpire.key(pygame.K_RETURN)
    umpire.press("army:take")
    umpire.choose("hand:side", "Red")
    umpire.press("army:take")


def test_armies_arrivals_and_a_battle_from_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Built, saved, checked, begun and fought to its end; who comes later is off the table until then."""
    monkeypatch.setattr(battle_rows, "own_folder", lambda: tmp_path)
    with in_the_workshop() as umpire:
        controller = umpire.controller
        pond(umpire)
        both_armies(umpire)
        assert controller.draft.sides == ("blue", "red") and controller.laid.sound
        umpire.press("tab:battle")
        later = next(unit for unit in controller.battle.units if unit.side == "blue" and not unit.is_general)
        umpire.press("battle:part:arrivals")
        umpire.click(later.at)
        umpire.press("battle:arrival:new")
        assert not controller.battle.has(later.id) and controller.laid.sound
        umpire.write("battle:arrival:turn", "3")
        umpire.key(pygame.K_RETURN)
        umpire.press("battle:tool:edge")
        umpire.click((1.0, 20.0))
        umpire.press("battle:tool:road")
        umpire.click((8.0, 20.0))
        umpire.key(pygame.K_ESCAPE)
        umpire.press("battle:part:goals")
        umpire.press("battle:tool:goal")
        umpire.click((36.0, 24.0))
        umpire.write("battle:goal:points", "3")
        umpire.key(pygame.K_RETURN)
        umpire.press("battle:part:terms")
        umpire.write("battle:turns", "4")
        umpire.key(pygame.K_RETURN)
        umpire.choose("battle:attacker", "Red")
        umpire.choose("battle:option", "Transport capture")
        umpire.press("battle:play")
        going = umpire.screen.going
    assert isinstance(going, Go) and isinstance(going.to, ToSettingUp)
    path = going.to.path
    assert cli.status(["check", str(path)]) == 0
    battle = load_scene(path)
    assert [unit.id for unit in battle.awaited] == [later.id]
    (arrival,) = battle.setup.arrivals
    assert arrival.turn == 3 and arrival.at == pytest.approx((0.0, 20.0), abs=0.2)
    assert arrival.along[0] == pytest.approx((8.0, 20.0), abs=0.2)
    assert (battle.setup.attacker, battle.setup.turns, battle.setup.objectives[0].points) == ("red", 4, 3.0)
    field = library.field(path)
    assert isinstance(field, library.Field)
    players = named(field.battle, "random,random")
    session, seats = Session.start(field.battle, 3, players), made(players, 3)
    while session.mover is not None:
        session.do(seats[session.mover].choose(session.battle).action)
    assert session.battle.over


def test_who_comes_later_may_stand_there_from_the_start() -> None:
    with in_the_workshop() as umpire:
        controller = umpire.controller
        both_armies(umpire)
        umpire.press("tab:battle")
        umpire.press("battle:part:arrivals")
        unit = next(unit for unit in controller.battle.units if not unit.is_general)
        umpire.click(unit.at)
        umpire.press("battle:arrival:new")
        umpire.press("battle:arrival:back")
        assert controller.battle.has(unit.id) and not game_keys.arrivals(controller.draft)
        umpire.press("undo:")
        umpire.press("undo:")
        assert controller.battle.unit(unit.id).at == unit.at


def test_a_side_is_called_otherwise_everywhere() -> None:
    with in_the_workshop() as umpire:
        both_armies(umpire)
        umpire.press("tab:battle")
        umpire.choose("battle:attacker", "Red")
        umpire.write("battle:side:1", "prussian")
        umpire.key(pygame.K_RETURN)
        assert "prussian" in umpire.controller.draft.sides and "red" not in umpire.controller.draft.sides
        assert game_keys.game_of(umpire.controller.draft)["attacker"] == "prussian"
        assert umpire.controller.laid.sound


def test_an_army_and_a_map_are_files_of_their_own(tmp_path: Path) -> None:
    with in_the_workshop() as umpire:
        pond(umpire)
        both_armies(umpire)
        for word, name in (("army:save", "army.yaml"), ("map:", "map.yaml")):
            umpire.press("tab:roster" if word.startswith("army") else "tab:table")
            umpire.press(word)
            umpire.write("file", str(tmp_path / name))
            umpire.press("choose:")
            assert umpire.screen.chooser is None, umpire.screen.chooser
            assert cli.status(["check", str(tmp_path / name)]) == 0
        umpire.press("tab:roster")
        umpire.choose("hand:side", "Blue")
        umpire.press("army:open")
        umpire.write("file", str(tmp_path / "army.yaml"))
        umpire.press("choose:")
        assert umpire.controller.laid.sound
        assert len({row["id"] for row in umpire.controller.draft.units}) == len(umpire.controller.draft.units)


def test_a_file_is_written_back_with_its_comments(tmp_path: Path) -> None:
    path = tmp_path / "quarrel.yaml"
    text = (ROOT / "scenarios/tse/disputes/level-shadow.yaml").read_text("utf-8")
    path.write_text("# Tuesday, at Karl's\n" + text, "utf-8")
    with in_the_workshop() as umpire:
        umpire.drop(path)
        assert "comments and all" in umpire.controller.note
        umpire.press("tab:table")
        umpire.write("title", "Once more")
        umpire.key(pygame.K_RETURN)
        umpire.press("save:")
        assert not umpire.screen.unkept
    before, after = ("# Tuesday, at Karl's\n" + text).splitlines(), path.read_text("utf-8").splitlines()
    assert [line for line in after if line not in before] == ["title: Once more"]
    assert len(after) == len(before)


def test_a_fault_is_shown_where_it_is() -> None:
    """Below the line it is about, round the piece on the table, in the roster; a click leads there from the foot."""
    with in_the_workshop() as umpire:
        controller = umpire.controller
        both_armies(umpire)
        one, other = [unit for unit in controller.battle.units if not unit.is_general][:2]
        controller.do(
            controller.draft.with_rows([{**controller.draft.unit(one.id), "at": controller.draft.unit(other.id)["at"]}])
        )
        umpire.wait()
        umpire.link("foot", "fault")
        assert controller.mode is Mode.EDIT
        wrong = [getattr(part, "text", "") for part in umpire.screen.parts() if getattr(part, "wrong", False)]
        assert len(wrong) == 1 and "overlaps" in wrong[0]
        place = next(n for n, part in enumerate(umpire.screen.parts()) if getattr(part, "wrong", False))
        assert "edit:x" in str(umpire.screen.parts()[place - 1])
        umpire.press("undo:")
        assert not [part for part in umpire.screen.parts() if getattr(part, "wrong", False)]


def test_a_piece_that_crosses_itself_is_shown() -> None:
    with in_the_workshop() as umpire:
        bow = {"id": "bow", "kind": "woods", "outline": [[5, 5], [15, 15], [15, 5], [5, 15]]}
        umpire.controller.do(umpire.controller.draft.with_rows(terrain=[bow]))
        umpire.wait()
        assert {trouble.row for trouble in umpire.controller.laid.troubles} == {"bow"}
        umpire.link("foot", "fault")
        assert umpire.controller.selected == ("bow",)
        assert any(getattr(part, "wrong", False) for part in umpire.screen.parts())


def test_what_was_not_saved_is_offered_in_one_line_and_comes_back() -> None:
    """A program that is killed closes nothing: what it kept is there, and the next one offers it."""
    with in_the_workshop() as umpire:
        pond(umpire)
        both_armies(umpire)
        wanted, kept = umpire.controller.draft, umpire.screen.keeper._file
        assert kept is not None
        left = kept.with_name(f"1-1{recovery.SUFFIX}")
        shutil.copy(kept, left)
    with in_the_workshop() as umpire:
        offered = [getattr(part, "text", "") for part in umpire.screen.parts() if getattr(part, "wrong", False)]
        assert len(offered) == 1 and "was not saved when the program ended" in offered[0]
        umpire.press("recover:")
        assert umpire.controller.draft == wanted and umpire.screen.unkept
        assert not left.exists() and umpire.screen.keeper._file is not None  # it is in this program's hands now
        umpire.press("undo:")
        assert umpire.controller.draft != wanted
    assert recovery.left() == []  # left in good order, after the question whether to


def test_what_is_not_wanted_is_thrown_away() -> None:
    with in_the_workshop() as umpire:
        pond(umpire)
        kept = umpire.screen.keeper._file
        assert kept is not None
        shutil.copy(kept, kept.with_name(f"1-1{recovery.SUFFIX}"))
    with in_the_workshop() as umpire:
        umpire.press("forget:")
        assert "recover:" not in umpire.screen.form.words
        assert umpire.controller.draft.terrain == ()
    assert recovery.left() == []


def test_a_full_disk_is_said_and_the_work_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with in_the_workshop() as umpire:
        with monkeypatch.context() as patch:
            patch.setattr(recovery, "write_whole", full)
            patch.setattr("tabletop.render.judge.keeping.write_whole", full)
            pond(umpire)
            umpire.wait()
            assert "does not take your work" in umpire.screen._foot_text()
            umpire.press("save:")
            umpire.write("file", str(tmp_path / "a.yaml"))
            umpire.press("choose:")
            assert umpire.screen.chooser is not None and "No space left" in umpire.screen.chooser.note
            umpire.key(pygame.K_ESCAPE)
            umpire.key(pygame.K_ESCAPE)
        assert len(umpire.controller.draft.terrain) == 1
        umpire.wait(120)  # it is tried again after a while
        assert "does not take your work" not in umpire.screen._foot_text()
        assert umpire.screen.keeper._file is not None


def test_print_leads_to_the_sheets() -> None:
    with in_the_workshop() as umpire:
        umpire.press("print:")
        assert isinstance(umpire.screen.going, Go) and isinstance(umpire.screen.going.to, ToExport)


def test_a_faulty_file_is_one_line_and_leaves_the_table(tmp_path: Path) -> None:
    faulty = tmp_path / "faulty.yaml"
    shutil.copy(ROOT / "docs/examples/faulty-map.yaml", faulty)
    with in_the_workshop() as umpire:
        before = umpire.controller.draft
        umpire.drop(faulty)
        assert umpire.controller.draft is before
        assert "faulty.yaml:5:49" in umpire.controller.note and "did you mean 'outline'?" in umpire.controller.note
        (tmp_path / "photo.png").write_text("no picture", "utf-8")
        umpire.drop(tmp_path / "photo.png")
        assert "photo.png" in umpire.controller.backdrop.note
