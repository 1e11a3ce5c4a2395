"""Small battles of Reason for the tests: British blue from the south, Americans red from the north."""

from __future__ import annotations

from tabletop.rules.reason.rule_set import RULES
from tests.ages import Builder

BUILDER = Builder(RULES, {"blue": "british", "red": "american"})
unit, battle, done = BUILDER.unit, BUILDER.battle, BUILDER.done
