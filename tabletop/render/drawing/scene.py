"""A battle, and a verdict on it, as a drawing. Pure shapes: no screen, and nothing is measured again.

The window keeps ``terrain_layer``, ``unit_layer``, ``name_layer`` and ``verdict_layer`` separate, to repaint only what
changed; ``picture`` puts the same layers on a page.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from tabletop.battle.battle import Battle
from tabletop.battle.naming import how_many
from tabletop.geometry.verdict import Verdict
from tabletop.play.environment import noun
from tabletop.render.drawing import names, proof, proof_page
from tabletop.render.drawing.furniture import BAND, FOOT, HEAD, Page, footing, heading, ruler
from tabletop.render.drawing.gradual import Work
from tabletop.render.drawing.ground import ground_layers
from tabletop.render.drawing.ground import mapping as ground_mapping
from tabletop.render.drawing.primitives import Box, Drawing, Layer
from tabletop.render.drawing.side_view import side_view
from tabletop.render.drawing.theme import colour
from tabletop.render.drawing.traces import Trace, trace_layers
from tabletop.render.drawing.troops import unit_layers

__all__ = [
    "Style",
    "mapping",
    "name_layer",
    "naming",
    "picture",
    "side_view",
    "terrain_layer",
    "unit_layer",
    "verdict_layer",
]


@dataclass(frozen=True)
class Style:
    """What a picture shows: its maximum size in pixels, and which parts.

    ``letters`` is the size of unit names. Without ``wait`` the map stands in for a painting that is not ready yet.
    """

    width: int = 1600
    height: int = 1200
    names: bool = True
    furniture: bool = True
    letters: float = 14.0
    wait: bool = True


def _table_drawing(battle: Battle, layers: tuple[Layer, ...], scale: float) -> Drawing:
    return Drawing(layers, (0.0, 0.0, battle.table.width, battle.table.height), scale, battle.title)


def terrain_layer(battle: Battle, wait: bool = True) -> Drawing:
    """Return the ground: every piece of terrain, no text. It depends on the table alone, and is correct at every scale.

    Without ``wait`` the map stands in for a painting that is not ready yet.
    """
    return _table_drawing(battle, ground_layers(battle.table, wait=wait), 1.0)


def mapping(battle: Battle) -> Work[Drawing]:
    """Return the same ground as ``terrain_layer`` without ``wait``, drawn piece by piece."""
    layers = yield from ground_mapping(battle.table, wait=False)
    return _table_drawing(battle, layers, 1.0)


def unit_layer(
    battle: Battle, faint: Collection[str] = (), only: Collection[str] | None = None, traces: Collection[Trace] = ()
) -> Drawing:
    """Return the units without names, correct at every scale: ``faint`` ids half transparent, ``only`` these ids.

    In the painted look the ``traces`` of the fighting lie under them.
    """
    left = trace_layers(traces, (u.side for u in battle.units), battle.clock.turn)
    return _table_drawing(battle, (*left, *unit_layers(battle, faint, only)), 1.0)


def name_layer(
    battle: Battle,
    scale: float,
    view: Box | None = None,
    size: float = 14.0,
    first: Collection[str] = (),
    off: Collection[Box] = (),
) -> Drawing:
    """Return the names of units and places and the numerals of heights, placed for ``scale`` pixels a unit.

    ``view`` is the part of the table shown; ``first`` are units to be named before all others. Names overlap neither
    units nor each other nor the boxes ``off``; a name without room is shortened or left out.
    """
    layer = names.name_layer(battle, scale, view, size, first, off)
    return _table_drawing(battle, (layer,), scale)


def naming(battle: Battle, scale: float, first: Collection[str] = ()) -> Work[Drawing]:
    """Return the same names as ``name_layer``, placed one at a time."""
    layer = yield from names.placing(battle, scale, first=first)
    return _table_drawing(battle, (layer,), scale)


def verdict_layer(verdict: Verdict, scale: float, battle: Battle | None = None, view: Box | None = None) -> Drawing:
    """Return the proof of a verdict: its shapes by role, with words, at ``scale`` pixels a unit.

    It is drawn from the verdict alone; ``battle`` only supplies names and the obstacles to labels.
    """
    layers = proof.verdict_layers(verdict, scale, battle, view)
    return Drawing(layers, view or proof.extent(verdict) or (0.0, 0.0, 1.0, 1.0), scale)


def picture(battle: Battle, verdict: Verdict | None = None, style: Style | None = None) -> Drawing:
    """Return the whole table on a page; with a verdict, its part of the table, its proof and its words."""
    chosen = style or Style()
    if verdict is not None:
        return proof_page.proof_page(battle, verdict, chosen.width, chosen.height, chosen.letters)
    return _map_page(battle, chosen)


def _map_page(battle: Battle, style: Style) -> Drawing:
    table = battle.table
    around = (BAND, HEAD + BAND - 8, BAND, FOOT + BAND - 8) if style.furniture else (0.0, 0.0, 0.0, 0.0)
    left, top, right, bottom = around
    scale = min((style.width - left - right) / table.width, (style.height - top - bottom) / table.height)
    view = (-left / scale, -bottom / scale, table.width + right / scale, table.height + top / scale)
    layers = [*ground_layers(table, scale, style.wait), *unit_layers(battle)]
    if style.names:
        layers.append(names.name_layer(battle, scale, size=style.letters))
    if style.furniture:
        layers += _furniture(battle, scale, view)
    return Drawing(tuple(layers), view, scale, battle.title, "", colour("page", "paper"))


def _furniture(battle: Battle, scale: float, view: Box) -> list[Layer]:
    table = battle.table
    wide = table.width * scale
    head = Page(scale, 0.0, view[3])
    foot = Page(scale, 0.0, -(BAND - 4) / scale)
    size = f"{table.width:g} × {table.height:g} {table.unit}"
    count = sum(not u.is_general for u in battle.units)
    subtitle = size + (f"  ·  {how_many(count, noun(battle))}" if count else "")
    return [
        ruler(table.unit, (0.0, 0.0, table.width, table.height), scale),
        heading(head, wide, battle.title or "The table", subtitle, table.north),
        footing(foot, wide, battle),
    ]
