"""Generals under fire: a general who helps troops in combat or under artillery fire must first survive it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.battle.event import Removed
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.rules.ages.combat.judge import Fight
from tabletop.rules.ages.command.generals import generals_with
from tabletop.rules.ages.tables import tables
from tabletop.rules.ages.throws import throw
from tabletop.rules.ages.turn.simultaneous import in_sequence

#: The fates of a general under fire, worst first; with the first three he gives no help this turn (AGE-RAL-08).
FATES = ("killed", "wounded", "shaken", "unhurt")


def fates(fight: Fight, chance: Chance) -> tuple[tuple[str, str, int], ...]:
    """Return (general, fate, number) for each general of either side who would help in a combat (AGE-RAL-08).

    Each is tested once a turn; rule sets without such a test return nothing. Nobody helps where nothing modifies the
    throw, as of cavalry alone at a square (AGE-SQR-07).
    """
    ruled = bool(fight.battle.rulings.get("square_uses_modifiers"))
    modified = bool(fight.foot) or ruled
    defends = (fight.defender,) if modified and fight.battle.rulings["generals"] == "both" else ()
    helped = (*fight.foot, *(fight.horse if ruled else ()), *defends)
    return _drawn(fight.battle, [g for u in helped for g in generals_with(fight.battle, u)], chance)


def _drawn(battle: Battle, generals: Sequence[Unit], chance: Chance) -> tuple[tuple[str, str, int], ...]:
    """Return the fates of generals not yet tested this turn, each once, in the order of their throws."""
    data = tables(battle).get("under_fire")
    if data is None:
        return ()
    by_id = {g.id: g for g in generals}
    untested = [g for g in by_id.values() if g.marks.get("tested") != battle.clock.turn]
    drawn = []
    for general in in_sequence(battle, untested):
        limits = [int(data[fate]) for fate in FATES[:-1]]
        number = throw(battle, chance, "under fire", limits)
        drawn.append((general.id, FATES[sum(number >= limit for limit in limits)], number))
    return tuple(drawn)


def expose(unfolding: Unfolding, name: str) -> None:
    """Mark a unit as fired at or attacked: a general who rallies it in its next rally phase is under fire (AGE-RAL-08).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("a-hundred-millimetres"))
    >>> expose(unfolding, "line")
    >>> unfolding.unit("line").marks
    {'exposed': True}
    """
    if unfolding.battle.has(name) and "under_fire" in tables(unfolding.battle):
        unfolding.mark(name, exposed=True)


def before_rally(unfolding: Unfolding, unit: Unit) -> None:
    """Test the generals who would rally a unit fired at or attacked since its last rally phase (AGE-RAL-08).

    >>> from tabletop.battle.dice import ScriptedDice
    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("waterloo-evening"), ScriptedDice([1]))
    >>> unfolding.mark("51e-ligne", exposed=True)
    >>> before_rally(unfolding, unfolding.unit("51e-ligne"))
    >>> unfolding.battle.has("donzelot")
    False
    """
    if unit.marks.get("exposed"):
        test_generals(unfolding, unit)


def test_generals(unfolding: Unfolding, unit: Unit) -> None:
    """Test the generals who would help a unit to rally under fire or to stay in hand (AGE-RAL-08, AGE-CTL-01)."""
    apply(unfolding, _drawn(unfolding.battle, generals_with(unfolding.battle, unit), unfolding))


def after(fight: Fight, drawn: tuple[tuple[str, str, int], ...]) -> Fight:
    """Return the combat without the help of generals who did not come through unhurt (AGE-RAL-08).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.combat.judge import fight_of
    >>> fight = fight_of(open_battle("drill-ground"), ["french-1"], "prussian-1")
    >>> sorted(after(fight, (("colonel", "shaken", 120), ("brigadier", "unhurt", 800))).out)
    ['colonel']
    """
    return replace(fight, out=frozenset(name for name, fate, _ in drawn if fate != "unhurt")) if drawn else fight


def apply(unfolding: Unfolding, drawn: tuple[tuple[str, str, int], ...]) -> None:
    """Apply the fates of the generals at once; killed or wounded ones leave the table (AGE-RAL-08)."""
    for name, fate, number in drawn:
        unfolding.tell("under fire", {"die": number, "result": fate}, name, rules=("AGE-RAL-08",))
        turn = unfolding.battle.clock.turn
        if fate in ("killed", "wounded"):
            unfolding.happen(Removed(name, fate))
        else:
            unfolding.mark(name, tested=turn, shaken=turn if fate == "shaken" else None)
