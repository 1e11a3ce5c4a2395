"""Short descriptions of battles and games, mainly for the start screen."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

from tabletop.battle.battle import Battle
from tabletop.battle.naming import capital, how_many, side_name
from tabletop.battle.unit import Unit
from tabletop.play.environment import noun
from tabletop.play.narration import outcome
from tabletop.play.players import PLAYERS
from tabletop.play.saves.library import Kept
from tabletop.rules import rule_set
from tabletop.rules.common import modules


def rules_title(battle: Battle) -> str:
    """Return the display name of the rules a battle is played by, and of the modules its scenario switches on.

    >>> from tabletop.play.files.opened import open_battle
    >>> [rules_title(open_battle(name)) for name in ("lancers", "last-half-hour")]
    ['Age of Destiny', 'Age of Destiny with Sauve qui peut']
    """
    title, added = rule_set.find(battle.rules).title, modules.titles(battle)
    return f"{title} with {' and '.join(added)}" if added else title


def sides(battle: Battle) -> list[tuple[str, str]]:
    """Return each side, the attacker first, with its role: "French attack", "Austrian defence"."""
    attacker = battle.setup.attacker
    if attacker is None:
        return [(side, side_name(side)) for side in battle.setup.sides]
    roles = {True: "attack", False: "defence"}
    return [(side, f"{side_name(side)} {roles[side == attacker]}") for side in battle.setup.sides]


def size(battle: Battle) -> str:
    """Return the size and length of a battle: "58 units, 6 turns from 15:30", "8 ships, 12 turns"."""
    count = sum(not unit.is_general for unit in (*battle.units, *battle.awaited))
    setup = battle.setup
    turns = how_many(setup.turns, "turn") if setup.turns else "no set number of turns"
    starts = f" from {setup.starts}" if setup.starts else ""
    return f"{how_many(count, noun(battle))}, {turns}{starts}"


def forces(battle: Battle) -> str:
    """Return each side's number of units, or ships: "French 18 units, 2 of them come later; Allied 25 units"."""
    counts = []
    for side in battle.setup.sides:
        present = sum(not unit.is_general for unit in battle.units if unit.side == side)
        later = sum(not unit.is_general for unit in battle.awaited if unit.side == side)
        units = how_many(present + later, noun(battle))
        coming = f", {later} of them come{'s' if later == 1 else ''} later" if later else ""
        counts.append(f"{side_name(side)} {units}{coming}")
    return "; ".join(counts)


def turn(battle: Battle, mover: str | None = None) -> str:
    """Return the state of a battle: its turn and the side to move if known, or how it ended."""
    if battle.outcome is not None:
        return outcome(battle.outcome.winner, battle.outcome.how, battle.setup.sides)
    last = f" of {battle.setup.turns}" if battle.setup.turns else ""
    return f"Turn {max(1, battle.clock.turn)}{last}" + (f", {side_name(mover)} to move" if mover else "")


def seats(game: Kept) -> str:
    """Return the opponents and their players: "French (a person) against Allied (computer: Greedy)"."""
    return " against ".join(f"{side_name(s)} ({seat(game.players, s)})" for s in game.battle.setup.sides)


def seat(players: Mapping[str, str], side: str) -> str:
    """Return who plays a side, in short."""
    name = players.get(side, "human")
    kind = PLAYERS.get(name)
    return "a person" if kind is not None and kind.make is None else f"computer, {name}"


def player_label(name: str) -> str:
    """Return the label of a kind of player in a list."""
    kind = PLAYERS[name]
    return capital(kind.label) if kind.make is None else f"Computer, {kind.label}"


def when(moment: datetime, now: datetime) -> str:
    """Return a time in everyday words: "today, 14:05", "16 November 2026, 14:05"."""
    clock = f"{moment:%H:%M}"
    if moment.date() == now.date():
        return f"today, {clock}"
    if moment.date() == (now - timedelta(days=1)).date():
        return f"yesterday, {clock}"
    return f"{moment.day} {moment:%B %Y}, {clock}"


def place(path: Path) -> str:
    """Return a path for display, from the user's home folder on if it lies there."""
    try:
        return str(Path("~") / path.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return str(path)


def state(battle: Battle, unit: Unit) -> str:
    """Return a unit's state in a few words."""
    if not battle.has(unit.id):
        return "still to come on"
    if unit.is_general:
        return unit.troop.replace("-", " ")
    parts = [unit.formation.replace("-", " ")]
    parts += [] if unit.in_order else [unit.status]
    return ", ".join(part for part in parts if part)
