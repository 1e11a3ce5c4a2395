"""One legal action of the side to move, drawn at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from random import Random

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.rules.ages.combat.judge import duties
from tabletop.rules.ages.command import orders
from tabletop.rules.ages.computer.known import reacts_to_unseen
from tabletop.rules.ages.computer.suggest import (
    MOST_ENEMIES,
    allowed,
    combat,
    considered,
    fought,
    moves_at,
    nearest,
    point_at,
)
from tabletop.rules.ages.morale.status import free
from tabletop.rules.ages.movement import arrivals
from tabletop.rules.ages.movement.layouts import FIXED
from tabletop.rules.ages.sight.unseen import is_unseen
from tabletop.rules.ages.tables import ARTILLERY, STANCES, arm, row
from tabletop.rules.ages.turn import sequence
from tabletop.rules.ages.turn.phases import ARTILLERY_PHASE, COMBAT_PHASE, MOVEMENT_PHASE, fighters
from tabletop.rules.ages.turn.simultaneous import in_sequence
from tabletop.rules.common.candidates import first_allowed

#: The probability that a side with other actions ends its phase.
DONE = 0.06
#: The probability that a general calls a staff officer, or an officer is dismissed, instead of riding.
CALLED = 0.1


def random_action(battle: Battle, rng: Random) -> Action:
    """Return one legal action for the side to move, drawn at random from all kinds (ROC-SEQ-01).

    >>> from random import Random
    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.turn.phases import in_turn
    >>> random_action(in_turn(open_battle("drill-ground"), "french-guns", "bombard"), Random(1)).kind
    'bombard'
    """
    side = battle.clock.side
    assert side is not None, "somebody is to move"
    draw = {ARTILLERY_PHASE: _random_shot, MOVEMENT_PHASE: _random_move, COMBAT_PHASE: _random_combat}[
        battle.clock.phase
    ]
    return draw(battle, side, rng)


def _random_shot(battle: Battle, side: str, rng: Random) -> Action:
    able = [gun for gun in sequence.ready_guns(battle) if sequence.has_a_shot(battle, gun)]
    if not able or rng.random() < DONE:
        return Action("done", side)
    gun = rng.choice(able)
    return Action("bombard", side, gun.id, rng.choice(sequence.shots(battle, gun)).id)


def _random_combat(battle: Battle, side: str, rng: Random) -> Action:
    enemies_of = duties(battle, side)
    enemy = rng.choice(fought(enemies_of))
    able = [name for name, enemies in enemies_of.items() if enemy in enemies]
    must = [name for name in able if len(enemies_of[name]) == 1]
    attackers = [name for name in able if name in must or rng.random() < 0.7]
    return combat(side, attackers or [rng.choice(able)], enemy)


def _random_move(battle: Battle, side: str, rng: Random) -> Action:
    own = in_sequence(battle, battle.side(side))
    units = [u for u in own if (u.is_general or free(u)) and not u.marks.get("moved")]
    coming = arrivals.due(battle, side)
    if coming and allowed(battle, entry := Action("enter", side, rng.choice(coming).id)):
        return entry
    return first_allowed(_moves(battle, units, rng), partial(allowed, battle), 6) or Action("done", side)


def _moves(battle: Battle, units: Sequence[Unit], rng: Random) -> Iterator[Action | None]:
    """Yield random moves of some units, allowed or not, until the side is to end its phase."""
    while units and rng.random() >= DONE:
        yield _random_of(battle, rng.choice(units), rng)


def _random_of(battle: Battle, unit: Unit, rng: Random) -> Action | None:
    """Return a random move or change of formation for one unit, mostly towards the enemy; None if it has none."""
    if unit.is_general:
        return _random_ride(battle, unit, rng)
    others = [f for f in considered(unit) if f != unit.formation]
    if unit.formation in FIXED or rng.random() < 0.12:
        return Action("form", unit.side, unit.id, options={"formation": rng.choice(others)})
    figures = row(unit)
    if rng.random() < 0.1 and arm(unit) != ARTILLERY:
        kind, most = rng.choice((("withdraw", 0.5), ("retreat", 1.0)))
        return Action(kind, unit.side, unit.id, options={"distance": round(rng.uniform(0.0, most * figures.move), 2)})
    towards = rng.random() < 0.7
    enemies = list(islice(_known(battle, unit), MOST_ENEMIES if rng.random() < 0.8 else None)) if towards else []
    if enemies:
        moves = list(moves_at(battle, unit, rng.choice(enemies)))
        return (moves[0] if rng.random() < 0.5 else rng.choice(moves)) if moves else None
    kind = "charge" if rng.random() < 0.1 and arm(unit) != ARTILLERY else "move"
    direction = unit.facing if rng.random() < 0.5 else (unit.facing + rng.uniform(-60.0, 60.0)) % 360.0
    run = rng.uniform(0.0, figures.move + figures.charge)
    options: dict[str, object] = {"path": (point_at(unit.front_mid, direction, run),)}
    if rng.random() < 0.2:
        options["facing"] = round((direction + rng.uniform(-90.0, 90.0)) % 360.0, 1)
    return Action(kind, unit.side, unit.id, options=options)


def _known(battle: Battle, unit: Unit) -> Iterator[Unit]:
    """Yield the enemy units that a side knows of, the nearest to one of its own first (AGE-ORD-06)."""
    for enemy in nearest(battle, unit, battle.enemies(unit)):
        if reacts_to_unseen(battle) or not is_unseen(battle, unit.side, enemy):
            yield enemy


def _random_ride(battle: Battle, person: Unit, rng: Random) -> Action:
    if rng.random() < CALLED:
        return Action("dismiss" if arm(person) == "staff" else "call", person.side, person.id)
    if arm(person) == "general" and orders.may_order(battle, person):
        near = orders.addressed(battle, person)
        if near and rng.random() < CALLED:
            stance = rng.choice(STANCES)
            return Action("order", person.side, person.id, options={"stance": stance, "to": (rng.choice(near).id,)})
    if arm(person) == "staff" and rng.random() < 0.5:
        recipient = rng.choice([u.id for u in fighters(battle, person.side)] or [person.id])
        return Action("order", person.side, person.id, options={"stance": rng.choice(STANCES), "to": (recipient,)})
    to = point_at(person.at, rng.uniform(0.0, 360.0), rng.uniform(1.0, 150.0))
    return Action("ride", person.side, person.id, options={"path": (to,)})
