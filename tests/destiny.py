"""Small battles of Destiny for the tests: French blue from the south, Prussian red from the north."""

from __future__ import annotations

from tabletop.rules.destiny.rule_set import RULES
from tests.ages import Builder, Numbers, action, told

__all__ = ["Numbers", "action", "battle", "done", "told", "unit"]

BUILDER = Builder(RULES, {"blue": "french", "red": "prussian"})
unit, battle, done = BUILDER.unit, BUILDER.battle, BUILDER.done
