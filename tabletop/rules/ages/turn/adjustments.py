"""The options of an action that a player may set: formation, distance back, which units join in, an order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.naming import amid
from tabletop.battle.unit import Unit
from tabletop.rules.ages.combat.judge import duties
from tabletop.rules.ages.command.formations import formations
from tabletop.rules.ages.command.orders import addressed
from tabletop.rules.ages.movement.costs import forming_cost
from tabletop.rules.ages.movement.layouts import formations as shapes
from tabletop.rules.ages.tables import STANCES, tables
from tabletop.rules.play import Adjustment


def adjustments(battle: Battle, action: Action) -> Sequence[Adjustment]:
    """Return the options of this action that a player may set; empty if it has none (ROC-FRM-01, ROC-MOV-06).

    >>> from tabletop.play.files.opened import open_battle
    >>> (choice,) = adjustments(open_battle("drill-ground"), Action("form", "prussian", "hussars"))
    >>> choice.values, choice.names
    (('column',), ('column, 0.5 of a move',))
    """
    maker = _MAKERS.get(action.kind)
    if maker is None or action.unit is None or not battle.has(action.unit):
        return ()
    return maker(battle, battle.unit(action.unit))


def _form(battle: Battle, unit: Unit) -> Sequence[Adjustment]:
    """Return the option of the formations it can change to, with the cost of each (ROC-FRM-01, ROC-FRM-03)."""
    prices = [(f, forming_cost(unit, f, battle.rulings)) for f in shapes(unit)]
    costs = [(f, cost) for f, cost in prices if cost is not None]
    if not costs:
        return ()
    names = tuple(f"{f}, {cost:g} of a move" for f, cost in costs)
    return (Adjustment("formation", "Formation", "formation", tuple(f for f, _ in costs), names, costs[0][0], True),)


def _back(battle: Battle, unit: Unit) -> Sequence[Adjustment]:
    """Return the option of the distance straight to the rear (ROC-MOV-06)."""
    return (Adjustment("distance", "Back", "back", usual=0.0, needed=True),)


def _allies(battle: Battle, unit: Unit) -> Sequence[Adjustment]:
    """Return the option of which other units take part in a combat (ROC-CBT-01, ROC-CBT-03)."""
    others = tuple(sorted(name for name in duties(battle, unit.side) if name != unit.id))
    return (Adjustment("with", "Together with", "units", others, usual=()),) if others else ()


def _order(battle: Battle, unit: Unit) -> Sequence[Adjustment]:
    """Return the options of what an order says, to which units or formations, and where (ROC-ORD-01, AGE-ORD-01)."""
    to = (*(u.id for u in addressed(battle, unit)), *formations(battle, unit))
    ground = battle.setup.objectives if tables(unit)["orders"].get("formations") else ()
    ids, names = tuple(o.id for o in ground), tuple(amid(o.name or o.id) for o in ground)
    where = (Adjustment("goal", "Where", "choice", (NOWHERE, *ids), ("no place", *names), NOWHERE),) if ground else ()
    return (
        Adjustment("stance", "Order", "choice", STANCES, STANCES, STANCES[0], True),
        Adjustment("to", "To", "units", to, usual=()),
        *where,
    )


#: The value of an order that names no place.
NOWHERE = ""

_MAKERS: dict[str, Callable[[Battle, Unit], Sequence[Adjustment]]] = {
    "form": _form,
    "withdraw": _back,
    "retreat": _back,
    "combat": _allies,
    "order": _order,
}
