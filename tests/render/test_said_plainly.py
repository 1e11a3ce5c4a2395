"""What is said of a position is in words a player knows: none of the files' own words, no word twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.naming import side_name
from tabletop.battle.saying import by_name
from tabletop.errors import BadQuestion
from tabletop.geometry.verdict import Dependency, Reason, Verdict
from tabletop.judge import ask, judge
from tabletop.play.files.opened import open_battle
from tabletop.play.workers.judge_worker import InlineJudgeWorker
from tabletop.render.drawing.answer import margins
from tabletop.render.judge.verdict_words import verdict_html
from tabletop.render.table import captions
from tabletop.render.table.controller import TableController
from tabletop.render.table.model import TableModel
from tests import loaded

FILES_WORDS = (" is ok", " ok ", "maneuver-column", "march-column", "-artillery", "-cavalry", "closed-order", "_")


def controller(battle: Battle) -> TableController:
    return TableController(TableModel(battle), InlineJudgeWorker(battle), InlineJudgeWorker(battle))


def leaves(reasons: tuple[Reason, ...]) -> Iterator[str]:
    for reason in reasons:
        yield reason.text
        yield from leaves(reason.parts)


def verdicts(battle: Battle) -> Iterator[Verdict]:
    """Yield the verdicts on who may fire at whom, assault whom, and see whom, one of each troop and formation."""
    first, other = sorted({u.side for u in battle.units})
    ours = {(u.troop, u.formation): u for u in battle.side(first) if not u.is_general}.values()
    theirs = [u for u in battle.side(other) if not u.is_general][:3]
    for one in ours:
        for enemy in theirs:
            for question in ("fire", "assault"):
                try:
                    yield ask(battle, question, [one.id, enemy.id])
                except BadQuestion:
                    continue


def test_units_and_places_are_called_by_their_names_wherever_a_reason_has_their_ids() -> None:
    battle = loaded.scenario("tse/quatre-bras")
    text = "every line passes nearer than half an inch to bijlandt-left, brunswick-light; kempt stays a word"
    said = by_name(Reason("X-1", False, text, feature="quatre-bras"), battle)
    names = [battle.called(name) for name in ("bijlandt-left", "brunswick-light")]
    assert said == f"every line passes nearer than half an inch to {', '.join(names)}; kempt stays a word"
    hidden = by_name(Reason("X-1", False, "hidden by quatre-bras", feature="campi"), battle)
    assert hidden == "hidden by Quatre Bras"


@pytest.mark.parametrize("scenario", ["tse/teaching", "realm-of-chance/drill-ground"])
def test_reasons_are_in_a_players_words(scenario: str) -> None:
    battle = loaded.scenario(scenario)
    texts = [text for verdict in verdicts(battle) for text in leaves(verdict.because)]
    assert len(texts) > 20
    for text in texts:
        assert not any(word in text for word in FILES_WORDS), text


def test_who_is_in_good_order_is_said_to_be_so() -> None:
    battle = loaded.scenario("tse/teaching")
    texts = {text for verdict in verdicts(battle) for text in leaves(verdict.because)}
    assert any(text.endswith("is in good order") for text in texts)


def test_a_unit_is_said_to_be_of_its_side_by_name() -> None:
    battle = loaded.scenario("tse/skirmish")
    unit = battle.units[0]
    assert f"({side_name(unit.side)})" in captions.unit_card(unit, controller(battle).model)


def test_a_ruling_an_answer_turns_on_is_told_by_its_rule() -> None:
    battle = loaded.scenario("tse/skirmish")
    verdict = Verdict("los", ("a", "b"), "tse", False, depends_on=(Dependency("thin_wood_transparent", True),))
    said = captions.answer_html(verdict, controller(battle).model)
    assert "It turns on how TSE-LOS-10 is read (thin wood transparent: no); read otherwise, yes." in said
    assert "thin_wood" not in said


def test_the_judge_says_yes_or_no_once_and_reasons_begin_as_sentences_do() -> None:
    battle = loaded.scenario("tse/disputes/level-shadow")
    said = verdict_html(judge(battle, "los", ["low-guns", "middle"]), battle)
    assert said.count("NO") == 1 and "No." not in said
    assert "</b></font> Guns on the first step does not see Middle line" in said
    assert "The lower end lies" in said


def test_a_unit_called_by_a_word_of_the_language_is_named_once() -> None:
    """A unit whose id is "line": the sight line to it is no unit, and its name is not put into itself."""
    battle = loaded.scenario("tse/disputes/cover-by-the-part-attacked")
    text = "a line from the front to Red line is clear"
    assert by_name(Reason("X-1", True, text, feature="line"), battle) == text
    assert by_name(Reason("X-1", True, "line is seen", feature="line"), battle) == "Red line is seen"


#: A ridge, a wood or a hedge between two units, with any ids.
WORDS = """\
format: tabletop-scene/1
title: Words
rules: tse
table: {{unit: in, width: 40, height: 40}}
terrain:
  - {{id: '{piece}', name: Ridge, {ground}}}
units:
  - {{id: '{unit}', name: Alpha, side: red, troop: infantry, bases: 4, formation: {formation}, at: [15, 16], facing: 0}}
  - {{id: bravo-1, name: Bravo, side: blue, troop: infantry, bases: 4, formation: deployed, at: [15, {y}], facing: 180}}
"""
BLOCK = "outline: [[5, 18], [25, 18], [25, 22], [5, 22]]"


def said_of(tmp_path: Path, piece: str, unit: str, **scene: object) -> list[str]:
    """Return all that is said of sight, fire, assault and cover between the two units."""
    path = tmp_path / "scene.yaml"
    path.write_text(WORDS.format(piece=piece, unit=unit, **scene), encoding="utf-8")
    battle = open_battle(str(path))
    asked = [ask(battle, question, [unit, "bravo-1"]) for question in ("los", "fire", "assault")]
    asked += [ask(battle, "cover", [a], {"from": b}) for a, b in ((unit, "bravo-1"), ("bravo-1", unit))]

    def told(reasons: tuple[Reason, ...]) -> Iterator[str]:
        for reason in reasons:
            yield by_name(reason, battle)
            yield from told(reason.parts)

    return [text for verdict in asked for text in told(verdict.because)]


@pytest.mark.parametrize(
    ("ground", "formation", "y", "says"),
    [
        (f"kind: hill, {BLOCK}", "deployed", 24, "the hill Ridge stands between, no lower than the higher end"),
        (f"kind: woods, {BLOCK}", "maneuver-column", 24, "Bravo is hidden by Ridge"),
        (f"kind: woods, {BLOCK}", "maneuver-column", 20, "a unit in maneuver column delivers advancing fire"),
        (f"kind: woods, {BLOCK}", "deployed", 20, "in in Ridge; sight goes"),
        ("kind: hedge, line: [[5, 21.3], [25, 21.3]]", "deployed", 22, "a deployed unit delivers deployed fire"),
    ],
)
def test_ids_that_are_words_leave_the_sentences_as_they_are(
    tmp_path: Path, ground: str, formation: str, y: int, says: str
) -> None:
    """Whatever the ids, the same is said: names where the rules write ids, and the words of the sentence elsewhere."""
    scene = {"ground": ground, "formation": formation, "y": y}
    plainly = said_of(tmp_path, "ridge-1", "alpha-1", **scene)
    assert any(says in text for text in plainly), plainly
    words = ("a", "the", "hill", "line", "front", "wood", "in", "unit", "all", "end", "column", "infantry", "7", "0.5")
    for piece, unit in zip(words, (*words[1:], words[0]), strict=True):
        assert said_of(tmp_path, piece, unit, **scene) == plainly, (piece, unit)


def test_margins_stand_before_the_reasons_and_name_what_must_be_moved() -> None:
    """Frontal by a hair: the window and the picture say so, of what, and which way."""
    battle = loaded.scenario("tse/disputes/front-or-flank")
    verdict = judge(battle, "assault", ["west-column", "west-line"])
    said = verdict_html(verdict, battle)
    order = ["YES", "Too close to call", "<b>Margin:</b>", "<b>Frontal yes:</b>", "TSE-ASL-08"]
    assert [said.index(word) for word in order] == sorted(said.index(word) for word in order)
    rows = {key: (words, moved) for key, words, moved in margins(verdict, battle)}
    assert "margin" in rows and rows["frontal yes: margin"][1].startswith("West column slightly farther")
