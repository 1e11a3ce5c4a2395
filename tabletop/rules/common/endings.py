"""Endings of battles that all rule sets share."""

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
