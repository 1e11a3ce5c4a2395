"""The kinds of player that may play a side, and the interface of the computer players.

A person's actions come from a screen or a prompt; computer players implement ``choose``. To add a player, add a row.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.play import engine
from tabletop.play.computer.choice import Chosen
from tabletop.play.computer.greedy import Greedy
from tabletop.play.computer.random_mover import RandomMover
from tabletop.play.computer.sensible import Sensible


class Player(Protocol):
    """A computer player of one side. Thinking never uses the battle's dice."""

    def choose(self, battle: Battle) -> Chosen:
        """Return an allowed action for the side to move, or an answer to the question it is asked."""


@dataclass(frozen=True)
class PlayerKind:
    """One kind of player: ``make(seed)`` returns one, None for people, who are asked at the screen."""

    name: str
    label: str
    make: Callable[[int], Player] | None


PLAYERS: dict[str, PlayerKind] = {
    kind.name: kind
    for kind in (
        PlayerKind("human", "a person", None),
        PlayerKind("random", "easy: anything allowed, at random", RandomMover),
        PlayerKind("sensible", "good: better moves are likelier, never certain", Sensible),
        PlayerKind("greedy", "good: what promises most, one action ahead", Greedy),
    )
}


def player_kind(name: str) -> PlayerKind:
    """Return the kind of player of this name; BadQuestion, with the nearest, if there is none."""
    if name in PLAYERS:
        return PLAYERS[name]
    near = difflib.get_close_matches(name, PLAYERS, 1)
    hint = f"did you mean '{near[0]}'?" if near else f"there are: {', '.join(PLAYERS)}"
    raise BadQuestion(f"no player '{name}'; {hint}")


def viewer(battle: Battle, players: Mapping[str, str]) -> str | None:
    """Return the side whose knowledge is shown on a shared screen, given the names of the players by side.

    It is the side to move if a person plays it, else the first that a person plays; None if no person plays. A player
    of a name that this program does not know counts as a person.
    """
    computers = {name for name, kind in PLAYERS.items() if kind.make is not None}
    people = [side for side in battle.setup.sides if players.get(side) not in computers]
    side = engine.mover(battle)
    return side if side in people else next(iter(people), None)
