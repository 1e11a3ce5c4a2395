"""A home of the test's own for the whole program: its folders, files to drop, and everything done in this process."""

from __future__ import annotations

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"

import random
import sys
import tempfile
import time
import webbrowser
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import platformdirs
import pygame
import pytest

from tabletop.battle.battle import Battle
from tabletop.errors import TabletopError
from tabletop.play import engine
from tabletop.play.computer.random_mover import RandomMover
from tabletop.play.files.draft import laid
from tabletop.play.files.draft_from_file import open_draft
from tabletop.play.session import Session
from tabletop.play.workers import judge_worker, player_worker
from tabletop.play.workers.judge_worker import Answer, InlineJudgeWorker, JudgeRequest
from tabletop.play.workers.player_worker import InlinePlayerWorker
from tabletop.render import error_report, places
from tabletop.render.battle import lesson_window
from tabletop.render.battle import window as playing_window
from tabletop.render.export import screen as exporting_screen
from tabletop.render.judge import screen as judging_screen
from tabletop.render.judge.screen import JudgingScreen
from tabletop.render.screens import Look, Maker
from tabletop.render.start import background_jobs, file_page, home, pictures, setting_up
from tabletop.render.start.background_jobs import InlineJobs
from tabletop.render.table import window
from tabletop.render.widgets import app_form
from tabletop.render.widgets.pages import browse
from tests import loaded
from tests.render import known_answers

ROOT = Path(__file__).resolve().parents[2]
#: Requests a worker answers of those it is asked in a frame, as a share.
ANSWERED = 0.25


class Halting(InlineJudgeWorker):
    """A worker that answers some requests at once, some later, and most never: as if it were slow."""

    chance, share = random.Random(0), ANSWERED
    #: Questions he never gets to.
    left: tuple[str, ...] = ()

    def put(self, *requests: JudgeRequest) -> None:
        super().put(*(request for request in requests if request.question not in self.left))

    def take(self) -> list[tuple[Hashable, Answer]]:
        self._batch = 1 if self._waiting.keys and Halting.chance.random() < Halting.share else 0
        return super().take()


def _raised(error: BaseException) -> NoReturn:
    raise error


class Outside(Exception):
    """Something was written outside of the clicker's folders."""


class Fence:
    """While it stands, files are written and made within one folder alone; other tries are refused, as by a system.

    In the folders that are ``shut`` nothing is written either, as when somebody has no right to.
    """

    standing: Path | None = None
    shut: tuple[Path, ...] = ()
    built = False

    @classmethod
    def build(cls) -> None:
        """Put it up once: what listens to Python's own deeds cannot be taken away again."""
        if not cls.built:
            cls.built = True
            sys.addaudithook(cls._heard)

    @classmethod
    def _heard(cls, event: str, given: tuple[Any, ...]) -> None:
        if event not in ("open", "os.mkdir", "os.remove", "os.rename", "os.rmdir") or not (cls.standing or cls.shut):
            return
        if event == "open" and not (given[2] or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            return
        name = given[1] if event == "os.rename" else given[0]
        if isinstance(name, int) or "__pycache__" in str(name) or str(name) == os.devnull:
            return
        place = Path(os.fsdecode(name)).absolute()
        within = (place, *place.parents)
        if (cls.standing is not None and cls.standing not in within) or any(shut in within for shut in cls.shut):
            raise PermissionError(13, "Permission denied", str(name))


@contextmanager
def fenced(folder: Path) -> Iterator[None]:
    """Let nothing be written outside of a folder."""
    Fence.build()
    Fence.standing = folder.resolve()
    try:
        yield
    finally:
        Fence.standing = None


@contextmanager
def read_only(*folders: Path) -> Iterator[None]:
    """Let nothing be written, made or taken away in these folders, as a folder somebody has no right to write in."""
    Fence.build()
    Fence.shut = tuple(folder.resolve() for folder in folders)
    try:
        yield
    finally:
        Fence.shut = ()


def at_home(folder: Path, patch: pytest.MonkeyPatch, inline: bool = True) -> None:
    """Give the program a home of its own in ``folder``, and let it do everything in this process."""
    for name in ("data", "config", "cache", "log", "documents", "pictures"):
        own = str(folder / name)
        patch.setattr(platformdirs, f"user_{name}_dir", lambda *_, own=own, **__: own)
    for name in ("HOME", "USERPROFILE"):
        patch.setenv(name, str(folder / "home"))
    (folder / "home").mkdir(parents=True, exist_ok=True)
    (folder / "here").mkdir(exist_ok=True)
    (folder / "temporary").mkdir(exist_ok=True)
    patch.chdir(folder / "here")
    patch.setattr(tempfile, "tempdir", str(folder / "temporary"))
    patch.setattr(browse, "_last", [])
    patch.setattr(places, "_chosen", [])
    patch.setattr(error_report, "report_error", _raised)
    # A picture's name says what is on it: those that another test of this process had painted are as good.
    patch.setattr(pictures, "cache_folder", lambda: folder.parent / "fields")
    patch.setattr(webbrowser, "open", lambda *_: True)
    # A battle's seed follows from the test's own, so that what broke once breaks again.
    for module in (setting_up, app_form):
        patch.setattr(module, "secrets", SimpleNamespace(randbelow=random.randrange))
    usual_games(folder)
    if inline:
        _inlined(patch)


def _inlined(patch: pytest.MonkeyPatch) -> None:
    for module in (file_page, home, setting_up):
        patch.setattr(module, "BackgroundJobs", InlineJobs)
    patch.setattr(playing_window, "JudgeWorker", Halting)
    patch.setattr(window, "JudgeWorker", Halting)
    patch.setattr(playing_window, "PlayerWorker", lambda _: InlinePlayerWorker())
    patch.setattr(lesson_window, "JudgeWorker", Halting)
    patch.setattr(lesson_window, "PlayerWorker", lambda _: InlinePlayerWorker())
    patch.setattr(exporting_screen, "Filming", NoFilm)
    patch.setattr(judging_screen, "judging", _judging)
    patch.setattr(background_jobs, "_done", _done)
    patch.setattr(judge_worker, "_calmly", known_answers.judged(_answered))
    patch.setattr(player_worker, "_calmly", known_answers.thought(lambda think, battle, what: think(battle, *what)))


def _answered(battle: Battle, request: JudgeRequest, **more: Any) -> Answer:
    return request.answered(battle, **more)


def _done(job: background_jobs.Job) -> Any:
    """Do a job; the errors a file may have are handed on, others are raised."""
    try:
        return job()
    except (TabletopError, OSError) as error:
        return error


def _judging(scene: Path | None = None) -> Maker:
    def make(look: Look) -> JudgingScreen:
        draft = judging_screen._first() if scene is None else open_draft(scene)
        return JudgingScreen(draft, Halting(laid(draft).battle), look.scale, scene, inline=True)

    return make


class NoFilm:
    """A film that is being made for some frames, and then could not be made."""

    def __init__(self, _: object, __: object, path: Path) -> None:
        self.path, self.done, self.of, self.ended = path, 0, 0, ""

    def listen(self) -> None:
        self.done, self.of = self.done + 1, 9
        if self.done == self.of:
            self.ended = "The film could not be made."

    def leave_off(self) -> None:
        self.ended = "The film was left off; nothing is written."

    def close(self) -> None:
        pass


def usual_games(folder: Path) -> None:
    """Keep two games in the clicker's own folder, one of them over, so that there is something to go on with."""
    games_folder = folder / "data" / "games"
    games_folder.mkdir(parents=True, exist_ok=True)
    for number, (name, kept) in enumerate(_usual_games().items()):
        (games_folder / name).write_bytes(kept)
        written = time.time() - len(_usual_games()) + number  # the last is the one to go on with
        os.utime(games_folder / name, (written, written))


@cache
def _usual_games() -> dict[str, bytes]:
    """Return two games as they are kept, by their files' names; fought once for all tests."""
    sides = (("skirmish", "tse", 200), ("drill-ground", "realm-of-chance", 12))
    with tempfile.TemporaryDirectory() as folder:
        return {f"{name}.jsonl": _fought(f"{rules}/{name}", actions, Path(folder)) for name, rules, actions in sides}


def _fought(name: str, actions: int, folder: Path) -> bytes:
    battle, path = loaded.scenario(name), folder / "game.jsonl"
    players = dict.fromkeys(engine.opened(battle, 0).setup.sides, "human")
    session, mover = Session.start(battle, 5, players, path), RandomMover(5)
    while session.mover is not None and len(session.steps) < actions:
        session.do(mover.choose(session.battle).action)
    kept = path.read_bytes()
    path.unlink()
    return kept


def usual_files(folder: Path) -> list[Path]:
    """Write files somebody may drop: good, broken, empty, a folder, one that is not there; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "broken.yaml": "rules: tse\nunits: [", "odd.yaml": "a: 1\n", "empty.yaml": "",
        "broken.jsonl": '{"format": 1}\n',
        "letter.txt": "Dear friend,\n", "photo.png": "no picture", "cut.jsonl": '{"format": "tabletop-game/1", "progr',
    }  # fmt: skip
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    (folder / "noise.jsonl").write_bytes(bytes(range(256)))
    pygame.image.save(pygame.Surface((120, 80)), folder / "table.png")
    good = [ROOT / "scenarios" / "tse" / "skirmish.yaml", ROOT / "scenarios" / "realm-of-chance" / "drill-ground.yaml"]
    disputes = sorted((ROOT / "scenarios" / "tse" / "disputes").glob("*.yaml"))[:3]
    return [*good, *disputes, *sorted(folder.iterdir()), folder, folder / "missing.yaml", folder / "missing.jsonl"]
