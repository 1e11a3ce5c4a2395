"""The mouse on the judge's table: the meaning of a press, a drag and a click on each page of the panel."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tabletop.geometry.measure import Point
from tabletop.render.drawing.camera import Camera
from tabletop.render.judge import arriving, objectives
from tabletop.render.judge.controller import JudgeController, Mode
from tabletop.render.judge.marks import between, handled
from tabletop.render.judge.moving import outline_of

#: Design pixels: how far a press may stray and still be a click; reach of a handle; reach of a line.
SLACK, REACH, THIN = 5, 13.0, 6.0


@dataclass
class Press:
    """The left button held down: where it was pressed on the table, whether Shift was held, and what it drags."""

    pixel: tuple[int, int]
    point: Point
    shift: bool
    moved: bool = False
    boxing: bool = False
    panning: bool = False
    corner: int | None = None


class Mouse:
    """Turns actions of the left button into actions of the controller. Places are pixels of the table's view."""

    def __init__(self) -> None:
        self.press: Press | None = None
        self._at: Point = (0.0, 0.0)

    @property
    def panning(self) -> bool:
        """Whether the table is being panned."""
        return self.press is not None and self.press.panning

    def box(self) -> tuple[Point, Point] | None:
        """Return the two corners of the selection box being drawn, None if there is none."""
        return (self.press.point, self._at) if self.press is not None and self.press.boxing else None

    def down(self, controller: JudgeController, camera: Camera, pixel: tuple[int, int], shift: bool) -> None:
        """Handle a press of the button."""
        point = camera.to_table(pixel)
        self.press, self._at = Press(pixel, point, shift), point
        if controller.mode is Mode.PHOTO and controller.backdrop.picking:
            self.press.corner = _photo_corner(controller, camera, pixel)
        elif controller.mode is Mode.EDIT:
            self._down_on_handle(controller, camera, pixel)

    def _down_on_handle(self, controller: JudgeController, camera: Camera, pixel: tuple[int, int]) -> None:
        row = handled(controller)
        if row is None:
            return
        reach = REACH * camera.density
        corner = _nearest(camera, outline_of(row), pixel, reach)
        middle = None if corner is not None else _nearest(camera, between(row), pixel, reach)
        if corner is not None:
            controller.pull(row["id"], corner, outline_of(row)[corner])
        elif middle is not None:
            controller.pull(row["id"], middle + 1, camera.to_table(pixel), new=True)

    def move(self, controller: JudgeController, camera: Camera, pixel: tuple[int, int]) -> None:
        """Handle a motion of the mouse."""
        self._at = camera.to_table(pixel)
        press = self.press
        if press is None:
            return
        if not press.moved and _far(press.pixel, pixel, SLACK * camera.density):
            press.moved = True
            self._dragged(controller, camera, press)
        if not press.moved:
            return
        if press.corner is not None:
            _put_photo_corner(controller, press.corner, self._at)
        else:
            controller.drag_to(self._at)

    def _dragged(self, controller: JudgeController, camera: Camera, press: Press) -> None:
        """Begin the action of a drag: move what is under it, draw a box, or pan."""
        if controller.pulled is not None or press.corner is not None:
            return
        begin = {
            Mode.EDIT: self._drag_in_edit, Mode.ASK: self._drag_in_ask, Mode.ARMY: self._drag_in_edit,
            Mode.BATTLE: self._drag_in_edit,
        }.get(controller.mode)  # fmt: skip
        if begin is None or not begin(controller, camera, press):
            press.panning = not press.boxing

    def _drag_in_edit(self, controller: JudgeController, camera: Camera, press: Press) -> bool:
        unit = controller.unit_at(press.point)
        name = unit.id if unit is not None else controller.piece_at(press.point, _slack(camera))
        if unit is not None and unit.id not in controller.selected:
            controller.select([unit.id], press.shift)
        if name is None or name not in controller.selected:
            press.boxing = True
            return False
        controller.take(press.point)
        return True

    def _drag_in_ask(self, controller: JudgeController, camera: Camera, press: Press) -> bool:
        unit = controller.unit_at(press.point)
        if unit is None:
            return False
        controller.select([unit.id])
        controller.take(press.point)
        return True

    def up(self, controller: JudgeController, camera: Camera, pixel: tuple[int, int]) -> None:
        """Handle the release of the button."""
        press, self.press = self.press, None
        if press is None:
            return
        point = camera.to_table(pixel)
        if press.boxing:
            controller.select_box(press.point, point, press.shift)
        elif press.moved and (controller.held is not None or controller.pulled is not None):
            controller.drag_to(point)
            controller.release()
        elif controller.pulled is not None:
            _clicked_handle(controller)
        elif not press.moved:
            CLICKS.get(controller.mode, _nothing)(controller, camera, pixel, press.shift)

    def let_go(self) -> None:
        """Forget a press."""
        self.press = None


def _far(a: tuple[int, int], b: tuple[int, int], slack: float) -> bool:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1])) > slack


def _slack(camera: Camera) -> float:
    return THIN * camera.density / camera.scale


def _nearest(camera: Camera, points: list[Point], pixel: tuple[int, int], reach: float) -> int | None:
    away = [math.dist(camera.to_screen(point), pixel) for point in points]
    best = min(range(len(away)), key=away.__getitem__, default=None)
    return best if best is not None and away[best] <= reach else None


def _photo_corner(controller: JudgeController, camera: Camera, pixel: tuple[int, int]) -> int | None:
    """Return the handle on the photo that is pressed; the camera measures the photo's pixels, y up."""
    photo = controller.backdrop.photo
    if photo is None:
        return None
    high = float(photo.picture.height)
    return _nearest(camera, [(x, high - y) for x, y in photo.corners], pixel, 2 * REACH * camera.density)


def _put_photo_corner(controller: JudgeController, number: int, at: Point) -> None:
    photo = controller.backdrop.photo
    if photo is not None:
        controller.backdrop.photo = photo.with_corner(number, (at[0], photo.picture.height - at[1]))


def _clicked_handle(controller: JudgeController) -> None:
    """Let go of a handle that was only clicked, moving nothing; a click on the middle of an edge adds no corner."""
    controller.pulled = None


# --- clicks ----------------------------------------------------------------------------------------------------------


def _nothing(controller: JudgeController, camera: Camera, pixel: tuple[int, int], shift: bool) -> None:
    return


def _place(controller: JudgeController, camera: Camera, pixel: tuple[int, int], shift: bool) -> None:
    corners = controller.placing.corners
    if len(corners) > 2 and math.dist(camera.to_screen(corners[0]), pixel) <= REACH * camera.density:
        controller.close_piece(closed=True)
    else:
        controller.place(camera.to_table(pixel))


def _select(controller: JudgeController, camera: Camera, pixel: tuple[int, int], shift: bool) -> None:
    point = camera.to_table(pixel)
    unit = controller.unit_at(point)
    name = unit.id if unit is not None else controller.piece_at(point, _slack(camera))
    if name is not None or not shift:
        controller.select([name] if name is not None else [], shift)


def _trace(controller: JudgeController, camera: Camera, pixel: tuple[int, int], shift: bool) -> None:
    if controller.backdrop.tracing and not controller.backdrop.picking:
        controller.trace(camera.to_table(pixel))


def _ask(controller: JudgeController, camera: Camera, pixel: tuple[int, int], shift: bool) -> None:
    controller.click(camera.to_table(pixel), by=shift)


def _battle(controller: JudgeController, camera: Camera, pixel: tuple[int, int], shift: bool) -> None:
    """Use the chosen tool of the page *Battle*; without one a click selects."""
    point = camera.to_table(pixel)
    if not objectives.clicked(controller, point) and not arriving.clicked(controller, point):
        _select(controller, camera, pixel, shift)


CLICKS: Mapping[Mode, Callable[[JudgeController, Camera, tuple[int, int], bool], None]] = {
    Mode.PLACE: _place, Mode.EDIT: _select, Mode.PHOTO: _trace, Mode.ASK: _ask,
    Mode.BATTLE: _battle, Mode.ARMY: _select,
}  # fmt: skip
