"""Orders given in person, and by staff officers who ride from their general to the units and back."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any

import shapely

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.event import Added, Removed
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.depth import deepest
from tabletop.geometry.measure import heading
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.ages.command.formations import formations, members, touching
from tabletop.rules.ages.command.obedience import ordered, place_of, wording
from tabletop.rules.ages.movement.motion import over_the_edge
from tabletop.rules.ages.movement.resolve import make_move
from tabletop.rules.ages.tables import STANCES, arm, profile_of, row, tables
from tabletop.rules.ages.throws import throw
from tabletop.rules.ages.turn.phases import MOVEMENT_PHASE, fighters, phase_reasons
from tabletop.rules.common.ruled import either, ruled

#: How a staff officer leaves the table after reporting back.
DISMISSED = "dismissed"


def judge_order(battle: Battle, action: Action) -> Verdict:
    """Return whether an order may be given to this officer (ROC-ORD-01, ROC-ORD-02).

    It says what to do (``stance``), to whom (``to``) and perhaps where (``goal``, an objective or a point: AGE-ORD-01).

    The officer must be with a general and have delivered any earlier order. In rule sets that allow it, a general may
    himself order formations he touches (AGE-ORD-02), and troops with initiative may order themselves (GLO-ORD-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.turn.phases import in_turn
    >>> battle = in_turn(open_battle("wachau"), "aide", "order")
    >>> order = Action("order", "coalition", "aide", options={"stance": "attack"})
    >>> [reason.text for reason in judge_order(battle, order).because if not reason.holds]
    ['choose units of his own side it is for']
    """
    reasons = phase_reasons(battle, action, MOVEMENT_PHASE)
    officer = battle.unit(str(action.unit))
    if arm(officer) != "staff" and may_order(battle, officer):
        face_to_face = _face_to_face(battle, officer, action)
        return ruled(battle, action, [*reasons, *face_to_face, *_where(battle, officer, action)])
    general = _general(battle, officer)
    name, carries = officer.called, bool(officer.marks.get("carries"))
    reasons += [
        either("ROC-ORD-01", arm(officer) == "staff", f"{name} is a staff officer", "only staff officers carry orders"),
        either("ROC-ORD-02", general is not None, f"{name} is with a general", f"{name} is not with a general"),
        either("ROC-ORD-02", not carries, f"{name} carries no order yet", f"{name} carries an order already"),
        Reason("ROC-ORD-01", action.options.get("stance") in STANCES, f"an order is one of: {', '.join(STANCES)}"),
    ]
    to = [str(unit) for unit in action.options.get("to", ())]
    own = bool(to) and all(battle.has(u) and battle.unit(u).side == action.side for u in to)
    to_own, to_nobody = "it is for units of his own side", "choose units of his own side it is for"
    reasons.append(either("ROC-ORD-01", own, to_own, to_nobody))
    return ruled(battle, action, [*reasons, *_where(battle, officer, action)])


def may_order(battle: Battle, unit: Unit) -> bool:
    """Return whether a unit may give orders: officers, generals (AGE-ORD-02), the French if so ruled (GLO-ORD-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("causeway")
    >>> [may_order(battle, battle.unit(name)) for name in ("marlborough", "aide", "allied-guns")]
    [True, True, False]
    """
    data = tables(unit)["orders"]
    if arm(unit) in ("staff", "general"):
        return arm(unit) == "staff" or bool(data.get("in_person"))
    return bool(battle.rulings.get("french_initiative")) and row(unit).nation == data.get("initiative")


def addressed(battle: Battle, unit: Unit) -> tuple[Unit, ...]:
    """Return the units an order may be for: from an officer all of his side, from a general formations he touches.

    A formation is the units of one superior. A general touches it if he touches its general or any of its units; units
    without a superior he orders one by one. Source: ROC-ORD-01, AGE-ORD-02.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("schellenberg")
    >>> [unit.id for unit in addressed(battle, battle.unit("marlborough"))]
    ['scots-dragoons', 'lumley-ii', 'lumley-i', 'bloods-guns']
    """
    own = fighters(battle, unit.side)
    if arm(unit) != "general":
        return own if arm(unit) == "staff" else (unit,)
    near = [u for u in battle.side(unit.side) if u.id != unit.id and touching(battle, unit, u)]
    formations = {u.parent for u in near if not u.is_general} | {u.id for u in near if arm(u) == "general"}
    return tuple(u for u in own if u in near or (u.parent and u.parent in formations))


def _where(battle: Battle, giver: Unit, action: Action) -> list[Reason]:
    """Return the reason for or against the place that an order names; none if it names none (AGE-ORD-01)."""
    goal = action.options.get("goal")
    if not goal:
        return []
    allowed = bool(tables(giver)["orders"].get("formations")) and place_of(battle, goal) is not None
    return [either("AGE-ORD-01", allowed, "it names a place", "it names no objective and no point of the table")]


def _face_to_face(battle: Battle, unit: Unit, action: Action) -> list[Reason]:
    """Return the reasons for and against an order that needs no messenger."""
    stance, to = action.options.get("stance"), tuple(map(str, action.options.get("to", ())))
    if arm(unit) == "general":
        near = {*(u.id for u in addressed(battle, unit)), *formations(battle, unit)}
        return [
            Reason("AGE-ORD-02", stance in STANCES, f"an order is one of: {', '.join(STANCES)}"),
            either(
                "AGE-ORD-02",
                bool(to) and near.issuperset(to),
                f"{unit.called} is with those it is for",
                f"{unit.called} orders in person formations of which he touches the general or a unit",
            ),
        ]
    changes = ("attack", "support")
    ordered = unit.marks.get("order")
    holds, other = f"{unit.called} has no order but to hold", f"{unit.called} is ordered to {ordered}"
    return [
        either("GLO-ORD-01", ordered in (None, "hold"), holds, other),
        Reason("GLO-ORD-01", stance in changes, f"by itself it may: {' or '.join(changes)}"),
        Reason("GLO-ORD-01", to in ((), (unit.id,)), f"{unit.called} orders nobody but itself"),
    ]


def _general(battle: Battle, officer: Unit) -> Unit | None:
    """Return a general the officer is with and who may send him (ROC-ORD-02)."""
    return next((g for g in senders(battle, officer) if touching(battle, g, officer)), None)


def senders(battle: Battle, officer: Unit) -> tuple[Unit, ...]:
    """Return the generals on the table who may send an officer: his own, or all of his side once he has none.

    He has none if the scenario names none or if his own has fallen (AGE-ORD-04, ROC-ORD-02).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("causeway")
    >>> [general.id for general in senders(battle, battle.unit("aide"))]
    ['marlborough']
    """
    generals = tuple(g for g in battle.side(officer.side) if arm(g) == "general")
    awaited = any(unit.id == officer.parent for unit in battle.awaited)
    free = officer.parent is None or not (battle.has(officer.parent) or awaited)
    return tuple(g for g in generals if free or g.id == officer.parent)


def remarks(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """Return the order a unit has or a staff officer carries (ROC-ORD-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> unfolding.mark("french-1", order="hold")
    >>> remarks(unfolding.battle, unfolding.unit("french-1"))
    ('ordered to hold',)
    """
    carried, own = unit.marks.get("carries"), ordered(battle, unit)
    to = " and ".join(battle.called(name) for name in carried["to"]) if carried else ""
    what = wording(battle, carried["stance"], carried.get("goal")) if carried else ""
    has = (f"carries the order to {what} for {to}",) if carried else ()
    return (*has, f"ordered to {own}") if own else has


# --- messengers as they are needed -----------------------------------------------------------------------------------


def judge_call(battle: Battle, action: Action) -> Verdict:
    """Return whether a general may call a staff officer to his side now (ROC-ORD-01).

    Messengers are put on the table when needed: there must be room beside the general, and no officer of his already
    beside him who is free to take an order.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.turn.phases import in_turn
    >>> battle = in_turn(open_battle("drill-ground"), "colonel", "call")
    >>> judge_call(battle, Action("call", "french", "colonel")).holds
    True
    """
    reasons = phase_reasons(battle, action, MOVEMENT_PHASE)
    general = battle.unit(str(action.unit))
    name, own = general.called, [u for u in _officers(battle, general) if touching(battle, u, general)]
    idle = next((u for u in own if not u.marks.get("carries")), None)
    reasons += [
        either("ROC-ORD-01", arm(general) == "general", f"{name} is a general", "only generals send staff officers"),
        either(
            "ROC-ORD-01",
            idle is None,
            f"no staff officer of {name} is free beside him",
            f"{idle.called if idle else ''} is with {name} and free to take an order",
        ),
        either("ROC-ORD-01", _beside(battle, general) is not None, "there is room beside him", "no room beside him"),
    ]
    return ruled(battle, action, reasons)


def _officers(battle: Battle, general: Unit) -> tuple[Unit, ...]:
    """Return the staff officers whom a general may send: his own, and those of his side without a general."""
    return tuple(u for u in battle.side(general.side) if arm(u) == "staff" and general in senders(battle, u))


def _beside(battle: Battle, general: Unit) -> Base | None:
    """Return a base for an officer that touches the general's: behind, beside or in front of him, in that order.

    It lies on the table and overlaps no enemy; None if there is no room.
    """
    (w, d), base = profile_of(general).troops["staff-officer"].base, general.bases[0]
    assert isinstance(base, Base), "a general has a base"
    (fx, fy), (x, y) = heading(base.facing), base.centre
    back, aside = (base.depth + d) / 2, (base.frontage + w) / 2
    for u, v in ((0.0, -back), (aside, 0.0), (-aside, 0.0), (0.0, back)):
        place = Base(x + u * fy + v * fx, y - u * fx + v * fy, base.facing, w, d)
        enemies = (e for e in battle.enemies(general) if shapely.intersects(e.footprint, place.polygon))
        clear = all(not battle.tape.over(deepest((place,), e.bases), 0.0) for e in enemies)
        if clear and not battle.tape.over(over_the_edge(battle, place.polygon), 0.0):
            return place
    return None


def call(unfolding: Unfolding, action: Action) -> None:
    """Put a staff officer on the table beside his general (ROC-ORD-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> call(unfolding, Action("call", "french", "colonel"))
    >>> unfolding.unit("colonel-officer").at
    (420.0, 20.0)
    """
    battle, general = unfolding.battle, unfolding.unit(str(action.unit))
    base = _beside(battle, general)
    assert base is not None, "the judge found room"
    number = next(n for n in count(1) if battle.someone(_officer_id(general, n)) is None)
    name = f"{general.called}'s officer" + (f" {number}" if number > 1 else "")
    where = (base.x, base.y, base.facing, base.frontage, base.depth)
    marks = {"colour": general.marks["colour"]} if "colour" in general.marks else {}
    added = Added(_officer_id(general, number), general.side, "staff-officer", where, general.id, name, marks)
    unfolding.happen(added)


def _officer_id(general: Unit, number: int) -> str:
    return f"{general.id}-officer" + (f"-{number}" if number > 1 else "")


def judge_dismiss(battle: Battle, action: Action) -> Verdict:
    """Return whether a staff officer may leave the table: he must be with a general and carry no order (ROC-ORD-02).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.turn.phases import in_turn
    >>> battle = in_turn(open_battle("wachau"), "aide", "dismiss")
    >>> judge_dismiss(battle, Action("dismiss", "coalition", "aide")).holds
    True
    """
    reasons = phase_reasons(battle, action, MOVEMENT_PHASE)
    officer = battle.unit(str(action.unit))
    name, carries = officer.called, bool(officer.marks.get("carries"))
    back = _general(battle, officer) is not None
    reasons += [
        either("ROC-ORD-01", arm(officer) == "staff", f"{name} is a staff officer", "only officers are dismissed"),
        either("ROC-ORD-02", back, f"{name} is with a general", f"{name} has not come back to a general"),
        either("ROC-ORD-02", not carries, f"{name} carries no order", f"{name} still carries an order"),
    ]
    return ruled(battle, action, reasons)


def dismiss(unfolding: Unfolding, action: Action) -> None:
    """Take a staff officer who has reported back off the table (ROC-ORD-01, ROC-ORD-02).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("wachau"))
    >>> dismiss(unfolding, Action("dismiss", "coalition", "aide"))
    >>> unfolding.battle.has("aide")
    False
    """
    unfolding.happen(Removed(str(action.unit), DISMISSED))


def give(unfolding: Unfolding, action: Action) -> None:
    """Give an order (ROC-ORD-01); one without a messenger is always accepted (AGE-ORD-02, GLO-ORD-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("wachau"))
    >>> options = {"stance": "attack", "to": ("russian-guns",)}
    >>> give(unfolding, Action("order", "coalition", "aide", options=options))
    >>> unfolding.unit("aide").marks["carries"]
    {'stance': 'attack', 'to': ('russian-guns',)}
    """
    giver, goal = unfolding.unit(str(action.unit)), action.options.get("goal")
    says = {"stance": str(action.options["stance"]), **({"goal": goal} if goal else {})}
    if arm(giver) != "staff":
        for name in dict.fromkeys(map(str, action.options.get("to", ()) or (giver.id,))):
            accept(unfolding, name, says)
            rule = "AGE-ORD-02" if giver.is_general else "GLO-ORD-01"
            unfolding.tell("order", {"understood": True, **says, **_whole(unfolding, name)}, giver.id, name, (rule,))
        return
    order = {**says, "to": tuple(map(str, action.options["to"]))}
    unfolding.mark(str(action.unit), carries=order)
    unfolding.tell("order given", order, action.unit, rules=("ROC-ORD-01",))


def accept(unfolding: Unfolding, name: str, order: Mapping[str, Any]) -> None:
    """Let a unit, or a general and all under him, have an order (AGE-ORD-01, ROC-ORD-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("maida"))
    >>> accept(unfolding, "digonet", {"stance": "hold", "goal": (1230.0, 800.0)})
    >>> [ordered(unfolding.battle, unfolding.unit(name)) for name in ("digonet", "1-23e-leger", "4-1st-swiss")]
    ['hold at 1230,800', 'hold at 1230,800', '']
    """
    for one in members(unfolding.battle, name):
        earlier, goal = unfolding.unit(one).marks.get("order_goal"), order.get("goal")
        place = {} if goal == earlier else {"order_goal": goal}
        unfolding.mark(one, order=str(order["stance"]), **place)


def _whole(unfolding: Unfolding, name: str) -> dict[str, Any]:
    """Return what the record of an order says of the formation it is for, if it is for one."""
    return {"formation": True} if len(members(unfolding.battle, name)) > 1 else {}


def ride(unfolding: Unfolding, action: Action) -> None:
    """Ride; a staff officer who reaches a unit he has an order for delivers it (ROC-ORD-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> ride(unfolding, Action("ride", "french", "colonel", options={"path": ((420.0, 140.0),)}))
    >>> unfolding.unit("colonel").at
    (420.0, 140.0)
    """
    make_move(unfolding, action)
    deliver(unfolding, str(action.unit))


def deliver(unfolding: Unfolding, rider: str) -> None:
    """Deliver the order to every unit addressed that the officer touches, and clear it after the last (ROC-ORD-02).

    Units that are lost or have changed sides get none. An order that is thrown for once and not understood is lost, and
    may be sent again (AGE-ORD-03, AGE-ORD-04).
    """
    battle, officer = unfolding.battle, unfolding.unit(rider)
    order = officer.marks.get("carries")
    if not order:
        return
    recipients = [name for name in order["to"] if battle.has(name) and battle.unit(name).side == officer.side]
    for name in list(recipients):
        if touching(battle, officer, battle.unit(name)):
            order = understood(unfolding, rider, name, order)
            recipients.remove(name)
        if order.get("understood") is False:
            recipients.clear()
            break
    if tuple(recipients) != tuple(order["to"]):
        carried = {**order, "to": tuple(recipients)} if recipients else None
        unfolding.mark(rider, carries=carried)


def understood(unfolding: Unfolding, rider: str, unit: str, order: Mapping[str, Any]) -> Mapping[str, Any]:
    """Throw for whether a unit understands an order; return the order as the officer carries it on (ROC-ORD-01).

    In rule sets with one throw for an order, the first throw counts for all its units (AGE-ORD-04).

    >>> from tabletop.battle.dice import ScriptedDice
    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("wachau"), ScriptedDice([2]))
    >>> order = understood(unfolding, "aide", "russian-guns", {"stance": "attack", "to": ("russian-guns",)})
    >>> unfolding.unit("russian-guns").marks["order"]
    'attack'
    """
    data, stance = tables(unfolding.battle)["orders"], str(order["stance"])
    needs = int(data["understood"])
    if "understood" in order:
        good = bool(order["understood"])
    else:
        face = throw(unfolding.battle, unfolding, "order", [needs])
        good = face >= needs
        says = {key: value for key, value in order.items() if key == "goal"} | _whole(unfolding, unit)
        record = {"die": face, "understood": good, "stance": stance, **says}
        unfolding.tell("order", record, rider, unit, ("ROC-ORD-01",))
    if good:
        accept(unfolding, unit, order)
    return {**order, "understood": good} if data.get("once") else order
