"""What evaluations share: the balance of forces, the lead in points, and a value for each kind of action.

The computer players themselves (``tabletop.play.computer``) compare the values and choose: a rule set says what things
are worth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit

#: The expected value of an action to the side that takes it, and the reason in a few words.
Value = tuple[float, str]


def balance(battle: Battle, side: str, worth: Callable[[Unit], float]) -> float:
    """Return what a side's units on the table are worth, less the enemy's, in the unit of ``worth`` (such as bases).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> [balance(battle, side, lambda unit: float(unit.strength)) for side in battle.setup.sides]
    [5.0, -5.0]
    """
    own = sum(worth(unit) for unit in battle.units if unit.side == side)
    return own - sum(worth(unit) for unit in battle.units if unit.side != side)


def lead(battle: Battle, side: str) -> float:
    """Return the number of victory points by which a side is ahead, negative if it is behind.

    >>> from dataclasses import replace
    >>> from tabletop.play.files.opened import open_battle
    >>> battle = replace(open_battle("drill-ground"), scores={"french": 2.0, "prussian": 5.0})
    >>> lead(battle, "french"), lead(battle, "prussian")
    (-3.0, 3.0)
    """
    return battle.scores.get(side, 0.0) - sum(points for name, points in battle.scores.items() if name != side)


def valued(weigh: Mapping[str, Callable[[Battle, Action], Value]], battle: Battle, action: Action) -> Value:
    """Return the value of an action by the function for its kind, and the reason; 0 without one.

    >>> from tabletop.play.files.opened import open_battle
    >>> weigh = {"fire": lambda battle, action: (2.0, "a good shot")}
    >>> [valued(weigh, open_battle("drill-ground"), Action(kind, "french")) for kind in ("fire", "done")]
    [(2.0, 'a good shot'), (0.0, '')]
    """
    function = weigh.get(action.kind)
    return (0.0, "") if function is None else function(battle, action)
