"""Positions that come with the program: they are used until the first ones of a session are ready."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tabletop.drills.families import FAMILIES
from tabletop.drills.position import Position, Twin
from tabletop.drills.scenes import Layout
from tabletop.geometry.verdict import Elsewhere

PATH = Path(__file__).with_name("stock.json")


@dataclass(frozen=True)
class Kept:
    """A position as it is stored: rows and figures, from which it is laid out when needed."""

    family: str
    wanted: float
    row: Mapping[str, Any]

    def position(self) -> Position:
        """Return the position, laid out."""
        row, family = self.row, FAMILIES[self.family]
        plan, layout = row["plan"], Layout(row["units"], row["terrain"])
        moved = Elsewhere(row["moved"]["id"], (row["moved"]["shift"][0], row["moved"]["shift"][1]))
        assert moved.shift is not None
        battle = layout.battle(family.title)
        shifted = layout.moved(moved.id, moved.shift).battle(family.title)
        twin = Twin(shifted, row["other"], moved, family.proof(shifted, plan))
        return Position(
            self.family, family.asks(plan), battle, family.choices(plan), row["answer"], row["margin"],
            family.proof(battle, plan), self.wanted, twin, plan, layout,
        )  # fmt: skip


def row_of(position: Position) -> dict[str, Any]:
    """Return a position as plain data."""
    assert position.layout is not None and position.twin is not None and position.twin.moved.shift is not None
    return {
        "family": position.family,
        "wanted": position.wanted,
        "margin": position.margin,
        "answer": position.answer,
        "other": position.twin.answer,
        "moved": {"id": position.twin.moved.id, "shift": list(position.twin.moved.shift)},
        "plan": dict(position.seen),
        **position.layout.as_data(),
    }


def shuffled(rng: random.Random) -> list[Kept]:
    """Return the stock in random order."""
    kept = list(_kept())
    rng.shuffle(kept)
    return kept


@cache
def _kept() -> tuple[Kept, ...]:
    rows = json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else []
    return tuple(Kept(row["family"], row["wanted"], row) for row in rows)


def write(positions: Iterable[Position], path: Path = PATH) -> None:
    """Write a stock to a file."""
    lines = ",\n".join(json.dumps(row_of(position)) for position in positions)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
