"""What walls alone hide: cells of two footprints none of which sees the other, told of many at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from tabletop.geometry.sight.law import Bar, Ground, Screen, SightLaw
from tabletop.geometry.sight_cells import Cell, hull_of
from tabletop.geometry.sight_pair import pair_of
from tabletop.geometry.sight_search import shut
from tabletop.geometry.sight_sure import settled, spends_all

#: So few pairs of cells are not looked at together first.
FEW = 4


@dataclass(eq=False)
class Dark:
    """Which cells walls alone hide from each other: told for whole footprints and for all cells of a kind at once."""

    some: list[Cell]
    others: list[Cell]
    ground: Ground
    law: SightLaw
    t: float
    loose: Ground
    screens: tuple[tuple[Screen, Bar], ...]
    known: dict[tuple[object, object], bool] = field(default_factory=dict)

    @cached_property
    def wholly(self) -> bool:
        """True when all is shut: of few cells each pair is as quickly looked at."""
        return len(self.some) * len(self.others) > FEW and self.shut(self.some, self.others)

    def between(self, a: Cell, b: Cell) -> bool:
        """Return True when no cell of a's kind sees one of b's."""
        kinds = (a.level, a.within), (b.level, b.within)
        if kinds not in self.known:
            alike = [
                [c for c in cells if (c.level, c.within) == kind] for cells, kind in zip(self.cells, kinds, strict=True)
            ]
            self.known[kinds] = len(alike[0]) * len(alike[1]) > 1 and self.shut(*alike)
        return self.known[kinds]

    @property
    def cells(self) -> tuple[list[Cell], list[Cell]]:
        return self.some, self.others

    def shut(self, some: list[Cell], others: list[Cell]) -> bool:
        a, b = hull_of(some), hull_of(others)
        pair = pair_of(a, b, self.ground, self.law, self.t, self.screens, self.loose)
        return spends_all(pair) or shut(settled(pair, hulls=True))
