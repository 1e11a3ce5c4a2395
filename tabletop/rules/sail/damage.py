"""Damage: boxes marked off, the owner's choices, fire, explosion, sinking, capture, striking, and their points."""

from __future__ import annotations

import math
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.event import Asked, Changed, Removed, Scored
from tabletop.battle.progress import Decision
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, distance_between
from tabletop.rules.common.by_place import by_place
from tabletop.rules.sail.ships import MASTS, OK, SIDES, STRUCK, armed, boxes, hit_row, standing_masts, tables, wreck
from tabletop.rules.sail.wind import wind_of

#: Decisions of a ship's owner: which mast falls, and which side a hit from ahead strikes.
LOSE_MAST, LOSE_DECK = "lose-mast", "lose-deck"
#: Where fire comes from besides the two beams.
BOW, STERN = "bow", "stern"
#: The value of the mark ``afire``: 1 in the first turn the fire is fought, 2 in the next.
FIRST, LAST = 1, 2


def score(unfolding: Unfolding, ship: Unit, points: float, why: str) -> None:
    """Credit the enemy of a ship's side with points (SAIL-WIN-01)."""
    if points:
        unfolding.happen(Scored(unfolding.battle.setup.other(ship.side), float(points), f"{why} {ship.id}"))


# --- hits on the hull ------------------------------------------------------------------------------------------------


def hull_hits(unfolding: Unfolding, name: str, hits: int, where: str) -> None:
    """Mark off ``hits`` hull hits: on the side fired at, on both sides from astern, from ahead as the owner chooses.

    SAIL-FIR-04, SAIL-FIR-05, SAIL-FIR-07: ``where`` is a side, "stern" or "bow".
    """
    for number in range(hits):
        ship = unfolding.unit(name)
        if where == BOW and len({_box(ship, side) for side in SIDES}) > 1:
            data = {"hits": hits - number}
            unfolding.happen(Asked(Decision(ship.side, LOSE_DECK, SIDES, unit=name, data=data)))
            return
        for side in {STERN: SIDES, BOW: SIDES[:1]}.get(where, (where,)):
            _lose(unfolding, name, side)


def _box(ship: Unit, side: str) -> str | None:
    """Return what a hit on a side strikes: a deck there, else the hull, else a deck of the far side (SAIL-FIR-04)."""
    return next((mark for mark in (side, "hull", *SIDES) if ship.marks[mark]), None)


def _lose(unfolding: Unfolding, name: str, side: str) -> None:
    """Mark off the box that a hit on a side strikes, if any is left (SAIL-FIR-04)."""
    ship = unfolding.unit(name)
    mark = _box(ship, side)
    if mark is not None:
        _mark_off(unfolding, ship, **{mark: ship.marks[mark] - 1})


def _mark_off(unfolding: Unfolding, ship: Unit, **left: Any) -> None:
    """Mark off a box, worth a point, or what it adds for a ship that has struck or was taken (SAIL-WIN-01)."""
    unfolding.mark(ship.id, **left)
    after, half = unfolding.unit(ship.id), int(ship.marks.get("struck_for", 0))
    points = boxes(ship) - boxes(after)
    if half:
        unfolding.mark(ship.id, struck_for=_half(after))
        points -= half - _half(after)
    score(unfolding, ship, points, "box")


def _half(ship: Unit) -> int:
    """Return what a ship that has struck counts for: half of its boxes, rounded up (SAIL-WIN-01)."""
    return math.ceil(boxes(ship) / 2)


def answer_deck(unfolding: Unfolding, decision: Decision, choice: str) -> None:
    """Mark off a deck on the side its owner chose, and go on with the remaining hits (SAIL-FIR-07)."""
    name = str(decision.unit)
    _lose(unfolding, name, choice)
    hull_hits(unfolding, name, int(decision.data["hits"]) - 1, BOW)


# --- hits on the masts -----------------------------------------------------------------------------------------------


def mast_hits(unfolding: Unfolding, name: str, hits: int, where: str) -> None:
    """Bring down ``hits`` masts: in order from ahead or astern, from the beam as the owner chooses (SAIL-FIR-06)."""
    for number in range(hits):
        ship = unfolding.unit(name)
        masts = standing_masts(ship)
        if not masts:
            return
        if where in (BOW, STERN) or hits - number >= len(masts):
            _fell(unfolding, name, masts[-1] if where == STERN else masts[0])
            continue
        data = {"hits": hits - number, "from": where}
        choices = tuple(MASTS[k] for k in masts)
        unfolding.happen(Asked(Decision(ship.side, LOSE_MAST, choices, unit=name, data=data)))
        return


def _fell(unfolding: Unfolding, name: str, mast: int) -> None:
    ship = unfolding.unit(name)
    masts = tuple(0 if k == mast else stands for k, stands in enumerate(ship.marks["masts"]))
    _mark_off(unfolding, ship, masts=masts)


def answer_mast(unfolding: Unfolding, decision: Decision, choice: str) -> None:
    """Bring down the mast its owner chose, and go on with the remaining hits (SAIL-FIR-06)."""
    name = str(decision.unit)
    _fell(unfolding, name, MASTS.index(choice))
    mast_hits(unfolding, name, int(decision.data["hits"]) - 1, str(decision.data["from"]))


# --- fire, explosion, sinking ----------------------------------------------------------------------------------------


def kindle(unfolding: Unfolding, name: str, rule: str) -> None:
    """Set a ship on fire if it is not burning already (SAIL-FIR-08, SAIL-FIR-10)."""
    if not unfolding.unit(name).marks.get("afire"):
        unfolding.mark(name, afire=FIRST)
        unfolding.tell("afire", {}, name, None, (rule,))


def fight_fire(unfolding: Unfolding, name: str) -> None:
    """Throw for a burning ship: 5 or 6 puts the fire out; in the second turn 6, or else it explodes (SAIL-FIR-09).

    This comes first in a turn (SAIL-SEQ-02).
    """
    turn = unfolding.unit(name).marks.get("afire")
    if not turn:
        return
    needs = tables()["fire"]["put_out"][int(turn) - 1]
    face = unfolding.die("put out the fire", cuts=(needs,))
    out = face >= needs
    unfolding.tell("fight fire", {"die": face, "needs": needs, "done": out}, name, None, ("SAIL-FIR-09",))
    if out:
        unfolding.mark(name, afire=None)
    elif turn == FIRST:
        unfolding.mark(name, afire=LAST)
    else:
        explode(unfolding, name)


def explode(unfolding: Unfolding, name: str) -> None:
    """Blow a ship up; others within 12 cm may catch fire, by the hull column for their distance (SAIL-FIR-10)."""
    battle, ship = unfolding.battle, unfolding.unit(name)
    others = by_place(battle, battle.units)
    near = [(u.id, need) for u in others if u.id != name and (need := catches_on(battle, ship, u)) is not None]
    sink(unfolding, name, "exploded")
    for other, need in near:
        face = unfolding.die("catch fire", cuts=(need,))
        unfolding.tell("reached", {"die": face, "needs": need, "done": face >= need}, other, name, ("SAIL-FIR-10",))
        if face >= need:
            kindle(unfolding, other, "SAIL-FIR-10")


def catches_on(battle: Battle, ship: Unit, other: Unit) -> int | None:
    """Return the lowest die on which another ship catches fire from an explosion; None if it is too far away."""
    far = other.way_to(ship.at) if battle.rulings["explosion_from"] == "centre" else distance_between(ship, other)
    row = hit_row(battle, far)
    return None if row is None else int(row["hull"])


def sink(unfolding: Unfolding, name: str, how: str) -> None:
    """Remove a ship; all the boxes it had left count as damage (SAIL-WIN-01)."""
    ship = unfolding.unit(name)
    score(unfolding, ship, boxes(ship) - int(ship.marks.get("struck_for", 0)), how)
    unfolding.happen(Removed(name, how))


def high_seas(unfolding: Unfolding, name: str) -> None:
    """Throw for a wreck in a wind of 6 or more; it sinks on 1 or 2 (SAIL-FIR-11, SAIL-SEQ-05)."""
    fire = tables()["fire"]
    if not wreck(unfolding.unit(name)) or wind_of(unfolding.battle).speed < fire["high_seas"]:
        return
    face = unfolding.die("high seas", cuts=(max(fire["sinks_on"]) + 1,))
    unfolding.tell("high seas", {"die": face}, name, None, ("SAIL-FIR-11",))
    if face in fire["sinks_on"]:
        sink(unfolding, name, "sunk")


# --- striking the colours --------------------------------------------------------------------------------------------


def threatened(battle: Battle, ship: Unit, near: float) -> bool:
    """Return whether an enemy with a crew and a gun deck lies within ``near`` cm."""
    foes = (u for u in battle.units if u.side != ship.side and armed(u))
    return any(battle.tape.at_most(distance_between(ship, u), near) for u in foes)


def strike(unfolding: Unfolding, name: str) -> None:
    """Strike the colours; half of the boxes left, rounded up, count as damage (SAIL-STR-01, SAIL-WIN-01)."""
    ship = unfolding.unit(name)
    points = _half(ship)
    unfolding.happen(Changed(name, status=STRUCK, marks={"struck_for": points, "alone": None}))
    unfolding.tell("struck", {}, name, None, ("SAIL-STR-01",))
    score(unfolding, ship, points, "struck")


def rehoist(unfolding: Unfolding, name: str) -> None:
    """Count the rounds without an enemy near a ship that has struck; after two it rehoists (SAIL-STR-01)."""
    ship, rows = unfolding.unit(name), tables()["strike"]
    if ship.status != STRUCK:
        return
    foes = (u for u in unfolding.battle.units if u.side != ship.side and u.status != STRUCK)
    safe = not any(unfolding.battle.tape.at_most(distance_between(ship, u), rows["safe"]) for u in foes)
    alone = int(ship.marks.get("alone", 0)) + 1 if safe else 0
    if alone < rows["rounds"]:
        unfolding.mark(name, alone=alone or None)
        return
    points = int(ship.marks.get("struck_for", 0))
    unfolding.happen(Changed(name, status=OK, marks={"alone": None, "struck_for": None}))
    unfolding.tell("rehoisted", {}, name, None, ("SAIL-STR-01",))
    score(unfolding, ship, -points, "rehoisted")


def capture(unfolding: Unfolding, name: str, captor: str) -> None:
    """Take a ship; its decks are void and the boxes it had left count as damage (SAIL-BRD-01, -03, SAIL-WIN-01).

    A ship at anchor stays there (SAIL-MOV-14).
    """
    ship = unfolding.unit(name)
    score(unfolding, ship, boxes(ship) - int(ship.marks.get("struck_for", 0)), "taken")
    marks = dict.fromkeys(("struck_for", "alone", "repairing", "fired", "boarded"))
    marks |= {**dict.fromkeys(SIDES, 0), "prize": captor, "taken": True}
    status, side = OK if ship.status == STRUCK else ship.status, unfolding.unit(captor).side
    unfolding.happen(Changed(name, status=status, side=side, marks=marks))
    unfolding.tell("captured", {}, captor, name, ("SAIL-BRD-01",))
