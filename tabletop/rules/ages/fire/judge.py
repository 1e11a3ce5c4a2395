"""Artillery fire: who may fire at whom, at what range, and the die modifier."""

from __future__ import annotations

from collections.abc import Sequence

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.naming import plain
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.shapes import line_shape
from tabletop.geometry.sight.nearby_line import Line
from tabletop.geometry.verdict import Reason, Verdict, against_first, features_of
from tabletop.rules.ages.combat.zones import FRONT, zone_of
from tabletop.rules.ages.morale.status import just_taken, organised, served
from tabletop.rules.ages.movement.layouts import COLUMN, SQUARE, UNLIMBERED
from tabletop.rules.ages.sight.judge import nearest, seen, some_line, too_dark, too_far_to_see
from tabletop.rules.ages.tables import ARTILLERY, Profile, arm, profile_of, tables, troop_of
from tabletop.rules.common.banded import band
from tabletop.rules.common.ruled import either
from tabletop.rules.play import Factor
from tabletop.rules.rule_set import Request


def guns_of(unit: Unit) -> str:
    """Return which fire table a battery uses, heavy or horse; light guns count as horse (ROC-ART-02).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> guns_of(battle.unit("french-guns")), guns_of(battle.unit("horse-guns"))
    ('heavy', 'horse')
    """
    return troop_of(unit).fire


def bands(profile: Profile, guns: str) -> tuple[float, ...]:
    """Return the far limit of each range band of a kind of guns, in table units; the last is its range (ROC-ART-05).

    >>> from tabletop.play.files.opened import open_battle
    >>> bands(profile_of(open_battle("drill-ground")), "horse")
    (60.0, 120.0, 180.0)
    """
    return tuple(float(limit) for limit in profile.tables["artillery"][guns]["bands"])


def band_of(battle: Battle, guns: str, distance: float) -> int | None:
    """Return the number of the range band a distance (mm) falls in, None beyond the last (ROC-ART-04).

    Bands are numbered from 0, the nearest. A distance on a limit belongs to the nearer band, or to the farther under
    the ruling ``range_ends: farther``.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> [band_of(battle, "horse", distance) for distance in (60.0, 61.0, 181.0)]
    [0, 1, None]
    """
    limits, tape = bands(profile_of(battle), guns), battle.tape
    if battle.rulings["range_ends"] == "farther" and tape.at_most(distance, limits[-1]):
        return sum(tape.at_least(distance, limit) for limit in limits[:-1])
    return band(tape, limits, distance)


def range_of(gun: Unit, target: Unit) -> float:
    """Return the range of a battery: from its front edge to the nearest point of the target (ROC-ART-03).

    In table units (mm).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("to-the-last-millimetre")
    >>> range_of(battle.unit("far-guns"), battle.unit("far"))
    61.0
    """
    return float(shapely.distance(muzzle(gun), target.footprint))


def band_named(battle: Battle, gun: Unit, target: Unit) -> str | None:
    """Return the range band of a shot by its limits in mm, such as "200-400", None out of range (ROC-ART-04).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("to-the-last-millimetre")
    >>> [band_named(battle, battle.unit(f"{which}-guns"), battle.unit(which)) for which in ("near", "far", "out")]
    ['0-60', '60-120', None]
    """
    band = band_of(battle, guns_of(gun), range_of(gun, target))
    edges = (0.0, *bands(profile_of(gun), guns_of(gun)))
    return None if band is None else f"{edges[band]:g}-{edges[band + 1]:g}"


def muzzle(gun: Unit) -> shapely.LineString:
    """Return the front edge of a battery, from which ranges are measured (ROC-ART-03)."""
    return shapely.LineString(gun.fronts[0].front_edge)


def fire(battle: Battle, request: Request) -> Verdict:
    """Answer ``fire A B``: may battery A fire at B, as they stand (ROC-ART-01, ROC-ART-05, ROC-ART-07)?

    ``measured`` has the ``range`` in table units (mm). Raises BadQuestion if A is not a battery, or B is not an enemy
    that fights.

    >>> from tabletop.play.files.opened import open_battle
    >>> verdict = fire(open_battle("to-the-last-millimetre"), Request("fire", ("near-guns", "near")))
    >>> verdict.holds, verdict.measured
    (True, {'range': 60.0, 'band': '0-60', 'die': 0})
    """
    gun, target = (battle.unit(name) for name in request.args)
    if arm(gun) != ARTILLERY:
        raise BadQuestion(f"'{gun.id}' is no artillery; others fight in the combat phase: ask 'assault'")
    if target.side == gun.side or target.is_general:
        raise BadQuestion(f"'{target.id}' is no target; ask for a unit of the other side that fights")
    if request.brief:
        return _briefly(battle, request, gun, target)
    distance = range_of(gun, target)
    reasons = shot_reasons(battle, gun, target)
    measured = {
        "range": distance,
        "band": band_named(battle, gun, target),
        "die": die_bonus(target),
    }
    holds = all(reasons)
    line = nearest(muzzle(gun), target.footprint)
    return Verdict(
        "fire",
        request.args,
        battle.rules,
        holds,
        measured,
        against_first(reasons),
        witness=line if holds else None,
        blockers=features_of(r for r in reasons if not r.holds),
        options=request.options,
        shapes=(line_shape("witness" if holds else "blocked", line, f"{distance:.1f} mm"),),
    )


def _briefly(battle: Battle, request: Request, gun: Unit, target: Unit) -> Verdict:
    """Answer without proof; lines near the option ``hints`` are tried first."""
    line = some_shot(battle, gun, target, request.options.get("hints", ()))
    return Verdict("fire", request.args, battle.rules, line is not None, witness=line)


def some_shot(battle: Battle, gun: Unit, target: Unit, hints: Sequence[Line] = ()) -> Line | None:
    """Return any clear line along which a battery may fire at a unit; None if it may not (ROC-ART-07).

    The line runs between two points (east, north) in table units.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("to-the-last-millimetre")
    >>> some_shot(battle, battle.unit("out-guns"), battle.unit("out")) is None
    True
    """
    if not all(_reasons_but_sight(battle, gun, target)):
        return None
    return some_line(battle, gun, target, muzzle(gun), target.footprint, hints)


def shot_reasons(battle: Battle, gun: Unit, target: Unit) -> list[Reason]:
    """Return the reasons for and against a shot; sight is checked only if all quicker checks hold."""
    reasons = _reasons_but_sight(battle, gun, target)
    return [*reasons, _sight_reason(battle, gun, target)] if all(reasons) else reasons


def _reasons_but_sight(battle: Battle, gun: Unit, target: Unit) -> list[Reason]:
    name, fired = gun.called, bool(gun.marks.get("fired"))
    distance, reach = range_of(gun, target), bands(profile_of(gun), guns_of(gun))[-1]
    reasons = [
        Reason("ROC-ART-01", organised(gun), f"{name} is in order" if organised(gun) else f"{name} is {gun.status}"),
        either("ROC-ART-01", not fired, f"{name} has not fired this turn", f"{name} has fired this turn"),
        either(
            "ROC-ART-08",
            not just_taken(battle, gun),
            f"{name} has not just been taken",
            f"{name} was taken too short a time ago to be used",
        ),
        *served(gun),
        Reason("ROC-ART-09", gun.formation == UNLIMBERED, f"{name} is {plain(gun.formation)}"),
        Reason(
            "ROC-ART-05",
            battle.tape.at_most(distance, reach),
            f"the range is {distance:.1f} of {reach:g} mm",
            distance,
            reach,
        ),
    ]
    if battle.rulings["gun_arc"] == "front":
        ahead = zone_of(battle, gun, nearest(muzzle(gun), target.footprint)[1]) == FRONT
        target_name = target.called
        reasons.append(
            either("ROC-ART-07", ahead, f"{target_name} stands in its front", f"{target_name} is not in its front")
        )
    return reasons


def _sight_reason(battle: Battle, gun: Unit, target: Unit) -> Reason:
    """Return whether the target is in direct sight; guns do not fire over units (ROC-ART-07)."""
    sight = seen(battle, gun, target, muzzle(gun))
    name = target.called
    if sight.seen:
        return Reason("ROC-ART-07", True, f"{name} is in plain sight")
    if too_dark(battle, sight):
        return too_far_to_see(battle, target, sight)
    in_the_way = ", ".join(sight.blockers)
    text = f"{name} is hidden" + (f" by {in_the_way}" if in_the_way else "")
    return Reason("ROC-ART-07", False, text, feature=next(iter(sight.blockers), None))


def basis_of_shot(gun: Unit) -> str:
    """Return where the table of a battery's guns comes from: its bands, its rows and its results (ROC-ART-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> basis_of_shot(open_battle("drill-ground").unit("french-guns"))
    'source'
    >>> basis_of_shot(open_battle("waterloo-evening").unit("la-haye-sainte-guns"))
    'reconstruction'
    """
    table = f"artillery.{guns_of(gun)}"
    return profile_of(gun).basis(f"{table}.bands", f"{table}.results", "throw.starts")


def on_die(target: Unit) -> tuple[Factor, ...]:
    """Return what is added to the die for the target's formation, with its basis; none for most (ROC-ART-06).

    >>> from tabletop.play.files.opened import open_battle
    >>> [(factor.name, factor.basis) for factor in on_die(open_battle("drill-ground").unit("french-2"))]
    [('target in column', 'source')]
    """
    bonus, formation = die_bonus(target), target.formation
    basis = profile_of(target).basis(f"artillery.die.{formation}")
    return (Factor(f"target in {plain(formation)}", bonus, "ROC-ART-06", basis, "die"),) if bonus else ()


def die_bonus(target: Unit) -> int:
    """Return what is added to the die for the target's formation (ROC-ART-06).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> die_bonus(battle.unit("french-2")), die_bonus(battle.unit("french-1"))
    (1, 0)
    """
    bonus = tables(target)["artillery"]["die"]
    return {COLUMN: int(bonus["column"]), SQUARE: int(bonus["square"])}.get(target.formation, 0)
