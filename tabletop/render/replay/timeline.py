"""The timeline under a replay: every moment of the battle, the turns, each side's losses, and the slider."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tabletop.battle.naming import side_name
from tabletop.render.drawing.lettering import shortened, width
from tabletop.render.drawing.primitives import Area, Circle, Item, Lines, Pen, Text
from tabletop.render.drawing.theme import colour, side_styles
from tabletop.render.events.reel import Reel
from tabletop.render.painting.paper import LETTERS, PAGE, line

#: Design pixels: the total height; the vertical centre; room for the sides' names and beyond the end.
HIGH, MIDDLE, LEFT, RIGHT = 62.0, 38.0, 124.0, 22.0
#: Pixels of a loss mark: minimum, addition for each base, maximum; its width; the slider; gap between turn numbers.
LEAST, EACH, MOST, WIDE, KNOB, AIR = 5.0, 3.0, 15.0, 3.0, 8.0, 14.0


@dataclass(frozen=True)
class Rail:
    """The timeline of a battle, ``wide`` design pixels in all."""

    reel: Reel
    wide: float

    @property
    def ends(self) -> tuple[float, float]:
        """The pixels of the first and last moment."""
        return LEFT, max(LEFT + 1.0, self.wide - RIGHT)

    def x_of(self, n: int) -> float:
        """Return the pixel of a moment."""
        start, end = self.ends
        return start + (end - start) * n / max(1, self.reel.length - 1)

    def n_of(self, x: float) -> int:
        """Return the moment nearest to a pixel."""
        start, end = self.ends
        share = min(1.0, max(0.0, (x - start) / (end - start)))
        return round(share * (self.reel.length - 1))

    def turn_at(self, x: float, y: float) -> int | None:
        """Return the turn whose number is at a place, None if none is."""
        if y > MIDDLE - MOST - 4:
            return None
        turns = [turn for turn, at in self._numbered() if abs(at - x) <= width(str(turn), LETTERS) / 2 + AIR / 2]
        return turns[0] if turns else None

    # --- drawing -----------------------------------------------------------------------------------------------------

    def still(self) -> Iterator[Item]:
        """Yield the parts that do not change while the slider moves."""
        start, end = self.ends
        ink, edge = colour("page", "ink"), colour("page", "panel_edge")
        yield from self._sides()
        yield Lines(((PAGE.at(start, MIDDLE), PAGE.at(end, MIDDLE)),), Pen(edge, 4.0))
        yield Lines(((PAGE.at(start, MIDDLE), PAGE.at(self.x_of(self.reel.last), MIDDLE)),), Pen(ink, 2.0))
        for n in self.reel.turns.values():
            x = self.x_of(n)
            yield Lines(((PAGE.at(x, MIDDLE - MOST - 4), PAGE.at(x, MIDDLE + MOST + 2)),), Pen(edge, 1.5))
        for turn, x in self._numbered():
            yield Text(PAGE.at(x, 10.0), str(turn), LETTERS, colour("page", "quiet"))
        yield from self._losses()

    def _numbered(self) -> Iterator[tuple[int, float]]:
        """Yield the turns whose numbers have room, with the pixel of each."""
        last = -1e9
        for turn, n in self.reel.turns.items():
            x, half = self.x_of(n), width(str(turn), LETTERS) / 2
            if turn > 0 and x - half - AIR / 2 >= last:
                last = x + half + AIR / 2
                yield turn, x

    def _sides(self) -> Iterator[Item]:
        yield line(10.0, 10.0, "Turn", "quiet")
        styles = side_styles(self.reel.sides)
        for k, side in enumerate(self.reel.sides[:2]):
            y = MIDDLE + (9.0 if k else -9.0)
            yield PAGE.panel(10.0, y - 6, 22.0, y + 6, styles[side].fill, Pen(colour("page", "ink"), 1.0))
            yield line(28.0, y, shortened(f"{side_name(side)} lost", LETTERS, LEFT - 40.0), "quiet")

    def _losses(self) -> Iterator[Item]:
        """Yield a stroke for every loss, up for the first side, down for the others; a lost unit adds a dot."""
        styles = side_styles(self.reel.sides)
        for n, side, bases, units in self.reel.losses():
            x, way = self.x_of(n), -1.0 if side == self.reel.sides[0] else 1.0
            tip = MIDDLE + way * min(MOST, LEAST + EACH * bases)
            yield Lines(((PAGE.at(x, MIDDLE), PAGE.at(x, tip)),), Pen(styles[side].deep, WIDE, round=False))
            if units:
                yield Circle(PAGE.at(x, tip), 3.5, fill=styles[side].deep, pixels=True)

    def slide(self, n: int, playing: bool) -> Iterator[Item]:
        """Yield the slider at a moment."""
        x, ink = self.x_of(n), colour("answer", "yes") if playing else colour("page", "ink")
        yield Lines(((PAGE.at(x, MIDDLE - MOST - 4), PAGE.at(x, MIDDLE + MOST + 2)),), Pen(ink, 2.0))
        yield Circle(PAGE.at(x, MIDDLE), KNOB, fill="#ffffff", pen=Pen(ink, 3.0), pixels=True)

    def pointed(self, n: int) -> Iterator[Item]:
        """Yield a pointer at the moment to which a click would move the slider."""
        x = self.x_of(n)
        tip = (PAGE.at(x, MIDDLE - 7), PAGE.at(x - 5, MIDDLE - 15), PAGE.at(x + 5, MIDDLE - 15))
        yield Area((tip,), colour("page", "quiet"))
