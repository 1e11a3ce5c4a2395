"""The effects of fire and combat on units: disruption, lost bases, rout."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.battle.event import Changed, Lost, Removed
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import pose_of
from tabletop.geometry.measure import Point
from tabletop.rules.ages.morale.falling_back import fall_back
from tabletop.rules.ages.morale.rout import run
from tabletop.rules.ages.morale.status import DISRUPTED, OK, ROUTING, steady, strength
from tabletop.rules.ages.movement.layouts import fewer
from tabletop.rules.ages.tables import tables
from tabletop.rules.ages.turn import losses
from tabletop.rules.ages.turn.simultaneous import DECIMALS


def suffer(unfolding: Unfolding, code: str, attackers: Sequence[str], defender: str, source: Point) -> tuple[str, ...]:
    """Apply a result of fire or combat at once; return the ids of the units it put to rout (AGE-CBT-15).

    ``code`` is the result. Ar, Dr: the group loses one base and all of it routs (ROC-RES-01, ROC-RES-05). Ad, Dd: units
    in order are disrupted, disrupted ones lose a base and rout (ROC-RES-02, ROC-RES-04). Dx: both sides suffer this,
    but a disrupted attacker only loses a base and holds (ROC-RES-03). Other codes have no effect (ROC-CBT-12).
    ``source``, in table units, is where fire comes from.

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> suffer(unfolding, "Dr", ("french-1",), "prussian-1", (140.0, 220.0)), unfolding.unit("prussian-1").strength
    (('prussian-1',), 4)
    """
    toward = _middle(unfolding, attackers, source), unfolding.unit(defender).at
    if code == "Ar":
        return broken(unfolding, attackers, toward[1])
    if code == "Dr":
        return broken(unfolding, (defender,), toward[0])
    if code in ("Ad", "Aw"):
        return shaken(unfolding, attackers, toward[1], code, strength(unfolding.unit(defender), _rulings(unfolding)))
    if code == "Dd" and attackers and unfolding.battle.rulings.get("dd_falls_on") == "attackers":
        return _dd_on_attackers(unfolding, attackers, defender, toward[1])
    if code in ("Dd", "Dw"):
        return shaken(unfolding, (defender,), toward[0], code)
    if code == "Dx":
        _hold(unfolding, attackers, toward[1])
        return shaken(unfolding, (defender,), toward[0])
    return ()


def _middle(unfolding: Unfolding, attackers: Sequence[str], source: Point) -> Point:
    points = [unfolding.unit(name).at for name in attackers] or [source]
    return sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)


def broken(unfolding: Unfolding, group: Sequence[str], enemy: Point) -> tuple[str, ...]:
    """Take one base from a group, from its unit nearest the enemy, and put it to rout (ROC-RES-01, -05, AGE-SQR-05).

    If units are equally near ``enemy`` (a point in table units), the first of the group (in the order of
    ``in_sequence``) loses it. Returns the ids of the units that rout.

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> broken(unfolding, ("prussian-1",), (140.0, 220.0)), unfolding.unit("prussian-1").strength
    (('prussian-1',), 4)
    """
    nearest = min(group, key=lambda name: round(_distance(unfolding.unit(name).at, enemy), DECIMALS))
    lose_base(unfolding, nearest, enemy)
    return _rout_all(unfolding, group)


def _rulings(unfolding: Unfolding) -> Mapping[str, Any]:
    return unfolding.battle.rulings


def shaken(
    unfolding: Unfolding, group: Sequence[str], enemy: Point, code: str = "Dx", opposed: int | None = None
) -> tuple[str, ...]:
    """Disrupt units in order, let the others lose a base and rout, and return the ids of those that rout.

    A unit that has turned its back counts as disrupted already (ROC-MOV-06). With some results (listed in the rule
    set's tables) those newly disrupted fall back, and with some keep retiring until they are rallied (AGE-RES-02,
    AGE-RES-03, AGE-RES-06); of a group as many as match the strength ``opposed`` to them. Source: ROC-RES-02,
    ROC-RES-04.

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> shaken(unfolding, ("prussian-1",), (140.0, 220.0)), unfolding.unit("prussian-1").status
    ((), 'disrupted')
    """
    bad = [name for name in group if not steady(unfolding.unit(name))]
    results = tables(unfolding.battle)["combat"]
    retires = code in results.get("retires", ())
    good = [name for name in group if name not in bad]
    for name in _so_many(unfolding, good, enemy, opposed) if retires and opposed is not None else good:
        disrupt(unfolding, name)
        if code in results.get("falls_back", ()):
            fall_back_from(unfolding, name, retires)
    for name in bad:
        lose_base(unfolding, name, enemy)
    return _rout_all(unfolding, bad)


def _so_many(unfolding: Unfolding, group: Sequence[str], enemy: Point, opposed: int) -> list[str]:
    """Return the units nearest the enemy whose strengths together reach the strength opposed to them (AGE-RES-02)."""
    chosen: list[str] = []
    reached = 0
    for name in sorted(group, key=lambda name: round(_distance(unfolding.unit(name).at, enemy), DECIMALS)):
        if reached < opposed:
            chosen.append(name)
            reached += strength(unfolding.unit(name), _rulings(unfolding))
    return chosen


def fall_back_from(unfolding: Unfolding, name: str, retires: bool) -> None:
    """Let a unit fall back, and keep retiring if ``retires``; friends it passes through are disrupted (AGE-RES-02).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("a-hundred-millimetres"))
    >>> fall_back_from(unfolding, "line", retires=True)
    >>> unfolding.unit("line").front_mid, unfolding.unit("line").facing
    ((750.0, 300.0), 180.0)
    """
    if retires:
        unfolding.mark(name, retiring=True, pursuing=None)
    for friend in fall_back(unfolding, name):
        disrupt(unfolding, friend)


def _dd_on_attackers(unfolding: Unfolding, attackers: Sequence[str], defender: str, enemy: Point) -> tuple[str, ...]:
    """Apply Dd as the rule literally says: disrupt a defender in order, rout disrupted attackers (ROC-RES-04)."""
    if steady(unfolding.unit(defender)):
        disrupt(unfolding, defender)
    bad = [name for name in attackers if not steady(unfolding.unit(name))]
    for name in bad:
        lose_base(unfolding, name, enemy)
    return _rout_all(unfolding, bad)


def _hold(unfolding: Unfolding, group: Sequence[str], enemy: Point) -> None:
    """Apply Dx to attackers: disrupt those in order; disrupted ones lose a base and hold (ROC-RES-03)."""
    for name in group:
        if steady(unfolding.unit(name)):
            disrupt(unfolding, name)
        else:
            lose_base(unfolding, name, enemy, holds=True)


def _rout_all(unfolding: Unfolding, group: Sequence[str]) -> tuple[str, ...]:
    survivors = tuple(name for name in group if unfolding.battle.has(name))
    for name in survivors:
        if unfolding.battle.has(name):
            rout(unfolding, name)
    return survivors


def _distance(a: Point, b: Point) -> float:
    return math.dist(a, b)


def disrupt(unfolding: Unfolding, name: str) -> None:
    """Disrupt a unit that is in order; leave others as they are (ROC-RES-02).

    >>> from tabletop.play.files.opened import open_battle
    >>> disrupt(unfolding := Unfolding(open_battle("drill-ground")), "hussars")
    >>> unfolding.unit("hussars").status
    'disrupted'
    """
    unit = unfolding.unit(name)
    if unit.status == OK:
        unfolding.happen(Changed(name, status=DISRUPTED))
        losses.report(unfolding, unit, "disrupted", 1)


def lose_base(unfolding: Unfolding, name: str, enemy: Point, how: str = "destroyed", holds: bool = False) -> None:
    """Take a base from a unit, which routs or (Dx against the attacker) ``holds`` (ROC-RES-01, ROC-RES-03, AGE-SQR-05).

    A line loses the base at the end farther from ``enemy``, a point in table units.

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> lose_base(unfolding, "prussian-1", (140.0, 220.0))
    >>> unfolding.unit("prussian-1").strength
    4
    """
    unit = unfolding.unit(name)
    losses.report(unfolding, unit, "held base" if holds else "base", 1)
    if unit.strength == 1:
        unfolding.happen(Removed(name, how))
    else:
        unfolding.happen(Lost(name, 1, pose_of(fewer(unit, enemy))))


def rout(unfolding: Unfolding, name: str) -> None:
    """Put a unit to rout: it turns and makes its first run at once (ROC-RES-01, ROC-MOV-07)."""
    cleared_marks = {"retreating": None, "pursuing": None, "charging": None, "fired": None, "retiring": None}
    unfolding.happen(Changed(name, status=ROUTING, marks=cleared_marks))
    run(unfolding, name, disrupt, lost_from_the_board)


def lost_from_the_board(unfolding: Unfolding, name: str) -> None:
    """Remove a unit that ran off the board: all its bases are lost (ROC-MOV-07, AGE-RAL-06).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> lost_from_the_board(unfolding, "hussars")
    >>> unfolding.battle.has("hussars"), unfolding.battle.scores
    (False, {'french': 8.0})
    """
    unit = unfolding.unit(name)
    losses.report(unfolding, unit, "base", unit.strength)
    unfolding.happen(Removed(name, "fled"))
