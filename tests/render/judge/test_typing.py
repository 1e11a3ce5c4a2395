"""A line of the panel typed in with Shift, Ctrl, Alt and Cmd, as a keyboard sends them: key by key, held and let go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import pygame
import pytest

from tabletop.play.files.draft import Draft, empty
from tabletop.render.judge.controller import Mode
from tests.render.judge.driver import Umpire, at_the_table

#: The keys that are held, and how the keys beside them are marked then.
HELD = {
    "left Ctrl": (pygame.K_LCTRL, pygame.KMOD_LCTRL),
    "right Ctrl": (pygame.K_RCTRL, pygame.KMOD_RCTRL),
    "Cmd": (pygame.K_LMETA, pygame.KMOD_LMETA),
    "right Cmd": (pygame.K_RMETA, pygame.KMOD_RMETA),
    "Shift": (pygame.K_LSHIFT, pygame.KMOD_LSHIFT),
    "Alt": (pygame.K_LALT, pygame.KMOD_LALT),
    "AltGr": (pygame.K_RALT, pygame.KMOD_RALT),
    "AltGr of some layouts": (pygame.K_MODE, pygame.KMOD_MODE),
}
COMMANDING = ("left Ctrl", "right Ctrl", "Cmd", "right Cmd")
TITLE = "Was it seen?"


def struck(umpire: Umpire, key: int, mod: int, text: str = "") -> None:
    """Press a key and let it go, as the keyboard tells of it: the text a key writes comes between."""
    umpire.tell(pygame.KEYDOWN, key=key, mod=mod, unicode=text, scancode=0)
    if text:
        umpire.tell(pygame.TEXTINPUT, text=text)
    umpire.tell(pygame.KEYUP, key=key, mod=mod, unicode=text, scancode=0)


def with_held(umpire: Umpire, held: str, keys: Sequence[int], text: str = "") -> None:
    """Press a modifier, the keys one after the other, and let it go."""
    key, mod = HELD[held]
    pygame.key.set_mods(mod)
    umpire.tell(pygame.KEYDOWN, key=key, mod=mod, unicode="", scancode=0)
    for other in keys:
        struck(umpire, other, mod, text)
    pygame.key.set_mods(0)
    umpire.tell(pygame.KEYUP, key=key, mod=0, unicode="", scancode=0)


SPOTS = (9.0, 9.0), (24.0, 15.0)


@cache
def two_units() -> Draft:
    """Return a table with two units, placed once for all tests."""
    with at_the_table(empty("tse", 36, 24)) as umpire:
        umpire.press("tab:place")
        umpire.press("troop:infantry")
        for spot in SPOTS:
            umpire.click(spot)
        return umpire.controller.draft


@pytest.fixture
def typing() -> Iterator[Umpire]:
    """Somebody who types the title, with two units on the table, one of them selected."""
    with at_the_table(two_units()) as umpire:
        umpire.press("tab:edit")
        umpire.click(SPOTS[1])
        assert len(umpire.controller.draft.units) == 2 and umpire.controller.selected
        umpire.press("tab:table")
        umpire.write("title", TITLE)
        assert umpire.screen.form.typing and umpire.controller.draft.title == TITLE
        yield umpire


@pytest.fixture
def clipboard(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What was copied: there is none without a screen."""
    kept = {"text": ""}
    monkeypatch.setattr(pygame.scrap, "put_text", lambda text: kept.update(text=text))
    monkeypatch.setattr(pygame.scrap, "get_text", lambda: kept["text"])
    return kept


@pytest.mark.parametrize("held", HELD)
def test_a_modifier_alone_leaves_the_line_that_is_typed_in(held: str, typing: Umpire) -> None:
    """Fails where pressing Ctrl lets go of the line: what follows lands in the keys of the table."""
    with_held(typing, held, ())
    assert typing.screen.form.typing
    struck(typing, pygame.K_q, 0, "q")
    assert typing.controller.draft.title == f"{TITLE}q"


@pytest.mark.parametrize("held", COMMANDING)
def test_all_is_selected_copied_cut_and_pasted_in_the_line(
    held: str, typing: Umpire, clipboard: dict[str, str]
) -> None:
    units, selected = typing.controller.draft.units, typing.controller.selected
    with_held(typing, held, (pygame.K_a, pygame.K_c))
    assert clipboard["text"] == TITLE
    with_held(typing, held, (pygame.K_a,))
    struck(typing, pygame.K_BACKSPACE, 0)
    with_held(typing, held, (pygame.K_v, pygame.K_v))
    assert typing.controller.draft.title == 2 * TITLE
    with_held(typing, held, (pygame.K_a, pygame.K_x))
    assert clipboard["text"] == 2 * TITLE
    with_held(typing, held, (pygame.K_v,))
    assert typing.controller.draft.title == 2 * TITLE and typing.screen.form.typing
    assert (typing.controller.draft.units, typing.controller.selected) == (units, selected)


@pytest.mark.parametrize("held", COMMANDING)
def test_a_command_the_table_has_no_use_for_now_does_nothing_to_it(held: str, typing: Umpire) -> None:
    before, selected = typing.controller.draft.units, typing.controller.selected
    for key in (pygame.K_d, pygame.K_b, pygame.K_LEFT, pygame.K_DELETE, pygame.K_TAB, pygame.K_F12):
        with_held(typing, held, (key,))
        assert typing.screen.form.typing, pygame.key.name(key)
        assert (typing.controller.draft.units, typing.controller.selected) == (before, selected), pygame.key.name(key)


@pytest.mark.parametrize("held", COMMANDING)
def test_a_command_no_text_has_is_heard(held: str, typing: Umpire) -> None:
    before = typing.controller.draft
    with_held(typing, held, (pygame.K_z,))
    assert not typing.screen.form.typing and typing.controller.draft != before


def test_shift_writes_capitals_and_selects(typing: Umpire) -> None:
    with_held(typing, "Shift", (pygame.K_q,), "Q")
    assert typing.controller.draft.title == f"{TITLE}Q"
    with_held(typing, "Shift", (pygame.K_LEFT, pygame.K_LEFT))
    struck(typing, pygame.K_BACKSPACE, 0)
    assert typing.controller.draft.title == TITLE[:-1] and typing.screen.form.typing


@pytest.mark.parametrize("mod", [pygame.KMOD_LCTRL | pygame.KMOD_RALT, pygame.KMOD_MODE, pygame.KMOD_RALT])
def test_alt_gr_writes_letters_and_commands_nothing(mod: int, typing: Umpire) -> None:
    """On Windows AltGr comes as Ctrl with Alt: a Polish Z or a Euro sign must not undo or export."""
    title = TITLE
    for key, letter in ((pygame.K_e, "€"), (pygame.K_s, "ś"), (pygame.K_z, "ż"), (pygame.K_a, "ą")):
        struck(typing, key, mod, letter)
        title += letter
        assert typing.screen.form.typing and typing.screen.going is None and typing.screen.chooser is None, letter
        assert typing.controller.draft.title == title


def test_a_number_is_typed_over_with_ctrl_held(typing: Umpire, clipboard: dict[str, str]) -> None:
    """Ctrl, A, V in a unit's place: the number is the one pasted, and no copy of the unit is put down."""
    clipboard["text"] = "12.5"
    typing.key(pygame.K_F4)
    assert typing.controller.mode is Mode.EDIT
    typing.wait()
    typing.click_pixel(typing.screen.form.words["edit:x"].center)
    with_held(typing, "left Ctrl", (pygame.K_a, pygame.K_v))
    assert len(typing.controller.draft.units) == 2
    assert typing.controller.battle.unit(typing.controller.selected[0]).at[0] == pytest.approx(12.5)


def test_the_name_of_a_file_is_typed_with_ctrl_held(typing: Umpire, clipboard: dict[str, str]) -> None:
    clipboard["text"] = "hill"
    with_held(typing, "left Ctrl", (pygame.K_s,))
    assert typing.screen.chooser is not None and typing.screen.form.typing
    typing.wait()
    with_held(typing, "left Ctrl", (pygame.K_a, pygame.K_v))
    assert typing.screen.chooser.name == "hill"
