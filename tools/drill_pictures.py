"""The picture of a drill in the guide: ``python -m tools.drill_pictures`` writes docs/pictures/drill.png."""

from __future__ import annotations

import random
import tempfile
from concurrent.futures import Future
from pathlib import Path

from tabletop.drills import stock
from tabletop.drills.drilling import Drilling
from tabletop.drills.position import Position
from tabletop.drills.standing import Standings
from tabletop.drills.supply import InlineSupply, Order
from tabletop.render.drills.screen import DrillScreen
from tabletop.render.screens import Look
from tools.start_pictures import ROOT, shoot

#: The position of the stock that is shown: its family and margin.
SHOWN = ("flank", 1.2)


class _Nothing(InlineSupply):
    """Makes nothing: the picture shows a position from stock."""

    def order(self, order: Order) -> Future[Position | None]:
        """Return a future that never completes."""
        return Future()


def main() -> None:
    """Write the picture: a question answered wrongly, its proof and its near miss."""
    kept = next(drill for drill in stock.shuffled(_seed()) if (drill.family, drill.wanted) == SHOWN)
    position = kept.position()
    with tempfile.TemporaryDirectory() as home:
        session = Drilling(Standings(Path(home) / "drills.json"), _Nothing(), "eye", kept.family, seed=1)

        def make(look: Look) -> DrillScreen:
            page = DrillScreen(look, session)
            session.put(position)
            session.answer(next(choice for choice in position.choices if choice != position.answer))
            return page

        shoot(make, (1280, 720), 1.0, ROOT / "docs" / "pictures" / "drill.png")


def _seed() -> random.Random:
    return random.Random(1)


if __name__ == "__main__":
    main()
