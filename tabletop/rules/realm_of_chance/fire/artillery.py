"""Artillery fire: who may fire at whom, at what range, and what a die does."""

from __future__ import annotations

import shapely

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.battle.naming import plain
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.shapes import line_shape
from tabletop.geometry.verdict import Reason, Verdict, against_first, features_of
from tabletop.rules.common.ruled import either, ruled
from tabletop.rules.play import Factor, Result
from tabletop.rules.realm_of_chance.combat.odds import fire_result
from tabletop.rules.realm_of_chance.combat.zones import FRONT, zone_of
from tabletop.rules.realm_of_chance.computer.unit_value import worth_of
from tabletop.rules.realm_of_chance.morale import effects
from tabletop.rules.realm_of_chance.morale.status import just_taken, organised
from tabletop.rules.realm_of_chance.movement.layouts import COLUMN, SQUARE, UNLIMBERED
from tabletop.rules.realm_of_chance.sight.judge import nearest, seen, some_line
from tabletop.rules.realm_of_chance.tables import ARTILLERY, arm, tables, troops
from tabletop.rules.realm_of_chance.turn.turn import ARTILLERY_PHASE, phase_reasons
from tabletop.rules.rule_set import Request


def guns_of(unit: Unit) -> str:
    """Return which fire table a battery uses: heavy or horse; the armies' light guns are horse (ROC-ART-02)."""
    return troops()[unit.troop].fire


def bands(guns: str) -> tuple[float, ...]:
    """Return where each range band of a kind of guns ends, in mm; the last is its reach (ROC-ART-05)."""
    return tuple(float(limit) for limit in tables()["artillery"][guns]["bands"])


def band_of(battle: Battle, guns: str, distance: float) -> int | None:
    """Return the number of the band of a range; on a limit the nearer, unless ruled; None if too far (ROC-ART-04)."""
    limits, tape = bands(guns), battle.tape
    if battle.rulings["range_ends"] == "farther" and tape.at_most(distance, limits[-1]):
        return sum(tape.at_least(distance, limit) for limit in limits[:-1])
    return next((k for k, limit in enumerate(limits) if tape.at_most(distance, limit)), None)


def range_of(gun: Unit, target: Unit) -> float:
    """Return the range of a battery: from its front edge to the nearest point of the target, in mm (ROC-ART-03)."""
    return float(shapely.distance(muzzle(gun), target.footprint))


def muzzle(gun: Unit) -> shapely.LineString:
    """Return the front edge of a battery, from which ranges run (ROC-ART-03)."""
    return shapely.LineString(gun.fronts[0].front_edge)


def fire(battle: Battle, request: Request) -> Verdict:
    """Answer ``fire A B``: may this battery fire at that unit, as they stand (ROC-ART-01, ROC-ART-05, ROC-ART-07)?"""
    gun, target = (battle.unit(name) for name in request.args)
    if arm(gun) != ARTILLERY:
        raise BadQuestion(f"'{gun.id}' is no artillery; others fight in the combat phase: ask 'assault'")
    if target.side == gun.side or target.is_general:
        raise BadQuestion(f"'{target.id}' is no target; ask for a unit of the other side that fights")
    if request.brief:
        return _briefly(battle, request, gun, target)
    distance = range_of(gun, target)
    reasons = shot_reasons(battle, gun, target)
    band = band_of(battle, guns_of(gun), distance)
    edges = (0.0, *bands(guns_of(gun)))
    measured = {
        "range": distance,
        "band": None if band is None else f"{edges[band]:g}-{edges[band + 1]:g}",
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
    """Answer without proof: any line will do, one near the option ``hints`` before others."""
    line = None
    if all(_reasons_but_sight(battle, gun, target)):
        hints = request.options.get("hints", ())
        line = some_line(battle, gun, target, muzzle(gun), target.footprint, hints)
    return Verdict("fire", request.args, battle.rules, line is not None, witness=line)


def shot_reasons(battle: Battle, gun: Unit, target: Unit) -> list[Reason]:
    """Return what speaks for and against a shot, the cheap reasons first; sight is only looked for where it matters."""
    reasons = _reasons_but_sight(battle, gun, target)
    return [*reasons, _sight_reason(battle, gun, target)] if all(reasons) else reasons


def _reasons_but_sight(battle: Battle, gun: Unit, target: Unit) -> list[Reason]:
    name = gun.called
    distance, reach = range_of(gun, target), bands(guns_of(gun))[-1]
    reasons = [
        Reason("ROC-ART-01", organised(gun), f"{name} is in order" if organised(gun) else f"{name} is {gun.status}"),
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
        seen = target.called
        reasons.append(either("ROC-ART-07", ahead, f"{seen} stands in its front", f"{seen} is not in its front"))
    return reasons


def _sight_reason(battle: Battle, gun: Unit, target: Unit) -> Reason:
    """Direct sight, and no fire over anybody (ROC-ART-07)."""
    sight = seen(battle, gun, target, muzzle(gun))
    name = target.called
    if sight.seen:
        return Reason("ROC-ART-07", True, f"{name} is in plain sight")
    in_the_way = ", ".join(sight.blockers)
    text = f"{name} is hidden" + (f" by {in_the_way}" if in_the_way else "")
    return Reason("ROC-ART-07", False, text, feature=next(iter(sight.blockers), None))


def die_bonus(target: Unit) -> int:
    """Return what is added to the die for the target's formation (ROC-ART-06)."""
    bonus = tables()["artillery"]["die"]
    return {COLUMN: int(bonus["column"]), SQUARE: int(bonus["square"])}.get(target.formation, 0)


# --- as an action ----------------------------------------------------------------------------------------------------


def judge_bombard(battle: Battle, action: Action) -> Verdict:
    """Say whether a battery may fire now: once a turn, at one unit (ROC-ART-01)."""
    reasons = phase_reasons(battle, action, ARTILLERY_PHASE)
    if not all(reasons):
        return ruled(battle, action, reasons)
    gun, target = battle.unit(str(action.unit)), battle.unit(str(action.target))
    fired, fights = bool(gun.marks.get("fired")), target.side != gun.side and not target.is_general
    reasons += [
        Reason("ROC-ART-01", arm(gun) == ARTILLERY, "only artillery fires in this phase"),
        either("ROC-ART-01", not fired, f"{gun.called} has not fired this turn", f"{gun.called} has fired this turn"),
        either("ROC-ART-01", fights, "the target is an enemy that fights", "the target is no enemy that fights"),
        Reason("ROC-ART-08", not just_taken(battle, gun), "guns just taken are not used at once"),
    ]
    if all(reasons):
        reasons += shot_reasons(battle, gun, target)
    return ruled(battle, action, reasons)


def drawn(battle: Battle, gun: Unit, target: Unit, chance: Chance) -> str:
    """Draw what one shot does: "Dd", "Dr" or "" (ROC-ART-03, ROC-ART-06)."""
    band = band_of(battle, guns_of(gun), range_of(gun, target))
    assert band is not None, "the judge allowed the shot"
    return fire_result(guns_of(gun), band, chance.die("artillery") + die_bonus(target))


def bombard(unfolding: Unfolding, action: Action) -> None:
    """Fire (ROC-ART-03): Dd and Dr do what they do in combat; the gun may not limber this turn (ROC-ART-09)."""
    gun, target = unfolding.unit(str(action.unit)), unfolding.unit(str(action.target))
    code = drawn(unfolding.battle, gun, target, unfolding)
    unfolding.mark(gun.id, fired=target.id)
    told = {"range": range_of(gun, target), "die bonus": die_bonus(target), "result": code}
    unfolding.tell("fire", told, gun.id, target.id, ("ROC-ART-03",))
    effects.suffer(unfolding, code, (), target.id, gun.at)


def reckon(battle: Battle, action: Action, chance: Chance) -> Result:
    """Go through the chances of one shot."""
    gun, target = battle.unit(str(action.unit)), battle.unit(str(action.target))
    code = drawn(battle, gun, target, chance)
    return worth_of(battle, code, (), target, action.side)


def factors(battle: Battle, action: Action) -> tuple[Factor, ...]:
    """Return the modifiers of a shot."""
    bonus = die_bonus(battle.unit(str(action.target)))
    formation = battle.unit(str(action.target)).formation
    return (Factor(f"target in {plain(formation)}", bonus, "ROC-ART-06", "source", "die"),) if bonus else ()


def rests_on(battle: Battle, action: Action) -> tuple[tuple[str, str], ...]:
    """Return how far a shot goes and in which band of its range that is, with the rule (ROC-ART-03, ROC-ART-04)."""
    gun, target = battle.unit(str(action.unit)), battle.unit(str(action.target))
    distance, edges, unit = range_of(gun, target), (0.0, *bands(guns_of(gun))), battle.table.unit
    band = band_of(battle, guns_of(gun), distance)
    if band is None:
        return ()
    over = f"over {edges[band]:g} {unit}, " if band else ""
    return ((f"{distance:.0f} {unit} away: {over}up to {edges[band + 1]:g} {unit}", "ROC-ART-03"),)
