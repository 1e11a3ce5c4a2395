"""Reasons in the player's words, and how the rules are read at a table: which answers depend on a reading."""

from __future__ import annotations

import re

from tabletop import explain
from tabletop.battle.battle import Battle
from tabletop.battle.naming import capital, plain
from tabletop.battle.saying import by_name
from tabletop.geometry.verdict import Dependency, Reason, Verdict
from tabletop.play.verdict_words import rules_read
from tabletop.rules import rule_set

#: Questions answered by a figure or a shape rather than by yes or no.
ALWAYS = ("distance", "zone", "zones", "field", "reach", "ground")


def reason_sentence(reason: Reason, battle: Battle) -> str:
    """Return a reason as a sentence, with units by their names."""
    return capital(by_name(reason, battle))


def headline(verdict: Verdict, battle: Battle) -> str:
    """Return an answer as a sentence without its yes or no, which stands above it; "" if it says no more.

    Questions in ``ALWAYS`` have no yes or no above, and keep the whole sentence.
    """
    sentence = explain.headline(verdict, battle)
    if verdict.question in ALWAYS:
        return sentence
    return by_name(Reason("", verdict.holds, re.sub(r"^(Yes|No)\.( |$)", "", sentence)), battle)


def turned(turn: Dependency, battle: Battle) -> str:
    """Return a ruling the answer depends on as a sentence: the rule, its reading here, the answer under the other."""
    return explain.turned(turn, battle, rules_read(battle).get(turn.ruling, ""))


def departures(battle: Battle) -> str:
    """Return which rulings differ from the usual ones here, as a sentence."""
    usual = rule_set.find(battle.rules).ruling_values()
    others = [f"{plain(name)}: {explain.value(v)}" for name, v in battle.rulings.items() if v != usual.get(name)]
    return f"Read otherwise than usual: {'; '.join(others)}." if others else "Every rule is read as usual."
