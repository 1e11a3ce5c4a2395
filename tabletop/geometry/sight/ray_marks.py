"""Everything that blocks sight on a table, prepared for rays from anywhere.

Along a ray, sight can change only where the ray meets an edge of an obstruction, at a known multiple of such a distance
(the end of a shadow), or where the budget for woods runs out. Between two such marks one call of the law
(``sight.law``) decides, in ``kernels.seen``. So there is no second law: marks only say where to apply it. A ray is the
middle of a narrow sector, and its marks are known at the sector's two sides too; the boundaries of what is seen are
straight between them unless another mark crosses them there.
"""

from __future__ import annotations

import math

import numpy as np

from tabletop.geometry.sight.law import Floats, Ground, SightLaw, ground_of
from tabletop.geometry.terrain import Table

#: Gaps between marks smaller than this (table units) are not tested.
LEAST = 1e-6
#: How far (table units) a bounding mark may deviate from the straight boundary drawn for it.
STRAIGHT = 0.01
#: Marks cross if their order at a side of the sector is reversed by more than this (table units).
PAST = 1e-7
#: The distance of a mark that does not exist (table units).
NEVER = 1e9
#: A stretch this close (in tolerances) to the tolerance counts as exactly that long.
CLOSELY = 0.1
#: Sectors narrower than this (radians) are not cut.
NARROWEST = math.radians(0.02)


class Rays:
    """Everything that blocks sight on a table, prepared for rays from anywhere."""

    def __init__(self, table: Table, ground: Ground, law: SightLaw) -> None:
        self.table, self.ground, self.law = table, ground, law
        obstructions = ground.obstructions
        self.starts = np.concatenate([np.zeros((0, 2)), *(o.points for o in obstructions)])
        sizes = [len(o.points) for o in obstructions]
        base = np.cumsum([0, *sizes])
        self.after = np.concatenate(
            [np.zeros(0, int), *(o.after + k for k, o in zip(base, obstructions, strict=False))]
        )
        self.obstruction = np.repeat(np.arange(len(obstructions)), sizes)
        self.levels = sorted({0, *(obstruction.level for obstruction in ground.hills)})
        self.size = np.array([table.width, table.height], float)
        self.corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * self.size
        self.heights, self.numbers = np.array(self.levels), np.array([LEAST, STRAIGHT, PAST, NEVER, CLOSELY])
        self.times = self._multiples()
        self.closing = self._closing()

    @classmethod
    def of(cls, table: Table, law: SightLaw) -> Rays:
        """Return the rays of a table under a law, cached on the table."""
        kept: dict[SightLaw, Rays] = table.__dict__.setdefault("_rays", {})
        if law not in kept:
            kept[law] = cls(table, ground_of(table), law)
        return kept[law]

    def _multiples(self) -> Floats:
        """Return, by target level, eye level and obstruction, the multiple of a distance at which the obstruction's
        shadow ends (of the far side for a lower target, of the near side for a higher one), inf if it casts none."""
        multiples = np.full((len(self.levels), 1 + max(self.levels), len(self.ground.obstructions)), np.inf)
        for obstruction in self.ground.obstructions:
            for k, target in enumerate(self.levels):
                for eye in self.levels:
                    c = float(self.law.factor(obstruction.level, obstruction.hill, max(eye, target), min(eye, target)))
                    if 0.0 < c < np.inf:
                        multiples[k, eye, obstruction.index] = 1.0 + (c if eye >= target else 1.0 / c)
        return multiples

    def _closing(self) -> Floats:
        """Return the length from which a stretch of each obstruction closes the ray behind it to every level; inf if
        none does.

        A stretch of a wood that begins at the eye does not: the eye stands in that wood.
        """
        t, top = self.table.tape.t, max(self.levels)
        deep = np.array([o.see_through for o in self.ground.obstructions])
        thin = deep if self.law.thin_wood_transparent else np.zeros(len(deep))
        open_ = np.array([o.hill or o.level < top for o in self.ground.obstructions], bool)
        return np.where(open_, np.inf, 2 * t + thin)
