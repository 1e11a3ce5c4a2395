"""Verbs agree with the names of units that are said of several."""

import pytest

from tabletop.battle.naming import agreeing, several
from tabletop.explain import explain
from tabletop.judge import ask
from tabletop.play.narration import sentences
from tabletop.render.drawing.answer import question_in_words
from tests import loaded

NAMES = ("Guard lancers", "Rogers's 9-pounders", "Foy", "Lefebvre-Desnouettes", "Marie-Louises", "Foy's battery")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Guard lancers is 4.60 away", "Guard lancers are 4.60 away"),
        ("Foy is 4.60 away", "Foy is 4.60 away"),
        ("No. Guard lancers does not see Foy: Foy is near.", "No. Guard lancers do not see Foy: Foy is near."),
        ("part of Guard lancers lies in the arc", "part of Guard lancers lies in the arc"),
        ("Rogers's 9-pounders has it; Guard lancers was not", "Rogers's 9-pounders have it; Guard lancers were not"),
        ("Lefebvre-Desnouettes is with it", "Lefebvre-Desnouettes is with it"),
        ("Is Guard lancers under command?", "Are Guard lancers under command?"),
        ("What ground does Guard lancers see?", "What ground do Guard lancers see?"),
        ("Foy's battery is disordered", "Foy's battery is disordered"),
    ],
)  # fmt: skip
def test_verbs_agree_with_the_name_they_are_said_of(text: str, said: str) -> None:
    assert agreeing(text, NAMES) == said


def test_a_name_of_several_ends_in_a_word_for_soldiers_or_guns() -> None:
    assert [name for name in NAMES if several(name)] == ["Guard lancers", "Rogers's 9-pounders"]


def test_verdicts_and_questions_are_told_so() -> None:
    battle = loaded.scenario("tse/quatre-bras")
    found = ask(battle, "command", ("colbert",), {})
    assert explain(found, battle).startswith("Yes. Guard lancers are within command")
    assert question_in_words(battle, found) == "Are Guard lancers under command?"
    assert not list(sentences(battle, ()))


def test_a_piece_without_a_name_is_called_by_plain_words() -> None:
    """Its id has a hyphen in the file."""
    battle = loaded.scenario("tse/quatre-bras")
    said = explain(ask(battle, "assault", ("rogers", "colbert"), {}), battle)
    assert "gemioncourt crest" in said and "gemioncourt-crest" not in said
