"""An assault on supported guns at the prompt: the infantry is offered in their place (TSE-ASL-40)."""

from __future__ import annotations

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.play import engine
from tabletop.play.alternatives import in_its_place
from tests.field import Field
from tests.terminal.typist import Typist


def guns_and_foot() -> Battle:
    """A blue column opposite red guns at the side of red infantry (G31)."""
    field = Field()
    guns = field.unit("guns", side="red", troop="light-foot-artillery", bases=1, formation="deployed",
                      at=(4.5, 8.5), facing=180)  # fmt: skip
    return field.battle(
        field.unit("unit", front_mid=(4.5, 4)), field.line("foot", (0, 8), side="red"), guns
    )  # fmt: skip


def blue_to_act() -> Typist:
    """The same at the prompt, the blue column about to act."""
    found = Typist(guns_and_foot(), 1)
    found.type("second", "choose blue troops")
    return found


def test_the_infantry_is_offered_at_the_prompt() -> None:
    """TSE-ASL-40: refused with the reason; typing 1 assaults the infantry instead."""
    player = blue_to_act()
    said = player.type("unit assault guns")
    assert "TSE-ASL-40" in said and "Instead (type 1)" in said
    player.type("1")
    last = [step.action for step in player.session.steps if step.action is not None][-1]
    assert (last.kind, last.target) == ("assault", "foot")


def test_nothing_is_offered_in_place_of_other_refusals() -> None:
    """TSE-ASL-40, TSE-ASL-42."""
    battle = blue_to_act().battle
    there = Action("assault", "blue", "unit", "foot")
    assert in_its_place(battle, there, engine.judge(battle, there)) == ()
    guns = Action("assault", "blue", "unit", "guns")
    assert in_its_place(battle, guns, engine.judge(battle, guns)) == (there,)


def test_delayed_assaults_and_breakthroughs_are_asked_at_the_prompt() -> None:
    """TSE-ASL-09, TSE-ASL-70: the options of ``judge``, as words."""
    player = blue_to_act()
    assert "of 6 in" in player.type("ask assault unit foot")
    assert "of 3 in" in player.type("ask assault unit foot delayed")
    assert "TSE-ASL-70" in player.type("ask breakthrough unit guns after foot")
