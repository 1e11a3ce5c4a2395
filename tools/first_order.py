"""A new player's path from the start screen to the first order of the first battle, by real clicks.

python -m tools.first_order                  each click, the words then on the screen, and those not shown before
python -m tools.first_order --seed 7         with other dice

It needs no knowledge of the program: it clicks the most prominent thing on the screen (*Begin*, the first answer, the
main button), and drags a selected unit straight ahead.
"""

from __future__ import annotations

import argparse
import math
import secrets
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tabletop.battle.action import ANSWER
from tabletop.geometry import fast
from tabletop.play.saves import autosave
from tabletop.render.battle.window import GameWindow
from tabletop.render.start.home import Home
from tools import display_list
from tools.display_list import Shown
from tools.tour_states import Guide, at_home

#: Clicks after which it gives up, and frames the computer may take to act.
MOST, PATIENCE = 30, 400
#: How far ahead the first unit is dragged, as a share of the table's height.
AHEAD = 0.08


@dataclass(frozen=True)
class Click:
    """One click: on what, how many words the window shows before it, and how many of them for the first time."""

    what: str
    words: int
    fresh: int


class Newcomer:
    """Clicks from the start screen until the first order is given."""

    def __init__(self, guide: Guide, after: Callable[[Callable[[], object]], Shown]) -> None:
        self.guide, self._after = guide, after
        self.clicks: list[Click] = []
        self._read: set[str] = set()

    @property
    def ordered(self) -> bool:
        """Whether a human side's unit has been given an order."""
        if not isinstance(self.guide.top, GameWindow):
            return False
        game = self.guide.game.controller
        actions = [step.action for step in game.game.session.steps if step.action is not None]
        return any(
            a.unit is not None and a.kind != ANSWER and a.side not in game.state.facts.computers for a in actions
        )

    def goes(self) -> None:
        """Click until the first order is given."""
        assert isinstance(self.guide.top, Home)
        self._on("Begin", lambda: self.guide.presses("first"))
        self.guide.game.pace("at once")
        while not self.ordered and len(self.clicks) < MOST:
            self._waits()
            if not self.ordered:
                self._clicks_once()
        self._waits()

    def _waits(self) -> None:
        """Let the computer act until it is the human's turn."""
        for _ in range(PATIENCE):
            self.guide.rests(1)
            game = self.guide.game.controller
            if game.state.facts.human_turn and not game.game.stage.running and game.state.facts.only_group is None:
                self.guide.rests(3)
                return

    def _clicks_once(self) -> None:
        window = self.guide.game
        state = window.controller.state
        asked = window._asked()
        unit = state.acting_unit
        if asked is not None:
            self._on(f"the answer '{asked.keys[0].label}'", lambda: self.guide.presses(asked.keys[0].word))
        elif unit is not None and state.chosen.proposal is None and state.chosen.refused_move is None and state.actions:
            self._on(f"{unit.called}, dragged ahead", lambda: self._drags(unit.id))
        else:
            self._on(f"'{window.next_step.label}'", lambda: self.guide.presses("main:"))

    def _drags(self, name: str) -> None:
        """Drag a unit straight ahead."""
        window = self.guide.game
        unit, far = window.controller.model.battle.unit(name), AHEAD * window.table[1]
        (x, y), (fx, fy) = unit.at, unit.front_mid
        deep = math.dist(unit.at, unit.front_mid)
        self.guide.drags(name, (x + far * (fx - x) / deep, y + far * (fy - y) / deep))
        self.guide.rests(6)

    def _on(self, what: str, act: Callable[[], None]) -> None:
        """Count the words on the screen, then click."""
        texts = [text.text for text in self._after(lambda: self.guide.app.step(0.3)).texts]
        fresh = [text for text in texts if text not in self._read]
        self._read |= set(texts)
        self.clicks.append(Click(what, _words(texts), _words(fresh)))
        act()


def _words(texts: list[str]) -> int:
    """Return how many words the texts have; figures and signs do not count."""
    return sum(any(letter.isalpha() for letter in word) for text in texts for word in text.split())


def walked(seed: int, size: tuple[int, int] = (1280, 720)) -> tuple[Click, ...]:
    """Return the clicks of a new player from the start screen to the first order, with dice from a seed."""
    with display_list.recorded() as after, pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "randbelow", lambda _: seed)
        for path in autosave.games_folder().glob("*"):
            path.unlink()
        guide = Guide(size, 1.0)
        try:
            newcomer = Newcomer(guide, after)
            newcomer.goes()
            assert newcomer.ordered, "no order was given"
            return tuple(newcomer.clicks)
        finally:
            guide.app.close()


def main(arguments: list[str]) -> int:
    """Run the path and print it."""
    parser = argparse.ArgumentParser(prog="tools.first_order")
    parser.add_argument("--seed", type=int, default=3)
    chosen = parser.parse_args(arguments)
    fast.begin()
    with at_home():
        clicks = walked(chosen.seed)
    for number, click in enumerate(clicks, 1):
        print(f"{number:2}  {click.what:40} {click.words:4} words shown, {click.fresh:4} new")
    print(f"{len(clicks)} clicks, {sum(click.fresh for click in clicks)} words")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
