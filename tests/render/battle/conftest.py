"""Battles begun, one of each rule set, with somebody at the window."""

from collections.abc import Iterator
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.play.workers import player_worker
from tabletop.play.workers.judge_worker import InlineJudgeWorker, JudgeRequest
from tests.render.battle.driver import DRILL, STARTER, Player, playing, session
from tests.render.known_answers import AREAS


@pytest.fixture
def starter() -> Iterator[Player]:
    """The starter's first turn: Brandis's division has been chosen to act."""
    with playing(session(STARTER, ("human", "human"), 1)) as player:
        player.press("answer:first")
        player.press("group:brandis")
        player.controller.select(None)
        yield player


@pytest.fixture
def drill() -> Iterator[Player]:
    """The drill ground's first phase, two units of which are in each other's range."""
    with playing(session(DRILL, ("human", "human"), 3)) as player:
        yield player


@pytest.fixture
def bras() -> Iterator[Player]:
    """Quatre Bras: Foy's division acts."""
    with playing(session("tse/quatre-bras", ("human", "human"), 3)) as player:
        player.press("answer:first")
        player.press("group:foy")
        player.controller.select(None)
        yield player


@pytest.fixture
def advised() -> None:
    """Actions are suggested to this test's players, unlike those of its neighbours."""


@pytest.fixture
def unadvised(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is suggested to players: for tests that look at no suggestion, which take long in large battles."""
    if "advised" in request.fixturenames:
        return
    think = player_worker._calmly

    def calmly(thought: player_worker.Thought, battle: Battle, what: tuple[Any, ...]) -> Any:
        return () if thought is player_worker.suggestions else think(thought, battle, what)

    monkeypatch.setattr(player_worker, "_calmly", calmly)


@pytest.fixture(autouse=True)
def no_areas(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ground in reach, which takes the judge longest, is worked out for tests that look at it alone (mark areas)."""
    if request.node.get_closest_marker("areas") is not None:
        return
    put = InlineJudgeWorker.put

    def put_others(worker: InlineJudgeWorker, *requests: JudgeRequest) -> None:
        put(worker, *(request for request in requests if request.question not in AREAS))

    monkeypatch.setattr(InlineJudgeWorker, "put", put_others)
