"""Somebody at the start screen, in a home of his own."""

import inspect
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from tabletop.play.workers import judge_worker, player_worker
from tabletop.render.drawing.landscape.baking import Baker
from tabletop.render.table import canvas
from tests.render import known_answers, known_ground
from tests.render.own_home import Halting, at_home
from tests.render.somebody import Somebody


@pytest.fixture(autouse=True)
def no_painter(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No painting is made beside a test: the map stands in, but in the tests of the painting itself."""
    if request.node.path.name != "test_landscape.py":
        monkeypatch.setattr(Baker, "want", lambda baker, table: None)


@pytest.fixture(autouse=True)
def nothing_waits() -> None:
    """No event is left over from the test before."""
    if pygame.display.get_init():
        pygame.event.clear()


@pytest.fixture(autouse=True)
def known_answers_first(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the judge and the computer player answered in this process they need not work out again.

    A test that puts something in the place of the program's own code gets answers of its own, but for areas and ideas.
    """
    own = "monkeypatch" in inspect.signature(request.function).parameters
    monkeypatch.setattr(judge_worker, "_calmly", known_answers.judged(judge_worker._calmly, areas_alone=own))
    monkeypatch.setattr(player_worker, "_calmly", known_answers.thought(player_worker._calmly))


@pytest.fixture(autouse=True)
def known_ground_first(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ground that this process has painted is not painted again, but for tests that change the program's own code."""
    own = "monkeypatch" in inspect.signature(request.function).parameters
    if not own and request.node.path.name != "test_landscape.py":
        monkeypatch.setattr(canvas, "scene", known_ground.Scene())
        monkeypatch.setattr(canvas, "_painted", known_ground.painted)


@pytest.fixture
def somebody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Somebody]:
    """He never waits for areas, which take the judge longest and which his battles do not rest on."""
    at_home(tmp_path, monkeypatch)
    monkeypatch.setattr(Halting, "left", ("reach", "ground"))
    found = Somebody(1)
    yield found
    found.app.close()
