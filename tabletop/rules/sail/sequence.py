"""The sequence of a round: the start of each player turn, its phases, the wind, the end."""

from __future__ import annotations

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.event import Remembered
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.common import arrivals
from tabletop.rules.common.by_place import by_place
from tabletop.rules.common.endings import decisive_lead, last_standing, lead_in_words, more_points
from tabletop.rules.common.phases import each
from tabletop.rules.common.player_turns import Phase, PlayerTurns, to_move
from tabletop.rules.common.ruled import ruled
from tabletop.rules.sail import boarding, damage, gunnery, movement, wind
from tabletop.rules.sail.condition import drift, held, refloat
from tabletop.rules.sail.phases import CLEARING, GUNNERY, SAILING
from tabletop.rules.sail.ships import OK, all_decks, armed, manned, mast_points, tables, wreck

#: Marks of a ship that last for one player turn.
OF_A_TURN = ("sailed", "fired", "boarded", "repairing", "tried", "freed")


def begin(unfolding: Unfolding) -> None:
    """Set the wind, and throw for which side moves first in every round (SAIL-SEQ-01, SAIL-WND-01)."""
    wind.remember(unfolding, wind.wind_of(unfolding.battle))
    sides = unfolding.battle.setup.sides
    if unfolding.battle.setup.options.get("first", "dice") == "dice":
        while (mine := unfolding.die("first move")) == (theirs := unfolding.die("first move")):
            pass  # equal dice are thrown again
        sides = sides if mine > theirs else (sides[1], sides[0])
    unfolding.happen(Remembered("order", sides))
    TURNS.start(unfolding)


def order(battle: Battle) -> tuple[str, ...]:
    """Return the sides in the order they move in (SAIL-SEQ-01)."""
    return tuple(battle.memory.get("order", battle.setup.sides))


def _open(unfolding: Unfolding) -> None:
    """Open a player turn: fight fires first; then ships may separate (SAIL-SEQ-02, SAIL-SEQ-03)."""
    side = to_move(unfolding.battle)
    arrivals.come_on(unfolding, side)
    for ship in unfolding.battle.side(side):
        stale = {mark: None for mark in OF_A_TURN if mark in ship.marks}
        if stale:
            unfolding.mark(ship.id, **stale)
    each(unfolding, [u for u in unfolding.battle.side(side) if u.marks.get("afire")], damage.fight_fire)


def _sail_on(unfolding: Unfolding) -> None:
    """Refloat and sink wrecks before the side sails (SAIL-SEQ-04, SAIL-SEQ-05, SAIL-SEQ-06)."""
    for step in (refloat, damage.high_seas):
        each(unfolding, unfolding.battle.side(to_move(unfolding.battle)), step)


def _adrift(unfolding: Unfolding) -> None:
    """Let ships drift before gunnery that have no masts or crew, which is their move (SAIL-MOV-09, SAIL-SEQ-06).

    Ships that could have sailed may not lie still: without a course they make the least move (SAIL-MOV-07).
    """
    side = to_move(unfolding.battle)
    for ship in may_sail(unfolding.battle, side):
        if ship.status == OK:
            movement.least_move(unfolding, ship.id)
    ships = unfolding.battle.side(side)
    each(unfolding, [u for u in ships if not (u.marks.get("sailed") or (manned(u) and mast_points(u)))], drift)
    for ship in ships:
        if ship.marks.get("freed"):
            unfolding.mark(ship.id, freed=None)


# --- what happens without a decision ---------------------------------------------------------------------------------


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
            if gunnery.bears(battle, ship, foe)
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
    """Return whether a ship can still try to separate (SAIL-SEQ-03)."""
    return len(may_separate(unfolding.battle, to_move(unfolding.battle))) > 0


def _sailing(unfolding: Unfolding) -> bool:
    """Return whether a ship has yet to sail, or can repair a mast (SAIL-SEQ-06)."""
    battle, side = unfolding.battle, to_move(unfolding.battle)
    repairs = (movement.judge_repair(battle, Action("repair", side, u.id)).holds for u in battle.side(side))
    return bool(may_sail(battle, side)) or any(repairs)


def _gunnery(unfolding: Unfolding) -> bool:
    """Return whether a broadside may be fired, or a boarding tried (SAIL-SEQ-06)."""
    battle, side = unfolding.battle, to_move(unfolding.battle)
    return bool(shots(battle, side) or boardings(battle, side))


def judge_done(battle: Battle, action: Action) -> Verdict:
    """Return that a side may end its phase; ships without a course then make the least move (SAIL-SEQ-06)."""
    return ruled(battle, action, [Reason("SAIL-SEQ-06", True, f"the {battle.clock.phase} ends when its side says so")])


# --- the end of a turn, of a round, of the battle --------------------------------------------------------------------


def _close(unfolding: Unfolding) -> None:
    """End a player turn: ships strike, and the battle may be decided (SAIL-STR-01, SAIL-WIN-01)."""
    battle = unfolding.battle
    if battle.setup.options.get("strike", True):
        for ship in by_place(battle, battle.units):
            if must_strike(unfolding.battle, ship):
                damage.strike(unfolding, ship.id)
    _decided(unfolding)


def _close_round(unfolding: Unfolding) -> None:
    """End a round: crews hoist their colours again, and the wind may change, or the battle ends (SAIL-SEQ-07)."""
    battle = unfolding.battle
    each(unfolding, battle.units, damage.rehoist)
    if battle.setup.turns is not None and battle.clock.turn >= battle.setup.turns:
        more_points(unfolding)
    else:
        wind.change(unfolding)


def must_strike(battle: Battle, ship: Unit) -> bool:
    """Return whether a ship strikes: no deck left, an armed enemy within 4 cm, and no way to escape (SAIL-STR-01)."""
    near = float(tables()["strike"]["near"])
    if not manned(ship) or all_decks(ship) or not damage.threatened(battle, ship, near):
        return False
    return all(damage.threatened(battle, after, near) for after in movement.next_places(battle, ship))


def beaten(battle: Battle, side: str) -> bool:
    """Return whether a side can do no more damage and has done less, or as much without a crew left (SAIL-WIN-01).

    Without a gun it can neither fire nor board, but an enemy on fire may still explode, and a wreck sink.
    """
    if any(ship.side == side for ship in battle.awaited):  # some are still to come
        return False
    ships, other = battle.side(side), battle.setup.other(side)
    foes, mine, theirs = battle.side(other), battle.scores.get(side, 0.0), battle.scores.get(other, 0.0)
    if (foes and any(armed(ship) for ship in ships)) or any(u.marks.get("afire") or wreck(u) for u in foes):
        return False
    return mine < theirs or (mine == theirs and not any(manned(ship) for ship in ships))


def _decided(unfolding: Unfolding) -> None:
    """End the battle if a side is beaten, or far enough ahead (SAIL-WIN-01)."""
    battle = unfolding.battle
    lost = [side for side in battle.setup.sides if beaten(battle, side)]
    if any(manned(ship) for side in lost for ship in battle.side(side)):
        more_points(unfolding, early=True)
    elif lost:
        last_standing(unfolding, [side for side in battle.setup.sides if side not in lost])
    else:
        decisive_lead(unfolding)


def won(battle: Battle, enemy: str) -> str:
    """Return a sentence saying how a battle is won against a side (SAIL-WIN-01)."""
    last = (f"by the end of round {battle.setup.turns}" if battle.setup.turns else "by the end") + lead_in_words(battle)
    return f"Do more damage than you suffer, box by box, {last}; or sink, take or silence every enemy ship."


TURNS = PlayerTurns(
    (Phase(CLEARING, _clearing, end=_sail_on), Phase(SAILING, _sailing, end=_adrift), Phase(GUNNERY, _gunnery)),
    begin=_open,
    end=_close,
    end_round=_close_round,
    order=order,
    rules=("SAIL-SEQ-02",),
)
advance, done = TURNS.advance, TURNS.done
