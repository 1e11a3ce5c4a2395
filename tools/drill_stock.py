"""Write the stock of positions that comes with the program: ``python -m tools.drill_stock``."""

from __future__ import annotations

import random
import sys

from tabletop.drills import stock
from tabletop.drills.families import FAMILIES
from tabletop.drills.family import Family
from tabletop.drills.generate import Deck, made
from tabletop.drills.position import Position
from tabletop.drills.staircase import NARROWER

#: The margins in stock, as shares of a family's widest: that of a first question, and the next narrower one.
SHARES = (1.0, NARROWER)
#: Positions of each family at each margin, and how many of them may have the same answer.
EACH, ALIKE = 4, 2


def main() -> None:
    """Make the positions of every family, no answer more often than allowed, and write them."""
    positions: list[Position] = []
    for name, family in reversed(list(FAMILIES.items())):
        for share in SHARES:
            wanted = round(share * family.widest, 4)
            positions += _drawn(family, wanted, random.Random(f"stock {name} {wanted}"))
            print(f"{name} {wanted:.2f}", file=sys.stderr, flush=True)
            stock.write(positions)


def _drawn(family: Family, wanted: float, rng: random.Random) -> list[Position]:
    deck, positions = Deck(family, rng), list[Position]()
    while len(positions) < EACH:
        position = made(family, *deck.draw(), wanted, rng)
        if position is not None and sum(position.answer == earlier.answer for earlier in positions) < ALIKE:
            positions.append(position)
    return positions


if __name__ == "__main__":
    main()
