"""The commands of a screen, stated once each, and what is made of them: buttons, tooltips, keys, the sheet of keys.

A screen has a table of commands; a new button or key is one more record in it. Knows no pygame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tabletop.render.widgets.panel_page import Key

#: What a command does: it gets the window, the value behind the word's colon, and what comes with it: of a key whether
#: Shift is held, of a line or a list what was typed or chosen.
Act = Callable[[Any, str, Any], None]


#: When the keys of a command are heard besides the usual time.
TYPING, ALWAYS = "typing", "always"


@dataclass(frozen=True)
class Command:
    """Something a player can do.

    ``word`` is what a button sends: ``tool:tape``, or ``kind:`` for every word of that kind; ``label`` stands on the
    button, and ``group`` says where it is: tools, overlays, legend, bar, ended, menu, or nowhere. ``keys`` are the
    usual keys by pygame's names, ``ctrl+z`` with Ctrl or Cmd held; ``more_keys`` is what the tooltip adds to them.
    ``name`` is what the settings call it and ``does`` what they say of it, if its key may be put elsewhere. Its keys
    are heard while somebody types if it is ``heard`` TYPING, and while a file is chosen too if ALWAYS.
    """

    word: str
    act: Act
    label: str | Callable[[Any], str] = ""
    hint: str | Callable[[Any], str] = ""
    keys: tuple[str, ...] = ()
    group: str = ""
    name: str = ""
    does: str = ""
    enabled: Callable[[Any], bool] = lambda _: True
    where: frozenset[str] = frozenset()
    more_keys: str = ""
    heard: str = ""

    def button(self, window: Any = None) -> Key:
        """Return its button; overlays wear their key in front of the label."""
        label = self.label if isinstance(self.label, str) else self.label(window)
        if self.group in NUMBERED:
            label = f"{shown(self.keys[0])} {label}"
        told = self.keys and self.group not in SILENT
        keys = f" ({spoken(self.keys[0])}{self.more_keys})" if told else ""
        hint = self.hint if isinstance(self.hint, str) else self.hint(window)
        return Key(self.word, label, f"{hint}{keys}")


#: Groups whose buttons show their key, and those whose tooltips leave it out.
NUMBERED, SILENT = frozenset({"overlays", "legend"}), frozenset({"overlays"})
#: Keys whose names on the screen are not pygame's.
SIGNS: Mapping[str, str] = {
    "return": "Enter", "escape": "Esc", "leftbracket": "[", "rightbracket": "]", "period": ".", "plus": "+",
    "minus": "-", "pageup": "Page up", "pagedown": "Page down", "delete": "Del",
}  # fmt: skip
SPOKEN: Mapping[str, str] = {"period": "full stop"}


def shown(key: str) -> str:
    """Return a key as it is called on the screen: T, Space, F1, Ctrl-Z."""
    held, _, bare = key.rpartition("+") if len(key) > 1 else ("", "", key)
    sign = SIGNS.get(bare, bare.capitalize())
    return f"{held.capitalize()}-{sign}" if held else sign


def spoken(key: str) -> str:
    """Return a key as tooltips call it."""
    return SPOKEN.get(key, shown(key))


@dataclass(frozen=True, eq=False)
class CommandTable:
    """The commands of a screen.

    ``rows`` are those of its sheet: keys, by the names of their commands, and what they do. What the mouse does
    stands between them. ``mentioned`` is what other sheets mention, which needs no row of its own.
    """

    commands: tuple[Command, ...]
    rows: Sequence[tuple[str, str]] = ()
    mentioned: str = ""

    def buttons(self, group: str, window: Any = None) -> tuple[Key, ...]:
        """Return the buttons of a group as they stand in a window; without one all there are."""
        of_group = (command for command in self.commands if command.group == group)
        return tuple(command.button(window) for command in of_group if window is None or command.enabled(window))

    def find(self, word: str) -> Command | None:
        """Return the command of a word, or of its kind; None for a word that no command has."""
        return self.by_word.get(word) or self.by_word.get(f"{word.partition(':')[0]}:")

    def press(self, window: Any, word: str, given: Any = False) -> None:
        """Do what a word says with what is given; KeyError for a word that no command has."""
        command = self.find(word)
        if command is None:
            raise KeyError(word)
        command.act(window, word.partition(":")[2], given)

    @cached_property
    def by_word(self) -> Mapping[str, Command]:
        """The commands by their words."""
        return {command.word: command for command in self.commands}

    @cached_property
    def by_key(self) -> Mapping[str, Command]:
        """The commands by their usual keys."""
        return {key: command for command in self.commands for key in command.keys}

    @property
    def rebindable(self) -> tuple[Command, ...]:
        """The commands whose keys may be put elsewhere, in the order of the settings."""
        return tuple(command for command in self.commands if command.does)

    def keys_in(self, text: str) -> str:
        """Return a text with ``{name}`` replaced by the usual key of the command of that name."""
        return text.format_map({command.name: shown(command.keys[0]) for command in self.commands if command.name})

    def sheet(self) -> tuple[tuple[str, str], ...]:
        """Return the rows of the sheet of keys; a command that no sheet mentions has a row of its own."""
        rows = [(self.keys_in(keys), self.keys_in(does)) for keys, does in self.rows]
        mentioned = self.mentioned + "".join(keys + does for keys, does in self.rows)
        others = [c for c in self.commands if c.does and f"{{{c.name}}}" not in mentioned]
        return (*rows, *((shown(command.keys[0]), command.does) for command in others))
