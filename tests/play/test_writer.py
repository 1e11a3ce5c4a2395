"""A game saved on a thread of its own: in order, one action behind at most, nothing lost silently."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest

from tabletop.battle.codec import state_hash
from tabletop.errors import Unsaved
from tabletop.play.saves import autosave, replay, save
from tabletop.play.saves.writer import Writer
from tabletop.play.session import Session
from tests.play.kept_games import action, go_on, played

ROOT = Path(__file__).resolve().parents[2]

#: Seconds after which a test no longer waits for another thread.
PATIENCE = 30.0


@pytest.fixture
def writer() -> Iterator[Writer]:
    found = Writer()
    found.go_apart()
    yield found
    found.close()


class Gate:
    """A disk that takes nothing before it is opened; ``reached`` is set by the first who waits at it."""

    def __init__(self) -> None:
        self.opened, self.reached = threading.Event(), threading.Event()
        self.fsync = os.fsync

    def __call__(self, handle: int) -> None:
        self.reached.set()
        assert self.opened.wait(PATIENCE)
        self.fsync(handle)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    found = Gate()
    yield found
    found.opened.set()


def apart(path: Path, steps: int = 4, seed: int = 7) -> Session:
    session = played(steps, seed, path)
    session.save_apart()
    return session


def hashes(session: Session) -> list[str]:
    return [state_hash(step.battle) for step in session.steps]


def kept(path: Path) -> list[str]:
    return [line.hash for line in save.read(path).lines]


def on_a_thread(job: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=job, daemon=True)
    thread.start()
    return thread


# --- order -----------------------------------------------------------------------------------------------------------


def test_jobs_are_done_in_order_one_at_a_time(writer: Writer) -> None:
    random, done, running = Random(1), list[int](), threading.Lock()

    def job(number: int) -> None:
        assert running.acquire(blocking=False), "two at once"
        time.sleep(random.uniform(0.0, 0.002))
        done.append(number)
        running.release()

    for number in range(100):
        writer.put(partial(job, number))
        assert len(done) >= number, "only the last may be under way"
    writer.wait()
    assert done == list(range(100))


def test_whoever_hands_over_does_not_wait_for_it_but_for_the_one_before(writer: Writer) -> None:
    first = threading.Event()
    done: list[str] = []

    def waits() -> None:
        first.wait(PATIENCE)
        done.append("first")

    def second() -> None:
        writer.put(lambda: done.append("second"))
        done.append("handed over")

    writer.put(waits)
    assert writer.busy and not done and not writer.ended()
    other = on_a_thread(second)
    other.join(0.05)
    assert other.is_alive() and not done
    first.set()
    other.join(PATIENCE)
    writer.wait()
    assert done[0] == "first" and sorted(done) == ["first", "handed over", "second"]
    assert writer.ended() and not writer.ended(), "told once"


def test_trouble_is_that_of_the_last_job(writer: Writer) -> None:
    def fails() -> None:
        raise Unsaved("no room")

    writer.put(fails)
    assert writer.trouble == "no room"
    assert writer.ended() and writer.trouble == "no room"
    writer.put(lambda: None)
    assert writer.trouble is None
    writer.put(fails)
    writer.wait()
    writer.forget()
    assert writer.trouble is None


@pytest.mark.parametrize("thread", [False, True])
def test_a_defect_is_raised_once_and_what_follows_is_done_all_the_same(thread: bool) -> None:
    found, done = Writer(), list[str]()
    if thread:
        found.go_apart()

    def breaks() -> None:
        raise ZeroDivisionError

    def both() -> None:
        found.put(breaks)
        found.put(lambda: done.append("next"))

    with pytest.raises(ZeroDivisionError):
        both()
    if not thread:
        found.put(lambda: done.append("next"))
    found.close()
    assert done == ["next"]


def test_after_closing_everything_is_done_at_once(writer: Writer) -> None:
    done: list[int] = []

    def slow() -> None:
        time.sleep(0.02)
        done.append(1)

    writer.put(slow)
    writer.close()
    assert done == [1]
    before = threading.active_count()
    writer.put(lambda: done.append(2))
    assert done == [1, 2] and threading.active_count() == before


# --- games -----------------------------------------------------------------------------------------------------------


def test_the_file_is_the_same_byte_for_byte(tmp_path: Path) -> None:
    """Played on with taking back and doing again, on a thread of its own or not."""
    files = []
    for name in ("here", "apart"):
        path, random = tmp_path / f"{name}.jsonl", Random(3)
        session = played(2, path=path)
        if name == "apart":
            session.save_apart()
        for _ in range(30):
            if session.mover is None:
                break
            session.do(action(session.battle, random))
            if session.why_not_undo() is None and random.random() < 0.5:
                session.undo()
                if random.random() < 0.5:
                    session.redo()
        session.close()
        assert kept(path) == hashes(session)
        files.append(path.read_bytes())
    assert files[0] == files[1]


def test_an_action_is_done_before_it_is_saved_and_after_the_one_before_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gate: Gate
) -> None:
    session = apart(tmp_path / "game.jsonl")
    before, random = len(session.steps), Random(5)
    monkeypatch.setattr(os, "fsync", gate)
    go_on(session, 1, random)
    assert session.saving and not session.saved() and len(session.steps) == before + 1
    second = on_a_thread(lambda: go_on(session, 1, random))
    assert gate.reached.wait(PATIENCE)
    second.join(0.05)
    assert second.is_alive(), "no second action is under way before the first is on the disk"
    gate.opened.set()
    second.join(PATIENCE)
    session.close()
    assert kept(tmp_path / "game.jsonl") == hashes(session) and len(session.steps) == before + 2


def test_whoever_asks_where_a_game_is_kept_finds_it_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gate: Gate
) -> None:
    session = apart(tmp_path / "game.jsonl")
    monkeypatch.setattr(os, "fsync", gate)
    go_on(session, 1, Random(5))
    threading.Timer(0.05, gate.opened.set).start()
    path = session.path
    assert path is not None and not session.saving
    assert kept(path) == hashes(session)


def test_saving_as_waits_for_what_is_being_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gate: Gate) -> None:
    session, other = apart(tmp_path / "game.jsonl"), tmp_path / "other.jsonl"
    monkeypatch.setattr(os, "fsync", gate)
    go_on(session, 1, Random(5))
    threading.Timer(0.05, gate.opened.set).start()
    session.save_as(other)
    go_on(session, 1, Random(6))
    assert session.path == other and kept(other) == hashes(session)
    assert kept(tmp_path / "game.jsonl") == hashes(session)[:-1]


def fails(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_full_disk_is_told_once_it_is_known_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.jsonl"
    session, random = apart(path), Random(5)
    raw = path.read_bytes()
    with monkeypatch.context() as disk:
        disk.setattr(autosave.Autosave, "_append", fails)
        disk.setattr(autosave, "write_whole", fails)
        for _ in range(3):
            go_on(session, 1, random)
            assert session.trouble is not None and "No space left on device" in session.trouble
            assert session.saved() and not session.saved()
        session.undo() if session.why_not_undo() is None else None
        assert path.read_bytes() == raw
    go_on(session, 1, random)
    assert session.trouble is None and kept(path) == hashes(session)


def test_a_game_saved_elsewhere_is_no_longer_in_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = apart(tmp_path / "game.jsonl")
    with monkeypatch.context() as disk:
        disk.setattr(autosave.Autosave, "_append", fails)
        go_on(session, 1, Random(5))
        assert session.trouble
    session.save_as(tmp_path / "other.jsonl")
    assert session.trouble is None and kept(tmp_path / "other.jsonl") == hashes(session)


def test_a_file_changed_by_another_program_stays_and_that_is_told(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    session = apart(path)
    path.write_text("somebody else's")
    go_on(session, 1, Random(5))
    told = session.news()
    assert told is not None and "has been changed by another program" in told
    assert path.read_text() == "somebody else's"
    assert session.path == tmp_path / "game-2.jsonl" and kept(session.path) == hashes(session)


def test_a_game_let_go_of_leaves_no_lock_behind(tmp_path: Path) -> None:
    session = apart(tmp_path / "game.jsonl")
    go_on(session, 2, Random(5))
    session.close()
    del session
    assert [path.name for path in tmp_path.iterdir()] == ["game.jsonl"]


ENDS = """
import sys, time
from pathlib import Path
from random import Random
from tests.play.kept_games import action, played
path = Path(sys.argv[1])
session = played(2, path=path)
session.save_apart()
append = session._autosave._append
def slow(*given):
    time.sleep(0.3)
    append(*given)
session._autosave._append = slow
session.do(action(session.battle, Random(1)))
print(len(session.steps), session.saving)
"""


def test_a_program_that_ends_without_closing_the_game_saves_it_first(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    run = subprocess.run([sys.executable, "-c", ENDS, path], cwd=ROOT, capture_output=True, text=True, check=True)
    steps, saving = run.stdout.split()
    assert saving == "True"
    found = save.read(path)
    assert len(found.lines) == int(steps) and replay.verify(found).sound
