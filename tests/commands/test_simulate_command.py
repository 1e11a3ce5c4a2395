"""``tabletop simulate``: its tables, its JSON, what it refuses, what it says of games that fail, how it is ended."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tabletop import cli
from tabletop.play.players import PLAYERS, PlayerKind
from tabletop.play.saves.save import read
from tests.stumbler import Stumbler

ROOT = Path(__file__).parents[2]
SKIRMISH, TEACHING = (str(ROOT / "scenarios/tse" / name) for name in ("skirmish.yaml", "teaching.yaml"))


def put(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = cli.status(words)
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    return status, said.out, said.err


def test_the_tables(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = put(capsys, "simulate", SKIRMISH, "--games", "6", "--jobs", "1")
    assert (status, err) == (0, "")
    assert out.startswith("A skirmish over a hedge: 6 games, random against random, seeds 1 to 6.\n")
    for word in ("won by", "true rate (95 %)", "ended", "length", "lost a game", "Red, bases", "Result hash: "):
        assert word in out
    assert max(map(len, out.splitlines())) <= 100


def test_the_json_is_the_same_on_one_processor_and_on_two(capsys: pytest.CaptureFixture[str]) -> None:
    """All but the time taken is alike; the games add up to the figures."""
    found = []
    for jobs in ("1", "2"):
        status, out, err = put(capsys, "simulate", SKIRMISH, "--games", "6", "--jobs", jobs, "--json")
        assert (status, err) == (0, "")
        found.append(json.loads(out))
    one, two = found
    assert one["hash"] == two["hash"]
    for data in found:
        del data["figures"]["thinking"]
        for game in data["games"]:
            del game["thought"]
    assert one == two
    assert one["format"] == "tabletop-simulation/1"
    assert (one["finished"], one["cancelled"], one["failed"]) == (6, False, [])
    won = [game["winner"] for game in one["games"]]
    assert {row["winner"]: row["times"] for row in one["figures"]["by_side"]} == {
        side: won.count(side) for side in ("red", "blue", None)
    }


def test_a_game_is_that_of_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``tabletop run`` with the seed of a game plays that game, to the last position."""
    _, out, _ = put(capsys, "simulate", SKIRMISH, "--games", "2", "--seed", "8", "--jobs", "1", "--json")
    game = json.loads(out)["games"][1]
    assert game["seed"] == 9
    kept = tmp_path / "nine.jsonl"
    assert put(capsys, "run", SKIRMISH, "--seed", "9", "--save", str(kept))[0] == 0
    assert read(kept).lines[-1].hash == game["hash"]
    assert len(read(kept).lines) - 1 == game["actions"]


def test_sides_are_changed_where_players_differ(capsys: pytest.CaptureFixture[str]) -> None:
    """And not where they are alike, nor when told not to."""
    said = {}
    for players, options in (("greedy,random", ()), ("greedy,random", ("--no-swap",)), ("random,random", ())):
        words = ("simulate", SKIRMISH, "--games", "2", "--jobs", "1", "--turns", "1", "--players", players, *options)
        said[players, options] = put(capsys, *words)[1]
    changed, kept, alike = said.values()
    assert "changing sides after each" in changed
    assert "player greedy" in changed
    assert "changing" not in kept + alike
    assert "player random" not in alike


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--games", "0"], "--games 0 is no number of games"),
        (["--turns", "0"], "--turns 0 is no number of turns"),
        (["--jobs", "0"], "--jobs 0 is no number of processes"),
        (["--jobs", "some"], "--jobs some is no number of processes"),
        (["--jobs", "1000000"], "--jobs 1000000 is no number of processes"),
        (["--players", "random"], "name a player for each side"),
        (["--players", "random,gredy"], "did you mean 'greedy'?"),
        (["--players", "human,random"], "there is nobody to ask"),
        (["--jobs", "2", "--scheduler", "tcp://127.0.0.1:1"], "give one of them"),
        (["--scheduler", "127.0.0.1:8786"], "is no address; give one such as tcp://"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_line(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = put(capsys, "simulate", SKIRMISH, *words)
    assert (status, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = put(capsys, "simulate", "nowhere.yaml")
    assert status == 2
    assert "there is no such file" in err


def test_a_game_that_fails_is_told_and_can_be_played_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scenario, seed and players are named; the command shown comes to the same fault; the others count; status 1."""
    monkeypatch.setitem(PLAYERS, "stumbler", PlayerKind("stumbler", "one who falls", Stumbler))
    monkeypatch.chdir(tmp_path)
    words = ("simulate", TEACHING, "--games", "2", "--jobs", "1", "--players", "stumbler,random", "--no-swap")
    status, out, err = put(capsys, *words, "--turns", "1")
    assert status == 1
    assert "1 of" not in out  # both came to something
    assert f"{TEACHING}, seed 2" in err
    assert "ValueError: over a root" in err
    again = re.search(r"TABLETOP_DEBUG=1 tabletop (.*)", err)
    assert again is not None
    monkeypatch.setenv("TABLETOP_DEBUG", "1")
    assert "--turns 1" in again[1]
    with pytest.raises(ValueError, match=r"over\s+a root"):
        cli.status(shlex.split(again[1]))
    assert len(read(tmp_path / "failed-2.jsonl").lines) >= 3


def test_the_json_holds_the_games_that_failed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PLAYERS, "stumbler", PlayerKind("stumbler", "one who falls", Stumbler))
    words = ("simulate", SKIRMISH, "--games", "2", "--jobs", "1", "--players", "stumbler,random", "--no-swap")
    status, out, _ = put(capsys, *words, "--json")
    found = json.loads(out)
    assert (status, found["finished"], len(found["games"])) == (1, 2, 1)
    assert found["failed"][0]["seed"] == 2
    assert "--seed 2" in found["failed"][0]["again"]


@pytest.mark.skipif(os.name == "nt", reason="sends the signal of Ctrl+C as POSIX does")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_shows_what_was_finished(jobs: str) -> None:
    """Status 130, the figures of the games finished, nothing on stderr, and nobody left who plays."""
    words = ["simulate", SKIRMISH, "--games", "2000", "--jobs", jobs, "--json"]
    command = [sys.executable, "-c", _ANNOUNCED, *words]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "finished one\n"
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    found = json.loads(out)
    assert (process.returncode, err, found["cancelled"]) == (130, "", True)
    assert 1 <= found["finished"] < 2000
    assert len(found["games"]) == found["finished"]
    for _ in range(500):
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)
    pytest.fail("somebody of its processes is still there")


#: The command, saying when its first game is finished.
_ANNOUNCED = """
import sys
from tabletop import cli
from tabletop.commands import simulate
so_far = simulate._so_far
def told(results):
    if len(results) == 1:
        print("finished one", file=sys.stderr, flush=True)
    return so_far(results)
simulate._so_far = told
cli.run(sys.argv[1:])
"""
