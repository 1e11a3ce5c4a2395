"""Progress is kept, and a damaged file costs progress only."""

from __future__ import annotations

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
