"""Chances from plain tables: orders, regrouping, overrun generals, army morale, words for a performance."""

from __future__ import annotations

from typing import Literal

from tabletop.battle.unit import Unit
from tabletop.rules.tse.calculator.model_data import model
from tabletop.rules.tse.tables import tables, troop

Order = Literal["lost", "delayed", "received"]
#: Outcomes in ascending order, as their odds are given.
ORDERS: tuple[Order, ...] = ("lost", "delayed", "received")
REGROUPED = ("fails", "one step", "fully")
OVERRUN = ("killed", "captured", "escapes")
MORALE = ("breaks", "holds")


def order_odds(unit: Unit, kind: str, general_near: bool) -> tuple[float, float, float]:
    """Return the chances that orders are (lost, delayed, received), as shares of 1 (TSE-ORD-01..07).

    They depend on quality, action and general. ``kind`` is deploy, maneuver, march, square or assault; KeyError for an
    action that needs no orders (TSE-ORD-02).

    >>> from tabletop.play.files.opened import open_battle
    >>> round(sum(order_odds(open_battle("starter").unit("arnaud"), "maneuver", general_near=True)), 9)
    1.0
    """
    return order_chances(unit.troop, unit.quality, kind, general_near)


def order_chances(troop_name: str, quality: str, kind: str, general_near: bool) -> tuple[float, float, float]:
    """Return ``order_odds`` for a kind and quality of troops; artillery counts as average (TSE-UNI-16, TSE-UNI-18)."""
    orders = model().orders
    family = troop(troop_name).family
    row = orders.quality[orders.rated[family].like if family in orders.rated else quality]
    times = orders.actions[kind].times * (orders.general.times if general_near else 1.0)
    lost, delayed = row.lost * times, row.delayed * times
    return lost, delayed, 1.0 - lost - delayed


def delayed_share() -> float:
    """Return the share of a move, reach or shift that delayed orders leave (TSE-ACT-21, TSE-ORD-05).

    >>> delayed_share()
    0.5
    """
    return float(tables()["factors"]["delayed"])


def regroup_odds(unit: Unit, general_near: bool) -> tuple[float, float, float]:
    """Return the chances, as shares of 1, that a regroup (fails, improves the unit by one step, restores it fully).

    Source: TSE-REG-02, TSE-REG-05.

    >>> from tabletop.play.files.opened import open_battle
    >>> len(regroup_odds(open_battle("starter").unit("arnaud"), general_near=False))
    3
    """
    return regroup_chances(unit.troop, unit.quality, unit.status == "demoralized", general_near)


def regroup_chances(troop_name: str, quality: str, demoralized: bool, general_near: bool) -> tuple[float, float, float]:
    """Return ``regroup_odds`` for a kind and quality of troops; a disordered unit has only one step to improve."""
    regroup, family = model().regroup, troop(troop_name).family
    row = regroup.families[family] if family in regroup.families else regroup.quality[quality]
    helped = regroup.general.add if general_near else 0.0
    hindered = regroup.demoralized.add if demoralized else 0.0
    success = min(regroup.most.value, row.success + helped + hindered)
    fully = success * (regroup.full.value if demoralized else 1.0)
    return 1.0 - success, success - fully, fully


def overrun_odds(mover: Unit) -> tuple[float, float, float]:
    """Return the chances, as shares of 1, that a general overrun by ``mover`` is (killed, captured) or escapes.

    Source: TSE-LDR-08.

    >>> from tabletop.play.files.opened import open_battle
    >>> sum(overrun_odds(open_battle("starter").unit("esnault"))) <= 1.0
    True
    """
    return overrun_chances(mover.troop)


def overrun_chances(mover: str) -> tuple[float, float, float]:
    """Return ``overrun_odds`` for the kind of troops that overruns the general."""
    rows = model().overrun
    row = rows.cavalry if troop(mover).family == "cavalry" else rows.others
    return row.killed, row.captured, 1.0 - row.killed - row.captured


def initiative_odds() -> tuple[float, float]:
    """Return the chances, as shares of 1, of initiative for (the Defender, the Attacker) (TSE-TRN-02).

    >>> initiative_odds()
    (0.5, 0.5)
    """
    attacker = model().initiative.attacker
    return 1.0 - attacker, attacker


def break_chance(share: float, senior_lost: bool, destroyed: float = 0.0) -> float:
    """Return the chance that an army with ``share`` of its units destroyed or demoralized breaks (TSE-MOR-01, -05).

    It is 0 below half. The share ``destroyed`` counts for more, since those units cannot rally, and so does the loss of
    the senior general (TSE-MOR-06).

    >>> break_chance(0.4, senior_lost=True), break_chance(0.5, senior_lost=False) > 0.0
    (0.0, True)
    """
    morale = model().morale
    if share < morale.half.value:
        return 0.0
    chance = morale.base.value + morale.slope.value * (share - morale.half.value)
    chance += morale.destroyed.value * destroyed + (morale.senior.value if senior_lost else 0.0)
    return min(morale.high.value, max(morale.low.value, chance))


def word(draw: float) -> str:
    """Return the word for a performance, which depends only on its ``draw`` (a share of 1) (TSE-APP-09).

    >>> word(0.5), word(0.97)
    ('moderate', 'brilliant')
    """
    return [row.word for row in model().words if draw >= row.start][-1]
