"""A computer player that draws among the suggestions: the higher the expected value, the likelier an action.

It weighs the same candidates as ``Greedy`` but plays every battle differently, as people do; simulations use it for
their figures.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from random import Random

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.play.computer.choice import Chosen, answers
from tabletop.play.engine import play_of
from tabletop.play.thought import Weighed, thought_of

#: An action worth this much less (in bases of infantry) is drawn e times more seldom.
FANCY = 0.05


class Sensible:
    """Draws among the suggestions of the rule set by expected value; the same seed draws the same."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, battle: Battle) -> Chosen:
        """Return a suggestion, or an answer, drawn by expected value, and that value in bases."""
        play = play_of(battle)
        candidates: Iterable[Action] = answers(battle) if battle.pending else play.suggest(battle)
        weighed = [Weighed(action, *play.prospect(battle, action)) for action in candidates]
        best = max(one.value for one in weighed)
        likely = [math.exp((one.value - best) / FANCY) for one in weighed]
        drawn = self._random.choices(weighed, likely)[0]
        why = f"{drawn.why} ({drawn.value:+.2f})" if drawn.why else f"{drawn.value:+.2f}"
        return Chosen(drawn.action, why, thought_of(drawn, weighed))
