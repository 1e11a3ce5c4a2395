"""Objectives that change hands, and the winner after the last turn, which scenarios add to the rules."""

from __future__ import annotations

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.event import Ended, Scored, Taken
from tabletop.battle.naming import capital, side_name
from tabletop.battle.progress import Objective
from tabletop.battle.unfolding import Unfolding
from tabletop.rules.tse.morale import army_morale


def take_ground(unfolding: Unfolding) -> None:
    """Give each objective to a side that stands there alone; else it keeps its holder."""
    battle = unfolding.battle
    for objective in battle.setup.objectives:
        there = standing_at(battle, objective)
        if len(there) == 1 and there[0] != objective.holder:
            unfolding.happen(Taken(objective.id, there[0]))


def standing_at(battle: Battle, objective: Objective) -> tuple[str, ...]:
    """Return the sides with a unit, not demoralized, any part of which is within the objective's radius."""
    x, y = objective.at
    sides = set()
    for unit in battle.units:
        near = objective.radius + 2.0 * unit.strength * battle.scale
        if unit.is_general or unit.status == "demoralized" or unit.side in sides:
            continue
        if abs(unit.at[0] - x) <= near and abs(unit.at[1] - y) <= near:
            gap = float(shapely.distance(unit.footprint, shapely.Point(x, y)))
            sides |= {unit.side} if battle.tape.at_most(gap, objective.radius) else set()
    return tuple(sorted(sides))


def wiped_out(unfolding: Unfolding) -> bool:
    """End the battle when a side has lost its last unit, on the table or to come; return whether it has ended."""
    battle = unfolding.battle
    there = {unit.side for unit in (*battle.units, *battle.awaited) if not unit.is_general}
    gone = {fallen.unit.side for fallen in battle.fallen if not fallen.unit.is_general} - there
    if gone and not battle.over:
        left = [side for side in battle.setup.sides if side in there]
        unfolding.happen(Ended(left[0] if left else None, f"wiped-out {' '.join(sorted(gone))}"))
    return unfolding.battle.over


def end(unfolding: Unfolding) -> None:
    """End the battle with its last turn: ground held is scored; more points win, then the lesser loss (TSE-TRN-09)."""
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
    """Return how a battle is won against a side, in a sentence (TSE-TRN-09, TSE-MOR-01)."""
    last = f"when turn {battle.setup.turns} ends" if battle.setup.turns else "at the end"
    held = f"have more points than the {side_name(enemy)} side {last}" if battle.setup.objectives else ""
    return capital(", or ".join(part for part in (held, f"break the {side_name(enemy)} army") if part) + ".")


def _loss(battle: Battle, side: str) -> float:
    """Return the share of an army's units that are destroyed or demoralized, as its morale counts them (TSE-MOR-01)."""
    form = army_morale.state(battle, side)
    return (int(form["destroyed"]) + int(form["demoralized_units"])) / max(1, int(form["units"]))
