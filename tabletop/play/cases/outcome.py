"""The outcome of a case, to be compared with what its author expected."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.battle.battle import Battle
from tabletop.battle.event import Event
from tabletop.geometry.verdict import Verdict
from tabletop.rules.play import Odds


@dataclass
class Outcome:
    """The outcome of a case: the battle afterwards, the events, the last verdict, the odds before the last action."""

    battle: Battle
    events: tuple[Event, ...] = ()
    verdict: Verdict | None = None
    odds: Odds | None = None
    thrown: tuple[str, ...] = ()
