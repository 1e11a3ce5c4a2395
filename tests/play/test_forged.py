"""Forged and damaged saved games: none is verified, none shows a traceback."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tabletop import cli
from tabletop.errors import Unreadable
from tabletop.play.saves import replay, save
from tests.play.forger import (
    FORGERIES,
    Forgery,
    a_null_added,
    a_null_removed,
    an_unknown_key,
    changes,
    forged,
    rows_of,
    signed,
)
from tests.play.kept_games import played
from tests.play.mutations import spoilt

CORPUS = Path(__file__).parents[1] / "corpus"
#: How a refusal to verify begins.
SAID = re.compile(r"(action \d+|the beginning) (\(\S+\) does not come out as saved|cannot be replayed: |does not)")


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("games") / "game.jsonl"
    played(20, path=path)
    return path.read_bytes()


def refused(path: Path, text: bytes, what: str) -> str:
    """Say in which way a file is refused: "read" or "verify"; an assertion fails where it is accepted."""
    path.write_bytes(text)
    try:
        found = replay.verify(save.read(path))
    except Unreadable as error:
        assert len(error.faults) == 1
        assert "\n" not in str(error)
        return "read"
    assert not found.sound, what
    assert found.difference is not None
    assert SAID.match(found.difference), found.difference
    assert len(found.difference) < 1000
    assert "\n" not in found.difference
    return "verify"


def sweep(path: Path, raw: bytes, count: int, seed: int) -> Counter[str]:
    """Refuse ``count`` forgeries and as many damaged files; return how many of each kind there were."""
    kinds: Counter[str] = Counter()
    for what, text in forged(raw, count, seed):
        kinds[what] += 1
        kinds[refused(path, text, what)] += 1
    random, whole = Random(seed), save.read(_put(path, raw))
    for _ in range(count):
        text = spoilt(random, raw)
        path.write_bytes(text)
        try:
            found = save.read(path)
        except Unreadable as error:
            assert "\n" not in str(error)
            kinds["damaged"] += 1
            continue
        assert found.lines == whole.lines[: len(found.lines)], "what is left is the game as far as it goes"
    return kinds


def _put(path: Path, raw: bytes) -> Path:
    path.write_bytes(raw)
    return path


def test_the_game_that_is_forged_is_sound_and_so_is_its_copy_signed_again(tmp_path: Path, raw: bytes) -> None:
    assert signed(rows_of(raw)) == raw
    assert replay.verify(save.read(_put(tmp_path / "game.jsonl", raw))).sound


def test_no_forgery_is_verified(tmp_path: Path, raw: bytes) -> None:
    """Dice, results, paths, events missing, doubled and in another order, signed again: one hundred, all found."""
    kinds = sweep(tmp_path / "game.jsonl", raw, 100, seed=1815)
    assert {forgery.__name__ for forgery in FORGERIES} <= kinds.keys()
    assert kinds["verify"] + kinds["read"] == 100
    assert kinds["verify"] > 50
    assert kinds["damaged"] > 66


@pytest.mark.parametrize(
    "forgery", [a_null_added, a_null_removed, an_unknown_key], ids=lambda forgery: forgery.__name__
)
@pytest.mark.parametrize("seed", range(8))
def test_a_null_is_not_the_same_as_nothing(tmp_path: Path, raw: bytes, forgery: Forgery, seed: int) -> None:
    """In the marks of a change null takes the mark away, so a key more or less is another game."""
    rows = rows_of(raw)
    assert forgery(Random(seed), rows)
    refused(tmp_path / "game.jsonl", signed(rows), forgery.__name__)


def test_marks_that_are_not_taken_away_are_missed(tmp_path: Path) -> None:
    """A null left out beside other marks: loading the game would give another state."""
    rows = rows_of(max(CORPUS.glob("tse-teaching-*.jsonl")).read_bytes())
    beside = [
        (event["marks"], mark)
        for event, had in changes(rows)
        for mark, value in event.get("marks", {}).items()
        if value is None and mark in had and len(event["marks"]) > 1
    ]
    assert beside, "no mark is taken away beside others"
    marks, taken = beside[0]
    marks.pop(taken)
    assert refused(tmp_path / "game.jsonl", signed(rows), taken) == "verify"


def test_an_answer_that_nobody_asked_for_is_refused(
    tmp_path: Path, raw: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = rows_of(raw)
    rows[5]["events"] += [{"event": "settled", "choice": "yes"}]
    path = _put(tmp_path / "game.jsonl", signed(rows))
    for command in ("replay", "report"):
        assert cli.status([command, str(path)]) != 0
        said = capsys.readouterr().err
        assert "an answer where nothing is asked" in said
        assert said.count("\n") == 1


def test_differences_tell_a_missing_key_from_a_null() -> None:
    assert [*replay.differences({"marks": {}}, {"marks": {"started": None}})] == ["marks.started: was missing, is None"]
    assert [*replay.differences({"a": None}, {})] == ["a: was None, is missing"]
    assert [*replay.differences({"a": None}, {"a": None})] == []


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(10))
def test_thousands_of_forgeries_are_not_verified(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "game.jsonl"
    played(40, seed, path)
    kinds = sweep(path, path.read_bytes(), 500, seed)
    assert kinds["verify"] + kinds["read"] == 500


def test_the_command_refuses_them_in_one_line(tmp_path: Path, raw: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.jsonl"
    for _, text in forged(raw, 25, seed=7):
        path.write_bytes(text)
        for command in ("verify", "replay", "report"):
            status = cli.status([command, str(path)])
            said = capsys.readouterr()
            assert "Traceback" not in said.err
            assert "defect" not in said.err
            assert said.err.count("\n") <= 1
            if command == "verify":
                assert status in (1, 2)
                assert "Verified" not in said.out
                assert (said.out + said.err).count("\n") == 1


def test_a_file_cut_off_is_not_called_verified(tmp_path: Path, raw: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    path = _put(tmp_path / "game.jsonl", raw[:-20])
    assert cli.status(["verify", str(path)]) == 1
    assert capsys.readouterr().out.startswith("not verified: the file is cut off after action")
