"""Changes of formation: whether one is allowed, where the unit stands afterwards, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.naming import plain
from tabletop.battle.unit import Unit, beside
from tabletop.errors import BadQuestion
from tabletop.geometry.depth import deepest
from tabletop.geometry.measure import Point
from tabletop.geometry.shapes import ghosts
from tabletop.geometry.verdict import Reason, Verdict, features_of
from tabletop.rules.ages.morale.status import ROUTING, just_taken, served
from tabletop.rules.ages.movement import terrain
from tabletop.rules.ages.movement.costs import forming_cost
from tabletop.rules.ages.movement.layouts import (
    GARRISON,
    LIMBERED,
    REMOUNTS,
    UNLIMBERED,
    formations,
    pose_after,
    standing_in,
)
from tabletop.rules.ages.movement.legality import spent
from tabletop.rules.ages.movement.motion import over_the_edge
from tabletop.rules.ages.tables import ARTILLERY, arm, row, tables
from tabletop.rules.common.ruled import either
from tabletop.rules.rule_set import Request


def formed(battle: Battle, unit: Unit, formation: str, request: Request) -> Verdict:
    """Answer ``move A --as FORMATION``: can A form it where it stands, and at what cost (ROC-FRM-01, -03, -04)?"""
    if formation == GARRISON and arm(unit) in tables(unit)["houses"]["closed_to"]:
        return _kept_out(battle, unit, request)
    if formation not in formations(unit):
        words = "nothing" if unit.is_general else ", ".join(formations(unit))
        raise BadQuestion(f"'{unit.id}' ({unit.troop}) forms no {formation}; it forms: {words}")
    after = as_formed(battle, unit, formation)
    against = tuple(r for r in forming_reasons(battle, unit, formation, after) if not r.holds)
    cost, share_left = forming_cost(unit, formation, battle.rulings) or 0.0, max(0.0, 1.0 - spent(unit))
    good = Reason("ROC-FRM-01", True, f"{unit.called} forms {plain(formation)} for {cost:g} of a move", cost)
    return Verdict(
        "move",
        request.args,
        battle.rules,
        not against,
        {
            "cost": min(cost, share_left) * row(unit).move,
            "allowed": share_left * row(unit).move,
            "fraction": cost,
            "carried": max(0.0, spent(unit) + cost - 1.0),
            "path": [list(unit.front_mid), list(after.front_mid)],
            "at": list(after.at),
            "facing": after.facing,
            "after": pose_after(unit, after),
        },
        against or (good,),
        blockers=features_of(against),
        options=request.options,
        shapes=ghosts(after.bases),
    )


def _kept_out(battle: Battle, unit: Unit, request: Request) -> Verdict:
    """Refuse a house to a unit of an arm that cannot go into one, wherever it stands (AGE-SET-03)."""
    within = " or ".join(tables(unit)["houses"]["shelter"])
    why = Reason("AGE-SET-03", False, f"a house shelters {within}, not {arm(unit)}")
    return Verdict("move", request.args, battle.rules, False, because=(why,), options=request.options)


def may_form(battle: Battle, unit: Unit, formation: str) -> bool:
    """Return whether ``formed`` allows a change of formation, without making the verdict (ROC-FRM-01, ROC-FRM-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> [may_form(battle, battle.unit("french-1"), formation) for formation in ("square", "limbered")]
    [True, False]
    """
    if formation not in formations(unit):
        return False
    return all(r.holds for r in forming_reasons(battle, unit, formation, as_formed(battle, unit, formation)))


def as_formed(battle: Battle, unit: Unit, formation: str) -> Unit:
    """Return a unit in a formation; line and column keep the middle of its front, a garrison moves into its house."""
    return standing_in(unit, formation, _into_house(battle, unit) if formation == GARRISON else None)


def _into_house(battle: Battle, unit: Unit) -> Point | None:
    house = terrain.house_of(battle, unit)
    if house is None:
        return None
    centre = house.shape.centroid
    return centre.x, centre.y


def forming_reasons(battle: Battle, unit: Unit, formation: str, after: Unit) -> Iterator[Reason]:
    """Yield the reasons for and against this change of formation now."""
    name = unit.called
    # a routing unit forms nothing, and the book says so separately for squares
    rule = "ROC-SQR-05" if formation == "square" else "ROC-MOV-07"
    yield Reason(rule, unit.status != ROUTING, f"{name} is routing and forms nothing")
    yield Reason("ROC-CTL-01", not unit.marks.get("pursuing"), f"{name} is in pursuit and out of control")
    yield Reason("AGE-RES-09", not unit.marks.get("retiring"), f"{name} retires until it is rallied")
    yield Reason("ROC-ART-08", not just_taken(battle, unit), f"{name} was taken too short a time ago to be used")
    yield from served(unit)
    cost = forming_cost(unit, formation, battle.rulings)
    yield Reason("ROC-FRM-01", cost is not None, f"there is no way from {plain(unit.formation)} to {plain(formation)}")
    yield from _move_left(unit, formation, cost or 0.0, battle.rulings["manoeuvre_debt"] == "not-allowed")
    if formation == GARRISON:
        yield _room_in_house(battle, unit)
    if formation == UNLIMBERED:
        yield _outside_houses(battle, after)
    yield from _room(battle, unit, after)


def _move_left(unit: Unit, formation: str, cost: float, within: bool) -> Iterator[Reason]:
    """Yield whether enough of the move is left; guns need all of it and may not have fired (ROC-ART-09, AGE-ART-06).

    A change that costs nothing needs nothing of the move (DES-FRM-01, REA-FRM-01). ``within`` says that this move must
    cover the ``cost`` (in moves) alone; else the excess is carried over to the next.
    """
    name, used = unit.called, spent(unit)
    if arm(unit) == ARTILLERY:
        verb = "unlimber" if formation == UNLIMBERED else "limber"
        yield Reason(
            "ROC-ART-09", used <= 0.0, f"to {verb} takes a whole move, and {used:.2f} of it is spent", used, 0.0
        )
        if formation == LIMBERED:
            yield Reason("ROC-ART-09", not unit.marks.get("fired"), f"{name} fired this turn and cannot limber")
        return
    if formation in REMOUNTS:
        text = f"to mount or dismount takes a whole move, and {used:.2f} of it is spent"
        yield Reason("GLO-CAV-03", used <= 0.0, text, used, 0.0)
        return
    if cost <= 0.0:
        return
    yield Reason("ROC-FRM-01", used < 1.0 - 1e-9, f"nothing of its move is left: {used:.2f} is spent", used, 1.0)
    if within:
        text = f"it costs {cost:.2f} of a move, and {max(0.0, 1.0 - used):.2f} is left"
        yield Reason("ROC-FRM-01", used + cost <= 1.0 + 1e-9, text, cost, 1.0 - used)


def _room_in_house(battle: Battle, unit: Unit) -> Reason:
    """Return whether the house is free: it shelters one unit (AGE-SET-03)."""
    house = terrain.house_of(battle, unit)
    if house is None:
        return Reason("AGE-SET-03", False, "it touches no house to go into")
    other = terrain.taken(battle, house, unit.id)
    text = f"{house.name or house.id} is free" if other is None else f"{other.called} holds the house"
    return Reason("AGE-SET-03", other is None, text, feature=house.id)


def _outside_houses(battle: Battle, after: Unit) -> Reason:
    """Return whether guns would stand outside every house: none shelters a battery (AGE-SET-03)."""
    house = terrain.closed_house(battle, after)
    where = "" if house is None else house.name or house.id
    no = f"it would stand in {where}, and a house shelters no {arm(after)}"
    return either("AGE-SET-03", house is None, "it stands in no house", no)


def _room(battle: Battle, unit: Unit, after: Unit) -> Iterator[Reason]:
    """Yield whether it would stand on the table, on passable ground, and overlap no unit."""
    over = over_the_edge(battle, after)
    yield Reason("ROC-FRM-01", not battle.tape.over(over, 0.0), f"it would stand {over:.1f} mm over the edge", over)
    for other in beside(after.bounds, (*battle.friends(unit), *battle.enemies(unit)), 0.0):
        depth = deepest(after.bases, other.bases)
        text = f"it would stand {depth:.1f} mm deep in {other.called}"
        yield Reason("ROC-FRM-01", not battle.tape.over(depth, 0.0), text, depth, 0.0, other.id)
    closed = terrain.barred(battle)
    if closed is not None:
        inner = shapely.buffer(after.footprint, -battle.tape.t, join_style="mitre")
        yield Reason("ROC-FRM-01", not shapely.intersects(closed, inner), "it would stand where nobody can")
