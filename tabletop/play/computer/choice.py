"""What a computer player chose, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tabletop.battle.action import Action, answer
from tabletop.battle.battle import Battle
from tabletop.play.thought import Thought


@dataclass(frozen=True)
class Chosen:
    """The action a player chose, the reason in a few words, and its thought."""

    action: Action
    why: str = ""
    thought: Thought | None = None


def answers(battle: Battle) -> Iterator[Action]:
    """Yield every answer to the pending decision."""
    decision = battle.pending[0]
    for choice in decision.choices:
        yield answer(decision.side, choice)
