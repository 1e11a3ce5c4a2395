"""Makes a film in another process, so that the window does not wait; reports progress, and can be stopped."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tabletop.errors import TabletopError
from tabletop.play.engine import Step
from tabletop.play.saves.save import Header, Line, Saved
from tabletop.render.events.reel import Reel
from tabletop.render.film.writer import Progress, write_film

#: Seconds to wait for a stopped film before its process is ended.
PATIENCE = 3.0
WIDE = 960

#: Writes a film into a file, reporting progress, and returns its number of pictures.
Make = Callable[..., int]


class Filming:
    """A film being made: ``done`` of ``of`` pictures. ``ended`` is the outcome in words, "" while it is being made."""

    def __init__(self, path: Path, make: Make, *what: Any) -> None:
        """Start ``make(path, progress, *what)``, which writes the film and returns its number of pictures."""
        self.path = path
        self.done, self.of, self.ended = 0, 0, ""
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_film, args=(theirs, path, make, what), daemon=True, name="tabletop-film"
        )
        self._process.start()
        theirs.close()

    def listen(self) -> None:
        """Take in the progress; call it once a frame."""
        try:
            while not self.ended and self._pipe.poll():
                word, what = self._pipe.recv()
                if word == "far":
                    self.done, self.of = what
                else:
                    self.ended = what
        except (EOFError, OSError):
            self.ended = self.ended or "The film could not be made: its process ended. Nothing is written."

    def leave_off(self) -> None:
        """Ask it to stop without writing anything."""
        try:
            self._pipe.send("stop")
        except OSError:
            self.ended = self.ended or "The film was left off; nothing is written."

    def close(self) -> None:
        """Stop it, whether done or not, and end its process."""
        if not self.ended:
            self.leave_off()
            self._process.join(PATIENCE)
        if self._process.is_alive():
            self._process.terminate()
        self._pipe.close()


def of_battle(header: Header, steps: Sequence[Step], path: Path, wide: int = WIDE) -> Filming:
    """Start making the film of a battle."""
    lines = tuple(Line(n, step.action, step.events, "") for n, step in enumerate(steps))
    return Filming(path, _battle, Saved(str(path), header, lines, ()), wide)


def _battle(path: Path, progress: Progress, saved: Saved, wide: int) -> int:
    return write_film(path, Reel.of_saved(saved).wound(), wide, progress=progress)


def _film(pipe: Connection, path: Path, make: Make, what: tuple[Any, ...]) -> None:
    """Make a film in a process of its own, and report progress and outcome."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the window, which then stops the film

    def progress(done: int, of: int) -> bool:
        _send(pipe, "far", (done, of))
        return not pipe.poll()

    try:
        count = make(path, progress, *what)
        _send(pipe, "end", f"The film, {count} pictures, is in {path}.")
    except TabletopError as error:
        _send(pipe, "end", str(error))
    except Exception as error:  # the window reports it
        _send(pipe, "end", f"The film could not be made ({type(error).__name__}: {error}). Nothing is written.")


def _send(pipe: Connection, word: str, what: Any) -> None:
    """Send a message to the window; if the window is gone, exit."""
    try:
        pipe.send((word, what))
    except OSError:
        raise SystemExit from None
