"""Every kind of action of There Stand Empires, by name."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rules.play import ActionKind
from tabletop.rules.tse import arrivals, assaulting, firing, forming_up, moving, regrouping, turn

_ALL = (
    *turn.KINDS,
    *moving.KINDS,
    *forming_up.KINDS,
    *arrivals.KINDS,
    *regrouping.KINDS,
    *firing.KINDS,
    *assaulting.KINDS,
)
KINDS: Mapping[str, ActionKind] = {kind.name: kind for kind in _ALL}
