"""The library of files to open: battles to begin, including the player's own, and saved games.

A file that cannot be opened is listed too, with the reason, so that the player does not look for it in vain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from tabletop.battle.battle import Battle
from tabletop.errors import AGAIN, BadQuestion, TabletopError, Unreadable
from tabletop.play import engine
from tabletop.play.files import bundled, installed, named_files
from tabletop.play.files.writing import sweep
from tabletop.play.players import player_kind
from tabletop.play.saves import known_game, save
from tabletop.play.saves.autosave import games_folder

#: The suffixes of files that hold a battle, and of those that hold a game.
BATTLE_FILES, GAME_FILES = (".yaml", ".yml", ".json"), (".jsonl",)
#: The most files of a folder that are listed, the newest first.
MOST = 500
#: A game with more lines than this is taken to have been played by a person.
FEW = 200
#: Descriptions of scenarios are cut after this many letters.
LONGEST = 600


Entry = TypeVar("Entry")


@dataclass(frozen=True)
class Field:
    """A battle that can be begun: its file, the battle before the first turn, its description, and all its files."""

    path: Path
    battle: Battle
    about: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class Kept:
    """A game as it was left: its file, when it was changed, who plays each side, its actions so far, who acts next."""

    path: Path
    when: datetime
    battle: Battle
    players: dict[str, str]
    actions: int
    mover: str | None = None

    @property
    def over(self) -> bool:
        return self.battle.over


@dataclass(frozen=True)
class Unfit:
    """A file that cannot be opened, and why."""

    path: Path
    when: datetime
    why: str


@dataclass(frozen=True)
class Library:
    """The files of one kind in a folder; ``trouble`` says why they cannot be listed."""

    paths: tuple[Path, ...] = ()
    trouble: str = ""


def own_folder() -> Path:
    """Return the folder for the player's own scenario files, beside that of the saved games."""
    return games_folder().parent / "My battles"


def installed_battles() -> Library:
    """Return the scenarios that come with the program and with published rule sets, grouped by rule set.

    The disputed positions are left out.
    """
    if installed.installed_data() is None:
        return Library(trouble=f"The battles that come with the program are missing; {AGAIN}.")
    battles = [place for place in installed.places() if bundled.kind_of(place) == "Battles"]
    return Library(tuple(sorted(map(installed.installed, battles), key=_by_rules)))


def own_battles(folder: Path | None = None) -> Library:
    """Return the scenario files in the player's own folder, by name."""
    library = _files(own_folder() if folder is None else folder, BATTLE_FILES)
    return Library(tuple(sorted(library.paths)), library.trouble)


def kept_games(folder: Path | None = None) -> Library:
    """Return the saved games of a folder (by default the usual one), newest first."""
    folder = games_folder() if folder is None else folder
    sweep(folder)
    return _files(folder, GAME_FILES)


def lessons() -> tuple[Path, ...]:
    """Return the installed lessons, grouped by rule set."""
    data = installed.installed_data()
    return tuple(sorted((data / "lessons").glob("*/*.yaml"), key=_by_rules)) if data is not None else ()


def field(path: Path) -> Field | Unfit:
    """Return the battle of a scenario or scene file, laid out and ready to begin, or why it cannot be opened."""
    return _or_why(path, _field)


def game(path: Path) -> Kept | Unfit:
    """Return a saved game as it was left, or why it cannot be opened."""
    return _or_why(path, _game)


def newest_unfinished(paths: Iterable[Path]) -> Kept | None:
    """Return the first of these games that can be continued; skip games that are over."""
    return next((saved for path in paths if isinstance(saved := game(path), Kept) and not saved.over), None)


def untouched(battle: Battle, players: Mapping[str, str]) -> Path | None:
    """Return the file of a saved game of this battle and these players in which no person has acted yet, else None.

    Actions of computer players before the first person's turn do not count.
    """
    people = {side for side, name in players.items() if player_kind(name).make is None}
    for path in kept_games().paths:
        try:
            if path.read_bytes().count(b"\n") > FEW:
                continue
            saved = save.read(path)
        except (OSError, TabletopError):
            continue
        idle = all(line.action is None or line.action.side not in people for line in saved.lines)
        if idle and saved.header.opening == battle and saved.header.players == players:
            return path
    return None


def _or_why(path: Path, read: Callable[[Path], Entry]) -> Entry | Unfit:
    try:
        return read(path)
    except Unreadable as error:
        more = f" (and {len(error.faults) - 1} more)" if len(error.faults) > 1 else ""
        first = error.faults[0]
        where = f"line {first.line}: " if first.line > 1 else ""
        return Unfit(path, _when(path), f"{where}{first.text}{more}")
    except (TabletopError, OSError) as error:
        return Unfit(path, _when(path), str(error))
    except Exception as error:  # a file may hold anything; it is listed as one that cannot be opened
        return Unfit(path, _when(path), f"it cannot be read ({type(error).__name__}: {error})"[:LONGEST])


def _field(path: Path) -> Field:
    from tabletop.play.files import load  # loaded late: it is slow to import, and the first frame does not need it

    loaded = load.load(path)
    battle = engine.opened(loaded.battle, 0)
    engine.play_of(battle)  # refuses rules that can only be measured, before the first click
    if len(battle.setup.sides) != 2:
        raise BadQuestion(f"a battle has two sides, this one has {len(battle.setup.sides)}; it can be measured on")
    return Field(path, battle, _about(path), loaded.files)


def _game(path: Path) -> Kept:
    game = known_game.read(path)
    battle, saved = game.battle_at(), game.saved
    return Kept(path, _when(path), battle, dict(saved.header.players), len(saved.lines) - 1, engine.mover(battle))


def _about(path: Path) -> str:
    """Return the description of a file's battle: its notes, or else the comment at its beginning."""
    notes = named_files.read(path).data.get("notes")
    if notes:
        return _cut(str(notes))
    remark: list[str] = []
    for line in path.read_text("utf-8").splitlines():
        text = line.removeprefix("#").strip()
        if not line.startswith("#") or (remark and not text):
            break
        remark.append(text)
    return _cut(" ".join(remark))


def _cut(text: str) -> str:
    """Return a text in one line, cut after a word if it is too long."""
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[:LONGEST].rsplit(" ", 1)[0] + " ..."


def _by_rules(path: Path) -> tuple[int, str]:
    from tabletop.rules.rule_set import NAMES

    name = installed.rules_of(path)
    return (NAMES.index(name) if name in NAMES else len(NAMES), path.name)


def _files(folder: Path, suffixes: tuple[str, ...]) -> Library:
    try:
        paths = [path for path in folder.iterdir() if path.suffix.lower() in suffixes and not path.name.startswith(".")]
    except FileNotFoundError:
        return Library()
    except OSError as error:
        return Library(trouble=f"{folder} cannot be read ({error.strerror or error}); check its rights.")
    return Library(tuple(sorted(paths, key=lambda path: (-_stamp(path), path.name))[:MOST]))


def _stamp(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _when(path: Path) -> datetime:
    return datetime.fromtimestamp(_stamp(path))
