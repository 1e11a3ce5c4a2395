"""An assault about to be made: its path, countercharge and breakthrough, and the calculator's form for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.assault.charge import Meeting, breakthrough_reasons, left_over, meeting
from tabletop.rules.tse.assault.judge import Assault, assault, path_reasons
from tabletop.rules.tse.assault.path import AssaultPath, is_frontal, paths_to, price_of, reach_of
from tabletop.rules.tse.assault.support import support_reason, supports
from tabletop.rules.tse.calculator.outnumbering import assault_box
from tabletop.rules.tse.command.orders import general_near
from tabletop.rules.tse.fire.cover import path_cover
from tabletop.rules.tse.fire.resolve import named
from tabletop.rules.tse.turn.answer_cache import cached_answer

#: Prefixes of notes kept for one turn: the bases that have assaulted a target, and that a unit has broken through.
ASSAULTED, BROKE_THROUGH = "turn:assault:", "turn:breakthrough:"


@dataclass(frozen=True)
class Charge:
    """One assault: its path, whether it is frontal, the target's cover, and its cost and reach in table units."""

    unit: str
    target: str
    path: AssaultPath
    frontal: bool
    cover: str
    cost: float
    reach: float
    breakthrough: bool = False


@cached_answer
def measured(battle: Battle, unit: str, target: str) -> Verdict:
    """Return the verdict of the question ``assault``, cached (TSE-ASL-01..08).

    >>> from tabletop.play.files.opened import open_battle
    >>> measured(open_battle("front-or-flank"), "west-column", "west-line").holds
    True
    """
    return assault(battle, Request("assault", (unit, target)))


@cached_answer
def charge_of(battle: Battle, unit: str, target: str) -> Charge:
    """Return the assault that the question ``assault`` allowed (TSE-ASL-01..08).

    >>> from tabletop.play.files.opened import open_battle
    >>> charge = charge_of(open_battle("front-or-flank"), "west-column", "west-line")
    >>> charge.unit, charge.target
    ('west-column', 'west-line')
    """
    values = measured(battle, unit, target).measured
    start, end = ((float(x), float(y)) for x, y in values["path"])
    path = AssaultPath(start, end, float(values["heading"]))
    cost, reach = float(values["cost"]), float(values["reach"])
    return Charge(unit, target, path, bool(values["frontal"]), str(values["cover"]), cost, reach)


def within(battle: Battle, charge: Charge, delayed: bool) -> bool:
    """Return whether the target is in reach, which delayed orders halve (TSE-ASL-05, TSE-ASL-09).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("front-or-flank")
    >>> charge = charge_of(battle, "west-column", "west-line")
    >>> [within(battle, charge, delayed) for delayed in (False, True)]
    [True, False]
    """
    reach = reach_of(battle, battle.unit(charge.unit), delayed)
    return reach is not None and battle.tape.at_most(charge.cost, reach)


# --- the form --------------------------------------------------------------------------------------------------------


def bases_so_far(battle: Battle, charge: Charge) -> int:
    """Return the number of bases that have assaulted the target this turn, including this unit's (TSE-ASL-30..32).

    Each earlier unit counts with the bases it had when it assaulted.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("front-or-flank")
    >>> bases_so_far(battle, charge_of(battle, "west-column", "west-line"))
    4
    """
    return int(battle.memory.get(ASSAULTED + charge.target, 0)) + battle.unit(charge.unit).strength


@cached_answer
def form_of(battle: Battle, charge: Charge, countercharge: bool = False) -> dict[str, Any]:
    """Return the calculator's form for an assault, filled in from the table (TSE-ASL-13, TSE-ASL-30..35).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("front-or-flank")
    >>> form = form_of(battle, charge_of(battle, "west-column", "west-line"))
    >>> form["target"], form["cover"]
    ('average infantry', 'none')
    """
    unit, target = battle.unit(charge.unit), battle.unit(charge.target)
    ratio = str(battle.rulings["assault_ratio"])
    return {
        "actor": named(unit),
        "target": named(target),
        "target_formation": "maneuver-column" if countercharge else target.formation,
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


@cached_answer
def may_countercharge(battle: Battle, charge: Charge) -> bool:
    """Return whether the target may countercharge and has the room to (TSE-ASL-60..63).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("front-or-flank")
    >>> may_countercharge(battle, charge_of(battle, "west-column", "west-line"))
    False
    """
    if charge.breakthrough:
        return False
    return measured(battle, charge.unit, charge.target).measured["countercharge"] is not None


def countercharge_meeting(battle: Battle, charge: Charge) -> Meeting:
    """Return assaulter and target where they meet, face to face, their fronts half-way along the path (TSE-ASL-61)."""
    contact = meeting(battle, battle.unit(charge.unit), battle.unit(charge.target), charge.path)
    assert contact is not None, "only who has room was asked"
    return contact


# --- breakthrough ----------------------------------------------------------------------------------------------------


def left_after(battle: Battle, charge: Charge, reach: float, countercharged: bool) -> float:
    """Return the reach left for a breakthrough (TSE-ASL-61, TSE-ASL-70)."""
    unit, target = battle.unit(charge.unit), battle.unit(charge.target)
    return left_over(battle, unit, charge.path, reach, countercharged, target)


def breakthrough_of(battle: Battle, unit: str, target: str, left: float) -> Charge | None:
    """Return a unit's breakthrough to a target from where it stands, None if not legal (TSE-ASL-70..73).

    ``left`` is the rest of its reach, in table units.

    >>> from tabletop.play.files.opened import open_battle
    >>> breakthrough_of(open_battle("front-or-flank"), "west-column", "west-line", 6.0) is None
    True
    """
    one, other = battle.unit(unit), battle.unit(target)
    if not any(battle.tape.at_most(path.length, left) for path in paths_to(one, other)):
        return None
    path = breakthrough_path(battle, one, other)
    support, _ = breakthrough_support(battle, one, other, left)
    if not (all(breakthrough_faults(battle, one, other, left, path)) and support.holds):
        return None
    cover = path_cover(battle, other, (path.start, path.end)).name
    cost = price_of(battle, one, path.start, path.end, other).total
    return Charge(unit, target, path, is_frontal(battle, other, path), cover, cost, left, True)


def breakthrough_path(battle: Battle, unit: Unit, target: Unit) -> AssaultPath:
    """Return the path of a breakthrough: of paths that tie, the cheapest unobstructed one if any (TSE-ASL-04)."""
    paths = paths_to(unit, target)
    if len(paths) == 1:
        return paths[0]

    def preference(path: AssaultPath) -> tuple[bool, float]:
        free = all(path_reasons(Assault(battle, unit, target, path)))
        return not free, price_of(battle, unit, path.start, path.end, target).total

    return min(paths, key=preference)


def breakthrough_faults(battle: Battle, unit: Unit, target: Unit, left: float, path: AssaultPath) -> Iterator[Reason]:
    """Yield the reasons for and against a breakthrough along a path; it may not turn first."""
    yield from breakthrough_reasons(battle, unit, target, left, path)
    yield from path_reasons(Assault(battle, unit, target, path))


def breakthrough_support(battle: Battle, unit: Unit, target: Unit, left: float) -> tuple[Reason, tuple[str, ...]]:
    """Return whether the target may be chosen, or the infantry that supports it must be (TSE-ASL-40, TSE-ASL-42)."""
    return support_reason(battle, target, lambda u: breakthrough_of(battle, unit.id, u.id, left) is not None)
