"""Turns played at the prompt, from the first initiative on: every kind of action, and what is said to it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tabletop.battle.battle import Battle
from tabletop.play import engine
from tabletop.play.computer.greedy import Greedy
from tabletop.play.files.load import load_scene
from tabletop.terminal.layout import WIDTH
from tests.terminal.typist import QUATRE_BRAS, ROOT, SKIRMISH, Typist, first, typist

DRILL = ROOT / "scenarios/realm-of-chance/drill-ground.yaml"


def last(typing: Typist) -> tuple[str, str | None, str | None]:
    action = typing.session.steps[-1].action
    assert action is not None
    return action.kind, action.unit, action.target


def test_the_first_turn_is_asked_for_and_told() -> None:
    """TSE-TRN-02, TSE-TRN-03: who goes first, then a division."""
    typing = typist()
    assert "go first, or let the other side go first?  [first" in "\n".join(typing.said)
    said = typing.type("first" if typing.battle.pending[0].side == "french" else "second")
    assert "French: choose a division: bachelu, foy, jerome," in said
    assert "Foy: still to act: foy, foy-guns, gauthier, jamin." in typing.type("choose gauthier")


@pytest.mark.parametrize(
    ("line", "kind", "group"),
    [
        ("assault jamin brunswick-light", "assault", "foy"),
        ("jamin assaults brunswick light", "assault", "foy"),
        ("attack jamin at brunswick light brigade", "assault", "foy"),
        ("fire jamin brunswick light", "advancing-fire", "foy"),
        ("fire foy's battery at bijlandt-left", "deployed-fire", "foy"),
        ("deploy jamin toward pack", "deploy", "foy"),
        ("maneuver gauthier forward 0.2", "maneuver", "foy"),
        ("maneuver soye back 1", "maneuver", "jerome"),
        ("move soye left", "maneuver", "jerome"),
        ("maneuver soye 1.5", "maneuver", "jerome"),
        ("manoeuvre soye toward the petit pierrepont 2", "maneuver", "jerome"),
        ("march wathiez along charleroi road to frasnes", "march", "pire"),
        ("march wathiez to crossroads", "march", "pire"),
        ("maneuver wathiez to 14,14 facing 20", "maneuver", "pire"),
        ("wathiez toward frasnes 3", "maneuver", "pire"),
        ("soye facing west", "maneuver", "jerome"),
        ("square soye facing nne", "square", "jerome"),
        ("move foy to jamin", "general", "foy"),
        ("general foy right", "general", "foy"),
        ("hold jamin", "hold", "foy"),
    ],
)
def test_a_natural_line_does_it(line: str, kind: str, group: str) -> None:
    typing = first(typist(), group)
    typing.type(line)
    assert last(typing)[0] == kind, typing.said[-3:]


def test_a_way_straight_on_is_measured_from_the_unit_as_it_turns() -> None:
    """A column of three ranks that goes back an inch ends with its front so far behind where its rear was."""
    typing = first(typist(), "jerome")
    soye = typing.battle.unit("soye")
    typing.type("maneuver soye back 1")
    turned = soye.turned(180.0, soye.at).front_mid
    action = typing.session.steps[-1].action
    assert action is not None
    (x, y), (tx, ty) = action.options["path"][0], turned
    assert ((x - tx) ** 2 + (y - ty) ** 2) ** 0.5 == pytest.approx(1.0, abs=0.01)


def test_everybody_left_holds() -> None:
    typing = first(typist(), "foy")
    typing.type("finish")
    assert typing.battle.clock.side == "allied"


def test_coming_on_and_regrouping() -> None:
    """TSE-ACT-80, TSE-ACT-90: a brigade comes on by its road; one that is shaken regroups into what is asked."""
    typing = first(typist(), "kellermann")
    assert "came on to the table" in typing.type("route march guiton")
    battle = _shaken(load_scene(QUATRE_BRAS), "soye")
    typing = first(Typist(battle, 3), "jerome")
    typing.type("rally soye in square facing south")
    action = typing.session.steps[-1].action
    assert action is not None
    assert action.kind == "regroup"
    assert action.options == {"formation": "square", "facing": 180.0}
    assert typing.told("regroup")


def _shaken(battle: Battle, unit: str) -> Battle:
    return battle.with_unit(replace(battle.unit(unit), status="disordered"))


def test_a_unit_halfway_is_told_what_is_left_to_it() -> None:
    """TSE-CMB-01: a shot may follow; the others wait until it is taken or forgone."""
    typing = first(typist(seed=5), "foy")
    said = typing.type("deploy foy-guns facing 0")
    assert "Foy's battery may still: hold, advancing-fire." in said
    assert "must finish first" in typing.type("hold jamin")
    assert "still to act: foy, gauthier, jamin" in typing.type("hold foy-guns")


def test_odds_are_shown_and_a_yes_is_wanted_before_a_fight() -> None:
    typing = first(typist(confirm="fights"), "foy")
    count = len(typing.session.steps)
    said = typing.type("assault jamin brunswick-light")
    assert "the target gives way:" in said
    assert "stopped by fire:" in said
    assert said.endswith("('odds' says where the figures come from)")
    assert typing.prompt.mark == "yes or no> "
    assert "Modifiers of the defence stage:" in typing.type("odds")
    assert len(typing.session.steps) == count, "nothing has been done yet"
    assert "Jamin assaulted" in typing.type("yes")
    assert "nothing waits for a yes" in typing.type("yes")


def test_a_no_leaves_it_undone_and_an_exclamation_mark_asks_nothing() -> None:
    typing = first(typist(confirm="fights"), "foy")
    assert typing.type("fire foy-guns bijlandt-left", "no") == "Not done."
    assert not typing.told("deployed-fire")
    typing.type("fire foy-guns bijlandt-left!")
    assert typing.told("deployed-fire")


def test_a_shot_that_would_be_wasted_is_asked_about() -> None:
    """TSE-FIR-09: out of range it would be wasted; TSE-APP-08."""
    typing = first(typist(confirm="fights"), "foy")
    assert "100.0% ####################" in typing.type("fire foy-guns rogers")
    assert typing.prompt.waiting is not None


def test_when_to_ask_is_a_setting() -> None:
    typing = first(typist(confirm="fights"), "foy")
    assert "orders lost" in typing.type("maneuver gauthier forward 0.2"), (
        "the odds of others are shown as they are done"
    )
    assert typing.told("orders")
    typing.type("hold gauthier", "confirm all", "deploy jamin toward pack")
    assert typing.prompt.waiting is not None
    typing.type("no", "confirm off")
    assert "Do it?" not in typing.type("fire foy-guns bijlandt-left")
    assert "is no setting of confirm" in typing.type("confirm never")


def test_reasons_and_how_far_it_may_go() -> None:
    typing = first(typist(), "foy")
    said = typing.type("maneuver gauthier forward 30")
    assert "It may not be done:" in said
    assert "[TSE-MOV-17]" in said
    assert "and 3 more reasons" in said
    assert "As far as it may go that way (type 1): maneuver gauthier path" in said
    assert typing.type("why can't I?") == said[: said.index("\nAs far")]
    typing.type("1")
    assert last(typing)[:2] == ("maneuver", "gauthier")
    assert "another" not in typing.type("why can't I assault jamin kempt?")


def test_the_group_to_choose_first_is_offered() -> None:
    typing = typist()
    typing.type("first" if typing.battle.pending[0].side == "french" else "second")
    assert "First (type 1): choose pire" in typing.type("hold wathiez")
    typing.type("1")
    assert typing.battle.clock.group == "pire"


def test_suggestions_by_number() -> None:
    typing = first(typist(), "foy")
    said = typing.type("hint jamin")
    assert "assault jamin brunswick-light" in said
    assert all("jamin" in line or line.startswith("    ") for line in said.splitlines()[1:])
    number = next(k for k, action in enumerate(typing.prompt.offered, 1) if action.kind == "assault")
    assert "Modifiers of the melee stage:" in typing.type(f"odds {number}")
    typing.type(str(number))
    assert last(typing)[0] == "assault"
    assert "'hint' lists what there is" in typing.type("1"), "a list is for one position only"


def test_what_was_answered_and_offered_in_the_middle() -> None:
    """TSE-ASL-60, TSE-ASL-70: cavalry charged is asked, and so is cavalry that has won."""
    typing = first(Typist(_cavalry(), 11), "pire")
    said = typing.type("assault wathiez van-merlen!")
    while "still: " in said or "orders" in said:
        pytest.fail(said)
    assert "countercharge, or stand?" in said.replace("\n  ", " ")
    weighed = typing.type("odds")
    assert "countercharge" in weighed
    assert "stand" in weighed
    assert "first answer: countercharge / stand" in typing.type("hold wathiez")
    typing.type("stand")
    assert typing.told("assault")


def _cavalry() -> Battle:
    """Quatre Bras with van Merlen before Wathiez, and nobody between."""
    battle = load_scene(QUATRE_BRAS)
    rider = battle.unit("wathiez")
    (x, y), (east, north) = rider.front_mid, rider.forward
    enemy = battle.unit("van-merlen")
    turned = enemy.turned(rider.facing + 180.0 - enemy.facing, enemy.at)
    there = turned.moved(x + 3.0 * east - turned.front_mid[0], y + 3.0 * north - turned.front_mid[1])
    kept = tuple(u for u in battle.units if u.id in ("wathiez", "pire", "reille", "ney", "wellington"))
    return replace(battle, units=(*kept, there))


def test_undo_goes_back_to_ones_own_last_action_and_never_past_a_die() -> None:
    typing = first(typist(), "foy")
    typing.type("general foy toward jamin 1")
    moved = typing.battle
    assert typing.type("undo").startswith("Taken back.")
    assert typing.battle != moved
    typing.type("redo")
    assert typing.battle == moved
    typing.type("fire jamin brunswick-light")
    assert "chance had a hand in it" in typing.type("undo")


def test_a_computer_plays_its_side_in_between_and_is_undone_with_it() -> None:
    typing = typist(players={"allied": Greedy(1)})
    first(typing, "ney")
    said = typing.type("finish")
    assert "Allied: choose" in said
    assert typing.battle.clock.side == "french"
    assert "chance had a hand" in typing.type("undo")


def test_a_whole_skirmish_by_the_computer_ends_in_a_report() -> None:
    typing = typist(SKIRMISH, 2)
    for _ in range(200):
        if typing.battle.over:
            break
        typing.type("auto 20")
    assert typing.battle.outcome is not None
    assert "The battle is over." in typing.type("who")
    assert "the battle is over" in typing.type("hold red")
    report = typing.type("report")
    assert report.startswith("A skirmish over a hedge\n===")
    assert "Turn 1" in report
    assert all(len(line) <= WIDTH for line in "\n".join(typing.said).splitlines())


def test_the_filled_in_form_is_shown_and_logged() -> None:
    """TSE-APP-01: in a game the form is filled in from the table, and part of the record."""
    typing = first(typist(), "foy")
    assert typing.type("form") == "No form has been filled in yet."
    typing.type("fire foy-guns bijlandt-left")
    said = typing.type("form")
    assert "Foy's battery: deployed-fire against" in said
    for label, value in (("Actor", "light-foot-artillery"), ("Cover", "none"), ("Actor disordered", "no")):
        assert any(line.split() == [*label.split(), *value.split()] for line in said.splitlines()), label
    assert "form: deployed-fire, actor light-foot-artillery" in typing.type("log all").replace("\n", "")


def test_other_rules_are_played_by_the_same_words() -> None:
    """Phases, their end, and fights of another rule set."""
    typing = Typist(load_scene(DRILL), 3, confirm="fights")
    typing.type("help", "who", "hint")
    assert "bombard french-guns russian-1   +" in typing.said[-1]
    said = typing.type("fire french-guns at russian")
    assert "Do it?" in said
    typing.type("yes")
    assert typing.battle.clock.phase == "movement"
    typing.type("move french-2 forward 30")
    assert last(typing)[:2] == ("move", "french-2")
    typing.type("form french-1 in col")
    assert last(typing)[0] == "form"
    typing.type("end")
    assert typing.battle.clock.phase == "combat"


def test_a_question_to_the_judge() -> None:
    typing = first(typist(), "foy")
    assert typing.type("ask los jamin kempt").startswith(("Yes. Jamin sees Kempt", "No. Jamin does not see Kempt"))
    assert "may not make this move" in typing.type("ask move jamin to 14,40")
    assert "no question 'loss'; did you mean 'los'?" in typing.type("ask loss jamin kempt")


@pytest.mark.parametrize("line", ["help", "who", "map", "menu jamin", "hint", "log", "losses", "report", "card jamin"])
def test_looking_changes_nothing_and_fits_the_screen(line: str) -> None:
    typing = first(typist(), "foy")
    before = typing.battle
    said = typing.type(line)
    assert typing.battle is before
    assert said
    assert max(map(len, said.splitlines())) <= WIDTH


def test_a_refusal_changes_nothing() -> None:
    typing = first(typist(), "foy")
    before, steps = typing.battle, len(typing.session.steps)
    typing.type("assault kempt foy", "maneuver jamin to 14,40", "regroup jamin", "choose foy", "route-march jamin")
    assert typing.battle is before
    assert len(typing.session.steps) == steps
    assert engine.mover(before) == "french"


@pytest.mark.parametrize("scheme", ["division", "chaotic", "unit", "chaotic-unit"])
def test_where_single_units_act_no_division_is_asked_for(scheme: str) -> None:
    """TSE-TRN-03, TSE-TRN-11: a unit or a general is chosen where they alternate one by one."""
    battle = load_scene(SKIRMISH)
    typing = Typist(replace(battle, setup=replace(battle.setup, options={"initiative": scheme})))
    if typing.battle.pending:
        typing.type("first")
    said = "\n".join([*typing.said, typing.type("help"), typing.type("who")])
    said = said.lower()
    asked = "choose a unit or a general" if scheme.endswith("unit") else "choose a division"
    assert asked in said
    assert ("division" in said) != scheme.endswith("unit")


NAMED_I = """\
format: tabletop-scene/1
title: A unit called i
rules: tse
table: {unit: in, width: 48, height: 36}
units:
  - {id: g, side: blue, troop: general, rank: division, at: [20, 3]}
  - {id: i, side: blue, parent: g, troop: infantry, bases: 4, formation: maneuver-column, at: [10, 6], facing: 0}
  - {id: d, side: red, troop: infantry, bases: 4, formation: deployed, at: [10, 30], facing: 180}
"""


def test_a_unit_may_be_called_i(tmp_path: Path) -> None:
    """An "I" before the action is who asks, one behind its first word is the unit."""
    path = tmp_path / "scene.yaml"
    path.write_text(NAMED_I, encoding="utf-8")
    game = typist(path)
    game.type("first" if game.battle.pending[0].side == "blue" else "second", "choose g")
    for asked in ("why can't I assault i d?", "why assault i d", "why may i not assault i d"):
        assert "TSE-ASL-05" in game.type(asked)
