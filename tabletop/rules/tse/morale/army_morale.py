"""Army morale: an army that has lost half its units may break, which ends the battle (TSE-MOR)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.event import Ended, Remembered
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.rules.tse.calculator.calculator import army_morale
from tabletop.rules.tse.calculator.model import break_chance

#: Prefixes of notes kept for one turn: a unit of the side was destroyed or demoralized; the side's morale was checked.
SHAKEN, CHECKED = "turn:shaken:", "turn:morale:"
RANKS = ("army", "corps", "division")


def shaken(unfolding: Unfolding, unit: Unit) -> None:
    """Note that a unit was destroyed, even if demoralized before, or demoralized this turn (TSE-MOR-03)."""
    key = SHAKEN + unit.side
    if not unit.is_general and key not in unfolding.battle.memory:
        unfolding.happen(Remembered(key, True))


def state(battle: Battle, side: str) -> dict[str, Any]:
    """Return an army's morale form: units destroyed, demoralized and in all, and whether its senior general is lost.

    The number of units includes those fallen and still to come, but no generals (TSE-MOR-01, TSE-UNI-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> state(open_battle("starter"), "french")
    {'destroyed': 0, 'demoralized_units': 0, 'units': 7, 'senior_lost': False}
    """
    on_table = [u for u in battle.side(side) if not u.is_general]
    coming = [u for u in battle.awaited if u.side == side and not u.is_general]
    destroyed = [f for f in battle.fallen if f.unit.side == side and not f.unit.is_general]
    return {
        "destroyed": len(destroyed),
        "demoralized_units": sum(u.status == "demoralized" for u in on_table),
        "units": len(on_table) + len(coming) + len(destroyed),
        "senior_lost": senior_lost(battle, side),
    }


def senior_lost(battle: Battle, side: str) -> bool:
    """Return whether an army has lost its highest general, with none of his rank or higher left (TSE-LDR-09)."""
    ranks_left = [u.rank for u in (*battle.side(side), *battle.awaited) if u.side == side and u.is_general]
    lost = [f.unit.rank for f in battle.fallen if f.unit.side == side and f.unit.is_general]
    return bool(lost) and min(map(RANKS.index, lost)) < min(map(RANKS.index, ranks_left), default=len(RANKS))


def breaking(form: Mapping[str, Any]) -> float:
    """Return the chance (0 to 1) that an army with this form breaks; 0 below half (TSE-MOR-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> breaking(state(open_battle("starter"), "french"))
    0.0
    """
    units, destroyed = int(form["units"]), int(form["destroyed"])
    lost = destroyed + int(form["demoralized_units"])
    return break_chance(lost / units, bool(form["senior_lost"]), destroyed / units) if units else 0.0


def check(unfolding: Unfolding, at_end_of_turn: bool = False) -> None:
    """Check the morale of every army that is due, before any result applies (TSE-MOR-02, TSE-MOR-03, TSE-MOR-05).

    An army that has lost half or more is due if another unit was destroyed or demoralized this turn, once a turn. It
    checks at once or, if the ruling ``morale_check_at_once`` is off, at the end of the turn (TSE-MOR-04).

    >>> from tabletop.play.files.opened import open_battle
    >>> check(unfolding := Unfolding(open_battle("starter")), at_end_of_turn=True)
    >>> unfolding.battle.over
    False
    """
    battle = unfolding.battle
    if battle.over or not (battle.rulings["morale_check_at_once"] or at_end_of_turn):
        return
    broken = [side for side in battle.setup.sides if due(battle, side) and _breaks(unfolding, side)]
    if broken:
        winner = battle.setup.other(broken[0]) if len(broken) == 1 else None
        unfolding.happen(Ended(winner, f"army-broken {' '.join(broken)}"))


def due(battle: Battle, side: str) -> bool:
    """Return whether an army must check its morale now (TSE-MOR-01..03)."""
    fresh = SHAKEN + side in battle.memory and CHECKED + side not in battle.memory
    return fresh and breaking(state(battle, side)) > 0.0


def _breaks(unfolding: Unfolding, side: str) -> bool:
    form = state(unfolding.battle, side)
    result = army_morale(form, unfolding)
    unfolding.happen(Remembered(CHECKED + side, True))
    unfolding.tell("morale", {"side": side, "form": form, "result": result}, rules=("TSE-MOR-01",))
    return result == "breaks"
