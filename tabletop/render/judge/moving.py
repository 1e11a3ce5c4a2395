"""Moving, turning and copying rows of units and terrain as rigid bodies, and showing them during a drag."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.measure import Point, heading
from tabletop.play.files.draft import Row, entered, entered_facing

#: Keys with one point, and with several.
POINTS, TRACKS = ("at", "front_mid"), ("track", "outline", "line")


@dataclass(frozen=True)
class Motion:
    """A turn (degrees, clockwise) about a point, followed by a shift."""

    shift: Point = (0.0, 0.0)
    turn: float = 0.0
    about: Point = (0.0, 0.0)

    def of(self, point: Sequence[float]) -> Point:
        """Return a point after the motion."""
        s, c = heading(self.turn)
        dx, dy = point[0] - self.about[0], point[1] - self.about[1]
        x, y = self.about[0] + c * dx + s * dy, self.about[1] - s * dx + c * dy
        return x + self.shift[0], y + self.shift[1]

    def of_unit(self, unit: Unit) -> Unit:
        """Return a unit after the motion."""
        return unit.turned(self.turn, self.about).moved(*self.shift)

    def of_row(self, row: Row) -> Row:
        """Return a row after the motion, on the measuring grid."""
        moved: dict[str, Any] = dict(row)
        for key in POINTS:
            if row.get(key) is not None:
                moved[key] = entered(self.of(row[key]))
        for key in TRACKS:
            if row.get(key) is not None:
                moved[key] = [entered(self.of(point)) for point in row[key]]
        if self.turn and (row.get("facing") is not None or "size" in row):
            moved["facing"] = entered_facing((row.get("facing") or 0.0) + self.turn)
        return moved


def outline_of(row: Row) -> list[Point]:
    """Return the corners of a piece of terrain, or the points of its line."""
    if "at" in row:
        x, y = row["at"]
        corners = Base.entered(x, y, row.get("facing") or 0.0, *row["size"]).corners
        return [(a, b) for a, b in corners.tolist()]
    return [(float(x), float(y)) for x, y in row.get("outline") or row["line"]]


def with_outline(row: Row, points: Iterable[Point]) -> Row:
    """Return a piece with other corners; a box becomes an outline."""
    key = "line" if "line" in row else "outline"
    kept = {k: v for k, v in row.items() if k not in ("at", "size", "facing")}
    return {**kept, key: [entered(point) for point in points]}


def middle(points: Iterable[Sequence[float]]) -> Point:
    """Return the mean of some points."""
    listed = list(points)
    return sum(p[0] for p in listed) / len(listed), sum(p[1] for p in listed) / len(listed)
