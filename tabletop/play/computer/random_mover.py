"""A computer player that chooses among all allowed actions at random: the weakest opponent, and a test of the rules."""

from __future__ import annotations

from random import Random

from tabletop.battle.battle import Battle
from tabletop.play.computer.choice import Chosen, answers
from tabletop.play.engine import play_of
from tabletop.play.thought import Thought

#: The thought on all its actions.
BY_CHANCE = Thought("drawn by chance from all that is allowed")


class RandomMover:
    """Draws from all allowed actions, always the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, battle: Battle) -> Chosen:
        """Return an allowed action, or an answer to the pending decision."""
        if battle.pending:
            return Chosen(self._random.choice(list(answers(battle))), thought=BY_CHANCE)
        return Chosen(play_of(battle).random_action(battle, self._random), thought=BY_CHANCE)
