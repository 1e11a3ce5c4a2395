"""A battle in progress: taking back and doing again, never past a die; the autosave, and what happens when it fails."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from tabletop.battle.action import Action
from tabletop.battle.codec import state_hash
from tabletop.errors import BadQuestion, Illegal, Unsaved
from tabletop.play.saves import autosave, replay, save
from tabletop.play.session import Session
from tests.play.kept_games import action, battle, go_on, played


def hashes(session: Session) -> list[str]:
    return [state_hash(step.battle) for step in session.steps]


def test_taking_back_and_doing_again_lead_to_the_same_states(tmp_path: Path) -> None:
    session, random = played(3, path=tmp_path / "game.jsonl"), Random(3)
    taken = 0
    while session.mover is not None:
        session.do(action(session.battle, random))
        before = hashes(session)
        if session.why_not_undo() is None:
            session.undo()
            assert hashes(session) == before[:-1]
            assert len(save.read(tmp_path / "game.jsonl").lines) == len(before) - 1
            session.redo()
            taken += 1
        assert hashes(session) == before
        assert [line.hash for line in save.read(tmp_path / "game.jsonl").lines] == before
    assert taken > 5


@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_taken_back_past_a_die(seed: int) -> None:
    """However often one asks, the throws of the battle stay as they were."""
    session, random = played(0, seed), Random(seed)
    stopped = 0
    while session.mover is not None:
        step = session.do(action(session.battle, random))
        throws, done = session.battle.throws, hashes(session)
        while session.why_not_undo() is None:
            session.undo()
        assert session.battle.throws == throws
        if len(session.steps) > 1 and session.steps[-1].thrown:
            stopped += 1
            with pytest.raises(BadQuestion, match="a die once thrown stays thrown"):
                session.undo()
        assert not step.thrown or session.steps[-1] is step
        while len(session.steps) < len(done):
            session.redo()
        assert hashes(session) == done
    assert stopped


def test_the_beginning_stays() -> None:
    session = played(0)
    session.steps[0] = type(session.steps[0])(None, None, (), session.battle)
    with pytest.raises(BadQuestion, match="nothing has been done yet"):
        session.undo()


def test_what_was_taken_back_is_gone_once_something_else_is_done() -> None:
    session, random = played(2), Random(0)
    while session.why_not_undo() is not None:
        session.do(action(session.battle, random))
    session.undo()
    session.do(action(session.battle, random))
    with pytest.raises(BadQuestion, match="nothing to do again"):
        session.redo()


def test_what_is_not_allowed_changes_nothing(tmp_path: Path) -> None:
    session = played(4, path=tmp_path / "game.jsonl")
    before, raw = hashes(session), (tmp_path / "game.jsonl").read_bytes()
    with pytest.raises(Illegal):
        session.do(Action("hold", "nobody", "kempt"))
    assert hashes(session) == before
    assert (tmp_path / "game.jsonl").read_bytes() == raw


def test_a_game_goes_on_where_it_was_left(tmp_path: Path) -> None:
    """Played in one go, or saved and taken up again after every third action: the same file, byte for byte."""
    at_once = played(40, path=tmp_path / "at-once.jsonl")
    path, random = tmp_path / "in-parts.jsonl", Random(7)
    session = played(0, path=path)
    while session.mover is not None:
        go_on(session, 3, random)
        session = Session.resume(save.read(path), path)
    assert hashes(session) == hashes(at_once)
    assert path.read_bytes() == (tmp_path / "at-once.jsonl").read_bytes()


def test_saving_as_writes_all_of_it_and_goes_on_there(tmp_path: Path) -> None:
    session, random = played(5), Random(1)
    assert session.path is None
    session.save_as(tmp_path / "kept.jsonl")
    go_on(session, 2, random)
    assert session.path == tmp_path / "kept.jsonl"
    assert [line.hash for line in save.read(tmp_path / "kept.jsonl").lines] == hashes(session)


# --- when the disk is against it -------------------------------------------------------------------------------------


def fails(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_full_disk_is_told_in_one_line_and_the_game_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    session, random = played(4, path=path), Random(5)
    kept = hashes(session)
    monkeypatch.setattr(os, "fsync", fails)
    go_on(session, 3, random)
    assert session.trouble is not None
    assert "No space left on device" in session.trouble
    assert "\n" not in session.trouble
    assert [line.hash for line in save.read(path).lines][: len(kept)] == kept
    monkeypatch.undo()
    go_on(session, 1, random)
    assert session.trouble is None
    assert [line.hash for line in save.read(path).lines] == hashes(session)
    del session
    assert [name.name for name in tmp_path.iterdir()] == ["game.jsonl"]


def test_half_a_line_on_a_full_disk_is_mended_by_the_next_action(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk takes half of a line: the game opens without that action, and is whole again once there is room."""
    path = tmp_path / "game.jsonl"
    session, random = played(4, path=path), Random(5)
    before = hashes(session)

    def half(self: autosave.Autosave, target: Path, line: bytes) -> None:
        self._size = -1
        with target.open("ab") as stream:
            stream.write(line[: len(line) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(autosave.Autosave, "_append", half)
    go_on(session, 1, random)
    assert session.trouble is not None
    found = save.read(path)
    assert found.cut_off
    assert [line.hash for line in found.lines] == before
    monkeypatch.undo()
    go_on(session, 1, random)
    assert [line.hash for line in save.read(path).lines] == hashes(session)


def test_taking_back_on_a_full_disk_is_not_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    session, random = played(0, path=path), Random(2)
    while session.why_not_undo() is not None:
        session.do(action(session.battle, random))
    monkeypatch.setattr(os, "fsync", fails)
    session.undo()
    assert session.trouble is not None
    monkeypatch.undo()
    session.do(action(session.battle, random))
    assert [line.hash for line in save.read(path).lines] == hashes(session)


def test_a_file_moved_away_meanwhile_is_written_anew_and_one_changed_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    session, random = played(3, path=path), Random(2)
    path.unlink()
    go_on(session, 1, random)
    assert [line.hash for line in save.read(path).lines] == hashes(session)
    path.write_text("somebody else's")
    go_on(session, 1, random)
    assert path.read_text() == "somebody else's"
    assert session.path == tmp_path / "game-2.jsonl"
    assert [line.hash for line in save.read(tmp_path / "game-2.jsonl").lines] == hashes(session)


def test_a_battle_is_not_begun_where_it_cannot_be_kept(tmp_path: Path) -> None:
    with pytest.raises(Unsaved, match="cannot be saved there") as refusal:
        Session.start(battle(), 7, autosave=tmp_path / "nowhere" / "game.jsonl")
    assert "\n" not in str(refusal.value)
    session = played(3)
    with pytest.raises(Unsaved, match="cannot be saved there"):
        session.save_as(tmp_path / "nowhere" / "game.jsonl")
    assert session.path is None


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_device_that_takes_no_byte(tmp_path: Path) -> None:
    """A full device refuses the appended line; the journal knows that the file is no longer as it was left."""
    session = played(2)
    before = hashes(session)
    kept = autosave.Autosave(session.header, session.steps, Path("/dev/full"))
    kept._size = Path("/dev/full").stat().st_size
    with pytest.raises(Unsaved, match="No space left on device"):
        kept.keep()
    assert kept._size == -1
    assert hashes(session) == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_what_is_no_file_is_never_replaced(tmp_path: Path) -> None:
    pipe, folder = tmp_path / "pipe", tmp_path / "folder"
    os.mkfifo(pipe)
    folder.mkdir()
    for path in (pipe, folder):
        with pytest.raises(Unsaved, match="something there that is no file"):
            played(2).save_as(path)
    assert pipe.is_fifo()


def test_a_folder_without_the_right_to_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may write anywhere, so the refusal is the system's own word put in its mouth."""
    session, random = played(3, path=tmp_path / "game.jsonl"), Random(5)
    raw = (tmp_path / "game.jsonl").read_bytes()

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refused)
    monkeypatch.setattr("tempfile.mkstemp", refused)
    go_on(session, 2, random)
    assert session.trouble is not None
    assert "Permission denied" in session.trouble
    monkeypatch.undo()
    assert (tmp_path / "game.jsonl").read_bytes() == raw
    session.save_as(tmp_path / "elsewhere.jsonl")
    assert [line.hash for line in save.read(tmp_path / "elsewhere.jsonl").lines] == hashes(session)


def test_games_are_kept_where_the_system_keeps_data_under_a_name_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = autosave.free_path("Quatre Bras, 16 June 1815", tmp_path / "games")
    assert first == tmp_path / "games" / "quatre-bras-16-june-1815.jsonl"
    first.write_text("")
    assert autosave.free_path("Quatre Bras, 16 June 1815", tmp_path / "games").name.endswith("-1815-2.jsonl")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert autosave.games_folder().name == "games"
    (tmp_path / "file").write_text("")
    with pytest.raises(Unsaved, match="cannot be saved there"):
        autosave.free_path("Ligny", tmp_path / "file" / "games")


def test_the_folded_game_is_the_played_one(tmp_path: Path) -> None:
    session = played(40, path=tmp_path / "game.jsonl")
    saved = save.read(tmp_path / "game.jsonl")
    assert [state_hash(found) for found in replay.battles(saved)] == hashes(session)
