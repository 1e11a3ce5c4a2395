"""Assuming a formation: where the unit stands afterwards, which point stays fixed, and what forbids it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.naming import plain
from tabletop.battle.unit import Unit, beside
from tabletop.errors import BadQuestion
from tabletop.geometry.base import Base
from tabletop.geometry.depth import deepest
from tabletop.geometry.layout import ALIGN, Layout, column, file_along, ranks
from tabletop.geometry.measure import ANGLE_TOLERANCE, Point, right_of, turn_between
from tabletop.geometry.movement.choke_points import Standing, barred_to
from tabletop.geometry.movement.clearance import ids_of
from tabletop.geometry.movement.ground import ground_of
from tabletop.geometry.verdict import Reason
from tabletop.rules.tse.movement.layouts import (
    FORMATIONS,
    default_front,
    front_fault,
    layout_of,
    legal_fronts,
    limber_gap,
    line_of,
    ranks_fault,
)
from tabletop.rules.tse.movement.zone_of_control import placing_faults, zone_faults
from tabletop.rules.tse.tables import length, tables, troop

#: Terrain along which a line may bend if the rulings require a feature, including hill outlines (TSE-FRM-11).
BEND_FEATURES = ("wall", "hedge", "woods", "trench", "redoubt", "hill")
#: Options that shape a line or a square, fields of ``Wanted``.
LINES = ("ref", "place", "shift", "facing", "bend")


@dataclass(frozen=True)
class Wanted:
    """The options of a formation; None means unchanged, or the default.

    ``facing`` is the unit's. ``ref`` is the base that stays where it is (deploy, square), ``place`` its number in the
    new formation, counted from the left in a line (by default the same, TSE-FRM-14), ``shift`` how far it is shifted.
    ``bend`` is that of a line. ``front``, ``ranks`` (all of them, front rank first) and ``align`` shape a maneuver
    column. ``head`` is the head base of a march column, ``track`` the points of its track from the head backwards.
    """

    facing: float | None = None
    ref: int | None = None
    place: int | None = None
    shift: Point = (0.0, 0.0)
    bend: Sequence[float] | None = None
    front: int | None = None
    ranks: Sequence[int] | None = None
    align: str | None = None
    head: int | None = None
    track: Sequence[Point] | None = None


def assume(battle: Battle, unit: Unit, formation: str, **wanted: Any) -> Unit:
    """Return ``unit`` in ``formation``, laid out about the point that stays fixed (TSE-FRM-02, TSE-FRM-06).

    The options are the fields of ``Wanted``. ``forming_faults`` says whether the result is legal. Raises BadQuestion
    for a general, an unknown formation, a base the unit does not have, or a front its bases cannot form.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> line = assume(battle, battle.unit("arnaud"), "deployed")
    >>> line.formation, len(line.front_bases), line.facing
    ('deployed', 4, 0.0)
    """
    if unit.is_general:
        raise BadQuestion(f"'{unit.id}' is a general, who has no formation; ask with --as general")
    if formation not in FORMATIONS:
        raise BadQuestion(f"no formation '{formation}'; one of: {', '.join(FORMATIONS)}")
    makers = {
        "deployed": _deployed,
        "maneuver-column": _maneuver_column,
        "march-column": _march_column,
        "square": _square,
    }
    return makers[formation](battle, unit, Wanted(**wanted))


def base_size(unit: Unit) -> tuple[float, float]:
    """Return the frontage and depth of the unit's bases, in table units (TSE-UNI-04).

    >>> from tabletop.play.files.opened import open_battle
    >>> base_size(open_battle("starter").unit("arnaud"))
    (1.0, 0.75)
    """
    base = unit.bases[0]
    assert isinstance(base, Base)
    return base.frontage, base.depth


def _deployed(battle: Battle, unit: Unit, wanted: Wanted) -> Unit:
    """Return a line about the reference base, its centre shifted (TSE-ACT-10, TSE-ACT-11, TSE-FRM-14, TSE-FRM-16)."""
    ref, place = _reference(unit, wanted)
    if wanted.bend is not None and (len(wanted.bend) != unit.strength or wanted.bend[place] != 0):
        raise BadQuestion(f"bend needs one angle for each of {unit.strength} bases, 0 for the reference base {place}")
    layout = line_of(unit.strength, base_size(unit), wanted.bend, place)
    x, y = unit.bases[ref].centre
    pivot = x + wanted.shift[0], y + wanted.shift[1]
    return _formed(unit, "deployed", layout, layout.about_base(place, pivot, _facing(unit, wanted)), place)


def _square(battle: Battle, unit: Unit, wanted: Wanted) -> Unit:
    """Return a square about the reference base, which turns on its own centre (TSE-ACT-30, TSE-ACT-33, TSE-FRM-30)."""
    ref, place = _reference(unit, wanted)
    layout = layout_of("square", unit.strength, base_size(unit))
    bases = layout.about_base(place, unit.bases[ref].centre, _facing(unit, wanted))
    return _formed(unit, "square", layout, bases, place)


def _maneuver_column(battle: Battle, unit: Unit, wanted: Wanted) -> Unit:
    """Return ranks about the unit's centre-point, in any facing (TSE-ACT-20, TSE-FRM-05, TSE-FRM-23b)."""
    sizes, size = ranks_wanted(unit, wanted.front, wanted.ranks), base_size(unit)
    gap = limber_gap(unit.troop, "maneuver-column", size[1], battle.rulings)
    align = align_of(unit) if wanted.align is None else wanted.align
    layout = column(sizes, *size, gap, align)
    bases = layout.about_centre(unit.at, _facing(unit, wanted))
    return replace(_formed(unit, "maneuver-column", layout, bases, unit.reference), front=sizes[0])


def _march_column(battle: Battle, unit: Unit, wanted: Wanted) -> Unit:
    """Return a file behind the head base, which turns on its own centre (TSE-ACT-70, TSE-FRM-24, TSE-FRM-25)."""
    head, size = chosen_base(unit, "head", 0 if wanted.head is None else wanted.head), base_size(unit)
    gap = limber_gap(unit.troop, "march-column", size[1], battle.rulings)
    layout = layout_of("march-column", unit.strength, size, gap=gap)
    bases = layout.about_base(0, unit.bases[head].centre, _facing(unit, wanted))
    if wanted.track is not None:
        bases = _along_track(bases[0], wanted.track, unit.strength, gap)
    return _formed(unit, "march-column", layout, bases, 0)


def _along_track(head: Base, track: Sequence[Point], n: int, gap: float) -> tuple[Base, ...]:
    """Return a file behind ``head`` along the part of the track behind the middle of its rear edge."""
    rear = head.at_local(0.0, -head.depth)
    way = shapely.LineString(track)
    passed = shapely.line_locate_point(way, shapely.Point(rear))
    behind = [p for p in track if shapely.line_locate_point(way, shapely.Point(p)) > passed]
    return file_along([head.front_mid, rear, *behind], n, head.frontage, head.depth, gap)


def _formed(unit: Unit, formation: str, layout: Layout, bases: tuple[Base, ...], reference: int) -> Unit:
    return replace(
        unit,
        formation=formation,
        bases=bases,
        facing=bases[reference].facing,
        front_bases=layout.front,
        reference=reference,
    )


def _facing(unit: Unit, wanted: Wanted) -> float:
    """Return the facing all bases take: the one asked for, else the present one (TSE-FRM-23b)."""
    return unit.facing if wanted.facing is None else wanted.facing % 360.0


def _reference(unit: Unit, wanted: Wanted) -> tuple[int, int]:
    """Return the base that stays where it is in a line or square, and its place in the new formation (TSE-FRM-06)."""
    ref = chosen_base(unit, "ref", unit.reference if wanted.ref is None else wanted.ref)
    return ref, ref if wanted.place is None else chosen_base(unit, "place", wanted.place)


def chosen_base(unit: Unit, option: str, index: int) -> int:
    """Return the number of a base; raise BadQuestion, naming the option, if the unit has no such base."""
    if not 0 <= index < unit.strength:
        noun = "places" if option == "place" else "bases"
        raise BadQuestion(f"'{unit.id}' has {noun} 0 to {unit.strength - 1}; --{option} {index} is none of them")
    return index


def ranks_wanted(unit: Unit, front: int | None, sizes: Sequence[int] | None = None) -> tuple[int, ...]:
    """Return the ranks asked for, by all their sizes or by the front rank's; else the present ones, else the default.

    Raises BadQuestion for ranks the unit cannot form (TSE-FRM-20..23).

    >>> from tabletop.play.files.opened import open_battle
    >>> ranks_wanted(open_battle("starter").unit("arnaud"), None)
    (2, 2)
    """
    if sizes is not None:
        if fault := ranks_fault(unit.troop, unit.strength, sizes):
            raise BadQuestion(fault)
        if front not in (None, sizes[0]):
            raise BadQuestion(f"--front {front} is not the front rank of --ranks {','.join(map(str, sizes))}; give one")
        return tuple(sizes)
    if front is None and ranks_fault(unit.troop, unit.strength, present := ranks_of(unit)) is None:
        return present
    front = front_wanted(unit, front)
    return ranks(unit.strength, front) or (front,)


def front_wanted(unit: Unit, front: int | None) -> int:
    """Return the width asked for; else the present front if it can be formed, else the default (TSE-FRM-20..23)."""
    legal = legal_fronts(unit.troop, unit.strength)
    if front is None:
        return unit.front if unit.front in legal else default_front(unit.troop, unit.strength)
    if fault := front_fault(unit.troop, unit.strength, front):
        raise BadQuestion(fault)
    return front


def ranks_of(unit: Unit) -> tuple[int, ...]:
    """Return the sizes of a maneuver column's ranks, front rank first; empty for any other formation.

    Source: TSE-FRM-20.

    >>> from tabletop.play.files.opened import open_battle
    >>> ranks_of(open_battle("starter").unit("arnaud"))
    (2, 2)
    """
    if unit.formation != "maneuver-column":
        return ()
    _, depth = base_size(unit)
    f, sizes, last = unit.forward, list[int](), math.inf
    for x, y in (base.centre for base in unit.bases):
        ahead = x * f[0] + y * f[1]
        if last - ahead > depth / 2:
            sizes.append(0)
        sizes[-1] += 1
        last = ahead
    return tuple(sizes)


def align_of(unit: Unit) -> str:
    """Return how the short ranks of a maneuver column are aligned: a word of ``ALIGN`` (TSE-FRM-23a).

    >>> from tabletop.play.files.opened import open_battle
    >>> align_of(open_battle("starter").unit("arnaud"))
    'centred'
    """
    sizes = ranks_of(unit)
    short = next((k for k, size in enumerate(sizes) if size < sizes[0]), None)
    if short is None:
        return "centred"
    first = sum(sizes[:short])
    (x, y), (fx, fy) = unit.bases[first].centre, unit.bases[0].centre
    right = right_of(unit.forward)
    aside = ((x - fx) * right[0] + (y - fy) * right[1]) / base_size(unit)[0]  # from 0, flush left, to 1, flush right
    return min(ALIGN, key=lambda word: abs(aside - (1.0 + ALIGN[word]) / 2))


# --- what forbids it -------------------------------------------------------------------------------------------------


def forming_faults(
    battle: Battle, before: Unit, after: Unit, *, ref: int | None = None, delayed: bool = False
) -> tuple[Reason, ...]:
    """Return what forbids ``before`` to form up as ``after``; empty if it is legal (TSE-FRM-07).

    ``ref`` is the number, in ``before``, of the reference base of ``after`` (by default the same); ``delayed`` halves
    the shift (TSE-ACT-12).
    """
    own = [*shape_faults(battle, after)]
    if after.formation == "deployed":
        own += _shift_faults(battle, before, after, after.reference if ref is None else ref, delayed)
        own += _slide_faults(battle, before, after)
    return (*own, *_forming_zone_faults(battle, before, after), *standing_faults(battle, after))


def _forming_zone_faults(battle: Battle, before: Unit, after: Unit) -> tuple[Reason, ...]:
    """Check zones for each base; for a maneuver column, which keeps its centre, for the unit as a whole.

    Source: TSE-FRM-07, TSE-MOV-18.
    """
    law = zone_faults if after.formation == "maneuver-column" else placing_faults
    return law(battle, before, after)


def shape_faults(battle: Battle, after: Unit) -> tuple[Reason, ...]:
    """Return what forbids the formation itself: the wrong troops, or too sharp a bend (TSE-ACT-30, TSE-FRM-11).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> square = assume(battle, battle.unit("esnault"), "square")
    >>> [reason.rule for reason in shape_faults(battle, square) if not reason.holds]
    ['TSE-ACT-30']
    """
    bends = _bend_faults(battle, after) if after.formation == "deployed" else ()
    return (*_square_faults(after), *bends)


def standing_faults(battle: Battle, after: Unit) -> tuple[Reason, ...]:
    """Return what forbids a unit to stand as ``after``: other units, impassable ground or the table's edge.

    Source: TSE-MOV-15, TSE-MOV-16, TSE-MOV-21.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> unit = battle.unit("arnaud")
    >>> [reason.rule for reason in standing_faults(battle, unit.moved(0.0, -6.5)) if not reason.holds]
    ['TSE-MOV-21']
    """
    return (*_overlap_faults(battle, after), *ground_faults(battle, after), *edge_faults(battle, after))


def _square_faults(after: Unit) -> Iterator[Reason]:
    if after.formation == "square" and troop(after.troop).family != "infantry":
        yield Reason("TSE-ACT-30", False, f"only infantry forms square; {after.called} is {plain(after.troop)}")


def _shift_faults(battle: Battle, before: Unit, after: Unit, ref: int, delayed: bool) -> Iterator[Reason]:
    """Check that the reference base's centre shifts at most 1 in and not over impassable ground (TSE-FRM-13)."""
    start, end = before.bases[ref].centre, after.bases[after.reference].centre
    share = float(tables()["factors"]["delayed"]) if delayed else 1.0
    moved, limit = math.dist(start, end), length("deploy_shift") * share * battle.scale
    if not battle.tape.at_most(moved, limit):
        late = " for delayed orders" if delayed else ""
        text = f"the reference base is shifted {moved:.3f}, more than {limit:g}{late}"
        yield Reason("TSE-FRM-13", False, text, moved, limit)
    ground = ground_of(battle.table)
    barred = shapely.difference(shapely.LineString([start, end]), ground.gaps).intersection(ground.barred.area)
    if battle.tape.over(barred.length, 0.0):
        text = "the reference base is shifted over impassable ground"
        yield Reason("TSE-FRM-13", False, text, barred.length, 0.0, _first_met(battle, barred))


def _bend_faults(battle: Battle, after: Unit) -> Iterator[Reason]:
    """Check that no base is bent beyond the limit and, if so ruled, that a line bends along a feature (TSE-FRM-11)."""
    bends = [abs(turn_between(after.facing, b.facing)) for b in after.bases if isinstance(b, Base)]
    limit = float(battle.rulings["bend_limit"])
    if max(bends) > limit + ANGLE_TOLERANCE:
        text = f"a base faces {max(bends):.1f} degrees from the reference base, more than {limit:g}"
        yield Reason("TSE-FRM-11", False, text, max(bends), limit)
    if battle.rulings["bend_requires_feature"] and max(bends) > ANGLE_TOLERANCE and not _along_feature(battle, after):
        text = "the line bends, but not along a wall, hedge, wood, trench, redoubt or contour"
        yield Reason("TSE-FRM-11", False, text)


def _along_feature(battle: Battle, after: Unit) -> bool:
    reach = length("bend_feature") * battle.scale
    edges = [p.shape.boundary if p.is_area else p.shape for p in battle.table.terrain if p.kind in BEND_FEATURES]
    shapes = [b.polygon for b in after.bases]
    return any(all(battle.tape.at_most(float(edge.distance(shape)), reach) for shape in shapes) for edge in edges)


def _slide_faults(battle: Battle, before: Unit, after: Unit) -> Iterator[Reason]:
    """Check that every base ends within the cap, if there is one, of where some base stood (TSE-FRM-14)."""
    cap = float(battle.rulings["deploy_slide_cap"]) * battle.scale
    slide = max(min(math.dist(b.centre, a.centre) for a in before.bases) for b in after.bases)
    if cap and not battle.tape.at_most(slide, cap):
        text = f"a base slides {slide:.2f} {battle.table.unit} to its place, more than {cap:g}"
        yield Reason("TSE-FRM-14", False, text, slide, cap)


def _overlap_faults(battle: Battle, after: Unit) -> Iterator[Reason]:
    """Check that no base stands in another unit; generals never obstruct (TSE-FRM-07, TSE-MOV-16)."""
    for other in beside(after.bounds, (*battle.friends(after), *battle.enemies(after)), 0.0):
        if not shapely.intersects(after.footprint, other.footprint):
            continue
        depth = deepest(after.bases, other.bases)
        if battle.tape.over(depth, 0.0):
            text = f"it would stand {depth:.2f} {battle.table.unit} deep in {other.called}"
            yield Reason("TSE-MOV-16", False, text, depth, 0.0, other.id)


def ground_faults(battle: Battle, after: Unit) -> Iterator[Reason]:
    """Check that no base stands in impassable ground, other than overhanging at a bridge, gate or ford (TSE-MOV-15).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> [reason.rule for reason in ground_faults(battle, battle.unit("arnaud")) if not reason.holds]
    []
    """
    ground = ground_of(battle.table)
    names = ids_of(ground, barred_to(stance(after), ground, battle.tape.t)) if ground.barred else ()
    if names:
        met = _first_met(battle, after.footprint, names)
        yield Reason("TSE-MOV-15", False, "it would stand in impassable ground", None, None, met)


def stance(unit: Unit) -> Standing:
    """Return the points of a unit that must be clear at a choke-point: front middle or unit centre (TSE-MOV-15).

    In line and in square the centre of every base must be clear as well.

    >>> from tabletop.play.files.opened import open_battle
    >>> stance(open_battle("starter").unit("arnaud")).centres
    ()
    """
    spread = unit.formation in ("deployed", "square")
    centres = tuple(base.centre for base in unit.bases) if spread else ()
    return Standing(unit.bases, (unit.front_mid, unit.at), centres)


def _first_met(battle: Battle, shape: shapely.Geometry, names: Sequence[str] | None = None) -> str | None:
    """Return the first piece of impassable ground (of those named, if any are) that meets a shape."""
    barred = (p for p in battle.table.of_movement("impassable") if names is None or p.id in names)
    return next((p.id for p in barred if p.shape.intersects(shape)), None)


def edge_faults(battle: Battle, after: Unit) -> Iterator[Reason]:
    """Check that no base stands off the table (TSE-MOV-21).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> [reason.holds for reason in edge_faults(battle, battle.unit("arnaud").moved(-9.0, 0.0))]
    [False]
    """
    x0, y0, x1, y1 = after.bounds
    table = battle.table
    out = max(-x0, -y0, x1 - table.width, y1 - table.height)
    if battle.tape.over(out, 0.0):
        yield Reason("TSE-MOV-21", False, f"it would stand {out:.2f} {table.unit} over the table's edge", out, 0.0)
