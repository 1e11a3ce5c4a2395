"""The record of a rule set that has a ground scale, or dusk and mist in which units see less far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tabletop.battle.battle import Battle
from tabletop.rules.play import Play


@dataclass(frozen=True)
class Ground:
    """The ground that one unit of length of the table stands for: its ``length``, and the unit of that length."""

    length: float
    unit: str

    def of(self, far: float) -> str:
        """Return the ground that a length on the table stands for.

        >>> Ground(2.0, "m").of(100.0), Ground(50.0, "m").of(25.0)
        ('200 m', '1,250 m')
        """
        return f"{self.length * far:,.0f} {self.unit}"


@dataclass(frozen=True)
class Conditions:
    """Dusk or mist in a turn: a sentence that says how ``far`` units see (table units), and which of the two it is."""

    text: str
    far: float
    dusk: bool = False
    mist: bool = False


@dataclass(frozen=True)
class PlayWithSurroundings(Play):
    """How battles are played whose rules have a ground scale, or dusk and mist.

    ``ground`` is the ground scale, None if the rules have none. ``conditions(battle)`` returns the dusk or mist of the
    present turn, None if units see as far as ever.
    """

    ground: Ground | None = None
    conditions: Callable[[Battle], Conditions | None] = lambda battle: None
