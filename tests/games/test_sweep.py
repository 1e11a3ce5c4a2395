"""The long sweep can be left and gone on with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.games import sweep
from tests.games.harness import Game


def test_a_sweep_goes_on_where_it_was_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that was kept is not played again, one cut off in the writing is; what failed before still counts."""
    played = list[tuple[str, int]]()

    def play(name: str, seed: int) -> Game:
        played.append((name, seed))
        return Game(name, seed)

    monkeypatch.setattr(sweep, "play", play)
    kept = tmp_path / "swept.jsonl"
    assert sweep.sweep(0, 2, ["a", "b"], kept) == 0
    assert played == [("a", 0), ("b", 0), ("a", 1), ("b", 1)]
    lines = [line for line in kept.read_text().splitlines() if line]
    lines[1] = json.dumps({**json.loads(lines[1]), "fault": "b fell"})
    kept.write_text("\n".join(lines)[:-9])
    del played[:]
    assert sweep.sweep(0, 3, ["a", "b"], kept) == 1
    assert played == [("b", 1), ("a", 2), ("b", 2)]
