"""Throws of the family's rule sets: a six-sided die, or a random number in thousandths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.rules.ages.tables import Profile, profile_of

#: Dice with at most this many sides are followed face by face to compute exact odds.
FEW = 6


def throw(battle: Battle, chance: Chance, purpose: str, turns: Iterable[int]) -> int:
    """Throw once: a die of the battle's rule set, 1 to 6, or a random number, 0 to 999 thousandths (AGE-EQP-03).

    ``turns`` are the numbers at which the outcome changes.

    >>> from tabletop.battle.dice import ScriptedDice
    >>> from tabletop.play.files.opened import open_battle
    >>> throw(open_battle("drill-ground"), ScriptedDice([4]), "rally", [5])
    4
    """
    profile = profile_of(battle)
    first = int(profile.tables["throw"]["first"])
    if profile.sides <= FEW:
        return chance.die(purpose, profile.sides) - 1 + first
    return chance.die(purpose, profile.sides, tuple(turn + 1 - first for turn in turns)) - 1 + first


def in_results(battle: Battle, bonus: int) -> tuple[int, ...]:
    """Return the numbers thrown at which the row of the results tables changes, given a ``bonus`` (ROC-CBT-11).

    >>> from tabletop.play.files.opened import open_battle
    >>> in_results(open_battle("drill-ground"), 1)
    (0, 1, 2, 3, 4, 5)
    """
    return tuple(start - bonus for start in profile_of(battle).starts)


def every(profile: Profile, times: int = 1) -> Iterator[int]:
    """Yield the sum of every way that ``times`` throws can fall, all equally likely (ROC-SQR-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> sums = list(every(profile_of(open_battle("drill-ground")), 2))
    >>> len(sums), sums.count(7)
    (36, 6)
    """
    first = int(profile.tables["throw"]["first"])
    for numbers in product(range(first, first + profile.sides), repeat=times):
        yield sum(numbers)


def in_words(battle: Battle, number: int) -> str:
    """Return a throw in words: "die 4" or "number 0.349" (AGE-EQP-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> in_words(open_battle("drill-ground"), 4), in_words(open_battle("a-hundred-millimetres"), 349)
    ('die 4', 'number 0.349')
    """
    profile = profile_of(battle)
    return f"die {number}" if profile.sides <= FEW else f"number {number / profile.sides:.3f}"
