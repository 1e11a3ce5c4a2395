"""One game of many: its starting data, and its result.

A game is plain data and independent of the others, so its result is the same in whichever process, and whenever, it is
played: game and seed are those of ``tabletop run --seed``.
"""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from tabletop.battle.battle import Battle
from tabletop.battle.codec import state_hash
from tabletop.battle.naming import ending
from tabletop.battle.opening import opening_data, opening_of
from tabletop.play.computer.choice import Chosen
from tabletop.play.engine import opened
from tabletop.play.match import MOST_ACTIONS, fight, limited, made
from tabletop.play.players import Player
from tabletop.play.saves.report import counted

#: The turn limit of a battle that sets none itself: players without a plan might never end it.
TURNS = 20


@dataclass(frozen=True)
class Game:
    """One game: its number (from 1), the battle as laid out (JSON), who plays each side (attacker first), its seed."""

    number: int
    opening: str
    players: Mapping[str, str]
    seed: int


@dataclass(frozen=True)
class Loss:
    """A side's losses in a game: bases and whole units, each with the total, and generals."""

    bases: int
    of_bases: int
    units: int
    of_units: int
    generals: int


@dataclass(frozen=True)
class Played:
    """The result of a game: the winner (None for a draw), how it won, the last turn, its actions, losses by side.

    ``fights`` counts the actions against an enemy: shots, combats, boardings; ``taking_part`` counts the units in each
    of them, targets included. ``hash`` is that of the whole last position. ``thought`` holds the processor seconds of
    every choice, by side; only these differ between runs.
    """

    number: int
    seed: int
    players: Mapping[str, str]
    winner: str | None
    how: str
    turn: int
    actions: int
    losses: Mapping[str, Loss]
    fights: int
    taking_part: int
    hash: str
    thought: Mapping[str, Sequence[float]] = field(compare=False)


@dataclass(frozen=True)
class Failed:
    """A game that ended in an error of the program: the number of actions before it, the error, and its traceback."""

    number: int
    seed: int
    players: Mapping[str, str]
    actions: int
    what: str
    trace: str = field(compare=False)


Result = Played | Failed


def with_an_end(battle: Battle, turns: int | None) -> Battle:
    """Return a battle limited to ``turns``; to its own limit for None, and to TURNS if it has none."""
    return limited(battle, turns if turns is not None else battle.setup.turns or TURNS)


def opening_text(battle: Battle) -> str:
    """Return a battle as laid out as JSON for ``play``, so that it needs no file wherever it is sent."""
    return json.dumps(opening_data(battle), allow_nan=False)


def games(
    opening: str, players: Mapping[str, str], many: int, first_seed: int = 1, swap: bool = False
) -> tuple[Game, ...]:
    """Return the games of a match, each with its own seed; with ``swap`` players change sides after each game."""
    other = dict(zip(players, [*players.values()][::-1], strict=True)) if swap else players
    return tuple(Game(k + 1, opening, (players, other)[k % 2], first_seed + k) for k in range(many))


@dataclass
class _Timed:
    """A player, and the processor seconds of each choice."""

    player: Player
    taken: list[float] = field(default_factory=list)

    def choose(self, battle: Battle) -> Chosen:
        start = time.process_time()
        chosen = self.player.choose(battle)
        self.taken.append(time.process_time() - start)
        return chosen


def play(game: Game, ask: Callable[[], bool] | None = None) -> Result:
    """Play one game to its end; an error in it becomes its result. ``ask`` ends it early by returning False."""
    actions, fights, taking_part = -1, 0, 0  # the beginning is not an action
    try:
        battle = last = _laid_out(game.opening)
        timed = {side: _Timed(player) for side, player in made(game.players, game.seed).items()}
        for step in fight(battle, timed, game.seed, MOST_ACTIONS, ask):
            actions, last = actions + 1, step.battle
            if step.action is not None and step.action.target is not None:
                fights, taking_part = fights + 1, taking_part + 2 + len(step.action.options.get("with", ()))
        return _played(game, opened(battle, game.seed), last, actions, (fights, taking_part), timed)
    except Exception as error:
        return Failed(game.number, game.seed, game.players, max(0, actions), _what(error), traceback.format_exc())


@lru_cache(maxsize=2)
def _laid_out(opening: str) -> Battle:
    return opening_of(json.loads(opening))


def _played(
    game: Game, opening: Battle, last: Battle, actions: int, fights: tuple[int, int], timed: Mapping[str, _Timed]
) -> Played:
    if last.outcome is None:
        raise RuntimeError(f"the battle is not over after {actions} actions")
    return Played(
        number=game.number,
        seed=game.seed,
        players=game.players,
        winner=last.outcome.winner,
        how=ending(last.outcome.how),
        turn=last.clock.turn,
        actions=actions,
        losses=_losses(opening, last),
        fights=fights[0],
        taking_part=fights[1],
        hash=state_hash(last),
        thought={side: tuple(player.taken) for side, player in timed.items()},
    )


def _losses(opening: Battle, last: Battle) -> dict[str, Loss]:
    lost = counted(opening, last, 0)
    everybody = [unit for unit in (*opening.units, *opening.awaited) if not unit.is_general]
    losses = {}
    for side in opening.setup.sides:
        own = [unit for unit in everybody if unit.side == side]
        bases = sum(unit.strength for unit in own)
        losses[side] = Loss(lost.bases[side], bases, lost.units[side], len(own), lost.generals[side])
    return losses


def _what(error: Exception) -> str:
    """Return an error in one line: its type, its message, and where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{' '.join(f'{type(error).__name__}: {error}'.split())[:300]}{where}"
