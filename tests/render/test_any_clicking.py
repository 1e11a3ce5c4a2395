"""Clicking without sense breaks nothing: no defect comes up, battles stay legal, and what is kept can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.render.clicking import Clicker
from tests.render.own_home import at_home, fenced, usual_files

EVENTS, SWEPT = 250, 100_000


def clicked(seed: int, events: int, tmp_path: Path, patch: pytest.MonkeyPatch) -> Clicker:
    """Click so many times from the start screen on; AssertionError with the events that led to it for what breaks."""
    at_home(tmp_path, patch)
    clicker = Clicker(seed, usual_files(tmp_path / "files"))
    with fenced(tmp_path):
        fault = clicker.go(events)
    if fault:
        pytest.fail(fault, pytrace=False)
    return clicker


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.sweep)])
def test_clicking_anywhere_breaks_nothing(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clicker = clicked(seed, EVENTS, tmp_path, monkeypatch)
    assert len(clicker.places) > 3, clicker.places


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(100, 110))
def test_clicking_for_a_long_time_breaks_nothing(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clicker = clicked(seed, SWEPT // 10, tmp_path, monkeypatch)
    assert len(clicker.places) > 8, clicker.places
