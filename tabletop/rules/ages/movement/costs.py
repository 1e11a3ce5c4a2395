"""The cost of wheels and changes of formation, in fractions of a move."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tabletop.battle.unit import Unit
from tabletop.geometry.measure import ANGLE_TOLERANCE
from tabletop.rules.ages.movement.layouts import COLUMN, GARRISON, LINE, REMOUNTS, SQUARE
from tabletop.rules.ages.tables import ARTILLERY, CAVALRY, INFANTRY, arm, row, tables

#: Rulings of a battle by name; None and missing names mean the default values.
Rulings = Mapping[str, Any] | None


def wheel_cost(unit: Unit, degrees: float, rulings: Rulings = None) -> float:
    """Return what a wheel by a number of degrees costs in moves (ROC-FRM-02, ROC-FRM-04).

    Infantry pays in proportion, but no more than for an about-face and a wheel back from there; cavalry and limbered
    guns pay one cost up to 90 degrees and another beyond. Under the ruling ``wheel_angles: printed`` infantry pays the
    printed cost of the next larger angle in the table. A wheel by 0 degrees costs nothing.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> wheel_cost(battle.unit("prussian-1"), 30.0), wheel_cost(battle.unit("hussars"), 30.0)
    (0.5, 0.5)
    """
    turn, prices = abs(degrees), tables(unit)["manoeuvre"][arm(unit)]
    if turn <= ANGLE_TOLERANCE:
        return 0.0
    if arm(unit) == INFANTRY:
        printed = _ruled(rulings, "wheel_angles", "proportion") == "printed"
        price = _printed_wheel if printed else _wheel_in_proportion
        whole = price(turn, prices["wheel_45"])
        if turn > 90.0 or not printed:
            whole = min(whole, prices["about"] + price(180.0 - turn, prices["wheel_45"]))
    else:
        whole = prices["wheel_90"] if turn <= 90.0 + 1e-9 else prices["about"]
    return discounted(unit, float(whole), rulings)


def _wheel_in_proportion(turn: float, price: float) -> float:
    return turn * price / 45.0


def _printed_wheel(turn: float, price: float) -> float:
    """Return the cost with every 45 degrees begun charged in full, as the table has 45 and 90 degrees."""
    return math.ceil((turn - 1e-9) / 45.0) * price


def _ruled(rulings: Rulings, name: str, usual: str) -> str:
    return str((rulings or {}).get(name, usual))


def forming_cost(unit: Unit, formation: str, rulings: Rulings = None) -> float | None:
    """Return what a change of formation costs in moves; None if there is no such change (ROC-FRM-01, ROC-FRM-03).

    Mounting or dismounting costs a whole move without discount, as it is no manoeuvre (GLO-CAV-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> forming_cost(battle.unit("prussian-1"), "square"), forming_cost(battle.unit("french-1"), "square")
    (0.5, 0.25)
    """
    prices = tables(unit)["manoeuvre"][arm(unit)]
    if formation in REMOUNTS:
        return float(tables(unit)["manoeuvre"]["dragoons"]["remount"]) if unit.formation in (LINE, COLUMN) else None
    pair = {unit.formation, formation}
    if len(pair) < 2:
        return None
    if GARRISON in pair:
        key = "garrison" if pair <= {GARRISON, LINE, COLUMN} else ""
    else:
        key = "-".join(sorted(pair, key=[LINE, COLUMN, SQUARE, "limbered", "unlimbered"].index))
    if key not in prices:
        return None
    return discounted(unit, float(prices[key]), rulings)


def time_for_square(unit: Unit, owed: float, rulings: Rulings = None) -> float | None:
    """Return the share of its next move that a square costs a unit that owes a share of it; None if less is left.

    A square that costs nothing can always be formed, as by the French in column (ROC-FRM-06).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> [time_for_square(battle.unit(name), 1.25) for name in ("french-1", "french-2")]
    [None, 0.0]
    """
    cost = forming_cost(unit, SQUARE, rulings)
    return None if cost is None or (cost > 0.0 and owed + cost > 1.0 + 1e-9) else cost


def discounted(unit: Unit, cost: float, rulings: Rulings = None) -> float:
    """Return a cost less the discount on every manoeuvre that the unit's nation has, never below 0 (ROC-FRM-04).

    Limbering costs the full amount, as it is no manoeuvre (ROC-ART-09). The ruling ``discount`` says who has it.
    """
    whose, data = _ruled(rulings, "discount", "french"), tables(unit)["manoeuvre"]["discount"]
    nations = data["grande_armee"] if whose == "grande-armee" else [data["nation"]]
    if whose == "nobody":
        return cost
    excluded = arm(unit) == ARTILLERY or (arm(unit) == CAVALRY and whose == "french-infantry")
    spared = 0.0 if excluded or row(unit).nation not in nations else float(data["moves"])
    return max(0.0, cost - spared)
