"""A film made in another process, so that the window goes on: how far it is, and how to leave it off."""

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

#: Seconds a film left off is waited for before its process is ended.
PATIENCE = 3.0
WIDE = 960

#: Writes a film into a file, telling how far it is, and returns how many pictures it has.
Make = Callable[..., int]


class Filming:
    """A film being made. ``done`` of ``of`` pictures; ``ended`` says how it came out, empty while it is being made."""

    def __init__(self, path: Path, make: Make, *what: Any) -> None:
        """Begin: ``make(path, tell, *what)``, a function of a module, writes the film and returns its pictures."""
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
        """Take in how far it is; call it once a frame."""
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
        """Ask it to stop; nothing is written then."""
        try:
            self._pipe.send("stop")
        except OSError:
            self.ended = self.ended or "The film was left off; nothing is written."

    def close(self) -> None:
        """End it, written or not."""
        if not self.ended:
            self.leave_off()
            self._process.join(PATIENCE)
        if self._process.is_alive():
            self._process.terminate()
        self._pipe.close()


def of_battle(header: Header, steps: Sequence[Step], path: Path, wide: int = WIDE) -> Filming:
    """Begin the film of a battle."""
    lines = tuple(Line(n, step.action, step.events, "") for n, step in enumerate(steps))
    return Filming(path, _battle, Saved(str(path), header, lines, ()), wide)


def _battle(path: Path, tell: Progress, saved: Saved, wide: int) -> int:
    return write_film(path, Reel.of_saved(saved).wound(), wide, tell=tell)


def _film(pipe: Connection, path: Path, make: Make, what: tuple[Any, ...]) -> None:
    """Make a film in a process of its own; say how far it is and how it came out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the window, which leaves the film off

    def tell(done: int, of: int) -> bool:
        _say(pipe, "far", (done, of))
        return not pipe.poll()

    try:
        count = make(path, tell, *what)
        _say(pipe, "end", f"The film, {count} pictures, is in {path}.")
    except TabletopError as error:
        _say(pipe, "end", str(error))
    except Exception as error:  # the window says it
        _say(pipe, "end", f"The film could not be made ({type(error).__name__}: {error}). Nothing is written.")


def _say(pipe: Connection, word: str, what: Any) -> None:
    """Say something to the window; when it is gone there is nobody to say it to."""
    try:
        pipe.send((word, what))
    except OSError:
        raise SystemExit from None
