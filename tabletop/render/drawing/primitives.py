"""A drawing: plain data in table units (x east, y north), in layers, with a view box.

The same drawing is written to the vector file and the picture file and painted on the screen, so that they always
agree. Lengths are table units unless a primitive says ``pixels``: then they are pixels at any scale.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, Protocol

import numpy as np

from tabletop.geometry.measure import Point

Box = tuple[float, float, float, float]  # west, south, east, north
Ring = tuple[Point, ...]


@dataclass(frozen=True)
class Pen:
    """The style of a line: colour, width, dash lengths in multiples of the width, opacity.

    ``pixels`` says whether the width is in pixels or in table units.
    """

    colour: str
    width: float = 1.0
    pixels: bool = True
    dash: tuple[float, ...] = ()
    opacity: float = 1.0
    round: bool = True


@dataclass(frozen=True)
class Area:
    """A polygon: its outer ring, then its holes. ``fill`` None leaves it unfilled; ``opacity`` is that of the fill."""

    rings: tuple[Ring, ...]
    fill: str | None = None
    pen: Pen | None = None
    opacity: float = 1.0


@dataclass(frozen=True)
class Lines:
    """Polylines drawn with one pen."""

    lines: tuple[Ring, ...]
    pen: Pen


@dataclass(frozen=True)
class Circle:
    """A circle; ``pixels`` says the radius is in pixels."""

    at: Point
    radius: float
    fill: str | None = None
    pen: Pen | None = None
    pixels: bool = False
    opacity: float = 1.0


@dataclass(frozen=True)
class Stamps:
    """One symbol (a name of ``glyphs.GLYPHS``) at many points, ``size`` wide, each turned clockwise by ``turns``."""

    glyph: str
    at: tuple[Point, ...]
    size: float
    pixels: bool = False
    turns: tuple[float, ...] = ()


Face = Literal["plain", "bold", "place"]
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class Text:
    """A line of text at ``at``: vertically centred there, with its start, middle or end there along the line.

    ``size`` is the letter height (em) in pixels, or in table units when ``pixels`` is False. ``turn`` is clockwise.
    """

    at: Point
    text: str
    size: float
    fill: str
    face: Face = "plain"
    anchor: Anchor = "middle"
    turn: float = 0.0
    halo: str | None = None
    pixels: bool = True
    shift: tuple[float, float] = (0.0, 0.0)  # pixels right and down from ``at``


@dataclass(frozen=True, eq=False)
class Painting:
    """A painting over a part of the table: ``rgb`` (rows from north to south, columns, 3), bytes."""

    box: Box
    rgb: np.ndarray

    @cached_property
    def jpeg(self) -> bytes:
        """The painting as a JPEG file, for pages that embed it."""
        from PIL import Image

        out = io.BytesIO()
        Image.fromarray(self.rgb).save(out, "JPEG", quality=85, subsampling=0)
        return out.getvalue()


Item = Area | Lines | Circle | Stamps | Text | Painting


@dataclass(frozen=True)
class Layer:
    """Items painted in order, cut at ``clip`` where there is one."""

    name: str
    items: tuple[Item, ...] = ()
    clip: Box | None = None


@dataclass(frozen=True)
class Drawing:
    """Layers from the bottom up, the box of the table they show, and the scale in pixels a unit they were made for."""

    layers: tuple[Layer, ...]
    view: Box
    scale: float
    title: str = ""
    description: str = ""
    background: str | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels at the drawing's own scale."""
        west, south, east, north = self.view
        return max(1, round((east - west) * self.scale)), max(1, round((north - south) * self.scale))

    def layer(self, name: str) -> Layer:
        """Return the layer of this name; KeyError if there is none."""
        return {layer.name: layer for layer in self.layers}[name]

    def over(self, *below: Drawing) -> Drawing:
        """Return this drawing with the layers of others under it, keeping its own view and scale."""
        under = tuple(layer for drawing in below for layer in drawing.layers)
        return replace(self, layers=under + self.layers)

    @property
    def items(self) -> tuple[Item, ...]:
        """Every item of every layer, bottom first."""
        return tuple(item for layer in self.layers for item in layer.items)


class Camera(Protocol):
    """Where a drawing lies on a surface: pixels a unit, and the table point at the surface's top left corner."""

    @property
    def scale(self) -> float: ...
    @property
    def left(self) -> float: ...
    @property
    def top(self) -> float: ...


@dataclass(frozen=True)
class Frame:
    """The simplest camera."""

    scale: float
    left: float
    top: float

    @classmethod
    def of(cls, drawing: Drawing, density: float = 1.0) -> Frame:
        """Return the frame that shows a drawing's whole view, ``density`` surface pixels to each of its own."""
        return cls(drawing.scale * density, drawing.view[0], drawing.view[3])


@dataclass
class Sheet:
    """A layer in the making."""

    name: str
    clip: Box | None = None
    items: list[Item] = field(default_factory=list)

    def add(self, *items: Item) -> None:
        """Add items on top."""
        self.items.extend(items)

    def extend(self, items: Iterable[Item]) -> None:
        """Add items on top, in order."""
        self.items.extend(items)

    @property
    def layer(self) -> Layer:
        """The finished layer."""
        return Layer(self.name, tuple(self.items), self.clip)
