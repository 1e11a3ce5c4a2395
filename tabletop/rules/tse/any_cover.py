"""Whether a unit has any cover from fire, and no more: lines are looked for only where the answer turns on them.

The law is that of ``cover``: which bases are attacked, what each stands in or behind. Of a base that is covered from
every side, or from none, only whether it is attacked matters; of one that its obstacles part from the firer's whole
front no line is needed either, for all of them cross an obstacle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.arc import Front, fronts_of
from tabletop.geometry.measure import GRAZE
from tabletop.geometry.shapes import hull_about
from tabletop.geometry.sheaf import Line
from tabletop.rules.tse.cover import Attack, Ground, base_cover, least_and_most, sheaf_to, shelters, straight_attacks
from tabletop.rules.tse.shot import has_line, line_in_range, shot_at


def any_fire_cover(battle: Battle, unit: Unit, firer: Unit, hints: Sequence[Line] = ()) -> bool:
    """Return whether ``fire_cover`` finds any cover (TSE-COV-07); lines near ``hints`` are tried first."""
    ground = Ground.near(battle, unit, "fire")
    if not ground.pieces:
        return False
    bounds = [least_and_most(ground, base) for base in unit.bases]
    sure, may = [low.rank > 0 for low, _ in bounds], [high.rank > 0 for _, high in bounds]
    if all(sure) or not any(may):
        return all(sure)
    return _Asked(ground, firer, sure, may, hints).answer()


@dataclass(frozen=True)
class _Asked:
    """One unit under fire: which of its bases are surely covered, and which may be."""

    ground: Ground
    firer: Unit
    sure: Sequence[bool]
    may: Sequence[bool]
    hints: Sequence[Line]

    def answer(self) -> bool:
        """Return what the bases attacked have: those hit; where there are none, those seen; else all of them."""
        by_line, straight = (self.hit, self.seen), (lambda i: True,)
        for attacked in (*by_line, *straight):
            found = self.of_attacked(attacked, self.covered if attacked in by_line else self.covered_straight)
            if found is not None:
                return found
        return self.least

    def of_attacked(self, attacked: Callable[[int], bool], covered: Callable[[int], bool]) -> bool | None:
        """Return whether there is cover if those bases count that are ``attacked``; None where there are none.

        One base without cover settles it, or by the ruling ``cover_minimum`` one with cover; those that might are asked
        first, and of these those that need no line.
        """
        settles = [not sure for sure in self.sure] if self.least else list(self.may)
        known = [sure or not may for sure, may in zip(self.sure, self.may, strict=True)]
        some = False
        for i in sorted(range(len(known)), key=lambda i: (not settles[i], not known[i])):
            if some and not settles[i]:
                break
            if attacked(i):
                some = True
                if settles[i] and (self.sure[i] if known[i] else covered(i)) != self.least:
                    return not self.least
        return self.least if some else None

    @property
    def least(self) -> bool:
        """True when the least cover of the bases attacked counts."""
        return bool(self.ground.battle.rulings["cover_minimum"])

    def hit(self, i: int) -> bool:
        """Return whether a base can be shot at in range."""
        unit = self.ground.unit
        return line_in_range(self.ground.battle, self.firer, unit, unit.bases[i].polygon, self.hints) is not None

    def seen(self, i: int) -> bool:
        """Return whether a base can be shot at, however far off."""
        unit = self.ground.unit
        return has_line(self.ground.battle, self.firer, unit, unit.bases[i].polygon, self.hints)

    def covered(self, i: int) -> bool:
        """Return whether a base has cover from the shortest shot at it."""
        if self.cut_off(i):
            return True
        battle, unit, base = self.ground.battle, self.ground.unit, self.ground.unit.bases[i]
        shot = shot_at(battle, self.firer, unit, base.polygon)
        return base_cover(self.ground, Attack(i, base, sheaf_to(battle, self.firer, shot), self.firer)).rank > 0

    def covered_straight(self, i: int) -> bool:
        """Return whether a base has cover from the straight line to it."""
        return base_cover(self.ground, straight_attacks(self.ground.unit, self.firer)[i]).rank > 0

    def cut_off(self, i: int) -> bool:
        """Return True where obstacles to stand behind part a base from the firer's whole front: all lines cross them.

        They are taken wider by less than what the tape calls crossed.
        """
        base, t = self.ground.unit.bases[i], self.ground.battle.tape.t
        pieces = [p.shape for p in self.ground.pieces if shelters(self.ground, p, base)]
        wide = shapely.buffer(shapely.union_all(pieces), t / 4.0)
        return not any(_open(front, base.polygon, wide) for front in fronts_of(self.firer.fronts))


def _open(front: Front, base: shapely.Geometry, wide: shapely.Geometry) -> bool:
    """Return whether some ground free of obstacles hangs together from a front to a base; never a wrong no."""
    hull = hull_about(np.concatenate([[front.left, front.right], shapely.get_coordinates(base)]))
    parts = shapely.get_parts(shapely.difference(hull, wide))
    return bool(np.any(shapely.dwithin(parts, front.edge, GRAZE) & shapely.dwithin(parts, base, GRAZE)))
