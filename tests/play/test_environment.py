"""Dusk, mist, the wind and ships are told in the prompt, the bar of the window and the picture of the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.event import Remembered
from tabletop.battle.unfolding import Unfolding
from tabletop.explain import headline
from tabletop.judge import ask
from tabletop.play import environment
from tabletop.play.files.opened import open_battle
from tabletop.play.session import Session
from tabletop.render.drawing.air import environment_layers
from tabletop.render.drawing.primitives import Area
from tabletop.terminal import views
from tabletop.terminal.chart import chart


def in_turn(name: str, turn: int) -> Battle:
    battle = open_battle(name)
    return replace(battle, clock=replace(battle.clock, turn=turn, side=next(iter(battle.setup.sides), None)))


def opacities(battle: Battle) -> Iterator[float]:
    for layer in environment_layers(battle):
        if layer.name == "air":
            yield from (item.opacity for item in layer.items if isinstance(item, Area))


def test_dusk_is_told_at_the_prompt_and_darkens_the_table() -> None:
    """At the Schellenberg night falls after turn 30: in turn 28 nobody sees beyond 125 mm."""
    day, first, late = (in_turn("schellenberg", turn) for turn in (1, 20, 28))
    assert environment.environment(day) == "" and not list(opacities(day))
    assert "Dusk: nobody sees beyond 125 mm." in views.header(late)
    (faint,), (dark,) = opacities(first), opacities(late)
    assert faint < dark
    assert environment_layers(late)[0] is environment_layers(replace(late))[0], "drawn once while it stays the same"


def test_mist_is_told_and_drawn() -> None:
    unfolding = Unfolding(in_turn("thirty-millimetres", 1))
    unfolding.happen(Remembered("mist", 50.0))
    assert environment.environment(unfolding.battle) == "Mist: nobody sees beyond 50 mm."
    assert len(list(opacities(unfolding.battle))) == 1


def test_the_prompt_tells_the_wind_and_what_is_left_of_each_ship() -> None:
    """The situation, a ship's card and the map tell what the window shows; ships are counted as ships."""
    battle = in_turn("long-sand", 1)
    situation = views.situation(battle)
    assert "Wind from the W, speed 4." in situation and "Wind from the W, speed 4." in chart(battle)
    assert "English: 4 ships." in situation and "base" not in situation
    card = views.card(battle, battle.unit("advice"))
    assert "Guns: port" in card and "Hull" in card and "base" not in card


@pytest.mark.parametrize(
    ("scene", "question", "args", "sentence"),
    [
        (
            "thirty-millimetres",
            "assault",
            ("horse-west", "hedgehog-west"),
            "Yes. Götz may assault Yellow, which has neither flank nor rear.",
        ),
        ("raking", "fire", ("gannet", "zeeland"), "Yes. Gannet may fire to starboard at Zeeland: range 6.86 cm."),
    ],
)
def test_a_headline_says_nothing_that_the_rules_do_not_know(
    scene: str, question: str, args: tuple[str, ...], sentence: str
) -> None:
    """A hedgehog has no flank to be struck in, and a shot at sea finds no cover."""
    battle = open_battle(scene)
    assert headline(ask(battle, question, args), battle) == sentence


def test_the_hour_is_told_where_a_scenario_names_when_it_begins() -> None:
    """A turn of Waterloo is five minutes. Without a beginning there are no hours."""
    assert (
        views.header(Session.start(open_battle("waterloo-evening"), 1).battle)
        .splitlines()[1]
        .startswith("Turn 1 of 12, 19:30. ")
    )
    assert views.next_step(in_turn("waterloo-evening", 3)).startswith("Turn 3, 19:40. ")
    assert views.header(Session.start(open_battle("skirmish"), 1).battle).splitlines()[1].startswith("Turn 1 of 6. ")
