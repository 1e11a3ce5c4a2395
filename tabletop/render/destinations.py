"""Where a screen can send the player: plain values, from which ``rooms`` makes the next screen.

A screen names a destination and never imports another screen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.geometry.verdict import Verdict
from tabletop.play.engine import Step
from tabletop.play.files import named_files
from tabletop.play.files.nearest_words import clip
from tabletop.play.files.typed_paths import is_folder, is_there
from tabletop.play.saves import library, save
from tabletop.play.saves.save import Header
from tabletop.play.session import Session
from tabletop.render.descriptions import place
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.primitives import Drawing


@dataclass(frozen=True)
class Subject:
    """What can be exported: a battle as it stands, as a camera shows it, with its history.

    ``drawings`` are the window's drawings of the table, the lowest first, made for the camera's scale. ``moment`` is
    the time in the battle in a few words, for the file name. Without ``steps`` there is nothing to report.
    """

    battle: Battle
    camera: Camera
    drawings: Sequence[Drawing]
    moment: str = ""
    header: Header | None = None
    steps: Sequence[Step] = ()

    @property
    def title(self) -> str:
        """The base of the file names."""
        return f"{self.battle.title or 'table'} {self.moment}".strip()

    @property
    def has_game(self) -> bool:
        """True when there is a battle to report and to film."""
        return self.header is not None and bool(self.steps)


@dataclass(frozen=True)
class ToBattle:
    """A battle to be played; ``start`` begins or resumes it, ``note`` returns its first note."""

    start: Callable[[], Session]
    note: Callable[[Session], str] | None = None


@dataclass(frozen=True)
class ToLesson:
    """A lesson, at one of its steps, counted from 0."""

    path: Path
    step: int = 0


@dataclass(frozen=True)
class ToDrill:
    """A session of drills by eye or by tape, ``only`` one family or all; preceded by a dispute, if there is one."""

    mode: str = "eye"
    only: str = ""
    dispute: tuple[Battle, Verdict] | None = None


@dataclass(frozen=True)
class ToDemo:
    """A demo; with ``loop`` it starts over at its end."""

    path: Path
    loop: bool = True


@dataclass(frozen=True)
class ToReplay:
    """A saved game, from its beginning."""

    path: Path


@dataclass(frozen=True)
class ToReplaySoFar:
    """The replay of a battle that is being played."""

    session: Session


@dataclass(frozen=True)
class ToJudge:
    """The judge's table, with a scene on it or empty."""

    path: Path | None = None


@dataclass(frozen=True)
class ToWorkshop:
    """The workshop, with the content of a file on its table, or empty."""

    path: Path | None = None


@dataclass(frozen=True)
class ToCalculator:
    """The rulebook's game app, empty."""


@dataclass(frozen=True)
class ToCalculatorOnTable:
    """The game app with the form for ``what``, filled in from a battle for a unit and its target."""

    battle: Battle
    what: str
    unit: str
    target: str | None


@dataclass(frozen=True)
class ToSettings:
    """The settings."""


@dataclass(frozen=True)
class ToExport:
    """The choice of files to export."""

    subject: Subject


@dataclass(frozen=True)
class ToSettingUp:
    """The page on which the battle of a scenario's file is set up."""

    path: Path


Destination = (
    ToBattle
    | ToLesson
    | ToDrill
    | ToDemo
    | ToReplay
    | ToReplaySoFar
    | ToJudge
    | ToWorkshop
    | ToCalculator
    | ToCalculatorOnTable
    | ToSettings
    | ToExport
    | ToSettingUp
)


def saved_game(path: Path) -> ToBattle:
    """Return the destination that resumes a saved game with the players it was begun with."""
    return ToBattle(lambda: Session.resume(save.read(path), path))


def of_file(path: Path) -> ToBattle | ToSettingUp:
    """Return the destination for a file: setting up its scenario, or resuming its game; BadQuestion for other files."""
    suffix = path.suffix.lower()
    if is_folder(path):
        raise BadQuestion(f"{place(path)} is a folder; drop a file of it: a scenario (.yaml) or a saved game (.jsonl)")
    if named_files.is_game(path) or suffix in library.GAME_FILES:
        return saved_game(path)
    if suffix in library.BATTLE_FILES:
        return ToSettingUp(path)
    raise BadQuestion(
        f"{clip(path.name)} is neither a scenario (.yaml, .yml, .json) nor a saved game (.jsonl); nothing is opened"
    )


def new_battle(
    battle: Battle, seed: int, players: Mapping[str, str], path: Path | None, practice: bool = False
) -> ToBattle:
    """Return the destination that begins a new battle; Unsaved if it cannot be saved in ``path`` (None: not saved)."""

    def start() -> Session:
        if path is not None and is_there(path):
            raise BadQuestion(f"{path} is there already; name another file, or load that game")
        return Session.start(battle, seed, players, path, practice)

    return ToBattle(start)
