"""The table as it stands in a battle being played: whose move it is, who may act, and by what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tabletop.battle.action import Action
from tabletop.battle.naming import side_name
from tabletop.battle.unit import Unit
from tabletop.render.battle import eligible
from tabletop.render.battle.computers import Computers
from tabletop.render.battle.facts import Facts
from tabletop.render.battle.model import BattleModel
from tabletop.render.table.desk import Desk
from tabletop.render.table.desk_seen import Part
from tabletop.rules import rule_set
from tabletop.rules.play import Choice


@dataclass(kw_only=True)
class Position(Desk):
    """A measuring table that knows whose move it is. ``chosen`` is what its player has chosen."""

    computers: Computers
    chosen: BattleModel = field(default_factory=BattleModel)
    facts: Facts = field(init=False)

    actor = Part[str | None]("chosen")

    @property
    def mover(self) -> str | None:
        return self.facts.mover

    @property
    def human_turn(self) -> bool:
        """True when a person must act or answer."""
        return self.mover is not None and not self.computers.plays(self.mover)

    @property
    def viewer(self) -> str | None:
        """The side of the unit selected; with none the person's who acts, or who waits for the computer."""
        if self.unit is not None or self.human_turn:
            return self.unit.side if self.unit is not None else self.mover
        return next((side for side in self.battle.setup.sides if not self.computers.plays(side)), self.mover)

    def may_act(self, unit: Unit | None) -> bool:
        """Return whether a person may try actions of this unit now."""
        return unit is not None and self.human_turn and not self.battle.pending and unit.side == self.mover

    @property
    def acting_unit(self) -> Unit | None:
        """The unit whose menu is open, on the table or still to come."""
        return self.battle.anyone(self.actor) if self.actor else None

    @property
    def groups(self) -> tuple[eligible.Group, ...]:
        return self.facts.groups

    @property
    def ready(self) -> frozenset[str]:
        return self.facts.ready

    @property
    def acted(self) -> frozenset[str]:
        return self.facts.acted

    @property
    def endings(self) -> tuple[Action, ...]:
        return self.facts.endings

    @property
    def menu(self) -> Sequence[Choice]:
        """The actor's menu; nothing for a unit that is not to act by a person's will now."""
        return self.facts.menu(self.actor) if self.actor and self.may_act(self.acting_unit) else ()

    @property
    def actions(self) -> tuple[str, ...]:
        """Kinds of action shown with the unit in hand; of others' units the kinds of move, for what could be."""
        if self.unit is None:
            return ()
        if self.may_act(self.unit):
            unit, opened = self.unit, [c.kind for c in self.facts.menu(self.unit.id) if c.open]
            kinds = [kind for kind in opened if eligible.by_hand(self.battle, kind, unit)]
            return tuple(sorted(kinds, key=lambda kind: "path" not in eligible.kind_of(self.battle, kind).needs))
        return tuple(rule_set.find(self.battle.rules).actions(self.unit))

    @property
    def whose(self) -> str:
        """The side to act or answer, as it begins a sentence."""
        return side_name(self.mover)
