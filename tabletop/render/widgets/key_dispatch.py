"""Finds the command of a table for a key."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import pygame

from tabletop.render.widgets.command_table import Command, CommandTable

#: With one of these held a key has another meaning.
HELD = pygame.KMOD_CTRL | pygame.KMOD_META


def press_key(window: Any, table: CommandTable, event: pygame.event.Event) -> None:
    """Run the command of a key in a window, if any; with Ctrl a key that has no Ctrl command works as without."""
    known = by_code(table)
    command = (known.get((event.key, True)) if event.mod & HELD else None) or known.get((event.key, False))
    if command is not None:
        act(window, command, event)


def act(window: Any, command: Command, event: pygame.event.Event) -> None:
    """Run a command by key, with Shift or without."""
    command.act(window, command.word.partition(":")[2], bool(event.mod & pygame.KMOD_SHIFT))


@cache
def by_code(table: CommandTable) -> Mapping[tuple[int, bool], Command]:
    """Return the commands of a table by pygame's key code and whether Ctrl is held."""
    return {_code(key): command for key, command in table.by_key.items()}


def _code(key: str) -> tuple[int, bool]:
    held, _, bare = key.rpartition("+")
    return getattr(pygame, f"K_{bare if len(bare) == 1 else bare.upper()}"), bool(held)
