"""The ``RuleSet`` record of Reason."""

from __future__ import annotations

from tabletop.rules.ages.record import rule_set_of
from tabletop.rules.reason.profile import PROFILE

RULES = rule_set_of(PROFILE, title="Age of Reason", version=1)
