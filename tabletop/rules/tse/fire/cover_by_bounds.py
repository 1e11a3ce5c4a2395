"""Whether a base under fire has cover by the rules of ``cover``, decided from bounds on its shortest line.

Firing points have a clear line that exceeds the shortest by at most the tie length (TSE-COV-09). An upper bound on the
shortest line admits too many firing points: a base covered against all of them certainly has cover. A lower bound
admits too few: a base not covered against those certainly has none. Bounding the shortest line to within a fraction of
the tie length is many times faster than measuring it exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import shapely

from tabletop.battle.unit import Unit
from tabletop.geometry.sight.parallel_lines import Line, ParallelLines
from tabletop.rules.tse.fire.arc import shape_in_unit_arc
from tabletop.rules.tse.fire.cover import Attack, Ground, base_cover, longest_line, tie
from tabletop.rules.tse.fire.line_of_fire import exact_line_within, is_clear

#: The fraction of a tie to within which the shortest line is bounded, and how often a shorter line is searched for.
SLACK, ROUNDS = 0.25, 6
#: The fraction tried first, nearly a whole tie: it is faster to prove that no line is shorter by that much.
WIDE = 0.95


def covered_by_bounds(ground: Ground, firer: Unit, i: int, line: Line) -> bool | None:
    """Return whether base ``i`` of a unit has cover from shots at it, None if bounds do not decide it (TSE-COV-09).

    ``line`` is a clear line from the firer to the base.
    """
    rulings = ground.battle.rulings
    if not rulings["same_part"] or rulings["cover_by"] == "line":
        return None
    return _UnderFire(ground, firer, i).has_cover(line)


@dataclass(frozen=True)
class _UnderFire:
    """One base of a unit under fire."""

    ground: Ground
    firer: Unit
    i: int

    @cached_property
    def part(self) -> shapely.Geometry:
        """The part of the base in the firer's arc."""
        return shape_in_unit_arc(self.ground.battle, self.firer, self.ground.unit.bases[self.i].polygon)

    def has_cover(self, line: Line) -> bool | None:
        """Return whether the base has cover, given a clear line to it; None if the bounds do not decide.

        A line that is clear only within the tolerance is no bound; it is replaced by an exactly clear one not much
        longer.
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
        """By how much a line from a firing point may exceed the shortest."""
        return tie(self.ground.battle)

    def within(self, longest: float) -> Line | None:
        """Return a line shorter than ``longest`` that the exact law calls clear; None if there is none."""
        return exact_line_within(self.ground.battle, self.firer, self.ground.unit, self.part, longest)

    def shorter(self, line: Line, share: float) -> Line | None:
        """Return an exactly clear line shorter than ``line`` by more than a share of a tie; None if there is none."""
        return self.within(math.dist(*line) - share * self.tie)

    def by_length(self, line: Line) -> bool | None:
        """Return whether the base has cover if no line beats the clear ``line`` by over ``SLACK``; None if unsure."""
        if self.is_bare(line, SLACK):
            return False
        return True if self.covered(self.attack(line, math.dist(*line))) else None

    def is_bare(self, line: Line, share: float) -> bool:
        """Return whether the base certainly has no cover if no line beats the clear ``line`` by more than a share."""
        t = self.ground.battle.tape.t
        few = self.attack(line, math.dist(*line) - share * self.tie - t)
        return math.dist(*line) <= few.longest and self.is_clear(line, t) and not self.covered(few)

    def is_clear(self, line: Line, tolerance: float) -> bool:
        """Return whether a line is clear to within ``tolerance``; 0 means the exact law."""
        return is_clear(self.ground.battle, self.firer, self.ground.unit, line, tolerance)

    def attack(self, line: Line, shortest: float, seen: bool = True) -> Attack:
        """Return the attack on the base as if the shortest line were ``shortest`` long."""
        longest = longest_line(self.ground.battle, self.firer, shortest)
        attack = Attack(self.i, self.ground.unit.bases[self.i], ParallelLines(*line), self.firer, self.part, longest)
        return attack if seen else replace(attack, seen=False)

    def covered(self, attack: Attack) -> bool:
        """Return whether the base has any cover from this attack."""
        return base_cover(self.ground, attack).rank > 0
