"""Progress is kept, and a damaged file costs progress only."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tabletop.lessons.progress import Progress


def test_progress_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "progress.json"
    progress = Progress(path)
    progress.note("wood", 2)
    progress.note("wood", 1)
    assert Progress(path).done("wood") == 2 and Progress(path).done("other") == 0 and not progress.trouble


@pytest.mark.parametrize(
    "raw",
    [b"", b"{", b"[1]", b"\xff\x00", b'{"format": "tabletop-progress/1", "done": {"a": "x"}}', b"[" * 100_000,
     b'{"format": "tabletop-progress/1", "done": {"a": -1}}', b'{"format": "other", "done": {}}'],
)  # fmt: skip
def test_a_damaged_file_is_put_aside(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "progress.json"
    path.write_bytes(raw)
    progress = Progress(path)
    assert "damaged" in progress.trouble and (tmp_path / "progress.json.damaged").read_bytes() == raw
    progress.note("wood", 1)
    assert Progress(path).done("wood") == 1 and not Progress(path).trouble


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    progress = Progress(tmp_path / "file" / "progress.json")
    progress.note("wood", 1)
    assert "cannot be" in progress.trouble and progress.done("wood") == 1


def test_a_full_disk_leaves_the_file_as_it_was_and_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "progress.json"
    progress = Progress(path)
    progress.note("wood", 1)
    before = path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    progress.note("wood", 2)
    assert "No space left" in progress.trouble and path.read_bytes() == before and progress.done("wood") == 2
    assert [each.name for each in tmp_path.iterdir()] == ["progress.json"]


def test_a_program_killed_while_it_notes_leaves_a_whole_file(tmp_path: Path) -> None:
    """A real kill -9, at ten moments of a program that does nothing else: never damaged, never fewer steps."""
    path, known = tmp_path / "progress.json", 0
    script = (
        "import sys; from pathlib import Path; from tabletop.lessons.progress import Progress\n"
        "progress = Progress(Path(sys.argv[1])); print('ready', flush=True)\n"
        "for n in range(progress.done('wood') + 1, 1001): progress.note('wood', n)"
    )
    for tenth in range(10):
        program = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE)
        assert program.stdout is not None and program.stdout.readline() == b"ready\n"
        time.sleep(0.004 * tenth)
        program.kill()
        program.wait()
        program.stdout.close()
        kept = Progress(path)
        assert not kept.trouble and kept.done("wood") >= known
        known = kept.done("wood")
    assert known > 0
