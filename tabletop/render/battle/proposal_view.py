"""The proposed action on the table: the path its unit would take, and where it would then stand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tabletop.battle.unit import standing
from tabletop.render.battle.game_model import GameModel
from tabletop.render.battle.refusal_view import LEFT_OUT, figure
from tabletop.render.drawing import scene
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.primitives import Drawing, Layer


def drawing(model: GameModel, camera: Camera) -> Drawing:
    """Return the path and end of a proposed move; nothing while a unit in hand shows both, or if no unit moves."""
    west, north = camera.to_table((0, 0))
    east, south = camera.to_table((camera.width, camera.height))
    return Drawing(tuple(_layers(model, camera.drawn)), (west, south, east, north), camera.drawn)


def _layers(model: GameModel, scale: float) -> Iterator[Layer]:
    proposal = model.chosen.proposal
    if proposal is None or model.table.drag is not None or not model.table.battle.has(proposal.action.unit or ""):
        return
    verdict = proposal.verdict
    after = verdict.measured.get("after")
    if after:
        shapes = tuple(replace(s, label="") for s in verdict.shapes if s.role not in LEFT_OUT)
        yield from scene.verdict_layer(verdict.with_(shapes=shapes), scale, model.table.battle).layers
        yield Layer("proposed", tuple(figure(standing(model.table.battle.unit(verdict.args[0]), after), "yes")))
