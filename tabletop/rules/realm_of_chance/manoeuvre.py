"""What wheels and changes of formation cost, in fractions of a move."""

from __future__ import annotations

from tabletop.battle.unit import Unit
from tabletop.rules.realm_of_chance.layouts import COLUMN, GARRISON, LINE, SQUARE
from tabletop.rules.realm_of_chance.tables import INFANTRY, arm, row, tables


def wheel_cost(unit: Unit, degrees: float) -> float:
    """Return what a wheel of so many degrees costs in moves (ROC-FRM-02, ROC-FRM-04).

    Infantry pays in proportion, but never more than an about-face and a wheel back from there; cavalry and limbered
    guns pay one price up to 90 degrees and another beyond.
    """
    turn, prices = abs(degrees), tables()["manoeuvre"][arm(unit)]
    if arm(unit) == INFANTRY:
        per_degree = prices["wheel_45"] / 45.0
        whole = min(turn * per_degree, prices["about"] + (180.0 - turn) * per_degree)
    else:
        whole = prices["wheel_90"] if turn <= 90.0 + 1e-9 else prices["about"]
    return discounted(unit, float(whole))


def forming_cost(unit: Unit, formation: str) -> float | None:
    """Return what a change of formation costs in moves; None where there is no such change (ROC-FRM-01, ROC-FRM-03)."""
    prices = tables()["manoeuvre"][arm(unit)]
    pair = {unit.formation, formation}
    if len(pair) < 2:
        return None
    if GARRISON in pair:
        key = "garrison" if pair <= {GARRISON, LINE, COLUMN} else ""
    else:
        key = "-".join(sorted(pair, key=[LINE, COLUMN, SQUARE, "limbered", "unlimbered"].index))
    if key not in prices:
        return None
    return discounted(unit, float(prices[key]))


def discounted(unit: Unit, cost: float) -> float:
    """Return a price less what the unit's nation is spared of every manoeuvre, never below nothing (ROC-FRM-04).

    Guns are limbered at the full price: it is no manoeuvre (ROC-ART-09).
    """
    spared = 0.0 if arm(unit) == "artillery" else float(tables()["manoeuvre"]["discount"].get(row(unit).nation, 0.0))
    return max(0.0, cost - spared)
