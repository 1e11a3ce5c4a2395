"""A weaker question of cover: whether a unit has any cover from fire, with as few searches for lines as possible.

The law is that of ``cover``: which bases are attacked, what each stands in or behind. For a base that is covered from
every side, or from none, only whether it is attacked matters; nor is a line needed for one that obstacles separate from
the firer's whole front, since all lines cross an obstacle.
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

#: Searches for a line to some ground; with True, only near known lines.
LineTo = Callable[..., Line | None]


def any_fire_cover(
    battle: Battle, unit: Unit, firer: Unit, hints: Sequence[Line] = (), shifted: Shifted | None = None
) -> tuple[bool, Line | None]:
    """Return whether ``fire_cover`` finds any cover (TSE-COV-07), and the line that decides it, if one does.

    Lines near ``hints`` are tried first. In a series of shifts (``shifted``) hidden bases are cached for nearby shifts.
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

    Lines are pairs of points in table units. If all terrain that can cover the unit is of one class, whether it has any
    cover settles the class.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> class_of_fire_cover(battle, battle.unit("auer"), battle.unit("morel-guns"))[0]
    'none'
    """
    some, line = any_fire_cover(battle, unit, firer, hints, shifted)
    if not some:
        return NONE, line
    ground = Ground.near(battle, unit, "fire")
    ranks = {ground.rank(piece) for piece in ground.pieces}
    return (COVER_CLASSES[min(ranks)], line) if len(ranks) == 1 else (fire_cover(battle, unit, firer).name, line)


@dataclass(frozen=True)
class _CoverQuestion:
    """One unit under fire: its bases that are certainly covered (``sure``), and those that may be (``may``)."""

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
        """Return whether none of the bases that need a line to settle it is seen, if they can be asked about at once.

        The bases that need no line then settle it, whether they are attacked or no base is and all count.
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
        """Return the answer where no base is seen: all count, as if shot at straight."""
        bases = range(len(self.sure))
        return (all if self.least else any)(self.has_cover(i, self.covered_straight) for i in bases), None

    def of_attacked(self, line_to: LineTo) -> tuple[bool, Line | None] | None:
        """Return the answer for the bases that ``line_to`` reaches, and a line; None where it reaches none.

        One base without cover settles it, or with the ruling ``cover_minimum`` off one with cover. Bases that may
        settle it are asked first, and of these first those that need no line.
        """
        some: Line | None = None
        able = sum(self.may_settle)
        for bases in (self.order[: self.settling], self.order[self.settling : able]):
            for i, line in self.attacked(bases, line_to):
                if self.has_cover(i, partial(self.covered, line)) != self.least:
                    return not self.least, line
                some = some or line
        others = self.order[able:]
        some = some or next((line for _, line in self.attacked(others, line_to)), None)
        return None if some is None else (self.least, some)

    def of_few_seen(self) -> tuple[bool, Line | None] | None:
        """Return the answer if bases that settle it once attacked decide it by few searches; else None. No base is hit.

        If no base is seen, all count, the settling ones too: the answer is the same unless one of the others is seen.
        """
        settling, others = self.order[: self.settling], self.order[self.settling :]
        if not settling:
            return None
        near = next(filter(None, (self.seen(self.shape([i]), quick=True) for i in settling)), None)
        if near is None and any(self.attacked(others, self.seen)):
            return None
        return not self.least, near

    def attacked(self, bases: Sequence[int], line_to: LineTo) -> Iterator[tuple[int, Line]]:
        """Yield the bases that a line reaches, each with its line.

        After one that no line reaches, which takes a whole search, those near known lines come first; then all that are
        left are asked about at once: a line found ends on the next of them.
        """
        left, doubtful = list(bases), bool(self.clear)
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
        """Yield the same for bases that may be asked about at once."""
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
        """Return whether a line to the union of these bases is always a line to one of them, and the reverse."""
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
        """Whether any of the target is within range, whatever lies in between."""
        bases = np.array([base.polygon for base in self.ground.unit.bases], object)
        fronts = np.array([base.polygon for base in self.firer.fronts], object)
        return in_range(self.ground.battle, self.firer, float(np.min(shapely.distance(bases[:, None], fronts))))

    @cached_property
    def may_settle(self) -> Sequence[bool]:
        """Which bases may settle the answer alone: without cover where the least counts, else with cover."""
        return [not sure for sure in self.sure] if self.least else self.may

    @cached_property
    def order(self) -> list[int]:
        """The bases: first those that settle it without a line, last those that cannot settle it."""
        return sorted(range(len(self.sure)), key=lambda i: (not self.may_settle[i], self.may[i] and not self.sure[i]))

    @property
    def settling(self) -> int:
        """How many bases settle it without a line."""
        return sum(
            settles and (sure or not may)
            for settles, sure, may in zip(self.may_settle, self.sure, self.may, strict=True)
        )

    def has_cover(self, i: int, covered: Callable[[int], bool]) -> bool:
        """Return whether a base has cover, calling ``covered`` only if that depends on a line."""
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
        """Clear lines: those found for this answer, the latest first, and the hints."""
        return (*self.clear[::-1], *self.hints)

    def covered(self, line: Line, i: int) -> bool:
        """Return whether a base has cover from the shots at it, one of them by ``line``."""
        battle, unit = self.ground.battle, self.ground.unit
        if not _may_be_crossed(self.ground, self.firer, i):
            return False
        told = covered_by_bounds(self.ground, self.firer, i, line)
        if told is not None:
            return told
        shot = shot_at(battle, self.firer, unit, unit.bases[i].polygon)
        return base_cover(self.ground, attack_by(battle, self.firer, unit, i, shot)).rank > 0

    def covered_straight(self, i: int) -> bool:
        """Return whether a base has cover from the straight line to it, where no base is seen."""
        return base_cover(self.ground, self.straight[i]).rank > 0

    @cached_property
    def straight(self) -> list[Attack]:
        """The attacks along straight lines to every base."""
        return straight_attacks(self.ground.battle, self.ground.unit, self.firer)


def _sure_and_may(ground: Ground, firer: Unit) -> tuple[Sequence[bool], Sequence[bool]]:
    """Return which bases are certainly covered, and which may be; kept for all that is moved and covers nothing."""

    def found() -> tuple[Sequence[bool], Sequence[bool]]:
        bounds = [least_and_most(ground, base) for base in ground.unit.bases]
        may = [high.rank > 0 for _, high in bounds]
        return [low.rank > 0 or (may[i] and _cut_off(ground, firer, i)) for i, (low, _) in enumerate(bounds)], may

    return _SURE_AND_MAY.of(ground.pieces, _standing(ground, firer), found)


def _standing(ground: Ground, firer: Unit) -> Hashable:
    """Return all but the pieces by which it is told how obstacles stand between two units."""
    battle = ground.battle
    return ground.against, ground.unit.bases, firer.fronts, battle.scale, battle.tape.t


_SURE_AND_MAY: Cache[tuple[Sequence[bool], Sequence[bool]]] = Cache(256)
_CROSSED: Cache[bool] = Cache(1024)


def _may_be_crossed(ground: Ground, firer: Unit, i: int) -> bool:
    """Return False where no obstacle that shelters a base comes near any line to it from the firer's front.

    The lines by which the base is attacked then cross none.
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

    They are grown by less than the tolerance for crossing.
    """
    base, t = ground.unit.bases[i], ground.battle.tape.t
    pieces = tuple(p for p in ground.pieces if shelters(ground, p, base))
    wide = _WIDE.of(pieces, t, lambda: shapely.buffer(shapely.union_all([p.shape for p in pieces]), t / 4.0))
    return not any(_open(front, base.polygon, wide) for front in fronts_of(firer.fronts))


_WIDE: Cache[shapely.Geometry] = Cache(64)


def _open(front: Front, base: shapely.Geometry, wide: shapely.Geometry) -> bool:
    """Return whether a connected part of the ground free of obstacles touches both front and base; no false no.

    Mostly a straight line from an end of the front tells.
    """
    ends, corners = np.array([front.left, front.right]), shapely.get_coordinates(base)
    lines = np.stack([np.repeat(ends, len(corners), 0), np.tile(corners, (2, 1))], 1)
    if not shapely.intersects(shapely.linestrings(lines), wide).all():
        return True
    hull = hull_about(np.concatenate([ends, corners]))
    parts = shapely.get_parts(shapely.difference(hull, wide))
    return bool(np.any(shapely.dwithin(parts, front.edge, GRAZE) & shapely.dwithin(parts, base, GRAZE)))
