"""Two programs on one saved game: the second is told, and neither loses anything."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from tabletop.battle.codec import state_hash
from tabletop.errors import Unsaved
from tabletop.play.files import writing
from tabletop.play.saves import lock, replay, save
from tabletop.play.session import Session
from tests.play.kept_games import go_on, played

ROOT = Path(__file__).parents[2]
#: Opens a game as another program does, tells what it is told, does an action when asked, and waits to be ended.
OTHER = """
import sys
from pathlib import Path
from random import Random
from tests.play.kept_games import go_on
from tabletop.play.saves import save
from tabletop.play.session import Session
path = Path(sys.argv[1])
session = Session.resume(save.read(path), path)
print(session.news() or "-", flush=True)
for line in sys.stdin:
    go_on(session, 1, Random(int(line)))
    print(session.path, "|", session.news() or "-", "|", session.trouble or "-", flush=True)
"""


class Other:
    """Another program with a game open."""

    def __init__(self, path: Path) -> None:
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        words = [sys.executable, "-c", OTHER, str(path)]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
        self.told = self._line()

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def acts(self, seed: int) -> list[str]:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{seed}\n")
        self.process.stdin.flush()
        return [part.strip() for part in self._line().split("|")]

    def ends(self, kill: bool = False) -> None:
        assert self.process.stdin is not None
        if kill:
            self.process.kill()
        else:
            self.process.stdin.close()
        self.process.wait()


def hashes(path: Path) -> list[str]:
    saved = save.read(path)
    assert replay.verify(saved).sound
    return [line.hash for line in saved.lines]


def test_the_second_program_is_told_and_keeps_its_moves_beside(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    session = played(4, path=path)
    before = hashes(path)
    other = Other(path)
    try:
        assert other.told == "game.jsonl is open in another program: what you do is kept in a new file of its own"
        go_on(session, 2, Random(1))
        where, news, trouble = other.acts(2)
        assert (where, trouble) == (str(tmp_path / "game-2.jsonl"), "-")
        assert news.startswith("game.jsonl is open in another program and stays as it is; this game is kept in ")
        go_on(session, 1, Random(3))
        assert other.acts(4)[1:] == ["-", "-"], "it is told once"
    finally:
        other.ends()
    assert hashes(path) == [state_hash(step.battle) for step in session.steps]
    assert hashes(tmp_path / "game-2.jsonl")[: len(before)] == before
    assert len(hashes(tmp_path / "game-2.jsonl")) == len(before) + 2
    assert session.news() is None


def test_a_game_closed_in_one_program_is_opened_in_another_without_a_word(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    session = played(4, path=path)
    del session
    other = Other(path)
    assert other.told == "-"
    assert other.acts(2)[0] == str(path)
    other.ends()
    assert [name.name for name in tmp_path.iterdir()] == ["game.jsonl"]


def test_the_lock_of_a_killed_program_is_taken_over_and_swept_away(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    session = played(4, path=path)
    del session
    other = Other(path)
    other.ends(kill=True)
    assert lock.lock_file(path).exists()
    session = Session.resume(save.read(path), path)
    assert session.news() is None
    go_on(session, 1, Random(1))
    assert session.path == path
    del session
    assert [name.name for name in tmp_path.iterdir()] == ["game.jsonl"]


def test_a_game_gone_on_with_behind_ones_back_is_not_written_over(tmp_path: Path) -> None:
    """No lock tells of it (another machine, a copy put in its place): the file's last line does."""
    path = tmp_path / "game.jsonl"
    session = played(4, path=path)
    there = played(9, path=tmp_path / "there.jsonl")
    for _ in range(2):
        path.write_bytes((tmp_path / "there.jsonl").read_bytes())
        go_on(session, 1, Random(2))
    assert session.path == tmp_path / "game-2.jsonl"
    assert "game.jsonl has been changed by another program and stays as it is" in str(session.news())
    assert path.read_bytes() == (tmp_path / "there.jsonl").read_bytes()
    assert hashes(session.path) == [state_hash(step.battle) for step in session.steps]
    assert len(there.steps) == 10


def test_saving_over_a_game_open_elsewhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    played(4, path=path)
    other, raw = Other(path), path.read_bytes()
    try:
        with pytest.raises(Unsaved, match="is open in another program; close it there, or name another file"):
            played(3).save_as(path)
    finally:
        other.ends()
    assert path.read_bytes() == raw


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_nothing_half_written_stays_after_a_kill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed while it writes, a program leaves a file half-written: the next that writes there takes it away."""
    child = os.fork()
    if child == 0:
        monkeypatch.setattr(os, "fsync", lambda handle: os.kill(os.getpid(), signal.SIGKILL))
        writing.write_whole(tmp_path / "game.jsonl", b"half of it")
        os._exit(0)
    os.waitpid(child, 0)
    assert [name.suffix for name in tmp_path.iterdir()] == [writing.PART]
    writing.write_whole(tmp_path / "another.svg", b"whole")
    assert [name.name for name in tmp_path.iterdir()] == ["another.svg"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_what_another_program_is_writing_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    child = os.fork()
    if child == 0:
        monkeypatch.setattr(os, "fsync", lambda handle: time.sleep(60))
        writing.write_whole(tmp_path / "game.jsonl", b"half of it")
        os._exit(0)
    while not (there := list(tmp_path.glob(f".*{writing.PART}"))) or not there[0].stat().st_size:
        time.sleep(0.01)
    writing.write_whole(tmp_path / "another.svg", b"whole")
    assert there[0].exists()
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    writing.sweep(tmp_path)
    assert [name.name for name in tmp_path.iterdir()] == ["another.svg"]


# --- who is told -----------------------------------------------------------------------------------------------------


@pytest.fixture
def taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    """A game opened while another program has it."""
    path = tmp_path / "game.jsonl"
    played(3, path=path)
    monkeypatch.setattr(lock, "take", lambda place: place == path)
    return Session.resume(save.read(path), path)


def test_the_prompt_tells_it(taken: Session) -> None:
    from tabletop.terminal.commands import COMMANDS
    from tabletop.terminal.prompt import Prompt

    said: list[str] = []
    prompt = Prompt(taken, {}, said.append, COMMANDS)
    prompt.open()
    assert said[0].replace("\n", " ").startswith("game.jsonl is open in another program: what you do is kept in")


def test_a_game_of_an_older_version_says_so_when_it_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_bytes((ROOT / "tests/corpus/tse-skirmish-rules-1-model-1.jsonl").read_bytes())
    told = str(Session.resume(save.read(path), path).news())
    assert told.startswith("This battle was begun under rules 1, model 1; from here on it is played under rules 2")
