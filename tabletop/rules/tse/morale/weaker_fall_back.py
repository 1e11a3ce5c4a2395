"""Fall-backs for a series of shifts of one unit: what stays the same is computed once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point
from tabletop.geometry.movement.configuration_space import Obstacles
from tabletop.geometry.movement.fall_back import Arc, hinted
from tabletop.rules.rule_set import Shifted

#: Limits of a shift (inches): impassable ground is read from this much farther away, to serve all smaller shifts.
WIDER = (0.5, 2.0)


@dataclass(frozen=True)
class Ways:
    """Straight ways found while the driving unit, out of reach, is shifted; they stay legal if the arc holds them."""

    known: list[tuple[Point, ...]] = field(default_factory=list)

    @classmethod
    def of(cls, shifted: Shifted | None, source: Unit, obstacles: Obstacles, leading: str) -> Ways:
        """Return the ways found with the same obstacles and the same leading edge."""
        if shifted is None or shifted.home.id != source.id:
            return cls()
        every: dict[str, tuple[Obstacles, Ways]] = shifted.kept.setdefault("ways", {})
        if leading not in every or every[leading][0] is not obstacles:
            every[leading] = obstacles, cls()
        return every[leading][1]

    def inside(self, arc: Arc) -> tuple[Point, ...] | None:
        """Return a known way that lies within an arc, None if there is none."""
        return next((way for way in self.known if hinted(arc, (way,))), None)

    def kept(self, way: tuple[Point, ...] | None) -> tuple[Point, ...] | None:
        """Keep a straight way that spends the whole distance, if there is one, and return it."""
        if way is not None:
            self.known.append(way)
        return way


def as_from_home(
    shifted: Shifted, at: Point, others: Hashable, scale: float, found: Callable[[Unit, float], Obstacles]
) -> Obstacles:
    """Return the obstacles of a unit that now stands ``at``: those at its first position, shifted the opposite way.

    ``others`` is the key of what makes the obstacles, which does not move. ``found`` returns the obstacles at the first
    position; its second argument is how much farther to look for impassable ground, to allow for the shift.
    """
    dx, dy = at[0] - shifted.home.at[0], at[1] - shifted.home.at[1]
    far = max(abs(dx), abs(dy))
    more = next((wider * scale for wider in WIDER if far <= wider * scale), far)
    cache: dict[Hashable, Obstacles] = shifted.kept.setdefault("obstacles", {})
    key = others, more
    if key not in cache:
        cache[key] = found(shifted.home, more)
    return cache[key].moved(-dx, -dy)
