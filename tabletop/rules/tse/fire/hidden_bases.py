"""Bases that cannot be shot at while the firer or the target stays near a place: one proof serves many shifts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.arc import fronts_of
from tabletop.geometry.measure import Point
from tabletop.rules.tse.fire.arc import shape_in_unit_arc
from tabletop.rules.tse.fire.line_of_fire import lines_of_fire
from tabletop.rules.tse.fire.weaker_fire import may_see

#: The first, greatest and least radius of shifts (inches) to try, the factor between one and the next, and the number
#: of failures in a row after which no more are tried.
FIRST, WIDEST, LEAST, STEP, TRIES = 0.5, 2.0, 1 / 64, 4.0, 6


@dataclass(eq=False)
class HiddenBases:
    """The shifts of a unit for which certain bases of the target cannot be shot at.

    Each entry of ``known`` is a set of bases and a disc of shifts (centre, radius) within which no line of fire reaches
    them. ``radius`` is the next one to try, ``vain`` the number of failures in a row.
    """

    home: Unit
    known: list[tuple[frozenset[int], Point, float]] = field(default_factory=list)
    radius: float = FIRST
    vain: int = 0

    def known_hidden(self, battle: Battle, bases: Sequence[int]) -> bool:
        """Return whether it is already proved that none of ``bases`` can be shot at with the unit where it is now."""
        at = self._shift(battle)
        return any(
            math.dist(at, middle) <= radius and hidden.issuperset(bases) for hidden, middle, radius in self.known
        )

    def learn(self, battle: Battle, firer: Unit, target: Unit, bases: Sequence[int]) -> None:
        """Try to prove that ``bases``, unseen from where the unit stands now, are hidden for all shifts near it."""
        if self.vain >= TRIES:
            return
        if may_be_seen_about(battle, firer, target, bases, self.home.id, self.radius * battle.scale):
            self.radius, self.vain = max(LEAST, self.radius / STEP), self.vain + 1
        else:
            self.known.append((frozenset(bases), self._shift(battle), self.radius * battle.scale))
            self.radius, self.vain = min(WIDEST, self.radius * STEP), 0

    def _shift(self, battle: Battle) -> Point:
        """Return the unit's shift from home in ``battle``."""
        (x, y), (hx, hy) = battle.unit(self.home.id).at, self.home.at
        return x - hx, y - hy


def may_be_seen_about(
    battle: Battle, firer: Unit, target: Unit, bases: Sequence[int], mover: str, shift: float
) -> bool:
    """Return whether moving firer or target by up to ``shift`` may open a line of fire, however long, at some base.

    False is certain. If the target moves, no ground its bases can cover is visible; if the firer moves, no ground its
    front can stand on sees the bases.
    """
    if not battle.rulings["same_part"]:
        return True
    whole = shapely.union_all([target.bases[i].polygon for i in bases])
    if mover == firer.id:
        return may_see(battle, firer, target, whole, shift)
    part = shape_in_unit_arc(battle, firer, shapely.buffer(whole, shift, join_style="mitre"))
    if shapely.is_empty(part):
        return False
    if not on_one_side(battle, firer, part):
        return True
    return any(line is not None for line in lines_of_fire(battle, firer, target, part, math.inf))


def on_one_side(battle: Battle, firer: Unit, part: shapely.Geometry) -> bool:
    """Return whether no front line of the firer cuts ``part``: friends abreast are ignored only when firing ahead."""
    points, t = shapely.get_coordinates(part), battle.tape.t
    ahead = [front.ahead(points) for front in fronts_of(firer.fronts)]
    return all(float(np.min(distances)) >= -t or float(np.max(distances)) < -t for distances in ahead)
