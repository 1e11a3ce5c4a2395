"""A sight line seen from the side: the ground by levels, what stands on it, the shadows, and the line above.

It is drawn from a verdict's side view alone. Heights are the rules' levels; a tall obstruction is drawn half a level
high, which makes its shadow, seen from one level above, as long as the distance to it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import shapely

from tabletop.battle.battle import Battle
from tabletop.geometry.terrain import Terrain
from tabletop.geometry.verdict import SideView, Verdict
from tabletop.render.drawing.furniture import Page
from tabletop.render.drawing.labels import Name, Placer, Spot
from tabletop.render.drawing.lettering import width
from tabletop.render.drawing.primitives import (
    Anchor,
    Area,
    Circle,
    Drawing,
    Item,
    Layer,
    Lines,
    Pen,
    Sheet,
    Stamps,
    Text,
)
from tabletop.render.drawing.shapes import areas, hatching
from tabletop.render.drawing.theme import colour, role_style, theme

#: Height in levels of a tall obstruction as drawn.
TALL = 0.5
#: Pixels by which the sight line is raised, so that it does not merge with the ground it runs along.
LIFT = 4.0
#: Margins in pixels: left (levels), top, right, bottom (distances).
MARGINS = (74.0, 40.0, 34.0, 52.0)
#: Size in pixels of the marks of the eye and of the target.
EYE, RING = 24.0, 20.0
#: Letter size of words and figures.
LETTERS = 14.0


@dataclass(frozen=True)
class Called:
    """Names of the ends, and of units and pieces in the way that have one, by id."""

    eye: str = ""
    target: str = ""
    pieces: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, verdict: Verdict, battle: Battle | None = None) -> Called:
        """Return the names a battle gives, or the ids the verdict gives."""
        units = {u.id: u.called for u in battle.units} if battle else {}
        terrain = battle.table.terrain if battle else ()
        pieces = {p.id: name for p in terrain if (name := p.name or _hill_under(p, terrain))}
        ends = [units.get(arg, arg) for arg in verdict.args]
        return cls(ends[0] if ends else "", ends[1] if len(ends) > 1 else "", {**units, **pieces})

    def piece(self, id_: str) -> str:
        """Return the name of a piece or unit in the way, its id where it has none."""
        return self.pieces.get(id_, id_)


def _hill_under(piece: Terrain, terrain: Iterable[Terrain]) -> str:
    """Return the name of the smallest named hill on which a contour lies whole; "" for any other piece."""
    if not piece.is_hill:
        return ""
    around = [hill for hill in terrain if hill.is_hill and hill.name and hill.shape.covers(piece.shape)]
    return min(around, key=lambda hill: float(hill.shape.area)).name if around else ""


@dataclass(frozen=True)
class Section:
    """The frame of the section: a page in pixels, the box of the profile, and its ranges of distances and levels."""

    page: Page
    left: float
    top: float
    right: float
    bottom: float
    length: float
    low: int
    high: float
    first: float = 0.0
    last: float = 0.0

    def x(self, distance: float) -> float:
        """Return the pixels right of the page's corner for a distance along the line."""
        return self.left + (self.right - self.left) * (distance - self.first) / (self.last - self.first)

    def y(self, level: float) -> float:
        """Return the pixels down from the page's corner for a height in levels."""
        return self.bottom - (self.bottom - self.top) * (level - self.low) / (self.high - self.low)

    def at(self, distance: float, level: float) -> tuple[float, float]:
        """Return the drawing's point for a distance and a level."""
        return self.page.at(self.x(distance), self.y(level))


def side_view(verdict: Verdict, width: int = 900, height: int = 320, battle: Battle | None = None) -> Drawing | None:
    """Return the side view of a verdict's sight line as a drawing of its own, None when it has none."""
    if verdict.side_view is None:
        return None
    page = Page(1.0, 0.0, 0.0)
    sheet = Sheet("side view")
    sheet.extend(
        side_view_items(
            verdict.side_view, verdict, page, (0.0, 0.0, float(width), float(height)), Called.of(verdict, battle)
        )
    )
    title = f"Side view: {' '.join(verdict.args)}"
    return Drawing((sheet.layer,), page.box(0, 0, width, height), 1.0, title, "", colour("page", "panel"))


def side_view_items(
    view: SideView, verdict: Verdict, page: Page, box: tuple[float, float, float, float], called: Called
) -> list[Item]:
    """Return the side view within a box given in pixels of the page (left, top, right, bottom)."""
    section = _section(view, page, box)
    return [
        *_sky(section),
        *_shadows(view, section),
        *_ground(view, section),
        *_obstructions(view, section),
        *_axes(section),
        *_sight(view, verdict, section),
        *_words(view, called, section),
    ]


def _section(view: SideView, page: Page, box: tuple[float, float, float, float]) -> Section:
    levels = [view.eye, view.target, *(g[2] for g in view.ground), *(o[2] for o in view.obstructions)]
    tops = [float(max(levels)), *(o[2] + TALL for o in view.obstructions)]
    length = max(_length(view), 1e-6)
    first = min(0.0, *(g[0] for g in view.ground), 0.0)
    last = max(length, *(g[1] for g in view.ground), length)
    left, top, right, bottom = box
    return Section(
        page,
        left + MARGINS[0],
        top + MARGINS[1],
        right - MARGINS[2],
        bottom - MARGINS[3],
        length,
        min(levels),
        max(tops) + 0.55,
        first,
        last,
    )


def _length(view: SideView) -> float:
    return math.dist(view.start, view.end)


def _sky(section: Section) -> list[Item]:
    s, pen = section, Pen("#d5d2c6", 1.0, dash=(4, 3))
    lines = tuple((s.at(s.first, level), s.at(s.last, level)) for level in _levels(s))
    return [s.page.panel(s.left, s.top, s.right, s.bottom, "#f4f6f3"), Lines(lines, pen)]


def _levels(section: Section) -> range:
    return range(section.low, math.floor(section.high) + 1)


def _floor(section: Section) -> float:
    """Return a height a little below the lowest ground, so that level 0 shows as a band."""
    return section.low - 14.0 * (section.high - section.low) / (section.bottom - section.top)


def _ground(view: SideView, section: Section) -> list[Item]:
    tints = [colour("ground", "soil"), *theme()["hill"]["tints"]]
    items: list[Item] = []
    floor = _floor(section)
    for start, end, level in view.ground:
        tint = tints[min(max(level, 0), len(tints) - 1)]
        corners = (section.at(start, level), section.at(end, level), section.at(end, floor), section.at(start, floor))
        items.append(Area((corners,), tint))
    return [*items, Lines((_skyline(view, section),), Pen(colour("hill", "contour"), 2.0))]


def _skyline(view: SideView, section: Section) -> tuple[tuple[float, float], ...]:
    points = []
    for start, end, level in sorted(view.ground):
        points += [section.at(start, level), section.at(end, level)]
    return tuple(points) or (section.at(section.first, section.low), section.at(section.last, section.low))


def _obstructions(view: SideView, section: Section) -> list[Item]:
    items: list[Item] = []
    for start, end, base, _id, blocks in view.obstructions:
        fill = role_style("blocker").colour if blocks else colour("woods", "edge")
        top = base + TALL
        corners = (section.at(start, base), section.at(start, top), section.at(end, top), section.at(end, base))
        items.append(Area((corners,), fill, opacity=0.45 if blocks else 0.6))
        if blocks:
            area = shapely.Polygon(corners)
            items.append(Lines(tuple(hatching(area, 7.0 / section.page.scale, 135.0)), Pen(fill, 1.2, opacity=0.8)))
        items.append(Area((corners,), None, Pen(fill if blocks else colour("woods", "text"), 1.8)))
    return items


def _shadows(view: SideView, section: Section) -> list[Item]:
    style = role_style("shadow")
    items: list[Item] = []
    for start, end, level, id_ in view.shadows:
        side = _top_of(view, id_, level)
        low, high = max(min(start, end), section.first), min(max(start, end), section.last)
        far_left = _blocker_is_left(view, id_, low, high)
        apex = section.at(low if far_left else high, side)
        wedge = shapely.Polygon([section.at(low, level), section.at(high, level), apex])
        if wedge.area <= 0:
            continue
        items += areas(wedge, style.colour, opacity=0.14)
        items.append(Lines(tuple(hatching(wedge, 6.0 / section.page.scale, 45.0)), Pen(style.colour, 1.0, opacity=0.7)))
        base = (section.at(low, level), section.at(high, level))
        items.append(Lines((base,), Pen(style.colour, 4.0, opacity=0.8)))
    return items


def _top_of(view: SideView, id_: str, level: int) -> float:
    """Return the drawn height of the shadow's caster: an obstruction's top, or the crest of a hill."""
    tops = [o[2] + TALL for o in view.obstructions if o[3] == id_]
    return max(tops, default=float(max((g[2] for g in view.ground), default=level)))


def _blocker_is_left(view: SideView, id_: str, low: float, high: float) -> bool:
    """Return whether the shadow's caster lies before it along the line (else behind)."""
    stretches = [(o[0] + o[1]) / 2 for o in view.obstructions if o[3] == id_]
    middle = sum(stretches) / len(stretches) if stretches else (0.0 if view.eye >= view.target else _length(view))
    return middle <= (low + high) / 2


def _axes(section: Section) -> list[Item]:
    s, ink = section, colour("page", "quiet")
    items: list[Item] = [
        Text(s.page.at(s.left - 20, s.y(level)), str(level), LETTERS, ink, anchor="end") for level in _levels(s)
    ]
    items.append(Text(s.page.at(s.left - 46, (s.top + s.bottom) / 2), "level", LETTERS, ink, turn=-90.0))
    step, y = _step(s.length), s.bottom + 16
    marks = [k * step for k in range(math.floor(s.length / step + 1e-9) + 1)]
    strokes = [(s.page.at(s.x(m), y), s.page.at(s.x(m), y + 6)) for m in marks]
    items.append(Lines(((s.page.at(s.x(0), y), s.page.at(s.x(s.length), y)), *strokes), Pen(ink, 1.2)))
    return items + [Text(s.page.at(s.x(m), y + 16), f"{m:g}", LETTERS, ink) for m in marks]


def _step(length: float) -> float:
    return next((s for s in (0.25, 0.5, 1, 2, 3, 6, 12, 25, 50, 100, 250, 500, 1000) if length / s <= 9), length)


def _sight(view: SideView, verdict: Verdict, section: Section) -> list[Item]:
    style = role_style("blocked" if _blocked(view, verdict) else "witness")
    line = _line(view, section)
    return [
        Lines((line,), Pen(colour("page", "halo"), style.width + 3, opacity=0.9)),
        Lines((line,), style.pen),
        Stamps("eye", (line[0],), EYE, pixels=True),
        Stamps("ring", (line[1],), RING, pixels=True),
        Circle(line[1], 3.0, fill=style.colour, pixels=True),
    ]


def _line(view: SideView, section: Section) -> tuple[tuple[float, float], ...]:
    """Return the sight line as drawn, a little above the ground."""
    lift = LIFT / section.page.scale
    return tuple((x, y + lift) for x, y in (section.at(0, view.eye), section.at(section.length, view.target)))


def _blocked(view: SideView, verdict: Verdict) -> bool:
    return any(o[4] for o in view.obstructions) or (not verdict.holds and verdict.question == "los")


def _words(view: SideView, called: Called, section: Section) -> list[Item]:
    """Return the names of the ends, of obstructions, shadows and hills, without overlaps.

    They keep off the sight line; ends and obstructions are named over it where it leaves no room. The name of a hill
    stands on the hill, or on no hill.
    """
    s = section
    marks = [
        _around(s, 0.0, view.eye, EYE),
        _around(s, s.length, view.target, RING),
        *(s.page.box(s.x(a), s.y(base + TALL), s.x(b), s.y(base)) for a, b, base, _, _ in view.obstructions),
    ]
    solid = [shapely.box(*mark) for mark in marks]
    line = shapely.LineString(_line(view, s)).buffer(3.0 / s.page.scale)
    bounds = s.page.box(s.left - 14, s.top - 36, s.right + 28, s.bottom + 14)
    off_line = Placer(s.page.scale, bounds, [*solid, line])
    over_line = Placer(s.page.scale, bounds, solid, placed=off_line.placed, boxes=off_line.boxes)
    for name in [*_end_names(view, called, s), *_piece_names(view, called, s)]:
        before = len(off_line.placed)
        if len(off_line.place([name])) == before:
            over_line.place([name])
    off_line.place(_shadow_names(view, called, s))
    raised = [shapely.box(*s.page.box(s.x(a), s.y(level), s.x(b), s.y(s.low))) for a, b, level in view.ground]
    off_hills = Placer(s.page.scale, bounds, [*solid, line, *raised], placed=off_line.placed, boxes=off_line.boxes)
    for name, on_hill in _hill_names(view, called, s):
        (off_line if on_hill else off_hills).place([name])
    return [*off_line.placed]


def _around(section: Section, distance: float, level: float, size: float) -> tuple[float, float, float, float]:
    """Return the box that the mark at an end of the sight line fills."""
    x, y, half = section.x(distance), section.y(level) - LIFT, size / 2 - 3
    return section.page.box(x - half, y - half, x + half, y + half)


def _above(section: Section, x: float, y: float, anchor: Anchor, rises: tuple[int, ...]) -> tuple[Spot, ...]:
    return tuple((section.page.at(x, y - rise), anchor) for rise in rises)


def _end_names(view: SideView, called: Called, s: Section) -> list[Name]:
    ink, rises = colour("page", "ink"), (24, 42, 60, 80, 100, 120)
    eye = _above(s, s.x(0) - 12, s.y(view.eye), "start", rises)
    target = _above(s, s.x(s.length) + 12, s.y(view.target), "end", rises)
    return [
        Name(f"end {i}", (word,), spots, 14.0, ink, weight=90.0 - i)
        for i, (word, spots) in enumerate(((called.eye, eye), (called.target, target)))
        if word
    ]


def _piece_names(view: SideView, called: Called, s: Section) -> list[Name]:
    names = []
    for i, (start, end, base, id_, blocks) in enumerate(view.obstructions):
        spots = _above(s, s.x((start + end) / 2), s.y(base + TALL), "middle", (12, 28, 44, 60))
        tone = role_style("blocker").colour if blocks else colour("woods", "text")
        names.append(Name(f"piece {i}", (called.piece(id_),), spots, LETTERS, tone, weight=80.0))
    return names


def _shadow_names(view: SideView, called: Called, s: Section) -> list[Name]:
    names = []
    for i, (start, end, level, id_) in enumerate(view.shadows):
        length = f"{abs(end - start):.2f}"
        forms = (f"shadow of {called.piece(id_)} {length}", f"shadow {length}")
        middle, y = s.x((max(min(start, end), s.first) + min(max(start, end), s.last)) / 2), s.y(level)
        spots = ((s.page.at(middle, y + 9), "middle"), *_above(s, middle, y, "middle", (12, 28, 44, 60, 76)))
        names.append(Name(f"shadow {i}", forms, tuple(spots), LETTERS, role_style("shadow").colour, weight=60.0))
    return names


def _hill_names(view: SideView, called: Called, s: Section) -> list[tuple[Name, bool]]:
    """Return the names and levels of the hills under the section, and whether each has room on its hill.

    A contour without a name has that of the hill it lies on, else its level alone. The highest come first.
    """
    names = []
    for i, (start, end, level, id_) in enumerate(view.hills):
        name, y = called.pieces.get(id_), s.y(level)
        forms = (f"{name}, level {level}", name) if name else (f"level {level}",)
        left, middle, right = s.x(start), s.x((start + end) / 2), s.x(end)
        on_hill = right - left > width(forms[0], LETTERS) + 8
        if on_hill:
            along = [left + share * (right - left) for share in (0.5, 0.35, 0.65)]
            spots = tuple(
                spot for rises in ((-12, -26), (12, 28)) for x in along for spot in _above(s, x, y, "middle", rises)
            )
        else:
            beside = tuple(-drop for drop in (30, 16, 46, 62, 78) if y + drop + LETTERS / 2 < s.y(s.low))
            spots = (
                *_above(s, middle, y, "middle", (12, 28)),
                *_above(s, right + 8, y, "start", beside),
                *_above(s, left - 8, y, "end", beside),
            )
        names.append(
            (Name(f"hill {i}", forms, spots, LETTERS, colour("hill", "numeral"), weight=float(level)), on_hill)
        )
    return sorted(names, key=lambda one: -one[0].weight)


def side_view_layer(
    verdict: Verdict, page: Page, box: tuple[float, float, float, float], battle: Battle | None = None
) -> Layer | None:
    """Return the side view as a layer of a page, None when the verdict has none."""
    if verdict.side_view is None:
        return None
    return Layer("side view", tuple(side_view_items(verdict.side_view, verdict, page, box, Called.of(verdict, battle))))
