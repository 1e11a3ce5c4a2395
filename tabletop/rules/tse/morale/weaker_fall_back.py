"""Fall-backs asked of one shift of a unit after another: what stays the same is worked out once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point
from tabletop.geometry.movement.configuration_space import Obstacles
from tabletop.geometry.movement.fall_back import Arc, hinted
from tabletop.rules.rule_set import Shifted

#: How far a unit may be shifted (inches) for impassable ground of so much farther off to do.
WIDER = (0.5, 2.0)


@dataclass(frozen=True)
class Ways:
    """Straight ways found while who drives the unit is shifted, out of reach: legal still where the arc has them."""

    known: list[tuple[Point, ...]] = field(default_factory=list)

    @classmethod
    def of(cls, shifted: Shifted | None, source: Unit, obstacles: Obstacles, leading: str) -> Ways:
        """Return the ways found with the same obstacles, those led by the same edge."""
        if shifted is None or shifted.home.id != source.id:
            return cls()
        every: dict[str, tuple[Obstacles, Ways]] = shifted.kept.setdefault("ways", {})
        if leading not in every or every[leading][0] is not obstacles:
            every[leading] = obstacles, cls()
        return every[leading][1]

    def inside(self, arc: Arc) -> tuple[Point, ...] | None:
        """Return one of them that lies within an arc."""
        return next((way for way in self.known if hinted(arc, (way,))), None)

    def kept(self, way: tuple[Point, ...] | None) -> tuple[Point, ...] | None:
        """Keep a straight way that spends the whole distance, if one was found, and return it."""
        if way is not None:
            self.known.append(way)
        return way


def as_from_home(
    shifted: Shifted, at: Point, others: Hashable, scale: float, found: Callable[[Unit, float], Obstacles]
) -> Obstacles:
    """Return the obstacles of a unit that now stands ``at``: those where it stood at first, shifted the other way.

    ``others`` tells what they are of: those stay where they are. ``found`` gives the obstacles of the unit at first,
    with impassable ground from so much farther off as it may have been shifted.
    """
    dx, dy = at[0] - shifted.home.at[0], at[1] - shifted.home.at[1]
    far = max(abs(dx), abs(dy))
    more = next((wider * scale for wider in WIDER if far <= wider * scale), far)
    known: dict[Hashable, Obstacles] = shifted.kept.setdefault("obstacles", {})
    key = others, more
    if key not in known:
        known[key] = found(shifted.home, more)
    return known[key].moved(-dx, -dy)
