"""The ``RuleSet`` record of Gloire."""

from __future__ import annotations

from tabletop.rules.ages.record import rule_set_of
from tabletop.rules.gloire.profile import PROFILE

RULES = rule_set_of(PROFILE, title="Age of Gloire", version=1)
