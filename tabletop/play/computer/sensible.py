"""A computer player that draws among the suggestions, with higher expected values being more likely.

It weighs the same candidates as ``Greedy`` but plays every battle differently, as people do. Simulations use it for
their statistics.
"""

from __future__ import annotations

import math
from random import Random

from tabletop.battle.battle import Battle
from tabletop.play.computer.choice import Chosen, candidates, seen
from tabletop.play.engine import play_of
from tabletop.play.thought import Weighed, thought_of

#: An action worth this much less (in bases of infantry) is e times less likely.
FANCY = 0.05


class Sensible:
    """Draws among the suggestions of the rule set by expected value, always the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, battle: Battle) -> Chosen:
        """Return a suggestion, or an answer, drawn by expected value, with that value in bases."""
        play, known = play_of(battle), seen(battle)
        weighed = [Weighed(action, *play.prospect(known, action)) for action in candidates(battle, known)]
        best = max(one.value for one in weighed)
        likely = [math.exp((one.value - best) / FANCY) for one in weighed]
        drawn = self._random.choices(weighed, likely)[0]
        why = f"{drawn.why} ({drawn.value:+.2f})" if drawn.why else f"{drawn.value:+.2f}"
        return Chosen(drawn.action, why, thought_of(drawn, weighed))
