"""Small battles of Gloire for the tests: British blue from the south, French red from the north."""

from __future__ import annotations

from tabletop.rules.gloire.rule_set import RULES
from tests.ages import Builder

BUILDER = Builder(RULES, {"blue": "british", "red": "french"})
unit, battle, done = BUILDER.unit, BUILDER.battle, BUILDER.done
