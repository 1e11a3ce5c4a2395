"""What is special to Glaube: its armies, hedgehogs that horse attack with pistols, and its numbers (GLA-GEN-01)."""

from __future__ import annotations

from tabletop.rules.ages.combat.odds import by_ratio
from tabletop.rules.ages.tables import Profile
from tabletop.rules.ages.turn import losses, victory

PROFILE = Profile(
    name="glaube",
    package="tabletop.rules.glaube",
    shared=("tabletop.rules.ages",),
    ratio=by_ratio,
    lost=losses.count,
    joined=losses.joined,
    settled=victory.settled,
    won=victory.won,
    winning=victory.winning,
)
