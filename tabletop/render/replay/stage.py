"""The table of a replay: the still picture as in play, with movement and marks drawn over it."""

from __future__ import annotations

import pygame

from tabletop.battle.battle import Battle
from tabletop.render.drawing import scene
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.objectives import objective_layer
from tabletop.render.drawing.primitives import Drawing, Layer
from tabletop.render.drawing.traces import Trace
from tabletop.render.events import marks
from tabletop.render.events.beats import Seen
from tabletop.render.events.traces import Traces
from tabletop.render.painting.painter import paint
from tabletop.render.replay.playhead import Playhead
from tabletop.render.table.canvas import Canvas
from tabletop.render.table.model import TableModel
from tabletop.render.table.picture import Picture


class Stage:
    """Draws a replay's table."""

    def __init__(self, battle: Battle) -> None:
        self.picture = _picture(battle, (), ())
        self._canvas, self._traces = Canvas(), Traces()
        self._kept: tuple[object, float, tuple[Layer, ...]] | None = None

    def draw(self, table: pygame.Surface, head: Playhead, camera: Camera) -> None:
        """Draw the table at the replay's position."""
        before = self.picture.drawn
        seen = self._stands(head)
        self._canvas.hurried = seen.battle is not before
        self._canvas.draw(table, self.picture, camera, plates=False)
        over = self._over(seen, head, camera.drawn)
        for drawing in over:
            paint(table, drawing, camera, camera.density)
        self._canvas.plates(table, self.picture, camera, [layer for drawing in over for layer in drawing.layers])

    def covered(self) -> None:
        """Drop the painted pictures of the table."""
        self._canvas = Canvas()

    def drawings(self, head: Playhead, camera: Camera) -> tuple[Drawing, ...]:
        """Return the table as drawings, the lowest first."""
        seen = self._stands(head)
        self._canvas.hurried = False
        return self._canvas.drawings(self.picture, camera, self._over(seen, head, camera.drawn))

    def _stands(self, head: Playhead) -> Seen:
        """Set the picture to the replay's position; return what is seen there."""
        seen = head.moment.act.seen(head.share)
        left = self._traces.seen_in(head.reel, head.moment, seen)
        self.picture = _picture(seen.battle, () if seen.mover is None else (seen.mover.id,), left)
        return seen

    def _over(self, seen: Seen, head: Playhead, scale: float) -> list[Drawing]:
        """Return the drawings over the units: rings, paths and words, and the moving unit."""
        battle = seen.battle
        whole = (0.0, 0.0, battle.table.width, battle.table.height)
        if seen.beat is None:
            return [Drawing(self._done(head, scale), whole, scale)]
        layers = (objective_layer(battle), marks.doing(head.moment.act.beats, seen, scale))
        moving = [] if seen.mover is None else [scene.unit_layer(seen.with_mover, only=(seen.mover.id,))]
        return [*moving, Drawing(layers, whole, scale)]

    def _done(self, head: Playhead, scale: float) -> tuple[Layer, ...]:
        """Return the marks of the finished action, made once."""
        moment = head.moment
        if self._kept is None or self._kept[0] is not moment or self._kept[1] != scale:
            self._kept = (moment, scale, (objective_layer(moment.battle), marks.done(moment.act.beats, scale)))
        return self._kept[2]


def _picture(battle: Battle, leaving: tuple[str, ...], left: tuple[Trace, ...]) -> Picture:
    """Return the picture of a table without measuring; a moving unit is faint where it set out."""
    return Picture(TableModel(battle, overlays=frozenset()), battle, battle, faint=leaving, traces=left)
