"""A unit: troops made of bases in a formation; or a general, who is one disc."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.clock import Until
from tabletop.geometry.base import AnyBase, Base, Disc
from tabletop.geometry.layout import middle_of_front
from tabletop.geometry.measure import GRAZE, Point, heading

#: Segments per quarter circle of a grown footprint: its corners fall short by less than a thousandth of the radius.
GROWN_SEGMENTS = 20
#: Troops that are single men: they neither fight nor block anybody.
GENERAL = "general"
PERSONS = (GENERAL, "staff-officer")
#: The status of a unit in good order.
ORDERLY = "ok"


@dataclass(frozen=True)
class Unit:
    """A unit on the table, or a general.

    ``bases`` are in layout order: front rank left to right, then the ranks behind (line: left to right; file: head
    first; square: front, right, rear, left sides). ``front_bases`` are the indices of the bases whose front may shoot
    and whose arc counts; the rule set sets them when it lays the unit out. ``facing`` is the unit's facing, that of the
    reference base. Rule sets keep their own conditions in ``marks``; ``until`` holds the ends of those that go by
    themselves. ``bases_added`` counts the bases it was given in the battle less those it gave up, which are no losses.
    ``rules`` is the rule set the unit was created by: functions shared by a family of rule sets use it to look up their
    numbers. ``traits`` are words of the rule set for what else a unit is, sorted; no action changes them.
    """

    id: str
    side: str
    troop: str
    bases: tuple[AnyBase, ...]
    name: str = ""
    formation: str = ""
    facing: float = 0.0
    quality: str = ""
    front: int | None = None
    front_bases: tuple[int, ...] = ()
    reference: int = 0
    status: str = ORDERLY
    parent: str | None = None
    rank: str = ""
    linear: bool = False
    marks: Mapping[str, Any] = field(default_factory=dict)
    until: Mapping[str, Until] = field(default_factory=dict)
    bases_added: int = 0
    rules: str = field(default="", compare=False)
    traits: tuple[str, ...] = ()

    @property
    def called(self) -> str:
        """The name players use: its name, or its id if it has none."""
        return self.name or self.id

    @property
    def in_order(self) -> bool:
        """Whether it is in good order."""
        return self.status in ("", ORDERLY)

    @property
    def is_general(self) -> bool:
        """Generals, and their staff officers, do not count as units: no formation, zone or status (TSE-UNI-01)."""
        return self.troop in PERSONS

    @property
    def strength(self) -> int:
        """Number of bases, the only measure of a brigade's worth (TSE-UNI-02)."""
        return len(self.bases)

    @cached_property
    def at(self) -> Point:
        """Centre-point: the mean of the base centres (TSE-FRM-05)."""
        n = len(self.bases)
        return sum(b.x for b in self.bases) / n, sum(b.y for b in self.bases) / n

    @cached_property
    def footprint(self) -> BaseGeometry:
        """The ground under the unit: the union of its bases."""
        if len(self.bases) == 1:
            return self.bases[0].polygon
        return shapely.union_all([b.polygon for b in self.bases])

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """The bounding box of its ground: west, south, east, north."""
        boxes = [_box(base) for base in self.bases]
        x0, y0, x1, y1 = zip(*boxes, strict=True)
        return min(x0), min(y0), max(x1), max(y1)

    @cached_property
    def fronts(self) -> tuple[Base, ...]:
        """The front-eligible bases (none for a general)."""
        return tuple(b for i in self.front_bases if isinstance(b := self.bases[i], Base))

    @cached_property
    def front_mid(self) -> Point:
        """Middle of the front: of the middle front base's edge or the middle joint; a general's centre (TSE-ASL-50)."""
        return middle_of_front(self.fronts, self.facing) if self.fronts else self.at

    @property
    def forward(self) -> Point:
        return heading(self.facing)

    def way_to(self, point: Point) -> float:
        """Return the distance in table units from ``point`` to the ground under the unit: 0 inside it."""
        return float(shapely.distance(self.footprint, shapely.Point(point)))

    def moved(self, dx: float, dy: float) -> Unit:
        """Return this unit shifted by (dx, dy)."""
        return replace(self, bases=tuple(b.moved(dx, dy) for b in self.bases))

    def turned(self, degrees: float, about: Point | None = None) -> Unit:
        """Return this unit turned clockwise by ``degrees`` about a point (by default its centre-point)."""
        pivot = self.at if about is None else about
        return replace(
            self, bases=tuple(b.turned(degrees, pivot) for b in self.bases), facing=(self.facing + degrees) % 360.0
        )


def pose_of(unit: Unit) -> dict[str, Any]:
    """Return how a unit stands as plain data: formation, facing, front, and the pose of every base."""
    return {
        "formation": unit.formation,
        "facing": unit.facing,
        "front": unit.front,
        "reference": unit.reference,
        "front_bases": unit.front_bases,
        "bases": tuple((b.x, b.y, b.facing) if isinstance(b, Base) else (b.x, b.y) for b in unit.bases),
    }


def standing(unit: Unit, pose: Mapping[str, Any]) -> Unit:
    """Return ``unit`` in a pose from ``pose_of``; bases keep their sizes, unless the troops change.

    A pose may also give a new ``troop`` and the frontage and depth of its bases (``base``), as when troopers dismount.
    """
    bases: list[AnyBase] = []
    size = dict(zip(("frontage", "depth"), pose["base"], strict=True)) if "base" in pose else {}
    for base, place in zip(unit.bases, pose["bases"], strict=True):
        moved = replace(base, x=place[0], y=place[1], **size)
        bases.append(replace(moved, facing=place[2]) if isinstance(moved, Base) else moved)
    changes = {key: pose[key] for key in ("formation", "facing", "front", "reference", "troop") if key in pose}
    return replace(unit, bases=tuple(bases), front_bases=tuple(pose["front_bases"]), **changes)


def converted(
    unit: Unit, pose: Mapping[str, Any], troop: str | None = None, size: tuple[float, float] | None = None
) -> Unit:
    """Return ``unit`` as other troops, or on other bases, in a pose from ``pose_of``; None where either stays.

    The pose may have more bases than the unit or fewer: further ones are like the last. ``size`` is the frontage and
    depth of every base in table units; a disc has none.
    """
    more = len(pose["bases"]) - unit.strength
    bases = unit.bases[:more] if more < 0 else (*unit.bases, *(unit.bases[-1:] * more))
    became = {key: value for key, value in (("troop", troop), ("base", size)) if value is not None}
    return standing(replace(unit, bases=bases, bases_added=unit.bases_added + more), {**pose, **became})


def grown(unit: Unit, request_grown: tuple[str, float] | None) -> BaseGeometry:
    """Return a unit's footprint, grown by r on all sides (shrunk for r < 0) if ``request_grown`` names the unit and
    r."""
    if request_grown is None or request_grown[0] != unit.id:
        return unit.footprint
    return unit.footprint.buffer(request_grown[1], quad_segs=GROWN_SEGMENTS)


def _box(base: AnyBase) -> tuple[float, float, float, float]:
    if isinstance(base, Disc):
        return base.x - base.radius, base.y - base.radius, base.x + base.radius, base.y + base.radius
    return base.box


def beside(bounds: Sequence[float], units: Iterable[Unit], within: float) -> list[Unit]:
    """Return the units whose bounding box comes within a distance of a box: all that can be that close, and few
    others."""
    x0, y0, x1, y1 = bounds
    reach = within + GRAZE
    return [
        unit
        for unit in units
        if (box := unit.bounds)[0] <= x1 + reach
        and box[1] <= y1 + reach
        and box[2] >= x0 - reach
        and box[3] >= y0 - reach
    ]


def distance_between(a: Unit, b: Unit) -> float:
    """Return the distance between the nearest edges of two units (TSE section 0)."""
    gap = float(shapely.distance(outline(a), outline(b)))
    return max(0.0, gap - radius(a) - radius(b))


def distances_between(unit: Unit, others: Sequence[Unit]) -> list[float]:
    """Return the distances between the nearest edges of a unit and each of some others (TSE section 0)."""
    gaps = shapely.distance(outline(unit), np.array([outline(other) for other in others], object))
    around = radius(unit)
    return [max(0.0, gap - around - radius(other)) for gap, other in zip(gaps.tolist(), others, strict=True)]


def distance_to(base: AnyBase, unit: Unit) -> float:
    """Return the distance between the nearest edges of one base and a unit."""
    shape, around = base.outline
    return max(0.0, float(shapely.distance(shape, outline(unit))) - around - radius(unit))


def outline(unit: Unit) -> BaseGeometry:
    """Return the shape that, grown by ``radius(unit)``, is the footprint."""
    first = unit.bases[0]
    return first.outline[0] if isinstance(first, Disc) else unit.footprint


def radius(unit: Unit) -> float:
    """Return the radius that goes with ``outline(unit)``: 0 for rectangles."""
    return unit.bases[0].outline[1]
