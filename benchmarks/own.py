"""How long the program itself takes, on the battles that come with it.

    python -m benchmarks.own                 # everything, about eight minutes
    python -m benchmarks.own frames cold     # some of it: frames, cold, batch, parallel, areas, memory, bulk, seeing,
                                             # going

Frames and areas are timed by the wall clock; questions from the shell and batches by the processor time of their
process, which a machine busy with other work lengthens less; batches on every processor by both. Medians, with the
spread that matters to whoever waits (p95 or p99, and the worst).
"""

from __future__ import annotations

import gc
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
BATTLE = "scenarios/tse/quatre-bras.yaml"
FRAME = 1 / 60


def say(what: str, seconds: Sequence[float], *shares: int) -> None:
    """Print the median, some percentiles and the worst of some times, in milliseconds."""
    ms = 1000.0 * np.asarray(seconds)
    rest = "".join(f"   p{share} {np.percentile(ms, share):8.1f}" for share in shares)
    print(f"{what:46s} median {np.median(ms):8.1f}{rest}   worst {ms.max():8.1f} ms   ({len(ms)} times)", flush=True)


# --- frames ----------------------------------------------------------------------------------------------------------


def frames(seconds: float = 12.0) -> None:
    """A unit is dragged in circles for some seconds, every overlay on, the judge in its own processes."""
    os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
    import pygame

    from tabletop.play.files.load import load_scene
    from tabletop.play.workers.judge_worker import JudgeWorker
    from tabletop.render.table.window import Window

    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((1600, 1000))
    battle = load_scene(ROOT / BATTLE)
    window = Window(battle, JudgeWorker(battle), JudgeWorker(battle))
    try:
        for name in ("bauduin", "kempt"):
            window.controller.select(name)
            _wait(window)
            still = [_timed(window) for _ in _paced(2.0)]
            say(f"frame, {name} selected, every overlay", still, 99)
            moving, answered = _dragged(window, battle.unit(name).at, seconds / 2)
            say(f"frame, {name} dragged, every overlay", moving, 99)
            say(f"new verdict on the move of {name}, after the last", answered, 95)
            window.controller.cancel()
            window.controller.cancel()
    finally:
        window.close()
        pygame.quit()


def _wait(window: Any, most: float = 20.0) -> None:
    """Let the window run until the judge has answered everything asked on selecting."""
    for _ in _paced(most):
        window.step(FRAME)
        if not window.controller.model.pending:
            return


def _paced(seconds: float) -> Iterator[int]:
    """Count frames at sixty a second."""
    start = time.perf_counter()
    for k in itertools.count():
        ahead = start + k * FRAME - time.perf_counter()
        if k * FRAME >= seconds:
            return
        if ahead > 0:
            time.sleep(ahead)
        yield k


def _timed(window: Any) -> float:
    start = time.perf_counter()
    window.step(FRAME)
    return time.perf_counter() - start


def _dragged(window: Any, at: tuple[float, float], seconds: float) -> tuple[list[float], list[float]]:
    """Return the times of frames while a unit is dragged, and the times between new verdicts on its move."""
    import pygame

    def post(kind: int, point: tuple[float, float], **more: Any) -> None:
        x, y = window.camera.to_screen(point)
        pygame.event.post(pygame.event.Event(kind, pos=(int(x), int(y)), rel=(0, 0), **more))

    post(pygame.MOUSEBUTTONDOWN, at, button=1)
    window.step(FRAME)
    took, fresh, last, shown = [], [], time.perf_counter(), None
    for k in _paced(seconds):
        turn = k * FRAME * 2 * math.pi / 3
        reach = 4.0 * min(1.0, k / 60)
        post(pygame.MOUSEMOTION, (at[0] + reach * math.sin(turn), at[1] + reach * math.cos(turn)), buttons=(1, 0, 0))
        took.append(_timed(window))
        verdict = window.controller.model.verdict("move")
        if verdict is not None and verdict is not shown:
            now = time.perf_counter()
            fresh.append(now - last)
            last, shown = now, verdict
    return took, fresh or [seconds]


# --- a question from the command line --------------------------------------------------------------------------------


def cold() -> None:
    """The whole life of a process, from the shell and back to it; then many questions by the clock."""
    judge = [sys.executable, "-m", "tabletop", "judge", BATTLE]
    for what, command in (
        ("python -c pass", [sys.executable, "-c", "pass"]),
        ("import numpy, shapely", [sys.executable, "-c", "import numpy, shapely"]),
        ("import tabletop.judge", [sys.executable, "-c", "import tabletop.judge"]),
        ("judge los, no margin", [*judge, "los", "bauduin", "kempt", "--no-margin"]),
        ("judge los, margin", [*judge, "los", "bauduin", "kempt"]),
        ("judge fire, no margin", [*judge, "fire", "bauduin", "kempt", "--no-margin"]),
        ("judge fire, margin", [*judge, "fire", "bauduin", "kempt"]),
    ):
        say(what, [_process(command) for _ in range(9)])
    from benchmarks.cold import asked

    asked(say, BATTLE)


def _process(command: Sequence[str]) -> float:
    start = _children()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr.decode())
    return _children() - start


def _children() -> float:
    """Return the processor time of all processes started so far that have ended."""
    spent = os.times()
    return spent.children_user + spent.children_system


# --- batches ---------------------------------------------------------------------------------------------------------


def batch() -> None:
    """Verdicts a second of one process, without margins: questions of every kind in turn, then each kind alone."""
    requests = list(_requests())
    mixed = [r for group in itertools.zip_longest(*_by_question(requests).values()) for r in group if r is not None]
    _rate("mixed, as many of each kind as there are", mixed)
    every = _by_question(requests, len(requests))
    for question, some in _by_question(requests).items():
        _rate(question, some, every[question])


def _requests() -> Iterator[dict[str, Any]]:
    from tabletop.play.files.load import load_scene

    battle = load_scene(ROOT / BATTLE)
    troops = [u for u in battle.units if not u.is_general]
    for a, b in itertools.permutations(troops, 2):
        if a.side != b.side:
            for question in ("los", "fire", "arc", "assault"):
                yield {"question": question, "args": [a.id, b.id]}
    for a in troops:
        x, y = a.at
        enemy = min((b for b in troops if b.side != a.side), key=lambda b: math.dist(a.at, b.at)).id
        for k in range(8):
            turn = k * math.pi / 4
            to = [round(x + 3 * math.sin(turn), 3), round(y + 3 * math.cos(turn), 3)]
            yield {"question": "move", "args": [a.id], "options": {"path": [to], "as": "maneuver"}}
            yield {"question": "fallback", "args": [a.id], "options": {"distance": 1 + k, "from": enemy}}
        yield {"question": "cover", "args": [a.id], "options": {"from": enemy}}
        yield {"question": "distance", "args": [a.id, enemy]}
        for question in ("zone", "field", "command"):
            yield {"question": question, "args": [a.id]}


def _by_question(requests: Sequence[dict[str, Any]], most: int = 60) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for request in requests:
        found.setdefault(request["question"], []).append(request)
    return {question: some[:: max(1, len(some) // most)][:most] for question, some in found.items()}


def _rate(what: str, requests: Sequence[dict[str, Any]], every: Sequence[dict[str, Any]] = ()) -> None:
    """Print verdicts a second, less what a process takes that answers one request only.

    Quick questions are put of ``every`` pair: put twice, what sees what would be answered from memory. Those too quick
    to measure even so (they do not look) are put many times.
    """
    one = _answered(requests[:1])
    many = _answered(requests)
    if many[0] - one[0] < 1.0 and len(every) > len(requests):
        requests = every
        many = _answered(requests)
    if many[0] - one[0] < 0.1:
        requests = [*requests] * 20
        many = _answered(requests)
    per = max(1e-6, (many[0] - one[0]) / max(1, len(requests) - 1))
    refused = f"   ({many[1]} could not be put)" if many[1] else ""
    print(f"{what:46s} {1 / per:8.0f} a second   {1000 * per:8.2f} ms each   of {len(requests)}{refused}", flush=True)


def _answered(requests: Sequence[dict[str, Any]], jobs: str = "1") -> tuple[float, int]:
    """Return the processor time of a batch, and how many of its requests could not be put."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "batch.jsonl"
        path.write_text("".join(json.dumps({"scene": BATTLE, **request}) + "\n" for request in requests))
        start = _children()
        command = [sys.executable, "-m", "tabletop", "judge", "--batch", str(path), "--jobs", jobs]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
        took = _children() - start
    return took, sum("error" in json.loads(line) for line in done.stdout.splitlines())


def parallel(most: int = 600) -> None:
    """Verdicts a second of large batches on every processor, by the wall clock; and of one process, beside it."""
    requests = list(_requests())
    mixed = [r for group in itertools.zip_longest(*_by_question(requests).values()) for r in group if r is not None]
    for what, some in {"mixed": mixed, **_by_question(requests, most)}.items():
        one = _walled(some[:1])
        told = []
        for jobs in ("1", str(os.cpu_count())):
            wall, spent = (max(1e-3, many - first) for many, first in zip(_walled(some, jobs), one, strict=True))
            told.append(f"{len(some) / wall:8.0f} a second in {jobs} ({spent / wall:.1f} processors)")
        print(f"{what:20s} {'   '.join(told)}   of {len(some)}", flush=True)


def _walled(requests: Sequence[dict[str, Any]], jobs: str = "1") -> tuple[float, float]:
    """Return the seconds a batch takes by the clock, and of the processors."""
    start = time.perf_counter()
    spent, _ = _answered(requests, jobs)
    return time.perf_counter() - start, spent


# --- areas -----------------------------------------------------------------------------------------------------------


def areas() -> None:
    """Where every unit of the battle can go and what it can see, asked one by one in this process."""
    from tabletop.judge import ask
    from tabletop.play.files.load import load_scene

    battle = load_scene(ROOT / BATTLE)
    troops = [u for u in battle.units if not u.is_general]
    ask(battle, "ground", (troops[0].id,))
    for action in ("maneuver", "march"):
        took = [_seconds(ask, battle, "reach", (u.id,), {"as": action}) for u in troops]
        say(f"reach, {action}", took, 95)
    say("ground seen", [_seconds(ask, battle, "ground", (u.id,)) for u in troops], 95)


def _seconds(call: Callable[..., Any], *args: Any) -> float:
    from tabletop.errors import TabletopError

    start = time.perf_counter()
    try:
        call(*args)
    except TabletopError as refused:
        print(f"   ({args[1]} of {args[2]}: {refused})")
    return time.perf_counter() - start


def bulk() -> None:
    """Many questions at once beside the same one by one."""
    from benchmarks.bulk import bulk

    bulk()


def seeing() -> None:
    """Who sees whom and what is seen, beside the usual ways."""
    from benchmarks.seeing import seeing

    seeing()


def going() -> None:
    """Where units can go, and a field of costs beside its peer."""
    from benchmarks.going import going

    going()


def growth() -> None:
    """How times grow with the pieces of terrain and the units."""
    from benchmarks.growth import growth

    growth()


# --- memory ----------------------------------------------------------------------------------------------------------


def memory() -> None:
    """What the program keeps: every question of the batches and both areas of every unit answered in this process.

    Told beyond what the interpreter takes with the libraries, all of them imported.
    """
    import numpy.random  # noqa: F401
    import pydantic  # noqa: F401
    import rich.console  # noqa: F401
    import ruamel.yaml  # noqa: F401
    import shapely
    import typer  # noqa: F401

    shapely.buffer(shapely.Point(0, 0), 1.0)
    libraries = _resident()
    from tabletop.judge import judge
    from tabletop.play.files.load import load_scene

    battle = load_scene(ROOT / BATTLE)
    asked = [(r["question"], r["args"], {**r.get("options", {}), "margin": False}) for r in _requests()]
    asked += [(kind, [u.id], {}) for kind in ("reach", "ground") for u in battle.units if not u.is_general]
    print(f"{'interpreter and libraries':46s} {libraries:8.1f} MB")
    for many in (0, len(asked) // 4, len(asked)):
        for question, args, options in asked[:many]:
            _seconds(judge, battle, question, tuple(args), options)
        print(f"{f'{many} questions answered, more':46s} {_resident() - libraries:8.1f} MB", flush=True)


def _resident() -> float:
    """Return the memory of this process, in MB."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


PARTS: dict[str, Callable[[], None]] = {
    "frames": frames,
    "cold": cold,
    "batch": batch,
    "parallel": parallel,
    "areas": areas,
    "memory": memory,
    "bulk": bulk,
    "seeing": seeing,
    "going": going,
    "growth": growth,
}


def main(names: Sequence[str]) -> None:
    load = os.getloadavg()[0]
    print(
        f"python {sys.version.split()[0]}, numpy {np.__version__}, {os.cpu_count()} cpus, load {load:.2f} at the start"
    )
    for name in names or PARTS:
        print(f"-- {name}")
        PARTS[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
