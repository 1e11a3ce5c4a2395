"""A session of drills: which family comes next and at which margin, what was answered, and the scores."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from datetime import date

from tabletop.drills import stock
from tabletop.drills.families import FAMILIES
from tabletop.drills.position import Position
from tabletop.drills.staircase import FIRST
from tabletop.drills.standing import Standing, Standings, order
from tabletop.drills.supply import Orders, Supply

#: Number of positions kept ready.
READY = 3
#: Factor by which the margin of a position from the stock may differ from the wanted one.
NEAR = 1.3


@dataclass(frozen=True)
class Answered:
    """One answer: the position, what was answered, whether it was right."""

    position: Position
    answer: str
    right: bool


class Drilling:
    """A session of drills; ``only`` one family if named. A dispute's position may be put first."""

    def __init__(
        self, standings: Standings, supply: Supply, mode: str = "eye", only: str = "", seed: int | None = None
    ) -> None:
        self.standings, self.supply, self.mode, self.only = standings, supply, mode, only
        self.rng = random.Random(seed)
        self.today = date.today()
        self.position: Position | None = None
        self.last: Answered | None = None
        self._orders = Orders(self.rng)
        self._stock = stock.shuffled(self.rng)
        self._coming: deque[tuple[str, float, Future[Position | None]]] = deque()
        self._mixed: list[str] = []
        self._latest = ""
        self._order_more()

    # --- the next position ---

    def _order_more(self) -> None:
        while len(self._coming) < READY:
            family = self._next_family()
            wanted = min(self.standing(family).stairs.margin, FAMILIES[family].widest)
            self._coming.append((family, wanted, self.supply.order(self._orders.draw(family, wanted))))

    def _next_family(self) -> str:
        if self.only:
            return self.only
        if not self._mixed:
            self._mixed = order(self.standings.due(FAMILIES, self.mode, self.today), self._latest, self.rng)
        self._latest = self._mixed.pop(0)
        return self._latest

    def put(self, position: Position) -> None:
        """Make a position the one asked now."""
        self.position, self.last = position, None

    def next(self, wait: bool = False) -> Position | None:
        """Return the next position; None if none is ready, unless the caller can ``wait`` for it.

        Ready positions come first, in the order they were drawn; if there are none, one of the stock that comes with
        the program is used, if it has one of that family at about the margin.
        """
        self.position, self.last = None, None
        while self.position is None:
            self.position = self._ready() or self._from_stock() or (self._waited() if wait else None)
            if not wait:
                break
        self._order_more()
        return self.position

    def _ready(self) -> Position | None:
        for coming in [coming for coming in self._coming if coming[2].done()]:
            self._coming.remove(coming)
            position = _result(coming[2])
            if position is not None:
                return position
        return None

    def _from_stock(self) -> Position | None:
        for family, wanted, _ in self._coming:
            for kept in self._stock:
                if kept.family == family and wanted / NEAR <= kept.wanted <= wanted * NEAR:
                    self._stock.remove(kept)
                    return kept.position()
        return None

    def _waited(self) -> Position | None:
        _, _, future = self._coming.popleft()
        return _result(future)

    # --- answers ---

    def answer(self, choice: str) -> Answered:
        """Take an answer, judge it, and update the standing; a dispute changes no standing."""
        position = self.position
        assert position is not None and self.last is None
        self.last = Answered(position, choice, choice == position.answer)
        if position.family:
            standing = self.standing(position.family)
            widest = FAMILIES[position.family].widest
            now = standing.answered(self.last.right, self.mode, self.today, widest)
            self.standings.note(position.family, self.mode, now)
        return self.last

    def standing(self, family: str) -> Standing:
        """Return the standing in a family in this session's mode."""
        return self.standings.of(family, self.mode)

    def close(self) -> None:
        """Stop the background work."""
        self.supply.close()


def _result(future: Future[Position | None]) -> Position | None:
    """Return the position made; None if none was found, or if its process died."""
    try:
        return future.result()
    except (BrokenProcessPool, CancelledError):
        return None


def scores(standings: Standings) -> Sequence[tuple[str, str, str]]:
    """Return a row for each family: its title, and the score by eye and by tape in words.

    >>> import pathlib
    >>> scores(Standings(pathlib.Path("there-is-none.json")))[0]
    ('Can it see?', 'not yet', 'not yet')
    """
    return [
        (family.title, _score(standings.of(name, "eye")), _score(standings.of(name, "tape")))
        for name, family in FAMILIES.items()
    ]


def standing_sentence(session: Drilling, family: str) -> str:
    """Return the standing in a family, as a sentence."""
    stairs, by = session.standing(family).stairs, f"by {session.mode}"
    if stairs.score is None:
        left = FIRST - stairs.answers
        return f"{stairs.right} of {stairs.answers} right {by}; a score after {left} more."
    return f"Your score {by}: {stairs.score:.2f} in."


def _score(standing: Standing) -> str:
    score, answers = standing.stairs.score, standing.stairs.answers
    if score is not None:
        return f"{score:.2f} in"
    return f"{answers} answered" if answers else "not yet"
