"""Paths as somebody types them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.play.files.typed_paths import is_folder, is_there, typed_path

LONG = "x" * 5_000


def test_home_is_found_and_an_unknown_name_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert typed_path(" ~/a.yaml ") == tmp_path / "a.yaml"
    assert typed_path("~nobody-at-all/a.yaml") == Path("~nobody-at-all/a.yaml")


@pytest.mark.parametrize("name", [LONG, f"a/{LONG}/b", "with\0nothing"])
def test_a_name_no_system_takes_is_not_there(name: str, tmp_path: Path) -> None:
    assert not is_there(tmp_path / name)
    assert not is_folder(tmp_path / name)


def test_what_is_there_is_there(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    assert is_there(tmp_path / "file") and not is_folder(tmp_path / "file")
    assert is_folder(tmp_path)
