"""The one table of commands: buttons, tooltips, keys, rebinding and the sheet of keys are made of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pygame
import pytest

from tabletop.render.table import bindings, commands, dispatch
from tabletop.render.table.commands import BATTLE, COMMANDS, MENU, TABLE, Command

RENDER = Path(commands.__file__).parents[1]
#: The files of the table and of a battle being played.
FILES = sorted([*RENDER.glob("table/*.py"), *RENDER.glob("battle/*.py")])
#: Where a key is read before any command: a number that chooses, Space that goes on at once, Esc that puts a page away.
READ = {"hands.py": {"K_1", "K_SPACE"}, "window.py": {"K_ESCAPE"}}


@pytest.fixture
def drummed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Command]:
    """A new record with nothing beside it."""
    drum = Command(
        "drum:", lambda w, value, shift: w.done.append((value, shift)), "Drum", "Beat the drum", ("d",), "bar",
        "drum", "the drum", where=frozenset({BATTLE, MENU}),
    )  # fmt: skip
    monkeypatch.setattr(commands, "COMMANDS", (*COMMANDS, drum))
    _forget()
    yield drum
    monkeypatch.undo()
    _forget()


def _idle() -> SimpleNamespace:
    """A battle's window with nobody but people."""
    computers, battle = SimpleNamespace(sides=(), pace_name="slow"), SimpleNamespace(over=False)
    return SimpleNamespace(done=[], desk=SimpleNamespace(computers=computers, battle=battle))


def _forget() -> None:
    for kept in (commands.by_word, commands.by_key, dispatch.by_code):
        kept.cache_clear()


def test_a_new_record_is_button_tooltip_key_sheet_and_setting(drummed: Command) -> None:
    window = _idle()
    (key,) = (key for key in commands.buttons("bar", BATTLE, window) if key.word == "drum:")
    assert (key.label, key.hint) == ("Drum", "Beat the drum (D)")
    commands.press(window, BATTLE, "drum:loud")
    dispatch.press_key(window, BATTLE, pygame.event.Event(pygame.KEYDOWN, key=pygame.K_d, mod=pygame.KMOD_SHIFT))
    assert window.done == [("loud", False), ("", True)]
    assert commands.sheet(BATTLE)[-1] == ("D", "the drum")
    assert ("D", "the drum") not in commands.sheet(TABLE)
    assert drummed in commands.rebindable()


def test_a_record_in_the_menu_is_a_button_there(monkeypatch: pytest.MonkeyPatch) -> None:
    drum = Command("drum", lambda w, _, __: None, "Drum", "Beat it", group="menu", where=frozenset({MENU}))
    monkeypatch.setattr(commands, "COMMANDS", (*COMMANDS, drum))
    assert commands.buttons("menu", MENU)[-1] == drum.button()


def test_a_record_that_is_not_enabled_has_no_button() -> None:
    words = {key.word for key in commands.buttons("bar", BATTLE, _idle())}
    assert "undo:" in words and not {"pause:", "step:"} & words


@pytest.mark.parametrize("where", [TABLE, BATTLE, MENU])
def test_no_word_and_no_key_means_two_things(where: str) -> None:
    words = [command.word for command in commands.of(where)]
    keys = [key for command in commands.of(where) for key in command.keys]
    assert len(set(words)) == len(words) and len(set(keys)) == len(keys)


def test_the_settings_list_the_records_in_their_order() -> None:
    assert [b.name for b in bindings.BINDINGS] == [command.name for command in commands.rebindable()]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_key_and_no_label_of_a_command_is_stated_elsewhere(path: Path) -> None:
    """Neither a key of pygame's, nor a button made by hand with a word, a label or a tooltip of the table."""
    if path.name in ("commands.py", "bindings.py"):
        return
    stated = {command.word for command in COMMANDS if command.group} | {c.hint for c in COMMANDS if c.hint}
    tree = ast.parse(path.read_text("utf-8"))
    keys = {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute) and n.attr.startswith("K_")}
    assert keys <= READ.get(path.name, set())
    made = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "Key"]
    texts = {a.value for call in made for a in call.args if isinstance(a, ast.Constant)}
    assert not texts & stated
