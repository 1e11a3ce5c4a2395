"""Which enemy units a side does not know of, because none of its units sees or touches them (AGE-ORD-06).

Whether one unit sees another is for ``sight.judge`` to say; only how few pairs of units it is asked about is decided
here. A clear line once found proves that an enemy is seen for as long as no unit steps into it. A pair of which neither
sees the other stays so for as long as the units that stood between them stay where they are: more units between them
only hide more. Both outlast the battle in which they were found, because units that have not moved keep their bases.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distances_between
from tabletop.geometry.cache import Cache
from tabletop.geometry.line_of_sight import clear_lines
from tabletop.geometry.measure import GRAZE
from tabletop.geometry.sight.nearby_line import Line
from tabletop.rules.ages.sight.judge import blocking_ground, law, sight_limit, some_line, some_line_past_ground
from tabletop.rules.ages.tables import length

#: How much smaller (mm) a shape is taken where lines that just touch it are to pass.
MARGIN = 0.01

Bases = tuple[object, ...]


def unseen(battle: Battle, side: str) -> frozenset[str]:
    """Return the ids of the enemy units that no unit of a side, generals included, sees or touches (AGE-ORD-06).

    Enemy generals and staff officers are left out: nobody reacts to them.

    >>> from tabletop.battle.event import Remembered
    >>> from tabletop.battle.unfolding import Unfolding
    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("maida"))
    >>> len(unseen(unfolding.battle, "british"))
    0
    >>> unfolding.happen(Remembered("mist", 40.0))
    >>> len(unseen(unfolding.battle, "british"))
    11
    """
    kept: dict[str, frozenset[str]] = vars(battle).setdefault("_unseen", {})
    if side not in kept:
        enemies = [u for u in battle.units if u.side != side and not u.is_general]
        kept[side] = frozenset(unit.id for unit in _Lookout(battle, side).unseen(enemies))
    return kept[side]


def is_unseen(battle: Battle, side: str, enemy: Unit) -> bool:
    """Return whether no unit of a side sees or touches one enemy unit, without looking for the others (AGE-ORD-06).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("maida")
    >>> is_unseen(battle, "british", battle.unit("9e-chasseurs-a-cheval"))
    False
    """
    kept: dict[str, frozenset[str]] = vars(battle).get("_unseen", {})
    if side in kept:
        return enemy.id in kept[side]
    return any(True for _ in _Lookout(battle, side).unseen([enemy]))


#: By an enemy's bases, the bases of a unit that saw him and the line; by two units' bases, those that stood between
#: them when neither saw the other.
_SEEN: Cache[tuple[Bases, Line]] = Cache(1024)
_FOUND: Cache[bool] = Cache(1024)
_HIDDEN: Cache[tuple[Bases, ...]] = Cache(8192)


@dataclass(frozen=True)
class _Lookout:
    """What a side may see in one battle."""

    battle: Battle
    side: str

    def unseen(self, enemies: Sequence[Unit]) -> Iterator[Unit]:
        """Yield those of some enemies that nobody sees."""
        lines = [_SEEN.get((enemy.bases, self.battle.table), self.side) for enemy in enemies]
        still = [
            (enemy, *line[0]) for enemy, line in zip(enemies, lines, strict=True) if line and self._holds(*line[0])
        ]
        seen = {enemy.id for enemy, good in zip((s[0] for s in still), self._past_units(still), strict=True) if good}
        yield from (e for e in enemies if e.id not in seen and not self._is_seen(e))

    def _holds(self, spotter: Bases, line: Line) -> bool:
        return id(spotter) in self._standing and math.dist(*line) <= self._far

    def _is_seen(self, enemy: Unit) -> bool:
        """Return whether some unit sees or touches an enemy; the nearest are asked first."""
        own = self.battle.side(self.side)
        if not own:
            return False
        gaps = distances_between(enemy, own)
        if self.battle.tape.at_most(min(gaps), length(self.battle, "contact")):
            return True
        nearest_first = np.argsort(gaps, kind="stable").tolist()
        near = [own[k] for k in nearest_first if gaps[k] <= self._far and not self._known_hidden(own[k], enemy)]
        if not near or self._plainly(near, enemy):
            return bool(near)
        undecided = []
        for unit in near:
            answer = self._soon(unit, enemy)
            if answer:
                return True
            if answer is None:
                undecided.append(unit)
        return any(self._after_search(unit, enemy) for unit in undecided)

    def _known_hidden(self, unit: Unit, enemy: Unit) -> bool:
        known = _HIDDEN.get(*self._asked(unit, enemy))
        return known is not None and all(id(bases) in self._standing for bases in known[0])

    def _plainly(self, near: Sequence[Unit], enemy: Unit) -> bool:
        """Return whether one of the plainest lines is clear: the shortest to each unit, and from middle to middle."""
        shapes = np.array([unit.footprint for unit in near], object)
        shortest = shapely.get_coordinates(shapely.shortest_line(shapes, enemy.footprint)).reshape(-1, 2, 2)
        middles = np.array([(unit.at, enemy.at) for unit in near], float)
        lines = self._clear(np.concatenate([shortest, middles]))
        tried = [(enemy, near[k % len(near)].bases, _line(line)) for k, line in lines]
        past = next((one for one, good in zip(tried, self._past_units(tried), strict=True) if good), None)
        return past is not None and self._note(*past)

    def _clear(self, lines: np.ndarray) -> list[tuple[int, np.ndarray]]:
        """Return those of some lines (n, 2, 2) that no ground blocks, with their numbers."""
        short = np.hypot(*(lines[:, 1] - lines[:, 0]).T) <= self._far
        clear = short & clear_lines(self.battle.table, lines[:, 0], lines[:, 1], law(self.battle))
        return [(k, lines[k]) for k in np.flatnonzero(clear).tolist()]

    def _from_corners(self, unit: Unit, enemy: Unit, between: Sequence[Unit]) -> bool:
        """Return whether one of the lines between points on the outlines of two units is clear."""
        ends = np.broadcast_arrays(_outline_points(unit)[:, None], _outline_points(enemy))
        lines = np.stack(ends, axis=2).reshape(-1, 2, 2)
        solid = shapely.union_all([blocking_ground(wall) for wall in between])
        shapely.prepare(solid)
        clear = self._clear(lines[~shapely.intersects(solid, shapely.linestrings(lines))])
        return bool(clear) and self._note(enemy, unit.bases, _line(clear[0][1]))

    def _past_units(self, lines: Sequence[tuple[Unit, Bases, Line]]) -> list[bool]:
        """Return which lines, each from some bases to an enemy, touch no other unit."""
        good = [True] * len(lines)
        if lines and self._walls:
            hits = self._tree.query(shapely.linestrings([line for *_, line in lines]), predicate="intersects")
            for k, j in hits.T.tolist():
                enemy, spotter, _ = lines[k]
                if self._walls[j].bases is not spotter and self._walls[j].bases is not enemy.bases:
                    good[k] = False
        return good

    def _soon(self, unit: Unit, enemy: Unit) -> bool | None:
        """Return whether a unit sees an enemy, None if only a search past other units can tell."""
        between = self._between(unit, enemy)
        # the enemy's own stay where they are while this side moves
        theirs = [wall for wall in between if wall.side == enemy.side]
        if self._closed(unit, enemy, theirs, _parted) or self._closed(unit, enemy, between, _parted):
            return False
        line = some_line_past_ground(self.battle, unit, enemy)
        if line is None:
            return not self._note_hidden(unit, enemy, ())
        if not between:
            return self._note(enemy, unit.bases, line)
        if _FOUND.get((*self._asked(unit, enemy)[0], *(wall.bases for wall in between)), self._far):
            return True
        if self._from_corners(unit, enemy, between):
            return True
        return False if self._closed(unit, enemy, between, _stopped) else None

    def _closed(self, unit: Unit, enemy: Unit, walls: Sequence[Unit], stopped: Callable[..., bool]) -> bool:
        """Return whether some units stop every line between two others even if each were a little smaller."""
        if not walls or self._over:
            return False
        solid = _solid(unit, enemy, walls, 2.0 * self.battle.tape.t)
        return not shapely.is_empty(solid) and stopped(unit, enemy, solid) and self._note_hidden(unit, enemy, walls)

    def _after_search(self, unit: Unit, enemy: Unit) -> bool:
        between = self._between(unit, enemy)
        line = some_line(self.battle, unit, enemy, unit.footprint, enemy.footprint)
        if line is None:
            return not self._note_hidden(unit, enemy, between)
        _FOUND.keep((*self._asked(unit, enemy)[0], *(wall.bases for wall in between)), self._far, True)
        return self._note(enemy, unit.bases, line)

    def _between(self, unit: Unit, enemy: Unit) -> list[Unit]:
        """Return the units of which some line between two units may touch one."""
        walls = (self._walls[k] for k in self._tree.query(_field(unit, enemy), predicate="intersects").tolist())
        return [wall for wall in walls if wall.id not in (unit.id, enemy.id)]

    def _asked(self, unit: Unit, enemy: Unit) -> tuple[tuple[object, ...], Hashable]:
        """Return all that decides whether one of two units sees the other, but for the units between them."""
        return (*sorted((unit.bases, enemy.bases), key=id), self.battle.table), (self._over, self._far)

    def _note_hidden(self, unit: Unit, enemy: Unit, between: Iterable[Unit]) -> bool:
        _HIDDEN.keep(*self._asked(unit, enemy), tuple(wall.bases for wall in between))
        return True

    def _note(self, enemy: Unit, spotter: Bases, line: Line) -> bool:
        _SEEN.keep((enemy.bases, self.battle.table), self.side, (spotter, line))
        return True

    @cached_property
    def _far(self) -> float:
        return sight_limit(self.battle) + self.battle.tape.t

    @cached_property
    def _over(self) -> bool:
        return bool(self.battle.rulings["fire_over"] == "higher-ground")

    @cached_property
    def _standing(self) -> frozenset[int]:
        return frozenset(id(unit.bases) for unit in self.battle.units)

    @cached_property
    def _walls(self) -> tuple[Unit, ...]:
        return tuple(unit for unit in self.battle.units if not unit.is_general)

    @cached_property
    def _tree(self) -> shapely.STRtree:
        return shapely.STRtree([blocking_ground(unit) for unit in self._walls])


def _line(ends: np.ndarray) -> Line:
    (x, y), (u, v) = ends.tolist()
    return (x, y), (u, v)


def _outline_points(unit: Unit) -> np.ndarray:
    """Return points (n, 2) on the outline of a unit: its corners, and the middles between them."""
    corners = shapely.get_coordinates(shapely.convex_hull(unit.footprint))[:-1]
    return np.concatenate([corners, (corners + np.roll(corners, 1, axis=0)) / 2])


def _field(unit: Unit, enemy: Unit) -> shapely.Geometry:
    """Return the ground that lines between two units can touch."""
    return shapely.convex_hull(shapely.geometrycollections([unit.footprint, enemy.footprint]))


def _solid(unit: Unit, enemy: Unit, walls: Iterable[Unit], slack: float) -> shapely.Geometry:
    """Return the ground of those walls that neither unit stands in, less ``slack`` (mm) all round."""
    whole = np.array([wall.footprint for wall in walls], object)
    ends = np.array([unit.footprint, enemy.footprint], object)
    apart = ~shapely.intersects(shapely.buffer(whole, -slack)[:, None], ends).any(axis=1)
    return shapely.buffer(shapely.union_all(whole[apart]), -slack, quad_segs=1)


def _parted(unit: Unit, enemy: Unit, solid: shapely.Geometry) -> bool:
    """Return whether a solid shape cuts the ground between two units through: then it stops every line."""
    open_ground = shapely.get_parts(shapely.difference(_field(unit, enemy), solid))
    reached = shapely.intersects(open_ground[:, None], np.array([unit.footprint, enemy.footprint], object))
    return not reached.all(axis=1).any()


def _stopped(unit: Unit, enemy: Unit, solid: shapely.Geometry) -> bool:
    """Return whether a solid shape stops every line between two units.

    A line that passes it can be shifted and turned until it goes through two corners, of the shape or of the units: if
    none through two corners passes, no line does.
    """
    hulls = shapely.buffer(shapely.convex_hull([unit.footprint, enemy.footprint]), MARGIN, quad_segs=1)
    corners = shapely.get_coordinates([shapely.simplify(solid, GRAZE), *hulls])
    first, second = np.triu_indices(len(corners), 1)
    at, way = corners[first], corners[second] - corners[first]
    apart = np.hypot(*way.T) > MARGIN
    at, way = at[apart], way[apart]
    (a, b), (c, d) = (_stretch(hull, at, way) for hull in hulls)
    met = (a <= b) & (c <= d)
    forth = b <= c
    start, end = np.where(forth, b, d)[met, None], np.where(forth, c, a)[met, None]
    if (start > end).any():
        return False
    lines = shapely.linestrings(np.stack([at[met] + start * way[met], at[met] + end * way[met]], axis=1))
    core = shapely.buffer(solid, -MARGIN, quad_segs=1)
    shapely.prepare(core)
    return bool(shapely.intersects(core, lines).all())


def _stretch(hull: shapely.Geometry, at: np.ndarray, way: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where n lines enter and leave a convex shape, in lengths of ``way`` from ``at`` (n, 2), grown a little.

    A line that misses it leaves before it enters.
    """
    ring = shapely.get_coordinates(shapely.normalize(hull))  # clockwise
    side = np.diff(ring, axis=0)
    inward = np.stack([side[:, 1], -side[:, 0]], axis=1)
    gap = inward @ at.T - np.sum(inward * ring[:-1], axis=1)[:, None]  # below 0 outside this side
    closing = inward @ way.T
    with np.errstate(divide="ignore", invalid="ignore"):
        at_side = -gap / closing
    enters = np.where(closing > 0.0, at_side, np.where((closing == 0.0) & (gap < 0.0), np.inf, -np.inf)).max(axis=0)
    leaves = np.where(closing < 0.0, at_side, np.inf).min(axis=0)
    return enters, leaves
