"""Which enemies lancers have newly come into contact with: only then do they fight with the strength of medium cavalry.

Contact counts as new again after a full turn without it (DES-CAV-02).
"""

from __future__ import annotations

from tabletop.battle.battle import Battle
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, distance_between
from tabletop.rules.ages.tables import length, troop_of


def note_contacts(unfolding: Unfolding, before: Unit) -> None:
    """Mark the enemies that lancers have newly come into contact with by a move or a pursuit (DES-CAV-02).

    ``before`` is the unit as it stood before; nothing is marked for other troops.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("lancers")
    >>> unfolding = Unfolding(battle.with_unit(battle.unit("lancers").moved(0.0, 122.5)))
    >>> note_contacts(unfolding, battle.unit("lancers"))
    >>> unfolding.unit("lancers").marks
    {'contacts': ('hanoverians',), 'met': {'hanoverians': 0}}
    """
    if not troop_of(before).contact:
        return
    battle, after = unfolding.battle, unfolding.unit(before.id)
    touched_before, touched_now = _touched(battle, before), _touched(battle, after)
    turn, last = battle.clock.turn, before.marks.get("met", {})
    fresh = tuple(e for e in touched_now if e not in touched_before and turn - int(last.get(e, turn - 2)) > 1)
    if touched_before or touched_now:
        unfolding.mark(
            before.id, contacts=fresh or None, met={**last, **dict.fromkeys((*touched_before, *touched_now), turn)}
        )


def contacts_last(unfolding: Unfolding) -> None:
    """Note for all lancers which enemies they touch now, whether they moved this turn or stood (DES-CAV-02).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("lancers")
    >>> contacts_last(unfolding := Unfolding(battle.with_unit(battle.unit("lancers").moved(0.0, 122.5))))
    >>> unfolding.unit("lancers").marks
    {'met': {'hanoverians': 0}}
    """
    battle = unfolding.battle
    for unit in battle.units:
        if not unit.is_general and troop_of(unit).contact:
            last = unit.marks.get("met", {})
            met = {**last, **dict.fromkeys(_touched(battle, unit), battle.clock.turn)}
            if met != last:
                unfolding.mark(unit.id, met=met)


def _touched(battle: Battle, unit: Unit) -> tuple[str, ...]:
    near = length(battle, "contact")
    return tuple(e.id for e in battle.enemies(unit) if battle.tape.at_most(distance_between(unit, e), near))
