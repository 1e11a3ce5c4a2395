"""What scenarios add to the rules: objectives that change hands, and the winner after the last turn."""

from __future__ import annotations

from tabletop.battle.battle import Battle
from tabletop.battle.event import Ended, Scored
from tabletop.battle.naming import capital, side_name
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.rules.common import ground_held
from tabletop.rules.tse.morale import army_morale


def take_ground(unfolding: Unfolding) -> None:
    """Give each objective to the only side with units there, ignoring demoralized ones; else leave it as it is."""
    ground_held.take_ground(unfolding, in_hand)


def in_hand(unit: Unit) -> bool:
    """Return whether a unit counts for holding ground: it is not demoralized."""
    return unit.status != "demoralized"


def wiped_out(unfolding: Unfolding) -> bool:
    """End the battle if a side has no unit left on the table or to come; return whether the battle is over."""
    battle = unfolding.battle
    surviving_sides = {unit.side for unit in (*battle.units, *battle.awaited) if not unit.is_general}
    lost_sides = {fallen.unit.side for fallen in battle.fallen if not fallen.unit.is_general} - surviving_sides
    if lost_sides and not battle.over:
        survivors = [side for side in battle.setup.sides if side in surviving_sides]
        unfolding.happen(Ended(survivors[0] if survivors else None, f"wiped-out {' '.join(sorted(lost_sides))}"))
    return unfolding.battle.over


def end(unfolding: Unfolding) -> None:
    """End the battle after its last turn: score the objectives; more points win, then the lesser loss (TSE-TRN-09)."""
    for objective in unfolding.battle.setup.objectives:
        if objective.holder is not None:
            unfolding.happen(Scored(objective.holder, objective.points, objective.id))
    battle = unfolding.battle
    a, b = battle.setup.sides
    points = {side: battle.scores.get(side, 0.0) for side in (a, b)}
    if points[a] != points[b]:
        first = max((a, b), key=points.__getitem__)
        unfolding.happen(Ended(first, f"points {points[first]:g} {points[battle.setup.other(first)]:g}"))
        return
    losses = {side: _loss(battle, side) for side in (a, b)}
    winner = None if losses[a] == losses[b] else min((a, b), key=losses.__getitem__)
    unfolding.happen(Ended(winner, "even" if winner is None else "lesser-loss"))


def won(battle: Battle, enemy: str) -> str:
    """Return, in a sentence, how a battle is won against a side (TSE-TRN-09, TSE-MOR-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> won(open_battle("starter"), "austrian")
    'Have more points than the Austrian side when turn 7 ends, or break the Austrian army.'
    """
    last = f"when turn {battle.setup.turns} ends" if battle.setup.turns else "at the end"
    by_points = f"have more points than the {side_name(enemy)} side {last}" if battle.setup.objectives else ""
    return capital(", or ".join(part for part in (by_points, f"break the {side_name(enemy)} army") if part) + ".")


def _loss(battle: Battle, side: str) -> float:
    """Return the share of an army's units that are destroyed or demoralized, as its morale counts them (TSE-MOR-01)."""
    form = army_morale.state(battle, side)
    return (int(form["destroyed"]) + int(form["demoralized_units"])) / max(1, int(form["units"]))
