"""A computer player that takes the action of highest expected value, one action ahead, by the exact odds."""

from __future__ import annotations

from tabletop.battle.battle import Battle
from tabletop.play.computer.choice import Chosen, candidates, seen
from tabletop.play.engine import play_of
from tabletop.play.thought import Weighed, thought_of

#: Values are compared after rounding to this many decimals.
SAME = 9


class Greedy:
    """Takes the suggestion of highest expected value, the first among equals, without using random numbers.

    Values that differ only by rounding errors count as equal, so that the order of summation does not matter.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def choose(self, battle: Battle) -> Chosen:
        """Return the suggestion, or the answer, of highest expected value, with that value in bases."""
        play, known = play_of(battle), seen(battle)
        weighed = [Weighed(action, *play.prospect(known, action)) for action in candidates(battle, known)]
        best = max(weighed, key=lambda one: round(one.value, SAME))
        why = f"{best.why} ({best.value:+.2f})" if best.why else f"{best.value:+.2f}"
        return Chosen(best.action, why, thought_of(best, weighed))
