"""Questions to the judge's worker about an action: may it be done, how much of its path, does it open a flank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.errors import TabletopError
from tabletop.geometry.verdict import Verdict
from tabletop.play import coach, engine, routes
from tabletop.play.workers.judge_worker import Answer, JudgeRequest


@dataclass(frozen=True)
class ActionRequest(JudgeRequest):
    """A question answered by the engine's judge of ``action``."""

    action: Action | None = None

    def answered(self, battle: Battle, **more: Any) -> Answer:
        """Return the verdict on the action in this battle, or why it cannot be judged."""
        assert self.action is not None
        try:
            return engine.judge(battle, self.action)
        except TabletopError as refused:
            return str(refused)


@dataclass(frozen=True)
class NearestRequest(ActionRequest):
    """A question answered by the allowed move nearest to a refused one: as much of its path as the rules allow."""

    def answered(self, battle: Battle, **more: Any) -> Answer:
        """Return the verdict on that move with the action's options; a sentence if no part of the path is allowed."""
        assert self.action is not None
        try:
            nearest = routes.as_far_as_it_may(battle, self.action)
            if nearest is None:
                return "nothing of that way is allowed"
            return engine.judge(battle, nearest).with_(options=nearest.options)
        except TabletopError as refused:
            return str(refused)


@dataclass(frozen=True)
class FlankRequest(JudgeRequest):
    """A question answered by the assault that shows whether a move opens a flank; ``move`` is the move's verdict."""

    move: Verdict | None = None

    def answered(self, battle: Battle, **more: Any) -> Answer:
        """Return the verdict on that assault; a sentence if there is none."""
        assert self.move is not None
        try:
            threat = coach.threat(battle, self.move)
        except TabletopError as refused:
            return str(refused)
        return threat if threat is not None else "no enemy could assault it there"
