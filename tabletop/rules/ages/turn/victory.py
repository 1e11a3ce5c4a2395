"""How a battle of the Ages is won: by holding the field, by ground the scenario names, by fewer casualties."""

from __future__ import annotations

from fractions import Fraction

from tabletop.battle.battle import Battle
from tabletop.battle.event import Ended
from tabletop.battle.naming import capital, side_name
from tabletop.battle.unfolding import Unfolding
from tabletop.rules.ages.tables import tables
from tabletop.rules.ages.turn import goals, losses
from tabletop.rules.ages.turn.phases import fighters
from tabletop.rules.common import ground_held, modules
from tabletop.rules.common.endings import last_standing


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


def stands(battle: Battle, side: str) -> bool:
    """Return whether a side has a unit on the table that is not routing, or one still to come (AGE-WIN-01)."""
    coming = any(u.side == side and not u.is_general for u in battle.awaited)
    return coming or any(goals.in_hand(unit) for unit in fighters(battle, side))


def won(battle: Battle, enemy: str) -> str:
    """Return a sentence saying how a battle is won against a side (AGE-WIN-01, AGE-WIN-02).

    >>> from tabletop.play.files.opened import open_battle
    >>> won(open_battle("rossbach"), "allied")
    'Rout the whole Allied army, or lose a smaller part of yours than they of theirs when turn 18 ends.'
    >>> won(open_battle("ford"), "imperial").split(", ")[0]
    'Hold Lössdorf and have 1 unit in good order 460 mm from the south edge when turn 12 ends'
    """
    last = f"when turn {battle.setup.turns} ends" if battle.setup.turns else "at the end"
    side, denying = battle.setup.other(enemy), goals.deniers(battle)
    means = [f"{text} {last}" for text in (goals.wording(battle, side),) if text]
    if side in denying:
        means.append(f"do not let the {side_name(enemy)} side {goals.wording(battle, enemy)} {last}")
    means.append(f"rout the whole {side_name(enemy)} army{modules.also_won(battle)}")
    if len(denying) != 1 or goals.ways(battle, denying[0]):
        means.append(f"lose a smaller part of yours than they of theirs {last}")
    return f"{capital(', or '.join(means))}."


def settled(unfolding: Unfolding) -> bool:
    """End the battle if a whole army routs, or after the last turn; return whether it ended (AGE-WIN-01, -02).

    If one side alone has reached its goals on the ground at the end, it wins; if neither has, a side that is to deny
    the enemy his; else the casualties are compared.

    >>> from tabletop.play.files.opened import open_battle
    >>> settled(Unfolding(open_battle("lancers")))
    False
    """
    battle = unfolding.battle
    sides_standing = [side for side in battle.setup.sides if stands(battle, side)]
    if last_standing(unfolding, sides_standing):
        return True
    ground_held.take_ground(unfolding, goals.in_hand)
    battle, turns = unfolding.battle, battle.setup.turns
    if turns is None or battle.clock.turn < turns or battle.clock.side != battle.setup.sides[-1]:
        return False
    unfolding.happen(result(battle))
    return True


def result(battle: Battle) -> Ended:
    """Return how a battle in which both sides stand would end if it ended now (AGE-WIN-01, AGE-WIN-02).

    >>> from tabletop.play.files.opened import open_battle
    >>> result(open_battle("ford")), result(open_battle("lancers")).winner
    (Ended(winner='imperial', how='ground denied to swedish'), None)
    """
    winners, denying = [side for side in battle.setup.sides if goals.reached(battle, side)], goals.deniers(battle)
    if len(winners) == 1:
        return Ended(winners[0], "ground")
    if not winners and len(denying) == 1:
        return Ended(denying[0], f"ground denied to {battle.setup.other(denying[0])}")
    winner, difference, name = standing(battle)
    return Ended(winner, f"casualties {name} {difference:.1f}")


def winning(battle: Battle) -> str | None:
    """Return the side that would win if the battle ended now, None for a draw (AGE-WIN-01, AGE-WIN-02).

    >>> from tabletop.play.files.opened import open_battle
    >>> winning(open_battle("ford"))
    'imperial'
    """
    return result(battle).winner
