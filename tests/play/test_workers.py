"""A batch on several processors: the same bytes in the same order, whoever answers and whoever dies."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tabletop.cli import status
from tabletop.play.batch import answers
from tabletop.play.workers import batch_workers
from tabletop.play.workers.batch_workers import LIVES, Crew, Worker, answers_at_once
from tests.play.mutations import SCENE

ROW = "\n  - {id: foy, side: french, troop: infantry, bases: 4, formation: deployed, at: [10, 4], facing: 0}\n"
QUESTIONS = ("los", "distance", "arc", "fire", "assault")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "scene.yaml").write_text(SCENE.rstrip() + ROW)
    return tmp_path


def line(question: str = "distance", *args: str, **more: Any) -> bytes:
    asked = {"scene": "scene.yaml", "question": question, "args": list(args or ("kempt", "foy")), **more}
    return json.dumps(asked).encode() + b"\n"


def many() -> list[bytes]:
    good = [line(question, *pair) for question in QUESTIONS for pair in (("kempt", "foy"), ("foy", "kempt"))]
    bad = [b"{not json\n", b"\n", line("lso"), line("los", "kempt"), line(scene="none.yaml"), b"  \n"]
    return (good + bad) * 3


@pytest.mark.parametrize(("jobs", "chunk"), [(1, 7), (2, 1), (3, 7)])
def test_the_same_answers_whatever_the_number_of_processes(folder: Path, jobs: int, chunk: int) -> None:
    assert list(answers_at_once(many(), folder, jobs, 0.0, chunk)) == list(answers(many(), folder))


def test_no_lines_no_answers(folder: Path) -> None:
    assert list(answers_at_once([b"\n"], folder, 3, 0.0)) == []


def test_a_small_batch_starts_no_worker(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(Worker, "started")
    assert len(list(answers_at_once(many()[:3], folder, 4, 60.0))) == 3


def end_one_at_work(crew: Crew) -> list[int]:
    """End a worker that has lines in hand; return the line it was at, none if it had just sent its last answer."""
    worker = next(w for w in crew.workers if w.held)
    os.kill(worker.process.pid or 0, signal.SIGKILL)
    worker.process.join()
    with contextlib.suppress(EOFError, OSError):
        while worker.pipe.poll() and worker.held:
            answer = worker.pipe.recv()
            crew.answers[worker.held.popleft()[0]] = answer
    return [worker.held[0][0]] if worker.held else []


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_a_worker_that_dies_is_told_of_one_line_and_stops_no_other(folder: Path) -> None:
    lines = [line() for _ in range(300)]
    crew = Crew(folder, 2, 100, enumerate(lines))  # so many at a time that it is never just done with them
    found: list[str] = []
    lost: list[int] = []
    try:
        while not crew.done:
            crew.work()
            if not lost and any(w.held for w in crew.workers):
                lost += end_one_at_work(crew)
            found += crew.next_answers()
    finally:
        crew.dismiss()
    expected = list(answers(lines, folder))
    assert len(found) == len(lines)
    assert [n for n, answer in enumerate(found) if answer != expected[n]] == lost
    assert lost and "ended without an answer" in found[lost[0]]


def test_of_lines_handed_to_a_dead_worker_none_is_lost(folder: Path) -> None:
    """It died with nothing in hand, so no line can have ended it: others answer them all."""
    lines = [line() for _ in range(12)]
    crew = Crew(folder, 1, 4, enumerate(lines))
    crew.lost_a_line = True  # so that no line is answered here meanwhile
    found: list[str] = []
    ended = False
    try:
        while not crew.done:
            if not ended and crew.workers and crew.workers[0].ready and not crew.workers[0].held:
                crew.workers[0].process.kill()
                crew.workers[0].process.join()
                ended = True
            crew.work()
            found += crew.next_answers()
    finally:
        crew.dismiss()
    assert ended
    assert found == list(answers(lines, folder))


def test_where_no_worker_lives_the_batch_goes_on_here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Worker] = []
    real = Worker.started

    def stillborn(folder: Path, usual: Mapping[str, Any]) -> Worker:
        worker = real(folder)
        worker.process.kill()
        worker.process.join()
        started.append(worker)
        return worker

    monkeypatch.setattr(Worker, "started", stillborn)
    assert list(answers_at_once(many(), folder, 2, 0.0, 1)) == list(answers(many(), folder))
    assert LIVES <= len(started) <= LIVES + 2


def test_where_no_process_is_to_be_had_the_batch_goes_on_here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(folder: Path, usual: Mapping[str, Any]) -> Worker:
        raise OSError("no more processes")

    monkeypatch.setattr(Worker, "started", none)
    assert list(answers_at_once(many(), folder, 2, 0.0)) == list(answers(many(), folder))


def test_answers_that_wait_too_long_hold_the_others_back(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_workers, "AHEAD", 1)
    assert list(answers_at_once(many(), folder, 2, 0.0, 2)) == list(answers(many(), folder))


def test_workers_are_sent_home_when_nobody_reads_on(folder: Path) -> None:
    stream: Iterator[str] = answers_at_once([line() for _ in range(2000)], folder, 2, 0.0, 1)
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert not [child for child in multiprocessing.active_children() if child.name == "tabletop-judge"]


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_ends_a_batch_at_once_without_a_traceback(folder: Path) -> None:
    (folder / "batch.jsonl").write_bytes(b"".join([line("los")] * 200_000))
    command = [sys.executable, "-m", "tabletop", "judge", "--batch", "batch.jsonl", "--jobs", "2"]
    env = {**os.environ, "PYTHONPATH": str(Path(batch_workers.__file__).parents[3])}
    running = subprocess.Popen(
        command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    assert running.stdout is not None and running.stderr is not None
    running.stdout.readline()
    time.sleep(1.0)
    os.killpg(running.pid, signal.SIGINT)
    running.stdout.read()
    assert running.stderr.read() == b""
    assert running.wait(30) == 130


def test_no_processes_at_all_is_refused_with_its_cure(capsys: pytest.CaptureFixture[str]) -> None:
    assert status(["judge", "--batch", "none.jsonl", "--jobs", "0"]) == 2
    assert "--jobs 0 is no number of processes; give 1 or more" in capsys.readouterr().err
