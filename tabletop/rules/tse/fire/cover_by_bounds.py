"""Whether a base under fire has cover, by bounds of the length of the shortest line to it; by the law of ``cover``.

Firing points are those with a clear line that is longer than the shortest by no more than a tie (TSE-COV-09). Of a base
that has cover from all points with a line as long as some clear one and a tie it is certain that it has; of one that
has none from those with a line as long as a lower bound and a tie, that it has none. How long the shortest line is to
within a part of a tie is found many times sooner than exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import shapely

from tabletop.battle.unit import Unit
from tabletop.geometry.sight.parallel_lines import Line, Sheaf
from tabletop.rules.tse.fire.arc import shape_in_unit_arc
from tabletop.rules.tse.fire.cover import Attack, Ground, base_cover, longest_line, tie
from tabletop.rules.tse.fire.line_of_fire import exact_line_within, is_clear

#: To within what part of a tie the length of the shortest line is looked for, and how often a shorter one.
SLACK, ROUNDS = 0.25, 6
#: The part asked about first, nearly all of a tie: that no line is shorter by so much is found sooner.
WIDE = 0.95


def covered_by_bounds(ground: Ground, firer: Unit, i: int, line: Line) -> bool | None:
    """Return whether base ``i`` of a unit has cover from shots at it, where bounds tell; else None (TSE-COV-09).

    ``line`` is a clear line from the firer to it.
    """
    rulings = ground.battle.rulings
    if not rulings["same_part"] or rulings["cover_by"] == "line":
        return None
    return _UnderFire(ground, firer, i).has_cover(line)


@dataclass(frozen=True)
class _UnderFire:
    """One base of a unit under fire, a clear line to it known."""

    ground: Ground
    firer: Unit
    i: int

    @cached_property
    def part(self) -> shapely.Geometry:
        """The part of the base in the firer's arc."""
        return shape_in_unit_arc(self.ground.battle, self.firer, self.ground.unit.bases[self.i].polygon)

    def has_cover(self, line: Line) -> bool | None:
        """Return whether the base has cover, None where the bounds do not tell.

        A line that only the tape calls clear is no bound: one that the exact law calls clear, not much longer, is.
        """
        exact: Line | None = line if self.is_clear(line, 0.0) else self.within(math.dist(*line) + SLACK * self.tie)
        for _ in range(ROUNDS):
            if exact is None or not self.is_clear(exact, 0.0):
                return None
            if self.covered(self.attack(exact, math.dist(*exact), seen=False)):
                return True
            shorter = self.shorter(exact, WIDE)
            if shorter is None and self.is_bare(exact, WIDE):
                return False
            shorter = shorter or self.shorter(exact, SLACK)
            if shorter is None:
                return self.by_length(exact)
            exact = shorter
        return None

    @property
    def tie(self) -> float:
        """By how much a line from a firing point may be longer than the shortest."""
        return tie(self.ground.battle)

    def within(self, longest: float) -> Line | None:
        """Return a line that the exact law calls clear, shorter than ``longest``; None where there is none."""
        return exact_line_within(self.ground.battle, self.firer, self.ground.unit, self.part, longest)

    def shorter(self, line: Line, share: float) -> Line | None:
        """Return such a line that is shorter than ``line`` by more than a share of a tie."""
        return self.within(math.dist(*line) - share * self.tie)

    def by_length(self, line: Line) -> bool | None:
        """Return whether it has cover if no line is shorter by more than ``SLACK`` than ``line``, a clear one."""
        if self.is_bare(line, SLACK):
            return False
        return True if self.covered(self.attack(line, math.dist(*line))) else None

    def is_bare(self, line: Line, share: float) -> bool:
        """Return whether it surely has none if no line is shorter than ``line``, a clear one, by more than a share."""
        t = self.ground.battle.tape.t
        few = self.attack(line, math.dist(*line) - share * self.tie - t)
        return math.dist(*line) <= few.longest and self.is_clear(line, t) and not self.covered(few)

    def is_clear(self, line: Line, tolerance: float) -> bool:
        """Return whether a line is clear, read with a tolerance: with 0 by the exact law."""
        return is_clear(self.ground.battle, self.firer, self.ground.unit, line, tolerance)

    def attack(self, line: Line, shortest: float, seen: bool = True) -> Attack:
        """Return the base as attacked if the shortest line were so long."""
        longest = longest_line(self.ground.battle, self.firer, shortest)
        attack = Attack(self.i, self.ground.unit.bases[self.i], Sheaf(*line), self.firer, self.part, longest)
        return attack if seen else replace(attack, seen=False)

    def covered(self, attack: Attack) -> bool:
        """Return whether the base has any cover, so attacked."""
        return base_cover(self.ground, attack).rank > 0
