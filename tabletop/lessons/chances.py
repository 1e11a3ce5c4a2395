"""Dice set by a lesson for what they are thrown for; the learner can see that they are set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tabletop.battle.dice import FINE, face, graded
from tabletop.battle.event import Thrown
from tabletop.lessons.models import HEIGHTS
from tabletop.play.engine import Step

#: The key for all throws that a lesson does not name.
REST = "rest"


def topic(purpose: str) -> str:
    """Return what a throw is for, without the units it concerns.

    >>> topic("orders: maneuver, guns")
    'orders'
    """
    return purpose.partition(":")[0].strip()


@dataclass
class SetDice:
    """Chance as set by a lesson: ``draws`` by topic, the last of which repeats, so that they never run out.

    A draw below 1 is a height in (0, 1), for dice the face at that height; 1 and more is a face. A topic that is not
    set is drawn from ``seed`` unless there is ``rest``. ``used`` counts the throws made before, by topic, so that a
    throw has the same result again after an undo.
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
        """Return the number of the outcome drawn, and the height of the draw; a face counts as one of six."""
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
