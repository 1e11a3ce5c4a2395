"""The course of an action: events happen one after another, each applied at once, and dice are thrown in between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.battle.apply import apply
from tabletop.battle.battle import Battle
from tabletop.battle.clock import Until
from tabletop.battle.dice import FINE, Chance, face, graded
from tabletop.battle.event import Changed, Clocked, Event, Told
from tabletop.battle.event import Thrown as _Thrown
from tabletop.battle.progress import Clock
from tabletop.battle.unit import Unit


class Unfolding:
    """The battle so far and the events that led there; also the source of chance for resolvers.

    ``chance`` replaces the battle's own dice (by a script in tests); its throws still become events.
    """

    def __init__(self, battle: Battle, chance: Chance | None = None) -> None:
        self.battle = battle
        self.events: list[Event] = []
        self._chance = chance

    def happen(self, event: Event) -> None:
        """Record ``event`` and apply it to the battle."""
        self.battle = apply(self.battle, event)
        self.events.append(event)

    def unit(self, id: str) -> Unit:  # noqa: A002 - the files' own word
        return self.battle.unit(id)

    def mark(self, unit: str, **marks: Any) -> None:
        """Set marks of a unit; None takes one away."""
        self.happen(Changed(unit, marks=marks))

    def mark_until(self, unit: str, until: Until, **marks: Any) -> None:
        """Set marks of a unit that the clock takes away when it reaches their end."""
        self.happen(Changed(unit, marks=marks, until=dict.fromkeys(marks, until)))

    def tell(
        self,
        what: str,
        values: Mapping[str, Any] | None = None,
        unit: str | None = None,
        target: str | None = None,
        rules: Sequence[str] = (),
    ) -> None:
        """Record something that changes nothing (``Told``)."""
        self.happen(Told(what, dict(values or {}), unit, target, tuple(rules)))

    def clock(self, **changes: Any) -> None:
        """Advance the clock: set the fields named, keep the others."""
        now = self.battle.clock
        fields = {"turn": now.turn, "phase": now.phase, "side": now.side, "group": now.group, **changes}
        self.happen(Clocked(Clock(**fields)))

    def die(self, purpose: str, sides: int = 6, cuts: Sequence[int] = ()) -> int:
        """Throw a die; the throw is an event. ``cuts`` matter only where every course of chance is followed."""
        shown = (
            face(self.battle.seed, self.battle.throws, sides)
            if self._chance is None
            else self._chance.die(purpose, sides, cuts)
        )
        self.happen(_Thrown(purpose, sides, shown))
        return shown

    def grade(self, purpose: str, probabilities: Sequence[float]) -> tuple[int, float | None]:
        """Draw one of several outcomes in ascending order; the draw is a throw of a die with very many faces."""
        if self._chance is None:
            shown = face(self.battle.seed, self.battle.throws, FINE)
        else:
            number, height = self._chance.grade(purpose, probabilities)
            middle = sum(probabilities[:number]) + probabilities[number] / 2
            shown = 1 + int((middle if height is None else height) * FINE)
        self.happen(_Thrown(purpose, FINE, shown))
        draw = (shown - 0.5) / FINE
        return graded(draw, probabilities), draw
