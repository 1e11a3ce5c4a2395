"""The longest line, the most scenes kept, the longest saved game: read at the bound, refused or let go past it."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabletop.battle.event import Lost
from tabletop.errors import Broken, Unreadable
from tabletop.play import batch
from tabletop.play.batch import Scenes, answered
from tabletop.play.files import installed, named_files
from tabletop.play.files.yaml_text import parse
from tabletop.play.saves import replay, save
from tests.play.kept_games import played
from tests.play.mutations import SCENE

DATA: dict[str, Any] = parse("", SCENE).data


def scenes(tmp_path: Path, count: int = 1) -> Scenes:
    for k in range(count):
        (tmp_path / f"scene{k}.yaml").write_text(SCENE)
    return Scenes(tmp_path)


def request(scene: Any = "scene0.yaml", **keys: Any) -> bytes:
    return json.dumps({"scene": scene, "question": "command", "args": ["kempt"], **keys}).encode()


# --- a batch ---------------------------------------------------------------------------------------------------------


def test_a_line_of_the_greatest_length_is_read_and_a_longer_one_refused(tmp_path: Path) -> None:
    kept, line = scenes(tmp_path), request()
    longest = line.ljust(batch.LONGEST_LINE)
    assert json.loads(answered(longest, kept)) == json.loads(answered(line, kept))
    refused = json.loads(answered(longest + b" ", kept))
    assert refused == {"error": "the line has 4,000,001 bytes; the most that is read is 4,000,000"}


def test_a_scene_inline_has_no_moments(tmp_path: Path) -> None:
    refused = json.loads(answered(request(DATA, at=3), scenes(tmp_path)))
    assert refused == {"error": "only a saved game has moments to look at; leave out 'at'"}


def test_the_scene_not_asked_of_for_longest_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read again when asked of again."""
    monkeypatch.setattr(batch, "_KEPT", 2)
    kept = scenes(tmp_path, 3)
    first = kept.battle("scene0.yaml")
    kept.battle("scene1.yaml")
    assert kept.battle("scene0.yaml") is first
    kept.battle("scene2.yaml")  # scene1 has waited longest now
    assert kept.battle("scene0.yaml") is first
    kept.battle("scene1.yaml")
    kept.battle("scene2.yaml")
    again = kept.battle("scene0.yaml")
    assert again is not first and again.units == first.units


def test_a_defect_in_one_line_stops_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = scenes(tmp_path)
    with monkeypatch.context() as broken:
        broken.setattr(batch, "judge", lambda *_: 1 / 0)
        found = json.loads(answered(request(), kept))
    assert found == {"error": "a defect of the program, please report it: ZeroDivisionError: division by zero"}
    assert "error" not in json.loads(answered(request(), kept))


# --- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_is_no_file_and_nobody_waits_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "scene.yaml")
    with pytest.raises(Unreadable, match="this is a pipe or a device, not a file of text"):
        named_files.read(tmp_path / "scene.yaml")


def test_data_of_the_program_that_is_missing_is_named_with_its_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    assert installed.installed("scenarios/first.toml").is_file()
    with pytest.raises(Broken, match=r"missing \(maps/none.yaml\); install it again"):
        installed.installed("maps/none.yaml")
    monkeypatch.setattr(installed, "installed_data", lambda: None)
    with pytest.raises(Broken, match=r"missing \(scenarios/first.toml\)"):
        installed.installed("scenarios/first.toml")


# --- saved games -----------------------------------------------------------------------------------------------------


def test_a_saved_game_of_the_greatest_length_is_read_and_a_longer_one_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.jsonl"
    played(3, path=path)
    monkeypatch.setattr(save, "LONGEST", path.stat().st_size)
    assert len(save.read(path).lines) == 4
    monkeypatch.setattr(save, "LONGEST", path.stat().st_size - 1)
    with pytest.raises(Unreadable, match="that is no game of ours"):
        save.read(path)


def test_events_that_are_missing_or_cannot_be_followed_are_named(tmp_path: Path) -> None:
    """An event left out is counted; one of a unit that is not there is refused with the line it stands on."""
    path = tmp_path / "game.jsonl"
    played(3, path=path)
    game = save.read(path)
    line = game.lines[1]

    def forged(*events: Any) -> save.Saved:
        return replace(game, lines=(game.lines[0], replace(line, events=events, hash="0"), *game.lines[2:]))

    short = replay.verify(forged(*line.events[:-1]))
    assert not short.sound and short.alike == 0
    were = "event was" if len(line.events) == 2 else "events were"
    are = "is" if len(line.events) == 1 else "are"
    said = f"{len(line.events) - 1} {were} saved, now there {are} {len(line.events)}"
    assert said in str(short.difference)
    with pytest.raises(
        Unreadable, match=r":3:1: what happened here cannot be followed \(BadQuestion: no unit 'nobody' on this table"
    ):
        list(replay.battles(forged(Lost("nobody", 1, {}))))
