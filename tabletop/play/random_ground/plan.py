"""The request for a random landscape, its parts while it is made, and its objectives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.errors import BadQuestion
from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Table, Terrain

#: Tables by name: width and height in inches at figure scale 1.
SIZES: Mapping[str, tuple[float, float]] = {"small": (36.0, 28.0), "medium": (48.0, 36.0), "large": (60.0, 44.0)}
#: The least and the greatest width and height (inches) for which landscapes are made.
LEAST, MOST = 24.0, 84.0
#: The depth of each side's own ground along its edge, from the front of which travel is measured (share of the height).
DEEP = 0.22
#: The greatest share by which the sides may differ in any measure.
APART = 0.10


@dataclass(frozen=True)
class Wanted:
    """The request for a landscape: the seed, and the size of the table in inches."""

    seed: int
    width: float = 48.0
    height: float = 36.0

    def __post_init__(self) -> None:
        for name, value in (("width", self.width), ("height", self.height)):
            if not LEAST <= value <= MOST:
                raise BadQuestion(f"the {name} of random ground is {value:g} in; give one from {LEAST:g} to {MOST:g}")


@dataclass(frozen=True)
class Piece:
    """One piece: id, kind, name, its polygon or line (``shape``) or its box (``at``, ``size``), in inches."""

    id: str
    kind: str
    shape: Any = None
    name: str = ""
    at: Point | None = None
    size: tuple[float, float] = (0.0, 0.0)
    facing: float = 0.0
    level: int | None = None

    def row(self, per_inch: float = 1.0) -> dict[str, Any]:
        """Return its row of a map in a unit of length of which ``per_inch`` make an inch."""
        row: dict[str, Any] = {"id": self.id, "kind": self.kind}
        if self.name:
            row["name"] = self.name
        if self.level is not None:
            row["level"] = self.level
        if self.at is not None:
            row["at"] = [length(value, per_inch) for value in self.at]
            row["size"] = [length(value, per_inch) for value in self.size]
            return {**row, "facing": round(self.facing % 360.0)}
        corners = shapely.get_coordinates(self.shape)
        points = [[length(x, per_inch), length(y, per_inch)] for x, y in corners.tolist()]
        if isinstance(self.shape, shapely.Polygon):
            return {**row, "outline": points[:-1]}
        return {**row, "line": points}


def length(inches: float, per_inch: float) -> float:
    """Return a length in a unit as a map states it, rounded to a hundredth or to whole millimetres.

    >>> length(12.546, 1.0), length(12.546, 25.4)
    (12.55, 319.0)
    """
    value = inches * per_inch
    return round(value) * 1.0 if per_inch > 10.0 else round(value, 2)


@dataclass(frozen=True)
class Objective:
    """An objective: its id, name, place and radius in inches, and points."""

    id: str
    name: str
    at: Point
    radius: float
    points: int


@dataclass
class Sketch:
    """A landscape in the making: the table, the pieces so far, and the ground that is already taken."""

    width: float
    height: float
    pieces: list[Piece] = field(default_factory=list)
    objectives: list[Objective] = field(default_factory=list)

    def shapes(self, *kinds: str) -> list[Any]:
        """Return the shapes of all pieces of some kinds, without those that are boxes."""
        return [piece.shape for piece in self.pieces if piece.kind in kinds and piece.shape is not None]

    def ground(self, *kinds: str) -> BaseGeometry:
        """Return the ground of all pieces of some kinds, united."""
        return shapely.union_all(self.shapes(*kinds))

    @property
    def edge(self) -> shapely.Polygon:
        return shapely.box(0.0, 0.0, self.width, self.height)

    def fresh(self, stem: str) -> str:
        """Return an unused id: the stem, or the stem with the next free number."""
        used_ids = {piece.id for piece in self.pieces}
        names = (stem, *(f"{stem}-{k}" for k in range(2, len(used_ids) + 3)))
        return next(name for name in names if name not in used_ids)

    def table(self) -> Table:
        """Return the table with the pieces on it, laid as when its map is read."""
        return Table.of("in", self.width, self.height, [_terrain(piece) for piece in self.pieces])


def _terrain(piece: Piece) -> Terrain:
    from tabletop.geometry.base import Base

    extra: dict[str, Any] = {} if piece.level is None else {"level": piece.level}
    if piece.at is not None:
        box = Base.entered(*piece.at, piece.facing, *piece.size)
        return Terrain.of_kind(piece.id, piece.kind, outline=list(box.corners), name=piece.name, **extra)
    points = [(float(x), float(y)) for x, y in shapely.get_coordinates(piece.shape)]
    if isinstance(piece.shape, shapely.Polygon):
        return Terrain.of_kind(piece.id, piece.kind, outline=points[:-1], name=piece.name, **extra)
    return Terrain.of_kind(piece.id, piece.kind, line=points, name=piece.name, **extra)
