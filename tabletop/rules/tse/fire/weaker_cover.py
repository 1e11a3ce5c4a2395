"""A weaker question of cover: whether a unit has any cover from fire, with as few searches for lines as possible.

The rules are those of ``cover``: which bases are attacked, and what each stands in or behind. If a base is covered from
every side or from none, it only matters whether it is attacked. No line is needed either for a base that obstacles
separate from the firer's whole front, since every line crosses an obstacle.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.arc import Front, fronts_of
from tabletop.geometry.base import AnyBase
from tabletop.geometry.cache import Cache
from tabletop.geometry.measure import GRAZE
from tabletop.geometry.shapes import hull_about
from tabletop.geometry.sight.parallel_lines import Line
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
from tabletop.rules.tse.fire.cover_by_bounds import covered_by_bounds
from tabletop.rules.tse.fire.hidden_bases import HiddenBases, on_one_side
from tabletop.rules.tse.fire.shot import any_line, in_range, line_in_range, shot_at

#: A function that searches for a line to a shape; with True as its second argument, only near known lines.
LineTo = Callable[..., Line | None]


def any_fire_cover(
    battle: Battle, unit: Unit, firer: Unit, hints: Sequence[Line] = (), shifted: Shifted | None = None
) -> tuple[bool, Line | None]:
    """Return whether ``fire_cover`` finds any cover (TSE-COV-07), and the line that decides it, if there is one.

    Lines near ``hints`` are tried first. In a series of shifts (``shifted``), bases proved hidden are kept for nearby
    shifts.
    """
    ground = Ground.near(battle, unit, "fire")
    if not ground.pieces:
        return False, None
    sure, may = _sure_and_may(ground, firer)
    if all(sure) or not any(may):
        return all(sure), None
    hidden: HiddenBases | None = (
        None if shifted is None else shifted.kept.setdefault("hidden bases", HiddenBases(shifted.home))
    )
    return _CoverQuestion(ground, firer, sure, may, hints, hidden).answer()


def class_of_fire_cover(
    battle: Battle, unit: Unit, firer: Unit, hints: Sequence[Line] = (), shifted: Shifted | None = None
) -> tuple[str, Line | None]:
    """Return the class of cover that ``fire_cover`` finds (TSE-COV-01), and the line that decides it, if known.

    Lines are pairs of points in table units. If all terrain that can cover the unit is of one class, it is enough to
    know whether the unit has any cover.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> class_of_fire_cover(battle, battle.unit("auer"), battle.unit("morel-guns"))[0]
    'none'
    """
    covered, line = any_fire_cover(battle, unit, firer, hints, shifted)
    if not covered:
        return NONE, line
    ground = Ground.near(battle, unit, "fire")
    ranks = {ground.rank(piece) for piece in ground.pieces}
    return (COVER_CLASSES[min(ranks)], line) if len(ranks) == 1 else (fire_cover(battle, unit, firer).name, line)


@dataclass(frozen=True)
class _CoverQuestion:
    """One unit under fire: which of its bases are certainly covered (``sure``) and which may be (``may``)."""

    ground: Ground
    firer: Unit
    sure: Sequence[bool]
    may: Sequence[bool]
    hints: Sequence[Line]
    hidden: HiddenBases | None = None
    clear: list[Line] = field(default_factory=list)
    together: dict[tuple[int, ...], bool] = field(default_factory=dict)

    def answer(self) -> tuple[bool, Line | None]:
        """Return the answer for the bases attacked: those in range; if none, those seen; if none, all of them."""
        if self.others_unseen():
            return (not self.least, None) if self.settling else self.of_all()
        hit = self.of_attacked(self.hit) if self.near else None
        answer = hit or self.of_few_seen() or self.of_attacked(self.seen)
        return self.of_all() if answer is None else answer

    def others_unseen(self) -> bool:
        """Return True if one search proves that every base after the first ``settling`` ones is unseen.

        The settling ones then decide the answer, whether they are attacked or no base is and all of them count.
        """
        others = self.order[self.settling :]
        if self.hidden is None or not others:
            return False
        battle, unit = self.ground.battle, self.ground.unit
        if self.hidden.known_hidden(battle, others):
            return True
        if not self.at_once(tuple(others)):
            return False
        line = self.seen(self.shape(others))
        if line is not None:
            self.clear.append(line)
            return False
        self.hidden.learn(battle, self.firer, unit, others)
        return True

    def of_all(self) -> tuple[bool, Line | None]:
        """Return the answer if no base is seen: all count, as if shot at along straight lines."""
        bases = range(len(self.sure))
        return (all if self.least else any)(self.has_cover(i, self.covered_straight) for i in bases), None

    def of_attacked(self, line_to: LineTo) -> tuple[bool, Line | None] | None:
        """Return the answer for the bases that ``line_to`` reaches, and a line; None if it reaches none.

        One base without cover settles the answer, or one with cover if the ruling ``cover_minimum`` is off. Bases that
        may settle it come first, and among these the ones whose cover does not depend on a line.
        """
        first_line: Line | None = None
        able = sum(self.may_settle)
        for bases in (self.order[: self.settling], self.order[self.settling : able]):
            for i, line in self.attacked(bases, line_to):
                if self.has_cover(i, partial(self.covered, line)) != self.least:
                    return not self.least, line
                first_line = first_line or line
        others = self.order[able:]
        first_line = first_line or next((line for _, line in self.attacked(others, line_to)), None)
        return None if first_line is None else (self.least, first_line)

    def of_few_seen(self) -> tuple[bool, Line | None] | None:
        """Return the answer, given that no base is in range, if few searches decide it; else None.

        It is decided if a base that settles the answer once attacked is seen, or if none of the other bases is: if no
        base is seen at all, every base counts, including the settling ones.
        """
        settling, others = self.order[: self.settling], self.order[self.settling :]
        if not settling:
            return None
        near = next(filter(None, (self.seen(self.shape([i]), quick=True) for i in settling)), None)
        if near is None and any(self.attacked(others, self.seen)):
            return None
        return not self.least, near

    def attacked(self, bases: Sequence[int], line_to: LineTo) -> Iterator[tuple[int, Line]]:
        """Yield each base that a line reaches, with its line.

        A base that no line reaches costs a whole search. After one of those, try the remaining bases near known lines
        first, then search for a line to all the rest at once: it ends on the next base reached.
        """
        remaining, doubtful = list(bases), bool(self.clear)
        while remaining:
            if doubtful and len(remaining) > 1 and self.at_once(tuple(remaining)):
                yield from self.attacked_of(remaining, line_to)
                return
            i = remaining.pop(0)
            line = line_to(self.shape([i]))
            doubtful = line is None
            if line is not None:
                yield i, line

    def attacked_of(self, left: list[int], line_to: LineTo) -> Iterator[tuple[int, Line]]:
        """Yield the same for bases that one search can cover."""
        for i in tuple(left) if self.known else ():
            if (line := line_to(self.shape([i]), True)) is not None:
                left.remove(i)
                yield i, line
        while left and (line := line_to(self.shape(left))) is not None:
            self.clear.append(line)
            end = shapely.Point(line[1])
            i = min(left, key=lambda k: float(shapely.distance(self.ground.unit.bases[k].polygon, end)))
            left.remove(i)
            if (line := line_to(self.shape([i]))) is not None:
                yield i, line

    def at_once(self, bases: tuple[int, ...]) -> bool:
        """Return whether a line to the union of these bases is always a line to one of them, and vice versa."""
        if bases not in self.together:
            self.together[bases] = self._at_once(bases)
        return self.together[bases]

    def _at_once(self, bases: Sequence[int]) -> bool:
        battle, firer = self.ground.battle, self.firer
        part = shape_in_unit_arc(battle, firer, self.shape(bases))
        one_side = bool(shapely.is_empty(part)) or on_one_side(battle, firer, part)
        return one_side and bool(battle.rulings["same_part"])

    def shape(self, bases: Sequence[int]) -> shapely.Geometry:
        """Return the union of some bases."""
        polygons = [self.ground.unit.bases[i].polygon for i in bases]
        return polygons[0] if len(polygons) == 1 else shapely.union_all(polygons)

    @cached_property
    def near(self) -> bool:
        """Whether any base of the target is within range, ignoring whatever lies in between."""
        bases = np.array([base.polygon for base in self.ground.unit.bases], object)
        fronts = np.array([base.polygon for base in self.firer.fronts], object)
        return in_range(self.ground.battle, self.firer, float(np.min(shapely.distance(bases[:, None], fronts))))

    @cached_property
    def may_settle(self) -> Sequence[bool]:
        """Which bases may settle the answer alone: those without cover if the least counts, else those with cover."""
        return [not sure for sure in self.sure] if self.least else self.may

    @cached_property
    def order(self) -> list[int]:
        """The bases: first those that settle the answer without a line, last those that cannot settle it."""
        return sorted(range(len(self.sure)), key=lambda i: (not self.may_settle[i], self.may[i] and not self.sure[i]))

    @property
    def settling(self) -> int:
        """How many bases settle the answer without a line."""
        return sum(
            settles and (sure or not may)
            for settles, sure, may in zip(self.may_settle, self.sure, self.may, strict=True)
        )

    def has_cover(self, i: int, covered: Callable[[int], bool]) -> bool:
        """Return whether a base has cover, calling ``covered`` only if its cover depends on a line."""
        return self.sure[i] or (self.may[i] and covered(i))

    @property
    def least(self) -> bool:
        """Whether the least cover of the bases attacked counts."""
        return bool(self.ground.battle.rulings["cover_minimum"])

    def hit(self, shape: shapely.Geometry, quick: bool = False) -> Line | None:
        """Return a line in range to a shape; with ``quick`` only one near known lines."""
        return line_in_range(self.ground.battle, self.firer, self.ground.unit, shape, self.known, quick)

    def seen(self, shape: shapely.Geometry, quick: bool = False) -> Line | None:
        """Return a clear line to a shape, however long; with ``quick`` only one near known lines."""
        return any_line(self.ground.battle, self.firer, self.ground.unit, shape, self.known, quick)

    @property
    def known(self) -> tuple[Line, ...]:
        """The known clear lines: those found for this answer, latest first, then the hints."""
        return (*self.clear[::-1], *self.hints)

    def covered(self, line: Line, i: int) -> bool:
        """Return whether a base has cover from the shots at it; ``line`` is a clear line to it."""
        battle, unit = self.ground.battle, self.ground.unit
        if not _may_be_crossed(self.ground, self.firer, i):
            return False
        by_bounds = covered_by_bounds(self.ground, self.firer, i, line)
        if by_bounds is not None:
            return by_bounds
        shot = shot_at(battle, self.firer, unit, unit.bases[i].polygon)
        return base_cover(self.ground, attack_by(battle, self.firer, unit, i, shot)).rank > 0

    def covered_straight(self, i: int) -> bool:
        """Return whether a base has cover along the straight line to it, for use if no base is seen."""
        return base_cover(self.ground, self.straight[i]).rank > 0

    @cached_property
    def straight(self) -> list[Attack]:
        """The attacks along straight lines to every base."""
        return straight_attacks(self.ground.battle, self.ground.unit, self.firer)


def _sure_and_may(ground: Ground, firer: Unit) -> tuple[Sequence[bool], Sequence[bool]]:
    """Return which bases are certainly covered and which may be; cached until terrain, unit or firer change."""

    def found() -> tuple[Sequence[bool], Sequence[bool]]:
        bounds = [least_and_most(ground, base) for base in ground.unit.bases]
        may = [high.rank > 0 for _, high in bounds]
        return [low.rank > 0 or (may[i] and _cut_off(ground, firer, i)) for i, (low, _) in enumerate(bounds)], may

    return _SURE_AND_MAY.of(ground.pieces, _standing(ground, firer), found)


def _standing(ground: Ground, firer: Unit) -> Hashable:
    """Return the cache key for how obstacles stand between two units, apart from the terrain pieces."""
    battle = ground.battle
    return ground.against, ground.unit.bases, firer.fronts, battle.scale, battle.tape.t


_SURE_AND_MAY: Cache[tuple[Sequence[bool], Sequence[bool]]] = Cache(256)
_CROSSED: Cache[bool] = Cache(1024)


def _may_be_crossed(ground: Ground, firer: Unit, i: int) -> bool:
    """Return False if no obstacle that shelters a base comes near any line to it from the firer's front.

    No line of attack on the base can then cross one.
    """
    key = i, _standing(ground, firer)
    return _CROSSED.of(ground.pieces, key, lambda: _come_near(ground, firer, ground.unit.bases[i]))


def _come_near(ground: Ground, firer: Unit, base: AnyBase) -> bool:
    pieces, t = [p.shape for p in ground.pieces if shelters(ground, p, base)], ground.battle.tape.t
    ends = shapely.get_coordinates(base.polygon)
    hulls = [hull_about(np.concatenate([[front.left, front.right], ends])) for front in fronts_of(firer.fronts)]
    return bool(np.any(shapely.dwithin(np.array(hulls)[:, None], np.array(pieces, object)[None, :], 4.0 * t)))


def _cut_off(ground: Ground, firer: Unit, i: int) -> bool:
    """Return True if obstacles separate a base from the firer's whole front, so that all lines cross them.

    The obstacles are grown by less than the tolerance for crossing, to close hairline gaps.
    """
    base, t = ground.unit.bases[i], ground.battle.tape.t
    pieces = tuple(p for p in ground.pieces if shelters(ground, p, base))
    wide = _WIDE.of(pieces, t, lambda: shapely.buffer(shapely.union_all([p.shape for p in pieces]), t / 4.0))
    return not any(_open(front, base.polygon, wide) for front in fronts_of(firer.fronts))


_WIDE: Cache[shapely.Geometry] = Cache(64)


def _open(front: Front, base: shapely.Geometry, wide: shapely.Geometry) -> bool:
    """Return whether connected ground free of obstacles touches both front and base; a no is certain.

    Straight lines from the ends of the front are tried first, as they usually settle it.
    """
    ends, corners = np.array([front.left, front.right]), shapely.get_coordinates(base)
    lines = np.stack([np.repeat(ends, len(corners), 0), np.tile(corners, (2, 1))], 1)
    if not shapely.intersects(shapely.linestrings(lines), wide).all():
        return True
    hull = hull_about(np.concatenate([ends, corners]))
    parts = shapely.get_parts(shapely.difference(hull, wide))
    return bool(np.any(shapely.dwithin(parts, front.edge, GRAZE) & shapely.dwithin(parts, base, GRAZE)))
