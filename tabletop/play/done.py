"""An action of a computer player with its consequences, computed in the process where the player thinks."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.event import Event
from tabletop.errors import TabletopError
from tabletop.geometry.verdict import Verdict
from tabletop.play import engine
from tabletop.play.thought import Thought


@dataclass(frozen=True)
class Done:
    """An action, the verdict that allowed it, its events (None if it failed), and the player's thought."""

    action: Action
    verdict: Verdict | None = None
    events: tuple[Event, ...] | None = None
    thought: Thought | None = None


def done(battle: Battle, action: Action, thought: Thought | None = None) -> Done:
    """Return an action with its verdict and events, so that the process with the session only folds the events."""
    try:
        step = engine.submit(battle, action).kept
    except TabletopError:
        return Done(action, thought=thought)  # the session tries it again and reports why it is not allowed
    return Done(action, step.verdict, step.events, thought)
