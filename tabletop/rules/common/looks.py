"""How units are to be drawn: what stands on a base, how shaken a unit is, how high a general ranks.

A rule set states it in a record ``Looks``; the renderer draws the pictures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tabletop.battle.unit import Unit


class Figure(StrEnum):
    """What stands on a base."""

    FOOT = "foot"
    HORSE = "horse"
    GUNS = "guns"
    WAGON = "wagon"
    OFFICER = "officer"
    AIDE = "aide"


class Condition(StrEnum):
    """How badly a unit is out of order: shaken or broken; marked if the rule set does not say which."""

    SHAKEN = "shaken"
    BROKEN = "broken"
    MARKED = "marked"


#: What stands on a base, by the last word of its kind of troops.
FIGURES: Mapping[str, Figure] = {
    "infantry": Figure.FOOT, "cavalry": Figure.HORSE, "artillery": Figure.GUNS, "transport": Figure.WAGON,
    "general": Figure.OFFICER, "officer": Figure.AIDE,
}  # fmt: skip


@dataclass(frozen=True)
class Looks:
    """A rule set's ``figures`` by the last word of a troop, ``conditions`` by status, and ``ranks`` of generals.

    ``usual`` has the default words of a file's rows, by key. ``unready`` are formations in which units do not start a
    battle on open ground, as they need a road or a house.
    """

    figures: Mapping[str, Figure] = field(default_factory=lambda: FIGURES)
    conditions: Mapping[str, Condition] = field(default_factory=dict)
    ranks: Mapping[str, int] = field(default_factory=dict)
    usual: Mapping[str, str] = field(default_factory=dict)
    unready: tuple[str, ...] = ()

    def figure(self, troop: str) -> Figure | None:
        """Return what stands on a base of these troops, None if the rule set does not say.

        >>> str(Looks().figure("light-cavalry"))
        'horse'
        """
        return self.figures.get(troop.rsplit("-", 1)[-1])

    def condition(self, unit: Unit) -> Condition | None:
        """Return how badly a unit is out of order, None if it is in order."""
        return None if unit.in_order else self.conditions.get(unit.status, Condition.MARKED)

    def rank(self, unit: Unit) -> int:
        """Return how high a general commands: 1 a brigade, 2 a division, 3 a corps, 4 an army."""
        return self.ranks.get(unit.rank, 1)


def heavy(unit: Unit) -> bool:
    """Return whether troops are the heavy kind of their arm.

    >>> from tabletop.play.files.opened import open_battle
    >>> heavy(open_battle("drill-ground").unit("cuirassiers"))
    True
    """
    return unit.troop.startswith("heavy")


def ridden(unit: Unit) -> bool:
    """Return whether a battery's gunners ride.

    >>> from tabletop.play.files.opened import open_battle
    >>> ridden(open_battle("drill-ground").unit("horse-guns"))
    True
    """
    return unit.troop.startswith("horse")
