"""Boarding, capture, and ships that separate."""

from __future__ import annotations

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.battle.event import Asked
from tabletop.battle.progress import Decision
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.common.dice_pools import higher
from tabletop.rules.common.placing import touching
from tabletop.rules.common.ruled import either, ruled
from tabletop.rules.play import Factor, Odds, Result
from tabletop.rules.sail.basis import origin
from tabletop.rules.sail.condition import get_clear, stays
from tabletop.rules.sail.damage import capture
from tabletop.rules.sail.phases import phase_reasons
from tabletop.rules.sail.ships import PORT, SIDES, STARBOARD, all_decks, boxes, classes, decks, manned, tables

#: The decision of a captor who separates: how many decks to man the prize with.
PRIZE_CREW = "prize-crew"


def judge_board(battle: Battle, action: Action) -> Verdict:
    """Return whether a ship may board another: they touch, and its crew has not fired or repaired.

    Source: SAIL-BRD-01, -04.
    """
    ship, target = battle.unit(str(action.unit)), battle.unit(str(action.target))
    near = target.id in {u.id for u in touching(battle, ship)}
    name, foe = ship.called, target.called
    reasons = [
        *phase_reasons(battle, action),
        either("SAIL-BRD-01", target.side != ship.side, f"{foe} is an enemy", f"{foe} is no enemy"),
        either("SAIL-BRD-01", near, f"{foe} lies alongside", f"{foe} does not touch {name}"),
        either("SAIL-REC-02", all_decks(ship) > 0, f"{name} has decks to board with", f"{name} has no deck left"),
        Reason("SAIL-BRD-04", not ship.marks.get("repairing"), f"the crew of {name} repairs masts"),
        Reason("SAIL-BRD-01", not ship.marks.get("boarded"), f"{name} has boarded this turn"),
        Reason("SAIL-REC-02", not ship.marks.get("fired"), f"{name} has fired this turn"),
    ]
    return ruled(battle, action, reasons)


def defenders(battle: Battle, ship: Unit) -> int:
    """Return the dice of a boarded ship: its decks, or 0 if its crew does not fight (SAIL-BRD-01, SAIL-BRD-04)."""
    if not manned(ship) or (ship.marks.get("repairing") and not battle.rulings["repairing_defends"]):
        return 0
    return all_decks(ship)


def board(unfolding: Unfolding, action: Action) -> None:
    """Board: throw a die for each deck of both ships; the higher total captures, ties do nothing (SAIL-BRD-01)."""
    ship, target = unfolding.unit(str(action.unit)), unfolding.unit(str(action.target))
    unfolding.mark(ship.id, boarded=True)
    mine = sum(unfolding.die("boarding") for _ in range(all_decks(ship)))
    theirs = sum(unfolding.die("defence") for _ in range(defenders(unfolding.battle, target)))
    unfolding.tell("boarding", {"attack": mine, "defence": theirs}, ship.id, target.id, ("SAIL-BRD-01",))
    if mine > theirs:
        capture(unfolding, target.id, ship.id)
    elif theirs > mine:
        capture(unfolding, ship.id, target.id)


def odds_of_boarding(battle: Battle, action: Action) -> Odds:
    """Return the exact distribution of a boarding, from the totals of both pools of dice (SAIL-BRD-01)."""
    ship, target = battle.unit(str(action.unit)), battle.unit(str(action.target))
    mine, theirs = all_decks(ship), defenders(battle, target)
    wins, same, loses = higher(mine, theirs)
    results = (
        (wins, Result(f"{target.called} is taken", float(boxes(target)), ((target.id, "captured", 1.0),))),
        (same, Result("neither gives way")),
        (loses, Result(f"{ship.called} is taken", -float(boxes(ship)), ((ship.id, "captured", 1.0),))),
    )
    behind = (
        Factor("dice of the boarders", float(mine), "SAIL-BRD-01", origin(ship)),
        Factor("dice of the boarded", float(theirs), "SAIL-BRD-01", origin(target)),
    )
    return Odds(action, tuple(row for row in results if row[0] > 0.0), behind)


# --- separating ------------------------------------------------------------------------------------------------------


def judge_separate(battle: Battle, action: Action) -> Verdict:
    """Return whether a ship may try to separate, once a turn; it needs a deck for each prize (SAIL-BRD-02, -03)."""
    ship = battle.unit(str(action.unit))
    near, needs = touching(battle, ship), least_crew() * len(unmanned_prizes(battle, ship))
    name = ship.called
    reasons = [
        *phase_reasons(battle, action),
        either("SAIL-BRD-02", bool(near), f"{name} touches a ship", f"{name} touches no ship"),
        Reason("SAIL-BRD-02", not ship.marks.get("tried"), f"{name} has tried to separate this turn"),
        *stays(ship),
        Reason("SAIL-BRD-03", all_decks(ship) >= needs, f"{name} has too few decks left to man what she has taken"),
    ]
    return ruled(battle, action, reasons)


def unmanned_prizes(battle: Battle, ship: Unit) -> tuple[Unit, ...]:
    """Return the prizes alongside that a ship of their side took and has not manned yet (SAIL-BRD-03)."""
    return tuple(u for u in touching(battle, ship) if u.side == ship.side and u.marks.get("prize") == ship.id)


def least_crew() -> int:
    """Return the decks that a prize needs at least (SAIL-BRD-03)."""
    return int(tables()["boarding"]["crew"])


def separate(unfolding: Unfolding, action: Action) -> None:
    """Throw to separate: on a 6 the ship gets clear, after manning its prizes (SAIL-BRD-02, SAIL-BRD-03)."""
    name = str(action.unit)
    unfolding.mark(name, tried=True)
    face = unfolding.die("separate", cuts=(6,))
    free = face in tables()["boarding"]["separate_on"]
    unfolding.tell("separate", {"die": face, "done": free}, name, None, ("SAIL-BRD-02",))
    if free:
        _man_or_leave(unfolding, name)


def reckon_separate(battle: Battle, action: Action, chance: Chance) -> Result:
    """Return the result of an attempt to separate for one course of chance (SAIL-BRD-02)."""
    free = chance.die("separate", cuts=(6,)) in tables()["boarding"]["separate_on"]
    return Result("she gets clear" if free else "she is held fast", 0.5 if free else 0.0)


def _man_or_leave(unfolding: Unfolding, name: str) -> None:
    """Ask how many decks man the first unmanned prize, leaving enough for the others; then get clear (SAIL-BRD-03)."""
    ship = unfolding.unit(name)
    prizes = unmanned_prizes(unfolding.battle, ship)
    if prizes:
        spare = all_decks(ship) - least_crew() * (len(prizes) - 1)
        most = min(spare, 2 * classes()[prizes[0].troop].decks)
        choices = tuple(str(n) for n in range(least_crew(), most + 1))
        data = {"prize": prizes[0].id}
        unfolding.happen(Asked(Decision(ship.side, PRIZE_CREW, choices, unit=name, data=data)))
        return
    get_clear(unfolding, name)


def answer_crew(unfolding: Unfolding, decision: Decision, choice: str) -> None:
    """Mark decks off the captor, from the side that has more, and man as many of the prize's decks (SAIL-BRD-03)."""
    name, prize = str(decision.unit), str(decision.data["prize"])
    manned_decks = dict.fromkeys(SIDES, 0)
    for number in range(int(choice)):
        ship = unfolding.unit(name)
        side = PORT if decks(ship, PORT) > decks(ship, STARBOARD) else STARBOARD
        unfolding.mark(name, **{side: decks(ship, side) - 1})
        manned_decks[SIDES[number % 2]] += 1
    unfolding.mark(prize, prize=None, **manned_decks)
    unfolding.tell("manned", {"decks": int(choice)}, name, prize, ("SAIL-BRD-03",))
    _man_or_leave(unfolding, name)
