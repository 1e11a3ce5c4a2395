"""A computer player that chooses among all allowed actions at random: the weakest opponent, and a test of the rules."""

from __future__ import annotations

from random import Random

from tabletop.battle.battle import Battle
from tabletop.play.computer.choice import Chosen, answers, candidates, seen
from tabletop.play.engine import judge, play_of
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
        known = seen(battle)
        action = play_of(known).random_action(known, self._random)
        if known is not battle and not judge(battle, action).holds:
            action = self._random.choice(list(candidates(battle, known)))
        return Chosen(action, thought=BY_CHANCE)
