"""Every kind of action of There Stand Empires, by name."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rules.play import ActionKind
from tabletop.rules.tse.assault import resolve as assault_resolve
from tabletop.rules.tse.fire import resolve as fire_resolve
from tabletop.rules.tse.morale import regrouping
from tabletop.rules.tse.movement import arrivals, resolve_formation
from tabletop.rules.tse.movement import resolve as movement_resolve
from tabletop.rules.tse.turn import sequence

_ALL = (
    *sequence.KINDS,
    *movement_resolve.KINDS,
    *resolve_formation.KINDS,
    *arrivals.KINDS,
    *regrouping.KINDS,
    *fire_resolve.KINDS,
    *assault_resolve.KINDS,
)
KINDS: Mapping[str, ActionKind] = {kind.name: kind for kind in _ALL}
