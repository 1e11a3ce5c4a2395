"""Formations to which orders go: a general and those whose superior he is.

In Glaube they are wings, in Gloire brigades, in Destiny divisions.
"""

from __future__ import annotations

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.rules.ages.tables import arm, length, tables
from tabletop.rules.ages.turn.phases import fighters


def touching(battle: Battle, a: Unit, b: Unit) -> bool:
    """Return whether two units touch."""
    return battle.tape.at_most(distance_between(a, b), length(battle, "contact"))


def members(battle: Battle, name: str) -> tuple[str, ...]:
    """Return whom an order for a unit is for: itself, or a general and all under him who are on the table.

    Officers of his are not among them. Source: AGE-ORD-01, GLA-INF-03, GLO-ORD-02, DES-ORD-02.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("maida")
    >>> members(battle, "digonet"), members(battle, "1-23e-leger")
    (('digonet', '1-23e-leger', '2-23e-leger'), ('1-23e-leger',))
    """
    chief = battle.unit(name)
    if arm(chief) != "general" or not tables(chief)["orders"].get("formations"):
        return (name,)
    under = (u.id for u in battle.side(chief.side) if u.parent == name and arm(u) != "staff")
    return (name, *sorted(under))


def formations(battle: Battle, giver: Unit) -> tuple[str, ...]:
    """Return the generals whose formations an order of this giver may be for, in rule sets where orders go to them.

    A messenger may be sent to any of his side. A general must touch the formation's general or any of its units
    (AGE-ORD-02); with his own formation he touches one of its units.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("schellenberg")
    >>> [formations(battle, battle.unit(name)) for name in ("marlborough", "goor", "darco")]
    [('marlborough',), ('goor',), ()]
    """
    if not tables(giver)["orders"].get("formations") or arm(giver) not in ("staff", "general"):
        return ()
    chiefs = [u for u in battle.side(giver.side) if arm(u) == "general" and len(members(battle, u.id)) > 1]
    return tuple(sorted(u.id for u in chiefs if arm(giver) == "staff" or _with(battle, giver, u)))


def _with(battle: Battle, giver: Unit, chief: Unit) -> bool:
    """Return whether a general touches a formation's general, or any of its troops."""
    own = {unit.id for unit in fighters(battle, chief.side)}.intersection(members(battle, chief.id))
    near = (battle.unit(name) for name in own)
    return (chief.id != giver.id and touching(battle, giver, chief)) or any(touching(battle, giver, u) for u in near)
