"""Dice set by what they are thrown for: a lesson decides by them, and says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tabletop.battle.dice import FINE, face, graded
from tabletop.battle.event import Thrown
from tabletop.lessons.models import HEIGHTS
from tabletop.play.engine import Step

#: The key under which a lesson sets every draw it does not name.
REST = "rest"


def topic(purpose: str) -> str:
    """Return what a throw is for without whom it is about.

    >>> topic("orders: maneuver, guns")
    'orders'
    """
    return purpose.partition(":")[0].strip()


@dataclass
class SetDice:
    """Chance as a lesson sets it: ``draws`` by topic, the last of which is repeated; they never run out.

    A draw below 1 is a height in (0, 1), for dice the face at that height; 1 and more is a face. What is not set, and
    has no ``rest``, is drawn from ``seed``. ``used`` counts the throws made before, by topic, so that the same throw
    of a battle is the same after an undo.
    """

    draws: Mapping[str, Sequence[Any]]
    seed: int = 0
    used: Counter[str] = field(default_factory=Counter)

    @classmethod
    def after(cls, steps: Iterable[Step], draws: Mapping[str, Sequence[Any]], seed: int) -> SetDice:
        """Return the dice for the action that follows ``steps``."""
        thrown = (topic(event.purpose) for step in steps for event in step.events if isinstance(event, Thrown))
        return cls(draws, seed, Counter(thrown))

    def die(self, purpose: str, sides: int = 6, cuts: Sequence[int] = ()) -> int:
        """Return a face from 1 to ``sides``."""
        draw = self._draw(purpose)
        return 1 + int(draw * sides) if draw < 1.0 else min(sides, int(draw))

    def grade(self, purpose: str, probabilities: Sequence[float]) -> tuple[int, float | None]:
        """Return the number of the outcome drawn and how high the draw was; a face counts as one of six."""
        draw = self._draw(purpose)
        height = draw if draw < 1.0 else (min(draw, 6.0) - 0.5) / 6.0
        return graded(height, probabilities), height

    def _draw(self, purpose: str) -> float:
        name = topic(purpose)
        written = self.draws.get(name) or self.draws.get(REST) or ()
        number = self.used[name]
        self.used[name] += 1
        if not written:
            return (face(self.seed, sum(self.used.values()), FINE) - 0.5) / FINE
        given = written[min(number, len(written) - 1)]
        return float(HEIGHTS.get(given, given))
