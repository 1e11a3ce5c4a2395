"""The ``RuleSet`` record of Realm of Chance."""

from __future__ import annotations

from tabletop.rules.ages.record import rule_set_of
from tabletop.rules.realm_of_chance.profile import PROFILE

RULES = rule_set_of(PROFILE, title="Realm of Chance", version=2)
