"""The drawing that changes with every frame: selection, marks, the ghost with its path, the tape."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.verdict import Verdict
from tabletop.play.environment import ground_of
from tabletop.render.drawing import measures, plates, scene
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.plates import Obstacles, same_objects
from tabletop.render.drawing.primitives import Box, Circle, Drawing, Item, Layer, Lines, Pen, Ring, Text
from tabletop.render.drawing.range_plates import range_plates
from tabletop.render.drawing.theme import colour
from tabletop.render.settings.model import Overlay
from tabletop.render.table.marks import mark
from tabletop.render.table.model import TableModel
from tabletop.render.table.pointing import compass
from tabletop.render.table.tools import FREE, Mark, Stretch, Tool
from tabletop.rules.asked import MOVE

HALO = "#fffdf6"
#: Badge of each mark: colour and sign.
BADGES: dict[Mark, tuple[str, str]] = {
    Mark.FIRE: ("#007a59", "F"),
    Mark.ASSAULT: ("#00598c", "A"),
    Mark.BLOCKED: ("#b44400", "×"),
    Mark.SEEN: ("#8a6100", "o"),
    Mark.HIDDEN: ("#6f665a", "–"),
}
#: Roles of a move's shapes that belong to its path; letter size of the plate over a ghost.
PATHS, LETTERS = ("path", "blocked", "witness"), 16.0
#: Layers of plates and signs, which lie over the names: marks of enemies, the cost of a move, the ends of range bands.
MARKS, PRICE, BANDS = "marks", "cost", "bands"
PLATES = (MARKS, BANDS, PRICE)
#: Height of the plate with the cost, and its distance from the unit in hand, in pixels.
PRICE_HIGH, OFF = 26.0, 10.0
#: Radius of badges in pixels; their minimum on a small scale, which leaves the unit visible; the minimum letter size of
#: badges and plates.
BADGE, LEAST_BADGE, LEAST_SIGN = 10.0, 8.5, 14.0


class Foreground:
    """Draws the foreground, caching what was drawn of a verdict until another replaces it."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Any, float, list[Layer]]] = {}
        self._off = Obstacles()
        self._marked: tuple[Any, Layer] | None = None
        self._others: tuple[tuple[Battle, str], float, np.ndarray] | None = None

    def drawing(self, model: TableModel, camera: Camera, written: tuple[Layer, ...] = ()) -> Drawing:
        """Return the drawing of this frame; the plates of range bands avoid the ``written`` layers."""
        scale = camera.drawn
        layers: list[Layer] = []
        if model.unit is not None:
            layers += self._bands(model, scale, written)
            layers.append(Layer("selection", tuple(_outlined(model.ghost or model.unit))))
            if Overlay.ENEMIES in model.overlays:
                layers.append(self._marks(model, model.unit, scale))
        layers += self._why(model, scale)
        if model.drag is not None:
            layers += self._in_hand(model, scale, _view(camera))
        if model.stretch is not None:
            layers += self._stretched(model, scale)
        return Drawing(tuple(layers), _view(camera), scale)

    def _proof(self, name: str, model: TableModel, verdict: Verdict, scale: float) -> list[Layer]:
        """Return the proof of a verdict, drawn once for each scale."""
        kept = self._kept.get(name)
        if kept is None or kept[0] is not verdict or kept[1] != scale:
            kept = (verdict, scale, list(scene.verdict_layer(verdict, scale, model.battle).layers))
            self._kept[name] = kept
        return kept[2]

    def _bands(self, model: TableModel, scale: float, written: tuple[Layer, ...]) -> list[Layer]:
        """Return the far ends of the range bands and of the arc straight ahead, each on a small plate."""
        verdict, unit = model.verdict("field"), model.ghost or model.unit
        if verdict is None or unit is None or Overlay.ARC not in model.overlays:
            return []
        kept, of = self._kept.get("bands"), (verdict, *written)
        if kept is None or kept[1] != scale or not same_objects(kept[0], of):
            far = verdict.measured.get("range")
            limit = f"{far:g}" if far else ""  # a unit without fire has an arc too
            ends = [(s, limit if s.role == "arc" else s.label) for s in verdict.shapes if s.role in ("arc", "band")]
            own = [unit.footprint.bounds, *(_round(enemy, scale) for enemy in model.battle.enemies(unit))]
            taken = self._off.boxes(model.battle, written, scale, unit.id)
            items = range_plates(ends, unit, np.vstack([taken, own]), scale)
            kept = self._kept["bands"] = (of, scale, [Layer(BANDS, tuple(items))])
        return kept[2]

    def _marks(self, model: TableModel, unit: Unit, scale: float) -> Layer:
        """Return the badges of the enemies, remade when a mark, a position or the enemy under the cursor changes."""
        marked = tuple((enemy, relation) for enemy in model.battle.enemies(unit) if (relation := mark(model, enemy.id)))
        if self._marked is None or self._marked[0] != (marked, model.hovered, scale):
            items = (
                item for enemy, relation in marked for item in _badge(enemy, relation, enemy.id == model.hovered, scale)
            )
            self._marked = ((marked, model.hovered, scale), Layer(MARKS, tuple(items)))
        return self._marked[1]

    def _why(self, model: TableModel, scale: float) -> list[Layer]:
        """Return the line that proves or disproves the mark of the enemy under the cursor."""
        verdict = model.why
        if verdict is None or model.stretch is not None:
            return []
        lines = verdict.with_(shapes=tuple(s for s in verdict.shapes if s.kind != "polygon" or s.role == "blocker"))
        kept = self._kept.get("why")
        if kept is None or kept[0] is not verdict or kept[1] != scale:
            self._kept["why"] = (verdict, scale, list(scene.verdict_layer(lines, scale, model.battle).layers))
        return self._kept["why"][2]

    def _in_hand(self, model: TableModel, scale: float, view: Box) -> list[Layer]:
        """Return the ghost, its path, and the plate with cost and verdict."""
        assert model.drag is not None
        verdict, ghost = model.verdict(MOVE), model.ghost
        layers: list[Layer] = []
        if verdict is not None and model.action != FREE:
            layers += self._way(model, verdict, ghost, scale)
        if ghost is None:
            return [*layers, _held(model)]
        layers += self._figure(model, ghost)
        free = model.action == FREE
        legal = free or bool(verdict and verdict.holds)
        tint = colour("answer", "yes" if legal else "no")
        pen = Pen(tint, 3.0, dash=() if legal else (3.0, 2.0))
        layers.append(Layer("ghost edge", tuple(Lines((_closed(b.polygon.exterior),), pen) for b in ghost.bases)))
        price = _price(verdict, free, model.battle.table.unit)
        taken = np.vstack([self._beside(model.battle, scale, ghost.id), model.drag.unit.footprint.bounds])
        items = _plate(price, ghost, tint, plates.Plates(scale, taken, view))
        leader = tuple(item for item in items if isinstance(item, Lines))  # under the names, like all lines
        plate = tuple(item for item in items if not isinstance(item, Lines))
        return [*layers, Layer("leader", leader), Layer(PRICE, plate)]

    def _beside(self, battle: Battle, scale: float, without: str) -> np.ndarray:
        """Return the obstacles to the plate over a ghost, cached while no other unit moves."""
        kept, of = self._others, (battle, without)
        if kept is None or kept[1] != scale or not same_objects(kept[0], of):
            kept = self._others = (of, scale, plates.boxes_of(plates.beside_units(battle, scale, without)))
        return kept[2]

    def _way(self, model: TableModel, verdict: Verdict, ghost: Unit | None, scale: float) -> list[Layer]:
        """Return the path with its marks but not its labels: the total cost is shown beside the ghost.

        Other labels are placed beside the ghost, which is drawn over them.
        """
        kept = self._kept.get(MOVE)
        if kept is None or kept[0] is not verdict or kept[1] != scale:
            shapes = tuple(replace(s, label="") if s.role in PATHS else s for s in verdict.shapes if s.role != "ghost")
            battle = model.battle if ghost is None else model.battle.with_unit(ghost)
            table = (0.0, 0.0, battle.table.width, battle.table.height)
            layers = list(scene.verdict_layer(verdict.with_(shapes=shapes), scale, battle, table).layers)
            kept = self._kept[MOVE] = (verdict, scale, layers)
        return kept[2]

    def _figure(self, model: TableModel, ghost: Unit) -> list[Layer]:
        kept = self._kept.get("figure")
        if kept is None or kept[0] is not ghost:
            layers = list(scene.unit_layer(model.battle.with_unit(ghost), only=(ghost.id,)).layers)
            kept = self._kept["figure"] = (ghost, 0.0, layers)
        return kept[2]

    def _stretched(self, model: TableModel, scale: float) -> list[Layer]:
        s = model.stretch
        assert s is not None
        verdict = model.verdict("stretch")
        layers = list(self._proof("stretch", model, verdict, scale)) if verdict is not None else []
        if verdict is None or (model.tool is Tool.TAPE and not _between(s)):
            layers.append(_line(s))
        if model.tool is Tool.TAPE and not _between(s):
            layers.append(_length(s, model.battle))
        return layers


def _between(s: Stretch) -> bool:
    """Return whether a tape joins two units, so that the judge determines its place and length."""
    return bool(s.from_unit and s.to_unit)


def _view(camera: Camera) -> Box:
    west, north = camera.to_table((0, 0))
    east, south = camera.to_table((camera.width, camera.height))
    return west, south, east, north


def _outlined(unit: Unit) -> list[Item]:
    """Return the selected unit's outline: white on dark, as one shape."""
    parts = [p for p in shapely.get_parts(unit.footprint.buffer(0.06, join_style="mitre")) if not p.is_empty]
    rings = tuple(_closed(part.exterior) for part in parts)
    return [Lines(rings, Pen("#14202c", 5.0)), Lines(rings, Pen("#ffffff", 2.5))]


def _closed(ring: shapely.LinearRing) -> Ring:
    return tuple((float(x), float(y)) for x, y in shapely.get_coordinates(ring).tolist())


def _radius(scale: float) -> float:
    """Return the radius of an enemy's badge in pixels."""
    return min(BADGE, max(LEAST_BADGE, 0.55 * scale))


def _round(enemy: Unit, scale: float) -> Box:
    """Return the box of an enemy's badge in table units."""
    (x, y), half = enemy.at, _radius(scale) / scale
    return x - half, y - half, x + half, y + half


def _badge(enemy: Unit, mark: Mark, pointed_at: bool, scale: float) -> list[Item]:
    fill, sign = BADGES[mark]
    at = (enemy.at[0], enemy.at[1])
    radius = _radius(scale)
    pen = Pen("#14202c" if pointed_at else "#ffffff", 2.0)
    return [
        Circle(at, radius, fill=fill, pen=pen, pixels=True),
        Text(at, sign, max(LEAST_SIGN, 1.4 * radius), "#ffffff", face="bold"),
    ]


def _held(model: TableModel) -> Layer:
    """Return a line from the unit to the cursor, shown while no move there can be judged."""
    assert model.drag is not None
    pen = Pen(colour("page", "quiet"), 2.0, dash=(4.0, 3.0))
    return Layer("held", (Lines(((model.drag.unit.at, model.drag.cursor),), pen),))


def _price(verdict: Verdict | None, free: bool, unit: str) -> str:
    """Return the text of the plate beside a ghost: the cost of the move and YES or NO."""
    if free:
        return "free"
    if verdict is None:
        return "..."
    cost, allowed = verdict.measured.get("cost"), verdict.measured.get("allowed")
    of = f" of {measures.figure(allowed, unit)}" if allowed is not None else ""
    figures = "" if cost is None or allowed == 0.0 else f"{measures.figure(cost, unit)}{of} {unit}"
    road = verdict.measured.get("road")
    figures += f", {measures.figure(road, unit, 1)} {unit} by road" if road else ""
    return f"{figures}  {'YES' if verdict.holds else 'NO'}".strip()


def _plate(text: str, ghost: Unit, tint: str, laid: plates.Plates) -> tuple[Item, ...]:
    """Return a plate with one line of text beside a ghost, placed to hide no unit if possible."""
    look = plates.Look(LETTERS, PRICE_HIGH, "#ffffff", "#ffffff", tint)
    return laid.lay_beside(measures.in_chosen_unit(text), ghost.footprint.bounds, OFF, look)


def _line(s: Stretch) -> Layer:
    ends = tuple(Circle(p, 3.5, fill="#2b2620", pen=Pen(HALO, 1.5), pixels=True) for p in (s.start, s.end))
    track = (s.start, s.end)
    lines = (Lines((track,), Pen(HALO, 4.5, opacity=0.8)), Lines((track,), Pen("#2b2620", 2.0, dash=(5.0, 3.0))))
    return Layer("tape", (*lines, *ends))


def _length(s: Stretch, battle: Battle) -> Layer:
    far, ground = math.dist(s.start, s.end), ground_of(battle)
    real = f" = {ground.of(far)}" if ground is not None else ""
    middle = ((s.start[0] + s.end[0]) / 2, (s.start[1] + s.end[1]) / 2)
    text = f"{measures.length(far, battle.table.unit)}{real}, {compass(s.start, s.end)}"
    return Layer("tape label", (Text(middle, text, 17.0, "#2b2620", face="bold", halo=HALO, shift=(0.0, -16.0)),))
