"""Saved games shown at any moment, and played again to see whether they come out the same."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tabletop import cli
from tabletop.battle.codec import state_hash
from tabletop.battle.event import Placed, Thrown
from tabletop.errors import BadQuestion
from tabletop.play.saves import replay, save
from tabletop.play.saves.save import Line, Saved
from tabletop.play.session import Session
from tests.play.kept_games import played


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "game.jsonl"
    played(40, path=path)
    return path


@pytest.fixture
def game(kept: Path) -> Saved:
    return save.read(kept)


def test_every_moment_is_the_one_that_was(game: Saved) -> None:
    session = Session.resume(game)
    for n, step in enumerate(session.steps):
        assert state_hash(replay.battle_at(game, n)) == state_hash(step.battle) == game.lines[n].hash


def test_moments_by_action_and_by_turn(game: Saved) -> None:
    assert replay.moment(game, "14") == 14
    assert replay.battle_at(game, replay.moment(game, "turn:2")).clock.turn == 2
    assert replay.battle_at(game, replay.moment(game, "turn 2") - 1).clock.turn == 1


@pytest.mark.parametrize(
    ("at", "says"),
    [("400", "there is no moment 400"), ("turn:9", "there is no turn 9"), ("-1", "a moment is"), ("x", "a moment is")],
)
def test_moments_never_reached_are_refused(game: Saved, at: str, says: str) -> None:
    with pytest.raises(BadQuestion, match=says):
        replay.battle_at(game, replay.moment(game, at))


def test_a_game_comes_out_as_it_was_saved(game: Saved) -> None:
    found = replay.verify(game)
    assert (found.sound, found.alike) == (True, len(game.lines) - 1)


def changed(game: Saved, n: int, line: Line) -> Saved:
    return replace(game, lines=(*game.lines[:n], line, *game.lines[n + 1 :]))


def test_a_forged_die_is_found_and_named(game: Saved) -> None:
    n = next(line.n for line in game.lines[1:] if any(isinstance(e, Thrown) for e in line.events))
    line = game.lines[n]
    events = tuple(replace(e, face=e.face + 1) if isinstance(e, Thrown) else e for e in line.events)
    found = replay.verify(changed(game, n, replace(line, events=events)))
    assert (found.sound, found.alike) == (False, n - 1), "a face alone changes nothing of the state"
    assert "face: was" in str(found.difference)


def _shifted(event: Placed, by: float = 1.0) -> Placed:
    bases = [[x + by, *rest] for x, *rest in event.pose["bases"]]
    return replace(event, pose={**event.pose, "bases": bases})


def test_the_first_difference_is_named_with_action_and_place(game: Saved) -> None:
    n = next(line.n for line in game.lines if any(isinstance(e, Placed) for e in line.events))
    line = game.lines[n]
    events = tuple(_shifted(e) if isinstance(e, Placed) else e for e in line.events)
    battle = list(replay.battles(changed(game, n, replace(line, events=events))))[n]
    found = replay.verify(changed(game, n, replace(line, events=events, hash=state_hash(battle))))
    assert found.alike == n - 1
    assert found.difference is not None
    assert f"action {n} ({line.action.kind if line.action else ''}) does not come out as saved" in found.difference
    assert "pose.bases" in found.difference


@pytest.mark.parametrize(("by", "sound"), [(5e-7, True), (2e-6, False)])
def test_lengths_are_compared_to_a_millionth(game: Saved, by: float, sound: bool) -> None:
    """What another machine rounds otherwise is the same; what anybody could measure is not."""
    n = next(line.n for line in game.lines if any(isinstance(e, Placed) for e in line.events))
    line = game.lines[n]
    events = tuple(_shifted(e, by) if isinstance(e, Placed) else e for e in line.events)
    found = replay.verify(changed(game, n, replace(line, events=events)))
    assert found.sound is sound
    assert sound or "pose.bases" in str(found.difference)


def test_an_action_refused_now_is_named(game: Saved) -> None:
    n = next(line.n for line in game.lines if line.action is not None and line.action.kind == "choose")
    action = game.lines[n].action
    assert action is not None
    found = replay.verify(changed(game, n, replace(game.lines[n], action=replace(action, side="nobody"))))
    assert (found.sound, found.alike) == (False, n - 1)
    assert str(found.difference).startswith(f"action {n} cannot be replayed: choose is not allowed: ")


def test_a_game_of_another_version_is_refused_by_name_or_plays_alike(game: Saved) -> None:
    other = replace(game, header=replace(game.header, program="9.9.9"))
    assert replay.verify(other).sound
    n = len(game.lines) - 1
    found = replay.verify(changed(other, n, replace(game.lines[n], hash="0" * 32)))
    assert "saved by tabletop 9.9.9, this is" in str(found.difference)


# --- from the command line -------------------------------------------------------------------------------------------


def put(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    status = cli.status([str(word) for word in words])
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    return status, said.out, said.err


def test_a_saved_game_is_judged_drawn_and_shown_at_any_moment(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert put(capsys, "judge", kept, "distance", "kempt", "jamin", "--at", 3, "--no-margin")[0] == 0
    assert put(capsys, "render", kept, "--at", "turn:2", "-o", tmp_path / "table.svg")[0] == 0
    assert (tmp_path / "table.svg").stat().st_size > 1000
    status, out, _ = put(capsys, "replay", kept, "--at", 4, "--diagram", tmp_path / "then.svg")
    assert status == 0
    assert "Action 4 of " in out
    assert (tmp_path / "then.svg").stat().st_size > 1000
    status, _, err = put(capsys, "judge", kept, "distance", "kempt", "jamin", "--at", 999)
    assert (status, err.count("\n")) == (2, 1)


def test_a_scene_has_no_moments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text("format: tabletop-map/1\ntitle: x\ntable: {unit: in, width: 9, height: 9}\n")
    status, _, err = put(capsys, "render", path, "--at", 3, "-o", tmp_path / "x.svg")
    assert status == 2
    assert "only a saved game has moments" in err


def test_a_batch_asks_of_a_moment(kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask = {"scene": str(kept), "question": "distance", "args": ["kempt", "jamin"]}
    lines = [json.dumps({**ask, **more}) for more in ({}, {"at": 2}, {"at": "turn:2"}, {"at": "x"})]
    (tmp_path / "asked.jsonl").write_text("\n".join(lines))
    status, out, _ = put(capsys, "judge", "--batch", tmp_path / "asked.jsonl")
    answers = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [("error" in answer) for answer in answers] == [False, False, False, True]


def test_verify_says_how_many_and_its_status(kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert put(capsys, "verify", kept)[:1] == (0,)
    spoilt = tmp_path / "spoilt.jsonl"
    spoilt.write_bytes(kept.read_bytes().replace(b'"seed": 7', b'"seed": 8', 1))
    assert put(capsys, "verify", spoilt)[0] == 2
