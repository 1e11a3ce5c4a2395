"""The layout of a table's window: the table gets whatever space the docked parts leave, and most of the window.

No docked part lies over the table. The log stands beside the table or under it, whichever leaves the table larger; in a
narrow window the legend takes the panel's place.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pygame

#: Pixels at scale 1: the bar on top, a row of switches at the bottom, the panel, the slim panel of windows below the
#: last width.
BAR, SWITCHES, WIDE, SLIM, NARROW = 44, 36, 388, 330, 1000
#: The left column with the log, or with the legend; the log's height under the table; the height of a tall window, and
#: the log's height there.
BESIDE, COLUMN, LOG, TALL, LOG_TALL = 264, 304, 118, 900, 170
#: Minimum size of the table in pixels: its width beside a column, its height above a log.
LEAST_WIDE, LEAST_HIGH = 420, 240


def _nowhere() -> pygame.Rect:
    return pygame.Rect(0, 0, 0, 0)


@dataclass(frozen=True)
class Parts:
    """The parts docked around the table: ``bar`` and ``log`` only in a battle, ``rows`` of switches, and a ``strip`` of
    this height (pixels at scale 1) under it.
    """

    bar: bool = False
    panel: bool = True
    log: bool = False
    legend: bool = False
    rows: int = 1
    strip: float = 0


@dataclass(frozen=True)
class Layout:
    """The rectangles of all parts in pixels of the window; a hidden part is empty."""

    table: pygame.Rect
    switches: pygame.Rect
    bar: pygame.Rect = field(default_factory=_nowhere)
    panel: pygame.Rect = field(default_factory=_nowhere)
    log: pygame.Rect = field(default_factory=_nowhere)
    legend: pygame.Rect = field(default_factory=_nowhere)
    strip: pygame.Rect = field(default_factory=_nowhere)

    @property
    def docked(self) -> tuple[pygame.Rect, ...]:
        """The rectangles taken by docked parts."""
        rects = (self.bar, self.switches, self.panel, self.log, self.legend, self.strip)
        return tuple(place for place in rects if place.width and place.height)


def laid_out(window: tuple[int, int], scale: float, table: tuple[float, float], parts: Parts) -> Layout:
    """Return the layout of a window that shows a table of this width and height.

    >>> laid_out((1280, 720), 1.0, (48.0, 72.0), Parts(bar=True, log=True)).table.size
    (628, 640)
    >>> laid_out((1280, 720), 1.0, (72.0, 48.0), Parts(bar=True, log=True)).table.size
    (892, 522)
    """
    wide, high = window
    bar, switches = (round(n * scale) for n in (BAR * parts.bar, SWITCHES * parts.rows))
    panel = round((WIDE if wide / scale >= NARROW else SLIM) * scale) if parts.panel else 0
    body = pygame.Rect(0, bar, max(1, wide - panel), max(1, high - bar - switches))
    beside = pygame.Rect(wide - panel, bar, panel, body.height)
    column = round(COLUMN * scale)
    legend, log = _nowhere(), _nowhere()
    if parts.legend and body.width - column < LEAST_WIDE * scale:
        taken = min(wide, max(column, panel))
        legend = pygame.Rect(wide - taken, bar, taken, body.height)
        body = pygame.Rect(0, bar, max(1, wide - taken), body.height)
    elif parts.legend:
        legend, body = _split(body, column)
    if parts.log and legend.left == 0 and legend.width:
        log_high = min(_log(high, scale), legend.height // 2)
        log = pygame.Rect(0, legend.bottom - log_high, legend.width, log_high)
        legend = pygame.Rect(0, legend.top, legend.width, legend.height - log_high)
    elif parts.log:
        log, body = _beside_or_under(body, high, scale, table)
    body, strip = _strip(body, round(parts.strip * scale))
    foot, head = pygame.Rect(0, high - switches, wide, switches), pygame.Rect(0, 0, wide, bar)
    return Layout(body, foot, head, beside, log, legend, strip)


def _strip(body: pygame.Rect, high: int) -> tuple[pygame.Rect, pygame.Rect]:
    """Return what a strip of this height leaves of a rectangle, and the strip at its bottom."""
    if not high:
        return body, _nowhere()
    left = max(1, body.height - high)
    return pygame.Rect(body.left, body.top, body.width, left), pygame.Rect(body.left, body.top + left, body.width, high)


def _split(body: pygame.Rect, column: int) -> tuple[pygame.Rect, pygame.Rect]:
    """Return a column cut from the left of a rectangle, and the rest of it."""
    left = pygame.Rect(body.left, body.top, column, body.height)
    return left, pygame.Rect(left.right, body.top, max(1, body.width - column), body.height)


def _log(high: int, scale: float) -> int:
    return round((LOG_TALL if high / scale >= TALL else LOG) * scale)


def _beside_or_under(
    body: pygame.Rect, high: int, scale: float, table: tuple[float, float]
) -> tuple[pygame.Rect, pygame.Rect]:
    """Return the rectangles of log and table: side by side, or one below the other if that shows the table larger."""
    column, under = round(BESIDE * scale), min(_log(high, scale), max(0, body.height - round(LEAST_HIGH * scale)))
    left = _split(body, column)
    low = pygame.Rect(body.left, body.top, body.width, max(1, body.height - under))
    if _shown(left[1], table) >= _shown(low, table) and left[1].width >= LEAST_WIDE * scale:
        return left
    return pygame.Rect(body.left, low.bottom, body.width, body.bottom - low.bottom), low


def _shown(place: pygame.Rect, table: tuple[float, float]) -> float:
    """Return the scale at which the whole table fits a rectangle, in pixels a unit."""
    return min(place.width / table[0], place.height / table[1])
