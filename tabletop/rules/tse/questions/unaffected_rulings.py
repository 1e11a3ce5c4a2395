"""Rulings on the cost and allowance of moves: when choosing another value cannot change an answer."""

from __future__ import annotations

from typing import Any

import numpy as np

from tabletop.battle.battle import Battle
from tabletop.geometry.base import Base
from tabletop.geometry.movement.ground import ground_of
from tabletop.geometry.movement.motion import swept_straight
from tabletop.geometry.verdict import Verdict
from tabletop.rules.rule_set import Request

RULING, FLAT = "rough_trace", "flat_maneuver"
#: What may be traced through rough ground; each includes what those before it trace, so it never makes a path cheaper.
WIDER = ("front_mid", "front_edge", "footprint")


def move_turns(battle: Battle, request: Request, verdict: Verdict, ruling: str, value: Any) -> bool:
    """Return False if another value of a ruling only helps a legal move, or only hinders an illegal one.

    It helps if it makes the move cheaper or its allowance larger, all else being equal (TSE-MOV-06, TSE-ACT-20). If a
    search for a path found none, return True, since the next search may look elsewhere.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.tse.movement.judge import move
    >>> battle, request = open_battle("starter"), Request("move", ("arnaud",), {"path": [(8.4, 9.0)]})
    >>> move_turns(battle, request, move(battle, request), "rough_trace", "footprint")
    True
    """
    if request.options.get("to") is not None and not verdict.holds:
        return True
    if ruling == FLAT and request.options.get("as") in (None, "maneuver"):
        return _has_less(battle, request, value) == verdict.holds
    if ruling != RULING:
        return True
    dearer = WIDER.index(value) > WIDER.index(battle.rulings[RULING])
    return dearer == verdict.holds


def _has_less(battle: Battle, request: Request, value: Any) -> bool:
    """Return whether another value of the ruling ``flat_maneuver`` leaves the unit a smaller allowance."""
    from tabletop.rules.tse.movement.motion import ACTIONS, allowance

    unit, action = battle.unit(request.args[0]), ACTIONS[request.options.get("as") or "maneuver"]
    return allowance(battle.with_ruling(FLAT, value), unit, action) < allowance(battle, unit, action)


def fall_back_turns(battle: Battle, request: Request, verdict: Verdict, ruling: str, value: str) -> bool:
    """Return False if the straight path found keeps every base off rough ground: it then costs the same.

    This requires that the unit cannot leave the table, so that any such path will do (TSE-INV-10, TSE-INV-16).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.tse.morale.fall_back import fallback
    >>> request = Request("fallback", ("daumas",), {"from": "kessler-guns", "distance": 3.0})
    >>> battle = open_battle("starter")
    >>> fall_back_turns(battle, request, fallback(battle, request), "rough_trace", "front_mid")
    False
    """
    from tabletop.rules.tse.morale.fall_back_path import anywhere_on_table  # moves do not need this import

    unit, path = battle.unit(request.args[0]), verdict.measured.get("path", ())
    distance = float(request.options["distance"])
    if ruling != RULING or not verdict.holds or len(path) != 2 or not anywhere_on_table(battle, unit, distance):
        return True
    if battle.tape.over(verdict.measured["cost"], distance):
        return True
    (ax, ay), (bx, by) = path
    swept = [swept_straight(base, bx - ax, by - ay) for base in unit.bases if isinstance(base, Base)]
    rough, t = ground_of(battle.table).rough, battle.tape.t
    return bool(rough) and len(rough.tree.query(np.array(swept), predicate="dwithin", distance=4.0 * t)[0]) > 0
