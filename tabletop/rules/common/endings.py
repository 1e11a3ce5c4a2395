"""Endings of battles that any rule set may use."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tabletop.battle.battle import Battle
from tabletop.battle.event import Ended
from tabletop.battle.unfolding import Unfolding

#: The option of a scenario: how many points ahead a side has won at once.
LEAD = "decisive_lead"


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


def decisive_lead(unfolding: Unfolding) -> bool:
    """End the battle if a side is ahead by as many points as the scenario's option ``decisive_lead`` asks for; return
    whether it ended.

    >>> from tabletop.play.files.opened import open_battle
    >>> decisive_lead(Unfolding(open_battle("drill-ground")))  # its scenario asks for none
    False
    """
    battle = unfolding.battle
    least, most = sorted(battle.scores.get(side, 0.0) for side in battle.setup.sides)
    if most - least < lead_of(battle):
        return False
    more_points(unfolding, early=True)
    return True


def lead_of(battle: Battle) -> float:
    """Return how many points ahead a side has won at once; infinity if the scenario does not say.

    >>> from tabletop.play.files.opened import open_battle
    >>> lead_of(open_battle("long-sand")), lead_of(open_battle("drill-ground"))
    (15.0, inf)
    """
    lead = battle.setup.options.get(LEAD)
    return float(lead) if isinstance(lead, int | float) else math.inf


def lead_in_words(battle: Battle) -> str:
    """Return, as part of a sentence, how far ahead a side has won at once; nothing if the scenario does not say.

    >>> from tabletop.play.files.opened import open_battle
    >>> lead_in_words(open_battle("long-sand")), lead_in_words(open_battle("lissa"))
    (', or 15 points more before', '')
    """
    lead = lead_of(battle)
    return "" if lead == math.inf else f", or {lead:g} points more before"
