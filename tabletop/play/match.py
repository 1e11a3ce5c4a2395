"""A battle fought by players without a person: one asks, the engine answers, until it is over or stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tabletop.battle.battle import Battle
from tabletop.play.engine import Step, begin, mover, submit
from tabletop.play.players import Player


def fight(
    battle: Battle, players: Mapping[str, Player], seed: int, most: int = 100_000, ask: Callable[[], bool] | None = None
) -> Iterator[Step]:
    """Yield the beginning and every step of a battle between ``players`` (by side) until it is over.

    ``most`` steps at the most; ``ask`` is called before each and stops the battle by answering False.
    """
    step = begin(battle, seed)
    yield step
    for _ in range(most):
        side = mover(step.battle)
        if side is None or (ask is not None and not ask()):
            return
        step = submit(step.battle, players[side].choose(step.battle).action)
        yield step
