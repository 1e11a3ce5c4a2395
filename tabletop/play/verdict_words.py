"""A verdict in words, with the rule behind each of its rulings, for every part of the program that writes text."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.battle.battle import Battle
from tabletop.explain import explain
from tabletop.geometry.verdict import Verdict
from tabletop.rules import rule_set


def explained(verdict: Verdict, battle: Battle) -> str:
    """Return the verdict as lines of text: units, terrain and rulings by their names."""
    return explain(verdict, battle, rules_read(battle))


def rules_read(battle: Battle) -> Mapping[str, str]:
    """Return, by name of ruling, the rule that each ruling of a battle's rule set interprets."""
    return {name: ruling.rule for name, ruling in rule_set.find(battle.rules).rulings.items()}
