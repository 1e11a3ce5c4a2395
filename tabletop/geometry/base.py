"""Bases: an oriented rectangle placed by one pose, and the disc of a general's base."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.measure import Point, heading, right_of, snap, snap_facing

#: Segments per quarter circle when a disc is drawn or clipped as a polygon. Distances to discs are exact.
DISC_SEGMENTS = 32


@dataclass(frozen=True)
class Base:
    """An oriented rectangle: centre (x, y), facing in degrees clockwise from north, frontage by depth.

    >>> from tabletop.geometry import Base
    >>> base = Base(10.0, 10.0, 90.0, 2.0, 1.0)
    >>> base.front_mid, base.corners.tolist()[0]
    ((10.5, 10.0), [10.5, 11.0])
    """

    x: float
    y: float
    facing: float
    frontage: float
    depth: float

    @classmethod
    def entered(cls, x: float, y: float, facing: float, frontage: float, depth: float) -> Base:
        """Return a base whose pose was entered by a user or a file, snapped to the grid."""
        return cls(snap(x), snap(y), snap_facing(facing), frontage, depth)

    @property
    def centre(self) -> Point:
        return self.x, self.y

    @cached_property
    def forward(self) -> Point:
        """Unit vector of the facing."""
        return heading(self.facing)

    @cached_property
    def right(self) -> Point:
        """Unit vector along the front edge, left to right."""
        return right_of(self.forward)

    def at_local(self, lateral: float, ahead: float) -> Point:
        """Return the table point ``lateral`` to the right and ``ahead`` of the middle of the front edge."""
        f, r = self.forward, self.right
        reach = self.depth / 2 + ahead
        return self.x + reach * f[0] + lateral * r[0], self.y + reach * f[1] + lateral * r[1]

    def local(self, point: Point) -> Point:
        """Return ``point`` as (lateral, ahead) from the middle of the front edge."""
        f, r = self.forward, self.right
        dx, dy = point[0] - self.x, point[1] - self.y
        return dx * r[0] + dy * r[1], dx * f[0] + dy * f[1] - self.depth / 2

    @cached_property
    def corners(self) -> np.ndarray:
        """Corners as a (4, 2) array: front left, front right, rear right, rear left."""
        w = self.frontage / 2
        return np.array(
            [
                self.at_local(-w, 0.0),
                self.at_local(w, 0.0),
                self.at_local(w, -self.depth),
                self.at_local(-w, -self.depth),
            ]
        )

    @cached_property
    def front_edge(self) -> np.ndarray:
        """Front edge as a (2, 2) array, left end first."""
        return self.corners[:2]

    @cached_property
    def front_mid(self) -> Point:
        return self.at_local(0.0, 0.0)

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """The bounding box of its corners: west, south, east, north."""
        x, y = zip(*self.corners.tolist(), strict=True)
        return min(x), min(y), max(x), max(y)

    @cached_property
    def polygon(self) -> shapely.Polygon:
        return shapely.Polygon(self.corners)

    @property
    def outline(self) -> tuple[BaseGeometry, float]:
        """A shape and a radius: the footprint is the shape grown by the radius (rectangle, 0)."""
        return self.polygon, 0.0

    def moved(self, dx: float, dy: float) -> Base:
        """Return this base shifted by (dx, dy)."""
        return Base(self.x + dx, self.y + dy, self.facing, self.frontage, self.depth)

    def turned(self, degrees: float, about: Point) -> Base:
        """Return this base turned clockwise by ``degrees`` about the point ``about``."""
        s, c = heading(degrees)
        dx, dy = self.x - about[0], self.y - about[1]
        x, y = about[0] + c * dx + s * dy, about[1] - s * dx + c * dy
        return Base(x, y, (self.facing + degrees) % 360.0, self.frontage, self.depth)


@dataclass(frozen=True)
class Disc:
    """A round base (a general): centre and radius.

    >>> from tabletop.geometry import Disc
    >>> Disc(3.0, 4.0, 0.5).turned(90.0, (0.0, 0.0)).centre
    (4.0, -3.0)
    """

    x: float
    y: float
    radius: float

    @property
    def centre(self) -> Point:
        return self.x, self.y

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The box of its centre alone, without the radius: west, south, east, north."""
        return self.x, self.y, self.x, self.y

    @cached_property
    def polygon(self) -> shapely.Polygon:
        return shapely.Point(self.x, self.y).buffer(self.radius, quad_segs=DISC_SEGMENTS)

    @property
    def outline(self) -> tuple[BaseGeometry, float]:
        """A shape and a radius: the footprint is the shape grown by the radius (centre point, radius)."""
        return shapely.Point(self.x, self.y), self.radius

    def moved(self, dx: float, dy: float) -> Disc:
        """Return this disc shifted by (dx, dy)."""
        return replace(self, x=self.x + dx, y=self.y + dy)

    def turned(self, degrees: float, about: Point) -> Disc:
        """Return this disc carried round ``about`` by ``degrees`` clockwise."""
        s, c = heading(degrees)
        dx, dy = self.x - about[0], self.y - about[1]
        return replace(self, x=about[0] + c * dx + s * dy, y=about[1] - s * dx + c * dy)


AnyBase = Base | Disc


def distance(a: AnyBase, b: AnyBase) -> float:
    """Return the distance between the nearest edges (table units), 0 if they touch or overlap; exact for discs too.

    >>> from tabletop.geometry import Base, Disc, distance
    >>> distance(Base(2.0, 2.0, 0.0, 1.0, 1.0), Disc(6.0, 2.0, 0.5))
    3.0
    """
    (shape_a, ra), (shape_b, rb) = a.outline, b.outline
    return max(0.0, float(shapely.distance(shape_a, shape_b)) - ra - rb)
