"""The files of the judge's table: saving a scene, opening a file, writing the card with the scene beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tabletop.errors import BadQuestion, TabletopError
from tabletop.geometry.verdict import Verdict
from tabletop.play.files.draft import Laid
from tabletop.play.files.draft_from_file import open_draft
from tabletop.play.files.file_text import file_text
from tabletop.play.files.load import Reading, read_document
from tabletop.play.files.scene_text import scene_text
from tabletop.play.files.writing import write_whole
from tabletop.play.files.yaml_text import parse
from tabletop.play.workshop.sources import Opened, Written, open_work, ours, renewed_origin, written
from tabletop.render.drawing.pdf import pdf
from tabletop.render.drawing.primitives import Drawing
from tabletop.render.handouts import page
from tabletop.render.judge.controller import JudgeController, fingerprint
from tabletop.render.judge.history import History
from tabletop.render.judge.placing import SIDES
from tabletop.render.painting.files import WRITERS, check_suffix

#: Suffixes of a scene's file; the first is added to a bare name.
SCENES = (".yaml", ".yml", ".json")
#: Suffixes that can be opened, those of cards, and the resolution of a card as a picture (times 190 pixels an inch).
OPENED = (*SCENES, ".jsonl")
CARDS = (".pdf", ".png", ".svg")
FINE = 2.0


def scene_bytes(laid: Laid) -> bytes:
    """Return the file of a scene; BadQuestion, in one line, while the position is invalid."""
    if not laid.sound:
        more = f" (and {len(laid.faults) - 1} more)" if len(laid.faults) > 1 else ""
        raise BadQuestion(f"Not saved: {laid.faults[0].text}{more}")
    return scene_text(laid.draft).encode("utf-8")


def save(controller: JudgeController, path: Path) -> None:
    """Save the scene, and beside it the record of its photo; BadQuestion, in one line, if that fails."""
    scene_bytes(controller.laid)
    texts = written(controller.draft, controller.origin, path)
    for each, text in texts.texts.items():
        _written(each, text.encode("utf-8"))
    try:
        controller.backdrop.keep(path)
    except OSError as error:
        raise BadQuestion(
            f"The scene is saved, but not which photo lies under it ({error.strerror or error})."
        ) from None
    if controller.building:
        controller.origin = renewed_origin(controller.origin, controller.draft, path, texts.texts)
    controller.path, controller.kept = path, controller.draft
    lost = (
        f" Its comments could not be kept: {', '.join(each.name for each in texts.renewed)}." if texts.renewed else ""
    )
    others = [each.name for each in texts.texts if each != path]
    controller.note = f"Saved as {path.name}{', with ' + ', '.join(others) if others else ''}.{lost}"


def _saved_note(path: Path, texts: Written) -> str:
    """Return the note about a battle just saved: its file, other files written, comments lost."""
    others = ", ".join(each.name for each in texts.texts if each != path)
    lost = ", ".join(each.name for each in texts.renewed)
    more = f", with {others}" if others else ""
    return f"Saved as {path.name}{more}." + (f" Comments could not be kept in {lost}." if lost else "")


def write_checked(path: Path, data: Mapping[str, Any]) -> None:
    """Write a map or an army to its file; BadQuestion, in one line, for the first fault found by its check."""
    text, reading = file_text(data), Reading(path.resolve().parent)
    read_document(reading, parse(path.name, text), playable=False)
    if reading.wrong:
        raise BadQuestion(f"Not saved: {min(reading.wrong).text}")
    _written(path, text.encode("utf-8"))


def _written(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
    except OSError as error:
        raise BadQuestion(f"{path} cannot be written ({error.strerror or error}); choose another place.") from None


def open_into(controller: JudgeController, path: Path) -> None:
    """Set up the content of a file on the table, in place of what is there (undo brings that back).

    In the workshop it will be saved to the same file, unless that is one of the program's own.
    """
    opened = open_work(path) if controller.building else Opened(open_draft(path))
    draft = opened.draft
    if controller.history.past or controller.changed:
        controller.do(draft)
    else:
        controller.history = History(draft)
        controller.do(draft)
        controller.relaid()
    controller.kept, controller.origin = draft, opened.origin
    controller.path = path if opened.origin is not None and not ours(path) else None
    controller.placing.side = (*draft.sides, *SIDES)[0]
    controller.backdrop.take_away()
    controller.backdrop.recall(path)
    controller.note = opened_note(controller, path)


def opened_note(controller: JudgeController, path: Path) -> str:
    """Return the note about a file just opened: where it will be saved."""
    where = (
        "Save writes it back, comments and all" if controller.path is not None else "saving writes a file of your own"
    )
    return f"{path.name} is open; {where}."


def saved_for(controller: JudgeController, card: Path) -> tuple[Path, str]:
    """Return the scene's file a card is made from, with its fingerprint; saved beside the card unless up to date."""
    data = scene_bytes(controller.laid)
    kept = (
        controller.path is not None
        and not controller.changed
        and controller.path.is_file()
        and controller.path.read_bytes() == data
    )
    if kept and controller.path is not None:
        return controller.path, fingerprint(data)
    path = card.with_suffix(SCENES[0])
    if controller.origin is None:
        save(controller, path)
    else:
        _written(path, data)
    return path, fingerprint(data)


# --- the card --------------------------------------------------------------------------------------------------------


def card_bytes(drawing: Drawing, suffix: str) -> bytes:
    """Return a card as the bytes of a file; a picture has 190 pixels an inch."""
    return WRITERS[suffix](drawing, FINE / 1.5)


class Printer:
    """Writes a card, or a handout, in the background. ``listen`` returns the outcome."""

    def __init__(self, inline: bool = False) -> None:
        self._inline = inline
        self._worker: ThreadPoolExecutor | None = None
        self._at_work: Future[str] | None = None

    @property
    def busy(self) -> bool:
        """Whether a card is being written."""
        return self._at_work is not None

    def begin(self, path: Path, drawing: Drawing) -> None:
        """Start writing a card; BadQuestion for an unknown suffix."""
        suffix = check_suffix(path)
        self._begin(path, lambda: card_bytes(drawing, suffix), f"The card is in {path.name}; sign it.")

    def begin_handout(self, path: Path, sides: Sequence[Drawing]) -> None:
        """Start writing the sides of a handout; BadQuestion if the file is not a PDF."""
        page.check_suffix(path)
        self._begin(path, lambda: pdf(*sides), f"The handout is in {path.name}; print it on both sides.")

    def _begin(self, path: Path, make: Callable[[], bytes], outcome: str) -> None:
        if self._inline:
            self._at_work = Future()
            self._at_work.set_result(_print(path, make, outcome))
            return
        self._worker = self._worker or ThreadPoolExecutor(1, "card")
        self._at_work = self._worker.submit(_print, path, make, outcome)

    def listen(self) -> str:
        """Return the outcome once it is done, else "". Call it once a frame."""
        if self._at_work is None or not self._at_work.done():
            return ""
        done, self._at_work = self._at_work, None
        return done.result()

    def close(self) -> None:
        """Wait for a card that is being written."""
        if self._worker is not None:
            self._worker.shutdown(wait=True)


def _print(path: Path, make: Callable[[], bytes], outcome: str) -> str:
    try:
        _written(path, make())
    except TabletopError as refused:
        return str(refused)
    return outcome


def settled(verdict: Verdict | None) -> Verdict:
    """Return the verdict if there is one; BadQuestion while there is none."""
    if verdict is None:
        raise BadQuestion("There is no verdict yet: put a question on the page Ask.")
    return verdict
