"""Where numbers come from is told everywhere: a reconstruction is never shown as the rulebook's own number."""

from __future__ import annotations

import json
import pydoc
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from typing import Any

import pytest

from tabletop import cli
from tabletop.battle.action import Action
from tabletop.play.app_draws import Draws
from tabletop.play.engine import play_of
from tabletop.render.battle import words
from tabletop.rules.ages.fire.resolve import factors
from tabletop.rules.cards import rule_card
from tabletop.rules.common.basis import BASES, bases_of, entries
from tabletop.rules.play import Odds
from tabletop.rules.rule_set import find
from tabletop.terminal import chances
from tabletop.terminal.game_app import odds_text
from tabletop.terminal.views import situation
from tests import loaded
from tests.rules.test_calculators import calculator_of, presses, simplest

AGES = ("destiny", "reason", "gloire", "glaube")
#: The folders of rule sets, and of a module, whose numbers all say where they come from.
LABELLED = ("ages", *AGES, "realm_of_chance", "sauve_qui_peut", "sail")
FILES = ("tables.toml", "armies.toml", "odds.toml", "victory.toml")
#: What the books of the Ages, of Sauve qui peut and of Sail do not print: made up, or lost with the pictures of it.
RECONSTRUCTED = {
    "ages": (
        "throw.starts", "artillery.foot.bands", "artillery.foot.results", "artillery.horse.results",
        "artillery.die.column", "artillery.die.square", "combat.most", "combat.ladder", "combat.columns",
        "combat.results", "square.ok.repelled", "square.ok.broken", "square.disrupted.repelled",
        "square.disrupted.broken", "under_fire.killed", "under_fire.wounded", "under_fire.shaken", "crisis.levels",
        "sight.dusk_turns", "sight.dusk_range", "manoeuvre.infantry.line-column", "manoeuvre.infantry.about",
        "manoeuvre.cavalry.wheel_90", "manoeuvre.artillery.about", "troops.foot-artillery.base",
    ),
    "destiny": ("manoeuvre.discount.moves",),
    "reason": ("manoeuvre.discount.moves",),
    "sauve_qui_peut": ("crisis.levels", "crisis.hazard", "crisis.early.levels", "crisis.early.hazard", "crisis.step"),
    "sail": ("base.beam", "base.length", "quality.weak.decks_lost", "boarding.clear", "strike.near", "scale.metres"),
}  # fmt: skip
#: Numbers that settle what a text leaves open.
RULED = {
    "ages": ("combat.works", "combat.die.defender_general", "lengths.contact", "orders.once"),
    "reason": ("lengths.obstacle_near",),
}
PRINTED = {
    "ages": ("combat.die.charging", "combat.columns_up.rear", "rally.rout", "orders.understood", "crisis.marks"),
    "realm_of_chance": ("artillery.heavy.results", "combat.results", "square.ok.broken", "combat.die.defender_general"),
    "sauve_qui_peut": ("crisis.marks",),
    "sail": ("hit.hull", "ship.frigate.decks", "boarding.separate_on"),
}
#: The modifiers of the Ages whose numbers their books do not print; all others are printed.
MODIFIERS = {
    "target in column": "reconstruction",
    "target in square": "reconstruction",
    "a general with the defender": "ruling",
}
#: Scenes in which somebody may shoot, or fight, as the units stand at the start.
SHOTS = {
    "realm-of-chance": "realm-of-chance/drill-ground",
    "destiny": "destiny/lancers",
    "reason": "reason/rossbach",
    "gloire": "gloire/causeway",
    "glaube": "glaube/ford",
}
COMBATS = {
    "realm-of-chance": "realm-of-chance/disputes/struck-at-the-corner",
    "destiny": "destiny/lancers",
    "reason": "reason/disputes/behind-the-fence",
    "glaube": "glaube/disputes/thirty-millimetres",
}
SCENES = [*((scene, "bombard") for scene in SHOTS.values()), *((scene, "combat") for scene in COMBATS.values())]
#: What is said below odds, and on the window's panel where every number is printed.
SAID = "These numbers are a reconstruction, not the rulebook's own."
PRINTED_HERE = "These numbers stand in the rulebook."


# --- in the data -----------------------------------------------------------------------------------------------------


def bases(folder: str) -> dict[str, str]:
    return {path: word for file in FILES for path, word in bases_of(f"tabletop.rules.{folder}", file).items()}


@pytest.mark.parametrize("folder", LABELLED)
def test_every_number_says_where_it_comes_from(folder: str) -> None:
    for file in FILES:
        data = resources.files(f"tabletop.rules.{folder}").joinpath(file)
        for entry in entries(data.read_text("utf-8")) if data.is_file() else ():
            assert entry.basis in BASES or not any(map(str.isdigit, entry.value)), f"{folder}/{file}: {entry.path}"


@pytest.mark.parametrize("word", ["reconstruction", "ruling", "source"])
def test_the_data_say_what_the_books_lack(word: str) -> None:
    listed = {"reconstruction": RECONSTRUCTED, "ruling": RULED, "source": PRINTED}[word]
    for folder, paths in listed.items():
        assert {path: bases(folder)[path] for path in paths} == dict.fromkeys(paths, word), folder


@pytest.mark.parametrize("age", AGES)
def test_every_row_of_the_armies_is_a_reconstruction(age: str) -> None:
    rows = tomllib.loads(resources.files(f"tabletop.rules.{age}").joinpath("armies.toml").read_text("utf-8"))
    found = bases_of(f"tabletop.rules.{age}", "armies.toml")
    names = [f"{troop}.{quality}" for troop, row in rows.items() if troop != "columns" for quality in row]
    assert names and {found[name] for name in names} == {"reconstruction"}


def test_of_several_words_the_least_sure_counts() -> None:
    text = "[a] # ruling\nx = 1\ny = 2 # 1 source, 2 reconstruction\n[a.b]\ny = 3\n[c]\nz = 1"
    assert [entry.basis for entry in entries(text)] == ["ruling", "reconstruction", "reconstruction", ""]


# --- in the odds -----------------------------------------------------------------------------------------------------


def fights(scene: str, kind: str, most: int = 4) -> Iterator[Odds]:
    """Yield some allowed shots or combats of a scene as it stands, with their odds."""
    battle = loaded.scenario(scene)
    play = play_of(battle)
    found = 0
    for unit, enemy in (
        (u, e) for u in battle.units if not u.is_general for e in battle.enemies(u) if not e.is_general
    ):
        now, action = play.in_turn(battle, unit.id, kind), Action(kind, unit.side, unit.id, enemy.id)
        if found < most and play.kinds[kind].judge(now, action).holds:
            odds = play.odds(now, action)
            assert odds is not None
            found += 1
            yield odds


@pytest.mark.parametrize(("scene", "kind"), SCENES)
def test_odds_say_what_their_numbers_are(scene: str, kind: str) -> None:
    printed = scene.startswith("realm-of-chance")
    seen = list(fights(scene, kind))
    assert seen
    for odds in seen:
        assert odds.basis == ("source" if printed else "reconstruction")
        for factor in odds.factors:
            assert factor.basis == ("source" if printed else MODIFIERS.get(factor.name, "source")), factor.name


@pytest.mark.parametrize(("scene", "kind"), SCENES)
def test_prompt_and_window_say_it_too(scene: str, kind: str) -> None:
    """With modifiers or without; and a rebuilt table never stands in the rulebook."""
    printed = scene.startswith("realm-of-chance")
    for odds in fights(scene, kind):
        bare = replace(odds, factors=())
        for one in (odds, bare):
            for text in (chances.full(one), chances.brief(one), words.odds(one).replace("<br>", "\n")):
                assert (SAID in text) == (not printed)
            assert chances.one_line(one).endswith(" (reconstruction)") == (not printed)
            assert (PRINTED_HERE in words.odds(one)) == (printed and one is odds and bool(odds.factors))
        noted = [f"{factor.rule}, {factor.basis}" for factor in odds.factors]
        assert all(note in chances.full(odds) and (printed or note in words.odds(odds)) for note in noted)


def test_a_column_is_a_better_target_by_a_reconstruction() -> None:
    """AGE-ART-10: the number is in no book; in Realm of Chance it stands under the table (ROC-ART-06)."""
    found = [factor for odds in fights("reason/rossbach", "bombard") for factor in odds.factors]
    assert {(factor.name, factor.basis) for factor in found} == {("target in column", "reconstruction")}
    drill = loaded.scenario("realm-of-chance/drill-ground")
    (factor,) = factors(drill, Action("bombard", "prussian", "horse-guns", "french-2"))
    assert (factor.name, factor.basis) == ("target in column", "source")


def test_a_page_of_odds_as_data_has_it(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["odds", "a-hundred-millimetres", "combat", "rifles-west", "french-west", "--json"]
    assert cli.status(line) == 0
    assert json.loads(capsys.readouterr().out)["basis"] == "reconstruction"


#: A form with every modifier of a combat, once with works.
EVERYTHING = {
    "attacker_bases": 4, "defender_bases": 4, "attacker_state": "ok", "defender_state": "ok",
    "defender_formation": "line", "further_strength": 0, "arms": "three", "direction": "rear",
    "attacker_ground": "better", "defender_ground": "works", "charging": True, "first_contact": False,
    "attacker_general": "general", "defender_general": "great-captain",
}  # fmt: skip


@pytest.mark.parametrize("age", AGES)
def test_each_modifier_of_a_combat_says_what_its_number_is(age: str) -> None:
    """All are printed but a defender's general, whose sign is a ruling, and works, which a scenario may name."""
    machine = calculator_of(age)
    kinds = [str(value) for value in machine.fields("result", "combat")[0].values]
    foot = next(kind for kind in kinds if kind.endswith(" infantry"))
    form = {**EVERYTHING, "attacker": foot, "defender": foot}
    lines = machine.press("result", "combat", form, Draws(1)).lines
    noted = {line.partition(":")[0]: line.rpartition("(")[2].rstrip(")") for line in lines if "(" in line}
    assert noted == {
        "the defender has the better ground or cover": "ruling",
        "a general with the defender": "ruling",
    }
    assert SAID[1:-1] in lines[-1]
    better = {**form, "defender_ground": "better", "defender_general": "none"}
    assert not [line for line in machine.press("result", "combat", better, Draws(1)).lines if "(ruling)" in line]
    shot = {"guns": "foot-artillery", "range": 50, "defender_formation": "column", "defender_state": "ok"}
    assert "target in column: +0.100 (reconstruction)" in machine.press("result", "bombard", shot, Draws(1)).lines


def test_a_ship_with_fewer_guns_says_so() -> None:
    from tabletop.rules.sail.basis import origin

    ship = next(unit for unit in loaded.scenario("sail/long-sand").units if not unit.quality)
    assert origin(ship) == "source"
    assert {origin(replace(ship, quality=word)) for word in ("weak", "unpractised")} == {"reconstruction"}


# --- in the calculator -----------------------------------------------------------------------------------------------

#: What the calculator of an Age reads from a table that is printed; everything else is rebuilt.
FROM_THE_BOOK = {("order", None)}


@pytest.mark.parametrize("rules", ["realm-of-chance", *AGES])
def test_the_calculator_says_it(rules: str) -> None:
    machine = calculator_of(rules)
    for button, action in presses(machine):
        form = simplest(machine, button, action)
        basis = machine.basis(button, action, form)
        of_the_book = rules == "realm-of-chance" and button != "morale"  # that sheet is the module's
        rebuilt = not of_the_book and (button, action) not in FROM_THE_BOOK
        assert basis == ("reconstruction" if rebuilt else "source"), (button, action)
        answer = machine.press(button, action, form, Draws(3))
        assert answer.data["basis"] == basis
        assert (SAID[1:-1] in "; ".join(answer.lines)) == rebuilt
        assert (SAID in odds_text(machine.odds(button, action, form), basis)) == rebuilt


def test_to_halt_a_rout_the_number_is_printed() -> None:
    """AGE-RAL-03: 0.800 stands in the text; whether a general who helps under fire survives does not (AGE-RAL-08)."""
    machine = calculator_of("destiny")
    form = {"unit": "french-line infantry", "unit_state": "routing", "general": "general", "exposed": False}
    assert machine.basis("result", "rally", form) == "source"
    assert machine.basis("result", "rally", {**form, "exposed": True}) == "reconstruction"
    assert machine.basis("result", "rally", {**form, "unit_state": "disrupted"}) == "reconstruction"


def test_the_command_says_it(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["calculator", "morale", "--rules", "destiny", "--odds", "army_bases=40", "army_lost=8", "disrupted=no"]
    assert cli.status(line) == 0
    assert SAID in capsys.readouterr().out
    assert cli.status([*line, "--json"]) == 0
    assert {row["basis"] for row in json.loads(capsys.readouterr().out)} == {"reconstruction"}


# --- in sentences and on cards ---------------------------------------------------------------------------------------


def test_the_crisis_sentence_says_it() -> None:
    """At the prompt and on every unit's card: the levels of Sauve qui peut are rebuilt (SQP-TST-03)."""
    from tabletop.play.engine import begin

    battle = begin(loaded.scenario("destiny/last-half-hour"), 1).battle
    said = " ".join(situation(battle).split())
    assert said.count("15.1 % lose heart, 7.6 % rout (reconstruction)") == 1
    assert all(play_of(battle).outlook(battle, side).endswith(" (reconstruction)") for side in battle.setup.sides)


@pytest.mark.parametrize(
    ("rules", "rule", "numbers", "word"),
    [
        ("destiny", "AGE-CBT-14", "combat, ladder", "reconstruction"),
        ("destiny", "AGE-ART-02", "artillery, foot, bands", "reconstruction"),
        ("gloire", "AGE-ART-10", "artillery, die, column", "reconstruction"),
        ("reason", "AGE-SQR-03", "square, ok, broken", "reconstruction"),
        ("glaube", "AGE-RAL-08", "under fire, killed", "reconstruction"),
        ("glaube", "AGE-CBT-07", "combat, most", "reconstruction"),
        ("glaube", "GLA-INF-04", "infantry, imperial veterans", "reconstruction"),
        ("destiny", "AGE-CBT-08", "combat, works", "ruling"),
        ("reason", "AGE-CBT-08", "lengths, obstacle near", "ruling"),
        ("destiny", "AGE-CBT-09", "combat, die, defender general", "ruling"),
        ("destiny", "SQP-TST-03", "crisis, levels", "reconstruction"),
        ("realm-of-chance", "SQP-TST-03", "crisis, levels", "reconstruction"),
        ("realm-of-chance", "ROC-SCA-04", "troops, heavy artillery, base", "in part a reconstruction"),
        ("sail", "SAIL-LND-01", "scale, metres", "reconstruction"),
        ("sail", "SAIL-STR-01", "strike, near", "reconstruction"),
        ("sail", "SAIL-REC-03", "quality, weak, decks lost", "reconstruction"),
        ("destiny", "AGE-CBT-10", "combat, die, charging", ""),
        ("realm-of-chance", "ROC-CBT-07", "combat, die, charging", ""),
        ("sail", "SAIL-FIR-03", "hit, hull", ""),
    ],
)
def test_rule_cards_say_it(rules: str, rule: str, numbers: str, word: str) -> None:
    card = rule_card(rules, rule)
    assert card is not None
    lines = [line for line in card.numbers if line.startswith(f"{numbers}: ")]
    assert lines and all(line.endswith(f" ({word})") if word else not line.endswith(")") for line in lines)


def test_no_card_of_an_age_shows_a_rebuilt_row_bare() -> None:
    for age in AGES:
        book = [str(row["id"]) for row in _book(age)]
        shown = [line for rule in book if (card := rule_card(age, rule)) is not None for line in card.numbers]
        rows = [line for line in shown if "rally " in line and "reach " in line]
        assert rows and all(line.endswith("(reconstruction)") for line in rows), age


def _book(age: str) -> list[dict[str, object]]:
    from tabletop.rules.common.data import yaml_of

    packages = find(age).packages
    return [row for one in packages for row in yaml_of(resources.files(one).joinpath("rules.yaml").read_text("utf-8"))]


def test_the_page_of_the_calculator_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Below the exact odds, where there are any; nothing where the number is printed."""
    import pygame

    from tabletop.render.game_app import screen
    from tabletop.render.screens import Look
    from tabletop.render.settings.model import Settings
    from tabletop.render.widgets.app_form import Pad

    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((1280, 720))
    shown: list[str] = []
    place = "tabletop.render.game_app.screen.words"
    draw = pydoc.locate(place)
    assert callable(draw)

    def noting(text: str, *args: Any, **more: Any) -> Any:
        shown.append(text)
        return draw(text, *args, **more)

    monkeypatch.setattr(place, noting)
    for age, told in ((age, told) for age in AGES for told in (True, False)):
        pad = Pad(calculator_of(age))
        pad.choose("morale" if told else "order")
        assert pad.basis == ("" if told else "source"), "two numbers are still to be filled in"
        for name, value in simplest(pad.machine, pad.button, None).items():
            pad.put(name, value)
        assert pad.basis == ("reconstruction" if told else "source")
        shown.clear()
        screen.GameApp(Look(Settings()), pad).frame([], 0.1)
        assert "The exact odds" in shown and (SAID in shown) == told
