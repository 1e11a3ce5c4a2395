"""The events of a battle as sentences of a report, in the words of a rule set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.event import Event, Placed, Removed, Told
from tabletop.battle.naming import side_name
from tabletop.battle.unit import standing

Narrator = Callable[[Battle, Any], str | None]
Record = Callable[[Battle, Told, Mapping[str, Any]], str | None]


@dataclass(frozen=True)
class Narration:
    """The sentences of a rule set.

    ``records`` for the recorded results (``Told``) by name; ``moves`` for units placed, {} the unit and then how far it
    went; ``gone`` for units removed, by how, else ``left``; ``others`` for other types of event.
    """

    records: Mapping[str, Record]
    moves: Mapping[str, str]
    gone: Mapping[str, str]
    left: str
    others: Mapping[type[Event], Narrator] = field(default_factory=dict)

    def narrate(self, battle: Battle, event: Event) -> str | None:
        """Return the sentence for an event, "" to pass over it, None to leave it to the default words."""
        usual: dict[type[Event], Narrator] = {Told: self._recorded, Placed: self._placed, Removed: self._removed}
        narrator = self.others.get(type(event)) or usual.get(type(event))
        return None if narrator is None else narrator(battle, event)

    def _recorded(self, battle: Battle, event: Told) -> str | None:
        narrator = self.records.get(event.what)
        return None if narrator is None else narrator(battle, event, event.values)

    def _placed(self, battle: Battle, event: Placed) -> str | None:
        if event.how not in self.moves:
            return None
        unit = battle.unit(event.unit)
        there = standing(unit, event.pose)
        far = ((there.at[0] - unit.at[0]) ** 2 + (there.at[1] - unit.at[1]) ** 2) ** 0.5
        return self.moves[event.how].format(unit.called, far) + "."

    def _removed(self, battle: Battle, event: Removed) -> str:
        return f"{battle.called(event.unit)} {self.gone.get(event.how, f'{self.left} ({event.how})')}."


def told(done: str, failed: str = "") -> Record:
    """Return a sentence for a result: ``failed`` where its value ``done`` says that it came to nothing.

    {0} and {1} are the unit and the target by their names, other words in braces the result's own values.

    >>> from tabletop.play.files.opened import open_battle
    >>> rallied = Told("rally", {"die": 5}, "lambert", None)
    >>> told("{0} rallied ({die}).")(open_battle("starter"), rallied, rallied.values)
    'Lambert rallied (5).'
    """

    def sentence(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
        words = done if values.get("done", True) else failed
        return words.format(battle.called(event.unit), battle.called(event.target), **values)

    return sentence


def whose_turn(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    """Return the sentence by which a player turn begins.

    >>> from tabletop.play.files.opened import open_battle
    >>> opened = Told("turn", {"side": "french"})
    >>> whose_turn(open_battle("starter"), opened, opened.values)
    'French to move.'
    """
    return f"{side_name(str(values['side']))} to move."


def silent(battle: Battle, event: Event, values: Mapping[str, Any] | None = None) -> str:
    """Return "": the event is passed over.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.battle.event import Thrown
    >>> silent(open_battle("starter"), Thrown("initiative", 6, 3))
    ''
    """
    return ""
