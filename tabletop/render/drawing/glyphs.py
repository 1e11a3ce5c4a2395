"""Symbols used many times: each is drawn in a box one unit wide around its middle, y up."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

from tabletop.geometry.measure import Point
from tabletop.render.drawing.primitives import Area, Circle, Item, Lines, Painting, Pen, Ring, Stamps, Text
from tabletop.render.drawing.theme import GREY, current_palette, grey_of


def _pen(colour: str, width: float, opacity: float = 1.0) -> Pen:
    return Pen(colour, width, pixels=False, opacity=opacity)


def _line(colour: str, width: float, *lines: Ring) -> Lines:
    return Lines(lines, _pen(colour, width))


def star(radius: float, inner: float, points: int = 5) -> Ring:
    """Return a star around the origin, one point up."""
    ring: list[Point] = []
    for i in range(2 * points):
        r, a = (radius if i % 2 == 0 else inner), math.pi * i / points
        ring.append((r * math.sin(a), r * math.cos(a)))
    return tuple(ring)


def _crown(base: str, light: str, dark: str) -> tuple[Item, ...]:
    """Return a tree from above, lit from the north-west."""
    return (
        Circle((0.07, -0.08), 0.42, fill="#4b5d38", opacity=0.35),
        Circle((0.0, 0.0), 0.40, fill=base, pen=_pen(dark, 0.07)),
        Circle((-0.10, 0.12), 0.17, fill=light),
    )


def _tuft(colour: str) -> tuple[Item, ...]:
    blades = tuple(
        ((0.0, -0.22), (dx, dy)) for dx, dy in ((-0.3, 0.1), (-0.14, 0.26), (0.02, 0.34), (0.17, 0.25), (0.32, 0.08))
    )
    return (_line(colour, 0.075, *blades), _line("#5f93b3", 0.07, ((-0.45, -0.26), (0.45, -0.26))))


def _badge(fill: str, edge: str, *marks: Item) -> tuple[Item, ...]:
    return (Circle((0, 0), 0.46, fill="#fffdf6"), Circle((0, 0), 0.42, fill=fill, pen=_pen(edge, 0.09)), *marks)


def _puff(thick: float) -> tuple[Item, ...]:
    """Return a puff of smoke without an edge: nested circles, each a little thicker, lit from the north-west."""
    steps = 7
    shade = [Circle((0.02, -0.03), 0.5 * (1.0 - k / steps), "#6f6a60", opacity=0.055 * thick) for k in range(steps)]
    light = [Circle((-0.03, 0.04), 0.42 * (1.0 - k / steps), "#fbf8f1", opacity=0.13 * thick) for k in range(steps)]
    return (*shade, *light)


#: Badges for which two rule sets use different words: in disarray, and out of the fight.
_SHAKEN = _badge(
    "#f0b93a", "#2b2620", _line("#2b2620", 0.12, ((-0.26, -0.1), (-0.09, 0.14), (0.09, -0.14), (0.26, 0.1)))
)
_BROKEN = _badge(
    "#2b2620",
    "#2b2620",
    _line("#ffffff", 0.09, ((-0.14, -0.27), (-0.14, 0.27))),
    Area((((-0.12, 0.27), (0.26, 0.16), (-0.12, 0.02)),), fill="#ffffff"),
)

GLYPHS: dict[str, tuple[Item, ...]] = {
    "tree-1": _crown("#7f9f63", "#9dba80", "#56753f"),
    "tree-2": _crown("#8aa96d", "#a9c48c", "#5d7c46"),
    "tree-3": _crown("#759559", "#92b075", "#4e6c39"),
    "canopy": (Circle((0.04, -0.05), 0.46, fill="#a3b985"), Circle((-0.03, 0.04), 0.34, fill="#bccfa0")),
    "bush": (
        Circle((0.05, -0.06), 0.40, fill="#4b5d38", opacity=0.3),
        Circle((0, 0), 0.38, fill="#7d9b62", pen=_pen("#4f6e3d", 0.11)),
    ),
    "tuft": _tuft("#5c8a67"),
    "scrub": (_line("#8d8256", 0.09, ((-0.3, -0.15), (-0.05, 0.2), (0.2, -0.15)), ((0.1, -0.2), (0.3, 0.1))),),
    "stone": (
        Area((((-0.3, -0.12), (-0.12, 0.18), (0.2, 0.16), (0.32, -0.14)),), fill="#b9ad86", pen=_pen("#8d8256", 0.08)),
    ),
    "speck": (_line("#d3ccab", 0.16, ((-0.3, -0.1), (0.3, 0.1))),),
    "smoke-1": _puff(1.0),
    "smoke-2": _puff(0.55),
    "smoke-3": _puff(0.25),
    "star": (Area((star(0.5, 0.2),), fill="#ffffff"),),
    "star-dark": (Area((star(0.5, 0.2),), fill="#2b2620"),),
    "wheel": (
        Circle((0, 0), 0.42, pen=_pen("#ffffff", 0.11)),
        _line(
            "#ffffff",
            0.08,
            ((-0.42, 0), (0.42, 0)),
            ((0, -0.42), (0, 0.42)),
            ((-0.3, -0.3), (0.3, 0.3)),
            ((-0.3, 0.3), (0.3, -0.3)),
        ),
    ),
    "shaken": _SHAKEN,
    "broken": _BROKEN,
    "marked": _badge("#fffdf6", "#2b2620", Circle((0, 0), 0.13, fill="#2b2620")),
    "eye": _badge(
        "#009e73",
        "#00543d",
        Area(
            (((-0.3, 0), (-0.15, 0.15), (0, 0.19), (0.15, 0.15), (0.3, 0), (0.15, -0.15), (0, -0.19), (-0.15, -0.15)),),
            fill="#ffffff",
        ),
        Circle((0, 0), 0.11, fill="#00543d"),
    ),
    "cross": _badge(
        "#c24d00", "#6e2c00", _line("#ffffff", 0.14, ((-0.18, -0.18), (0.18, 0.18)), ((-0.18, 0.18), (0.18, -0.18)))
    ),
    "tick": _badge("#007a59", "#004634", _line("#ffffff", 0.14, ((-0.22, 0.0), (-0.06, -0.17), (0.24, 0.2)))),
    "warn": (
        Area((((0, 0.5), (0.5, -0.4), (-0.5, -0.4)),), fill="#f0b93a", pen=_pen("#2b2620", 0.08)),
        _line("#2b2620", 0.12, ((0, 0.2), (0, -0.08))),
        Circle((0, -0.25), 0.07, fill="#2b2620"),
    ),
    "ring": (
        Circle((0, 0), 0.4, pen=_pen("#fffdf6", 0.24)),
        Circle((0, 0), 0.4, pen=_pen("#2b2620", 0.12)),
        Circle((0, 0), 0.1, fill="#2b2620"),
    ),
    "pin": (Circle((0, 0), 0.36, fill="#f0e442", pen=_pen("#2b2620", 0.12)), Circle((0, 0), 0.1, fill="#2b2620")),
    "bar": (_line("#fffdf6", 0.3, ((-0.5, 0), (0.5, 0))), _line("#2b2620", 0.14, ((-0.5, 0), (0.5, 0)))),
    "arrow": (
        Area((((0, 0.5), (0.38, -0.45), (0, -0.25), (-0.38, -0.45)),), fill="#00598c", pen=_pen("#fffdf6", 0.06)),
    ),
}


@cache
def needle() -> tuple[Item, ...]:
    """Return the compass needle and ring, in the same box."""
    north = Area((((0, 0.5), (0.13, 0), (-0.13, 0)),), fill="#2b2620", pen=_pen("#2b2620", 0.02))
    south = Area((((0, -0.5), (0.13, 0), (-0.13, 0)),), fill="#fffdf6", pen=_pen("#2b2620", 0.025))
    ring = Circle((0, 0), 0.36, pen=_pen("#6f665a", 0.025))
    return ring, south, north


GLYPHS["compass"] = needle()


def glyph(name: str) -> tuple[Item, ...]:
    """Return a symbol's items, in grey under the grey palette; KeyError if there is no symbol of that name."""
    return tuple(map(_grey, GLYPHS[name])) if current_palette() == GREY else GLYPHS[name]


def _grey(item: Item) -> Item:
    if isinstance(item, Stamps | Text | Painting):
        return item
    pen = item.pen and replace(item.pen, colour=grey_of(item.pen.colour))
    if isinstance(item, Lines):
        return replace(item, pen=pen or item.pen)
    return replace(item, pen=pen, fill=item.fill and grey_of(item.fill))
