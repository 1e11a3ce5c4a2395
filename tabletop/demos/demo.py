"""A demo after reading: its file's contents, and the battle it begins with or the saved battle it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.demos.models import DemoFile
from tabletop.lessons.lesson import begun, laid_out
from tabletop.play.engine import Step
from tabletop.play.files.yaml_text import Document
from tabletop.play.saves import known_game
from tabletop.play.saves.save import Saved


@dataclass(frozen=True)
class Demo:
    """A demo: its name in lists and commands, the file as read, its contents, the same as plain data, saved battle."""

    name: str
    doc: Document
    row: DemoFile
    data: Mapping[str, Any]
    saved: Saved | None = None

    @property
    def title(self) -> str:
        """The title of the demo."""
        return self.row.title

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the saved battle, beginning with its opening; none for a scene."""
        return () if self.saved is None else tuple(known_game.known(self.saved).steps)

    @cached_property
    def opening(self) -> Battle:
        """The battle at the beginning of the demo; Unreadable if a scene is faulty."""
        if self.steps:
            return self.steps[0].battle
        battle = laid_out(self.data["scene"], self.title, str(self.row.rules), self.doc.file)
        return begun(battle, self.row.start)
