"""The crisis of morale: an army whose losses reach a mark for the first time throws for every unit."""

from __future__ import annotations

from tabletop.battle.event import Changed, Remembered
from tabletop.battle.unfolding import Unfolding
from tabletop.rules.ages.morale.effects import disrupt, rout
from tabletop.rules.ages.morale.status import OK, ROUTING
from tabletop.rules.ages.tables import tables
from tabletop.rules.ages.throws import throw
from tabletop.rules.ages.turn import losses
from tabletop.rules.ages.turn.phases import fighters

NOTE = "crisis:"


def close_the_move(unfolding: Unfolding) -> None:
    """Test both armies at the end of a player turn, each for the highest mark it has newly reached (AGE-CRI-02)."""
    battle = unfolding.battle
    if not battle.rulings["crisis_of_morale"]:
        return
    for side in battle.setup.sides:
        reached = losses.reached(unfolding.battle, side)
        if reached > int(battle.memory.get(NOTE + side, 0)):
            unfolding.happen(Remembered(NOTE + side, reached))
            _test(unfolding, side, reached)


def _test(unfolding: Unfolding, side: str, reached: int) -> None:
    """Throw for every unit of an army that does not rout: a number up to the level is a crisis (AGE-CRI-03)."""
    data = tables(unfolding.battle)["crisis"]
    level, percent = int(data["levels"][reached - 1]), int(data["marks"][reached - 1])
    record = {"side": side, "percent": percent, "level": level}
    unfolding.tell("crisis", record, rules=("AGE-CRI-02",))
    for unit in fighters(unfolding.battle, side):
        if unfolding.battle.has(unit.id) and unfolding.unit(unit.id).status != ROUTING:
            number = throw(unfolding.battle, unfolding, "crisis", (level // 2 + 1, level + 1))
            unfolding.tell("in crisis", {"die": number, "crisis": number <= level}, unit.id, None, ("AGE-CRI-03",))
            _suffer(unfolding, unit.id, number, level)


def _suffer(unfolding: Unfolding, name: str, number: int, level: int) -> None:
    """Put a unit to rout, or disrupt it so that it retires until it is rallied (AGE-CRI-04; reconstruction)."""
    if number > level:
        return
    if number <= level // 2 or unfolding.unit(name).status != OK:
        rout(unfolding, name)
    else:
        disrupt(unfolding, name)
        unfolding.happen(Changed(name, marks={"retiring": True}))
