"""The worker thinks the same in its own process as in the caller's; the table it knows is not sent again."""

import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.play import engine
from tabletop.play.files.load import load_scene
from tabletop.play.workers.battle_bundle import packed, unpacked
from tabletop.play.workers.player_worker import (
    AnyPlayerWorker,
    InlinePlayerWorker,
    PlayerWorker,
    promises,
    suggestions,
    think,
)

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def battle() -> Battle:
    laid_out = load_scene(ROOT / "scenarios" / "realm-of-chance" / "drill-ground.yaml")
    return engine.begin(laid_out, 3).battle


@pytest.fixture(params=[InlinePlayerWorker, PlayerWorker])
def worker(request: pytest.FixtureRequest, battle: Battle) -> Iterator[AnyPlayerWorker]:
    made: AnyPlayerWorker = InlinePlayerWorker() if request.param is InlinePlayerWorker else PlayerWorker(battle.table)
    yield made
    made.close()


def answers(worker: AnyPlayerWorker, count: int) -> dict[Any, Any]:
    """Wait for so many answers."""
    found: dict[Any, Any] = {}
    until = time.monotonic() + 60.0
    while len(found) < count and time.monotonic() < until:
        found.update(worker.take())
        time.sleep(0.01)
    return found


def test_a_thought_comes_back_under_its_key(worker: AnyPlayerWorker, battle: Battle) -> None:
    worker.ask("think", think, battle, "greedy", 3, 1)
    worker.ask("offers", suggestions, battle, "french-guns")
    assert worker.busy == {"think", "offers"}
    found = answers(worker, 2)
    assert found == {"think": think(battle, "greedy", 3, 1), "offers": suggestions(battle, "french-guns")}
    assert worker.busy == set()


def test_a_thought_that_fails_comes_back_as_its_error(worker: AnyPlayerWorker, battle: Battle) -> None:
    worker.ask("think", think, battle, "human", 3, 1)
    found = answers(worker, 1)["think"]
    assert isinstance(found, BadQuestion) and "nobody thinks for people" in str(found)


def test_a_newer_thought_of_the_same_key_takes_the_olders_place(worker: AnyPlayerWorker, battle: Battle) -> None:
    worker.ask("offers", suggestions, battle, None)
    worker.ask("offers", suggestions, battle, "french-guns")
    found = answers(worker, 1)
    assert found == {"offers": suggestions(battle, "french-guns")}
    assert worker.take() == []


def test_suggestions_of_a_unit_are_allowed(battle: Battle) -> None:
    found = suggestions(battle, "french-guns")
    assert found
    assert all(action.unit == "french-guns" and engine.judge(battle, action).holds for action in found)


def test_answers_promise_what_the_rules_can_weigh() -> None:
    asked = engine.begin(load_scene(ROOT / "scenarios" / "tse" / "starter.yaml"), 1).battle
    assert set(promises(asked)) <= set(asked.pending[0].choices)


def test_a_player_thinks_alike_however_often_he_is_asked(battle: Battle) -> None:
    assert think(battle, "random", 3, 5) == think(battle, "random", 3, 5)
    several = {str(think(battle, "random", 3, number).action) for number in range(12)}
    assert len(several) > 1


def test_a_parcel_holds_the_battle_and_leaves_out_the_table(battle: Battle) -> None:
    parcel = packed(battle, battle.table)
    again = unpacked(parcel, battle.table)
    assert again == battle and again.table is battle.table
    assert len(parcel) < len(packed(battle, load_scene(ROOT / "scenarios" / "tse" / "starter.yaml").table))


#: A window that dies without a word, whoever thinks for it still sitting there; both say so on the same pipe.
DIES = """
    import os, sys, time
    from pathlib import Path
    from tabletop.play.workers.player_worker import PlayerWorker, suggestions
    from tabletop.play import engine
    from tabletop.play.files.load import load_scene

    if __name__ == "__main__":
        battle = engine.begin(load_scene(Path(sys.argv[1])), 3).battle
        worker = PlayerWorker(battle.table)
        worker.ask("own", suggestions, battle, None)
        while not worker.take():
            time.sleep(0.02)
        os._exit(7)
"""


def test_a_worker_ends_with_a_window_that_was_killed(tmp_path: Path) -> None:
    script = tmp_path / "window.py"
    script.write_text(textwrap.dedent(DIES), "utf-8")
    scene = ROOT / "scenarios" / "realm-of-chance" / "drill-ground.yaml"
    # The worker holds the pipe too: reading it to its end waits for both.
    done = subprocess.run([sys.executable, script, scene], stdout=subprocess.PIPE, timeout=60, cwd=ROOT, check=False)
    assert done.returncode == 7
