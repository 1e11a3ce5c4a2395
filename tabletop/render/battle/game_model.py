"""The whole state of a battle being played: its table, the player's choices, the position, the record.

Frozen: a controller holds it, views draw it, and everything else is derived from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point
from tabletop.geometry.verdict import Verdict
from tabletop.play.engine import Step
from tabletop.play.saves.save import Header
from tabletop.render.battle import eligible
from tabletop.render.battle.facts import Facts
from tabletop.render.battle.model import BattleModel
from tabletop.render.events.log_lines import Line, Trace
from tabletop.render.table.model import TableModel
from tabletop.rules import rule_set
from tabletop.rules.play import Choice


@dataclass(frozen=True)
class Record:
    """What has happened: the battle's header and steps, the lines of the log, the paths just taken.

    ``version`` counts the positions so far.
    """

    header: Header
    steps: tuple[Step, ...] = ()
    lines: tuple[Line, ...] = ()
    traces: tuple[Trace, ...] = ()
    version: int = 0


@dataclass(frozen=True)
class GameModel:
    """The state of a battle being played; ``promised`` maps each answer to the open question to what it promises."""

    table: TableModel
    chosen: BattleModel
    facts: Facts
    record: Record
    promised: Mapping[str, str] = field(default_factory=dict)

    @property
    def viewer(self) -> str | None:
        """The side of the selected unit; without one, the side of the person to act or waiting for the computer."""
        unit, facts = self.table.unit, self.facts
        if unit is not None or facts.human_turn:
            return unit.side if unit is not None else facts.mover
        return next((side for side in self.table.battle.setup.sides if side not in facts.computers), facts.mover)

    def may_act(self, unit: Unit | None) -> bool:
        """Return whether a person may try actions of this unit now."""
        facts = self.facts
        return unit is not None and facts.human_turn and not self.table.battle.pending and unit.side == facts.mover

    @property
    def acting_unit(self) -> Unit | None:
        """The unit whose menu is open, on the table or still to come."""
        return self.table.battle.anyone(self.chosen.actor) if self.chosen.actor else None

    @property
    def menu(self) -> Sequence[Choice]:
        """The actor's menu; empty for a unit that a person may not act with now."""
        actor = self.chosen.actor
        return self.facts.menu(actor) if actor and self.may_act(self.acting_unit) else ()

    @property
    def actions(self) -> tuple[str, ...]:
        """Kinds of action shown with the unit in hand; for units that may not act, the kinds of move, as a what-if."""
        battle, unit = self.table.battle, self.table.unit
        if unit is None:
            return ()
        if self.may_act(unit):
            opened = [c.kind for c in self.facts.menu(unit.id) if c.open]
            kinds = [kind for kind in opened if eligible.by_hand(battle, kind, unit)]
            return tuple(sorted(kinds, key=lambda kind: "path" not in eligible.kind_of(battle, kind).needs))
        return tuple(rule_set.find(battle.rules).actions(unit))

    @property
    def aimed(self) -> tuple[str, ...]:
        """Every kind of action of the selected unit that has a target."""
        return tuple(choice.kind for choice in self.menu if eligible.aimed(self.table.battle, choice.kind))

    @property
    def nearest(self) -> Verdict | None:
        """The verdict on the allowed move nearest to the refused one; None until it is known, or if there is none."""
        return self.table.verdict("nearest") if self.chosen.refused_move is not None else None

    @property
    def turned_over(self) -> bool:
        """True while the screen must be handed to the other player, who is asked something during an action."""
        last, pending = self.record.steps[-1].action, self.table.battle.pending
        persons = self.facts.human_turn and not self.facts.computers
        asked = pending and last is not None and last.side != pending[0].side
        return bool(persons and asked and self.chosen.handed != self.record.version)

    @property
    def asked_of(self) -> tuple[Point, ...]:
        """The positions of the units that a person is asked about."""
        if not self.table.battle.pending or not self.facts.human_turn:
            return ()
        decision = self.table.battle.pending[0]
        named = (decision.unit, *map(str, decision.data.values()))
        return tuple(u.at for u in self.table.battle.units if u.id in named)

    @property
    def named_first(self) -> tuple[str, ...]:
        """The units whose names are drawn even where room is short: the selected one, and the head of each group."""
        battle, selected = self.table.battle, self.table.selected
        heads = tuple(group.id for group in self.facts.groups)
        return (*((selected,) if selected else ()), *(name for name in heads if battle.has(name)))
