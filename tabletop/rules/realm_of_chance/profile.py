"""What is special to Realm of Chance: its tables and armies, its printed odds, its victory points."""

from __future__ import annotations

from tabletop.rules.ages.tables import Profile
from tabletop.rules.realm_of_chance import printed_odds, victory

PROFILE = Profile(
    name="realm-of-chance",
    package="tabletop.rules.realm_of_chance",
    ratio=printed_odds.ratio,
    lost=victory.credit,
    settled=victory.settled,
    won=victory.won,
    winning=victory.winning,
)
