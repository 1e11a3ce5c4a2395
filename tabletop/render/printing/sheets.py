"""How a table is cut into sheets of paper: the part each shows, at one inch to the inch, with overlaps.

Lengths on paper are points, 72 to the inch; places on the table are table units.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from tabletop.battle.lengths import PER_INCH
from tabletop.errors import BadQuestion
from tabletop.render.drawing.primitives import Box

#: Points to the inch.
POINT = 72.0
#: Sheets by name: width and height in points, upright.
PAPERS: Mapping[str, tuple[float, float]] = {"A4": (595.276, 841.89), "Letter": (612.0, 792.0)}
#: Width that no printer reaches at the edges, and width that two neighbouring sheets both show (points).
MARGIN, OVERLAP = 30.0, 28.8
#: Maximum number of sheets.
MOST = 200


@dataclass(frozen=True)
class Sheet:
    """One sheet: its row from the north and column from the west, from 1, and the part of the table it shows."""

    row: int
    column: int
    view: Box

    @property
    def name(self) -> str:
        """A letter for the row and a number for the column: A1 is the north-west corner."""
        return f"{letters(self.row)}{self.column}"


@dataclass(frozen=True)
class Plan:
    """The sheets of a table: the paper (points), points to a table unit, and the numbers of rows and columns."""

    paper: tuple[float, float]
    scale: float
    rows: int
    columns: int
    sheets: tuple[Sheet, ...]


def letters(number: int) -> str:
    """Return the letters of a row.

    >>> letters(1), letters(26), letters(27)
    ('A', 'Z', 'AA')
    """
    word = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        word = chr(65 + rest) + word
    return word


def plan(unit: str, width: float, height: float, paper: str) -> Plan:
    """Return how a table of this size and unit is cut, portrait or landscape, whichever takes fewer sheets.

    BadQuestion for an unknown paper, or a table that takes too many sheets.

    >>> plan("in", 30.0, 24.0, "A4").rows * plan("in", 30.0, 24.0, "A4").columns
    12
    """
    if paper not in PAPERS:
        raise BadQuestion(f"there is no paper '{paper}'; choose one of: {', '.join(PAPERS)}")
    upright = PAPERS[paper]
    scale = POINT / PER_INCH[unit]
    tries = [_cut(width, height, scale, shape) for shape in (upright, upright[::-1])]
    best = min(tries, key=lambda each: each.rows * each.columns)
    count = best.rows * best.columns
    if count > MOST:
        raise BadQuestion(f"a table of {width:g} by {height:g} {unit} takes {count} sheets; at most {MOST} are printed")
    return best


def _cut(width: float, height: float, scale: float, paper: tuple[float, float]) -> Plan:
    room = [(size - 2 * MARGIN) / scale for size in paper]
    lap = OVERLAP / scale
    columns, rows = (
        max(1, math.ceil((size - lap) / (free - lap))) for size, free in zip((width, height), room, strict=True)
    )
    sheets = []
    for row in range(rows):
        for column in range(columns):
            west, north = column * (room[0] - lap), height - row * (room[1] - lap)
            view = (west, max(0.0, north - room[1]), min(width, west + room[0]), north)
            sheets.append(Sheet(row + 1, column + 1, view))
    return Plan(paper, scale, rows, columns, tuple(sheets))
