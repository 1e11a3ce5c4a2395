"""The log of a replay: every line of the battle, with the shown moment marked; clicking a line goes to its moment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tabletop.render.drawing.furniture import Page
from tabletop.render.drawing.lettering import wrapped
from tabletop.render.drawing.primitives import Item, Pen, Text
from tabletop.render.drawing.theme import colour
from tabletop.render.events.reel import Reel
from tabletop.render.painting.paper import HEAD, LETTERS, PAGE, ROW, line

#: Design pixels: padding above and below an entry, the column of numbers, margins, scrolling by a wheel notch.
AIR, NUMBERS, PAD, NOTCH = 4.0, 38.0, 10.0, 60.0
#: Colours of the entry shown and of the one under the cursor.
HERE, POINTED = "#f4dfa6", "#efe6cf"


@dataclass(frozen=True)
class Entry:
    """Some lines of the log: their moment, their top, and their text; ``opens`` is a turn that begins with it."""

    n: int
    top: float
    lines: tuple[str, ...]
    opens: int | None = None

    @property
    def high(self) -> float:
        return ROW * (len(self.lines) + (self.opens is not None)) + 2 * AIR


@dataclass
class Log:
    """The entries replayed so far, in a window ``wide`` by ``high``, scrolled down by ``top`` pixels."""

    reel: Reel
    wide: float
    high: float
    top: float = 0.0
    entries: list[Entry] = field(default_factory=list)
    _read: int = 0
    _turn: int = -1

    def grow(self) -> None:
        """Add the moments replayed since the last call."""
        for moment in self.reel.moments[self._read :]:
            for turn, text in moment.by_turn:
                lines = tuple(wrapped(text, LETTERS, self.wide - NUMBERS - 2 * PAD - 10))
                entry = Entry(moment.n, self.length, lines, turn if turn != self._turn else None)
                self.entries.append(entry)
                self._turn = turn
        self._read = len(self.reel.moments)

    @property
    def length(self) -> float:
        """The height of all entries together."""
        return self.entries[-1].top + self.entries[-1].high if self.entries else 0.0

    def at(self, y: float) -> Entry | None:
        """Return the entry at a pixel of its window."""
        return next((e for e in self.entries if e.top <= y + self.top < e.top + e.high), None)

    def of(self, n: int) -> Entry | None:
        """Return the entry of a moment: the last one up to it."""
        return next((entry for entry in reversed(self.entries) if entry.n <= n), None)

    def roll(self, notches: float) -> None:
        """Scroll up (positive) or down."""
        self._to(self.top - NOTCH * notches)

    def show(self, n: int) -> None:
        """Scroll the entry of a moment into view, with some of the entries before it."""
        entry = self.of(n)
        if entry is not None and not self.top <= entry.top <= self.top + self.high - entry.high:
            self._to(entry.top - min(0.4 * self.high, max(0.0, self.high - entry.high)))

    def _to(self, top: float) -> None:
        self.top = min(max(0.0, top), max(0.0, self.length - self.high))

    def items(self, n: int, pointed: Entry | None) -> Iterator[Item]:
        """Yield the visible entries, with that of moment ``n`` marked."""
        current = self.of(n)
        for entry in self.entries:
            if entry.top + entry.high > self.top and entry.top < self.top + self.high:
                yield from self._entry(entry, HERE if entry is current else POINTED if entry is pointed else None)
        yield from self._bar()

    def _entry(self, entry: Entry, mark: str | None) -> Iterator[Item]:
        y = entry.top - self.top + AIR
        if entry.opens is not None:
            if self._whole(y):
                yield line(PAD, y + ROW / 2, f"Turn {entry.opens}", "ink", "bold", HEAD)
            y += ROW
        if mark is not None:
            yield PAGE.panel(2, y - 2, self.wide - 8, y + ROW * len(entry.lines) + 2, mark)
        if mark == HERE:
            yield PAGE.panel(2, y - 2, 6, y + ROW * len(entry.lines) + 2, colour("page", "ink"))
        if self._whole(y):
            number = Page(1.0, 0.0, 0.0).at(PAD + NUMBERS - 10, y + ROW / 2)
            yield Text(number, str(entry.n), LETTERS, colour("page", "quiet"), anchor="end")
        for k, text in enumerate(entry.lines):
            if self._whole(y + ROW * k):
                yield line(PAD + NUMBERS, y + ROW * (k + 0.5), text)

    def _whole(self, y: float) -> bool:
        """Return whether a row at this height is wholly visible: partly visible rows are not shown."""
        return y >= -1 and y + ROW <= self.high + 1

    def _bar(self) -> Iterator[Item]:
        """Yield the scroll bar, if the log is longer than its window."""
        if self.length > self.high:
            share, size = self.top / self.length, self.high / self.length
            top = self.high * share
            tall = max(18.0, self.high * size)
            yield PAGE.panel(self.wide - 6, min(top, self.high - tall), self.wide - 2, min(top + tall, self.high),
                             colour("page", "panel_edge"), Pen(colour("page", "panel_edge"), 1.0))  # fmt: skip
