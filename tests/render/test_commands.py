"""The one table of commands: buttons, tooltips, keys, rebinding and the sheet of keys are made of it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pygame
import pytest

from tabletop.render.judge import commands as judge
from tabletop.render.replay import commands as replay
from tabletop.render.table import bindings, commands
from tabletop.render.table.commands import BATTLE, COMMANDS, MENU, TABLE, TABLES
from tabletop.render.widgets.command_table import Command, CommandTable
from tabletop.render.widgets.key_dispatch import press_key

RENDER = Path(commands.__file__).parents[1]
#: The files of the screens that have commands.
FILES = sorted(path for name in ("table", "battle", "judge", "replay") for path in RENDER.glob(f"{name}/*.py"))
#: Where a key is read before any command: a number that chooses, Space that goes on at once, Esc that puts a page away,
#: and those that leave a line typed in at the judge's table.
READ = {"input.py": {"K_0", "K_SPACE"}, "window.py": {"K_ESCAPE"}, "keys.py": {"K_ESCAPE", "K_RETURN", "K_KP_ENTER"}}


#: A new record with nothing beside it.
DRUM = Command(
    "drum:", lambda w, value, shift: w.done.append((value, shift)), "Drum", "Beat the drum", ("d",), "bar",
    "drum", "the drum", where=frozenset({BATTLE, MENU}),
)  # fmt: skip
#: The tables of all screens.
ALL = {**TABLES, "judge": judge.TABLE, "replay": replay.TABLE}


def _idle() -> SimpleNamespace:
    """A battle's window with nobody but people."""
    game = SimpleNamespace(computers=SimpleNamespace(sides=(), pace_name="slow"))
    model = SimpleNamespace(battle=SimpleNamespace(over=False))
    return SimpleNamespace(done=[], controller=SimpleNamespace(game=game, model=model), has_recap=False)


def _drummed(table: CommandTable) -> CommandTable:
    return replace(table, commands=(*table.commands, DRUM))


@pytest.mark.parametrize("where", ALL)
def test_a_new_record_is_button_tooltip_key_sheet_and_setting(where: str) -> None:
    """In the table of every screen alike."""
    window, table = _idle(), _drummed(ALL[where])
    (key,) = (key for key in table.buttons("bar", window if where == BATTLE else None) if key.word == "drum:")
    assert (key.label, key.hint) == ("Drum", "Beat the drum (D)")
    table.press(window, "drum:loud")
    press_key(window, table, pygame.event.Event(pygame.KEYDOWN, key=pygame.K_d, mod=pygame.KMOD_SHIFT))
    assert window.done == [("loud", False), ("", True)]
    assert table.sheet()[-1] == ("D", "the drum")
    assert ("D", "the drum") not in ALL[where].sheet()
    assert DRUM in table.rebindable and "drum" in {b.name for b in bindings.of(table)}


def test_a_record_in_the_menu_is_a_button_there() -> None:
    drum = Command("drum", lambda w, _, __: None, "Drum", "Beat it", group="menu", where=frozenset({MENU}))
    assert commands.table(MENU, (*COMMANDS, drum)).buttons("menu")[-1] == drum.button()


def test_a_key_put_elsewhere_is_heard_and_listed_where_the_screen_has_that_command() -> None:
    """The judge's table turns by Q too; it has no tape, so its own T stays what it is."""
    keys = {"turn-left": "z", "tape": "x"}
    pressed = [pygame.event.Event(pygame.KEYDOWN, key=key, mod=0) for key in (pygame.K_z, pygame.K_x, pygame.K_t)]
    for table, heard in (
        (TABLES[TABLE], [pygame.K_q, pygame.K_t, pygame.K_UNKNOWN]),
        (judge.TABLE, [pygame.K_q, pygame.K_x, pygame.K_t]),
        (replay.TABLE, [pygame.K_z, pygame.K_x, pygame.K_t]),
    ):
        assert [event.key for event in bindings.usual(pressed, keys, table)] == heard
    assert [row[0] for row in bindings.rows(keys, judge.TABLE)] == ["Z"]
    assert not bindings.rows(keys, replay.TABLE)


def test_a_record_that_is_not_enabled_has_no_button() -> None:
    words = {key.word for key in TABLES[BATTLE].buttons("bar", _idle())}
    assert "undo:" in words and not {"pause:", "step:"} & words


@pytest.mark.parametrize("where", ALL)
def test_no_word_and_no_key_means_two_things(where: str) -> None:
    words = [command.word for command in ALL[where].commands]
    keys = [key for command in ALL[where].commands for key in command.keys]
    assert len(set(words)) == len(words) and len(set(keys)) == len(keys)


def test_the_settings_list_the_records_in_their_order() -> None:
    assert [b.name for b in bindings.BINDINGS] == [command.name for command in CommandTable(COMMANDS).rebindable]


def _stated(listed: Sequence[Command]) -> set[str]:
    """Return the words and tooltips of buttons that records state."""
    hints = {c.hint for c in listed if isinstance(c.hint, str) and c.hint}
    return {c.word for c in listed if c.group} | hints


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_key_and_no_label_of_a_command_is_stated_elsewhere(path: Path) -> None:
    """Neither a key of pygame's, nor a button made by hand with a word, a label or a tooltip of the table."""
    if path.name in ("commands.py", "bindings.py"):
        return
    stated = _stated(ALL[path.parent.name].commands if path.parent.name in ALL else COMMANDS)
    tree = ast.parse(path.read_text("utf-8"))
    keys = {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute) and n.attr.startswith("K_")}
    assert keys <= READ.get(path.name, set())
    made = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "Key"]
    texts = {a.value for call in made for a in call.args if isinstance(a, ast.Constant)}
    assert not texts & stated
