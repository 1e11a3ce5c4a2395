"""The question ``fire``: may a unit fire at another now, at what range, and what forbids it?"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.naming import in_order, plain
from tabletop.battle.unit import Unit, grown
from tabletop.geometry.line_of_sight import Sight
from tabletop.geometry.measure import Point
from tabletop.geometry.shapes import line_shape, shapes_of
from tabletop.geometry.verdict import Reason, Shape, SideView, Verdict, against_first
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.fire.arc import (
    arc,
    arc_reason,
    arc_shapes,
    band_shapes,
    front_and_target,
    part_in_unit_arc,
)
from tabletop.rules.tse.fire.cover import Cover, cover_reason, fire_cover
from tabletop.rules.tse.fire.line_of_fire import (
    in_the_way,
    judged_line,
    line_measured_within,
    line_of_fire,
    lines_of_fire,
)
from tabletop.rules.tse.fire.shot import Shot, band_of, in_range, line_in_range, plain_distance, reach_of, shot_at
from tabletop.rules.tse.fire.weaker_fire import may_shoot
from tabletop.rules.tse.sight.contours import straddling
from tabletop.rules.tse.sight.judge import hindrance_reason, line_shapes
from tabletop.rules.tse.tables import troop

__all__ = ["arc", "fire"]


def fire(battle: Battle, request: Request) -> Verdict:
    """Answer ``fire A B``: A may fire at B now, by the rules that measure (TSE-FIR-01..13, TSE-FIR-22, TSE-FIR-24).

    A shot out of range may be declared but is wasted (TSE-FIR-09): it does not hold, and its ``range`` (table units) is
    measured. Raises BadQuestion where A is a general.

    >>> from tabletop.play.files.opened import open_battle
    >>> verdict = fire(open_battle("starter"), Request("fire", ("kessler-guns", "daumas")))
    >>> verdict.holds, round(verdict.measured["range"], 2), verdict.measured["band"]
    (True, 8.96, '6-9')
    """
    firer, target = front_and_target(battle, request)
    allowed = _allowed(firer, target)
    if target.is_general:
        return _verdict(battle, request, allowed, Shot(shapely.Polygon(), None, None), None)
    if request.brief:
        line, wider, loose = None, request.options.get("grown"), request.options.get("loose")
        if loose is not None:
            may = all(allowed) and may_shoot(battle, firer, target, loose[1])
            return Verdict("fire", request.args, battle.rules, may)
        if all(allowed) and (wider or arc_reason(battle, firer, target)):
            hints, quick = request.options.get("hints", ()), bool(request.options.get("quick"))
            line = line_in_range(battle, firer, target, grown(target, wider), hints, quick, whichever=not wider)
        return Verdict("fire", request.args, battle.rules, line is not None, witness=line)
    shot = _shown(battle, firer, target, shot_at(battle, firer, target, target.footprint))
    in_reach = shot.clear and in_range(battle, firer, shot.range)
    cover = fire_cover(battle, target, firer) if in_reach else None
    reasons = (
        *allowed,
        arc_reason(battle, firer, target),
        *_too_far(battle, firer, target, shot),
        *_line(battle, firer, target, shot),
        *_range(battle, firer, target, shot),
    )
    return _verdict(battle, request, reasons, shot, cover)


def line_whoever_fires(battle: Battle, request: Request) -> tuple[Point, Point] | None:
    """Return a clear line in range where the troops, their state or the target forbid the shot; None in any other case.

    That is, None if the shot is allowed or no such line exists. The line is two points (east, north) in table units
    (TSE-FIR-01, TSE-FIR-06).

    >>> from tabletop.play.files.opened import open_battle
    >>> line_whoever_fires(open_battle("starter"), Request("fire", ("kessler-guns", "daumas"))) is None
    True
    """
    firer, target = front_and_target(battle, request)
    if target.is_general or all(_allowed(firer, target)) or not arc_reason(battle, firer, target):
        return None
    return line_in_range(battle, firer, target, target.footprint, request.options.get("hints", ()), whichever=True)


def may_surely_fire(battle: Battle, request: Request) -> bool | None:
    """Return whether ``fire`` holds if that can be decided without the exact range; None if it cannot (TSE-FIR-01).

    It fails if the shot is forbidden whatever the line, or if no line is clear. It holds as soon as the distance from
    one front (in table units) is within reach. Raises BadQuestion as ``fire`` does.

    >>> from tabletop.play.files.opened import open_battle
    >>> may_surely_fire(open_battle("starter"), Request("fire", ("kessler-guns", "daumas")))
    True
    """
    firer, target = front_and_target(battle, request)
    reach = reach_of(battle, firer)
    if reach is None or not all(_allowed(firer, target)) or not arc_reason(battle, firer, target):
        return False
    if not battle.rulings["same_part"]:
        return None
    part = part_in_unit_arc(battle, firer, target)
    if shapely.is_empty(part):
        return False
    if line_measured_within(battle, firer, target, part, reach) is not None:
        return True
    return None if any(lines_of_fire(battle, firer, target, part, math.inf)) else False


def _allowed(firer: Unit, target: Unit) -> tuple[Reason, ...]:
    return _troops(firer), _status(firer), _formation(firer), _target(firer, target)


def _shown(battle: Battle, firer: Unit, target: Unit, shot: Shot) -> Shot:
    """Return the shot with the line to report: judged without friends if terrain alone already hides the target."""
    if shot.sight is None or shot.sight.seen:
        return shot
    without_friends = line_of_fire(battle, firer, target, shot.part, friends_block=False)
    return shot if without_friends.seen else replace(shot, sight=without_friends)


def _verdict(battle: Battle, request: Request, reasons: tuple[Reason, ...], shot: Shot, cover: Cover | None) -> Verdict:
    firer, target = (battle.unit(name) for name in request.args)
    holds = all(reasons)
    because = against_first(reasons)
    if holds and cover is not None:
        because += (replace(cover_reason(target, cover), holds=True),)
    line = shot.sight.line if shot.clear and shot.sight else None
    return Verdict(
        "fire",
        request.args,
        battle.rules,
        holds,
        _measured(battle, shot, cover),
        because,
        witness=line if holds else None,
        blockers=shot.sight.blockers if shot.sight and not shot.sight.seen else (),
        options=request.options,
        shapes=(*arc_shapes(battle, firer, target), *band_shapes(battle, firer), *_shapes(shot, holds)),
        side_view=_side_view(battle, firer, target, shot),
    )


def _side_view(battle: Battle, firer: Unit, target: Unit, shot: Shot) -> SideView | None:
    """Return the side view along the clear line, or along the line nearest to being clear if there is none."""
    if shot.sight is None:
        return None
    if shot.sight.line is not None:
        return judged_line(battle, firer, target, shot.sight.line).side_view
    return None if shot.sight.best_blocked is None else shot.sight.best_blocked.side_view


def _measured(battle: Battle, shot: Shot, cover: Cover | None) -> dict[str, Any]:
    return {
        "range": shot.range,
        "band": band_of(battle, shot.range),
        "cover": None if cover is None else cover.name,
        "odds": None,
    }


def _shapes(shot: Shot, holds: bool) -> tuple[Shape, ...]:
    shapes = shapes_of("target", shot.part)
    if shot.clear and shot.sight and shot.sight.line:
        label = "" if shot.range is None else f"{shot.range:.2f}"
        return (*shapes, line_shape("witness" if holds else "tape", shot.sight.line, label))
    if shot.sight and shot.sight.best_blocked:
        return (*shapes, *line_shapes(shot.sight.best_blocked, "blocked"))
    return shapes


# --- who may fire at whom --------------------------------------------------------------------------------------------


def _troops(firer: Unit) -> Reason:
    """Check the troops: only infantry and artillery ever fire (TSE-ACT-93)."""
    holds = troop(firer.troop).range is not None
    return Reason(
        "TSE-ACT-93", holds, f"{plain(firer.troop)} {'may fire' if holds else 'never fires'}", feature=firer.id
    )


def _status(firer: Unit) -> Reason:
    """Check the status: demoralized units may only regroup (TSE-ACT-91); disordered ones may fire (TSE-ACT-92)."""
    holds = firer.status != "demoralized"
    text = f"{firer.called} is {in_order(firer)}" + ("" if holds else " and may only regroup")
    return Reason("TSE-ACT-92" if holds else "TSE-ACT-91", holds, text, feature=firer.id)


def _formation(firer: Unit) -> Reason:
    """Check the formation: lines deliver deployed fire, columns and squares advancing fire, march columns none.

    Source: TSE-FIR-22, TSE-ACT-40, -41, -50.
    """
    kinds = {"deployed": "deployed fire", "maneuver-column": "advancing fire", "square": "advancing fire"}
    kind = kinds.get(firer.formation)
    who = "a deployed unit" if firer.formation == "deployed" else f"a unit in {plain(firer.formation)}"
    text = f"{who} {f'delivers {kind}' if kind else 'never fires'}"
    return Reason("TSE-FIR-22", kind is not None, text, feature=firer.id)


def _target(firer: Unit, target: Unit) -> Reason:
    """Check the target: any enemy unit, never a general (TSE-FIR-24, TSE-LDR-01)."""
    name = target.called
    if target.is_general:
        return Reason("TSE-FIR-24", False, f"{name} is a general, and generals are never fired at", feature=target.id)
    if target.side == firer.side:
        return Reason("TSE-FIR-24", False, f"{name} is of the same side", feature=target.id)
    return Reason("TSE-FIR-24", True, f"{name} is an enemy {plain(target.troop)} unit", feature=target.id)


# --- line and range --------------------------------------------------------------------------------------------------


def _line(battle: Battle, firer: Unit, target: Unit, shot: Shot) -> tuple[Reason, ...]:
    """Return that a line reaches the part in the arc, or why none does: terrain first, then friends (TSE-FIR-06)."""
    if shot.sight is None:
        return ()
    name = target.called
    if shot.sight.seen:
        text = f"a line from the front to {name} is clear, and clear of friends"
        return (Reason("TSE-FIR-06", True, text, shot.range, feature=target.id),)
    without_friends = line_of_fire(battle, firer, target, shot.part, friends_block=False)
    if without_friends.seen:
        return (_masked(battle, firer, target, shot),)
    return _unseen(battle, firer, target, without_friends)


def _unseen(battle: Battle, firer: Unit, target: Unit, sight: Sight) -> tuple[Reason, ...]:
    """Return what hides the target, worded as ``los`` words it, and that it is hidden (TSE-FIR-08)."""
    text = f"no line from the front sees the part of {target.called} in the arc"
    met = _hindrances(battle, sight)
    astride = straddling(battle, (firer, target), sight.best_blocked)
    return (*(part for part in met if not part.holds), Reason("TSE-FIR-08", False, text), *astride)


def _masked(battle: Battle, firer: Unit, target: Unit, shot: Shot) -> Reason:
    """Return that friends mask the shot, naming those on the line nearest to being clear, else all near any line."""
    assert shot.sight is not None
    sight, near = shot.sight, [unit.id for unit in in_the_way(battle, firer, target, shot.part)]
    units = [blocker for blocker in sight.blockers if blocker in near] or near
    text = f"every line that sees {target.called} passes nearer than half an inch to {', '.join(units)}"
    return Reason("TSE-FIR-10", False, text, feature=units[0] if units else None, parts=_hindrances(battle, sight))


def _hindrances(battle: Battle, sight: Sight) -> tuple[Reason, ...]:
    blocked = sight.best_blocked
    return (
        ()
        if blocked is None
        else tuple(hindrance_reason(hindrance, battle.table.unit) for hindrance in blocked.hindrances)
    )


def _too_far(battle: Battle, firer: Unit, target: Unit, shot: Shot) -> tuple[Reason, ...]:
    """Return that a target out of sight would be out of range even if it were seen (TSE-FIR-01)."""
    reach = reach_of(battle, firer)
    if shot.clear or reach is None or shapely.is_empty(shot.part):
        return ()
    least = plain_distance(firer, shot.part)
    if in_range(battle, firer, least):
        return ()
    text = f"{target.called} is at least {least:.2f} away and the range is {reach:g}"
    return (Reason("TSE-FIR-01", False, text, least, reach, target.id),)


def _range(battle: Battle, firer: Unit, target: Unit, shot: Shot) -> tuple[Reason, ...]:
    """Return whether the range is within reach, inclusive (TSE-FIR-01), and its band (TSE-FIR-04)."""
    reach = reach_of(battle, firer)
    if shot.range is None or reach is None:
        return ()
    if not in_range(battle, firer, shot.range):
        text = f"{target.called} is {shot.range:.2f} away and the range is {reach:g}: the shot would be wasted"
        return (Reason("TSE-FIR-01", False, text, shot.range, reach, target.id),)
    band = Reason("TSE-FIR-04", True, f"in the band {band_of(battle, shot.range)}", shot.range)
    text = f"{target.called} is {shot.range:.2f} away, within the range of {reach:g}"
    return (Reason("TSE-FIR-01", True, text, shot.range, reach, target.id, (band,)),)
