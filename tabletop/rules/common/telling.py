"""How the events of a battle read in a report, in the words of a rule set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.event import Event, Placed, Removed, Told
from tabletop.battle.unit import standing

Teller = Callable[[Battle, Any], str | None]
Record = Callable[[Battle, Told, Mapping[str, Any]], str | None]


@dataclass(frozen=True)
class Telling:
    """A rule set's words.

    ``records`` tell what was told, by its name; ``moves`` how a unit was placed, {} the unit and then how far it went;
    ``gone`` how it left, and ``left`` that it left where nothing better is known; ``others`` any other events.
    """

    records: Mapping[str, Record]
    moves: Mapping[str, str]
    gone: Mapping[str, str]
    left: str
    others: Mapping[type[Event], Teller] = field(default_factory=dict)

    def narrate(self, battle: Battle, event: Event) -> str | None:
        """Return how an event reads, "" for one not worth a word, None to leave it to the usual words."""
        usual: dict[type[Event], Teller] = {Told: self._told, Placed: self._placed, Removed: self._removed}
        teller = self.others.get(type(event)) or usual.get(type(event))
        return None if teller is None else teller(battle, event)

    def _told(self, battle: Battle, event: Told) -> str | None:
        teller = self.records.get(event.what)
        return None if teller is None else teller(battle, event, event.values)

    def _placed(self, battle: Battle, event: Placed) -> str | None:
        if event.how not in self.moves:
            return None
        unit = battle.unit(event.unit)
        there = standing(unit, event.pose)
        far = ((there.at[0] - unit.at[0]) ** 2 + (there.at[1] - unit.at[1]) ** 2) ** 0.5
        return self.moves[event.how].format(unit.called, far) + "."

    def _removed(self, battle: Battle, event: Removed) -> str:
        return f"{battle.called(event.unit)} {self.gone.get(event.how, f'{self.left} ({event.how})')}."


def silent(battle: Battle, event: Event, values: Mapping[str, Any] | None = None) -> str:
    """Tell nothing: the event is not worth a word."""
    return ""
