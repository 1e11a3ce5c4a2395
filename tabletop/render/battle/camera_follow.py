"""Follow the action: move the camera smoothly to events out of sight, and no farther than needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tabletop.geometry.measure import Point
from tabletop.render.drawing.camera import Camera

#: Share of the view along each edge that counts as out of sight; seconds a camera move takes.
EDGE, SECONDS = 0.1, 0.45


def toward(camera: Camera, points: Sequence[Point]) -> Camera | None:
    """Return the camera moved as little as possible to show all points; None if it shows them already."""
    if not points:
        return None
    seen = [camera.to_screen(point) for point in points]
    west, east = min(x for x, _ in seen), max(x for x, _ in seen)
    north, south = min(y for _, y in seen), max(y for _, y in seen)
    if _inside(camera, west, north) and _inside(camera, east, south):
        return None
    wide, high = camera.width * (1 - 2 * EDGE), camera.height * (1 - 2 * EDGE)
    shrunk = min(1.0, wide / max(1.0, east - west), high / max(1.0, south - north))
    middle = ((west + east) / 2, (north + south) / 2)
    if shrunk < 1.0:
        camera = camera.zoomed(shrunk, middle, 0.0)
        return camera.panned(camera.width / 2 - middle[0], camera.height / 2 - middle[1])
    return camera.panned(
        _into(west, east, camera.width * EDGE, camera.width * (1 - EDGE)),
        _into(north, south, camera.height * EDGE, camera.height * (1 - EDGE)),
    )


def _inside(camera: Camera, x: float, y: float) -> bool:
    aside, up = camera.width * EDGE / 2, camera.height * EDGE / 2
    return aside <= x <= camera.width - aside and up <= y <= camera.height - up


def _into(low: float, high: float, least: float, most: float) -> float:
    """Return how far to move an interval so that it lies between two bounds."""
    return least - low if low < least else min(0.0, most - high)


@dataclass
class CameraMove:
    """A camera move in progress."""

    start: Camera | None = None
    end: Camera | None = None
    passed: float = 0.0

    def go(self, start: Camera, end: Camera | None) -> None:
        """Start a move; with ``end`` None, stay."""
        self.start, self.end, self.passed = start, end, 0.0

    def stay(self) -> None:
        """Stop the move: the player has taken over the camera."""
        self.end = None

    def tick(self, camera: Camera, seconds: float) -> Camera:
        """Return the camera after this many more seconds."""
        if self.start is None or self.end is None:
            return camera
        self.passed += seconds
        share = min(1.0, self.passed / SECONDS)
        gone = share * share * (3.0 - 2.0 * share)
        start, end = self.start, self.end
        if share >= 1.0:
            self.end = None
        return replace(
            camera,
            scale=start.scale + gone * (end.scale - start.scale),
            left=start.left + gone * (end.left - start.left),
            top=start.top + gone * (end.top - start.top),
        )
