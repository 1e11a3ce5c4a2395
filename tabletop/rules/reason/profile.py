"""What is special to Reason: its armies, rifles with twice the range of muskets, and its numbers (REA-GEN-01)."""

from __future__ import annotations

from tabletop.rules.ages.combat.odds import by_ratio
from tabletop.rules.ages.tables import Profile
from tabletop.rules.ages.turn import losses, victory

PROFILE = Profile(
    name="reason",
    package="tabletop.rules.reason",
    shared=("tabletop.rules.ages",),
    ratio=by_ratio,
    lost=losses.count,
    joined=losses.joined,
    settled=victory.settled,
    won=victory.won,
    winning=victory.winning,
)
