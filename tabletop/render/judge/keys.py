"""Which keys the judge's table hears, and when: while somebody types, only what no text holds."""

from __future__ import annotations

import pygame

from tabletop.render.judge.commands import TABLE, do
from tabletop.render.judge.state import JudgingState
from tabletop.render.widgets.command_table import ALWAYS, Command
from tabletop.render.widgets.key_dispatch import HELD, act, by_code

#: What makes a key with Ctrl a letter all the same: AltGr comes as Ctrl with Alt on some systems.
LETTERING = pygame.KMOD_ALT | pygame.KMOD_MODE
#: Words that a key says as if they were pressed on the panel: what goes wrong is said there.
PRESSED = frozenset({"save:", "open:", "back:"})
LEAVING = (pygame.K_ESCAPE, pygame.K_RETURN, pygame.K_KP_ENTER)


def hears(_: JudgingState, event: pygame.event.Event) -> bool:
    """Return whether a key is for the table although somebody types: what no text holds."""
    command = _command(event)
    return command is not None and bool(command.heard)


def press(screen: JudgingState, event: pygame.event.Event) -> None:
    """Do what a key does; while somebody types, only what no text holds: the rest belongs to the line typed in."""
    command, typing, choosing = _command(event), screen.form.typing, screen.chooser is not None
    if command is None or (typing and not command.heard):
        return
    if typing and command.heard != ALWAYS:
        screen.form.leave()
    if typing and not choosing and event.key in LEAVING:
        screen.form.leave()
    elif command.word in PRESSED and not choosing:
        do(screen, command.word)
    elif command.heard == ALWAYS or not choosing:
        act(screen, command, event)


def _command(event: pygame.event.Event) -> Command | None:
    """Return the command of a key; Ctrl or Cmd makes it another, unless Alt makes it a letter."""
    return by_code(TABLE).get((event.key, bool(event.mod & HELD and not event.mod & LETTERING)))
