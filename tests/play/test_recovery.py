"""Work in the workshop outlives the program: kill -9, a full disk, two programs at once."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabletop.play.files.draft import Draft, empty
from tabletop.play.saves import autosave
from tabletop.play.workshop import recovery
from tabletop.play.workshop.recovery import Keeper, Work
from tabletop.play.workshop.sources import open_work

ROOT = Path(__file__).resolve().parents[2]
WOOD = {"id": "wood", "kind": "woods", "outline": [[1, 1], [4, 1], [3, 4]]}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(autosave, "games_folder", lambda: tmp_path / "games")
    yield
    recovery._own.clear()


def strokes(count: int) -> list[Draft]:
    draft, found = empty("tse", 30, 20), []
    for k in range(count):
        draft = draft.with_rows(terrain=[{**WOOD, "id": f"wood-{k}"}])
        found.append(draft)
    return found


#: A program that makes stroke after stroke and says when one is under way and when it is kept.
PROGRAM = """
import sys
from pathlib import Path
from tabletop.play.saves import autosave
autosave.games_folder = lambda: Path(sys.argv[1])
from tabletop.play.files.draft import empty
from tabletop.play.workshop.recovery import Keeper, Work
keeper, draft = Keeper(), empty("tse", 30, 20)
for k in range(100000):
    wood = {"id": f"wood-{k}", "kind": "woods", "outline": [[1, 1], [4, 1], [3, 4]]}
    draft = draft.with_rows(terrain=[wood])
    keeper.keep(Work(draft))
    while keeper._writing is not None:
        keeper.listen()
    print(k, flush=True)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here")
def test_after_kill_9_at_most_the_last_stroke_is_gone(tmp_path: Path) -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "games")], stdout=subprocess.PIPE, text=True, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert program.stdout is not None
    lines: list[str] = []
    while len(lines) < 12:
        lines.append(program.stdout.readline())
        assert recovery.left() == []  # it is at work: nobody else is offered its work
    program.kill()
    lines += program.stdout.readlines()
    program.wait()
    last = int(lines[-1])
    found = recovery.left()
    assert len(found) == 1
    assert len(found[0].work.draft.terrain) in (last + 1, last + 2)  # the stroke under way may be there or not
    assert "was not saved when the program ended" in found[0].notice
    recovery.give_up(found[0])
    assert recovery.left() == []


def test_a_full_disk_loses_nothing_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    keeper, drafts = Keeper(inline=True), strokes(3)
    keeper.keep(Work(drafts[0]))
    assert not keeper.trouble

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(recovery, "write_whole", full)
        keeper.keep(Work(drafts[1]))
        assert "No space left" in keeper.trouble
        kept = recovery._read(keeper._file) if keeper._file is not None else None
        assert kept is not None and kept.work.draft == drafts[0]  # what was there is there still
        keeper.again()
        assert "No space left" in keeper.trouble
    keeper.again()
    assert not keeper.trouble and keeper._file is not None
    again = recovery._read(keeper._file)
    assert again is not None and again.work.draft == drafts[1]
    keeper.close()
    assert not list(recovery.folder().glob("*.json"))


def test_a_scenario_comes_back_with_its_files(tmp_path: Path) -> None:
    opened = open_work(ROOT / "scenarios/tse/starter.yaml")
    keeper = Keeper(inline=True)
    keeper.keep(Work(opened.draft, opened.origin, tmp_path / "mine.yaml"))
    assert keeper._file is not None
    found = recovery._read(keeper._file)
    assert found is not None and found.work == Work(opened.draft, opened.origin, tmp_path / "mine.yaml")
    keeper.close()


@pytest.mark.parametrize("data", ["", "{", "[]", '{"format": "tabletop-work/1"}', '{"format": "other"}', "\x00"])
def test_what_is_no_work_is_passed_over(data: str) -> None:
    recovery.folder().mkdir(parents=True)
    (recovery.folder() / f"1-1{recovery.SUFFIX}").write_text(data, "utf-8")
    assert recovery.left() == []


def test_of_strokes_that_come_fast_the_last_is_kept() -> None:
    keeper, drafts = Keeper(), strokes(40)
    for draft in drafts:
        keeper.keep(Work(draft))
    while keeper._writing is not None or keeper._next is not None:
        keeper.listen()
    assert keeper._file is not None
    found = recovery._read(keeper._file)
    assert found is not None and found.work.draft == drafts[-1]
    keeper.close()
