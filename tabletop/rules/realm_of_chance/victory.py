"""Victory points and margins: which side has won, and by how much."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.event import Ended, Scored
from tabletop.battle.naming import side_name
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.rules.ages.morale.status import ROUTING
from tabletop.rules.ages.tables import ARTILLERY, arm
from tabletop.rules.ages.turn.phases import fighters
from tabletop.rules.common import modules
from tabletop.rules.common.data import data_of
from tabletop.rules.common.endings import last_standing


@cache
def points() -> Mapping[str, Any]:
    """Return the points for losses and the margins of victory (ROC-VP-01, ROC-VP-02)."""
    victory_points: Mapping[str, Any] = data_of("tabletop.rules.realm_of_chance", "victory.toml")
    return victory_points


def credit(unfolding: Unfolding, loser: Unit, what: str, times: int = 1) -> None:
    """Credit the points for a loss to the loser's enemy or, as printed, to the loser's own army (ROC-VP-01).

    Artillery bases count for nothing. Unless ruled otherwise, a base counts whether its unit routs or holds
    (ROC-VP-04), and a unit that is disrupted again counts again (ROC-VP-05).
    """
    rulings, uncounted = unfolding.battle.rulings, arm(loser) == ARTILLERY
    if what == "held base":
        what, uncounted = "base", uncounted or not rulings["held_base_counts"]
    if what == "base" and uncounted:
        return
    if what == "disrupted" and not rulings["disrupted_again_counts"]:
        if loser.marks.get("counted"):
            return
        unfolding.mark(loser.id, counted=True)
    side = loser.side if rulings["points_for"] == "own" else unfolding.battle.setup.other(loser.side)
    unfolding.happen(Scored(side, float(points()[what]) * times, f"{what} {loser.id}"))


def margin_name(margin: float) -> str:
    """Return the name of a difference in points: draw, marginal, major or decisive (ROC-VP-02, ROC-VP-03).

    >>> margin_name(5), margin_name(6), margin_name(16), margin_name(31)
    ('draw', 'marginal', 'major', 'decisive')
    """
    names = [name for least, name in points()["margins"] if margin >= least]
    return str(names[-1])


def standing(battle: Battle) -> tuple[str | None, float, str]:
    """Return the leading side (None for a draw), its lead in points, and the name of that (ROC-VP-01, ROC-VP-02).

    Points for a unit's losses go to its enemy, so the side with more points wins.
    """
    a, b = battle.setup.sides
    lead = battle.scores.get(a, 0.0) - battle.scores.get(b, 0.0)
    name = margin_name(abs(lead))
    leader = a if lead > 0 else b
    return (None if name == "draw" else leader), abs(lead), name


def winning(battle: Battle) -> str | None:
    """Return the side that would win if the battle ended now, None for a draw (ROC-VP-02).

    >>> from tabletop.play.files.opened import open_battle
    >>> winning(open_battle("drill-ground")) is None
    True
    """
    return standing(battle)[0]


def _stands(battle: Battle, side: str) -> bool:
    """Return whether a side has a unit on the table that is not routing, or one still to come."""
    coming = any(u.side == side and not u.is_general for u in battle.awaited)
    return coming or any(u.status != ROUTING for u in fighters(battle, side))


def won(battle: Battle, enemy: str) -> str:
    """Return a sentence saying how a battle is won against a side (ROC-VP-01, ROC-VP-02)."""
    last = f"when turn {battle.setup.turns} ends" if battle.setup.turns else "at the end"
    rest = f"or rout its whole army{modules.also_won(battle)}"
    return f"Cost the {side_name(enemy)} side more points than you lose {last}, {rest}."


def settled(unfolding: Unfolding) -> bool:
    """End the battle by points after the last turn, or if a whole side routs; return whether it ended (ROC-VP-02)."""
    battle = unfolding.battle
    standing_sides = [s for s in battle.setup.sides if _stands(battle, s)]
    if last_standing(unfolding, standing_sides):
        return True
    turns = battle.setup.turns
    last = battle.clock.side == battle.setup.sides[-1]
    if turns is None or battle.clock.turn < turns or not last:
        return False
    winner, margin, name = standing(battle)
    unfolding.happen(Ended(winner, f"victory {name} {margin:g}" if winner else f"between {margin:g}"))
    return True
