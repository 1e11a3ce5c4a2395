"""Saved games: everything in one file, and nothing taken for a game that is none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tabletop import cli
from tabletop.battle.codec import state_hash
from tabletop.battle.opening import opening_data, opening_of
from tabletop.errors import Unreadable
from tabletop.play import engine
from tabletop.play.files.load import load_scene
from tabletop.play.saves import replay, save
from tests.play.kept_games import battle, played
from tests.play.mutations import spoilt

ROOT = Path(__file__).parents[2]
SCENES = sorted((ROOT / "scenarios").rglob("*.yaml"))


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("games") / "game.jsonl"
    played(12, path=path)
    return path.read_bytes()


def put(tmp_path: Path, raw: bytes) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_bytes(raw)
    return path


def refusal(path: Path) -> str:
    """Return the one line by which a file is refused."""
    with pytest.raises(Unreadable) as caught:
        list(replay.battles(save.read(path)))
    assert len(caught.value.faults) == 1
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_the_opening_of_every_scene_comes_back_to_the_last_digit(path: Path) -> None:
    opening = load_scene(path)
    again = opening_of(json.loads(json.dumps(opening_data(opening))))
    assert again == opening
    assert state_hash(again) == state_hash(opening)
    assert [p.shape.wkb for p in again.table.terrain] == [p.shape.wkb for p in opening.table.terrain]


def test_only_an_opening_is_written_as_one() -> None:
    with pytest.raises(ValueError, match="has begun"):
        opening_data(engine.begin(battle(), 7).battle)


def test_a_game_needs_no_other_file(tmp_path: Path) -> None:
    """The scenario may change or go: the game is played on from its own file alone."""
    path = tmp_path / "game.jsonl"
    session = played(40, path=path)
    assert replay.verify(save.read(path)).sound
    assert "yaml" not in path.read_text()
    assert save.read(path).header.opening == session.header.opening


def test_every_line_is_plain_json_with_its_number_action_events_and_hash(raw: bytes) -> None:
    head, *lines = [json.loads(line) for line in raw.splitlines()]
    assert (head["format"], head["seed"], head["rules"]) == ("tabletop-game/3", 7, "tse")
    assert head["players"] == {"french": "anybody", "allied": "anybody"}
    assert [line["n"] for line in lines] == list(range(13))
    assert "action" not in lines[0]
    assert all({"action", "events", "hash", "sum"} <= line.keys() for line in lines[1:])


# --- cut off, damaged, forged ----------------------------------------------------------------------------------------


def test_a_file_cut_off_anywhere_opens_with_every_whole_line_before_the_cut(tmp_path: Path, raw: bytes) -> None:
    ends = [k + 1 for k, byte in enumerate(raw) if byte == 10]
    random = Random(5)
    for at in sorted({*random.sample(range(len(raw)), 60), *(end - step for end in ends for step in (-1, 0, 1))}):
        if at > len(raw):
            continue
        path = put(tmp_path, raw[:at])
        lines = sum(end <= at for end in ends)
        if lines < 2:
            assert "game.jsonl:1:1: " in refusal(path)
            continue
        found = save.read(path)
        assert len(found.lines) == lines - 1
        assert found.cut_off is (at not in ends)


@pytest.mark.parametrize("number", [1, 2, 7])
def test_a_damaged_line_is_named(tmp_path: Path, raw: bytes, number: int) -> None:
    lines = raw.splitlines(keepends=True)
    line = bytearray(lines[number - 1])
    line[len(line) // 2] ^= 1
    lines[number - 1] = bytes(line)
    assert f"game.jsonl:{number}:1: this line is not as it was saved" in refusal(put(tmp_path, b"".join(lines)))


def test_lines_lost_doubled_or_swapped_are_found(tmp_path: Path, raw: bytes) -> None:
    lines = raw.splitlines(keepends=True)
    assert ":5:1: " in refusal(put(tmp_path, b"".join([*lines[:4], *lines[5:]])))
    assert ":6:1: " in refusal(put(tmp_path, b"".join([*lines[:5], lines[4], *lines[5:]])))
    assert ":5:1: " in refusal(put(tmp_path, b"".join([*lines[:4], lines[5], lines[4], *lines[6:]])))


def test_no_byte_can_be_changed_unseen(tmp_path: Path, raw: bytes) -> None:
    """But for those of the last line's end, where a cut-off action is simply lost."""
    whole = save.read(put(tmp_path, raw))
    for seed in range(150):
        changed = spoilt(Random(seed), raw)
        if changed == raw:
            continue
        path = put(tmp_path, changed)
        try:
            found = save.read(path)
        except Unreadable as error:
            assert "\n" not in str(error)
            continue
        assert found.lines == whole.lines[: len(found.lines)], seed


def forged(raw: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield files in which one value is replaced by something nasty and every line's sum is made to fit again."""
    nasty: list[object] = [None, True, -1, 10**30, "x", [], {}, [[]], {"id": 1}, "\ud800", 1e308, [1, 2, 3]]
    random = Random(11)
    for _ in range(250):
        rows = [json.loads(line) for line in raw.splitlines()]
        number = random.randrange(len(rows))
        _spoil(rows[number], random, random.choice(nasty))
        lines, before = [], ""
        for row in rows:
            row.pop("sum")
            lines.append(save._tied(row, before))
            before = lines[-1][-19:-3].decode()
        yield number + 1, b"".join(lines)


def _spoil(data: object, random: Random, value: object) -> None:
    """Replace one value somewhere in ``data``, or take it out."""
    while True:
        keys = list(data) if isinstance(data, dict) else list(range(len(data)))  # type: ignore[arg-type]
        keys = [key for key in keys if key not in ("sum", "format")]
        key = random.choice(keys)
        inner = data[key]  # type: ignore[index]
        if isinstance(inner, (dict, list)) and inner and random.random() < 0.8:
            data = inner
            continue
        if random.random() < 0.2:
            del data[key]  # type: ignore[attr-defined]
        else:
            data[key] = value  # type: ignore[index]
        return


def test_forged_games_are_refused_in_one_line_or_shown(tmp_path: Path, raw: bytes) -> None:
    refused = 0
    for _, text in forged(raw):
        path = put(tmp_path, text)
        try:
            list(replay.battles(save.read(path)))
        except Unreadable as error:
            refused += 1
            assert "\n" not in str(error)
            assert "game.jsonl:" in str(error)
    assert refused > 100


def under(versions: object) -> bytes:
    return save._tied({"format": "tabletop-game/2", "rules": "tse", "played_under": versions}, "")


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"", "this is no saved game"),
        (b"\0" * 100, "this is no saved game"),
        (b'{"format": "tabletop-scene/1"}\n', "this is no saved game"),
        (b'{"format": "tabletop-game/1"', "ends inside its first line"),
        (b'{"format": "tabletop-game/1"}\n', "not as it was saved"),
        (save._tied({"format": "tabletop-game/9"}, ""), "this is a 'tabletop-game/9', this program reads"),
        (save._tied({"format": "tabletop-game/1", "rules": "chess"}, ""), "played by the rules 'chess'"),
        (save._tied({"format": "tabletop-game/1", "rules": "tse"}, ""), "the opening position cannot be read"),
        (save._tied({"format": "tabletop-game/2", "rules": "tse"}, ""), "it names no versions of rules and model"),
        (under({"rules": 3, "model": 1}), "it was played under rules 3, model 1; this program knows them as far as"),
        (under({"rules": 0, "model": 1}), "its version of the rules is 0"),
        (under({"rules": True, "model": 1}), "its version of the rules is True"),
        (under({"rules": 1}), "it names no versions of rules and model"),
        (b'{"format": "tabletop-game/' + b"[" * 100_000 + b"\n", "not as it was saved"),
    ],
)
def test_what_is_no_game_is_refused(tmp_path: Path, raw: bytes, says: str) -> None:
    assert says in refusal(put(tmp_path, raw))


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    assert "there is no such file" in refusal(tmp_path / "nothing.jsonl")
    assert "this is no file of a saved game" in refusal(tmp_path)


def test_no_command_shows_a_traceback(tmp_path: Path, raw: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    for k, (_, text) in enumerate(forged(raw)):
        if k % 25 == 0:
            path = put(tmp_path, text)
            for words in (["verify"], ["replay"], ["report"], ["judge"]):
                status = cli.status(
                    [words[0], str(path), *(["distance", "kempt", "pack"] if words == ["judge"] else [])]
                )
                said = capsys.readouterr()
                assert "Traceback" not in said.err
                assert status == 0 or said.err.count("\n") <= 2
