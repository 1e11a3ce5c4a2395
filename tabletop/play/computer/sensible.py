"""A player with sense but without a system: what promises more is likelier to be done, nothing is certain.

He sees what greedy sees and plays every battle differently, as people do; so it is he whom figures of battles are
measured with.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from random import Random

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.play.computer.choice import Chosen, answers
from tabletop.play.engine import play_of

#: What promises this much less is done e times more seldom, in what the rule set counts worth in (bases of infantry).
FANCY = 0.05


class Sensible:
    """Draws among the suggestions of the rule set by what they may bring; the same seed draws the same."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, battle: Battle) -> Chosen:
        """Return a suggestion, or an answer, drawn by its worth, and what it is worth."""
        play = play_of(battle)
        candidates: Iterable[Action] = answers(battle) if battle.pending else play.suggest(battle)
        weighed = [(*play.prospect(battle, action), action) for action in candidates]
        best = max(worth for worth, _, _ in weighed)
        likely = [math.exp((worth - best) / FANCY) for worth, _, _ in weighed]
        worth, why, action = self._random.choices(weighed, likely)[0]
        return Chosen(action, f"{why} ({worth:+.2f})" if why else f"{worth:+.2f}")
