"""Memory over a long battle in the window: what is kept grows by the record of the battle and by nothing else."""

import functools
import gc
import sys
from collections.abc import Hashable, Iterator
from itertools import pairwise
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.geometry.cache import Cache
from tabletop.play.computer.random_mover import RandomMover
from tabletop.play.done import Done, done
from tabletop.render import housekeeping
from tabletop.render.battle.window import GameWindow
from tabletop.render.housekeeping import EVERY, STILL, Housekeeping
from tests.render.battle.driver import STARTER, playing, session

#: Answers a cache without a bound may come to hold: those whose keys are the few names of files, kinds and faces.
NAMES = 100
#: Things that Python looks after to one action of the battle's record, at most.
THINGS = 100


class Quick:
    """Thinks in no time, of anything allowed."""

    def __init__(self) -> None:
        self._mover = RandomMover(5)
        self._asked: list[tuple[Hashable, Battle]] = []

    def ask(self, key: Hashable, thought: Any, battle: Battle, *what: Any) -> None:
        self._asked.append((key, battle))

    def take(self) -> list[tuple[Hashable, Done]]:
        asked, self._asked = self._asked, []
        return [(key, done(b, self._mover.choose(b).action)) for key, b in asked if key == "think"]

    def close(self) -> None:
        self._asked.clear()

    @property
    def busy(self) -> set[Hashable]:
        return {key for key, _ in self._asked}


@pytest.fixture
def window() -> Iterator[GameWindow]:
    with playing(session(STARTER, ("greedy", "greedy"), 3), measuring=False) as player:
        window = player.window
        window.controller.game.player_worker = window.controller.game.computers.player_worker = Quick()
        yield window


def caches() -> Iterator[tuple[str, Any]]:
    """Yield every cache of a function of the program, by its name."""
    for module in [module for name, module in sys.modules.items() if name.startswith("tabletop.")]:
        for name, value in vars(module).items():
            if isinstance(value, functools._lru_cache_wrapper):
                yield f"{module.__name__}.{name}", value


def played(window: GameWindow, actions: int) -> int:
    """Play on until so many actions have been done; return how many things Python then looks after."""
    for _ in range(40 * actions):
        if len(window.controller.game.session.steps) > actions:
            break
        window.step(0.5)
    assert len(window.controller.game.session.steps) > actions
    window.covered()  # the drawings of the moment are now more, now fewer
    window.controller.game.stage.begin(None)
    for memory in [one for one in gc.get_objects() if type(one) is Cache]:  # no proxy of what is gone
        memory.kept.clear()  # it has a bound, and is on the way there
    for _, cache in caches():
        if cache.cache_info().maxsize is not None:
            cache.cache_clear()
    gc.collect()
    return len(gc.get_objects())


def test_an_action_leaves_behind_its_record_alone(window: GameWindow) -> None:
    first = played(window, 30)
    last = played(window, 70)
    assert (last - first) / 40 < THINGS
    unbounded = {name: cache.cache_info() for name, cache in caches() if cache.cache_info().maxsize is None}
    assert {name: found for name, found in unbounded.items() if found.currsize > NAMES} == {}


def test_memory_let_go_of_is_given_back_every_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []
    now = 100.0
    monkeypatch.setattr(housekeeping, "give_back", lambda: given.append(now))
    monkeypatch.setattr("tabletop.render.housekeeping.time.monotonic", lambda: now)
    monkeypatch.setattr(housekeeping, "put_away", lambda: None)
    monkeypatch.setattr(housekeeping, "put_more_away", lambda: 0)
    keeping = Housekeeping((1,), given_back=now)
    for frame in range(1200):
        now = 100.0 + frame / 60
        keeping.frame((1,), 0.1 if frame < 600 else STILL)
    assert len(given) in (2, 3) and all(b - a >= EVERY for a, b in pairwise(given))
    assert given[0] >= 110.0  # not while the player does something
