"""Where everything of a table's window lies: the table has what the docked parts leave, and the larger half of it.

Nothing docked ever lies over the table. The log stands beside the table or under it, wherever that leaves the table
larger; a narrow window lends the panel's place to the legend.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pygame

#: Pixels at scale 1: the bar on top, a row of the switches at the foot, the panel, and the panel of a narrow window.
BAR, SWITCHES, WIDE, SLIM, NARROW = 44, 36, 388, 330, 1000
#: The column at the left, of the log or with the legend; the log's height under the table; the same in a high window.
BESIDE, COLUMN, LOG, TALL, LOG_TALL = 264, 304, 118, 900, 170
#: The table keeps so many pixels at least beside a column, and so many above a log.
LEAST_WIDE, LEAST_HIGH = 420, 240


def _nowhere() -> pygame.Rect:
    return pygame.Rect(0, 0, 0, 0)


@dataclass(frozen=True)
class Parts:
    """What is docked round the table: ``bar`` and ``log`` only where a battle is played, ``rows`` of switches, and a
    ``strip`` so high (pixels at scale 1) under it."""

    bar: bool = False
    panel: bool = True
    log: bool = False
    legend: bool = False
    rows: int = 1
    strip: float = 0


@dataclass(frozen=True)
class Layout:
    """The places of all parts in pixels of the window; one that is put away has no size."""

    table: pygame.Rect
    switches: pygame.Rect
    bar: pygame.Rect = field(default_factory=_nowhere)
    panel: pygame.Rect = field(default_factory=_nowhere)
    log: pygame.Rect = field(default_factory=_nowhere)
    legend: pygame.Rect = field(default_factory=_nowhere)
    strip: pygame.Rect = field(default_factory=_nowhere)

    @property
    def docked(self) -> tuple[pygame.Rect, ...]:
        """The places round the table that are taken."""
        found = (self.bar, self.switches, self.panel, self.log, self.legend, self.strip)
        return tuple(place for place in found if place.width and place.height)


def laid_out(window: tuple[int, int], scale: float, table: tuple[float, float], parts: Parts) -> Layout:
    """Return the layout of a window in which a table of such a width and height is shown.

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
    """Return what a strip so high leaves of a place, and the strip at its foot."""
    if not high:
        return body, _nowhere()
    left = max(1, body.height - high)
    return pygame.Rect(body.left, body.top, body.width, left), pygame.Rect(body.left, body.top + left, body.width, high)


def _split(body: pygame.Rect, column: int) -> tuple[pygame.Rect, pygame.Rect]:
    """Return a column cut from the left of a place, and what is left of it."""
    left = pygame.Rect(body.left, body.top, column, body.height)
    return left, pygame.Rect(left.right, body.top, max(1, body.width - column), body.height)


def _log(high: int, scale: float) -> int:
    return round((LOG_TALL if high / scale >= TALL else LOG) * scale)


def _beside_or_under(
    body: pygame.Rect, high: int, scale: float, table: tuple[float, float]
) -> tuple[pygame.Rect, pygame.Rect]:
    """Return the log's place and the table's: beside each other, or one under the other where that shows more."""
    column, under = round(BESIDE * scale), min(_log(high, scale), max(0, body.height - round(LEAST_HIGH * scale)))
    left = _split(body, column)
    low = pygame.Rect(body.left, body.top, body.width, max(1, body.height - under))
    if _shown(left[1], table) >= _shown(low, table) and left[1].width >= LEAST_WIDE * scale:
        return left
    return pygame.Rect(body.left, low.bottom, body.width, body.bottom - low.bottom), low


def _shown(place: pygame.Rect, table: tuple[float, float]) -> float:
    """Return how large the whole table shows in a place, in pixels a unit."""
    return min(place.width / table[0], place.height / table[1])
