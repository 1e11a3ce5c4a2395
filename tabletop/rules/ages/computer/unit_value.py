"""The values of results and positions, in bases of average troops."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.rules.ages.morale.status import DISRUPTED, OK, ROUTING, steady
from tabletop.rules.ages.tables import ARTILLERY, arm, row
from tabletop.rules.common.evaluation import balance, lead
from tabletop.rules.play import Result

#: The share of a unit's value left in each state, and the value of guns in bases (weights, not rules).
LEFT = {OK: 1.0, DISRUPTED: 0.8, ROUTING: 0.4}
GUNS = 4.0
#: Strength of an average base, which counts as one.
AVERAGE = 3.0
#: How many victory points are worth a base.
POINTS = 2.0

WORDS = {
    "": "nothing happens",
    "Ar": "the attacker is routed",
    "Aw": "the attacker is disrupted and retires",
    "Ad": "the attacker is disrupted",
    "Dx": "both are disrupted",
    "Dd": "the defender is disrupted",
    "Dw": "the defender is disrupted and retires",
    "Dr": "the defender is routed",
    "repelled": "the square drives the cavalry off",
    "broken": "the square is broken",
}


def base_worth(unit: Unit) -> float:
    """Return the value of one base of a unit in order."""
    return GUNS if arm(unit) == ARTILLERY else 0.5 + row(unit).normal / AVERAGE


def unit_worth(unit: Unit) -> float:
    """Return the value of a unit as it stands."""
    return 0.0 if unit.is_general else unit.strength * base_worth(unit) * LEFT[unit.status]


def worth(battle: Battle, side: str) -> float:
    """Return the value of a position to a side in bases: its troops less the enemy's, and the points so far.

    The number of bases is weighted by strength and state (ROC-CBT-03), points by ``POINTS`` (ROC-VP-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> round(worth(battle, "french"), 2), round(worth(battle, "prussian"), 2)
    (14.17, -14.17)
    """
    return balance(battle, side, unit_worth) + lead(battle, side) / POINTS


def loses(
    code: str, unit: Unit, attacking: bool, dd: str = "defender"
) -> tuple[float, tuple[tuple[str, str, float], ...]]:
    """Return the value a unit loses by result ``code``, and the effects on it as (unit, effect, amount).

    ``dd`` is the ruling ``dd_falls_on``: whom Dd puts to rout (ROC-RES-04).
    """
    if code == "Dd" and dd == "attackers" and steady(unit) == attacking:
        return 0.0, ()
    if code == "Dd" and dd == "attackers":
        code = "Ad" if attacking else "Dd"
    if not code or (code != "Dx" and (code[0] == "A") != attacking):
        return 0.0, ()
    routs = code in ("Ar", "Dr") or (not steady(unit) and not (code == "Dx" and attacking))
    bases = 1 if code in ("Ar", "Dr") or not steady(unit) else 0
    state = ROUTING if routs else DISRUPTED
    worth_left = max(0, unit.strength - bases) * base_worth(unit) * LEFT[state]
    effects = ((unit.id, f"status:{state}", 1.0), *(((unit.id, "lost", float(bases)),) if bases else ()))
    points = (bases * 2.0 if arm(unit) != ARTILLERY else 0.0) + (state == DISRUPTED and unit.status == OK)
    return unit_worth(unit) - worth_left + points / POINTS, effects


def worth_of(battle: Battle, code: str, attackers: Sequence[Unit], defender: Unit, side: str) -> Result:
    """Return a result of combat or fire with its value in bases to the attacking side (ROC-RES-01..05).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> result = worth_of(battle, "Dd", (battle.unit("french-1"),), battle.unit("prussian-1"), "french")
    >>> result.text, round(result.worth, 2)
    ('the defender is disrupted', 1.67)
    """
    dd = str(battle.rulings.get("dd_falls_on", "defender")) if attackers else "defender"
    costs = [loses(code, unit, True, dd) for unit in attackers]
    gain, hits = loses(code, defender, False, dd)
    if code in ("Ar", "Dr"):  # one base of the whole group
        costs = [
            (cost - (k > 0) * base_worth(u), e) for k, ((cost, e), u) in enumerate(zip(costs, attackers, strict=True))
        ]
    effects = (*hits, *(e for _, unit_effects in costs for e in unit_effects))
    return Result(WORDS[code], gain - sum(cost for cost, _ in costs), effects)
