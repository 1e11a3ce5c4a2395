"""What of a base is traced through rough ground: where another choice (ruling ``rough_trace``) turns no answer."""

from __future__ import annotations

import numpy as np

from tabletop.battle.battle import Battle
from tabletop.geometry.base import Base
from tabletop.geometry.ground import ground_of
from tabletop.geometry.motion import swept_straight
from tabletop.geometry.verdict import Verdict
from tabletop.rules.rule_set import Request

RULING = "rough_trace"
#: What may be traced, each with all that those before it trace: what is dearer, and never cheaper, along one way.
WIDER = ("front_mid", "front_edge", "footprint")


def move_turns(battle: Battle, request: Request, verdict: Verdict, ruling: str, value: str) -> bool:
    """Return False where a move along a given way stays what it is: cheaper where it may be made, or dearer where not.

    The way and all else stay the same (TSE-MOV-06); where a way is looked for that is not said.
    """
    if ruling != RULING or request.options.get("to") is not None:
        return True
    dearer = WIDER.index(value) > WIDER.index(battle.rulings[RULING])
    return dearer == verdict.holds


def fall_back_turns(battle: Battle, request: Request, verdict: Verdict, ruling: str, value: str) -> bool:
    """Return False where the straight way found keeps all of every base off rough ground: it costs the same then.

    Anywhere on the table any such way will do (TSE-INV-10, TSE-INV-16).
    """
    from tabletop.rules.tse.fall_back import anywhere_on_table  # that of a move is asked without it

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
