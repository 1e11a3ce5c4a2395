"""Terrain pieces and the table they lie on: what the ground does to movement, cover and sight.

Tall pieces of the same level and see-through, and hill contours of one level, are united before any line is tested, so
that splitting or overlapping pieces never changes a verdict (TSE section 0, "unions first").
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import shapely
import shapely.affinity
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.measure import Point, Tape

MOVEMENT_CLASSES = ("open", "rough", "impassable", "road", "linear", "choke", "town")
COVER_CLASSES = ("none", "soft", "hard", "fortification")
SIGHT_CLASSES = ("none", "low", "tall")
#: What may grow on a field; it has no effect on any measurement.
CROPS = ("pasture", "rye", "wheat", "stubble", "ploughed", "fallow")
#: Kinds that give passage through impassable ground without being choke-points themselves (TSE-MOV-15, TSE-MOV-22).
FORDS = ("ford",)


@cache
def presets() -> dict[str, dict[str, Any]]:
    """Return the preset properties of each kind of terrain (``terrain.toml``); a file may override them."""
    text = Path(__file__).with_name("terrain.toml").read_text("utf-8")
    return tomllib.loads(text)


@dataclass(frozen=True)
class Terrain:
    """One piece of terrain, with its declared effects on movement, cover and sight (TSE-TER-01, TSE-TER-02).

    ``shape`` is its ground: a polygon (an area, or a line with its width) or, for a line without width, the line
    itself. ``line`` is the centre line of a piece drawn as one. ``level`` is the level of a hill's contour, or for
    anything else the level of the ground it stands on; None means the level of the hill under its centroid. On a table,
    ``rests`` marks a level found that way, and ``whole`` is the original shape of a piece cut at the table's edge.
    ``traits`` are words of a rule set for what else a piece is, sorted. ``rules`` is the rule set that defines its
    kind; "" for a preset kind.

    >>> from tabletop.geometry import Terrain
    >>> hedge = Terrain.of_kind("hedge", "hedge", line=[(0, 0), (6, 0)])
    >>> hedge.movement, hedge.cover_fire, hedge.is_area
    ('linear', 'soft', False)
    """

    id: str
    kind: str
    shape: BaseGeometry
    line: shapely.LineString | None = None
    movement: str = "open"
    cover_fire: str = "none"
    cover_assault: str = "none"
    sight: str = "none"
    see_through: float = 0.0
    level: int | None = None
    width: float = 0.0
    name: str = ""
    rests: bool = field(default=False, compare=False)
    whole: BaseGeometry | None = field(default=None, compare=False)
    traits: tuple[str, ...] = ()
    rules: str = field(default="", compare=False)

    @classmethod
    def of_kind(
        cls,
        id: str,  # noqa: A002 - the files' own word
        kind: str,
        *,
        outline: Sequence[Point] | None = None,
        line: Sequence[Point] | None = None,
        scale: float = 1.0,
        preset: Mapping[str, Any] | None = None,
        **keys: Any,
    ) -> Terrain:
        """Return a piece of a preset ``kind`` from its outline or its line; ``keys`` override the preset.

        ``keys`` may also give its ``name``. ``preset`` has the properties of a kind that a rule set defines. Preset
        lengths (widths, see-through) are multiplied by ``scale``; lengths given in ``keys`` are not. Raises KeyError
        for an unknown kind and ValueError when neither or both shapes are given.
        """
        if (outline is None) == (line is None):
            raise ValueError("a piece of terrain has an outline or a line")
        given = presets()[kind] if preset is None else preset
        values: dict[str, Any] = {k: v for k, v in given.items() if k != "shape"}
        for length in ("width", "see_through"):
            if length in values:
                values[length] *= scale
        values.update(keys)
        centre_line = None if line is None else shapely.LineString(line)
        if outline is not None:
            shape: BaseGeometry = shapely.Polygon(outline)
        else:
            assert centre_line is not None
            shape = _widened(centre_line, values, scale)
        return cls(id=id, kind=kind, shape=shape, line=centre_line, **values)

    def moved(self, dx: float, dy: float, degrees: float = 0.0) -> Terrain:
        """Return this piece turned clockwise about the centroid of its ground, then shifted by (dx, dy)."""
        centre = self.uncut.centroid

        def laid(shape: BaseGeometry) -> BaseGeometry:
            turned = shapely.affinity.rotate(shape, -degrees, origin=centre) if degrees else shape
            return shapely.affinity.translate(turned, dx, dy) if dx or dy else turned

        line = None if self.line is None else shapely.LineString(shapely.get_coordinates(laid(self.line)))
        return replace(self, shape=laid(self.uncut), line=line, whole=None)

    def along(self, line: shapely.LineString) -> Terrain:
        """Return this piece with another centre line; only for pieces drawn as a line."""
        shape = line.buffer(self._half, cap_style="flat", join_style="mitre") if self._half else line
        return replace(self, shape=shape, line=line, whole=None)

    @property
    def _half(self) -> float:
        """Half the width of the strip about its line, 0 for a bare line."""
        if self.line is None or not self.is_area:
            return 0.0
        return float(self.uncut.area) / float(self.line.length) / 2 if self.width == 0.0 else self.width / 2

    @property
    def uncut(self) -> BaseGeometry:
        """Its ground, including what hangs over the table's edge."""
        return self.shape if self.whole is None else self.whole

    @property
    def is_hill(self) -> bool:
        return self.kind == "hill"

    @property
    def is_area(self) -> bool:
        """Whether the piece has an inside (areas, and lines with a width)."""
        return bool(shapely.get_dimensions(self.shape) == 2)


def _widened(line: shapely.LineString, values: dict[str, Any], scale: float) -> BaseGeometry:
    """Return the ground of a line: a strip of its width. A tall line without width gets a little, so that it can block
    sight."""
    width = float(values.get("width", 0.0))
    if width == 0.0 and values.get("sight") == "tall":
        width = 0.02 * scale
    return line.buffer(width / 2, cap_style="flat", join_style="mitre") if width > 0 else line


@dataclass(frozen=True)
class Field:
    """A field and its crop: painted, but without effect."""

    crop: str
    outline: shapely.Polygon


@dataclass(frozen=True)
class Obstruction:
    """The union of all tall pieces of one level and see-through; ``ids`` are the pieces."""

    level: int
    see_through: float
    area: BaseGeometry
    ids: tuple[str, ...]


@dataclass(frozen=True)
class Hill:
    """One connected contour of one level, from the union of all pieces of that level; ``ids`` are the pieces."""

    level: int
    area: shapely.Polygon
    ids: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """The table: unit of length, size, figure scale, and terrain (sorted by id, levels resolved, cut at the edge).

    >>> from tabletop.geometry import Table, Terrain
    >>> hill = Terrain.of_kind("ridge", "hill", outline=[(5, 5), (15, 5), (15, 25), (5, 25)], level=1)
    >>> table = Table.of("in", 20, 20, [hill])
    >>> table.level_at((10.0, 10.0)), table.level_at((2.0, 2.0)), table.piece("ridge").shape.area
    (1, 0, 150.0)
    """

    unit: str
    width: float
    height: float
    terrain: tuple[Terrain, ...] = ()
    scale: float = 1.0
    fields: tuple[Field, ...] = ()
    #: The bearing of true north on pictures; places, facings and words take the top of the table as north.
    north: float = 0.0

    @classmethod
    def of(cls, unit: str, width: float, height: float, terrain: Iterable[Terrain] = (), scale: float = 1.0) -> Table:
        """Return a table with ``terrain`` cut at its edge and sorted by id, with every level resolved.

        Pieces taken from another table are cut again from their whole shape, and their resolved levels are resolved
        again.
        """
        edge = shapely.box(0.0, 0.0, width, height)
        cut = [_cut(piece, edge) for piece in sorted(terrain, key=lambda piece: piece.id)]
        hills = [p for p in cut if p.is_hill]
        return cls(unit, width, height, tuple(_levelled(p, hills) for p in cut), scale)

    @cached_property
    def tape(self) -> Tape:
        """The declared tolerance on this table."""
        return Tape.of(self.unit, self.scale)

    @cached_property
    def edge(self) -> shapely.Polygon:
        return shapely.box(0.0, 0.0, self.width, self.height)

    def piece(self, id: str) -> Terrain:  # noqa: A002
        """Return the piece with this id; KeyError if there is none."""
        return self._by_id[id]

    @cached_property
    def _by_id(self) -> dict[str, Terrain]:
        return {piece.id: piece for piece in self.terrain}

    @cached_property
    def obstructions(self) -> tuple[Obstruction, ...]:
        """Tall obstructions, united by (level, see-through); low ones never hide anything (TSE-LOS-04)."""
        groups: dict[tuple[int, float], list[Terrain]] = {}
        for piece in self.terrain:
            if piece.sight == "tall" and not piece.shape.is_empty:
                groups.setdefault((piece.level or 0, piece.see_through), []).append(piece)
        return tuple(
            Obstruction(level, q, _united(tuple(p.shape for p in group)), tuple(p.id for p in group))
            for (level, q), group in sorted(groups.items())
        )

    @cached_property
    def hills(self) -> tuple[Hill, ...]:
        """Hill contours, united level by level, one entry per connected contour (TSE-LOS-18)."""
        contours: list[Hill] = []
        levels = sorted({p.level or 0 for p in self.terrain if p.is_hill})
        for level in levels:
            pieces = [p for p in self.terrain if p.is_hill and p.level == level and not p.shape.is_empty]
            contours += _contours(level, tuple((p.id, p.shape) for p in pieces))
        return tuple(contours)

    def level_at(self, point: Point) -> int:
        """Return the highest contour that holds ``point`` (closed), 0 off hills; each point has its own level
        (TSE-LOS-19)."""
        return int(self.levels_at(np.asarray([point], float))[0])

    def levels_at(self, points: np.ndarray) -> np.ndarray:
        """Return the level at each of (n, 2) ``points`` as an int array (n,)."""
        levels = np.zeros(len(points), int)
        for hill in self.hills:
            inside = shapely.intersects_xy(hill.area, points[:, 0], points[:, 1])
            levels[inside] = np.maximum(levels[inside], hill.level)
        return levels

    def with_pieces(self, pieces: Iterable[Terrain]) -> Table:
        """Return this table with ``pieces`` replacing those of the same ids, every level resolved again.

        The other pieces stay the same objects, unless the hill under one has changed, so that cached answers about them
        stay valid.
        """
        instead = {piece.id: _cut(piece, self.edge) for piece in pieces}
        cut = [instead.get(piece.id, piece) for piece in self.terrain]
        hills = [p for p in cut if p.is_hill]
        moved = any(old.is_hill or new.is_hill for old, new in zip(self.terrain, cut, strict=True) if old is not new)
        return replace(self, terrain=tuple(_levelled(p, hills) if moved or p.id in instead else p for p in cut))

    def of_movement(self, *classes: str) -> tuple[Terrain, ...]:
        """Return the pieces of any of these movement classes (TSE-TER-02).

        A hill is open unless it is declared rough (TSE-TER-06).
        """
        return tuple(p for p in self.terrain if p.movement in classes and not p.shape.is_empty)


@lru_cache(maxsize=256)
def _contours(level: int, pieces: tuple[tuple[str, BaseGeometry], ...]) -> tuple[Hill, ...]:
    """Return the contours of one level from its pieces; cached, as tables that differ in other pieces share them."""
    parts = shapely.get_parts(_united(tuple(shape for _, shape in pieces)))
    return tuple(Hill(level, part, tuple(i for i, shape in pieces if shape.intersects(part))) for part in parts)


@lru_cache(maxsize=256)
def _united(shapes: tuple[BaseGeometry, ...]) -> BaseGeometry:
    """Return the union of ``shapes``; cached, because tables that differ in other pieces share it."""
    return _polygonal(shapely.union_all(shapes))


def _polygonal(shape: BaseGeometry) -> BaseGeometry:
    """Return the polygons of ``shape`` as one (multi)polygon, dropping stray lines and points."""
    parts = [part for part in shapely.get_parts(shape) if shapely.get_dimensions(part) == 2]
    return shapely.union_all(parts) if len(parts) != 1 else parts[0]


def _cut(piece: Terrain, edge: shapely.Polygon) -> Terrain:
    """Return a piece cut at the table's edge, remembering its whole shape."""
    whole = piece.uncut
    if edge.covers(whole):
        return piece if piece.whole is None else replace(piece, shape=whole, whole=None)
    return replace(piece, shape=whole.intersection(edge), whole=whole)


def _levelled(piece: Terrain, hills: Sequence[Terrain]) -> Terrain:
    """Return a piece with its level: the declared one, or that of the hill under its centroid."""
    if piece.level is not None and not piece.rests:
        return piece
    level = _level_under(piece.shape, hills)
    return piece if level == piece.level else replace(piece, level=level, rests=True)


def _level_under(shape: BaseGeometry, hills: Sequence[Terrain]) -> int:
    if shape.is_empty:
        return 0
    centroid = shape.centroid
    return max((hill.level or 0 for hill in hills if hill.shape.intersects(centroid)), default=0)
