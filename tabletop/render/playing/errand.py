"""A question to the clerk that is an action: may it be done now, by every rule, and where would the unit stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.errors import TabletopError
from tabletop.play import engine
from tabletop.play.clerk import Answer, Errand


@dataclass(frozen=True)
class ActionErrand(Errand):
    """An errand answered by the engine's judge of ``action``."""

    action: Action | None = None

    def answered(self, battle: Battle, **more: Any) -> Answer:
        """Return whether the action may be done in this battle."""
        assert self.action is not None
        try:
            return engine.judge(battle, self.action)
        except TabletopError as refused:
            return str(refused)
