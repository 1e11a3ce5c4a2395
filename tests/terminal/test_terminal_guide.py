"""The guides of the prompt and the calculator: every session in them is what the program says, every link leads on."""

from __future__ import annotations

import re

import pytest

from tools.guide_sessions import GUIDES, ROOT, SESSIONS, refreshed

TEXTS = {guide: (ROOT / "docs" / f"{guide}.md").read_text("utf-8") for guide in GUIDES}


@pytest.mark.parametrize("guide", GUIDES)
def test_every_session_is_as_it_is_now(guide: str) -> None:
    """Out of date: ``python -m tools.guide_sessions`` writes them anew."""
    assert refreshed(TEXTS[guide]) == TEXTS[guide]


def test_every_session_is_shown_once() -> None:
    shown = [name for text in TEXTS.values() for name in re.findall(r"<!-- session ([\w-]+) -->", text)]
    assert sorted(shown) == sorted(SESSIONS)


def test_sessions_show_no_mistakes_of_the_guide_itself() -> None:
    slips = ("nobody here is called", "no action or command", "no suggestion", "no place", "could be any of")
    assert not [slip for slip in slips for text in TEXTS.values() if slip in text]


@pytest.mark.parametrize("guide", GUIDES)
def test_every_link_leads_somewhere(guide: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXTS[guide]):
        assert (ROOT / "docs" / target).exists(), target


def test_every_field_of_the_calculator_is_named() -> None:
    from tabletop.rules.rule_set import BUILT_IN, find

    for make in (find(name).calculator for name in BUILT_IN):
        if make is not None:
            machine = make()
            others = [(button, None) for button in machine.buttons if button != machine.result]
            asked = [*((machine.result, action) for action in machine.actions), *others]
            names = {field.name for press in asked for field in machine.fields(*press)} | set(machine.actions)
            assert [name for name in sorted(names) if f"`{name}`" not in TEXTS["the-game-app"]] == []


def test_every_command_of_the_prompt_is_named() -> None:
    from tabletop.terminal.commands import COMMANDS

    also = {"?", "status", "what", "show", "suggest", "menu", "why", "help", "form", "confirm", "card"}
    assert all(f"`{name}" in TEXTS["playing-at-the-prompt"] for name in COMMANDS if name not in also)


def test_the_readme_shows_the_same_fight() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    block = next(block for block in re.findall(r"^```console\n(.*?)^```$", readme, re.M | re.S) if "--text" in block)
    shown = TEXTS["playing-at-the-prompt"].splitlines()
    assert [line for line in block.splitlines()[1:] if line not in shown] == []
