"""Files at the judge's table: choosing, opening and saving them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tabletop.drills.dispute import without_twin
from tabletop.errors import BadQuestion
from tabletop.play.files.draft import army_data, map_data
from tabletop.play.files.installed import installed_data
from tabletop.play.files.typed_paths import is_there
from tabletop.play.quick_battle.forces import Force, opened
from tabletop.play.saves.autosave import games_folder
from tabletop.play.saves.library import own_folder
from tabletop.play.workshop.sources import ours
from tabletop.render.destinations import ToDrill
from tabletop.render.handouts import page
from tabletop.render.handouts.drill import of_position
from tabletop.render.judge.chooser import Chooser
from tabletop.render.judge.keeping import CARDS, OPENED, SCENES, save, saved_for, settled, write_checked
from tabletop.render.judge.photo import SUFFIXES
from tabletop.render.judge.placing import slug, spoken
from tabletop.render.judge.state import JudgingState
from tabletop.render.screens import Go

#: Maximum letters of a name on the card.
LONGEST = 60


def places(new: bool) -> tuple[tuple[str, Path], ...]:
    """Return the folders one click away; those of installed or saved files only for opening."""
    data = installed_data()
    usual = [("My battles", own_folder()), ("Home", Path.home())]
    more = [("Saved games", games_folder()), *([("Examples", data / "scenarios")] if data is not None else [])]
    return tuple((label, path) for label, path in (*usual, *([] if new else more)) if new or path.is_dir())


def first_folder(screen: JudgingState, new: bool) -> Path:
    """Return the first folder to show: that of the last file, else the first of the usual places."""
    if screen.folder is not None and screen.folder.is_dir() and not (new and ours(screen.folder)):
        return screen.folder
    return next((path for _, path in places(new)), Path.home())


def _choosing(
    screen: JudgingState,
    title: str,
    label: str,
    endings: tuple[str, ...],
    take: Callable[[JudgingState, Path], None],
    name: str = "",
) -> None:
    """Let the player choose a file; with a ``name``, one that may not exist yet."""

    def taken(path: Path) -> None:
        take(screen, path)
        screen.folder = path.resolve().parent

    new = bool(name)
    screen.sure = None
    screen.chooser = Chooser(title, label, first_folder(screen, new), endings, taken, name, new, places=places(new))


def open_file(screen: JudgingState, *_: Any) -> None:
    """Choose a file to open."""
    _choosing(screen, "Open a map, scene, scenario or game", "Open", OPENED, _open)


def _open(screen: JudgingState, path: Path) -> None:
    screen.chooser = None
    screen.open(path)


def save_file(screen: JudgingState, *_: Any) -> None:
    """Save the scene to its file, or choose one."""
    controller = screen.controller
    if controller.path is not None:
        save(controller, controller.path)
        return
    if not controller.laid.sound:
        save(controller, Path("unsound"))
    name = f"{slug(controller.draft.title)}{SCENES[0]}"
    _choosing(screen, "Save the scene as", "Save", SCENES, _save_as, name)


def _save_as(screen: JudgingState, path: Path) -> None:
    if _asked_twice(screen, path, [path]):
        save(screen.controller, path)
        screen.chooser = None


def _asked_twice(screen: JudgingState, path: Path, written: list[Path]) -> bool:
    """Return whether files may be written: an existing one is replaced only when chosen twice."""
    existing = [p for p in written if is_there(p) and p != screen.controller.path]
    if existing and screen.sure != path and screen.chooser is not None:
        screen.sure = path
        screen.chooser.note = f"{existing[0].name} is there already: choose it once more to replace it."
        return False
    screen.sure = None
    return True


def card(screen: JudgingState, key: str, value: Any) -> None:
    """Take a text typed for the card, or choose its file."""
    if key in screen.about:
        screen.about[key] = str(value)[:LONGEST]
        return
    settled(screen.controller.verdict)
    name = f"{slug(screen.controller.draft.title)}{key}"
    endings = (key, *(ending for ending in CARDS if ending != key))
    _choosing(screen, "Save the card as", "Save", endings, _print, name)


def drill(screen: JudgingState, _: str, __: Any) -> None:
    """Turn the question on the table into a drill."""
    verdict = screen.controller.verdict
    settled(verdict)
    if verdict is not None:
        screen.going = Go(ToDrill(dispute=(screen.controller.battle, verdict)))


def handout(screen: JudgingState, _: str, __: Any) -> None:
    """Choose the file for the question as a handout with its proof on the back."""
    verdict = screen.controller.verdict
    settled(verdict)
    if verdict is None:
        return
    without_twin(screen.controller.battle, verdict)  # report a question without yes or no before a file is chosen
    name = f"{slug(screen.controller.draft.title)}-handout.pdf"
    _choosing(screen, "Save the handout as", "Save", (".pdf",), _print_handout, name)


def _print_handout(screen: JudgingState, path: Path) -> None:
    verdict = screen.controller.verdict
    if verdict is not None and _asked_twice(screen, path, [path]):
        sides = page.pages(of_position(without_twin(screen.controller.battle, verdict)))
        screen.printer.begin_handout(path, sides)
        screen.chooser = None


def _print(screen: JudgingState, path: Path) -> None:
    controller = screen.controller
    if not _asked_twice(
        screen, path, [path, *([] if controller.path and not controller.changed else [path.with_suffix(SCENES[0])])]
    ):
        return
    scene, digits = saved_for(controller, path)
    drawing = screen.card_drawing(scene.name, digits)
    if drawing is not None:
        screen.printer.begin(path, drawing)
    screen.chooser = None


def open_army(screen: JudgingState, take: Callable[[Force], None]) -> None:
    """Choose an army's file, whose troops a side takes over."""

    def taken(screen: JudgingState, path: Path) -> None:
        force = opened(str(path))
        if force.rules != screen.controller.draft.rules:
            raise BadQuestion(
                f"{path.name} is an army of '{force.rules}'; this table is of '{screen.controller.draft.rules}'."
            )
        take(force)
        screen.chooser = None

    _choosing(screen, "Open an army", "Open", SCENES[:2], taken)


def save_army(screen: JudgingState, side: str) -> None:
    """Choose the file for the troops of a side, as an army."""
    controller = screen.controller
    data = {**army_data(controller.draft, side), "title": f"{controller.draft.title}: {spoken(side)}"[:200]}
    _choosing(
        screen,
        "Save the army as",
        "Save",
        SCENES[:2],
        _as_file("The army is", data),
        f"{slug(str(data['title']))}.yaml",
    )


def save_map(screen: JudgingState, *_: Any) -> None:
    """Choose the file for the ground, as a map."""
    data = map_data(screen.controller.draft)
    _choosing(
        screen,
        "Save the map as",
        "Save",
        SCENES[:2],
        _as_file("The map is", data),
        f"{slug(str(data['title']))}-map.yaml",
    )


def _as_file(what: str, data: Mapping[str, Any]) -> Callable[[JudgingState, Path], None]:
    """Return the function that writes a map or an army to the chosen file."""

    def taken(screen: JudgingState, path: Path) -> None:
        if _asked_twice(screen, path, [path]):
            write_checked(path, data)
            screen.controller.note, screen.chooser = f"{what} in {path.name}.", None

    return taken


def choose_photo(screen: JudgingState) -> None:
    """Choose a photo."""
    _choosing(screen, "Choose a photo", "Open", SUFFIXES, _open_photo)


def _open_photo(screen: JudgingState, path: Path) -> None:
    screen.chooser = None
    screen.controller.backdrop.open(path)


# --- the words of the list -------------------------------------------------------------------------------------------


def type_name(screen: JudgingState, _: str, value: Any) -> None:
    """Take over the name while it is typed."""
    if screen.chooser is not None:
        screen.chooser.name = str(value)


def place(screen: JudgingState, number: str, _: Any) -> None:
    """Go to one of the usual places."""
    if screen.chooser is not None:
        screen.chooser.go(number)


def look(screen: JudgingState, _: str, value: Any) -> None:
    """Open the clicked folder, or take the clicked file."""
    if screen.chooser is not None:
        screen.chooser.note = ""
        screen.chooser.look(str(value))


def choose(screen: JudgingState, *_: Any) -> None:
    """Take the typed file."""
    if screen.chooser is not None:
        screen.chooser.choose()


def leave(screen: JudgingState, *_: Any) -> None:
    """Cancel the choice of a file."""
    screen.chooser = screen.sure = None
