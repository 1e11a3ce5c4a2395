"""Endings of battles that any rule set may use."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.battle.event import Ended
from tabletop.battle.unfolding import Unfolding


def last_standing(unfolding: Unfolding, left: Sequence[str]) -> bool:
    """End the battle if fewer than two sides are left; return whether it ended.

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> last_standing(unfolding, ["french", "prussian"]), last_standing(unfolding, ["french"])
    (False, True)
    """
    if len(left) > 1:
        return False
    unfolding.happen(Ended(left[0] if left else None, "last-standing" if left else "none-standing"))
    return True


def more_points(unfolding: Unfolding, early: bool = False) -> None:
    """End the battle in favour of the side with more points, or even; ``early`` if the last turn is not over.

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> more_points(unfolding)
    >>> unfolding.events[-1]
    Ended(winner=None, how='even')
    """
    sides, scores = unfolding.battle.setup.sides, unfolding.battle.scores
    (less, _), (most, winner) = sorted((scores.get(side, 0.0), side) for side in sides)
    how = f"between {most - less:g}" if early else f"points {most:g} {less:g}"
    unfolding.happen(Ended(None, "even") if less == most else Ended(winner, how))
