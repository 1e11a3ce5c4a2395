"""How long it takes to keep a battle and to look at it again.

    python -m benchmarks.saved_games             # Quatre Bras, random players, 400 actions
    python -m benchmarks.saved_games greedy 200

Processor time, the best and the median of several goes; writing to the disk is waited for, so it is timed by the wall.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tabletop.battle.apply import fold
from tabletop.battle.codec import state_hash
from tabletop.play import engine
from tabletop.play.files.load import load_scene
from tabletop.play.players import player_kind
from tabletop.play.saves import replay, save
from tabletop.play.saves.report import report, text
from tabletop.play.session import Session
from tabletop.render.drawing import report_page

ROOT = Path(__file__).resolve().parents[1]
BATTLE = ROOT / "scenarios/tse/quatre-bras.yaml"


def timed(what: str, work: Callable[[], Any], times: int = 7, clock: Callable[[], float] = time.process_time) -> None:
    """Print the best and the median of some goes, in milliseconds."""
    found = []
    for _ in range(times):
        start = clock()
        work()
        found.append(1000.0 * (clock() - start))
    print(f"{what:58s} best {min(found):8.2f}   median {statistics.median(found):8.2f} ms", flush=True)


def played(kind: str, actions: int, path: Path) -> Session:
    """Play a battle so far, or to its end and on with another seed until one is long enough."""
    make = player_kind(kind).make
    assert make is not None
    for seed in range(1, 50):
        path.unlink(missing_ok=True)
        session = Session.start(load_scene(BATTLE), seed, autosave=path)
        players = {side: make(2 * seed + k) for k, side in enumerate(session.battle.setup.sides)}
        while session.mover is not None and len(session.steps) <= actions:
            session.do(players[session.mover].choose(session.battle).action)
        if len(session.steps) > actions:
            return session
    raise SystemExit(f"no battle of {kind} players lasts {actions} actions")


def main(kind: str = "random", actions: int = 400) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        session = played(kind, actions, path)
        saved = save.read(path)
        start = replay.beginning(saved)
        events = [line.events for line in saved.lines]
        size = path.stat().st_size / 1e6
        print(f"Quatre Bras, {kind} players: {actions} actions, {sum(map(len, events))} events, {size:.2f} MB")
        timed("read the file", lambda: save.read(path))
        timed(
            "fold every event (a replay to its end)", lambda: fold(start, (event for part in events for event in part))
        )
        timed("load: read, fold, ready to go on", lambda: Session.resume(save.read(path)))
        timed("one hash of the whole state", lambda: state_hash(session.battle), 50)
        timed("one action kept on the disk (wall)", lambda: _kept(session), 15, time.perf_counter)
        timed("verify: every action again, every state compared", lambda: replay.verify(saved), 3)
        timed("the report as text", lambda: text(report(session.header, session.steps)), 3)
        found = report(session.header, session.steps)
        timed("the report as a page with maps", lambda: report_page.page(found), 3)
        again = engine.begin(session.header.opening, session.header.seed)
        first = next(line.action for line in saved.lines if line.action is not None)
        timed("one action submitted (the first again)", lambda: engine.submit(again.battle, first), 20)


def _kept(session: Session) -> None:
    """Keep one more step as the autosave does."""
    session._autosave.add(session.steps[-1])


if __name__ == "__main__":
    words = [*sys.argv[1:], *("random", "400")[len(sys.argv) - 1 :]]
    main(words[0], int(words[1]))
