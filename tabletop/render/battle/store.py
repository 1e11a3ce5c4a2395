"""Holds the model of a battle being played, and changes it by commands alone."""

from __future__ import annotations

from dataclasses import replace

from tabletop.render.battle.facts import Facts
from tabletop.render.battle.game_model import GameModel, Record
from tabletop.render.battle.model import Command, update
from tabletop.render.table import model as table
from tabletop.render.table.model import TableModel


class GameStore:
    """Holds the model of a battle; its table can be handled by itself."""

    def __init__(self, model: GameModel) -> None:
        self.model = model
        self.table = TableStore(self)

    def update(self, command: Command) -> None:
        """Change what the player has chosen as a command says."""
        self.model = replace(self.model, chosen=update(self.model.chosen, command))

    def stand(self, facts: Facts, record: Record) -> None:
        """Take over another position; nothing is promised in it yet."""
        self.model = replace(self.model, facts=facts, record=record, promised={})

    def promise(self, promised: dict[str, str]) -> None:
        """Note what each answer to the question asked promises."""
        self.model = replace(self.model, promised=promised)


class TableStore:
    """The table in a larger model, as what handles a table sees it."""

    def __init__(self, of: GameStore) -> None:
        self._of = of

    @property
    def model(self) -> TableModel:
        """The table as it is handled."""
        return self._of.model.table

    def update(self, command: table.Command) -> bool:
        """Change the table as a command says; return whether anything is other than before."""
        before, after = self.model, table.update(self.model, command)
        if after is not before:
            self._of.model = replace(self._of.model, table=after)
        return after is not before
