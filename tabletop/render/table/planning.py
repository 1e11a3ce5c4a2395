"""The planning overlays as drawings: the enemy's next turn, command, falling back, heights and cover.

Each is cached until its content changes. Areas on the ground are drawn under the units, paths and words over them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Table, Terrain
from tabletop.geometry.verdict import Shape, Verdict
from tabletop.render.drawing import measures, scene
from tabletop.render.drawing.gradual import Work, finished
from tabletop.render.drawing.labels import Name, Placer, around, inside, text_box
from tabletop.render.drawing.lettering import width
from tabletop.render.drawing.plates import SIDE, Obstacles, Plates, about
from tabletop.render.drawing.primitives import Area, Box, Circle, Drawing, Item, Layer, Lines, Pen, Ring, Text
from tabletop.render.drawing.shapes import areas, polygons, ring, strings
from tabletop.render.drawing.theme import colour
from tabletop.render.drawing.troops import solid_of
from tabletop.render.settings.model import Overlay
from tabletop.render.table import plans, questions
from tabletop.render.table.model import TableModel
from tabletop.render.table.overlays import SPECK, thinned
from tabletop.render.table.picture import Picture
from tabletop.render.table.pointing import towards
from tabletop.rules.asked import CHIEF
from tabletop.rules.traits import Trait, traits_on

#: Colours of the enemy's next turn (where it could come, assault, shoot), of command, of falling back. Only the enemy
#: is red; line and tint distinguish what it could do.
THREAT, CHARGE, SHOT, COMMAND, BACK = "#9c2a1f", "#8f0f1d", "#c43a2b", "#3d5a99", "#6b4a8c"
#: The outlines of where the enemy could come, assault, and shoot.
COME_EDGE, CHARGE_EDGE, SHOT_EDGE = Pen(THREAT, 1.4), Pen(CHARGE, 3.2), Pen(SHOT, 2.2, dash=(2.5, 2.0))
#: Square pixels below which a hole in the enemy's ground is too small to plan by; the width of the strip along the
#: table's edge that the enemy is assumed to reach where it gets near, as a share of the table's shorter side.
HOLE, EDGE = 60.0**2, 0.02
#: Tints of ground by level; level 0 is left as it is.
LEVELS = ("#f0d48a", "#e0ab4e", "#c47f2e", "#96561f", "#6a3714")
#: Cover: its word on the ground, its tint, and the gap of its hatching; closer lines mean more cover.
COVER = {"soft": ("soft", "#5d8f3a", 12.0), "hard": ("hard", "#8a4a2b", 8.0), "fortification": ("fort", "#3a3a3a", 5.0)}
#: The tint of the words on ground that gives no cover but has a trait.
TRAIT = "#4a4440"
#: Letter size of words on the ground.
LETTERS = 14.0
#: Weight of the unit itself against other obstacles where no place is free, because the words are about it.
OWN_WEIGHT = 20
#: Height of a plate, and its possible distances from the point it refers to, in pixels.
HIGH, GAPS = 22.0, (6.0, 16.0, 30.0, 48.0, 75.0, 105.0, 140.0)
#: Distance in pixels from which a plate is connected to its point by a line.
FAR = 30.0
HALO = "#fffdf6"
#: The layer of the words over the units.
WORDS = "words"
#: While the enemy's next turn is being computed, this many units are added at a time, because painting is slow.
AT_ONCE = 4


class Planner:
    """Draws the planning overlays, caching each until its content changes."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[tuple[Any, ...], Drawing]] = {}
        self._names: tuple[Layer, ...] = ()
        self._off = Obstacles()
        self._ways: dict[str, tuple[tuple[Any, ...], tuple[Layer, ...]]] = {}

    def ground(self, picture: Picture, scale: float) -> tuple[Drawing, ...]:
        """Return the drawings on the ground, the lowest first; the same objects while nothing has changed."""
        return finished(self.grounding(picture, scale))

    def grounding(self, picture: Picture, scale: float) -> Work[tuple[Drawing, ...]]:
        """Return the same as ``ground``, drawn a little at a time."""
        model, viewer = picture.model, picture.viewer
        shown = model.overlays & set(model.offered)
        drawings = []
        if Overlay.TERRAIN in shown:
            drawings.append(
                self._one("heights", (model.battle.table, scale), lambda: _heights(model.battle.table, scale))
            )
        if Overlay.THREAT in shown and model.foreseen and viewer is not None:
            known = tuple(v for v in model.foreseen.values() if isinstance(v, Verdict))
            if any(isinstance(key, tuple) and key[0] == "threat" for key in model.pending):
                known = known[: len(known) // AT_ONCE * AT_ONCE]
            drawings.append(
                (yield from self._gradually("threat", (known, scale), lambda: _threat(model, known, scale)))
            )
        if Overlay.COMMAND in shown and (far := plans.command_range(model.verdict("command"))) is not None:
            chiefs = tuple(u for u in model.battle.units if u.is_general and u.side == viewer)
            drawings.append(self._one("command", (chiefs, far, scale), lambda: _command(model, chiefs, far, scale)))
        return tuple(drawings)

    def words(self, model: TableModel, battle: Battle, names: Drawing, scale: float) -> Drawing | None:
        """Return the words on the ground, clear of the battle's units and names; None if there are none."""
        self._names = names.layers
        if Overlay.TERRAIN not in model.overlays:
            return None
        words = finished(self._written(battle, names, scale))
        self._names = (*names.layers, *words.layers)
        return words

    def wording(self, model: TableModel, battle: Battle, names: Drawing, scale: float) -> Work[None]:
        """Place the words that ``words`` will return, one at a time."""
        if Overlay.TERRAIN in model.overlays:
            yield from self._written(battle, names, scale)

    def _written(self, battle: Battle, names: Drawing, scale: float) -> Work[Drawing]:
        return self._gradually("words", (battle, names, scale), lambda: _wording(battle, names, scale))

    def over(self, model: TableModel, scale: float) -> tuple[Layer, ...]:
        """Return the layers over the units: lines of command, paths of falling back, and their words."""
        shown, unit = model.overlays & set(model.offered), model.ghost or model.unit
        if unit is None or not shown & {Overlay.COMMAND, Overlay.FALLBACK}:
            return ()
        command = model.verdict("command") if Overlay.COMMAND in shown else None
        words = questions.driven(model.battle, unit) if Overlay.FALLBACK in shown else ()
        falls = tuple((word, v) for word in words if (v := model.verdict("fallback", word)) is not None)
        parts = (model.battle, unit, Overlay.COMMAND in shown, command, tuple(v for _, v in falls), scale, self._names)
        return self._one("over", parts, lambda: self._over(model, unit, command, falls, scale)).layers

    def _over(
        self,
        model: TableModel,
        unit: Unit,
        command: Verdict | None,
        falls: tuple[tuple[str, Verdict], ...],
        scale: float,
    ) -> Drawing:
        """Draw lines and ways, then their words where they hide neither units nor names nor each other."""
        layers, labels = list[Layer](), list[RangeLabel]()
        for word, verdict in falls:
            layers += self._way_back(word, model, verdict, scale)
            labels.append(_fall_back_label(model, unit, verdict))
        layers.append(Layer("chain", tuple(_chain(model, unit, command))))
        labels += _command_labels(model, unit, command)
        taken = np.vstack([self._off.boxes(model.battle, self._names, scale), *[unit.footprint.bounds] * OWN_WEIGHT])
        laid, edge = Plates(scale, taken), _edge(model.battle.table)
        plates = [laid.lay(label.text, HIGH, _about(label, scale, edge), label.tint, label.tint) for label in labels]
        led = [item for label, (_, text) in zip(labels, plates, strict=True) for item in _leader(label, text, scale)]
        words = Layer(WORDS, tuple(item for plate in plates for item in plate))
        return _drawing(model, scale, *layers, Layer("leaders", tuple(led)), words)

    def _way_back(self, word: str, model: TableModel, verdict: Verdict, scale: float) -> tuple[Layer, ...]:
        """Return the path of falling back for ``word``, cached because the cursor moves more often."""
        kept, of = self._ways.get(word), (model.battle, verdict, scale)
        if kept is None or not _alike(kept[0], of):
            kept = self._ways[word] = (of, _way_back(model, verdict, scale))
        return kept[1]

    def _gradually(self, name: str, parts: tuple[Any, ...], work: Callable[[], Work[Drawing]]) -> Work[Drawing]:
        """Return the drawing cached under ``name``, redrawn a little at a time when one of its parts has changed."""
        kept = self._kept.get(name)
        if kept is None or not _alike(kept[0], parts):
            kept = self._kept[name] = (parts, (yield from work()))
        return kept[1]

    def _one(self, name: str, parts: tuple[Any, ...], make: Callable[[], Drawing]) -> Drawing:
        kept = self._kept.get(name)
        if kept is None or not _alike(kept[0], parts):
            kept = self._kept[name] = (parts, make())
        return kept[1]


def _alike(a: tuple[Any, ...], b: tuple[Any, ...]) -> bool:
    return len(a) == len(b) and all(_one_alike(x, y) for x, y in zip(a, b, strict=True))


def _one_alike(a: Any, b: Any) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return _alike(a, b)
    return a is b or (isinstance(a, float | str) and a == b)


def _drawing(model: TableModel, scale: float, *layers: Layer) -> Drawing:
    return Drawing(layers, _edge(model.battle.table), scale)


def _edge(table: Table) -> Box:
    return (0.0, 0.0, table.width, table.height)


# --- the enemy's next turn -------------------------------------------------------------------------------------------


def _threat(model: TableModel, known: Iterable[Verdict], scale: float) -> Work[Drawing]:
    """Return where all enemies together could come, assault and shoot."""
    shapes, zones = [shape for verdict in known for shape in verdict.shapes], list[BaseGeometry]()
    for role in (plans.COME, plans.CHARGED, plans.SHOT_AT):
        zones.append(thinned((s for s in shapes if s.role == role), scale))
        yield
    edge = shapely.box(*_edge(model.battle.table))
    come, charged, shot = _calm(_to_the_edge(zones[0], edge), scale), _calm(zones[1], scale), _calm(zones[2], scale)
    near, items = shapely.union(come, charged), list[Item]()
    yield
    items += _spread(shapely.difference(shot, near), SHOT, 0.08, scale)
    items += _spread(shapely.difference(charged, come), CHARGE, 0.16, scale)
    items += _spread(come, THREAT, 0.13, scale)
    yield
    items.append(Lines(tuple(_hatch(come, 26.0 / scale)), Pen(THREAT, 1.0, opacity=0.4)))
    none = shapely.Polygon()
    for area, hidden, pen in ((come, none, COME_EDGE), (shot, near, SHOT_EDGE), (charged, come, CHARGE_EDGE)):
        yield
        items.append(Lines(tuple(_front(area, edge, hidden)), pen))
    return _drawing(model, scale, Layer("threat", tuple(items), _edge(model.battle.table)))


def _to_the_edge(area: BaseGeometry, edge: shapely.Polygon) -> BaseGeometry:
    """Return the ground the enemy could come to, without spikes, and extended to the table's edge where that is near.

    A unit's centre never comes quite to the edge, so an outline along it would mean nothing.
    """
    strip = _strip(edge)
    rim = shapely.difference(edge, edge.buffer(-strip, join_style="mitre"))
    whole = shapely.union(area, shapely.intersection(area.buffer(strip, quad_segs=4), rim))
    return shapely.intersection(whole.buffer(-strip / 3, quad_segs=4).buffer(strip / 3, quad_segs=4), edge)


def _strip(edge: shapely.Polygon) -> float:
    """Return the width of the strip along the table's edge that counts as the edge itself."""
    west, south, east, north = edge.bounds
    return EDGE * min(east - west, north - south)


def _calm(area: BaseGeometry, scale: float) -> BaseGeometry:
    """Return an area without the parts and holes too small to plan by."""
    parts = [part for part in polygons(area) if part.area * scale * scale > SPECK]
    filled = [
        shapely.Polygon(part.exterior, [r for r in part.interiors if shapely.Polygon(r).area * scale * scale > HOLE])
        for part in parts
    ]
    return shapely.union_all(filled)


def _front(area: BaseGeometry, edge: shapely.Polygon, hidden: BaseGeometry) -> list[Ring]:
    """Return an area's outline except where it follows the table's edge or lies on ``hidden`` ground."""
    off = shapely.union(shapely.buffer(edge.exterior, _strip(edge)), hidden)
    return strings(shapely.line_merge(shapely.difference(area.boundary, off)))


def _spread(area: BaseGeometry, fill: str, opacity: float, scale: float) -> list[Area]:
    parts = [part for part in polygons(area) if part.area * scale * scale > SPECK]
    return areas(shapely.MultiPolygon(parts), fill, None, opacity) if parts else []


def _hatch(area: BaseGeometry, step: float) -> list[tuple[tuple[float, float], ...]]:
    """Return lines from south-west to north-east over an area, ``step`` apart and independent of the view."""
    if area.is_empty:
        return []
    west, south, east, north = area.bounds
    high, gap = north - south, step * math.sqrt(2)
    first, last = math.floor((west - north) / gap), math.ceil((east - south) / gap)
    lines = [shapely.LineString([(k * gap + south, south), (k * gap + north, north)]) for k in range(first, last + 1)]
    clipped: Iterable[BaseGeometry] = shapely.intersection(lines, area) if high > 0 else ()
    return [line for part in clipped for line in strings(part) if len(line) > 1]


# --- command ---------------------------------------------------------------------------------------------------------


def _command(model: TableModel, chiefs: Iterable[Unit], far: float, scale: float) -> Drawing:
    """Return the area in which each general helps, measured from the edge of the general's base."""
    pen, items = Pen(COMMAND, 2.2, dash=(6.0, 2.0, 1.5, 2.0)), list[Item]()
    for chief in chiefs:
        round_him = chief.footprint.buffer(far, quad_segs=32)
        items += areas(round_him, COMMAND, pen, 0.07)
    return _drawing(model, scale, Layer("command", tuple(items), _edge(model.battle.table)))


def _chief(model: TableModel, unit: Unit, verdict: Verdict | None) -> Unit | None:
    """Return the general whose circle is labelled: the selected one, or the one nearest to the selected unit."""
    name = verdict.measured.get(CHIEF) if verdict is not None else None
    if unit.is_general:
        return unit
    return model.battle.unit(name) if isinstance(name, str) and model.battle.has(name) else None


def _figure(model: TableModel, far: float) -> str:
    return measures.in_chosen_unit(f"{far:g} {model.battle.table.unit}")


def _inside(table: Table, at: Point, far: float) -> Point:
    """Return a point of a circle well inside the table; the first one tried if none is."""
    room = far / 4
    spots = [towards(at, bearing, far) for bearing in range(45, 405, 30)]
    inner = (p for p in spots if room < p[0] < table.width - room and room < p[1] < table.height - room)
    return next(inner, spots[0])


def _chain(model: TableModel, unit: Unit, verdict: Verdict | None) -> Iterator[Item]:
    """Yield the lines from a general to the units under it, or from a unit to the nearest general."""
    if verdict is not None and unit.is_general:
        lines = tuple((unit.at, u.at) for u in model.battle.units if u.parent == unit.id)
        yield Lines(lines, Pen(HALO, 4.5, opacity=0.8))
        yield Lines(lines, Pen(COMMAND, 2.0, dash=(3.0, 2.0)))
    for tape in _tapes(unit, verdict):
        assert verdict is not None
        tint = colour("answer", "yes" if verdict.holds else "no")
        yield Lines((tape,), Pen(HALO, 5.0, opacity=0.8))
        yield Lines((tape,), Pen(tint, 2.5, dash=() if verdict.holds else (3.0, 2.0)))


def _tapes(unit: Unit, verdict: Verdict | None) -> list[Ring]:
    if verdict is None or unit.is_general or verdict.args != (unit.id,):
        return []
    return [ring(s.points) for s in verdict.shapes if s.role == "tape" and len(s.points) > 1]


def _command_labels(model: TableModel, unit: Unit, verdict: Verdict | None) -> Iterator[RangeLabel]:
    """Yield the distance of the nearest general, and on its circle the distance at which it helps."""
    far, chief = plans.command_range(verdict), _chief(model, unit, verdict)
    if far is not None and chief is not None:
        rim = _inside(model.battle.table, chief.at, far + math.sqrt(chief.footprint.area / math.pi))
        yield RangeLabel(rim, _figure(model, far), COMMAND)
    for (ax, ay), (bx, by) in ((tape[0], tape[-1]) for tape in _tapes(unit, verdict)):
        assert verdict is not None
        word, tint = ("in command", "yes") if verdict.holds else ("too far", "no")
        text = f"{measures.length(verdict.measured['distance'], model.battle.table.unit)}, {word}"
        yield RangeLabel(((ax + bx) / 2, (ay + by) / 2), text, colour("answer", tint))


@dataclass(frozen=True)
class RangeLabel:
    """A few words to draw near a point."""

    at: Point
    text: str
    tint: str


def _about(label: RangeLabel, scale: float, edge: Box) -> np.ndarray:
    """Return the possible places of the plate for some words."""
    half = width(label.text, LETTERS, "bold") / 2 + SIDE, HIGH / 2
    return about(label.at, scale, half, GAPS, edge)


def _leader(label: RangeLabel, text: Text, scale: float) -> Iterator[Item]:
    """Yield a thin line from a plate to its point, and a dot there, if the plate is far from it."""
    west, south, east, north = text_box(text, scale)
    (x, y), near = label.at, FAR / scale
    if max(west - x, x - east, south - y, y - north) > near:
        yield Lines(((label.at, text.at),), Pen(label.tint, 1.2))
        yield Circle(label.at, 3.5, label.tint, Pen(HALO, 1.5), pixels=True)


# --- falling back ----------------------------------------------------------------------------------------------------


def _way_back(model: TableModel, verdict: Verdict, scale: float) -> tuple[Layer, ...]:
    """Return the path by which a unit would fall back, and where it would end."""
    shapes = tuple(Shape(s.role, s.kind, s.points, s.holes) for s in verdict.shapes)
    return scene.verdict_layer(verdict.with_(shapes=shapes), scale, model.battle).layers


def _fall_back_label(model: TableModel, unit: Unit, verdict: Verdict) -> RangeLabel:
    """Return how far it would fall back, or that it would be lost."""
    far, at = _figure(model, float(verdict.options.get("distance") or 0.0)), verdict.measured.get("at")
    end = (at[0], at[1]) if at else _end(verdict, unit)
    text = f"falls back {far}" if verdict.holds else f"back {far}: lost"
    return RangeLabel(end, text, BACK if verdict.holds else colour("answer", "no"))


def _end(verdict: Verdict, unit: Unit) -> tuple[float, float]:
    """Return the middle of the far edge of the arc in which no path was found."""
    far = float(verdict.options.get("distance") or 0.0)
    return towards(unit.at, float(verdict.measured.get("direction") or 0.0), far)


# --- heights and cover -----------------------------------------------------------------------------------------------


def _heights(table: Table, scale: float) -> Drawing:
    """Return the ground tinted by level, and cover hatched by its strength."""
    items: list[Item] = []
    for hill in sorted(table.hills, key=lambda hill: hill.level):
        tint = LEVELS[min(hill.level, len(LEVELS)) - 1] if hill.level > 0 else "#b9c3a0"
        items += areas(hill.area, tint, Pen("#6b4f22", 1.6), 0.55)
    for piece in table.terrain:
        row = COVER.get(_cover(piece))
        if row is not None and piece.is_area:
            _, tint, gap = row
            items += areas(piece.shape, tint, Pen(tint, 2.0), 0.12)
            items.append(Lines(tuple(_hatch(piece.shape, gap / scale)), Pen(tint, 1.2, opacity=0.7)))
        elif row is not None:
            items.append(Lines(tuple(strings(piece.shape)), Pen(row[1], 4.0, opacity=0.6)))
    return Drawing((Layer("heights", tuple(items)),), _edge(table), scale)


def covers(table: Table) -> tuple[str, ...]:
    """Return the kinds of cover on a table, the weakest first."""
    present = {_cover(piece) for piece in table.terrain}
    return tuple(word for word in COVER if word in present)


def _cover(piece: Terrain) -> str:
    return piece.cover_fire if piece.cover_fire != "none" else piece.cover_assault


def _wording(battle: Battle, names: Drawing, scale: float) -> Work[Drawing]:
    """Return the word for each piece of cover and the level of each hill, where there is room."""
    table = battle.table
    solid = [part for unit in battle.units for part in solid_of(unit)]
    placer = Placer(scale, _edge(table), solid)
    placer.boxes += [text_box(item, scale) for item in names.items if isinstance(item, Text)]
    wordings = []
    for piece in table.terrain:
        row, traits = COVER.get(_cover(piece)), traits_on(battle, piece)
        if (row is not None or traits) and not piece.shape.is_empty:
            forms = _forms(piece if row is not None else None, traits)
            tint = row[1] if row is not None else TRAIT
            wordings.append(_named(piece.id, forms, tint, piece.shape, scale, 40.0))
    for number, hill in enumerate(table.hills):
        forms = (f"level {hill.level}", str(hill.level))
        wordings.append(_named(f"hill {number:03}", forms, "#5a3d12", hill.area, scale, 50.0))
    yield
    placed = yield from placer.placing(wordings)
    return Drawing((Layer("words", tuple(placed)),), _edge(table), scale)


def _forms(piece: Terrain | None, traits: Sequence[Trait]) -> tuple[str, ...]:
    """Return the words on a piece, then a shorter form: the cover it gives, if any, and its traits."""
    named = ", ".join(trait.name.replace("-", " ") for trait in traits)
    covered = _cover_wordings(piece) if piece is not None else ("",)
    return tuple(", ".join(filter(None, (cover, named))) for cover in covered)


def _cover_wordings(piece: Terrain) -> tuple[str, ...]:
    """Return the cover of a piece, then a shorter form: against fire, and in assault if that differs."""
    fire, assault = (COVER[c][0] if c in COVER else "none" for c in (piece.cover_fire, piece.cover_assault))
    both = f"{fire} cover" if fire == assault else f"{fire} from fire, {assault} in assault"
    return (both, fire if fire == assault else f"{fire} / {assault}")


def _named(key: str, wordings: tuple[str, ...], tint: str, shape: BaseGeometry, scale: float, weight: float) -> Name:
    """Return a label to place: inside an area that has room for it, else beside it."""
    slight = shape.area * scale * scale < 60.0 * LETTERS * LETTERS
    spots = around(shape.bounds, scale, LETTERS, (2.0, 8.0)) if slight else inside(shape, scale, LETTERS)
    return Name(key, wordings, spots, LETTERS, tint, weight=weight, ground=shape)
