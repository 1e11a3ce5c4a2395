"""Small battles of Glaube for the tests: Swedes blue from the south, Imperialists red from the north."""

from __future__ import annotations

from tabletop.rules.glaube.rule_set import RULES
from tests.ages import Builder

BUILDER = Builder(RULES, {"blue": "swedish", "red": "imperial"}, usual="regulars")
unit, battle, done = BUILDER.unit, BUILDER.battle, BUILDER.done
