"""Everything a player can do in a replay by button or key, defined once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabletop.render.widgets.command_table import Command, CommandTable

ZOOM_STEP = 1.15


def _playing(window: Any) -> bool:
    return bool(window is not None and window.head.playing)


def _turn(number: int) -> Command:
    return Command(f"turn:{number}", lambda w, v, _: w.head.turn_number(int(v)), keys=(str(number),))


COMMANDS: tuple[Command, ...] = (
    # --- under the table ----------------------------------------------------------------------------------------------
    Command(
        "first", lambda w, _, __: w.head.step(-(10**9)), "Start", "To the beginning", ("home",), "transport", "first"
    ),
    Command(
        "turn-back", lambda w, _, __: w.head.turn(-1), "Turn −", "To the turn before", ("pageup",), "transport",
        "turn-back",
    ),
    Command(
        "back", lambda w, _, shift: w._arrow((-1, 0), shift), "Back", "One action back", ("left",), "transport", "back"
    ),
    Command(
        "play", lambda w, _, __: w.head.toggle(), lambda w: "Pause" if _playing(w) else "Play",
        lambda w: "Stand still" if _playing(w) else "Play the battle from here", ("space",), "transport", "play",
    ),
    Command(
        "on", lambda w, _, shift: w._arrow((1, 0), shift), "Step", "One action on", ("right",), "transport", "on"
    ),
    Command(
        "turn-on", lambda w, _, __: w.head.turn(1), "Turn +", "To the next turn", ("pagedown",), "transport", "turn-on"
    ),
    Command("last", lambda w, _, __: w._end(), "End", "To the end", ("end",), "transport", "last"),
    Command(
        "slower", lambda w, _, __: w.head.faster(-1), "−", "Play slower", ("leftbracket",), "pace", "slower"
    ),
    Command(
        "faster", lambda w, _, __: w.head.faster(1), "+", "Play faster", ("rightbracket",), "pace", "faster"
    ),
    # --- in the bar ---------------------------------------------------------------------------------------------------
    Command(
        "go-on", lambda w, _, __: w._go_on(), "Go on playing from here", lambda w: w.may_go_on()[1] if w else "",
        ("g",), "bar", "go-on",
    ),
    Command(
        "try", lambda w, _, __: w._try_again(), "Try again from here",
        "A practice battle from the action shown, finished or not: dice can be taken back in it", ("t",), "bar", "try",
    ),
    Command(
        "measure", lambda w, _, __: w._measure(), "Measure", "Measure on the table as it stands at this moment",
        ("m",), "bar", "measure",
    ),
    Command(
        "export", lambda w, _, __: w._export(), "Export", "Save pictures, a report or a film", ("ctrl+e",), "bar",
        "pictures",
    ),
    Command("help", lambda w, _, __: w._help(), "?", "All keys", ("f1", "question", "slash"), "bar", "help"),
    Command("close", lambda w, _, __: w._leave(), "Leave", "Leave the replay", ("escape",), "bar", "escape"),
    # --- keys without a button ----------------------------------------------------------------------------------------
    Command("fit", lambda w, _, __: w._fit(), keys=("f",), name="whole-table"),
    Command("zoom:in", lambda w, _, __: w._zoom(ZOOM_STEP), keys=("plus", "equals", "kp_plus"), name="zoom-in"),
    Command("zoom:out", lambda w, _, __: w._zoom(1 / ZOOM_STEP), keys=("minus", "kp_minus"), name="zoom-out"),
    Command("lead:up", lambda w, _, shift: w._arrow((0, 1), shift), keys=("up",)),
    Command("lead:down", lambda w, _, shift: w._arrow((0, -1), shift), keys=("down",)),
    *(_turn(number) for number in range(1, 10)),
)  # fmt: skip
#: The sheet of keys.
SHEET: Sequence[tuple[str, str]] = (
    ("{play}", "play, pause"),
    ("{back}, {on}", "one action back, one on"),
    ("PageUp, PageDown", "to the turn before, to the next"),
    ("1 ... 9", "to that turn"),
    ("{first}, {last}", "to the beginning, to the end"),
    ("{slower}  {faster}", "slower, faster"),
    ("Click the rail", "go there; drag along it; the numbers are the turns"),
    ("Click a line", "go to where it happened"),
    ("Wheel, {zoom-in} {zoom-out}", "zoom at the cursor; over the log, roll it"),
    ("Drag, Shift + arrows", "pan; {whole-table} for the whole table"),
    ("{measure}", "measure on the table as it stands"),
    ("{pictures}", "pictures, report, film"),
    ("{go-on}", "go on playing from here, if the battle is unfinished"),
    ("{try}", "try again from here: a practice battle, finished battles included"),
    ("{escape}", "leave"),
    ("{help}, ?", "this sheet"),
)
TABLE = CommandTable(COMMANDS, SHEET)
