"""The environment of a battle as data: the battle's memory holds it, phases change it, pictures show it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Wind:
    """The wind: where it comes from (degrees clockwise from north), its speed, and the least and most it can be."""

    source: float
    speed: int
    least: int = 1
    most: int = 7

    @property
    def flow(self) -> float:
        """The bearing it blows towards."""
        return (self.source + 180.0) % 360.0

    def off(self, heading: float) -> float:
        """Return the angle between a heading and where the wind comes from, 0 to 180 degrees.

        >>> Wind(270.0, 4).off(337.5), Wind(270.0, 4).off(90.0)
        (67.5, 180.0)
        """
        return abs((heading - self.source + 180.0) % 360.0 - 180.0)

    def changed(self, veer: float, by: int) -> Wind:
        """Return the wind veered clockwise by ``veer`` degrees and its speed changed by ``by`` within its bounds.

        >>> Wind(0.0, 7).changed(-45.0, 1)
        Wind(source=315.0, speed=7, least=1, most=7)
        """
        speed = max(self.least, min(self.most, self.speed + by))
        return Wind((self.source + veer) % 360.0, speed, self.least, self.most)
