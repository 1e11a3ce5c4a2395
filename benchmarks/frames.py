"""How the window keeps up: frames while dragging and while the computer plays, the start, and memory over long shows.

    python -m benchmarks.frames                   # everything, about a quarter of an hour
    python -m benchmarks.frames drag start        # some: drag, computer, start, painting, memory, battle, quatre-bras
    python -m benchmarks.frames drag --profile    # where the time of the frames goes

Frames are timed by the wall clock, which is what a player waits, and by processor time, which other work on the machine
lengthens less: that of the window's own process, or of its thread alone where threads beside it work for it. The judge
works in processes of his own, as in the program.
"""

from __future__ import annotations

import cProfile
import gc
import math
import os
import platform
import pstats
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import numpy as np
import pygame

from tabletop.play import engine
from tabletop.play.computer.random_mover import RandomMover
from tabletop.play.files.load import load_scene
from tabletop.play.session import Session
from tabletop.play.workers.judge_worker import JudgeWorker
from tabletop.play.workers.player_worker import PlayerWorker
from tabletop.render import housekeeping
from tabletop.render.battle.window import GameWindow, playing
from tabletop.render.drawing.landscape import store
from tabletop.render.drawing.landscape.painted import painting
from tabletop.render.replay.screen import replaying
from tabletop.render.router import App
from tabletop.render.screens import Look
from tabletop.render.settings.model import Settings

ROOT = Path(__file__).resolve().parents[1]
SIZE, FRAME = (1600, 1000), 1 / 60
#: Sizes of the window in which a unit is dragged with everything shown, and the goals there: median and 99 of 100 (ms).
DRAGGED_AT = {(1920, 1080): (16, 50), (3840, 2160): (33, 80)}
#: The largest battle of each rule set, and the seed it is begun with.
LARGEST = (("tse/quatre-bras", 3), ("realm-of-chance/wachau", 3))
#: Seconds of dragging, seconds waited for the judge at most, and frames of a turn round the unit.
DRAGGED, PATIENCE, ROUND = 12.0, 120.0, 90
STARTS = 5
EVERY = ["drag", "computer", "start", "painting", "memory", "battle", "quatre-bras"]
#: Seconds the computers play; actions from one figure of memory to the next; seconds of a battle too long to see out.
PLAYED, REPORTED, WATCHED = 40.0, 20, 600.0
#: Seconds replayed, and by one frame: an hour, shown as fast as the machine goes.
HOUR, STEP = 3600.0, 0.25
#: What is run to time the first painting: a process that has a table painted beside it, as the window has.
FIRST_PAINTING = """
import sys, time
from tabletop.play.files.load import load_scene
from tabletop.render.drawing.landscape.baking import Baker
table, baker, begun = load_scene(sys.argv[1]).table, Baker(), time.perf_counter()
baker.want(table)
while not baker.done:
    time.sleep(0.005)
print(time.perf_counter() - begun)
baker.close()
"""
#: What is run to time the start: the program as it is, ended with the first frame that can be used.
FIRST_FRAME = """
import os, sys
os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
from tabletop import cli, doctor
doctor.can_show = lambda: True
from tabletop.render import router
once = router.App.step
def step(app, *given):
    once(app, *given)
    os._exit(0)
router.App.step = step
cli.status(sys.argv[1:])
os._exit(9)
"""


def row(what: str, seconds: Sequence[float]) -> None:
    """Print the median, the 99th percentile and the worst of some times, in milliseconds."""
    ms = 1000.0 * np.asarray(seconds)
    worst, p99 = float(ms.max()), float(np.percentile(ms, 99))
    print(f"{what:44s}{np.median(ms):10.1f}{p99:10.1f}{worst:10.1f}   {len(ms)} frames", flush=True)


def drag(profile: bool = False) -> None:
    """A unit is dragged round about on the painted table, everything shown, in the largest battle of each rule set."""
    Look(Settings()).put_on()
    for size, (median, p99) in DRAGGED_AT.items():
        goals = f"(goals: {median}, {p99})"
        print(f"{'dragging at {} x {} (ms)'.format(*size):44s}{'median':>10s}{'p99':>10s}{'worst':>10s}   {goals}")
        for scenario, seed in LARGEST:
            _dragged(scenario, seed, size, profile)


def _dragged(scenario: str, seed: int, size: tuple[int, int], profile: bool) -> None:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(size)
    battle = load_scene(ROOT / "scenarios" / f"{scenario}.yaml")
    for density in (store.COARSE, store.FINE):
        store.painted(battle.table, density)
    session = Session.start(battle, seed)
    window = GameWindow(session, JudgeWorker(battle), JudgeWorker(battle), PlayerWorker(battle.table))
    window.pace("at once")
    try:
        _taken(window)
        housekeeping.put_away()  # as the program does whenever the player does nothing for a moment
        profiler = cProfile.Profile(time.process_time)
        walls, owns = [], []
        for seconds in _round_about(window, DRAGGED):
            if profile:
                profiler.enable()
            wall, own = seconds()
            profiler.disable()
            walls.append(wall)
            owns.append(own)
        row(f"{scenario}, by the clock", walls)
        row(f"{scenario}, processor of the window", owns)
        if profile:
            pstats.Stats(profiler).sort_stats("cumulative").print_stats(40)
    finally:
        window.close()


def dragging(seconds: float) -> Iterator[Callable[[], tuple[float, float]]]:
    """Yield the frames of a unit dragged round about in the largest battle, each to be called."""
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(SIZE)
    battle = load_scene(ROOT / "scenarios" / f"{LARGEST[0][0]}.yaml")
    session = Session.start(battle, LARGEST[0][1])
    window = GameWindow(session, JudgeWorker(battle), JudgeWorker(battle), PlayerWorker(battle.table))
    window.pace("at once")
    try:
        _taken(window)
        yield from _round_about(window, seconds)
    finally:
        window.close()


def _tell(window: GameWindow, kind: int, **what: Any) -> None:
    pygame.event.post(pygame.event.Event(kind, what))
    window.step(FRAME)


def _taken(window: GameWindow) -> None:
    """Answer what is asked, choose who acts, show everything, and take a unit by its middle."""
    controller = window.controller
    for _ in range(200):
        window.step(0.3)
        if controller.state.turned_over:
            controller.game.hand_over()
        elif controller.model.battle.pending:
            controller.game.answer(controller.model.battle.pending[0].choices[0])
        elif not controller.model.pending:
            break
    unit = _to_drag(window)
    controller.select(unit)
    controller.show(controller.model.offered)
    _wait(window)
    at = _pixel(window, unit)
    _tell(window, pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0))
    _tell(window, pygame.MOUSEBUTTONDOWN, pos=at, button=1)
    _tell(window, pygame.MOUSEMOTION, pos=(at[0] + 20, at[1]), rel=(20, 0), buttons=(1, 0, 0))
    _wait(window)
    if controller.model.drag is None:
        raise SystemExit(f"{unit} cannot be dragged")


def _to_drag(window: GameWindow) -> str:
    """Return a unit that may be taken in hand; as long as there is none, anything allowed is done."""
    controller, mover = window.controller, RandomMover(5)
    while not controller.model.battle.over:
        unit = next(_movable(window), None)
        if unit is not None:
            return unit
        controller.game.do(mover.choose(controller.model.battle).action)
        _wait(window)
    raise SystemExit(f"{controller.model.battle.title}: the battle was over before any unit could be dragged")


def _movable(window: GameWindow) -> Iterator[str]:
    """Yield formed units that may be taken in hand now, choosing who acts as a player would, where that is chosen."""
    controller = window.controller
    for group in controller.state.facts.groups or (None,):
        if group is not None:
            controller.proposals.choose_group(group.id)
            _wait(window)
        for unit in (unit for unit in controller.model.battle.units if not unit.is_general):
            controller.select(unit.id)
            _wait(window)
            controller.take(unit.at)
            if controller.model.drag is not None:
                controller.cancel()
                yield unit.id


def _pixel(window: GameWindow, unit: str) -> tuple[int, int]:
    x, y = window.camera.to_screen(window.controller.model.battle.unit(unit).at)
    left, top = window.panel.table_rect.topleft
    return round(x) + left, round(y) + top


def _wait(window: GameWindow) -> None:
    """Let the judge answer everything."""
    end = time.monotonic() + PATIENCE
    window.step(FRAME)
    while window.controller.model.pending and time.monotonic() < end:
        window.step(FRAME)
        time.sleep(0.002)


def _round_about(window: GameWindow, seconds: float) -> Iterator[Callable[[], tuple[float, float]]]:
    """Yield, sixty times a second, what moves the hand on and shows a frame, and returns the times it took."""
    unit = window.controller.model.drag.unit.id if window.controller.model.drag is not None else ""
    (x, y), end, number = _pixel(window, unit), time.monotonic() + seconds, 0
    while time.monotonic() < end:
        angle, far = 2 * math.pi * number / ROUND, 60 + 40 * math.sin(number / 200)
        to = round(x + far * math.cos(angle)), round(y + far * math.sin(angle))

        def frame(to: tuple[int, int] = to) -> tuple[float, float]:
            wall, own = time.perf_counter(), time.process_time()
            _tell(window, pygame.MOUSEMOTION, pos=to, rel=(1, 1), buttons=(1, 0, 0))
            return time.perf_counter() - wall, time.process_time() - own

        begun = time.perf_counter()
        yield frame
        number += 1
        time.sleep(max(0.0, FRAME - (time.perf_counter() - begun)))


@dataclass
class Program:
    """The program with a battle in its window, kept in a file and tidied up after as ``running.run`` does."""

    app: App
    keeping: housekeeping.Housekeeping

    @property
    def window(self) -> GameWindow:
        found = self.app.top
        assert isinstance(found, GameWindow)
        return found

    @property
    def acted(self) -> int:
        """How many actions have been done."""
        return len(self.window.controller.game.session.steps) - 1

    def frame(self) -> tuple[float, float]:
        """Show one frame; return the seconds it took by the clock, and those of the processor on this thread."""
        wall, own = time.perf_counter(), time.thread_time()
        self.app.step(FRAME)
        self.keeping.frame(tuple(map(id, self.app.stack)), self.app.still, self.app.took)
        return time.perf_counter() - wall, time.thread_time() - own


def computer(seconds: float = PLAYED, profile: bool = False) -> None:
    """Two computers play the largest battle of There Stand Empires, everything shown; all frames, waits included."""
    print(f"\n{'the computer plays (ms)':44s}{'median':>10s}{'p99':>10s}{'worst':>10s}   (goals: 50, 200)")
    profiler, walls, owns = cProfile.Profile(time.thread_time), list[float](), list[float]()
    with _computers(*LARGEST[0]) as program:
        controller = program.window.controller
        controller.show(controller.model.offered)
        end = time.monotonic() + seconds
        while time.monotonic() < end and not controller.model.battle.over:
            if profile:
                profiler.enable()
            wall, own = program.frame()
            profiler.disable()
            walls.append(wall)
            owns.append(own)
            time.sleep(max(0.0, FRAME - wall))
        acted = program.acted
    row(f"{acted} actions, by the clock", walls)
    row(f"processor of the window's thread, load {os.getloadavg()[0]:.1f}", owns)
    if profile:
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(60)


def battle(scenario: str = "tse/starter", most: float = math.inf) -> None:
    """Memory of the window's process while two computers play a whole battle, or for so many seconds.

    A row every so many actions: what the process holds, and how many things Python looks after.
    """
    print(f"\n{f'memory over {scenario} (MB)':44s}{'actions':>10s}{'memory':>10s}{'objects':>10s}")
    with _computers(scenario, 3) as program:
        told, end, controller = 0, time.monotonic() + most, program.window.controller
        while not controller.model.battle.over and time.monotonic() < end:
            wall, _ = program.frame()
            time.sleep(max(0.0, FRAME - wall))
            if program.acted >= told:
                _row_of_memory(program)
                told = program.acted + REPORTED
        _row_of_memory(program)


def _row_of_memory(program: Program) -> None:
    where = f"turn {program.window.controller.model.battle.clock.turn}"
    things = len(gc.get_objects()) + gc.get_freeze_count()
    print(f"{where:44s}{program.acted:10d}{_megabytes():10.1f}{things:10d}", flush=True)


@contextmanager
def _computers(scenario: str, seed: int) -> Iterator[Program]:
    """Open the window on a battle between two computers, as the program does."""
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(SIZE)
    begun = load_scene(ROOT / "scenarios" / f"{scenario}.yaml")
    with tempfile.TemporaryDirectory() as home:
        players = dict.fromkeys(engine.opened(begun, 0).setup.sides, "greedy")
        session = Session.start(begun, seed, players, Path(home) / "battle.jsonl")
        app = App(playing(session), Look(Settings(pace="at once")))
        try:
            yield Program(app, housekeeping.Housekeeping())
        finally:
            app.close()


def start() -> None:
    """From the start of the process to the first frame that can be used: the start screen, and a battle over it."""
    print(f"\n{'process start to the first frame (s)':44s}{'median':>10s}{'processor':>10s}{'worst':>10s}   (goal: 2)")
    with tempfile.TemporaryDirectory() as home:
        folders = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), home)
        for words in (["play"], ["play", "scenarios/tse/quatre-bras.yaml", "--players", "human,greedy"]):
            _started(words, folders)


def _started(words: list[str], folders: dict[str, str]) -> None:
    walls, owns = [], []
    for _ in range(STARTS + 1):
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        command = [sys.executable, "-c", FIRST_FRAME, *words]
        subprocess.run(command, cwd=ROOT, env={**os.environ, **folders}, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        walls.append(time.perf_counter() - begun)
        owns.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    walls, owns = walls[1:], owns[1:]  # the first one warms
    what = "tabletop " + " ".join(Path(word).name for word in words)
    print(
        f"{what[:43]:44s}{np.median(walls):10.2f}{np.median(owns):10.2f}{max(walls):10.2f}   {STARTS} starts",
        flush=True,
    )


def first_painting() -> None:
    """Print the time until a table nobody has seen is painted: in a process already there, and by one begun for it."""
    print(f"\n{'first painting, 32 pixels an inch (s)':44s}{'median':>10s}{'worst':>10s}   (goal: 1.5)")
    for scenario in ("tse/quatre-bras", "tse/starter"):
        table = load_scene(ROOT / f"scenarios/{scenario}.yaml").table
        rows: dict[str, list[float]] = {"": [], ", a process begun": []}
        for _ in range(STARTS):
            begun = time.perf_counter()
            painting(table, store.COARSE, store.threads(store.COARSE))
            rows[""].append(time.perf_counter() - begun)
            rows[", a process begun"].append(_in_a_process(scenario))
        for how, took in rows.items():
            print(f"{scenario + how:44s}{np.median(took):10.2f}{max(took):10.2f}", flush=True)


def _in_a_process(scenario: str) -> float:
    """Return the seconds until a program with no painting kept has one, made by a process of its own."""
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-c", FIRST_PAINTING, f"scenarios/{scenario}.yaml"]
        folders = dict.fromkeys(("HOME", "LOCALAPPDATA", "XDG_CACHE_HOME"), home)
        told = subprocess.run(command, cwd=ROOT, env={**os.environ, **folders}, check=True, capture_output=True)
    return float(told.stdout)


def memory(hour: float = HOUR) -> None:
    """Replays played through, one after the other, for an hour of the game's own time: memory as it goes."""
    with tempfile.TemporaryDirectory() as home:
        kept = [_fought(Path(home) / f"{name}.jsonl", f"tse/{name}") for name in ("skirmish", "starter")]
        pygame.display.init()
        pygame.font.init()
        pygame.display.set_mode(SIZE)
        print(
            f"\n{'memory while replaying (MB)':44s}{'start':>10s}{'end':>10s}{'most':>10s}   (goal: 500, not growing)"
        )
        held, shown, rounds = [], 0.0, 0
        while shown < hour:
            shown += _played_through(kept[rounds % len(kept)])
            held.append(_megabytes())
            rounds += 1
        first = held[min(len(held) - 1, 2 * len(kept) - 1)]  # once everything has been read and painted
        print(f"{f'{rounds} replays, {shown:.0f} s':44s}{first:10.0f}{held[-1]:10.0f}{max(held):10.0f}", flush=True)


def _fought(path: Path, scenario: str) -> Path:
    """Keep a battle between two who do anything allowed, fought to its end."""
    session, mover = Session.start(load_scene(ROOT / "scenarios" / f"{scenario}.yaml"), 5, None, path), RandomMover(5)
    while session.mover is not None:
        session.do(mover.choose(session.battle).action)
    return path


def _played_through(path: Path) -> float:
    """Open a replay, play it to its end, close it; return the seconds it took, by its own time."""
    app, shown = App(replaying(path), Look(Settings())), 0.0
    screen: Any = app.top
    app.step(STEP, [])
    screen.head.go(0)
    screen.head.toggle()
    while not screen.head.at_end:
        app.step(STEP, [])
        shown += STEP
    app.close()
    return shown


def _megabytes() -> float:
    """Return what the process holds in memory now."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def main(arguments: Sequence[str]) -> int:
    """Measure what is asked for, everything when nothing is."""
    asked = [word for word in arguments if not word.startswith("-")] or EVERY
    machine = f"{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"
    print(f"{machine}, Python {platform.python_version()}")
    if "drag" in asked:
        drag("--profile" in arguments)
    if "computer" in asked:
        computer(profile="--profile" in arguments)
    if "start" in asked:
        start()
    if "painting" in asked:
        first_painting()
    if "memory" in asked:
        memory()
    if "battle" in asked:
        battle()
    if "quatre-bras" in asked:
        battle(LARGEST[0][0], WATCHED)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
