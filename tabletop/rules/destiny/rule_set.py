"""The ``RuleSet`` record of Destiny."""

from __future__ import annotations

from tabletop.rules.ages.record import rule_set_of
from tabletop.rules.destiny.profile import PROFILE

RULES = rule_set_of(PROFILE, title="Age of Destiny", version=1)
