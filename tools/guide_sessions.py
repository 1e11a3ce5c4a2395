"""The sessions shown in the guides: made by the program from what is typed, never written by hand.

``python -m tools.guide_sessions`` writes them into ``docs/``; a test says when they are out of date. In a guide a
session stands in the block after ``<!-- session NAME -->``.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from tabletop import cli

ROOT = Path(__file__).parents[1]
GUIDES = ("playing-at-the-prompt", "the-game-app")
_BLOCK = re.compile(r"(<!-- session ([\w-]+) -->\n```console\n).*?(^```$)", re.M | re.S)


@dataclass(frozen=True)
class Session:
    """A command and what is typed at it, line by line."""

    command: str
    typed: tuple[str, ...] = ()


SESSIONS = {
    "first-turn": Session(
        "tabletop play --text --seed 4",
        (
            "second",
            "who",
            "choose morel",
            "bertin",
            "maneuver bertin toward bridge",
            "maneuver arnaud forward 12",
            "1",
            "fire morel's battery auer",
            "yes",
            "general morel toward bertin",
            "undo",
            "finish",
            "quit",
        ),
    ),
    "a-fight": Session(
        "tabletop play scenarios/tse/quatre-bras.yaml --text --seed 3",
        (
            "first",
            "assault jamin kempt",
            "1",
            "why can't I assault jamin kempt?",
            "assault jamin brunswick light",
            "odds",
            "yes",
            "form",
            "undo",
            "quit",
        ),
    ),
    "odds": Session("tabletop odds scenarios/tse/quatre-bras.yaml fire foy-guns bijlandt-left"),
    "calculator": Session(
        "tabletop calculator --seed 3",
        (
            "result", "assault", "elite inf", "4", "deployed", "soft", "", "no", "target-out", "yes", "", "no", "o", "",
            "quit",
        ),
    ),
    "calculator-line": Session(
        'tabletop calculator march "actor=veteran light-cavalry" general_near=yes --seed 5'
    ),
    "calculator-odds": Session('tabletop calculator march "actor=veteran light-cavalry" general_near=yes --odds'),
    "calculator-json": Session(
        "tabletop calculator morale destroyed=3 demoralized_units=1 units=8 senior_lost=no --seed 5 --json"
    ),
    "calculator-combat": Session(
        'tabletop calculator combat --rules gloire "attacker=british-line infantry" attacker_bases=5'
        ' "defender=french-line infantry" defender_bases=5 defender_formation=garrison defender_ground=better'
        " attacker_general=great-captain --seed 3"
    ),
    "calculator-square": Session(
        'tabletop calculator combat --rules realm-of-chance "attacker=french heavy-cavalry"'
        ' "defender=prussian-line infantry" defender_formation=square --odds'
    ),
    "calculator-broadside": Session("tabletop calculator fire --rules sail decks=three range=41 from=stern --odds"),
}  # fmt: skip


def shown(session: Session) -> str:
    """Return a session as it stands on the screen, the command first."""
    words = shlex.split(session.command)
    typed = io.StringIO("".join(f"{line}\n" for line in session.typed))
    said = io.StringIO()
    here = Path.cwd()
    try:
        os.chdir(ROOT)
        with patch.object(sys, "stdin", typed), contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            cli.status(words[1:])
    finally:
        os.chdir(here)
    return f"$ {session.command}\n{said.getvalue().rstrip()}\n"


def refreshed(text: str) -> str:
    """Return a guide with every session as it is now."""
    return _BLOCK.sub(lambda match: f"{match[1]}{shown(SESSIONS[match[2]])}{match[3]}", text)


def main() -> None:
    """Write every session into its guide."""
    for guide in GUIDES:
        path = ROOT / "docs" / f"{guide}.md"
        path.write_text(refreshed(path.read_text("utf-8")), "utf-8")
        print(path)


if __name__ == "__main__":
    main()
