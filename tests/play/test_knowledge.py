"""What a side may know: a rule set that hides a unit until an enemy is near, at the prompt, in the window, in reports.

The rule set is that of the guide, changed in one place; everybody else's units are always known.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.play.files.load import load_scene
from tabletop.play.session import Session
from tests.games.positions import ROOT
from tests.hiding import both, hiding_rules
from tests.published import put

#: Begins a battle of a person, red, against a computer.
BEGUN = """
from tabletop.play.files.load import load_scene
from tabletop.play.session import Session
from tabletop.battle.action import Action
battle = load_scene("two-blocks")
assert battle.has("reserve")
session = Session.start(battle, 1, {"red": "human", "blue": "greedy"})
def ahead(unit, side, far):
    session.do(Action("advance", side, unit, options={"distance": far}))
"""


@pytest.fixture(scope="module")
def hiding(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the rule set of the guide, which now hides units."""
    return hiding_rules(tmp_path_factory.mktemp("hiding"))


def done(folder: Path, code: str) -> None:
    """Run code after the beginning of a battle; it has to end without an error."""
    run = put(folder, "-c", f"{BEGUN}\n{code}\nprint('done')")
    assert run.stdout.splitlines()[-1:] == ["done"], run.stdout + run.stderr


def test_a_hidden_enemy_is_left_out_until_it_is_near(hiding: Path) -> None:
    """Red knows nothing of the reserve until a block of red is within 6 in; blue knows its own units always."""
    done(
        hiding,
        """
from tabletop.play import knowledge
assert not session.known.has("reserve") and session.known.has("landsknechts")
assert knowledge.visible(session.battle, "blue") is session.battle
assert knowledge.visible(session.battle, None) is session.battle
for _ in range(2):
    session.do(Action("done", "red"))
    ahead("reserve", "blue", 4.0)
    session.do(Action("done", "blue"))
assert session.known.has("reserve")
""",
    )


def test_the_prompt_neither_lists_nor_draws_it_and_knows_nothing_of_it(hiding: Path) -> None:
    """Situation, map, hints, log and report are silent about it, and questions about it are refused in one line."""
    done(
        hiding,
        """
from tabletop.terminal.commands import COMMANDS
from tabletop.terminal.prompt import Prompt
from tabletop.play.players import player_kind
said = []
prompt = Prompt(session, {"blue": player_kind("greedy").make(1)}, said.append, COMMANDS)
prompt.open()
for line in ("who", "map", "hint", "advance swiss distance 1!", "done", "hint", "log all", "losses", "report", "map"):
    prompt.line(line)
assert any(step.action and step.action.unit == "reserve" for step in session.steps), "the computer moved it"
text = " ".join(said)
assert "landsknechts" in text and "reserve" not in text, text
for line in ("ask distance swiss reserve", "card reserve", "odds push swiss reserve", "push swiss reserve"):
    said.clear()
    prompt.line(line)
    assert " ".join(said).startswith("nothing is known of 'reserve'"), (line, said)
said.clear()
prompt.line("card nobody")
assert said[0].startswith("nothing is known of 'nobody'")
""",
    )


def test_the_window_draws_only_what_the_person_may_know(hiding: Path) -> None:
    """In the window the unit is neither on the table nor in the log or in what can be exported, until it is near."""
    done(
        hiding,
        """
import pygame
from tabletop.render.battle.window import GameWindow
pygame.init(); pygame.display.set_mode((900, 600))
window = GameWindow.inlined(session)
game, state = window.controller.game, lambda: window.controller.state
def known():
    parts = (state().table.battle, state().facts.battle, window.controller.picture().drawn, window.subject().battle)
    return {part.has("reserve") for part in parts}
assert known() == {False}
session.do(Action("done", "red")); ahead("reserve", "blue", 4.0); game.changed()
window.frame([], 0.1)
assert known() == {False} and "reserve" not in str(state().record.lines) + str(state().record.steps)
assert "reserve" not in str(window.subject().steps) + str(window.subject().header)
from tabletop.play.done import Done
game.follow(Done(Action("done", "blue")))
window.frame([], 0.1)
assert known() == {False}
game.follow(Done(Action("done", "red")))
game.follow(Done(Action("advance", "blue", "reserve", options={"distance": 4.0})))
window.frame([], 0.1)
assert known() == {True}
""",
    )


def test_a_computer_considers_only_what_its_side_knows(hiding: Path) -> None:
    """Every player is asked with the whole battle, and weighs it without the units hidden from its side."""
    done(
        hiding,
        """
from push_of_pike import game
from tabletop.play.players import PLAYERS
asked, suggest = [], game.suggest
def watched(battle):
    asked.append(battle.has("reserve"))
    return suggest(battle)
game.suggest = watched
for kind in PLAYERS.values():
    if kind.make is not None:
        kind.make(1).choose(session.battle)
assert asked and not any(asked)
session.do(Action("done", "red"))
asked.clear()
PLAYERS["greedy"].make(1).choose(session.battle)
assert all(asked)
""",
    )


def test_an_action_that_something_hidden_prevents_says_no_more(hiding: Path) -> None:
    """The prompt does not say what is in the way, and a computer does not choose such an action."""
    done(
        hiding,
        """
from push_of_pike import game
from tabletop.geometry.verdict import Reason
from tabletop.rules.common.ruled import ruled
from tabletop.rules.play import ActionKind
from tabletop.play.players import PLAYERS
from tabletop.terminal.commands import COMMANDS
from tabletop.terminal.prompt import Prompt
from dataclasses import replace
def judged(battle, action):
    return ruled(battle, action, [Reason("POP-MOV-01", not battle.has("reserve"), "the reserve is in the way")])
game.KINDS["advance"] = replace(game.KINDS["advance"], judge=judged)
said = []
Prompt(session, {}, said.append, COMMANDS).line("advance swiss distance 1")
assert said == ["It may not be done: something that is not known of prevents it."], said
for kind in PLAYERS.values():
    if kind.make is not None:
        assert kind.make(1).choose(session.battle).action == Action("done", "red"), kind.name
""",
    )


def test_rules_may_hide_units_and_have_a_ground_scale_and_mist(tmp_path: Path) -> None:
    """The record of the guide that is of both kinds is taken as each of them."""
    done(
        hiding_rules(tmp_path, both()),
        """
from tabletop.play import environment, knowledge
assert knowledge.hidden(session.battle, "red") == {"reserve"} and not session.known.has("reserve")
assert environment.ground_of(session.battle).of(100.0) == "200 m"
assert environment.environment(session.known) == "Mist."
""",
    )


def test_rules_without_hidden_units_show_the_battle_as_it_is() -> None:
    """Nothing is copied: the battle, the steps and the header are the very same objects."""
    session = Session.start(load_scene(ROOT / "scenarios/tse/skirmish.yaml"), 1, {"red": "human", "blue": "greedy"})
    assert session.known is session.battle and session.known_steps is session.steps
    assert session.known_header == session.header
