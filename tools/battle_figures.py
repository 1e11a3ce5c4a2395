"""Statistics of battles between computer players: who wins, how long they last, how they end.

    python -m tools.battle_figures greedy random 100 scenarios/tse/starter.yaml scenarios/tse/skirmish.yaml
    python -m tools.battle_figures greedy greedy 60 scenarios/tse/starter.yaml --turns 20
    python -m tools.battle_figures sensible sensible 20 field:10

Players change sides after every game. ``field:10`` are random fields with ten brigades a side, a new one each game;
``--turns N`` limits (or prolongs) every battle to N turns. Two processes; the same numbers play the same games.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tabletop.battle import naming
from tabletop.battle.battle import Battle
from tabletop.play.computer.choice import Chosen
from tabletop.play.files.load import load_scene
from tabletop.play.match import fight
from tabletop.play.players import Player, player_kind
from tools.fields import ROOT, equal_battle

#: Turns of a battle that sets no limit; pieces of terrain of a random field.
TURNS, PIECES = 20, 16


class Game(NamedTuple):
    """One game: the place, the players by the order of the sides, its seed, the most turns (None: as the place
    says)."""

    place: str
    players: tuple[str, str]
    seed: int
    turns: int | None


@dataclass
class Played:
    """How one game went: who won (player and side), how, in what turn; processor seconds of every choice, by player."""

    winner: str | None
    side: str | None
    how: str
    turn: int
    actions: int
    thought: dict[str, list[float]] = field(default_factory=dict)


@dataclass
class Timed:
    """A player, and how long each of its choices took."""

    player: Player
    taken: list[float] = field(default_factory=list)

    def choose(self, battle: Battle) -> Chosen:
        start = time.process_time()
        chosen = self.player.choose(battle)
        self.taken.append(time.process_time() - start)
        return chosen


def position(game: Game) -> Battle:
    """Return the battle a game starts from."""
    kind, _, number = game.place.partition(":")
    made = equal_battle(int(number), PIECES, game.seed // 2) if kind == "field" else load_scene(ROOT / game.place)
    return replace(made, setup=replace(made.setup, turns=game.turns or made.setup.turns or TURNS))


def played(game: Game) -> Played:
    """Play one game to its end."""
    battle = position(game)
    sides = sorted({unit.side for unit in (*battle.units, *battle.awaited)})
    timed = {side: Timed(_made(game.players[k], 2 * game.seed + k)) for k, side in enumerate(sides)}
    steps = list(fight(battle, timed, game.seed))
    last = steps[-1].battle
    assert last.outcome is not None, "a battle with a limit of turns ends"
    side = last.outcome.winner
    winner = None if side is None else game.players[sides.index(side)]
    thought = dict[str, list[float]]()
    for name, player in zip(game.players, timed.values(), strict=True):
        thought.setdefault(name, []).extend(player.taken)
    return Played(winner, side, naming.ending(last.outcome.how), last.clock.turn, len(steps) - 1, thought)


def _made(name: str, seed: int) -> Player:
    make = player_kind(name).make
    if make is None:
        raise SystemExit(f"{name} is for people")
    return make(seed)


def games(place: str, players: tuple[str, str], count: int, turns: int | None) -> list[Game]:
    """Return the games of a match, with seeds from 0 on; the players change sides from game to game."""
    return [Game(place, players if k % 2 == 0 else players[::-1], k, turns) for k in range(count)]


def match(
    place: str, players: tuple[str, str], count: int, turns: int | None = None, workers: int = 2
) -> Iterator[Played]:
    """Play a match and yield its games in order."""
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(played, games(place, players, count, turns))


def ending(how: str) -> str:
    """Return the kind of ending of a battle: its text without names and numbers."""
    for sign, way in ((" broke", "army morale"), ("nobody left", "wiped out"), ("points", "points")):
        if sign in how:
            return way
    return "the lesser loss" if "lesser" in how else "drawn"


def report(place: str, found: Sequence[Played]) -> Iterable[str]:
    """Yield the figures of a match, line by line."""
    yield f"{place}: {len(found)} games"
    yield f"  won by player: {_counted(str(p.winner) for p in found)}; by side: {_counted(str(p.side) for p in found)}"
    turns = [p.turn for p in found]
    inside = sum(6 <= turn <= 12 for turn in turns) / len(turns)
    yield f"  turns: median {statistics.median(turns):g}, {_spread(turns)}; 6 to 12 turns {inside:.0%}"
    actions = statistics.mean(p.actions for p in found)
    yield f"  ended by: {_counted(ending(p.how) for p in found)}; {actions:.0f} actions on average"
    for name in sorted({name for p in found for name in p.thought}):
        taken = sorted(t for p in found for t in p.thought.get(name, ()))
        tail = taken[int(0.95 * len(taken))]
        yield f"  {name} thinks {statistics.median(taken):.3f} s, p95 {tail:.3f} s, at most {taken[-1]:.2f} s an action"


def _counted(words: Iterable[str]) -> str:
    return ", ".join(f"{word} {n}" for word, n in Counter(words).most_common())


def _spread(turns: Sequence[int]) -> str:
    return " ".join(f"{turn}:{n}" for turn, n in sorted(Counter(turns).items()))


def main(words: Sequence[str]) -> None:
    rest, turns = list(words), None
    if "--turns" in rest:
        at = rest.index("--turns")
        turns = int(rest[at + 1])
        del rest[at : at + 2]
    first, second, count, *places = rest
    for place in places:
        battles = list[Played]()
        for game in match(place, (first, second), int(count), turns):
            battles.append(game)
            print(f"  {game.winner} ({game.side}), turn {game.turn}: {game.how}", file=sys.stderr, flush=True)
        print("\n".join(report(place, battles)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
