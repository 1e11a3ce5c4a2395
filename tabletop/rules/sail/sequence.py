"""The sequence of a round: the start of each player turn, its phases, the wind, the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.event import Ended, Remembered
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.common import arrivals
from tabletop.rules.common.by_place import by_place
from tabletop.rules.common.courses import plotted
from tabletop.rules.common.endings import last_standing
from tabletop.rules.common.placing import base_of
from tabletop.rules.common.ruled import ruled
from tabletop.rules.sail import boarding, damage, gunnery, movement, wind
from tabletop.rules.sail.condition import drift, held, refloat
from tabletop.rules.sail.phases import CLEARING, GUNNERY, SAILING
from tabletop.rules.sail.ships import OK, all_decks, armed, manned, mast_points, steering, tables

#: Marks of a ship that last for one player turn.
OF_A_TURN = ("sailed", "fired", "boarded", "repairing", "tried")


def begin(unfolding: Unfolding) -> None:
    """Set the wind, and throw for which side moves first in every round (SAIL-SEQ-01, SAIL-WND-01)."""
    wind.remember(unfolding, wind.wind_of(unfolding.battle))
    sides = unfolding.battle.setup.sides
    if unfolding.battle.setup.options.get("first", "dice") == "dice":
        while (mine := unfolding.die("first move")) == (theirs := unfolding.die("first move")):
            pass  # equal dice are thrown again
        sides = sides if mine > theirs else (sides[1], sides[0])
    unfolding.happen(Remembered("order", sides))
    _open(unfolding, 1, sides[0])


def order(battle: Battle) -> tuple[str, ...]:
    """Return the sides in the order they move in (SAIL-SEQ-01)."""
    return tuple(battle.memory.get("order", battle.setup.sides))


def _each(unfolding: Unfolding, ships: Sequence[Unit], step: Callable[[Unfolding, str], None]) -> None:
    """Carry out a step for each of some ships that is still on the table."""
    for name in [ship.id for ship in by_place(unfolding.battle, ships)]:
        if unfolding.battle.has(name):
            step(unfolding, name)


def _open(unfolding: Unfolding, turn: int, side: str) -> None:
    """Open a player turn: fight fires first; then ships may separate (SAIL-SEQ-02, SAIL-SEQ-03)."""
    unfolding.clock(turn=turn, phase=CLEARING, side=side, group=None)
    unfolding.tell("turn", {"turn": turn, "side": side}, rules=("SAIL-SEQ-02",))
    arrivals.come_on(unfolding, side)
    for ship in unfolding.battle.side(side):
        stale = {mark: None for mark in OF_A_TURN if mark in ship.marks}
        if stale:
            unfolding.mark(ship.id, **stale)
    _each(unfolding, unfolding.battle.side(side), damage.fight_fire)


def _sail_on(unfolding: Unfolding) -> None:
    """Refloat, sink wrecks, let ships drift, then let the side sail (SAIL-SEQ-04, SAIL-SEQ-05, SAIL-SEQ-06)."""
    side = _side(unfolding.battle)
    for step in (refloat, damage.high_seas):
        _each(unfolding, unfolding.battle.side(side), step)
    ships = unfolding.battle.side(side)
    _each(unfolding, [u for u in ships if not (manned(u) and mast_points(u))], drift)
    unfolding.clock(phase=SAILING)


def _side(battle: Battle) -> str:
    assert battle.clock.side is not None, "somebody is always to move"
    return battle.clock.side


# --- what happens without a decision ---------------------------------------------------------------------------------


def advance(unfolding: Unfolding) -> bool:
    """Carry out the next step that needs no decision; return False when the side to move must act."""
    return _STEPS[unfolding.battle.clock.phase](unfolding)


def may_separate(battle: Battle, side: str) -> list[Unit]:
    """Return the ships that may still try to separate (SAIL-SEQ-03)."""
    return [
        u
        for u in by_place(battle, battle.side(side))
        if boarding.judge_separate(battle, Action("separate", side, u.id)).holds
    ]


def may_sail(battle: Battle, side: str) -> list[Unit]:
    """Return the ships that may still sail or weigh anchor (SAIL-SEQ-06)."""
    ships = by_place(battle, battle.side(side))
    return [u for u in ships if not u.marks.get("sailed") and (u.status != OK or all(held(battle, u)))
            and manned(u)]  # fmt: skip


def shots(battle: Battle, side: str) -> list[Action]:
    """Return the broadsides that may be fired now, aimed at the hull (SAIL-FIR-01); cached on the battle."""
    cache: dict[str, list[Action]] = vars(battle).setdefault("_broadsides", {})
    if side not in cache:
        tries = [
            Action("fire", side, ship.id, foe.id)
            for ship in by_place(battle, battle.side(side))
            if all_decks(ship)
            for foe in by_place(battle, battle.enemies(ship))
            if gunnery.expected(battle, ship, foe) > 0.0
        ]
        cache[side] = [action for action in tries if gunnery.judge_fire(battle, action).holds]
    return cache[side]


def boardings(battle: Battle, side: str) -> list[Action]:
    """Return the boardings that may be tried now (SAIL-BRD-01)."""
    tries = [
        Action("board", side, ship.id, foe.id)
        for ship in by_place(battle, battle.side(side))
        if all_decks(ship)
        for foe in by_place(battle, battle.enemies(ship))
        if distance_between(ship, foe) < 1.0
    ]
    return [action for action in tries if boarding.judge_board(battle, action).holds]


def _clearing(unfolding: Unfolding) -> bool:
    """Go on to refloating and sailing once no ship can try to separate any more (SAIL-SEQ-03)."""
    if may_separate(unfolding.battle, _side(unfolding.battle)):
        return False
    _sail_on(unfolding)
    return True


def _sailing(unfolding: Unfolding) -> bool:
    """Go on to gunnery once every ship has sailed and none can repair a mast (SAIL-SEQ-06)."""
    battle, side = unfolding.battle, _side(unfolding.battle)
    repairs = (movement.judge_repair(battle, Action("repair", side, u.id)).holds for u in battle.side(side))
    if may_sail(battle, side) or any(repairs):
        return False
    unfolding.clock(phase=GUNNERY)
    return True


def _gunnery(unfolding: Unfolding) -> bool:
    battle, side = unfolding.battle, _side(unfolding.battle)
    if shots(battle, side) or boardings(battle, side):
        return False
    _close(unfolding)
    return True


def judge_done(battle: Battle, action: Action) -> Verdict:
    """Return that a side may end its phase; ships without a course then make the least move (SAIL-SEQ-06)."""
    return ruled(battle, action, [Reason("SAIL-SEQ-06", True, f"the {battle.clock.phase} ends when its side says so")])


def done(unfolding: Unfolding, action: Action) -> None:
    """End a phase; ships that could have sailed may not lie still (SAIL-MOV-07, SAIL-SEQ-06)."""
    phase = unfolding.battle.clock.phase
    if phase == CLEARING:
        _sail_on(unfolding)
    elif phase == SAILING:
        for ship in may_sail(unfolding.battle, action.side):
            if ship.status == OK:
                movement.least_move(unfolding, ship.id)
        unfolding.clock(phase=GUNNERY)
    else:
        _close(unfolding)


# --- the end of a turn, of a round, of the battle --------------------------------------------------------------------


def _close(unfolding: Unfolding) -> None:
    """End a player turn; after both, the wind may change and a new round begins (SAIL-SEQ-07, SAIL-STR-01)."""
    battle = unfolding.battle
    if battle.setup.options.get("strike", True):
        for ship in by_place(battle, battle.units):
            if must_strike(unfolding.battle, ship):
                damage.strike(unfolding, ship.id)
    if _decided(unfolding):
        return
    side, sides = _side(battle), order(battle)
    if side == sides[0]:
        _open(unfolding, battle.clock.turn, sides[1])
        return
    _each(unfolding, unfolding.battle.units, damage.rehoist)
    if battle.setup.turns is not None and battle.clock.turn >= battle.setup.turns:
        _count(unfolding)
        return
    wind.change(unfolding)
    _open(unfolding, battle.clock.turn + 1, sides[0])


def must_strike(battle: Battle, ship: Unit) -> bool:
    """Return whether a ship strikes: no deck left, an armed enemy within 4 cm, and no way to escape (SAIL-STR-01)."""
    near = float(tables()["strike"]["near"])
    if not manned(ship) or all_decks(ship) or not damage.threatened(battle, ship, near):
        return False
    if not all(held(battle, ship)):
        return True
    most = wind.allowance(battle, ship)
    for points in steering().tried():
        course = plotted(base_of(ship), steering(), facing=steering().by(base_of(ship), points), distance=most)
        plan = movement.of_course(battle, ship, course)
        if all(movement.reasons(plan)) and plan.aboard is None and not damage.threatened(battle, plan.end, near):
            return False
    return True


def beaten(battle: Battle, side: str) -> bool:
    """Return whether a side has no crew left, or no gun left and less damage done than suffered (SAIL-WIN-01).

    Without a gun it can neither fire nor board, so it will do no more damage.
    """
    if any(ship.side == side for ship in battle.awaited):  # some are still to come
        return False
    ships, other = battle.side(side), battle.setup.other(side)
    behind = battle.scores.get(side, 0.0) < battle.scores.get(other, 0.0)
    return not any(manned(ship) for ship in ships) or (behind and not any(armed(ship) for ship in ships))


def _decided(unfolding: Unfolding) -> bool:
    """End the battle if a side is beaten (SAIL-WIN-01); return whether it ended."""
    battle = unfolding.battle
    return last_standing(unfolding, [side for side in battle.setup.sides if not beaten(battle, side)])


def _count(unfolding: Unfolding) -> None:
    """End the battle after the last round by comparing the damage done (SAIL-WIN-01)."""
    first, second = unfolding.battle.setup.sides
    a, b = (unfolding.battle.scores.get(side, 0.0) for side in (first, second))
    if a == b:
        unfolding.happen(Ended(None, "even"))
        return
    unfolding.happen(Ended(first if a > b else second, f"points {max(a, b):g} {min(a, b):g}"))


def won(battle: Battle, enemy: str) -> str:
    """Return a sentence saying how a battle is won against a side (SAIL-WIN-01)."""
    last = f"by the end of round {battle.setup.turns}" if battle.setup.turns else "by the end"
    return f"Do more damage than you suffer {last}, box by box, or sink, take or silence every {enemy} ship."


_STEPS: dict[str, Callable[[Unfolding], bool]] = {CLEARING: _clearing, SAILING: _sailing, GUNNERY: _gunnery}
