"""Which keys the judge's table handles, and when: while the player types, only those that enter no text."""

from __future__ import annotations

import pygame

from tabletop.render.judge.commands import TABLE, do
from tabletop.render.judge.state import JudgingState
from tabletop.render.widgets.command_table import ALWAYS, Command
from tabletop.render.widgets.key_dispatch import HELD, act, by_code

#: Modifiers that make a key with Ctrl a letter after all: on some systems AltGr arrives as Ctrl with Alt.
LETTERING = pygame.KMOD_ALT | pygame.KMOD_MODE
#: Words that a key sends as if pressed on the panel, so that errors are shown there.
PRESSED = frozenset({"save:", "open:", "back:"})
LEAVING = (pygame.K_ESCAPE, pygame.K_RETURN, pygame.K_KP_ENTER)


def hears(_: JudgingState, event: pygame.event.Event) -> bool:
    """Return whether a key is for the table even while the player types, because it enters no text."""
    command = _command(event)
    return command is not None and bool(command.works_when)


def press(screen: JudgingState, event: pygame.event.Event) -> None:
    """Do what a key does; while the player types, only if it enters no text: other keys are for the entry."""
    command, typing, choosing = _command(event), screen.form.typing, screen.chooser is not None
    if command is None or (typing and not command.works_when):
        return
    if typing and command.works_when != ALWAYS:
        screen.form.leave()
    if typing and not choosing and event.key in LEAVING:
        screen.form.leave()
    elif command.word in PRESSED and not choosing:
        do(screen, command.word)
    elif command.works_when == ALWAYS or not choosing:
        act(screen, command, event)


def _command(event: pygame.event.Event) -> Command | None:
    """Return the command of a key; Ctrl or Cmd changes it, unless Alt makes it a letter."""
    return by_code(TABLE).get((event.key, bool(event.mod & HELD and not event.mod & LETTERING)))
