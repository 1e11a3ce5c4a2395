"""What is special to Destiny: its armies, its lancers, and its numbers (DES-GEN-01)."""

from __future__ import annotations

from tabletop.rules.ages.combat.odds import by_ratio
from tabletop.rules.ages.tables import Profile
from tabletop.rules.ages.turn import losses, victory

PROFILE = Profile(
    name="destiny",
    package="tabletop.rules.destiny",
    shared=("tabletop.rules.ages",),
    ratio=by_ratio,
    lost=losses.count,
    joined=losses.joined,
    settled=victory.settled,
    won=victory.won,
    winning=victory.winning,
)
