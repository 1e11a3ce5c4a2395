"""What of a battle being played is still being shown, where to look, and whose turn at the screen it is."""

from __future__ import annotations

from dataclasses import dataclass, field

from tabletop.battle.battle import Battle
from tabletop.geometry.measure import Point
from tabletop.play.session import Session
from tabletop.render.battle.playback import Stage, hidden
from tabletop.render.battle.shaped import ShapedDesk


@dataclass(kw_only=True)
class TellingDesk(ShapedDesk):
    """A table on which what was just done is acted out. ``version`` counts the positions there have been."""

    session: Session
    stage: Stage = field(default_factory=Stage)
    version: int = 0
    handed: int = -1

    @property
    def seen(self) -> Battle:
        seen = self.stage.seen
        return self.battle if seen is None else seen.battle

    @property
    def labelled(self) -> Battle:
        """Names stay where they were until everybody has come to rest."""
        show = self.stage.show
        return show.act.before if show is not None and self.stage.running else self.battle

    @property
    def spots(self) -> tuple[Point, ...]:
        """Where to look: at the units a question is about, else at what was just done on the other side's will."""
        if self.battle.pending and self.human_turn:
            decision = self.battle.pending[0]
            named = (decision.unit, *map(str, decision.data.values()))
            return tuple(u.at for u in self.battle.units if u.id in named)
        show = self.stage.show
        return show.spots if show is not None and show.card else ()

    @property
    def named_first(self) -> tuple[str, ...]:
        """Who is named though there be little room: whom the player looks at, and who stands for a group."""
        heads = tuple(group.id for group in self.groups)
        return (*super().named_first, *(name for name in heads if self.battle.has(name)))

    @property
    def unseen(self) -> frozenset[str]:
        return hidden(self.stage)

    @property
    def turned_over(self) -> bool:
        """True while the screen is to be handed to the other player, who is asked something amid an action."""
        last = self.session.steps[-1].action
        persons = self.human_turn and not self.computers.sides
        asked = self.battle.pending and last is not None and last.side != self.battle.pending[0].side
        return bool(persons and asked and self.handed != self.version)

    def hand_over(self) -> None:
        """The player who is asked sits at the screen now."""
        self.handed = self.version
