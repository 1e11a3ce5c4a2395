"""How a battle of the Ages is won: by holding the field, by ground the scenario names, by fewer casualties."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.event import Ended
from tabletop.battle.naming import side_name
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import heading
from tabletop.rules.ages.morale.edges import EDGES, bearing_home
from tabletop.rules.ages.morale.status import ROUTING, organised
from tabletop.rules.ages.tables import ARTILLERY, CAVALRY, INFANTRY, arm, tables
from tabletop.rules.ages.turn import losses
from tabletop.rules.ages.turn.phases import fighters
from tabletop.rules.common import ground_held
from tabletop.rules.common.endings import last_standing
from tabletop.rules.common.keyed_option import given
from tabletop.rules.sauve_qui_peut.levels import or_break_it


def margin_name(battle: Battle, difference: float | Fraction) -> str:
    """Return the name of a difference in casualties (hundredths); limits belong to the lower class (AGE-WIN-02)."""
    margins = tables(battle)["victory"]["margins"]
    return str(next((name for most, name in margins if difference <= most), margins[-1][1]))


def standing(battle: Battle) -> tuple[str | None, float, str]:
    """Return the side with fewer casualties (None for a draw), its lead in hundredths, and its name (AGE-WIN-02)."""
    a, b = battle.setup.sides
    lead = _share_lost(battle, b) - _share_lost(battle, a)
    name = margin_name(battle, abs(lead))
    leader = a if lead > 0 else b
    return (None if name == "draw" else leader), float(abs(lead)), name


def _share_lost(battle: Battle, side: str) -> Fraction:
    """Return the exact share of an army that is lost, in hundredths, so that a shared end is met exactly."""
    return Fraction(100 * losses.lost(battle, side), max(1, losses.army(battle, side)))


def _in_hand(unit: Unit) -> bool:
    return unit.status != ROUTING


def stands(battle: Battle, side: str) -> bool:
    """Return whether a side has a unit on the table that is not routing, or one still to come (AGE-WIN-01)."""
    coming = any(u.side == side and not u.is_general for u in battle.awaited)
    return coming or any(_in_hand(unit) for unit in fighters(battle, side))


def won(battle: Battle, enemy: str) -> str:
    """Return a sentence saying how a battle is won against a side (AGE-WIN-01, AGE-WIN-02).

    >>> from tabletop.play.files.opened import open_battle
    >>> won(open_battle("rossbach"), "allied")
    'Rout the whole Allied army, or lose a smaller part of yours than they of theirs when turn 18 ends.'
    """
    last = f"when turn {battle.setup.turns} ends" if battle.setup.turns else "at the end"
    goals = " or ".join(_goals(battle, battle.setup.other(enemy)))
    hold = f"{goals[0].upper()}{goals[1:]} {last}, or rout" if goals else "Rout"
    army = f"the whole {side_name(enemy)} army{or_break_it(battle)}"
    return f"{hold} {army}, or lose a smaller part of yours than they of theirs {last}."


def _goals(battle: Battle, side: str) -> Iterator[str]:
    """Yield what a side may do on the ground to win, in words (AGE-WIN-01)."""
    ground, wanted = " and ".join(o.name or o.id for o in battle.setup.objectives), needed(battle, side)
    if ground and wanted != 0:
        troops = "battalions" if battle.setup.options.get("ground_infantry") else "units"
        yield f"hold {ground}" + ("" if wanted in (None, 1) else f" with {wanted} {troops} in good order")
    far = given(battle.setup.options, "beyond", side)
    if far is not None and far != "nowhere":
        units = given(battle.setup.options, "beyond_units", side) or 1
        edge = next(name for name, way in EDGES.items() if way == bearing_home(battle, side))
        yield f"have {units} unit{'' if units == 1 else 's'} in good order {far:g} mm from the {edge} edge"


def needed(battle: Battle, side: str) -> int | None:
    """Return how many units in good order a side needs on the ground to win by it, None for any unit not routing.

    Source: AGE-WIN-01.
    """
    ground_units = given(battle.setup.options, "ground_units", side)
    return None if ground_units is None or ground_units == "any" else int(ground_units)


def far_enough(battle: Battle, side: str) -> bool:
    """Return whether a side has as many units in good order as far from its own edge as the scenario asks (AGE-WIN-01).

    The options ``beyond`` (mm, to the middle of a unit) and ``beyond_units`` say so; False without them.

    >>> from tabletop.play.files.opened import open_battle
    >>> [far_enough(open_battle("maida"), side) for side in ("french", "british")]
    [False, False]
    """
    far = given(battle.setup.options, "beyond", side)
    if far is None or far == "nowhere":
        return False
    (fx, fy), table = heading(bearing_home(battle, side)), battle.table
    edge = max(0.0, fx) * table.width + max(0.0, fy) * table.height
    gone = (edge - unit.at[0] * fx - unit.at[1] * fy for unit in fighters(battle, side) if organised(unit))
    return sum(battle.tape.at_least(distance, float(far)) for distance in gone) >= (
        given(battle.setup.options, "beyond_units", side) or 1
    )


def _enough(battle: Battle, side: str) -> bool:
    """Return whether a side that stands on all of the ground has enough units in good order there."""
    wanted = needed(battle, side)
    if wanted is None:
        return True
    places = [(shapely.Point(o.at), o.radius) for o in battle.setup.objectives]
    arms = (INFANTRY,) if battle.setup.options.get("ground_infantry") else (INFANTRY, CAVALRY, ARTILLERY)
    holders = [
        unit
        for unit in fighters(battle, side)
        if organised(unit)
        and arm(unit) in arms
        and any(battle.tape.at_most(p.distance(unit.footprint), radius) for p, radius in places)
    ]
    return 0 < wanted <= len(holders)


def settled(unfolding: Unfolding) -> bool:
    """End the battle if a whole army routs, or after the last turn; return whether it ended (AGE-WIN-01, -02).

    If one side alone holds all of the scenario's ground at the end, or alone has gone as far as it asks, it wins; else
    the casualties are compared.

    >>> from tabletop.play.files.opened import open_battle
    >>> settled(Unfolding(open_battle("lancers")))
    False
    """
    battle = unfolding.battle
    sides_standing = [side for side in battle.setup.sides if stands(battle, side)]
    if last_standing(unfolding, sides_standing):
        return True
    ground_held.take_ground(unfolding, _in_hand)
    battle, turns = unfolding.battle, battle.setup.turns
    if turns is None or battle.clock.turn < turns or battle.clock.side != battle.setup.sides[-1]:
        return False
    holder = _holds_all(battle)
    holder = holder if holder is not None and _enough(battle, holder) else None
    reached = {side for side in battle.setup.sides if side == holder or far_enough(battle, side)}
    winner, difference, name = standing(battle)
    if len(reached) == 1:
        unfolding.happen(Ended(reached.pop(), "ground"))
    else:
        unfolding.happen(Ended(winner, f"casualties {name} {difference:.1f}"))
    return True


def _holds_all(battle: Battle) -> str | None:
    """Return the side that alone stands on all of the scenario's ground; None if there is none."""
    occupiers = [ground_held.standing_at(battle, o, _in_hand) for o in battle.setup.objectives]
    return (
        occupiers[0][0] if occupiers and all(len(sides) == 1 and sides == occupiers[0] for sides in occupiers) else None
    )
