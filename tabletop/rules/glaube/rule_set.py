"""The ``RuleSet`` record of Glaube."""

from __future__ import annotations

from tabletop.rules.ages.record import rule_set_of
from tabletop.rules.glaube.profile import PROFILE

RULES = rule_set_of(PROFILE, title="Age of Glaube", version=1)
