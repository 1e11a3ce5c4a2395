"""Somebody at the start screen, in a home of his own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.render.own_home import Halting, at_home
from tests.render.somebody import Somebody


@pytest.fixture
def somebody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Somebody]:
    """He never waits for areas, which take the judge longest and which his battles do not rest on."""
    at_home(tmp_path, monkeypatch)
    monkeypatch.setattr(Halting, "left", ("reach", "ground"))
    found = Somebody(1)
    yield found
    found.app.close()
