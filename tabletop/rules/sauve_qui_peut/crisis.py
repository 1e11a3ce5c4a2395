"""The test at the end of each move: an army whose losses reach a new mark throws for every unit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tabletop.battle.battle import Battle
from tabletop.battle.event import Ended, Remembered
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.rules.common import base_losses
from tabletop.rules.common.keyed_option import given
from tabletop.rules.sauve_qui_peut.levels import BEFORE, BREAKS, TESTED, Levels, levels_of, reached


@dataclass(frozen=True)
class Host:
    """What a rule set provides to the module.

    ``units(battle, side)`` are the units that throw unless they are routing, in the order of their dice, without
    generals and messengers (SQP-TST-08). ``routs(unit)`` and ``steady(unit)`` return whether a unit is routing, and
    whether it is in good order. ``rout(unfolding, id)`` puts a unit to rout. ``shake(unfolding, id)`` disrupts one so
    that it retires facing the enemy until it is rallied. ``abandon(unfolding, id)`` lets a battery's crew run and
    returns whether the unit is a battery. ``rules`` are the rules cited for the test and for each number.
    """

    units: Callable[[Battle, str], Sequence[Unit]]
    routs: Callable[[Unit], bool]
    steady: Callable[[Unit], bool]
    rout: Callable[[Unfolding, str], None]
    shake: Callable[[Unfolding, str], None]
    abandon: Callable[[Unfolding, str], bool] = lambda unfolding, unit: False
    rules: tuple[str, str] = ("SQP-TST-02", "SQP-TST-03")


def open_the_battle(unfolding: Unfolding, sides: Sequence[str]) -> None:
    """Record what armies lost before the battle, and the marks so reached as already tested (option ``lost_before``).

    Source: SQP-TST-02, SQP-TST-09.

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("last-half-hour"))
    >>> base_losses.joined(unfolding, unfolding.battle.units)
    >>> open_the_battle(unfolding, ("french", "allied"))
    >>> dict(unfolding.battle.memory)
    {'army:allied': 44, 'army:french': 40, 'lost:french': 5, 'lost:allied': 8, 'crisis:allied': 1}
    """
    for side in sides:
        bases = int(given(unfolding.battle.setup.options, BEFORE, side) or 0)
        if bases:
            base_losses.before(unfolding, side, bases)
            past = reached(unfolding.battle, side, levels_of(unfolding.battle, side))
            if past:
                unfolding.happen(Remembered(TESTED + side, past))


def close_the_move(unfolding: Unfolding, host: Host, levels: Callable[[Battle, str], Levels] = levels_of) -> None:
    """Test every army at the end of a player turn, each for the highest mark it has newly reached (SQP-TST-01, -10).

    >>> from tabletop.battle.dice import ScriptedDice
    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.morale.crisis import SWITCHED_ON
    >>> unfolding = Unfolding(open_battle("last-half-hour"), ScriptedDice(rest=1000))
    >>> base_losses.joined(unfolding, unfolding.battle.units)
    >>> base_losses.count(unfolding, "french", 8)
    >>> close_the_move(unfolding, SWITCHED_ON)
    >>> unfolding.battle.memory[TESTED + "french"]
    2
    """
    for side in unfolding.battle.setup.sides:
        battle = unfolding.battle
        limits = levels(battle, side)
        now = reached(battle, side, limits)
        if now > int(battle.memory.get(TESTED + side, 0)):
            unfolding.happen(Remembered(TESTED + side, now))
            _test(unfolding, host, side, limits.percentage(now), limits.level(now))


def _test(unfolding: Unfolding, host: Host, side: str, percent: int, level: int) -> None:
    """Throw for every unit of an army that is not routing; above the level it fights on (SQP-TST-02, -03, -08)."""
    record = {"side": side, "percent": percent, "level": level}
    unfolding.tell("crisis", record, rules=host.rules[:1])
    for unit in host.units(unfolding.battle, side):
        if unfolding.battle.has(unit.id) and not host.routs(unfolding.unit(unit.id)):
            number = unfolding.die("crisis", 1000, (level // 2 + 2, level + 2)) - 1
            unfolding.tell("in crisis", {"die": number, "crisis": number <= level}, unit.id, None, host.rules[1:])
            if number <= level:
                _suffer(unfolding, host, unit.id, number <= level // 2)


def _suffer(unfolding: Unfolding, host: Host, name: str, deep: bool) -> None:
    """Carry out a crisis at once: the unit routs, or is disrupted and retires until rallied (SQP-TST-04, -05).

    The crew of a battery runs (SQP-TST-08); a unit that is already disrupted routs.
    """
    if host.abandon(unfolding, name):
        return
    if deep or not host.steady(unfolding.unit(name)):
        host.rout(unfolding, name)
    else:
        host.shake(unfolding, name)


def broken(battle: Battle, host: Host) -> tuple[str, ...]:
    """Return the armies with more units routing or gone than the share that the scenario allows (``army_breaks``)."""
    share = battle.setup.options.get(BREAKS)
    if share is None or share == "never":
        return ()
    return tuple(side for side in battle.setup.sides if _gone(battle, host, side) > float(share))


def _gone(battle: Battle, host: Host, side: str) -> float:
    """Return the percentage of an army's units that are routing or gone."""
    units = host.units(battle, side)
    fallen = [f for f in battle.fallen if f.unit.side == side and not f.unit.is_general]
    coming = [u for u in battle.awaited if u.side == side and not u.is_general]
    out = len(fallen) + sum(host.routs(unit) for unit in units)
    return 100.0 * out / max(1, len(units) + len(fallen) + len(coming))


def end_if_broken(unfolding: Unfolding, host: Host) -> bool:
    """End the battle if an army is broken; return whether it ended (option ``army_breaks``, SQP-BAS-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.morale.crisis import SWITCHED_ON
    >>> end_if_broken(Unfolding(open_battle("last-half-hour")), SWITCHED_ON)
    False
    """
    broken_sides = broken(unfolding.battle, host)
    if not broken_sides:
        return False
    survivors = [side for side in unfolding.battle.setup.sides if side not in broken_sides]
    unfolding.happen(Ended(survivors[0] if survivors else None, " ".join(("army-broken", *broken_sides))))
    return True
