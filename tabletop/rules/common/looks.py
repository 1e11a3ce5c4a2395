"""How units look and sound, for whoever draws them: what stands on a base, how shaken they are, how high a general is.

A rule set says so with a record ``Looks``; the pictures themselves belong to the renderer.
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
    """How badly a unit is out of order: it is shaken, or it is broken; marked where a rule set does not say."""

    SHAKEN = "shaken"
    BROKEN = "broken"
    MARKED = "marked"


#: What stands on a base, by the last word of its troops: the usual names of the arms.
FIGURES: Mapping[str, Figure] = {
    "infantry": Figure.FOOT, "cavalry": Figure.HORSE, "artillery": Figure.GUNS, "transport": Figure.WAGON,
    "general": Figure.OFFICER, "officer": Figure.AIDE,
}  # fmt: skip


@dataclass(frozen=True)
class Looks:
    """``figures`` by the last word of a troop; ``conditions`` by status; ``ranks`` of generals: a brigade's is 1.

    ``usual`` are the words meant where a row of a file says none, by key; ``unready`` are formations in which nobody
    begins a battle on open ground: they need a road or a house.
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
        """Return how a unit is out of order, None for one in order."""
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
    """Return whether gunners ride.

    >>> from tabletop.play.files.opened import open_battle
    >>> ridden(open_battle("drill-ground").unit("horse-guns"))
    True
    """
    return unit.troop.startswith("horse")
