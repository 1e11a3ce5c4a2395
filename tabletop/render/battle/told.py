"""What of a battle being played is still being shown, what was refused, where to look, and who sits at the screen."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tabletop.battle.battle import Battle
from tabletop.geometry.measure import Point
from tabletop.geometry.verdict import Verdict
from tabletop.play.session import Session
from tabletop.render.battle import eligible
from tabletop.render.battle.errand import NearestErrand
from tabletop.render.battle.model import Tried
from tabletop.render.battle.playback import Stage, hidden
from tabletop.render.battle.shaped import ShapedDesk
from tabletop.render.table.desk_seen import Part


@dataclass(kw_only=True)
class TellingDesk(ShapedDesk):
    """A table on which what was just done is acted out. ``version`` counts the positions there have been."""

    session: Session
    stage: Stage = field(default_factory=Stage)
    version: int = 0

    handed = Part[int]("chosen")
    refused = Part[Verdict | None]("chosen")

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

    # --- what was refused --------------------------------------------------------------------------------------------

    @property
    def tried(self) -> Tried | None:
        """The move just refused, None once something else is shown."""
        return self.chosen.tried

    @property
    def nearest(self) -> Verdict | None:
        """The judge's word on the nearest to it that is allowed, None until it is known, or where there is none."""
        return self.verdict("nearest") if self.tried is not None else None

    def _keep(self, tried: Tried | None) -> None:
        """Keep in sight what was refused, and ask how much of its way is allowed."""
        self.chosen = replace(self.chosen, last_refused=tried)
        if tried is not None and "path" in eligible.kind_of(self.battle, tried.action.kind).needs:
            names = (str(tried.action.unit),)
            self.quick.put(NearestErrand(("nearest",), "move", names, {}, rank=0, action=tried.action))
