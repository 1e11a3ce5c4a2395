"""Holds the model of a battle being played; only commands change it."""

from __future__ import annotations

from dataclasses import replace

from tabletop.render.battle.facts import Facts
from tabletop.render.battle.game_model import GameModel, Record
from tabletop.render.battle.model import Command, update
from tabletop.render.table import model as table
from tabletop.render.table.model import TableModel


class GameStore:
    """Holds the model of a battle; its ``table`` store handles the table part alone."""

    def __init__(self, model: GameModel) -> None:
        self.model = model
        self.table = TableStore(self)

    def update(self, command: Command) -> None:
        """Apply a command to the player's choices."""
        self.model = replace(self.model, chosen=update(self.model.chosen, command))

    def stand(self, facts: Facts, record: Record) -> None:
        """Take over a new position; the promises of the old one are dropped."""
        self.model = replace(self.model, facts=facts, record=record, promised={})

    def promise(self, promised: dict[str, str]) -> None:
        """Note what each answer to the open question promises."""
        self.model = replace(self.model, promised=promised)


class TableStore:
    """The table within the larger model, with the interface that a table's controller expects."""

    def __init__(self, of: GameStore) -> None:
        self._of = of

    @property
    def model(self) -> TableModel:
        """The model of the table."""
        return self._of.model.table

    def update(self, command: table.Command) -> bool:
        """Apply a command to the table; return whether anything changed."""
        before, after = self.model, table.update(self.model, command)
        if after is not before:
            self._of.model = replace(self._of.model, table=after)
        return after is not before
