"""The module's part in a battle: losses before it, the test at the end of each move, and armies that break."""

from __future__ import annotations

from tabletop.battle.battle import Battle
from tabletop.battle.event import Ended, Remembered
from tabletop.battle.unfolding import Unfolding
from tabletop.rules.common import base_losses, crisis
from tabletop.rules.common.crisis import TESTED, Book, Host, reached
from tabletop.rules.common.keyed_option import given
from tabletop.rules.sauve_qui_peut.levels import BEFORE, BREAKS, chosen, levels_of

#: What the module says of the crisis, cited by its own rules; the crews of batteries run (SQP-TST-08).
BOOK = Book(levels_of, ("SQP-TST-02", "SQP-TST-03"), crews_run=True)


def open_the_battle(unfolding: Unfolding) -> None:
    """Record what armies lost before the battle, and the marks so reached as already tested (option ``lost_before``).

    Source: SQP-TST-02, SQP-TST-09.

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("last-half-hour"))
    >>> base_losses.joined(unfolding, unfolding.battle.units)
    >>> open_the_battle(unfolding)
    >>> [unfolding.battle.memory[note] for note in ("lost:french", "lost:allied", "crisis:allied")]
    [5, 8, 1]
    """
    for side in unfolding.battle.setup.sides:
        bases = int(given(unfolding.battle.setup.options, BEFORE, side) or 0)
        if bases:
            base_losses.before(unfolding, side, bases)
            past = reached(unfolding.battle, side, levels_of(unfolding.battle, side))
            if past:
                unfolding.happen(Remembered(TESTED + side, past))


def close_the_move(unfolding: Unfolding, host: Host) -> bool:
    """Test every army at the end of a player turn (SQP-TST-01); return whether the scenario switches the test on.

    >>> from tabletop.battle.dice import ScriptedDice
    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.morale.crisis import HOST
    >>> unfolding = Unfolding(open_battle("last-half-hour"), ScriptedDice(rest=1000))
    >>> base_losses.joined(unfolding, unfolding.battle.units)
    >>> base_losses.count(unfolding, "french", 8)
    >>> close_the_move(unfolding, HOST), unfolding.battle.memory[TESTED + "french"]
    (True, 2)
    """
    if not chosen(unfolding.battle):
        return False
    crisis.close_the_move(unfolding, host, BOOK)
    return True


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
    >>> from tabletop.rules.ages.morale.crisis import HOST
    >>> end_if_broken(Unfolding(open_battle("last-half-hour")), HOST)
    False
    """
    broken_sides = broken(unfolding.battle, host)
    if not broken_sides:
        return False
    survivors = [side for side in unfolding.battle.setup.sides if side not in broken_sides]
    unfolding.happen(Ended(survivors[0] if survivors else None, " ".join(("army-broken", *broken_sides))))
    return True
