"""The desk of a battle being played, as time goes by: computers that act, taking back, keeping, looking back.

What a player does by hand, and that nothing but the engine changes the battle, is the business of ``doing``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tabletop.errors import TabletopError
from tabletop.play import engine
from tabletop.play.saves.autosave import free_path
from tabletop.render.battle import history
from tabletop.render.battle.doing import DoingDesk
from tabletop.render.battle.model import LookAt, update
from tabletop.render.events import log_lines
from tabletop.render.events.log_lines import Line


@dataclass(kw_only=True)
class GameDesk(DoingDesk):
    """A table on which a battle is played."""

    # --- time --------------------------------------------------------------------------------------------------------

    def listen(self) -> None:
        """Take in what clerks and aide have found out; call it once a frame."""
        super().listen()
        self._hear_of_saving()
        for key, found in self.aide.take():
            if key == "think":
                self.computers.thought(found)
                self.note = self.computers.trouble or self.note
            elif isinstance(found, Exception):
                self.suggested = self.suggested or ()
            elif key == "offers":
                self.suggested = found
            elif key == ("promises", self.version):
                self.promised = found

    def tick(self, seconds: float) -> None:
        """Go on showing what was done; let the computer's sides act when their moment has come."""
        self.stage.tick(seconds)
        if self.stage.running:
            return
        done = self.computers.act(self.session, seconds)
        if done is not None:
            self.follow(done)

    def close(self) -> None:
        super().close()
        self.aide.close()
        self.session.close()

    # --- taking back and keeping -------------------------------------------------------------------------------------

    def take_back(self) -> None:
        """Take back to a person's last action, never past a die; what computers did without one is taken back too."""
        why = history.taken_back(self.session, self.computers)
        if why is None:
            self._changed()
        else:
            self.note = f"That stays: {why}."

    def redo(self) -> None:
        """Do again what was taken back, up to where a person is to act."""
        if history.done_again(self.session, self.computers):
            self._changed()
        else:
            self.note = "There is nothing to do again."

    def _changed(self) -> None:
        self.lines = [line for line in self.lines if line.n < len(self.session.steps)]
        header, told = self.session.header, self.lines[-1].n + 1 if self.lines else 0
        self.lines += log_lines.log(self.session.steps, engine.opened(header.opening, header.seed), told)
        self.traces, self.note, self.banner_away = (), "", False
        self.computers.forget()
        self.stage.begin(None)
        self._stands()

    def save(self) -> None:
        """Write the game to its file, or to a new one in the folder for saved games."""
        try:
            path = self.session.path or free_path(self.battle.title)
            self.session.save_as(Path(path))
            path = self.session.path or path
            self.note = f"The game is kept in {Path(path).name}, in {Path(path).parent}."
        except TabletopError as error:
            self.note = str(error)

    @property
    def told(self) -> list[Line]:
        """The log as far as it has been acted out: what comes of an action is not given away before it is seen."""
        if not self.stage.running:
            return self.lines
        last = len(self.session.steps) - 1
        return [line for line in self.lines if line.n < last]

    # --- the log -----------------------------------------------------------------------------------------------------

    def look_at(self, number: int) -> None:
        """Show where a line of the log happened."""
        if 0 <= number < len(self.lines):
            self.chosen = update(self.chosen, LookAt(self.lines[number]))
