"""Write the stock of positions that comes with the program: ``python -m tools.drill_stock``."""

from __future__ import annotations

import random
import sys

from tabletop.drills import stock
from tabletop.drills.families import FAMILIES
from tabletop.drills.generate import Deck, made
from tabletop.drills.position import Position
from tabletop.drills.staircase import NARROWER, WIDEST

#: The margins in stock: that of a first question, and the next two; positions of each with every answer.
MARGINS, EACH = (WIDEST, WIDEST * NARROWER), 1


def main() -> None:
    """Make the positions of every family, each answer as often, and write them."""
    found: list[Position] = []
    for name, family in reversed(list(FAMILIES.items())):
        for wanted in MARGINS:
            rng = random.Random(f"stock {name} {wanted}")
            deck, left = Deck(family, rng), 2 * EACH
            while left:
                position = made(family, *deck.draw(), round(wanted, 4), rng)
                if position is not None and all(
                    position.answer != p.answer for p in found[len(found) - 2 * EACH + left :]
                ):
                    left -= 1
                    found.append(position)
            print(f"{name} {wanted:.2f}", file=sys.stderr, flush=True)
            stock.write(found)


if __name__ == "__main__":
    main()
