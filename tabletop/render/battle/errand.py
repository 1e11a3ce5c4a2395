"""Questions to the clerk that are actions: may it be done now, where would the unit stand; what of it may be done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.errors import TabletopError
from tabletop.geometry.verdict import Verdict
from tabletop.play import coach, engine, routes
from tabletop.play.workers.judge_worker import Answer, Errand


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


@dataclass(frozen=True)
class NearestErrand(ActionErrand):
    """An errand answered by the nearest to a refused move that is allowed: as much of its way as may be gone."""

    def answered(self, battle: Battle, **more: Any) -> Answer:
        """Return the verdict on it, its options those of the action; a sentence where nothing of it is allowed."""
        assert self.action is not None
        try:
            found = routes.as_far_as_it_may(battle, self.action)
            if found is None:
                return "nothing of that way is allowed"
            return engine.judge(battle, found).with_(options=found.options)
        except TabletopError as refused:
            return str(refused)


@dataclass(frozen=True)
class FlankErrand(Errand):
    """An errand answered by the assault that shows whether a move opens a flank; ``move`` is the judge's word on it."""

    move: Verdict | None = None

    def answered(self, battle: Battle, **more: Any) -> Answer:
        """Return the verdict on that assault; a sentence where there is none."""
        assert self.move is not None
        try:
            found = coach.threat(battle, self.move)
        except TabletopError as refused:
            return str(refused)
        return found if found is not None else "no enemy could assault it there"
