"""Orders are received, delayed or lost; and what a unit may still do if they are lost (TSE-ORD)."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.battle.naming import in_order
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.verdict import Reason
from tabletop.rules.tse.calculator import model
from tabletop.rules.tse.command.judge import nearest_general
from tabletop.rules.tse.tables import length, troop
from tabletop.rules.tse.turn.answer_cache import cached_answer
from tabletop.rules.tse.turn.sequence import acted, turn_reasons

#: The results of orders, the worst first (TSE-ORD-01).
LOST, DELAYED, RECEIVED = model.ORDERS
#: Actions that need orders (TSE-ORD-02); holding, generals, route marches, fire and regrouping need none.
ORDERED = ("deploy", "maneuver", "march", "square", "assault")
#: Formations that cannot fire (TSE-ACT-50).
MUTE = ("march-column",)


@cached_answer
def general_near(battle: Battle, unit: Unit) -> bool:
    """Return whether a friendly general is now near enough to help (TSE-ORD-03, TSE-LDR-02, TSE-LDR-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> general_near(battle, battle.unit("arnaud"))
    True
    """
    nearest = nearest_general(battle, unit)
    return nearest is not None and battle.tape.at_most(nearest[1], length("command") * battle.scale)


def ordered(chance: Chance, battle: Battle, unit: Unit, kind: str) -> str:
    """Draw the result of orders for an action: "received", "delayed" or "lost" (TSE-ORD-01, TSE-ORD-07).

    The result depends on the unit, the action and whether a general is near, not on status. If ``chance`` is an
    ``Unfolding``, it records the result; lost orders are marked, and if they leave nothing to do the unit has acted
    (TSE-ORD-04).

    >>> from tabletop.battle.dice import ScriptedDice
    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> [ordered(ScriptedDice([draw]), battle, battle.unit("arnaud"), "maneuver") for draw in (0.01, 0.99)]
    ['lost', 'received']
    """
    near = general_near(battle, unit)
    number, _ = chance.grade(f"orders: {kind}, {unit.id}", model.order_odds(unit, kind, near))
    result = model.ORDERS[number]
    if isinstance(chance, Unfolding):
        chance.tell("orders", {"action": kind, "result": result, "general": near}, unit.id, rules=("TSE-ORD-01",))
        if result == LOST:
            _lose(chance, unit.id)
    return result


def _lose(unfolding: Unfolding, unit: str) -> None:
    """Mark lost orders: the unit may still fire or regroup, but take no other orders (TSE-CMB-05, TSE-ORD-04).

    If the ruling ``lost_orders_leave_fire`` is off it may do nothing more and holds.
    """
    unfolding.mark(unit, lost_orders=True)
    leaves_fire = bool(unfolding.battle.rulings["lost_orders_leave_fire"])
    if not leaves_fire or not (may_regroup(unfolding.unit(unit)) or might_fire(unfolding.battle, unfolding.unit(unit))):
        acted(unfolding, unit)


def may_regroup(unit: Unit) -> bool:
    """Return whether the unit has anything to regroup from (TSE-ACT-90, TSE-REG-01, TSE-REG-06).

    >>> from tabletop.play.files.opened import open_battle
    >>> may_regroup(open_battle("starter").unit("arnaud"))
    False
    """
    return not unit.is_general and unit.status != "ok"


def might_fire(battle: Battle, unit: Unit) -> bool:
    """Return whether a shot may be possible: troops that fire, not in march column, with an enemy in range.

    False is certain; True is not, since arc and sight are not checked (TSE-ACT-50, TSE-ACT-93, TSE-FIR-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> might_fire(battle, battle.unit("kessler-guns")), might_fire(battle, battle.unit("zichy"))
    (True, False)
    """
    reach = troop(unit.troop).range
    if reach is None or unit.formation in MUTE or unit.status == "demoralized":
        return False
    limit = reach * battle.scale
    return any(battle.tape.at_most(distance_between(unit, enemy), limit) for enemy in battle.enemies(unit))


def movement_reasons(battle: Battle, action: Action) -> list[Reason]:
    """Return the quickly checked reasons whether a unit may take an ordered action now, whatever its path.

    It may not be demoralized (TSE-ACT-91), have lost its orders (TSE-CMB-05) or have moved already (TSE-CMB-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> reasons = movement_reasons(open_battle("starter"), Action("maneuver", "french", "arnaud"))
    >>> [reason.rule for reason in reasons if not reason.holds]
    ['TSE-TRN-04']
    """
    unit = battle.anyone(str(action.unit))
    return [*turn_reasons(battle, action), *standing_reasons(battle, unit)]


def standing_reasons(battle: Battle, unit: Unit) -> Sequence[Reason]:
    """Return the reasons for and against an ordered action that lie in the unit's own condition (TSE-ACT-91).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> [reason.text for reason in standing_reasons(battle, battle.unit("arnaud"))][:3]
    ['Arnaud: no general', 'Arnaud: on the table', 'Arnaud: in good order']
    """
    name = unit.called
    on_table, lost, moved = battle.has(unit.id), unit.marks.get("lost_orders"), unit.marks.get("may_fire")
    return (
        Reason("TSE-LDR-01", not unit.is_general, f"{name}: {'a general' if unit.is_general else 'no general'}"),
        Reason("TSE-ACT-80", on_table, f"{name}: {'on the table' if on_table else 'still to come, by a route march'}"),
        Reason("TSE-ACT-91", unit.status != "demoralized", f"{name}: {condition(unit)}"),
        Reason("TSE-CMB-05", not lost, f"{name}: orders {'lost' if lost else 'not lost'} this turn"),
        Reason(
            "TSE-CMB-03", not moved, f"{name}: {'moved already; only a shot is left' if moved else 'not moved yet'}"
        ),
    )


def condition(unit: Unit) -> str:
    """Return a unit's status as worded in a reason: a demoralized unit may only regroup (TSE-ACT-91).

    >>> from tabletop.play.files.opened import open_battle
    >>> condition(open_battle("starter").unit("arnaud"))
    'in good order'
    """
    if unit.status == "demoralized":
        return "demoralized; all it may do is regroup"
    return in_order(unit)
