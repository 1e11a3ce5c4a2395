"""Marks on a unit in the rule set's words, and how long those last that go by themselves."""

from __future__ import annotations

from collections.abc import Iterator

from tabletop.battle.battle import Battle
from tabletop.battle.clock import Until
from tabletop.battle.naming import plain, side_name
from tabletop.battle.unit import Unit
from tabletop.play.engine import play_of


def signs(battle: Battle, unit: Unit, timed: bool = False) -> Iterator[str]:
    """Yield the marks on a unit that have words; only those that go by themselves if ``timed``."""
    for mark, words in play_of(battle).signs.items():
        value, until = unit.marks.get(mark), unit.until.get(mark)
        if value and (until is not None or not timed):
            text = words.format(f"{round(value, 2):g}" if isinstance(value, float) else _named(battle, value))
            yield text if until is None else f"{text} ({lasting(until)})"


def _named(battle: Battle, value: object) -> str:
    return battle.called(value) if isinstance(value, str) else str(value)


def lasting(until: Until) -> str:
    """Return how long a mark lasts.

    >>> lasting(Until(4)), lasting(Until(3, "rally", "french", over=True))
    ('until turn 4', "to the end of the rally phase of French's turn 3")
    """
    turn = f"turn {until.turn}" if until.side is None else f"{side_name(until.side)}'s turn {until.turn}"
    phase = f"the {plain(until.phase)} phase of " if until.phase else ""
    return f"{'to the end of' if until.over else 'until'} {phase}{turn}"
