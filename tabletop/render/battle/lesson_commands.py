"""The commands of a lesson: those of a battle that apply, and the lesson's own."""

from __future__ import annotations

from dataclasses import replace

from tabletop.render.table.commands import BATTLE, TABLES
from tabletop.render.widgets.command_table import Command, CommandTable

#: The group of the buttons under the step's text.
GROUP = "lesson"
#: Commands of a battle without a button in lessons: a lesson is not saved and has no computer to wait for.
WITHOUT = ("redo:", "save:", "pace:")

OWN: tuple[Command, ...] = (
    Command("yes:", lambda w, _, __: w.predict(True), "Yes", "It is so", group=GROUP, enabled=lambda w: w.predicting),
    Command("no:", lambda w, _, __: w.predict(False), "No", "It is not", group=GROUP, enabled=lambda w: w.predicting),
    Command(
        "hint:", lambda w, _, __: w.hint(), "Hint", "A word of help, each time another", group=GROUP,
        enabled=lambda w: w.doing,
    ),
    Command(
        "undo:", lambda w, _, __: w.undo(), "Undo", "Take the last action back, dice too", ("ctrl+z",), GROUP, "undo"
    ),
    Command("retry:", lambda w, _, __: w.retry(), "Retry", "Begin this step anew", group=GROUP),
    Command("solution:", lambda w, _, __: w.solve(), "Solution", "See the step solved", group=GROUP),
    Command(
        "skip:", lambda w, _, __: w.go_on(), "Skip", "Go on to the next step all the same", group=GROUP,
        enabled=lambda w: not w.done,
    ),
    Command(
        "goon:", lambda w, _, __: w.go_on(), lambda w: "Next" if w is None or not w.runner.last else "Finish",
        "Go on (Enter)", group=GROUP, enabled=lambda w: w.done,
    ),
)  # fmt: skip


def _kept(command: Command) -> Command:
    return replace(command, group="") if command.word in WITHOUT else command


_BATTLE = TABLES[BATTLE]
TABLE = CommandTable(
    (*(_kept(c) for c in _BATTLE.commands if c.word != "undo:"), *OWN), _BATTLE.rows, _BATTLE.mentioned
)
