"""The camera: which part of the table the window shows, and how big."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tabletop.geometry.measure import Point
from tabletop.render.drawing.primitives import Box

#: Maximum pixels a table unit: beyond it a base would fill the window.
CLOSEST = 400.0
#: The whole table may shrink to this share of the size at which it fills the view.
FARTHEST = 0.5


@dataclass(frozen=True)
class Camera:
    """``scale`` pixels a table unit; (``left``, ``top``) the table point at the view's top left corner.

    ``width`` and ``height`` are the view's size in pixels. Screen y runs down, table y runs up. ``density`` is the
    number of view pixels to one pixel of a drawing: 2 on a screen so fine that lettering would otherwise be too small.
    """

    scale: float
    left: float
    top: float
    width: int
    height: int
    density: float = 1.0

    @classmethod
    def fitting(
        cls, table: tuple[float, float], view: tuple[int, int], border: float = 0.02, density: float = 1.0
    ) -> Camera:
        """Return a camera that shows the whole table, centred, with a border (a share of the view)."""
        width, height = view
        scale = min(width * (1 - 2 * border) / table[0], height * (1 - 2 * border) / table[1])
        return cls(scale, table[0] / 2 - width / 2 / scale, table[1] / 2 + height / 2 / scale, width, height, density)

    @property
    def drawn(self) -> float:
        """Drawing pixels a table unit: the scale for placing things measured in pixels."""
        return self.scale / self.density

    @property
    def view(self) -> Box:
        """The part of the table in view, and beyond its edges."""
        (west, north), (east, south) = self.to_table((0.0, 0.0)), self.to_table((self.width, self.height))
        return west, south, east, north

    def to_screen(self, point: Point) -> Point:
        """Return the pixel (x right, y down) at which a table point shows."""
        return (point[0] - self.left) * self.scale, (self.top - point[1]) * self.scale

    def to_table(self, pixel: tuple[float, float]) -> Point:
        """Return the table point under a pixel."""
        return self.left + pixel[0] / self.scale, self.top - pixel[1] / self.scale

    def zoomed(self, factor: float, pixel: tuple[float, float], smallest: float) -> Camera:
        """Return this camera zoomed about the table point under ``pixel``, which stays where it is."""
        scale = min(CLOSEST * self.density, max(smallest * FARTHEST, self.scale * factor))
        x, y = self.to_table(pixel)
        return replace(self, scale=scale, left=x - pixel[0] / scale, top=y + pixel[1] / scale)

    def panned(self, right: float, down: float) -> Camera:
        """Return this camera after the table was dragged by (right, down) pixels."""
        return replace(self, left=self.left - right / self.scale, top=self.top + down / self.scale)

    def kept_on(self, table: tuple[float, float]) -> Camera:
        """Return this camera moved so that its centre lies on the table: the table cannot be lost from view."""
        x, y = self.to_table((self.width / 2, self.height / 2))
        dx = min(max(x, 0.0), table[0]) - x
        dy = min(max(y, 0.0), table[1]) - y
        return replace(self, left=self.left + dx, top=self.top + dy)

    def shows_all(self, table: tuple[float, float]) -> bool:
        """Return whether this is the camera that fits the table into the view."""
        fit = Camera.fitting(table, (self.width, self.height), density=self.density)
        return (self.scale, self.left, self.top) == (fit.scale, fit.left, fit.top)

    def refitted(self, table: tuple[float, float], view: tuple[int, int], density: float) -> Camera:
        """Return this camera for a view of another size or density.

        One that shows the whole table still does; another keeps the point at its centre and shows as much of the table.
        """
        fit = Camera.fitting(table, view, density=density)
        if self.shows_all(table):
            return fit
        whole = Camera.fitting(table, (self.width, self.height))
        middle = (self.width / 2, self.height / 2)
        return replace(self.zoomed(fit.scale / whole.scale, middle, 0.0).resized(view), density=density)

    def resized(self, view: tuple[int, int]) -> Camera:
        """Return this camera for a view of another size, with the same point at the centre."""
        x, y = self.to_table((self.width / 2, self.height / 2))
        return replace(
            self,
            width=view[0],
            height=view[1],
            left=x - view[0] / 2 / self.scale,
            top=y + view[1] / 2 / self.scale,
        )
