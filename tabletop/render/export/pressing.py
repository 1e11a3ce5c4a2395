"""Prints a battle on a thread of its own, reports its progress, and can be stopped."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from tabletop.battle.battle import Battle
from tabletop.errors import TabletopError
from tabletop.play.files.writing import write_whole
from tabletop.render.printing.pages import LeftOff, printed


class Pressing:
    """Sheets being made: ``done`` of ``of`` pages. ``ended`` is the outcome, "" while they are being made."""

    what = "The sheets"

    def __init__(self, battle: Battle, path: Path, paper: str) -> None:
        self.path = path
        self.done, self.of, self.ended = 0, 0, ""
        self._stopped = False
        self._thread = ThreadPoolExecutor(1, "tabletop-press")
        self._work: Future[str] = self._thread.submit(self._print, battle, paper)

    def _print(self, battle: Battle, paper: str) -> str:
        try:
            write_whole(self.path, printed(battle, paper, progress=self._report_progress))
        except LeftOff:
            return "The printing was left off; nothing is written."
        except TabletopError as refused:
            return str(refused)
        except OSError as error:
            return f"{self.path} cannot be written ({error.strerror or error}); choose another folder."
        return f"The sheets are in {self.path}: print them at 100 %."

    def _report_progress(self, done: int, of: int) -> bool:
        self.done, self.of = done, of
        return not self._stopped

    def listen(self) -> None:
        """Take in the outcome; call it once a frame."""
        if not self.ended and self._work.done():
            self.ended = self._work.result()

    def leave_off(self) -> None:
        """Ask it to stop without writing anything."""
        self._stopped = True

    def close(self) -> None:
        """Stop it, whether done or not, and wait for its thread."""
        self.leave_off()
        self._thread.shutdown(wait=True)
