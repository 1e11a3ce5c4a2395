"""A battle between computer players: they choose actions and the engine carries them out until the battle ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.play.engine import Step, begin, mover, opened, submit
from tabletop.play.players import Player, player_kind

#: A battle is abandoned after this many actions.
MOST_ACTIONS = 100_000


def limited(battle: Battle, turns: int | None) -> Battle:
    """Return the battle with a limit of ``turns`` turns; unchanged for None."""
    if turns is None:
        return battle
    return replace(battle, setup=replace(battle.setup, turns=turns))


def sides_of(battle: Battle) -> tuple[str, str]:
    """Return the two sides of a battle, the attacker first; BadQuestion if there are not two."""
    sides = opened(battle, 0).setup.sides
    if len(sides) != 2:
        raise BadQuestion(f"a battle is between two sides; here there are: {', '.join(sides) or 'none'}")
    return sides[0], sides[1]


def named(battle: Battle, players: str) -> dict[str, str]:
    """Return the player of each side ("random,greedy": the attacker first); BadQuestion for unsuitable names."""
    sides = sides_of(battle)
    names = [name.strip() for name in players.split(",")]
    if len(names) != len(sides):
        raise BadQuestion(f"name a player for each side ({', '.join(sides)}): --players random,greedy")
    for name in names:
        if player_kind(name).make is None:
            raise BadQuestion(f"'{name}' cannot play here, there is nobody to ask; name players such as random,greedy")
    return dict(zip(sides, names, strict=True))


def made(names: Mapping[str, str], seed: int) -> dict[str, Player]:
    """Return the players of a battle with this seed, each with its own random stream, apart from the battle's dice."""
    players = {}
    for k, (side, name) in enumerate(names.items()):
        make = player_kind(name).make
        assert make is not None, "people were refused before"
        players[side] = make(2 * seed + k)
    return players


def fight(
    battle: Battle,
    players: Mapping[str, Player],
    seed: int,
    most: int = MOST_ACTIONS,
    ask: Callable[[], bool] | None = None,
) -> Iterator[Step]:
    """Yield the beginning and every step of a battle between ``players`` (by side) until it is over.

    There are at most ``most`` steps; ``ask`` is called before each one and stops the battle by returning False.
    """
    step = begin(battle, seed)
    yield step
    for _ in range(most):
        side = mover(step.battle)
        if side is None or (ask is not None and not ask()):
            return
        step = submit(step.battle, players[side].choose(step.battle).action)
        yield step
