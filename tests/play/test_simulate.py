"""Many games of one battle: each comes out the same wherever it is played, and their figures are right."""

from __future__ import annotations

import math
import os
import random
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import pytest

from tabletop.battle import naming
from tabletop.play.engine import begin, mover, submit
from tabletop.play.files.load import load_scene
from tabletop.play.match import made, named
from tabletop.play.players import PLAYERS, PlayerKind
from tabletop.play.simulate.crew import DIED, played_here
from tabletop.play.simulate.figures import SURE, ending, figures, result_hash, spread, wilson
from tabletop.play.simulate.game import TURNS, Failed, Game, Loss, Played, Result, games, opening_text, with_an_end
from tabletop.play.simulate.game import play as play_one
from tests.stumbler import Stumbler

ROOT = Path(__file__).parents[2]
SKIRMISH, DRILL = "scenarios/tse/skirmish.yaml", "scenarios/realm-of-chance/drill-ground.yaml"


def todo(name: str, many: int, players: str = "random,random", swap: bool = False) -> tuple[Game, ...]:
    battle = with_an_end(load_scene(ROOT / name), None)
    return games(opening_text(battle), named(battle, players), many, 1, swap)


@cache
def alone(name: str, many: int) -> tuple[Result, ...]:
    """Return the games of a match played one after the other in this process."""
    return tuple(played_here(todo(name, many), 1))


# --- the same games everywhere ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "many"), [(SKIRMISH, 5), (DRILL, 2), pytest.param(DRILL, 5, marks=pytest.mark.sweep)])
def test_one_process_and_several_play_the_same_games(name: str, many: int) -> None:
    """The results, and their hash, do not depend on who played what, nor in which order it was finished."""
    several = list(played_here(todo(name, many), 2))
    assert sorted(several, key=lambda r: r.number) == list(alone(name, many))
    assert result_hash(several) == result_hash(alone(name, many))


def test_the_hash_takes_the_results_in_any_order() -> None:
    results = list(alone(SKIRMISH, 5))
    found = {result_hash(random.Random(k).sample(results, len(results))) for k in range(10)}
    assert len(found) == 1
    assert {figures(random.Random(k).sample(results, len(results))) == figures(results) for k in range(10)} == {True}


def test_the_hash_tells_other_results_apart() -> None:
    """Another last position, another loss or one game fewer is another hash; the time taken is not."""
    first, *rest = alone(SKIRMISH, 5)
    assert isinstance(first, Played)
    known = result_hash([first, *rest])
    assert result_hash([replace(first, thought={}), *rest]) == known
    side = next(iter(first.losses))
    other_loss = {**first.losses, side: Loss(3, 4, 0, 1, 1)}
    others = [replace(first, hash="0"), replace(first, losses=other_loss), replace(first, turn=first.turn + 1)]
    assert known not in {result_hash(rest), *(result_hash([other, *rest]) for other in others)}


def test_a_game_is_the_one_its_seed_plays() -> None:
    """What the engine and the players do step by step under a seed is what the game of that seed comes to."""
    battle = with_an_end(load_scene(ROOT / SKIRMISH), None)
    for found in alone(SKIRMISH, 5):
        assert isinstance(found, Played)
        players = made(named(battle, "random,random"), found.seed)
        now, actions = begin(battle, found.seed).battle, 0
        while (side := mover(now)) is not None:
            now, actions = submit(now, players[side].choose(now).action).battle, actions + 1
        assert now.outcome is not None
        assert (found.winner, found.how, found.actions) == (now.outcome.winner, naming.ending(now.outcome.how), actions)


def test_players_change_sides_after_each_game() -> None:
    match = todo(SKIRMISH, 3, "greedy,random", swap=True)
    assert [list(game.players.values()) for game in match] == [
        ["greedy", "random"],
        ["random", "greedy"],
        ["greedy", "random"],
    ]
    assert [list(game.players) for game in match] == [list(match[0].players)] * 3
    assert [game.seed for game in match] == [1, 2, 3]


def test_a_battle_without_a_limit_is_given_one() -> None:
    teaching = load_scene(ROOT / "scenarios/tse/teaching.yaml")
    assert teaching.setup.turns is None
    assert [with_an_end(teaching, turns).setup.turns for turns in (None, 3)] == [TURNS, 3]
    skirmish = load_scene(ROOT / SKIRMISH)
    assert [with_an_end(skirmish, turns).setup.turns for turns in (None, 3)] == [skirmish.setup.turns, 3]


# --- what goes wrong -------------------------------------------------------------------------------------------------


def test_a_game_that_fails_ends_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told with its seed, its players and how far it got, in one line; the others are played."""
    monkeypatch.setitem(PLAYERS, "stumbler", PlayerKind("stumbler", "one who falls", Stumbler))
    results = list(played_here(todo(SKIRMISH, 4, "stumbler,random"), 1))
    assert [type(result) for result in results] == [Played, Failed, Played, Failed]
    failed = results[1]
    assert isinstance(failed, Failed)
    assert (failed.number, failed.seed, list(failed.players.values())) == (2, 2, ["stumbler", "random"])
    assert failed.what.startswith("ValueError: over a root (stumbler.py:")
    assert failed.actions >= 2
    assert "Traceback" in failed.trace
    found = figures(results)
    assert found is not None
    assert found.games == 2


def dies_over(number: int, game: Game) -> Result:
    if game.number == number:
        os._exit(1)
    return play_one(game)


def test_a_process_that_dies_takes_no_other_game_with_it() -> None:
    """The game a process ends over has failed, alone; all others are played, and come out as ever."""
    results = {r.number: r for r in played_here(todo(SKIRMISH, 5), 2, partial(dies_over, 2))}
    assert sorted(results) == [1, 2, 3, 4, 5]
    assert [n for n, r in results.items() if isinstance(r, Failed) and r.what == DIED] == [2]
    known = alone(SKIRMISH, 5)
    assert [results[n] for n in (1, 3, 4, 5)] == [known[n - 1] for n in (1, 3, 4, 5)]


def sleeps(folder: str, game: Game) -> Result:
    """Play the first game; leave word, and sleep over any other."""
    if game.number > 1:
        (Path(folder) / str(os.getpid())).touch()
        time.sleep(300)
    return play_one(game)


def running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(os.name == "nt", reason="asks the system for processes as POSIX does")
def test_closing_the_iterator_ends_the_processes(tmp_path: Path) -> None:
    """Nobody plays on when nobody listens, whatever they are doing."""
    coming = played_here(todo(SKIRMISH, 6), 2, partial(sleeps, str(tmp_path)))
    assert isinstance(coming, Iterator)
    first = next(coming)
    assert first == alone(SKIRMISH, 5)[0]
    while not (pids := [int(path.name) for path in tmp_path.iterdir()]):
        time.sleep(0.02)
    coming.close()  # type: ignore[attr-defined]
    for _ in range(500):
        if not any(map(running, pids)):
            return
        time.sleep(0.02)
    pytest.fail(f"still there: {pids}")


# --- figures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("times", "of"), [(1, 2), (8, 10), (50, 100), (3, 200), (199, 200)])
def test_wilson_limits_are_where_the_rate_seen_is_just_likely(times: int, of: int) -> None:
    """At either limit the rate seen lies as many standard deviations away as 95 % allows: what defines them."""
    for limit in wilson(times, of):
        assert math.isclose(abs(times / of - limit), SURE * math.sqrt(limit * (1 - limit) / of), rel_tol=1e-9)


def test_wilson_limits_at_the_ends() -> None:
    """Nothing seen says nothing; none or all of ten leave room on one side only (0.2775 by the tables)."""
    assert wilson(0, 0) == (0.0, 1.0)
    none, all_ = wilson(0, 10), wilson(10, 10)
    assert none[0] == 0.0
    assert all_[1] == 1.0
    assert math.isclose(none[1], 0.2775, abs_tol=5e-5)
    assert math.isclose(all_[0], 1 - none[1])


def told(number: int, winner: str | None, how: str, turn: int = 4, bases: int = 2, swap: bool = False) -> Played:
    players = {"red": "random", "blue": "greedy"} if swap else {"red": "greedy", "blue": "random"}
    losses = {"red": Loss(bases, 10, 1, 3, 0), "blue": Loss(0, 8, 0, 2, 1)}
    thought = {"red": (0.1,), "blue": (0.3,)}
    return Played(number, number, players, winner, how, turn, 10 * turn, losses, turn, 3 * turn, "", thought)


@pytest.mark.parametrize(
    ("winner", "how", "way"),
    [
        ("blue", "red broke", "the loser broke"),
        ("red", "blue has nobody left", "the loser has nobody left"),
        (None, "blue and red broke", "both sides broke"),
        (None, "red and blue broke", "both sides broke"),
        ("red", "red holds the field", "the winner holds the field"),
        ("red", "4.5 points to 12 when the last turn is over", "n points to n when the last turn is over"),
        (None, "a draw: 0 points between the sides", "a draw: n points between the sides"),
        ("red", "the bluecoats are bored", "the bluecoats are bored"),
    ],
)
def test_an_ending_is_told_without_names_and_numbers(winner: str | None, how: str, way: str) -> None:
    assert ending(told(1, winner, how)) == way


def test_the_figures_of_a_match() -> None:
    """Counted by hand: three games, one drawn, players changing sides, a failed one left out."""
    found = figures(
        [
            told(3, None, "blue and red broke", turn=6, bases=5),
            told(1, "red", "blue broke", turn=2),
            Failed(4, 4, {}, 7, "it fell", ""),
            told(2, "red", "blue broke", bases=2, swap=True),
        ]
    )
    assert found is not None
    assert {name: rate.times for name, rate in found.by_side.items()} == {"red": 2, "blue": 0, None: 1}
    assert {name: rate.times for name, rate in found.by_player.items()} == {"greedy": 1, "random": 1, None: 1}
    assert found.by_side["red"].share == 2 / 3
    assert found.endings == {"the loser broke": 2, "both sides broke": 1}
    assert found.of_turns == {2: 1, 4: 1, 6: 1}
    assert (found.turns.median, found.turns.lower, found.turns.upper) == (4, 3, 5)
    assert math.isclose(found.fights.mean, (6 + 2 + 4) / 3 / 5)
    assert math.isclose(found.taking_part.mean, 3 * (6 + 2 + 4) / 3 / 5)
    assert found.losses["red"].bases.mean == 3
    assert math.isclose(found.losses["red"].share, 0.3)
    assert found.losses["blue"].generals == 1
    assert (found.thinking["greedy"].most, found.thinking["random"].most) == (0.3, 0.3)
    assert found.thinking["greedy"].actions == 3


def test_a_player_against_himself_has_no_rate() -> None:
    found = figures([replace(told(1, "red", "blue broke"), players={"red": "random", "blue": "random"})])
    assert found is not None
    assert found.by_player == {}
    assert found.by_side["red"].times == 1


def test_no_game_has_no_figures() -> None:
    assert figures([]) is None
    assert figures([Failed(1, 1, {}, 0, "it fell", "")]) is None


def test_one_number_is_spread_over_nothing() -> None:
    assert set(vars(spread([7])).values()) == {7}
