"""A player who takes what promises most at one look ahead, by the exact odds."""

from __future__ import annotations

from collections.abc import Iterable

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.play.computer.choice import Chosen, answers
from tabletop.play.engine import play_of


class Greedy:
    """Weighs every suggestion of the rule set by what it may bring; of equals it takes the first: no dice are used."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def choose(self, battle: Battle) -> Chosen:
        """Return the suggestion, or the answer, that is worth most, and what it is worth."""
        play = play_of(battle)
        candidates: Iterable[Action] = answers(battle) if battle.pending else play.suggest(battle)
        weighed = [(play.prospect(battle, action), action) for action in candidates]
        (worth, why), action = max(weighed, key=lambda pair: pair[0][0])
        return Chosen(action, f"{why} ({worth:+.2f})" if why else f"{worth:+.2f}")
