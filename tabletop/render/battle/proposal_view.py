"""What is proposed, where it would be done: the way a unit would go, and where it would then stand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tabletop.battle.unit import standing
from tabletop.render.battle.refusal_view import LEFT_OUT, figure
from tabletop.render.drawing import scene
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.primitives import Drawing, Layer

if TYPE_CHECKING:
    from tabletop.render.battle.doing import DoingDesk


def drawing(desk: DoingDesk, camera: Camera) -> Drawing:
    """Return the way and the end of what is proposed; nothing where a unit in hand shows both, or nobody moves."""
    west, north = camera.to_table((0, 0))
    east, south = camera.to_table((camera.width, camera.height))
    return Drawing(tuple(_layers(desk, camera.drawn)), (west, south, east, north), camera.drawn)


def _layers(desk: DoingDesk, scale: float) -> Iterator[Layer]:
    proposal = desk.proposal
    if proposal is None or desk.drag is not None or not desk.battle.has(proposal.action.unit or ""):
        return
    verdict = proposal.verdict
    after = verdict.measured.get("after")
    if after:
        shapes = tuple(replace(s, label="") for s in verdict.shapes if s.role not in LEFT_OUT)
        yield from scene.verdict_layer(verdict.with_(shapes=shapes), scale, desk.battle).layers
        yield Layer("proposed", tuple(figure(standing(desk.battle.unit(verdict.args[0]), after), "yes")))
