"""Cover: the terrain that the attacked part of a unit stands in or behind.

An obstacle covers a base against the firing points: the points on the firer's front where the shortest clear line to
the base starts, and every clear line hardly longer. Every line from a firing point to the base must cross the obstacle;
a base that shows past the end of its wall has no cover (TSE-COV-09).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.arc import Front, fronts_of
from tabletop.geometry.base import AnyBase
from tabletop.geometry.measure import Point
from tabletop.geometry.shapes import points_of
from tabletop.geometry.sight.parallel_lines import Line, ParallelLines, parallel_lines_of, uncrossed
from tabletop.geometry.sight.past_obstacles import Passing, View, open_stretches, passes, stretches_within
from tabletop.geometry.terrain import COVER_CLASSES, Terrain
from tabletop.geometry.verdict import Reason
from tabletop.rules.tse.fire.line_of_fire import some_clear, starts_clear
from tabletop.rules.tse.fire.shot import Shot, in_range, reach_of, shot_at
from tabletop.rules.tse.tables import length

Against = Literal["fire", "assault"]
NONE = COVER_CLASSES[0]


@dataclass(frozen=True)
class Cover:
    """A class of cover, the rule and the pieces that give it, the bases attacked and the lines that reach them.

    ``shows`` is a line from a firing point to a base that passes beside ``pieces``, the obstacles it stands behind.
    """

    name: str = NONE
    rule: str = "TSE-COV-02"
    pieces: tuple[str, ...] = ()
    bases: tuple[int, ...] = ()
    lines: tuple[Line, ...] = ()
    shows: Passing | None = None

    @property
    def rank(self) -> int:
        """The class as its place in the order none, soft, hard, fortification."""
        return COVER_CLASSES.index(self.name)

    def __lt__(self, other: Cover) -> bool:
        """Order covers by class."""
        return self.rank < other.rank


@dataclass(frozen=True)
class Attack:
    """One base under attack and the shortest lines that reach it; an assault has no ``firer`` and a single line.

    ``part`` is the part of the base that can be shot at, ``longest`` the greatest length of a line from a firing point.
    ``seen`` is False if no line is clear: the base then counts as shot at along the straight line, whatever blocks it.
    """

    index: int
    base: AnyBase
    lines: ParallelLines
    firer: Unit | None = None
    part: shapely.Geometry | None = None
    longest: float = 0.0
    seen: bool = True


@dataclass(frozen=True)
class Ground:
    """A unit and the terrain pieces near it that may cover it, against fire or against assault."""

    battle: Battle
    unit: Unit
    against: Against
    pieces: tuple[Terrain, ...] = field(default=())

    @classmethod
    def near(cls, battle: Battle, unit: Unit, against: Against) -> Ground:
        """Return the ground of a unit with the pieces near enough to cover it."""
        ground = cls(battle, unit, against)
        near = behind_cover(battle) + battle.tape.t
        x0, y0, x1, y1 = shapely.bounds(unit.footprint).tolist()
        box = shapely.box(x0 - near, y0 - near, x1 + near, y1 + near)
        pieces = (p for p in battle.table.terrain if ground.rank(p) > 0 and shapely.intersects(p.shape, box))
        return replace(ground, pieces=tuple(pieces))

    def rank(self, piece: Terrain) -> int:
        """Return the class of cover a piece gives, as its place in the order none, soft, hard, fortification."""
        return COVER_CLASSES.index(piece.cover_fire if self.against == "fire" else piece.cover_assault)


def cover_reason(unit: Unit, cover: Cover) -> Reason:
    """Return the reason that states the cover; it holds if there is any."""
    name = unit.called
    pieces = ", ".join(cover.pieces)
    text = f"{name} has {cover.name} cover: {pieces}" if cover.rank else f"the part of {name} attacked has no cover"
    feature = cover.pieces[0] if cover.pieces and cover.rank else None
    return Reason(cover.rule, cover.rank > 0, text, feature=feature, parts=_shown(unit, cover))


def _shown(unit: Unit, cover: Cover) -> tuple[Reason, ...]:
    """Return which base shows past the obstacle it stands behind, and by how much (TSE-COV-09)."""
    if cover.shows is None or cover.rank:
        return ()
    end = shapely.Point(cover.shows.line[1])
    k = min(cover.bases, key=lambda i: float(shapely.distance(unit.bases[i].polygon, end)))
    beside = cover.shows.beside
    pieces = ", ".join(cover.pieces)
    text = f"seen from the firing point, base {k + 1} shows past {pieces}: a line to it passes {beside:.2f} beside"
    return (Reason("TSE-COV-09", False, text, beside, 0.0, cover.pieces[0]),)


def behind_cover(battle: Battle) -> float:
    """Return how near (table units) behind a low obstacle troops must stand to be covered by it (TSE-COV-09).

    >>> from tabletop.play.files.opened import open_battle
    >>> behind_cover(open_battle("starter"))
    0.5
    """
    return length("behind_cover") * battle.scale


# --- which bases are attacked, and along which lines -----------------------------------------------------------------


def fire_cover(battle: Battle, unit: Unit, firer: Unit) -> Cover:
    """Return the cover of ``unit`` from fire by ``firer`` (TSE-COV-07).

    The bases attacked are those in arc, visible and in range; if there are none, those in arc and visible; if there are
    none of those either, every base, as if the firer had a clear straight line to it.
    """
    ground = Ground.near(battle, unit, "fire")
    if not ground.pieces:
        return Cover()
    bounds = [least_and_most(ground, base) for base in unit.bases]
    low, high = min(low for low, _ in bounds), max(high for _, high in bounds)
    if low.rank == high.rank:
        return low
    return _attacked_cover(ground, firer, bounds)


def least_and_most(ground: Ground, base: AnyBase) -> tuple[Cover, Cover]:
    """Return the cover a base has on every side, and the best it can have on any side."""
    inside = _inside(ground, base)
    sheltered = [Cover(COVER_CLASSES[ground.rank(p)]) for p in ground.pieces if shelters(ground, p, base)]
    return inside, max([inside, *sheltered])


def _attacked_cover(ground: Ground, firer: Unit, bounds: Sequence[tuple[Cover, Cover]]) -> Cover:
    """Return the cover of the bases attacked, searching for lines only to bases that can change it."""
    battle, unit = ground.battle, ground.unit
    least = bool(battle.rulings["cover_minimum"])
    order = sorted(range(len(bounds)), key=lambda i: bounds[i][1].rank if least else -bounds[i][0].rank)
    covers: list[Cover] = []
    farther: list[Attack] = []
    for i in order:
        if covers and not (bounds[i][0] < min(covers) if least else max(covers) < bounds[i][1]):
            continue
        shot = shot_at(battle, firer, unit, unit.bases[i].polygon)
        if not shot.clear:
            continue
        attack = attack_by(battle, firer, unit, i, shot)
        if in_range(battle, firer, shot.range):
            covers.append(base_cover(ground, attack))
        else:
            farther.append(attack)
    if covers:
        return _least(battle, covers)
    return _least(battle, [base_cover(ground, attack) for attack in farther or straight_attacks(battle, unit, firer)])


def straight_attacks(battle: Battle, unit: Unit, firer: Unit) -> list[Attack]:
    """Return an attack on every base along the straight line to it, whatever blocks that line."""
    edges = shapely.union_all([front.edge for front in fronts_of(firer.fronts)])
    attacks = []
    for i, base in enumerate(unit.bases):
        line = _shortest(edges, base.polygon)
        longest = math.dist(*line) + tie(battle) + battle.tape.t
        attacks.append(Attack(i, base, ParallelLines(*line), firer, base.polygon, longest, False))
    return attacks


def attack_by(battle: Battle, firer: Unit, unit: Unit, i: int, shot: Shot) -> Attack:
    """Return the attack on base ``i`` of a unit by a clear shot, with the limit for its firing points (TSE-COV-09)."""
    base = unit.bases[i]
    assert shot.sight is not None and shot.sight.distance is not None
    longest = longest_line(battle, firer, shot.sight.distance, shot.range)
    part = shot.part if battle.rulings["same_part"] else base.polygon
    return Attack(i, base, parallel_lines_to(battle, firer, shot), firer, part, longest)


def longest_line(battle: Battle, firer: Unit, shortest: float, distance: float | None = None) -> float:
    """Return the greatest length of a line from a firing point, given the ``shortest`` clear one (TSE-COV-09).

    If the shot is in range, this is no more than the firer's reach. ``distance`` is the range of the shot where it
    differs from ``shortest``.
    """
    longest, reach = shortest + tie(battle), reach_of(battle, firer)
    if reach is not None and in_range(battle, firer, shortest if distance is None else distance):
        longest = min(longest, reach)
    return longest + battle.tape.t


def tie(battle: Battle) -> float:
    """Return by how much a line from a firing point may exceed the shortest (TSE-COV-09)."""
    return length("cover_tie") * battle.scale


def parallel_lines_to(battle: Battle, firer: Unit, shot: Shot) -> ParallelLines:
    """Return the shortest lines of a clear shot, which are parallel."""
    assert shot.sight is not None and shot.sight.line is not None
    return parallel_lines_of(shot.sight.line, fronts_of(firer.fronts), shot.part, battle.tape.t)


def _shortest(start: shapely.Geometry, end: shapely.Geometry) -> Line:
    a, b = points_of(shapely.get_coordinates(shapely.shortest_line(start, end)))
    return a, b


def assault_cover(battle: Battle, unit: Unit, assaulter: Unit) -> Cover:
    """Return the cover of ``unit`` where the straight path from the assaulter's front midpoint meets it (TSE-ASL-80).

    The bases attacked are those that touch the meeting point (TSE-COV-07); if several points are equally near, the
    assaulter takes the one with the least cover (TSE-ASL-04).
    """
    ends = _ends(unit, assaulter.front_mid)
    return min(path_cover(battle, unit, (assaulter.front_mid, end)) for end in ends)


def path_cover(battle: Battle, unit: Unit, path: Line) -> Cover:
    """Return the cover of ``unit`` from an assault along ``path``, which ends on it (TSE-COV-06, TSE-ASL-80).

    ``path`` is a pair of points in table units; the least covered of the bases it touches counts (TSE-COV-07).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("assault-over-a-hedge")
    >>> path_cover(battle, battle.unit("west-line"), ((7.0, 6.0), (7.0, 11.5))).name
    'soft'
    """
    ground, end = Ground.near(battle, unit, "assault"), shapely.Point(path[1])
    touched = [
        Attack(i, base, ParallelLines(*path))
        for i, base in enumerate(unit.bases)
        if battle.tape.touches(float(shapely.distance(base.polygon, end)))
    ]
    return _least(battle, [base_cover(ground, attack) for attack in touched])


def _ends(unit: Unit, start: Point) -> Iterable[Point]:
    """Return the point of the unit's bases nearest to ``start``, or all of them if several tie (TSE-ASL-80)."""
    ends = [_shortest(shapely.Point(start), base.polygon)[1] for base in unit.bases]
    least = min(math.dist(start, end) for end in ends)
    return [end for end in ends if math.dist(start, end) <= least * (1.0 + 1e-12) + 1e-12]


def _least(battle: Battle, covers: Sequence[Cover]) -> Cover:
    """Return the least cover of the bases attacked, or the best if the ruling ``cover_minimum`` is off (TSE-COV-07)."""
    choose = min if battle.rulings["cover_minimum"] else max
    chosen = choose(covers)
    bases = tuple(i for one in covers for i in one.bases)
    return replace(chosen, bases=bases, rule=chosen.rule if len(covers) == 1 or chosen.rank else "TSE-COV-07")


# --- one base --------------------------------------------------------------------------------------------------------


def base_cover(ground: Ground, attack: Attack) -> Cover:
    """Return the better cover of one base: from the area it stands in or the obstacle it stands behind."""
    inside, behind = _inside(ground, attack.base), _behind(ground, attack)
    best = inside if inside.rank and not inside < behind else behind
    return replace(best, bases=(attack.index,), lines=(attack.lines.line(0.0),))


def _inside(ground: Ground, base: AnyBase) -> Cover:
    """Return the all-round cover of the areas a base stands wholly inside (TSE-COV-08, TSE-COV-10)."""
    pieces = [p for p in ground.pieces if p.is_area and shapely.intersects(p.shape, base.polygon)]
    for rank in _ranks(ground, pieces):
        strong = [p for p in pieces if ground.rank(p) >= rank]
        area = shapely.union_all([p.shape for p in strong])
        if shapely.covers(shapely.buffer(area, ground.battle.tape.t), base.polygon):
            return Cover(COVER_CLASSES[rank], "TSE-COV-08", tuple(p.id for p in strong))
    return Cover()


def _behind(ground: Ground, attack: Attack) -> Cover:
    """Return the cover of the obstacles within half an inch of a base that together hide it (TSE-COV-09).

    The class is the best one for which the obstacles of that class or better hide the base.
    """
    pieces = [p for p in ground.pieces if shelters(ground, p, attack.base)]
    cover = Cover()
    for rank in _ranks(ground, pieces):
        strong = [p for p in pieces if ground.rank(p) >= rank]
        obstacle, ids = _together(strong), tuple(p.id for p in strong)
        shows = _past(ground, attack, obstacle)
        if shows is None:
            return Cover(COVER_CLASSES[rank], "TSE-COV-09", ids)
        cover = Cover(pieces=ids, shows=shows)
    return cover


def _together(pieces: Sequence[Terrain]) -> shapely.Geometry:
    return pieces[0].shape if len(pieces) == 1 else shapely.union_all([p.shape for p in pieces])


def _past(ground: Ground, attack: Attack, obstacle: shapely.Geometry) -> Passing | None:
    """Return a line from a firing point that reaches the base past the end of an obstacle, None if there is none.

    Under the ruling ``cover_by: line`` only the shortest lines count.
    """
    t = ground.battle.tape.t
    if ground.battle.rulings["cover_by"] == "line":
        beside = (part for part in uncrossed(attack.lines, obstacle, t) if _reaches(ground, attack, part))
        line = next((part.line(0.0) for part in beside), None)
        return line and Passing(line, float(shapely.distance(shapely.LineString(line), obstacle)))
    view, start = View.of(attack.base.polygon, obstacle, t), attack.lines.line(0.0)[0]
    passing = passes(view, start, start)
    if passing is not None or attack.firer is None or attack.part is None:
        return passing
    stretches = (
        (front, stretch)
        for front in fronts_of(attack.firer.fronts)
        for stretch in stretches_within(front.left, front.right, attack.part, attack.longest)
    )
    return next(filter(None, (_past_from(ground, attack, view, *one) for one in stretches)), None)


def _past_from(ground: Ground, attack: Attack, view: View, front: Front, stretch: Line) -> Passing | None:
    """Return such a line from one stretch of front, whose firing points are those with a short enough clear line."""
    passing = passes(view, *stretch)
    if passing is None or not attack.seen:
        return passing
    assert attack.firer is not None and attack.part is not None
    look = partial(starts_clear, ground.battle, attack.firer, ground.unit, front, attack.part, longest=attack.longest)
    if look((passing.line[0], passing.line[0])) is not None:
        return passing
    for part in open_stretches(view, *stretch):
        start = look(part)
        if start is not None:
            return passes(view, start, start) or passing
    return None


def _ranks(ground: Ground, pieces: Sequence[Terrain]) -> list[int]:
    return sorted({ground.rank(p) for p in pieces}, reverse=True)


def shelters(ground: Ground, piece: Terrain, base: AnyBase) -> bool:
    """Return whether a piece is an obstacle that the base stands close enough behind, without standing in its area."""
    if piece.line is None and piece.sight != "low":
        return False
    tape = ground.battle.tape
    if not tape.at_most(float(shapely.distance(piece.shape, base.polygon)), behind_cover(ground.battle)):
        return False
    return not (piece.is_area and shapely.intersects(shapely.buffer(base.polygon, -tape.t), piece.shape))


def _reaches(ground: Ground, attack: Attack, lines: ParallelLines) -> bool:
    """Return whether some line that passes beside the obstacle is clear; an assault's path always is."""
    return attack.firer is None or some_clear(ground.battle, attack.firer, ground.unit, lines)
