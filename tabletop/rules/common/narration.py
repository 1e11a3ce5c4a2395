"""The events of a battle as sentences of a report, worded by the rule set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tabletop.battle.apply import placed_by
from tabletop.battle.battle import Battle
from tabletop.battle.event import Changed, Converted, Event, Placed, Removed, Told
from tabletop.battle.naming import side_name

Narrator = Callable[[Battle, Any], str | None]
Record = Callable[[Battle, Told, Mapping[str, Any]], str | None]


@dataclass(frozen=True)
class Narration:
    """The sentences of a rule set.

    ``records`` are for recorded results (``Told``) by name; ``moves`` for units placed or converted, with one {} for
    the unit and one for how far it went; ``gone`` for removed units by how they left, else ``left``; ``others`` for
    other types of event.
    """

    records: Mapping[str, Record]
    moves: Mapping[str, str]
    gone: Mapping[str, str]
    left: str
    others: Mapping[type[Event], Narrator] = field(default_factory=dict)

    def narrate(self, battle: Battle, event: Event) -> str | None:
        """Return the sentence for an event, "" to omit it, None to leave it to the default wording."""
        usual: dict[type[Event], Narrator] = {
            Told: self._recorded, Placed: self._placed, Converted: self._placed, Removed: self._removed,
        }  # fmt: skip
        narrator = self.others.get(type(event)) or usual.get(type(event))
        return None if narrator is None else narrator(battle, event)

    def _recorded(self, battle: Battle, event: Told) -> str | None:
        narrator = self.records.get(event.what)
        return None if narrator is None else narrator(battle, event, event.values)

    def _placed(self, battle: Battle, event: Placed | Converted) -> str | None:
        if event.how not in self.moves:
            return None
        unit = battle.anyone(event.unit)
        moved = placed_by(unit, event)
        far = ((moved.at[0] - unit.at[0]) ** 2 + (moved.at[1] - unit.at[1]) ** 2) ** 0.5
        return self.moves[event.how].format(unit.called, far) + "."

    def _removed(self, battle: Battle, event: Removed) -> str:
        return f"{battle.called(event.unit)} {self.gone.get(event.how, f'{self.left} ({event.how})')}."


def recorded(done: str, failed: str = "") -> Record:
    """Return a function that words a result: as ``done``, or as ``failed`` if its value "done" is false.

    {0} and {1} stand for the names of the unit and the target, other words in braces for the result's own values.

    >>> from tabletop.play.files.opened import open_battle
    >>> rallied = Told("rally", {"die": 5}, "lambert", None)
    >>> recorded("{0} rallied ({die}).")(open_battle("starter"), rallied, rallied.values)
    'Lambert rallied (5).'
    """

    def sentence(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
        words = done if values.get("done", True) else failed
        return words.format(battle.called(event.unit), battle.called(event.target), **values)

    return sentence


def by_status(words: Mapping[str, str]) -> Narrator:
    """Return a function that words a change of status by the statuses before and after it; others are omitted.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.battle.event import Changed
    >>> by_status({"ok broken": "{} broke."})(open_battle("starter"), Changed("lambert", status="broken"))
    'Lambert broke.'
    """

    def sentence(battle: Battle, event: Changed) -> str:
        unit = battle.anyone(event.unit)
        return words.get(f"{unit.status} {event.status}", "").format(unit.called)

    return sentence


def whose_turn(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    """Return the sentence that opens a player turn.

    >>> from tabletop.play.files.opened import open_battle
    >>> opened = Told("turn", {"side": "french"})
    >>> whose_turn(open_battle("starter"), opened, opened.values)
    'French to move.'
    """
    return f"{side_name(str(values['side']))} to move."


def silent(battle: Battle, event: Event, values: Mapping[str, Any] | None = None) -> str:
    """Return "", which omits the event.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.battle.event import Thrown
    >>> silent(open_battle("starter"), Thrown("initiative", 6, 3))
    ''
    """
    return ""
