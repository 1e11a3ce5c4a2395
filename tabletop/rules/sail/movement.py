"""Sailing: courses judged and sailed; anchoring, weighing, repairing masts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import shapely

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.battle.event import Changed, Placed
from tabletop.battle.naming import how_many
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, pose_of
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import heading
from tabletop.geometry.shapes import ghosts, line_shape, shapes_of
from tabletop.geometry.terrain import Terrain
from tabletop.geometry.verdict import Reason, Shape, Verdict, features_of
from tabletop.rules.common import courses
from tabletop.rules.common.by_place import by_place
from tabletop.rules.common.courses import TINY, Course, entries, moved_to, near, obstacle, swept, turning
from tabletop.rules.common.placing import base_of, on_table
from tabletop.rules.common.ruled import either, ruled
from tabletop.rules.play import Result
from tabletop.rules.rule_set import Request
from tabletop.rules.sail.condition import LAND, drifted, grounds, held, stays, test
from tabletop.rules.sail.phases import phase_reasons
from tabletop.rules.sail.ships import ANCHORED, MASTS, OK, classes, standing_masts, steering, tables
from tabletop.rules.sail.wind import allowance, in_irons

SAIL = "sail"
#: Length in cm of the lines from the bow that show the points left to turn.
RAY = 4.0


@dataclass(frozen=True)
class Plan:
    """A planned move: the course as far as it goes, how far it may go, and what is in its way.

    ``aboard`` is the enemy it ends alongside; ``blocked`` the reason why it cannot be sailed.
    """

    battle: Battle
    ship: Unit
    course: Course
    allowed: float
    aboard: str | None = None
    blocked: Reason | None = None

    @property
    def end(self) -> Unit:
        """The ship where its course ends."""
        return moved_to(self.ship, self.course.end)


def planned(battle: Battle, ship: Unit, options: Mapping[str, Any]) -> Plan:
    """Return the move of a ship: its bow along ``path`` (or ``to``), then turned to ``facing``, ``distance`` cm in all.

    Cached on the battle. Raises BadQuestion if none of these options is given.
    """
    keys = ("path", "to", "facing", "distance")
    cache: dict[str, Plan] = vars(battle).setdefault("_courses", {})
    key = f"{ship.id} {[options.get(name) for name in keys]}"
    if key not in cache or cache[key].ship is not ship:
        path = [options["to"]] if options.get("to") is not None else options.get("path") or ()
        facing, distance = options.get("facing"), options.get("distance")
        if not path and facing is None and distance is None:
            raise BadQuestion(
                f"where shall '{ship.id}' sail? give --path X,Y (for its bow), --facing F or --distance D"
            )
        points = [(float(p[0]), float(p[1])) for p in path]
        luff = not in_irons(battle, ship.facing)
        cache[key] = of_course(battle, ship, courses.plotted(base_of(ship), steering(), points, facing, distance, luff))
    return cache[key]


def of_course(battle: Battle, ship: Unit, course: Course) -> Plan:
    """Return the plan of a course: cut where it runs alongside an enemy, or blocked if it cannot be sailed."""
    whole = Plan(battle, ship, course, allowance(battle, ship))
    others = [u for u in by_place(battle, battle.units) if u.id != ship.id and near(course, u)]
    for number, (leg, pose) in enumerate(zip(course.legs, course.poses, strict=False)):
        if not leg.turn and in_irons(battle, pose.facing):
            text = "the wind is straight ahead: she turns, but does not go on"
            return replace(whole, blocked=Reason("SAIL-MOV-05", False, text))
        if not on_table(battle, shapely.union(swept(pose, leg.run), course.poses[number + 1].polygon)):
            return replace(whole, blocked=Reason("SAIL-GEN-01", False, "the course leads over the table's edge"))
        obstacle_met = obstacle(course, number, others, battle.tape.t)
        if obstacle_met is not None:
            return _meeting(whole, number, *obstacle_met)
    return whole


def _meeting(plan: Plan, leg: int, run: float | None, other: Unit) -> Plan:
    """Return a plan that ends alongside an enemy, or is blocked by a friend or for lack of room to turn."""
    if run is not None and other.side != plan.ship.side:
        return replace(plan, course=plan.course.until(leg, run), aboard=other.id)
    text = f"{other.called} leaves no room to turn" if run is None else f"she would run into {other.called}"
    return replace(plan, blocked=Reason("SAIL-BRD-02", False, text, feature=other.id))


def reasons(plan: Plan) -> Iterator[Reason]:
    """Yield the reasons for and against a move (SAIL-MOV-01..09, SAIL-MOV-11, SAIL-MOV-12)."""
    battle, least = plan.battle, float(tables()["movement"]["least"])
    yield from held(battle, plan.ship)
    length, allowed = plan.course.length, plan.allowed
    text = f"the course is {length:.2f} cm long, and she may go {allowed:g} cm"
    yield Reason("SAIL-MOV-01", battle.tape.at_most(length, allowed), text, length, allowed)
    enough = battle.tape.at_least(length, least) or plan.aboard is not None
    yield Reason("SAIL-MOV-07", enough, f"the least move is {least:g} cm", length, least)
    if plan.blocked is not None:
        yield plan.blocked


def verdict_on(plan: Plan, request: Request) -> Verdict:
    """Return the verdict on a planned move, with where it ends and the points left to turn."""
    all_reasons = list(reasons(plan))
    against = tuple(reason for reason in all_reasons if not reason.holds)
    end, points_left = plan.end, max(0, int(plan.allowed - plan.course.length + 1e-6))
    measured = {
        "cost": min(plan.course.length, plan.allowed) if not against else plan.course.length,
        "allowed": plan.allowed,
        "path": [list(p) for p in plan.course.way],
        "at": list(end.at),
        "facing": end.facing,
        "points_left": points_left,
        "aboard": plan.aboard,
        "after": pose_of(end),
    }
    way = plan.course.way
    line = (line_shape("blocked" if against else "path", way),) if len(way) > 1 else ()
    return Verdict(
        SAIL if request.question == SAIL else "move",
        request.args,
        plan.battle.rules,
        not against,
        measured,
        against or tuple(reason for reason in all_reasons if reason.rule == "SAIL-MOV-01"),
        witness=None if against else way,
        blockers=features_of(against),
        options=request.options,
        shapes=(*line, *(() if against else _fan(plan, points_left)), *ghosts(end.bases)),
    )


def _fan(plan: Plan, left: int) -> tuple[Shape, ...]:
    """Return the headings the ship may still turn to, as lines from its bow."""
    base, shapes = plan.course.end, list[Shape]()
    for points in steering().tried(left):
        east, north = heading(steering().by(base, points))
        x, y = base.front_mid
        label = how_many(left, "point") + " left" if points == 0 else ""
        shapes.append(Shape("tape", "line", ((x, y), (x + RAY * east, y + RAY * north)), label=label))
    return tuple(shapes)


def move(battle: Battle, request: Request) -> Verdict:
    """Answer ``move A``: may A sail this course, and where does it end (SAIL-MOV-01..12)?"""
    ship = battle.unit(request.args[0])
    return verdict_on(planned(battle, ship, request.options), request)


def reach(battle: Battle, request: Request) -> Verdict:
    """Answer ``reach A``: where A's bow may get to with one turn, ignoring other ships (SAIL-MOV-11)."""
    ship = battle.unit(request.args[0])
    allowed = 0.0 if not all(held(battle, ship)) else allowance(battle, ship)
    area = shapely.intersection(
        courses.reachable(base_of(ship), steering(), allowed, lambda c: not _luffs(battle, c)), battle.table.edge
    )
    reason = Reason("SAIL-MOV-01", True, f"{ship.called} may go {allowed:g} cm", float(area.area))
    shapes = tuple(shapes_of("reach", area))
    return Verdict("reach", request.args, battle.rules, True, {"allowed": allowed}, (reason,), shapes=shapes)


def _luffs(battle: Battle, course: Course) -> bool:
    """Return whether a course runs straight into the wind (SAIL-MOV-05)."""
    pairs = zip(course.legs, course.poses, strict=False)
    return any(leg.run > TINY and not leg.turn and in_irons(battle, pose.facing) for leg, pose in pairs)


# --- as actions ------------------------------------------------------------------------------------------------------


def _unmoved(battle: Battle, action: Action) -> list[Reason]:
    """Return as reasons whether a ship may still use its move (SAIL-SEQ-06)."""
    ship = battle.unit(str(action.unit))
    name, fresh = ship.called, not ship.marks.get("sailed")
    moved = either("SAIL-SEQ-06", fresh, f"{name} has not moved this turn", f"{name} has moved this turn")
    return [*phase_reasons(battle, action), moved]


def judge_sail(battle: Battle, action: Action) -> Verdict:
    """Return whether a ship may sail this course now: once a turn (SAIL-SEQ-06, SAIL-MOV-01)."""
    turn_reasons = _unmoved(battle, action)
    if not all(turn_reasons):
        return ruled(battle, action, turn_reasons)
    request = Request(SAIL, (str(action.unit),), action.options)
    return verdict_on(planned(battle, battle.unit(str(action.unit)), action.options), request)


def sail(unfolding: Unfolding, action: Action) -> None:
    """Sail a course, which ends where the ship runs aground (SAIL-MOV-11, SAIL-MOV-15)."""
    plan = planned(unfolding.battle, unfolding.unit(str(action.unit)), action.options)
    follow(unfolding, plan)


def follow(unfolding: Unfolding, plan: Plan) -> None:
    """Sail a plan: the ship stops where it runs aground, and may no longer freely pass a shoal it came off."""
    ship, course, grounded = plan.ship, plan.course, False
    for (leg, run), piece in met(plan):
        if test(unfolding, ship.id, piece):
            course, grounded = course.until(leg, run), True
            break
    end = moved_to(ship, course.end)
    unfolding.happen(Placed(ship.id, pose_of(end), course.way, SAIL))
    unfolding.mark(ship.id, sailed=True, came_off=None)
    if plan.aboard is not None and not grounded:
        unfolding.tell("alongside", {}, ship.id, plan.aboard, ("SAIL-BRD-02",))


def met(plan: Plan) -> list[tuple[tuple[int, float], Terrain]]:
    """Return the shoals and land a course enters, in order (SAIL-MOV-15)."""
    encounters = [(entry, p) for p in grounds(plan.battle) for entry in entries(plan.course, p.shape)]
    return sorted(encounters, key=lambda pair: (pair[0][0], round(pair[0][1], 6), pair[1].id))


def reckon_sail(battle: Battle, action: Action, chance: Chance) -> Result:
    """Return the result of a course for one course of chance: whether it runs aground (SAIL-MOV-15)."""
    plan = planned(battle, battle.unit(str(action.unit)), action.options)
    founder = tables()["movement"]["founder_on"]
    for _, piece in met(plan):
        safe = plan.ship.marks.get("came_off") == piece.id
        if piece.movement == LAND or (not safe and chance.die("shoal", cuts=(max(founder) + 1,)) in founder):
            return Result(f"runs aground on {piece.name or piece.id}", -4.0, ((plan.ship.id, "aground", 1.0),))
    return Result("sails clear", 0.0)


def least_move(unfolding: Unfolding, name: str) -> None:
    """Let a ship without a course make the least move: 1 cm ahead, or else a turn of one point (SAIL-MOV-07)."""
    battle, ship = unfolding.battle, unfolding.unit(name)
    least, base = float(tables()["movement"]["least"]), base_of(ship)
    turns = [steering().by(base, 1), steering().by(base, -1)]
    tries = [courses.plotted(base, steering(), distance=least)]
    tries += [courses.plotted(base, steering(), facing=turn) for turn in turns]
    plans = (of_course(battle, ship, course) for course in tries)
    legal_plan = next((plan for plan in plans if all(reasons(plan))), None)
    if legal_plan is not None:
        follow(unfolding, legal_plan)


def next_places(battle: Battle, ship: Unit) -> Iterator[Unit]:
    """Yield where a ship's next move may end: after a turn and any length, or where it drifts (SAIL-MOV-01, -09)."""
    if not all(held(battle, ship)):
        yield drifted(battle, ship)
        return
    courses = turning(base_of(ship), steering(), allowance(battle, ship), float(tables()["movement"]["least"]))
    yield from (plan.end for plan in (of_course(battle, ship, course) for course in courses) if all(reasons(plan)))


def judge_anchor(battle: Battle, action: Action) -> Verdict:
    """Return whether a ship may drop anchor instead of sailing (SAIL-MOV-14)."""
    return ruled(battle, action, [*_unmoved(battle, action), *stays(battle.unit(str(action.unit)))])


def anchor(unfolding: Unfolding, action: Action) -> None:
    """Drop anchor (SAIL-MOV-14)."""
    unfolding.happen(Changed(str(action.unit), status=ANCHORED, marks={"sailed": True}))


def judge_weigh(battle: Battle, action: Action) -> Verdict:
    """Return whether a ship may raise its anchor, which takes its whole move (SAIL-MOV-14)."""
    ship, turn_reasons = battle.unit(str(action.unit)), _unmoved(battle, action)
    at_anchor = either("SAIL-MOV-14", ship.status == ANCHORED, f"{ship.called} lies at anchor", "not at anchor")
    return ruled(battle, action, [*turn_reasons, at_anchor])


def weigh(unfolding: Unfolding, action: Action) -> None:
    """Raise the anchor; the ship sails in its next turn (SAIL-MOV-14)."""
    unfolding.happen(Changed(str(action.unit), status=OK, marks={"sailed": True}))


def judge_repair(battle: Battle, action: Action) -> Verdict:
    """Return whether a crew may repair a mast: it has not fired, and may then neither fire nor board (SAIL-MOV-10)."""
    ship, repair_reasons = battle.unit(str(action.unit)), phase_reasons(battle, action)
    lost = len(standing_masts(ship)) < len(classes()[ship.troop].masts)
    busy = any(ship.marks.get(mark) for mark in ("fired", "repairing"))
    repair_reasons += [
        either("SAIL-MOV-10", lost, f"{ship.called} has lost a mast", f"{ship.called} has lost no mast"),
        Reason("SAIL-MOV-10", not busy, "its crew has fired, or tried already, this turn"),
    ]
    return ruled(battle, action, repair_reasons)


def repair(unfolding: Unfolding, action: Action) -> None:
    """Throw for one mast: a 6 restores the lost mast with the most points (SAIL-MOV-10)."""
    ship = unfolding.unit(str(action.unit))
    face = unfolding.die("repair", cuts=(6,))
    done = face in tables()["movement"]["repair_on"]
    masts = list(ship.marks["masts"])
    worth = classes()[ship.troop].masts
    mast = max((k for k, stands in enumerate(masts) if not stands), key=lambda k: (worth[k], -k))
    masts[mast] = int(done)
    unfolding.mark(ship.id, repairing=True, masts=tuple(masts))
    unfolding.tell("repair", {"die": face, "mast": MASTS[mast], "done": done}, ship.id, None, ("SAIL-MOV-10",))


def reckon_repair(battle: Battle, action: Action, chance: Chance) -> Result:
    """Return the result of a repair for one course of chance (SAIL-MOV-10)."""
    done = chance.die("repair", cuts=(6,)) in tables()["movement"]["repair_on"]
    return Result("a mast is restored" if done else "no mast is restored", 1.0 if done else 0.0)
