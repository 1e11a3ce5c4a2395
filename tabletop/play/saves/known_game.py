"""A saved game as whoever reads it may know it: without the units hidden from the people who play it, until it is over.

What is hidden is what is hidden at the end of the file, at whatever moment the game is looked at, as in a battle being
played: a unit that has come in sight is shown at every moment.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from tabletop.battle.battle import Battle
from tabletop.play import knowledge
from tabletop.play.engine import Step
from tabletop.play.players import viewer
from tabletop.play.saves import replay, save
from tabletop.play.saves.save import Header, Saved
from tabletop.play.viewing import OF_THE_PEOPLE, View


@dataclass(frozen=True)
class KnownGame:
    """A saved game, and the ids of the units that are not shown."""

    saved: Saved
    hidden: frozenset[str]

    @property
    def header(self) -> Header:
        """Its header, the opening as it is known."""
        header = self.saved.header
        return replace(header, opening=knowledge.without(header.opening, self.hidden))

    @property
    def steps(self) -> list[Step]:
        """Its steps as they are known, the beginning first; Unreadable if they cannot be followed."""
        steps = save.steps_of(self.saved, list(replay.battles(self.saved)))
        return list(knowledge.known_steps(steps, self.hidden))

    def step(self, n: int) -> Step:
        """Return step ``n`` as it is known; BadQuestion for one never done."""
        line, battle = self.saved.lines[n], replay.battle_at(self.saved, n)
        step = Step(line.action, None, line.events, battle, line.under, line.thought)
        return knowledge.known_steps([step], self.hidden)[0]

    def battle_before(self, n: int) -> Battle:
        """Return the battle before action ``n``; as it was laid out for 0."""
        before = replay.beginning(self.saved) if n == 0 else replay.battle_at(self.saved, n - 1)
        return knowledge.without(before, self.hidden)

    def battle_at(self, n: int | None = None) -> Battle:
        """Return the battle after action ``n`` (None: as it was left); BadQuestion for one never done."""
        return knowledge.without(replay.battle_at(self.saved, n), self.hidden)


def known(saved: Saved, view: View = OF_THE_PEOPLE) -> KnownGame:
    """Return a saved game as it may be known; BadQuestion if the view is that of a side it does not have."""
    end = replay.beginning(saved)
    if not knowledge.hides_units(end):
        return KnownGame(saved, knowledge.concealed(end, None, view))
    end = replay.battle_at(saved)
    return KnownGame(saved, knowledge.concealed(end, viewer(end, saved.header.players), view))


def read(path: str | Path, view: View = OF_THE_PEOPLE) -> KnownGame:
    """Return the game saved at ``path`` as it may be known; Unreadable if it is missing or damaged."""
    return known(save.read(path), view)
