"""An action a computer player does, with what comes of it, worked out where he thinks."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.event import Event
from tabletop.errors import TabletopError
from tabletop.geometry.verdict import Verdict
from tabletop.play import engine


@dataclass(frozen=True)
class Done:
    """An action, the verdict that allowed it, and its events; no events where it could not be done."""

    action: Action
    verdict: Verdict | None = None
    events: tuple[Event, ...] | None = None


def done(battle: Battle, action: Action) -> Done:
    """Do an action on a copy of the battle: whoever has the battle itself only folds the events."""
    try:
        step = engine.submit(battle, action).kept
    except TabletopError:
        return Done(action)  # why it may not be done is said where it is tried
    return Done(action, step.verdict, step.events)
