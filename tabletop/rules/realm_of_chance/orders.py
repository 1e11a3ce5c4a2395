"""Orders by messenger: staff officers ride from their general to the units, and back."""

from __future__ import annotations

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.common.ruled import either, ruled
from tabletop.rules.realm_of_chance.moving import make_move
from tabletop.rules.realm_of_chance.tables import arm, length, tables
from tabletop.rules.realm_of_chance.turn import MOVEMENT_PHASE, phase_reasons

#: What an order may tell a unit to do (reconstruction: the rulebook leaves its words to the players).
STANCES = ("advance", "hold", "attack", "support", "withdraw")


def touching(battle: Battle, a: Unit, b: Unit) -> bool:
    """Return whether two units touch."""
    return battle.tape.at_most(distance_between(a, b), length("contact"))


def judge_order(battle: Battle, action: Action) -> Verdict:
    """Say whether a general may hand this officer an order (options ``stance``, ``to``) (ROC-ORD-01, ROC-ORD-02).

    The officer stands with him, and has delivered what he carried before.
    """
    reasons = phase_reasons(battle, action, MOVEMENT_PHASE)
    officer = battle.unit(str(action.unit))
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
    return ruled(battle, action, reasons)


def _general(battle: Battle, officer: Unit) -> Unit | None:
    """Return a general the officer stands with: his own if he has one (ROC-ORD-02)."""
    there = [g for g in battle.side(officer.side) if arm(g) == "general" and touching(battle, g, officer)]
    return next((g for g in there if officer.parent in (None, g.id)), None)


def remarks(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """Return the order a unit has, or a staff officer carries (ROC-ORD-01)."""
    carried, own = unit.marks.get("carries"), unit.marks.get("order")
    to = " and ".join(battle.called(name) for name in carried["to"]) if carried else ""
    has = (f"carries the order to {carried['stance']} for {to}",) if carried else ()
    return (*has, f"ordered to {own}") if own else has


def give(unfolding: Unfolding, action: Action) -> None:
    """Hand an order over (ROC-ORD-01)."""
    order = {"stance": str(action.options["stance"]), "to": tuple(map(str, action.options["to"]))}
    unfolding.mark(str(action.unit), carries=order)
    unfolding.tell("order given", order, action.unit, rules=("ROC-ORD-01",))


def ride(unfolding: Unfolding, action: Action) -> None:
    """Ride; a staff officer who reaches units he has an order for gives it: a die, 1 is lost (ROC-ORD-01)."""
    make_move(unfolding, action)
    deliver(unfolding, str(action.unit))


def deliver(unfolding: Unfolding, rider: str) -> None:
    """Give the order to every unit addressed that the officer touches; with the last one he has done (ROC-ORD-02)."""
    officer = unfolding.unit(rider)
    order = officer.marks.get("carries")
    if not order:
        return
    left = [name for name in order["to"] if unfolding.battle.has(name)]
    for name in list(left):
        if touching(unfolding.battle, officer, unfolding.unit(name)):
            _understood(unfolding, rider, name, str(order["stance"]))
            left.remove(name)
    if tuple(left) != tuple(order["to"]):
        carried = {"stance": order["stance"], "to": tuple(left)} if left else None
        unfolding.mark(rider, carries=carried)


def _understood(unfolding: Unfolding, rider: str, unit: str, stance: str) -> None:
    face = unfolding.die("order")
    good = face >= int(tables()["orders"]["understood"])
    unfolding.tell("order", {"die": face, "understood": good, "stance": stance}, rider, unit, ("ROC-ORD-01",))
    if good:
        unfolding.mark(unit, order=stance)
