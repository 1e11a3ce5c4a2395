"""Rule cards: every rule of both rule sets has one, with its section; numbers come from the data files."""

import re

import pytest

from tabletop.rules.cards import ID, _rows, rule_card
from tabletop.rules.rule_set import NAMES, find


@pytest.mark.parametrize("rules", NAMES)
def test_every_rule_has_a_card(rules: str) -> None:
    for name in _rows(rules):
        card = rule_card(rules, name)
        assert card is not None and card.says.endswith("."), name
        assert ID.fullmatch(name), name


@pytest.mark.parametrize("rules", NAMES)
def test_every_ruling_is_on_the_card_of_its_rule(rules: str) -> None:
    for ruling in find(rules).rulings.values():
        card = rule_card(rules, ruling.rule)
        assert card is not None and ruling in card.rulings, ruling.name


def test_sections_are_named_in_words() -> None:
    for rules in NAMES:
        for name in _rows(rules):
            card = rule_card(rules, name)
            assert card is not None
            assert all(len(section) > 4 for section in card.sections), name


def test_numbers_of_a_table_and_of_the_model() -> None:
    shot, hard = rule_card("tse", "TSE-FIR-01"), rule_card("tse", "TSE-COV-04")
    assert shot is not None and "troops, heavy foot artillery, range: 12" in shot.numbers
    assert hard is not None and "fire, hard cover: -0.9 (reconstruction)" in hard.numbers
    rifles = rule_card("destiny", "DES-INF-02")
    assert rifles is not None and rifles.numbers[0].startswith("infantry, british rifles: normal 2, disrupted 1, rally")


@pytest.mark.parametrize("rules", NAMES)
def test_numbers_are_told_in_words(rules: str) -> None:
    """Nothing of the files' own writing: no brackets, comments or empty names."""
    lines = [line for name in _rows(rules) if (card := rule_card(rules, name)) is not None for line in card.numbers]
    assert not [line for line in lines if re.search(r"[\[\]#{}]|^\W", line)]


def test_no_card_for_what_is_no_rule_or_another_sets() -> None:
    assert rule_card("tse", "ROC-ART-01") is None
    assert rule_card("realm-of-chance", "TSE-FIR-01") is None
