"""What a computer player chose, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tabletop.battle.action import Action, answer
from tabletop.battle.battle import Battle
from tabletop.play import engine, knowledge
from tabletop.play.thought import Thought


@dataclass(frozen=True)
class Chosen:
    """The action a player chose, the reason in a few words, and its thought."""

    action: Action
    why: str = ""
    thought: Thought | None = None


def seen(battle: Battle) -> Battle:
    """Return the battle as the side to move may know it."""
    return knowledge.visible(battle, engine.mover(battle))


def candidates(battle: Battle, known: Battle) -> Iterable[Action]:
    """Return the answers to the pending decision, or else the suggestions for what the side to move knows.

    Suggestions that the battle as it is does not allow, because of something hidden, are left out.
    """
    if battle.pending:
        return answers(battle)
    suggested = engine.play_of(known).suggest(known)
    if known is battle:
        return suggested
    return (action for action in suggested if engine.judge(battle, action).holds)


def answers(battle: Battle) -> Iterator[Action]:
    """Yield every answer to the pending decision."""
    decision = battle.pending[0]
    for choice in decision.choices:
        yield answer(decision.side, choice)
