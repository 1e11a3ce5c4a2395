"""An assault about to be made: where it runs, what it meets, and the calculator's form for it, from the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import turn_between
from tabletop.geometry.verdict import Verdict
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.assault import Assault, assault, way_reasons
from tabletop.rules.tse.assault_path import AssaultPath, advanced, front_sweep, is_frontal, paths_to, price_of, reach_of
from tabletop.rules.tse.charge import breakthrough_reasons, left_over, meeting_point
from tabletop.rules.tse.cover import path_cover
from tabletop.rules.tse.firing import named
from tabletop.rules.tse.formation import standing_faults
from tabletop.rules.tse.odds_boxes import assault_box
from tabletop.rules.tse.orders import general_near
from tabletop.rules.tse.recall import recalled
from tabletop.rules.tse.support import support_reason, supports

#: Notes of one turn: bases that assaulted a target so far; a unit that has broken through.
ASSAULTED, BROKE_THROUGH = "turn:assault:", "turn:breakthrough:"


@dataclass(frozen=True)
class Charge:
    """One assault with its path; ``left`` is what of the reach remains beyond it, ``breakthrough`` that it is one."""

    unit: str
    target: str
    path: AssaultPath
    frontal: bool
    cover: str
    cost: float
    reach: float
    breakthrough: bool = False


@recalled
def measured(battle: Battle, unit: str, target: str) -> Verdict:
    """Return the verdict of the measuring question ``assault``."""
    return assault(battle, Request("assault", (unit, target)))


@recalled
def charge_of(battle: Battle, unit: str, target: str) -> Charge:
    """Return the assault the measuring question allowed."""
    found = measured(battle, unit, target).measured
    start, end = ((float(x), float(y)) for x, y in found["path"])
    path = AssaultPath(start, end, float(found["heading"]))
    cost, reach = float(found["cost"]), float(found["reach"])
    return Charge(unit, target, path, bool(found["frontal"]), str(found["cover"]), cost, reach)


def within(battle: Battle, charge: Charge, delayed: bool) -> bool:
    """Return whether the target is in reach, shortened where orders are delayed (TSE-ASL-05, TSE-ASL-09)."""
    reach = reach_of(battle, battle.unit(charge.unit), delayed)
    return reach is not None and battle.tape.at_most(charge.cost, reach)


# --- the form --------------------------------------------------------------------------------------------------------


def bases_so_far(battle: Battle, charge: Charge) -> int:
    """Return the bases of all that assaulted the target this turn, each as it was, and this one (TSE-ASL-30..32)."""
    return int(battle.memory.get(ASSAULTED + charge.target, 0)) + battle.unit(charge.unit).strength


@recalled
def form_of(battle: Battle, charge: Charge, countercharge: bool = False) -> dict[str, Any]:
    """Return the calculator's form for an assault, filled in from the table (TSE-ASL-13, TSE-ASL-30..35)."""
    unit, target = battle.unit(charge.unit), battle.unit(charge.target)
    ratio = str(battle.rulings["assault_ratio"])
    return {
        "actor": named(unit),
        "target": named(target),
        "target_formation": target.formation,
        "cover": charge.cover,
        "actor_disordered": unit.status != "ok",
        "target_disordered": target.status != "ok",
        "odds": assault_box(bases_so_far(battle, charge), target.strength, ratio),
        "general_near": general_near(battle, unit),
        "frontal": charge.frontal,
        "target_demoralized": target.status == "demoralized",
        "countercharge": countercharge,
        "supported": any(supports(battle, target, guns) for guns in battle.friends(target)),
    }


# --- countercharge ---------------------------------------------------------------------------------------------------


@recalled
def may_countercharge(battle: Battle, charge: Charge) -> bool:
    """Return whether the target has the option of meeting the charge half-way (TSE-ASL-60..63), with room to do so."""
    if charge.breakthrough or measured(battle, charge.unit, charge.target).measured["countercharge"] is None:
        return False
    unit, target = met(battle, charge)
    faults = [*standing_faults(battle, unit), *standing_faults(battle, target)]
    swept = front_sweep(battle.unit(charge.target), _back(battle, charge), charge.path.length / 2)
    inner = shapely.buffer(swept, -battle.tape.t, join_style="mitre")
    others = (e for e in battle.enemies(target) if e.id != charge.unit)
    free = not any(shapely.intersects(inner, e.footprint) for e in others)
    return free and not any(f.feature not in (charge.unit, charge.target) for f in faults)


def met(battle: Battle, charge: Charge) -> tuple[Unit, Unit]:
    """Return assaulter and target where they meet: both fronts at the half of the path, face to face (TSE-ASL-61)."""
    unit, target = battle.unit(charge.unit), battle.unit(charge.target)
    x, y = meeting_point(charge.path)
    turned = turned_about(target, (charge.path.facing + 180.0) % 360.0)
    there = turned.moved(x - turned.front_mid[0], y - turned.front_mid[1])
    return advanced(unit, charge.path, charge.path.length / 2), there


def turned_about(unit: Unit, facing: float) -> Unit:
    """Return a unit turned to a facing on its centre-point."""
    return unit.turned(turn_between(unit.facing, facing))


def _back(battle: Battle, charge: Charge) -> AssaultPath:
    """Return the way the target takes to the meeting point."""
    start = battle.unit(charge.target).front_mid
    return AssaultPath(start, meeting_point(charge.path), (charge.path.facing + 180.0) % 360.0)


# --- breakthrough ----------------------------------------------------------------------------------------------------


def left_after(battle: Battle, charge: Charge, reach: float, countercharged: bool) -> float:
    """Return what is left of the reach for a breakthrough (TSE-ASL-61, TSE-ASL-70)."""
    unit, target = battle.unit(charge.unit), battle.unit(charge.target)
    return left_over(battle, unit, charge.path, reach, countercharged, target)


def breakthrough_of(battle: Battle, unit: str, target: str, left: float) -> Charge | None:
    """Return the breakthrough of a unit from where it stands against a target, None if it may not (TSE-ASL-70..73).

    No turn first, no countercharge; what stands in the way of an assault stands in its way too, and guns under the
    protection of infantry are no target (TSE-ASL-40).
    """
    one, other = battle.unit(unit), battle.unit(target)
    path = min(paths_to(one, other), key=lambda p: price_of(battle, one, p.start, p.end, other).total)
    cost = price_of(battle, one, path.start, path.end, other).total
    if not battle.tape.at_most(cost, left):
        return None
    reasons = (*breakthrough_reasons(battle, one, other, left), support_reason(battle, other))
    if not all((*reasons, *way_reasons(Assault(battle, one, other, path)))):
        return None
    cover = path_cover(battle, other, (path.start, path.end)).name
    return Charge(unit, target, path, is_frontal(battle, other, path), cover, cost, left, True)
