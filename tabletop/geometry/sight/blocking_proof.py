"""Areas between which walls let no line pass: one proof for many searches of one margin.

A margin asks the same question again and again with one thing moved, and usually what blocked every line before still
does. A ``BlockingProof`` states for two areas that every line from one to the other touches one of a few walls. It
holds for all searches between parts of these areas, on all tables on which the walls are unchanged, as long as no end
stands so high that it looks over one of them: anything else on the table can only block more lines.

Walls are those of ``Search.shut_off``: obstructions no lower than either end that neither area touches, so that none
contains an end. Units in the line of fire count as the ground within their clearance, slightly less than the law
blocks. Proofs are attempted in a series of searches only (``keep_blocking_proofs``): a single search is faster than a
proof.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import shapely

from tabletop.geometry.measure import GRAZE
from tabletop.geometry.shapes import hull_about
from tabletop.geometry.sight.bounds import Between
from tabletop.geometry.sight.cell_pair import pair_of
from tabletop.geometry.sight.cells import Cell, whole_of
from tabletop.geometry.sight.friends import bodies
from tabletop.geometry.sight.law import InterveningUnit, SightLaw
from tabletop.geometry.sight.obstruction import SHRUNK, Bools, Floats, SightObstruction, ground_of
from tabletop.geometry.sight.relevant_rulings import ABOUT
from tabletop.geometry.sight.search import CellSearch, cores
from tabletop.geometry.terrain import Table, Terrain

#: How many proofs are kept in a series; after how many bundles of lines an attempt is given up.
KEPT, MOST = 12, 3000
#: Longest pause, in searches, between attempts: it starts at two after the first failure and doubles with each further
#: one.
RESTS = 64
#: Corners of the polygon inscribed in a circle of clearance.
CORNERS = 64

Shape = shapely.Geometry


@dataclass(frozen=True, eq=False)
class Asked:
    """The input of a search: a table, two shapes, the law and the units in the line of fire."""

    table: Table
    shapes: tuple[Shape, Shape]
    law: SightLaw
    intervening: tuple[InterveningUnit, ...]

    def level(self, shape: Shape) -> int:
        """Return an upper bound on the level of a shape's points: that of the highest hill it comes near."""
        hills = [piece for piece in self.table.terrain if piece.is_hill]
        return max((hill.level or 0 for hill in hills if shapely.dwithin(hill.shape, shape, ABOUT)), default=0)


@dataclass(frozen=True, eq=False)
class Wall:
    """An obstruction as a wall: its ground, the pieces it is made of, and the other pieces of its sort on the table.

    Obstructions are pieces of one sort united where they touch (``Table.obstructions``, ``Table.hills``). It is the
    same obstruction on every table that has the same ``parts`` (by identity) and on which no other piece of the sort,
    apart from ``others``, comes near. A piece whose level changes counts as another piece.
    """

    obstruction: SightObstruction
    parts: tuple[Terrain, ...]
    others: tuple[Terrain, ...]

    @classmethod
    def of(cls, obstruction: SightObstruction, table: Table) -> Wall:
        """Return an obstruction of a table as a wall."""
        sort = [piece for piece in table.terrain if _of_sort(obstruction, piece)]
        near = [bool(shapely.dwithin(piece.shape, obstruction.area, ABOUT)) for piece in sort]
        parts, others = (
            tuple(p for p, is_near in zip(sort, near, strict=True) if is_near == close) for close in (1, 0)
        )
        return cls(obstruction, parts, others)

    @property
    def known(self) -> Hashable:
        return self.obstruction.level, self.obstruction.see_through, self.obstruction.hill, self.obstruction.area

    def stands(self, asked: Asked) -> bool:
        """Return whether it is an obstruction of the table in question."""
        present = {id(piece): piece for piece in asked.table.terrain if _of_sort(self.obstruction, piece)}
        if not all(id(piece) in present for piece in self.parts):
            return False
        old = {id(piece) for piece in (*self.parts, *self.others)}
        return not any(shapely.dwithin(present[k].shape, self.obstruction.area, ABOUT) for k in present.keys() - old)

    def reaches(self, hull: Shape) -> bool:
        """Return whether some line within a hull may touch it."""
        return bool(shapely.dwithin(self.obstruction.area, hull, ABOUT))


@dataclass(frozen=True, eq=False)
class UnitWall:
    """A unit in the line of fire as a wall: the ground around it that lines must avoid, slightly less than the law
    demands."""

    obstruction: SightObstruction
    unit: InterveningUnit

    @property
    def known(self) -> Hashable:
        return self.unit.area, self.unit.level, self.unit.clearance

    def stands(self, asked: Asked) -> bool:
        """Return whether it is one of the units in the line of fire."""
        return any(self.known == (unit.area, unit.level, unit.clearance) for unit in asked.intervening)

    def reaches(self, hull: Shape) -> bool:
        """Return whether some line within a hull may touch it."""
        return bool(shapely.dwithin(self.obstruction.area, hull, ABOUT))


@dataclass(frozen=True, eq=False)
class BlockingProof:
    """Two convex areas (``regions``), and walls between them that block every line from one to the other.

    It holds under a law and a tolerance ``t`` while no end stands above ``highest``, and not both as high as ``under``,
    the level of the lowest hill among the walls: by ``shadow_factor`` a wall is a wall to all lines with lower ends
    too.
    """

    regions: tuple[Shape, Shape]
    law: SightLaw
    t: float
    walls: tuple[Wall | UnitWall, ...]

    def __post_init__(self) -> None:
        shapely.prepare(np.array(self.regions, dtype=object))

    @cached_property
    def highest(self) -> int:
        return min(wall.obstruction.level for wall in self.walls)

    @cached_property
    def under(self) -> float:
        return min((wall.obstruction.level for wall in self.walls if wall.obstruction.hill), default=math.inf)

    @cached_property
    def known(self) -> frozenset[Hashable]:
        """What identifies its walls."""
        return frozenset(wall.known for wall in self.walls)

    def holds(self, a: Shape, b: Shape) -> bool:
        """Return whether both shapes lie in its areas, one in each."""
        one, other = self.regions
        return bool(
            (shapely.covers(one, a) and shapely.covers(other, b))
            or (shapely.covers(one, b) and shapely.covers(other, a))
        )

    def within(self, other: BlockingProof) -> bool:
        """Return whether another proof holds wherever this one does."""
        return self.law == other.law and self.known == other.known and other.holds(*self.regions)

    def stands(self, asked: Asked) -> bool:
        """Return whether its walls exist, within the hull of the shapes in question, and are still walls to lines
        between them."""
        if (self.law, self.t) != (asked.law, asked.table.tape.t):
            return False
        gone = [wall for wall in self.walls if not wall.stands(asked)]
        if gone:
            hull = shapely.convex_hull(shapely.union_all(list(asked.shapes)))
            if any(wall.reaches(hull) for wall in gone):
                return False
        levels = [asked.level(shape) for shape in asked.shapes]
        return max(levels) <= self.highest and min(levels) < self.under


@dataclass(eq=False)
class BlockingProofs:
    """The proofs of one series of searches, the latest last, and how many searches to wait before the next attempt."""

    known: list[BlockingProof] = field(default_factory=list)
    failures: int = 0
    resting: int = 0

    def close(self, asked: Asked) -> bool:
        """Return whether no line between two shapes is proved to be clear, with or without tolerance."""
        return any(proof.holds(*asked.shapes) and proof.stands(asked) for proof in self.known)

    def learn(self, asked: Asked) -> None:
        """Try to prove what a search found between two shapes, for wider areas if an earlier proof can be widened.

        If a proof was needed although the areas need not be widened, the walls have changed and may soon change again:
        that counts as a failure, after which attempts pause for a while.
        """
        if self.resting:
            self.resting -= 1
            return
        one, other = (shapely.convex_hull(shape) for shape in asked.shapes)
        wider = _widened(self.known, one, other)
        for areas in ((one, other),) if wider is None else (wider, (one, other)):
            new_proof = proved(asked, areas)
            if new_proof is not None:
                self.known = [*(proof for proof in self.known if not proof.within(new_proof)), new_proof][-KEPT:]
                break
        first = not (self.known[1:] or wider)
        good = new_proof is not None and (first or new_proof.regions == wider)
        self.failures = 0 if good else self.failures + 1
        self.resting = 0 if good else min(RESTS, 2**self.failures)


def _widened(known: Sequence[BlockingProof], a: Shape, b: Shape) -> tuple[Shape, Shape] | None:
    """Return the areas of the nearest proof widened to hold two shapes, and by as much again.

    None if there is no proof, or if one already holds them.
    """
    pairs = [areas for proof in known for areas in (proof.regions, proof.regions[::-1])]
    lacks = [(_lack(one, a), _lack(other, b)) for one, other in pairs]
    least = min(lacks, key=sum, default=(0.0, 0.0))
    if not sum(least):
        return None
    (one, other), (by, other_by) = pairs[lacks.index(least)], least
    return _grown(one, a, by), _grown(other, b, other_by)


def _lack(area: Shape, shape: Shape) -> float:
    """Return how far a shape sticks out of an area."""
    return float(np.max(shapely.distance(shapely.points(shapely.get_coordinates(shape)), area)))


def _grown(area: Shape, shape: Shape, by: float) -> Shape:
    if not by:
        return area
    return shapely.buffer(shapely.convex_hull(shapely.union(area, shape)), by, join_style="mitre")


def proved(asked: Asked, regions: tuple[Shape, Shape]) -> BlockingProof | None:
    """Return the proof that walls block every line between two convex areas, with few walls; None if they do not."""
    table, t = asked.table, asked.table.tape.t
    if shapely.intersects(*regions):
        return None
    a, b = (whole_of(ground_of(table), region, t) for region in regions)
    units_with_ground = [(unit, _kept_off(unit, -1 - k, t)) for k, unit in enumerate(asked.intervening)]
    pair = pair_of(a, b, ground_of(table, SHRUNK), asked.law, t, units_with_ground)
    left = ground_of(table, t / 2 + GRAZE)

    def closed(some: Sequence[SightObstruction]) -> bool:
        standing = cores(some, left)
        if not standing:
            return False
        search = CellSearch(Between(pair.high, pair.low, asked.law.rulings(t), standing), _any_line, math.inf, True)
        return search.run(MOST) is None and search.through

    walls = _fewest([wall for wall in pair.walls if not (_meets(wall, a) or _meets(wall, b))], closed)
    if not walls:
        return None
    named = (
        Wall.of(obstruction, table)
        if obstruction.index >= 0
        else UnitWall(obstruction, asked.intervening[-1 - obstruction.index])
        for obstruction in walls
    )
    return BlockingProof(regions, asked.law, t, tuple(named))


def _of_sort(obstruction: SightObstruction, piece: Terrain) -> bool:
    """Return whether a piece and an obstruction would be united if they touched."""
    if (piece.level or 0) != obstruction.level or shapely.is_empty(piece.shape):
        return False
    return piece.is_hill if obstruction.hill else piece.sight == "tall" and piece.see_through == obstruction.see_through


def _fewest(
    walls: Sequence[SightObstruction], closed: Callable[[Sequence[SightObstruction]], bool]
) -> Sequence[SightObstruction]:
    """Return a small set of walls that blocks all lines, preferring high ones; empty if all of them together do not."""
    high = sorted(walls, key=lambda wall: -wall.level)
    alone = next((wall for wall in high if closed([wall])), None)
    if alone is not None or len(high) < 2 or not closed(high):
        return [] if alone is None else [alone]
    for wall in reversed(high):
        rest = [each for each in high if each is not wall]
        high = rest if closed(rest) else high
    return high


def _kept_off(unit: InterveningUnit, index: int, t: float) -> SightObstruction:
    """Return the ground around a unit through which every line passes it too closely: what the law blocks, less a
    hair."""
    angles = np.arange(CORNERS) * (2.0 * np.pi / CORNERS)
    reach = (unit.clearance - t - GRAZE) * np.stack([np.cos(angles), np.sin(angles)], 1)
    areas = [hull_about((p[:, None] + reach[None]).reshape(-1, 2)) for p in bodies(unit)]
    area = areas[0] if len(areas) == 1 else shapely.union_all(areas)
    return SightObstruction(unit.level, 0.0, False, (unit.id,), area, area, index)


def _meets(wall: SightObstruction, cell: Cell) -> bool:
    return bool(shapely.intersects(wall.core, cell.shape))


def _any_line(starts: Floats, ends: Floats) -> Bools:
    return np.ones(len(starts), bool)


_PROOFS: ContextVar[BlockingProofs | None] = ContextVar("proofs that walls let no line pass", default=None)


@contextmanager
def keep_blocking_proofs() -> Iterator[None]:
    """Keep proofs that walls let no line pass for the searches made inside: for a series of similar ones.

    Woods, towns and hills are walls to sight (TSE-LOS-04).

    >>> with keep_blocking_proofs():
    ...     blocking_proofs() is None
    False
    """
    before = _PROOFS.set(BlockingProofs())
    try:
        yield
    finally:
        _PROOFS.reset(before)


def blocking_proofs() -> BlockingProofs | None:
    """Return the proofs of the current series of searches (TSE-LOS-04); None outside a series.

    >>> blocking_proofs() is None
    True
    """
    return _PROOFS.get()
