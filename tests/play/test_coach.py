"""Warnings before certain waste and before a move that opens a flank, and silence on what was done right twice."""

from dataclasses import replace

import pytest

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.geometry.base import Base
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.judge import ask
from tabletop.play.coach import FLANK, SENTENCES, WASTE, WORDS, Coach, Finding, flank, threat, waste
from tabletop.play.files.opened import open_battle
from tabletop.rules.play import Odds, Result

ATTACKER, LINE = "east-column", "east-line"
SHOT = Verdict("fire", ("a", "b"), "tse", True, because=(Reason("TSE-FIR-09", True, "out of range"),))


def shot(*results: Result) -> tuple[Finding, ...]:
    odds = Odds(Action("fire", "red", "a", "b"), tuple((1 / len(results), result) for result in results))
    return waste(SHOT, odds)


def pose(battle: Battle, name: str) -> dict[str, object]:
    """The pose of a unit as it stands."""
    unit = battle.unit(name)
    bases = [[b.x, b.y, b.facing] for b in unit.bases if isinstance(b, Base)]
    return {"bases": bases, "front_bases": unit.front_bases}


def moved(before: Battle, end: Battle) -> tuple[Finding, ...]:
    """What a move of the line from where it stands before to where it stands in the end comes to."""
    verdict = Verdict("maneuver", (LINE,), "tse", True, {"after": pose(end, LINE)})
    return flank(before, threat(before, verdict))


def shifted(battle: Battle, south: float) -> Battle:
    unit = battle.unit(LINE)
    bases = tuple(replace(base, y=base.y - south) for base in unit.bases)
    return battle.with_unit(replace(unit, bases=bases))


def flanked(battle: Battle) -> bool:
    verdict = ask(battle, "assault", (ATTACKER, LINE))
    return verdict.holds and not verdict.measured["frontal"]


def test_certain_waste_is_warned_of_with_its_result_and_rule() -> None:
    (found,) = shot(Result("out of range"))
    assert (found.concern, found.rule) == (WASTE, "TSE-FIR-09")
    assert "gain nothing: out of range" in found.text


def test_a_shot_with_any_good_result_is_not() -> None:
    (found,) = shot(Result("no effect"), Result("routed", 2.0))
    assert not found.text


@pytest.mark.parametrize("text", ["out of range", " ".join(["long"] * 20)])
def test_no_warning_of_waste_has_more_words_than_it_may(text: str) -> None:
    for results in ((Result(text),), (Result(text), Result("thrown back", -1.0))):
        (found,) = shot(*results)
        assert 0 < len(found.text.split()) <= WORDS


def test_a_move_that_opens_the_flank_is_warned_of_at_its_very_edge() -> None:
    """The column reaches the line's flank up to some place; the warning turns where the judge's answer does."""
    here = open_battle("front-or-flank")
    away = shifted(here, -6.0)
    assert not flanked(away)
    near, far = 0.0, -6.0
    while near - far > 1e-3:
        middle = (near + far) / 2
        near, far = (middle, far) if flanked(shifted(here, middle)) else (near, middle)
    (found,) = moved(away, shifted(here, near))
    assert (found.concern, found.rule) == (FLANK, "TSE-ASL-08")
    assert here.called(ATTACKER) in found.text and len(found.text.split()) <= WORDS
    assert not any(found.text for found in moved(away, shifted(here, far)))


def test_a_flank_that_lay_open_before_is_not_opened_by_the_move() -> None:
    here = open_battle("front-or-flank")
    assert moved(here, shifted(here, 0.01)) == ()


def test_a_long_name_does_not_make_the_warning_longer_than_it_may_be() -> None:
    here = open_battle("front-or-flank")
    here = here.with_unit(replace(here.unit(ATTACKER), name=" ".join(["Grenadiers"] * 20)))
    (found,) = moved(shifted(here, -6.0), here)
    assert 0 < len(found.text.split()) <= WORDS


def test_a_front_that_faces_the_assault_counts_as_correct() -> None:
    here = open_battle("front-or-flank")
    verdict = Verdict("maneuver", ("west-line",), "tse", True, {"after": pose(here, "west-line")})
    assert [(f.concern, f.text) for f in flank(here, threat(here, verdict))] == [(FLANK, "")]


def test_it_is_silent_on_what_a_side_did_correctly_twice() -> None:
    coach, waste, right = Coach(), (Finding(WASTE, "Waste.", ""),), (Finding(WASTE, "", ""),)
    coach.done("red", right)
    coach.done("red", waste)
    assert coach.warning("red", waste) == waste[0]
    coach.done("red", right)
    assert coach.warning("red", waste) is None
    assert coach.warning("blue", waste) == waste[0]
    flank = Finding(FLANK, "Flank.", "")
    assert coach.warning("red", (*waste, flank)) == flank


def test_turned_off_it_says_nothing() -> None:
    assert Coach(on=False).warning("red", (Finding(WASTE, "Waste.", ""),)) is None


@pytest.mark.parametrize("sentence", SENTENCES)
def test_no_sentence_is_longer_than_it_may_be(sentence: str) -> None:
    assert len(sentence.format("Grenadiers").split()) <= WORDS
    assert sentence.count("{}") <= 1


@pytest.mark.parametrize("name", ["Lambert", " ".join(["Erste"] * 6), " ".join(["Erste"] * 7)])
def test_a_long_name_makes_no_long_sentence(name: str) -> None:
    """At the bound: six words of a name still have room, seven have not."""
    battle = open_battle("front-or-flank")
    enemy = replace(battle.unit(ATTACKER), name=name)
    beside = Verdict("assault", (ATTACKER, LINE), "tse", True, {"frontal": False}, because=SHOT.because)
    (found,) = flank(battle.with_unit(enemy), beside)
    assert len(found.text.split()) <= WORDS
    assert (name in found.text) == (len(name.split()) + 8 <= WORDS)


def test_it_speaks_of_a_concern_until_the_rule_was_used_correctly_twice() -> None:
    coach = Coach()
    assert coach.speaks("red", FLANK)
    coach.done("red", (Finding(FLANK, "", ""),) * 2)
    assert not coach.speaks("red", FLANK) and coach.speaks("red", WASTE) and coach.speaks("blue", FLANK)
