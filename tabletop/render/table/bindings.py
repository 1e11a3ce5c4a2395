"""Key bindings: what each key does, and which keys the player has rebound.

Screens know only the default keys: a rebound key is translated back before a screen sees it, so that no screen needs
the settings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pygame

from tabletop.render.table.commands import COMMANDS
from tabletop.render.widgets.command_table import CommandTable


@dataclass(frozen=True)
class Binding:
    """A rebindable action: its name in the settings, its default key (pygame's name), and what it does."""

    name: str
    key: str
    does: str


def of(*tables: CommandTable) -> tuple[Binding, ...]:
    """Return the rebindable actions of some screens, each name once."""
    rebindable = {c.name: Binding(c.name, c.keys[0], c.does) for table in tables for c in table.rebindable}
    return tuple(rebindable.values())


BINDINGS: tuple[Binding, ...] = of(CommandTable(COMMANDS))
#: Keys that cannot be rebound; a digit chooses whatever has its number.
FIXED = frozenset(
    {*"0123456789", "escape", "return", "backspace", "delete", "left", "right", "up", "down", "left ctrl", "right ctrl",
     "left shift", "right shift", "left alt", "right alt", "left meta", "right meta"}
)  # fmt: skip


def in_use(keys: Mapping[str, str]) -> dict[str, str]:
    """Return the key of each action by name, given the rebound ones; fixed keys are ignored."""
    given = {name: key for name, key in keys.items() if key not in FIXED}
    return {b.name: given.get(b.name, b.key) for b in BINDINGS}


def clash(keys: Mapping[str, str], name: str, key: str) -> str:
    """Return why an action cannot be put on a key, as a sentence; "" if it can."""
    if not key or key in FIXED:
        return f"{shown(key) or 'That key'} stays what it is; press another key."
    taken = next((b for b in BINDINGS if b.name != name and in_use(keys)[b.name] == key), None)
    return f"{shown(key)} already does: {taken.does}. Put that elsewhere first, or press another key." if taken else ""


def changed(keys: Mapping[str, str], name: str, key: str) -> dict[str, str]:
    """Return the rebound keys after one more change; an action put back on its default key is dropped."""
    usual = {b.name: b.key for b in BINDINGS}
    return {n: k for n, k in {**keys, name: key}.items() if usual.get(n) not in (None, k)}


def shown(key: str) -> str:
    """Return a key's name as shown on the screen: T, Space, F1."""
    return key.capitalize() if len(key) > 1 else key.upper()


def usual(
    events: Sequence[pygame.event.Event], keys: Mapping[str, str], table: CommandTable | None = None
) -> list[pygame.event.Event]:
    """Return events with every rebound key replaced by the default key of its action on a screen with this table.

    The default key of a rebound action does nothing any more unless another action is bound to it. Actions a screen
    does not have leave its keys alone; without a table all actions count.
    """
    if not keys:
        return list(events)
    moved = _moved(keys, table)
    wanted = {_code(key): _code(b.key) for b, key in moved}
    vacated = {_code(b.key) for b, _ in moved} - set(wanted)
    return [_put_back(event, wanted, vacated) for event in events]


def rows(keys: Mapping[str, str], table: CommandTable | None = None) -> tuple[tuple[str, str], ...]:
    """Return the rows about rebound keys in a screen's sheet of keys."""
    return tuple((shown(key), f"{b.does}, instead of {shown(b.key)}") for b, key in _moved(keys, table))


def _moved(keys: Mapping[str, str], table: CommandTable | None) -> list[tuple[Binding, str]]:
    """Return a screen's rebound actions with their present keys."""
    names = {c.name for c in table.commands} if table is not None else {b.name for b in BINDINGS}
    return [(b, key) for b in BINDINGS if b.name in names and (key := in_use(keys)[b.name]) != b.key]


def _put_back(event: pygame.event.Event, wanted: Mapping[int, int], vacated: set[int]) -> pygame.event.Event:
    if event.type not in (pygame.KEYDOWN, pygame.KEYUP) or event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
        return event
    key = wanted.get(event.key, pygame.K_UNKNOWN if event.key in vacated else event.key)
    return event if key == event.key else pygame.event.Event(event.type, {**event.dict, "key": key})


def _code(key: str) -> int:
    try:
        return pygame.key.key_code(key)
    except ValueError:
        return pygame.K_UNKNOWN
