"""The commands of a screen, each defined once, and everything derived from them: buttons, tooltips, keys, key sheet.

A new button or key is one more record in a screen's table. Knows no pygame.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tabletop.render.widgets.panel_page import Key

#: The function of a command: it gets the window, the value after the word's colon, and an extra value: for a key
#: whether Shift is held, for a line or list what was typed or chosen.
Act = Callable[[Any, str, Any], None]


#: When the keys of a command work besides the usual time.
TYPING, ALWAYS = "typing", "always"


@dataclass(frozen=True)
class Command:
    """Something a player can do.

    ``word`` is what a button sends: ``tool:tape``, or ``kind:`` for every word of that kind; ``label`` is the button's
    text, and ``group`` its place: tools, overlays, legend, bar, ended, menu, or nowhere. ``keys`` are the default keys
    by pygame's names, ``ctrl+z`` with Ctrl or Cmd held; ``more_keys`` is added to them in the tooltip. If its key may
    be rebound, ``name`` is its name and ``does`` its description in the settings. With ``works_when`` TYPING its keys
    also work while the player types in an entry, with ALWAYS even while a file is being chosen.
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
    works_when: str = ""

    def button(self, window: Any = None) -> Key:
        """Return its button; overlays show their key before the label."""
        label = self.label if isinstance(self.label, str) else self.label(window)
        if self.group in NUMBERED:
            label = f"{shown(self.keys[0])} {label}"
        keys_shown = self.keys and self.group not in SILENT
        keys = f" ({spoken(self.keys[0])}{self.more_keys})" if keys_shown else ""
        hint = self.hint if isinstance(self.hint, str) else self.hint(window)
        return Key(self.word, label, f"{hint}{keys}")


#: Groups whose buttons show their key, and those whose tooltips omit it.
NUMBERED, SILENT = frozenset({"overlays", "legend"}), frozenset({"overlays"})
#: Keys whose names on the screen differ from pygame's.
SIGNS: Mapping[str, str] = {
    "return": "Enter", "escape": "Esc", "leftbracket": "[", "rightbracket": "]", "period": ".", "plus": "+",
    "minus": "-", "pageup": "Page up", "pagedown": "Page down", "delete": "Del",
}  # fmt: skip
SPOKEN: Mapping[str, str] = {"period": "full stop"}


def shown(key: str) -> str:
    """Return a key's name as shown on the screen: T, Space, F1, Ctrl-Z."""
    held, _, bare = key.rpartition("+") if len(key) > 1 else ("", "", key)
    sign = SIGNS.get(bare, bare.capitalize())
    return f"{held.capitalize()}-{sign}" if held else sign


def spoken(key: str) -> str:
    """Return a key's name as used in tooltips."""
    return SPOKEN.get(key, shown(key))


def _without(rows: Iterable[tuple[str, str]], missing: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield rows of a sheet of keys without some commands, where a row has one phrase for each command it lists."""
    for keys, does in rows:
        names, phrases = re.findall(r"{([^}]+)}", keys), re.split(r"[,;] +", does)
        if len(names) != len(phrases) or not set(names) & set(missing):
            yield keys, does
            continue
        kept = [(name, phrase) for name, phrase in zip(names, phrases, strict=True) if name not in missing]
        if kept:
            yield " ".join(f"{{{name}}}" for name, _ in kept), ", ".join(phrase for _, phrase in kept)


@dataclass(frozen=True, eq=False)
class CommandTable:
    """The commands of a screen.

    ``rows`` are those of its sheet of keys: keys, given as names of commands, and their actions, with mouse actions
    among them. ``mentioned`` are the texts of other sheets, whose commands need no row here.
    """

    commands: tuple[Command, ...]
    rows: Sequence[tuple[str, str]] = ()
    mentioned: str = ""

    def buttons(self, group: str, window: Any = None) -> tuple[Key, ...]:
        """Return the buttons of a group in the present state of a window; without a window, all of them."""
        of_group = (command for command in self.commands if command.group == group)
        return tuple(command.button(window) for command in of_group if window is None or command.enabled(window))

    def find(self, word: str) -> Command | None:
        """Return the command of a word, or of its kind; None if there is none."""
        return self.by_word.get(word) or self.by_word.get(f"{word.partition(':')[0]}:")

    def press(self, window: Any, word: str, given: Any = False) -> None:
        """Run the command of a word with a given value; KeyError if there is none."""
        command = self.find(word)
        if command is None:
            raise KeyError(word)
        command.act(window, word.partition(":")[2], given)

    @cached_property
    def by_word(self) -> Mapping[str, Command]:
        """The commands by word."""
        return {command.word: command for command in self.commands}

    @cached_property
    def by_key(self) -> Mapping[str, Command]:
        """The commands by default key."""
        return {key: command for command in self.commands for key in command.keys}

    @property
    def rebindable(self) -> tuple[Command, ...]:
        """The commands whose keys may be rebound, in the order of the settings."""
        return tuple(command for command in self.commands if command.does)

    def keys_in(self, text: str) -> str:
        """Return a text with each ``{name}`` replaced by the default key of the command of that name."""
        return text.format_map({command.name: shown(command.keys[0]) for command in self.commands if command.name})

    def sheet(self, missing: Collection[str] = ()) -> tuple[tuple[str, str], ...]:
        """Return the rows of the sheet of keys; a command mentioned on no sheet gets its own row.

        ``missing`` are the names of commands that this battle's rules have no use for: a row that lists several
        commands leaves them out.
        """
        rows = [(self.keys_in(keys), self.keys_in(does)) for keys, does in _without(self.rows, missing)]
        mentioned = self.mentioned + "".join(keys + does for keys, does in self.rows)
        others = [c for c in self.commands if c.does and f"{{{c.name}}}" not in mentioned]
        return (*rows, *((shown(command.keys[0]), command.does) for command in others))
