"""Whether a unit has any cover from fire, and no more: lines are looked for only where the answer turns on them.

The law is that of ``cover``: which bases are attacked, what each stands in or behind. Of a base that is covered from
every side, or from none, only whether it is attacked matters; of one that its obstacles part from the firer's whole
front no line is needed either, for all of them cross an obstacle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.arc import Front, fronts_of
from tabletop.geometry.measure import GRAZE
from tabletop.geometry.shapes import hull_about
from tabletop.geometry.sheaf import Line
from tabletop.geometry.terrain import COVER_CLASSES
from tabletop.rules.rule_set import Shifted
from tabletop.rules.tse.fire.arc import shape_in_unit_arc
from tabletop.rules.tse.fire.cover import (
    NONE,
    Attack,
    Ground,
    attack_by,
    base_cover,
    fire_cover,
    least_and_most,
    shelters,
    straight_attacks,
)
from tabletop.rules.tse.fire.hidden_bases import Unseen, on_one_side
from tabletop.rules.tse.fire.shot import any_line, in_range, line_in_range, shot_at

#: Looks for a line to some ground, or (True) for one near lines that are known only.
LineTo = Callable[..., Line | None]


def any_fire_cover(
    battle: Battle, unit: Unit, firer: Unit, hints: Sequence[Line] = (), shifted: Shifted | None = None
) -> tuple[bool, Line | None]:
    """Return whether ``fire_cover`` finds any cover (TSE-COV-07), and the shot it turns on, if it turns on one.

    Lines near ``hints`` are tried first. Where it is asked of one shift of a unit after another (``shifted``), what is
    not seen is remembered for those that are like it.
    """
    ground = Ground.near(battle, unit, "fire")
    if not ground.pieces:
        return False, None
    bounds = [least_and_most(ground, base) for base in unit.bases]
    may = [high.rank > 0 for _, high in bounds]
    sure = [low.rank > 0 or (may[i] and _cut_off(ground, firer, i)) for i, (low, _) in enumerate(bounds)]
    if all(sure) or not any(may):
        return all(sure), None
    unseen: Unseen | None = None if shifted is None else shifted.kept.setdefault("unseen", Unseen(shifted.home))
    return _Asked(ground, firer, sure, may, hints, unseen).answer()


def class_of_fire_cover(
    battle: Battle, unit: Unit, firer: Unit, hints: Sequence[Line] = (), shifted: Shifted | None = None
) -> tuple[str, Line | None]:
    """Return the class of cover that ``fire_cover`` finds (TSE-COV-01), and the shot it turns on, if it is known.

    Where all that can cover the unit gives the same class, that is told by whether it has any.
    """
    some, line = any_fire_cover(battle, unit, firer, hints, shifted)
    if not some:
        return NONE, line
    ground = Ground.near(battle, unit, "fire")
    ranks = {ground.rank(piece) for piece in ground.pieces}
    return (COVER_CLASSES[min(ranks)], line) if len(ranks) == 1 else (fire_cover(battle, unit, firer).name, line)


@dataclass(frozen=True)
class _Asked:
    """One unit under fire: which of its bases are surely covered, and which may be."""

    ground: Ground
    firer: Unit
    sure: Sequence[bool]
    may: Sequence[bool]
    hints: Sequence[Line]
    unseen: Unseen | None = None
    found: list[Line] = field(default_factory=list)
    together: dict[tuple[int, ...], bool] = field(default_factory=dict)

    def answer(self) -> tuple[bool, Line | None]:
        """Return what the bases attacked have: those hit; where there are none, those seen; else all of them."""
        if self.others_unseen():
            return (not self.least, None) if self.settling else self.of_all()
        hit = self.of_attacked(self.hit) if self.near else None
        answer = hit or self.of_few_seen() or self.of_attacked(self.seen)
        return self.of_all() if answer is None else answer

    def others_unseen(self) -> bool:
        """Return whether none of the bases that need a line to settle it is seen, if it pays to ask of them at once.

        Then it matters not whether those are that need none: attacked, or as all are where none is, they settle it.
        """
        others = self.order[self.settling :]
        if self.unseen is None or not others:
            return False
        battle, unit = self.ground.battle, self.ground.unit
        if self.unseen.surely(battle, others):
            return True
        if not self.at_once(tuple(others)):
            return False
        line = self.seen(self.shape(others))
        if line is not None:
            self.found.append(line)
            return False
        self.unseen.learn(battle, self.firer, unit, others)
        return True

    def of_all(self) -> tuple[bool, Line | None]:
        """Return what all bases have as if they were shot at straight: none is seen."""
        bases = range(len(self.sure))
        return (all if self.least else any)(self.has_cover(i, self.covered_straight) for i in bases), None

    def of_attacked(self, line_to: LineTo) -> tuple[bool, Line | None] | None:
        """Return whether there is cover if those bases count that are attacked, by a line; None where none is.

        One base without cover settles it, or by the ruling ``cover_minimum`` one with cover; those that might are asked
        first, and of these those that need no line.
        """
        some: Line | None = None
        able = sum(self.may_settle)
        for bases in (self.order[: self.settling], self.order[self.settling : able]):
            for i, line in self.attacked(bases, line_to):
                if self.has_cover(i, self.covered) != self.least:
                    return not self.least, line
                some = some or line
        others = self.order[able:]
        some = some or next((line for _, line in self.attacked(others, line_to)), None)
        return None if some is None else (self.least, some)

    def of_few_seen(self) -> tuple[bool, Line | None] | None:
        """Return the answer where some bases settle it once attacked, and quickly told lines are enough; else None.

        All of the bases count where none is seen: those that settle it count then too. So it is settled the same way
        unless one of the others is seen. Asked where none is hit.
        """
        settling, others = self.order[: self.settling], self.order[self.settling :]
        if not settling:
            return None
        near = next(filter(None, (self.seen(self.shape([i]), quick=True) for i in settling)), None)
        if near is None and any(self.attacked(others, self.seen)):
            return None
        return not self.least, near

    def attacked(self, bases: Sequence[int], line_to: LineTo) -> Iterator[tuple[int, Line]]:
        """Yield those of some bases that a line leads to, and the line.

        Once one is not attacked, which is dear to tell, or a line leads to some other, those near lines that are known
        come first; then all that are left are asked about at once: a line that is found ends on the next.
        """
        left, doubtful = list(bases), bool(self.found)
        while left:
            if doubtful and len(left) > 1 and self.at_once(tuple(left)):
                yield from self.attacked_of(left, line_to)
                return
            i = left.pop(0)
            line = line_to(self.shape([i]))
            doubtful = line is None
            if line is not None:
                yield i, line

    def attacked_of(self, left: list[int], line_to: LineTo) -> Iterator[tuple[int, Line]]:
        """Yield the same of bases that may be asked about at once."""
        for i in tuple(left) if self.known else ():
            if (line := line_to(self.shape([i]), True)) is not None:
                left.remove(i)
                yield i, line
        while left and (line := line_to(self.shape(left))) is not None:
            self.found.append(line)
            end = shapely.Point(line[1])
            i = min(left, key=lambda k: float(shapely.distance(self.ground.unit.bases[k].polygon, end)))
            left.remove(i)
            if (line := line_to(self.shape([i]))) is not None:
                yield i, line

    def at_once(self, bases: tuple[int, ...]) -> bool:
        """Return whether a line leads to some of these bases exactly where one leads to what they cover together."""
        if bases not in self.together:
            self.together[bases] = self._at_once(bases)
        return self.together[bases]

    def _at_once(self, bases: Sequence[int]) -> bool:
        battle, firer = self.ground.battle, self.firer
        part = shape_in_unit_arc(battle, firer, self.shape(bases))
        one_side = bool(shapely.is_empty(part)) or on_one_side(battle, firer, part)
        return one_side and bool(battle.rulings["same_part"])

    def shape(self, bases: Sequence[int]) -> shapely.Geometry:
        """Return what some bases cover together."""
        polygons = [self.ground.unit.bases[i].polygon for i in bases]
        return polygons[0] if len(polygons) == 1 else shapely.union_all(polygons)

    @cached_property
    def near(self) -> bool:
        """False where all of the target is out of range, whatever lies in between."""
        bases = np.array([base.polygon for base in self.ground.unit.bases], object)
        fronts = np.array([base.polygon for base in self.firer.fronts], object)
        return in_range(self.ground.battle, self.firer, float(np.min(shapely.distance(bases[:, None], fronts))))

    @cached_property
    def may_settle(self) -> Sequence[bool]:
        """Which bases may settle the answer by themselves: without cover where the least counts, else with cover."""
        return [not sure for sure in self.sure] if self.least else self.may

    @cached_property
    def order(self) -> list[int]:
        """The bases, those that settle it without a line first, those that cannot last."""
        return sorted(range(len(self.sure)), key=lambda i: (not self.may_settle[i], self.may[i] and not self.sure[i]))

    @property
    def settling(self) -> int:
        """How many bases settle it without a line."""
        return sum(
            settles and (sure or not may)
            for settles, sure, may in zip(self.may_settle, self.sure, self.may, strict=True)
        )

    def has_cover(self, i: int, covered: Callable[[int], bool]) -> bool:
        """Return whether a base has cover, asking only where that is not sure without a line."""
        return self.sure[i] or (self.may[i] and covered(i))

    @property
    def least(self) -> bool:
        """True when the least cover of the bases attacked counts."""
        return bool(self.ground.battle.rulings["cover_minimum"])

    def hit(self, shape: shapely.Geometry, quick: bool = False) -> Line | None:
        """Return a line by which some bases can be shot at in range; ``quick``: only one near lines that are known."""
        return line_in_range(self.ground.battle, self.firer, self.ground.unit, shape, self.known, quick)

    def seen(self, shape: shapely.Geometry, quick: bool = False) -> Line | None:
        """Return a line by which some bases can be shot at, however far off; ``quick``: only one near those known."""
        return any_line(self.ground.battle, self.firer, self.ground.unit, shape, self.known, quick)

    @property
    def known(self) -> tuple[Line, ...]:
        """Lines that were clear: those found for this answer, and those handed on."""
        return (*self.found[::-1], *self.hints)

    def covered(self, i: int) -> bool:
        """Return whether a base has cover from the shots at it."""
        battle, unit = self.ground.battle, self.ground.unit
        if not _may_be_crossed(self.ground, self.firer, i):
            return False
        shot = shot_at(battle, self.firer, unit, unit.bases[i].polygon)
        return base_cover(self.ground, attack_by(battle, self.firer, unit, i, shot)).rank > 0

    def covered_straight(self, i: int) -> bool:
        """Return whether a base has cover from the straight line to it, none of them being seen."""
        return base_cover(self.ground, self.straight[i]).rank > 0

    @cached_property
    def straight(self) -> list[Attack]:
        return straight_attacks(self.ground.battle, self.ground.unit, self.firer)


def _may_be_crossed(ground: Ground, firer: Unit, i: int) -> bool:
    """Return False where no obstacle to stand behind comes near any line from the firer's front to a base.

    One that is clear, as the lines are by which a base is attacked, is then clear beside them.
    """
    base, t = ground.unit.bases[i], ground.battle.tape.t
    pieces = [p.shape for p in ground.pieces if shelters(ground, p, base)]
    ends = shapely.get_coordinates(base.polygon)
    hulls = [hull_about(np.concatenate([[front.left, front.right], ends])) for front in fronts_of(firer.fronts)]
    return bool(np.any(shapely.dwithin(np.array(hulls)[:, None], np.array(pieces, object)[None, :], 4.0 * t)))


def _cut_off(ground: Ground, firer: Unit, i: int) -> bool:
    """Return True where obstacles to stand behind part a base from the firer's whole front: all lines cross them.

    They are taken wider by less than what the tape calls crossed.
    """
    base, t = ground.unit.bases[i], ground.battle.tape.t
    pieces = [p.shape for p in ground.pieces if shelters(ground, p, base)]
    wide = shapely.buffer(shapely.union_all(pieces), t / 4.0)
    return not any(_open(front, base.polygon, wide) for front in fronts_of(firer.fronts))


def _open(front: Front, base: shapely.Geometry, wide: shapely.Geometry) -> bool:
    """Return whether some ground free of obstacles hangs together from a front to a base; never a wrong no."""
    hull = hull_about(np.concatenate([[front.left, front.right], shapely.get_coordinates(base)]))
    parts = shapely.get_parts(shapely.difference(hull, wide))
    return bool(np.any(shapely.dwithin(parts, front.edge, GRAZE) & shapely.dwithin(parts, base, GRAZE)))
