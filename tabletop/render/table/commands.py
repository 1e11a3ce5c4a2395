"""Everything a player can do at a table by button or key, defined once.

These records define the buttons of panel, bar, banner and menu with their tooltips, the actions of keys and buttons,
the keys a player may rebind, and the sheet of keys. A new button or key is one more record; one without ``where``
belongs to both the measuring table and a battle. Knows no pygame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tabletop.render.destinations import ToExport, ToReplaySoFar, ToSettings
from tabletop.render.screens import Back, Go, Going, Leave
from tabletop.render.settings.model import Overlay
from tabletop.render.table.tools import Tool
from tabletop.render.widgets.command_table import Act, Command, CommandTable

#: The windows a command belongs to: the measuring table, a battle being played, the menu over a battle.
TABLE, BATTLE, MENU = "table", "battle", "menu"
BOTH = frozenset({TABLE, BATTLE})
PLAYED = frozenset({BATTLE})
IN_MENU = frozenset({MENU})
ZOOM_STEP = 1.15


def _go(to: Callable[[Any], Going]) -> Act:
    def act(window: Any, _: str, __: bool) -> None:
        window.going = to(window)

    return act


def _has_computer(window: Any) -> bool:
    controller = window.controller
    return bool(controller.game.computers.sides) and not controller.model.battle.over


def _overlay(overlay: Overlay, label: str, hint: str, key: str, name: str, does: str) -> Command:
    word = f"overlay:{overlay}"
    return Command(word, lambda w, v, _: w._toggle(v), label, hint, (key,), "overlays", name, does)


#: In the order of the buttons and of the settings.
COMMANDS: tuple[Command, ...] = (
    Command(
        "tool:hand", lambda w, _, __: w._tool(Tool.HAND), "Move", "Select and move units", ("h",), "tools",
        "move", "move units by hand",
    ),
    Command(
        "tool:tape", lambda w, _, __: w._tool(Tool.TAPE), "Tape", "Measure between two points or units", ("t",),
        "tools", "tape", "lay the tape",
    ),
    Command(
        "tool:sight", lambda w, _, __: w._tool(Tool.SIGHT), "Sight line",
        "Prove a line of sight between two points or units", ("l",), "tools", "sight", "prove a line of sight",
        lambda w: w.has_sight,
    ),
    Command(
        "turn:left", lambda w, _, fine: w.controller.turn(-1, fine), keys=("q",),
        name="turn-left", does="turn what is in hand to the left",
    ),
    Command(
        "turn:right", lambda w, _, fine: w.controller.turn(1, fine), keys=("e",), name="turn-right",
        does="turn it to the right"
    ),
    Command(
        "waypoint:", lambda w, _, __: w.controller.drop_waypoint(), keys=("space",),
        name="waypoint", does="fix the way as far as the hand",
    ),
    Command(
        "way:", lambda w, _, shift: w.table_input.way(shift), keys=("w",), name="way",
        does="let the judge find the cheapest way",
    ),
    Command("next:", lambda w, _, back: w.table_input.next(back), keys=("tab",), name="next", does="the next unit"),
    _overlay(Overlay.ARC, "Arc", "Arc of fire with its range bands", "a", "arc", "arc of fire"),
    _overlay(Overlay.ZONE, "Zone", "Zone of control", "z", "zone", "zone of control"),
    _overlay(Overlay.REACH, "Reach", "How far it can go by the chosen action", "m", "reach", "reach"),
    _overlay(Overlay.GROUND, "Ground", "Ground it can see", "s", "ground", "ground seen"),
    _overlay(
        Overlay.ENEMIES, "Foes", "How each enemy stands: can fire, blocked, seen, hidden", "f",
        "foes", "how the foes stand",
    ),
    _overlay(
        Overlay.THREAT, "Threat", "Where the enemy could come, assault and shoot next turn: a picture", "x",
        "threat", "where the enemy could come, assault and shoot",
    ),
    _overlay(Overlay.COMMAND, "Command", "How far generals help, and who is under whom", "c", "command", "command"),
    _overlay(
        Overlay.FALLBACK, "Fall back", "Where it would fall back if the nearest enemy drove it", "b",
        "fall-back", "fall-back",
    ),
    _overlay(
        Overlay.TERRAIN, "Heights", "Levels of the ground, and what gives cover", "v", "heights", "heights and cover"
    ),
    Command("all:", lambda w, _, __: w.controller.toggle_all(), keys=("n",), name="all", does="all of these at once"),
    Command(
        "legend:", lambda w, _, __: w.legend.turn(), "Legend", "What every line, mark and tint on show means", ("k",),
        "legend", "legend", "the legend",
    ),
    Command(
        "part:log", lambda w, v, _: w._part(v), "Log", "What has happened: put it away, or bring it back", ("j",),
        "legend", "log", "the log, or more of the table", where=PLAYED,
    ),
    Command(
        "part:panel", lambda w, v, _: w._part(v), "Panel", "The panel beside the table: put it away, or bring it back",
        ("p",), "legend", "panel", "the panel, or more of the table",
    ),
    Command(
        "history:", lambda w, v, _: w._show_history(v or w.controller.state.chosen.actor or ""), keys=("i",),
        name="history", does="a unit's battle so far", where=PLAYED,
    ),
    Command(
        "app:", lambda w, _, __: w.app.ask(), "Game app",
        "The rulebook's app, filled in from the table for the unit selected", ("g",), "tools",
        "game-app", "the game app, filled in from the table", lambda w: w.app.there, PLAYED,
    ),
    Command(
        "only:", lambda w, _, __: w.log.filter(), keys=("o",),
        name="log-of", does="in the log only the unit selected", where=PLAYED,
    ),
    Command("fit:", lambda w, _, shift: w.fit(), keys=("home",), name="whole", does="the whole table"),
    Command(
        "help:", lambda w, _, __: w._help(), "?", "All keys and marks", ("f1", "question", "slash"), "tools",
        "help", "the sheet of keys",
    ),
    # --- the bar over a battle: what comes and goes stands first, so that the others stay where they are -------------
    Command(
        "recap:", lambda w, _, __: w.controller.game.turn_recap(), "Recap",
        "The computer's last moves, numbered: show them again, or no longer", ("r",), "bar", "recap",
        "the computer's last moves again", lambda w: w.has_recap, PLAYED,
    ),
    Command(
        "undo:", lambda w, _, again: w.controller.game.redo() if again else w.controller.take_back(), "Undo",
        "Take the last action back, never past a die", ("ctrl+z",), "bar", "undo", where=PLAYED,
    ),
    Command(
        "redo:", lambda w, _, __: w.controller.game.redo(), "Redo", "Do it again", ("ctrl+y",), "bar", "redo",
        where=PLAYED,
    ),
    Command(
        "save:", lambda w, _, __: w.controller.game.save(), "Save", "Keep the game in its file", ("ctrl+s",), "bar",
        "save", where=PLAYED,
    ),
    Command(
        "pace:", lambda w, _, __: w._paced(), lambda w: f"Pace: {w.controller.game.computers.pace_name}",
        "How fast what is done is shown; a click goes on at once", group="bar", where=PLAYED,
    ),
    Command(
        "pause:", lambda w, _, __: w._paused(), "Pause", "Let the computer wait", group="bar",
        enabled=_has_computer, where=PLAYED,
    ),
    Command(
        "step:", lambda w, _, __: w.controller.game.computers.step(), "Step",
        "One action of the computer, then it waits again", ("period",), "bar", "step", enabled=_has_computer,
        where=PLAYED,
    ),
    Command(
        "menu:", lambda w, _, __: w._leave(), "Menu", "Save as, replay, pictures, settings, start screen", ("f10",),
        "bar", "menu", "the menu", where=PLAYED, more_keys=", or Esc with nothing in hand",
    ),
    Command("leave:", lambda w, _, __: w._leave(), keys=("f10",), where=frozenset({TABLE})),
    # --- when the battle is over --------------------------------------------------------------------------------------
    Command(
        "close:", lambda w, _, __: w.controller.game.put_away_banner(), "Look at the table",
        "The log tells how it went",
        group="ended", where=PLAYED,
    ),
    Command(
        "replay:", _go(lambda w: Go(ToReplaySoFar(w.controller.game.session))), "Replay",
        "Watch the battle again from its beginning", group="ended", where=PLAYED,
    ),
    Command(
        "export:", _go(lambda w: Go(ToExport(w.subject()))), "Film, report, picture",
        "The battle as a film or told as a page, pictures of the table", group="ended", where=PLAYED,
    ),
    Command(
        "home:", _go(lambda _: Back(home=True)), "Start screen", "Leave the table; the battle is kept", group="ended",
        where=PLAYED,
    ),
    # --- the menu over a battle: what each does to the battle's window; back to it unless it leads elsewhere ----------
    Command("resume", lambda _, __, ___: None, "Back to the battle", "Go on", ("escape",), "menu", where=IN_MENU),
    Command(
        "save", lambda w, _, __: w.save_elsewhere(), "Save as ...", "Keep the game in another file from now on",
        group="menu", where=IN_MENU,
    ),
    Command(
        "replay", _go(lambda w: Go(ToReplaySoFar(w.controller.game.session))), "Replay of this battle so far",
        "Watch it again from its beginning", group="menu", where=IN_MENU,
    ),
    Command(
        "export", _go(lambda w: Go(ToExport(w.subject()))), "Print, pictures, report, film ...",
        "The table as PNG or SVG, the battle as a page or an animated picture", group="menu", where=IN_MENU,
    ),
    Command(
        "handout", lambda w, _, __: w.write_handout(), "Handouts of this lesson",
        "A PDF with a sheet for each step: the task, and on the back how it is solved", group="menu", where=IN_MENU,
        enabled=lambda w: w.teaches,
    ),
    Command(
        "settings", _go(lambda _: Go(ToSettings())), "Settings", "Sizes, colours, symbols, pace, sound, keys",
        group="menu", where=IN_MENU,
    ),
    Command(
        "keys", lambda w, _, __: setattr(w, "helping", True), "Keys and marks",
        "What every key does, what the marks mean",
        group="menu", where=IN_MENU,
    ),
    Command(
        "home", _go(lambda _: Back(home=True)), "Start screen", "Leave the table; the battle is kept as it stands",
        group="menu", where=IN_MENU,
    ),
    Command(
        "quit", _go(lambda _: Leave()), "Quit", "End the program; the battle is kept as it stands", group="menu",
        where=IN_MENU,
    ),
    # --- keys without a button ----------------------------------------------------------------------------------------
    Command("escape:", lambda w, _, __: w._escape(), keys=("escape",), name="escape"),
    Command("enter:", lambda w, _, shift: w._enter(shift), keys=("return",), name="enter", where=frozenset({TABLE})),
    Command(
        "main:", lambda w, _, shift: w._enter(shift), lambda w: w.next_step.label, lambda w: w.next_step.hint,
        ("return", "kp_enter"), "main", "enter", where=PLAYED,
    ),
    Command(
        "undo:", lambda w, _, __: w.controller.take_back(), keys=("ctrl+z",), name="undo", where=frozenset({TABLE})
    ),
    Command("pictures:", _go(lambda w: Go(ToExport(w.subject()))), keys=("ctrl+e",), name="pictures"),
    Command(
        "zoom:in", lambda w, _, __: w.zoom(ZOOM_STEP, w.table_input.cursor), keys=("plus", "equals", "kp_plus"),
        name="zoom-in",
    ),
    Command(
        "zoom:out", lambda w, _, __: w.zoom(1 / ZOOM_STEP, w.table_input.cursor), keys=("minus", "kp_minus"),
        name="zoom-out",
    ),
    Command("lead:left", lambda w, _, fine: w.table_input.arrow((-1, 0), fine), keys=("left",)),
    Command("lead:right", lambda w, _, fine: w.table_input.arrow((1, 0), fine), keys=("right",)),
    Command("lead:up", lambda w, _, fine: w.table_input.arrow((0, 1), fine), keys=("up",)),
    Command("lead:down", lambda w, _, fine: w.table_input.arrow((0, -1), fine), keys=("down",)),
    Command(
        "bend:back", lambda w, _, left: w.controller.shaping.adjust_by_key(-1, left), keys=("leftbracket",),
        name="bend-back", where=PLAYED,
    ),
    Command(
        "bend:forward", lambda w, _, left: w.controller.shaping.adjust_by_key(1, left), keys=("rightbracket",),
        name="bend-forward", where=PLAYED,
    ),
    Command(
        "more:", lambda w, _, __: w.panel.turn_rows(), keys=("u",), name="more", does="the next page of the list",
        where=PLAYED,
    ),
    Command("logpage:1", lambda w, v, _: w.log.turn(v), keys=("pageup",), where=PLAYED),
    Command("logpage:-1", lambda w, v, _: w.log.turn(v), keys=("pagedown",), where=PLAYED),
    # --- words of lists, links and questions: what stands behind the colon is chosen there ----------------------------
    Command("action:", lambda w, v, _: w.controller.choose(v)),
    Command("rule:", lambda w, v, _: w._show_rule(v)),
    Command("close-page:", lambda w, _, __: w._put_away()),
    Command("log:", lambda w, v, _: w.log.look_at(v), where=PLAYED),
    Command("logpage:", lambda w, v, _: w.log.turn(v), where=PLAYED),
    Command("appask:", lambda w, v, _: w.app.ask(v), where=PLAYED),
    Command("byhand:", lambda w, v, _: w.app.by_hand(), where=PLAYED),
    Command("why:", lambda w, v, _: w._why(v), where=PLAYED),
    Command("kind:", lambda w, v, _: w.controller.proposals.pick(v), where=PLAYED),
    Command("offer:", lambda w, v, _: w._offered(v), where=PLAYED),
    Command("group:", lambda w, v, _: w.controller.proposals.choose_group(v), where=PLAYED),
    Command("unit:", lambda w, v, _: w.controller.call(v), where=PLAYED),
    Command("end:", lambda w, v, _: w._ended(v), where=PLAYED),
    Command("set:", lambda w, v, _: w.controller.shaping.adjust(v), where=PLAYED),
    Command("settle:", lambda w, _, __: w.controller.proposals.settle(), where=PLAYED),
    Command("confirm:", lambda w, _, __: w.controller.proposals.confirm(), where=PLAYED),
    Command("aim:", lambda w, v, _: w.controller.proposals.aim(*v.split("/", 1)), where=PLAYED),
    Command("ready:", lambda w, _, __: w.controller.game.hand_over(), where=PLAYED),
    Command("release:", lambda w, _, __: w.controller.release(), where=PLAYED),
    Command("nearest:", lambda w, _, __: w.controller.proposals.take_nearest(), where=PLAYED),
    Command("back:", lambda w, _, __: w.controller.cancel(), where=PLAYED),
    Command("answer:", lambda w, v, _: w.controller.game.answer(v), where=PLAYED),
)  # fmt: skip


# --- the sheet of keys -----------------------------------------------------------------------------------------------

#: Rows of the sheets: keys by the names of their commands, and what they do, with the mouse actions among them.
SHEETS: Mapping[str, Sequence[tuple[str, str]]] = {
    TABLE: (
        ("Click", "select a unit; {next} for the next one"),
        ("Drag", "move it; let go to put it down"),
        ("{turn-left}  {turn-right}, wheel", "turn what is in hand; with Shift 1 degree"),
        ("{waypoint}", "fix the way as far as the hand (waypoint)"),
        ("{way}", "let the judge find the cheapest way"),
        ("{enter}, arrows", "take the unit selected, lead it; put it down"),
        ("Alt + let go", "put it down though no rule allows it"),
        ("{undo}, {pictures}", "take the last move back; pictures of the table"),
        ("{escape}", "let go; put the tape away; select nothing"),
        ("{move}  {tape}  {sight}", "move, tape, sight line"),
        ("{arc} {zone} {reach} {ground} {foes}, {all}", "arc, zone, reach, ground seen, foes; all"),
        ("Wheel, {zoom-in} {zoom-out}", "zoom at the cursor"),
        ("Right-drag, {whole}", "pan; the whole table"),
        ("{legend},  {panel},  F11", "legend;  panel: away or back;  full screen"),
        ("Ctrl-Tab", "go to the buttons and links: Tab, arrows, Enter"),
        ("{help}", "this sheet"),
    ),
    BATTLE: (
        ("Click", "select a unit; an enemy: attack it with the one selected"),
        ("{next}", "the next unit that may act"),
        ("Drag", "show its move; let go to see the odds"),
        ("{turn-left}  {turn-right}, wheel", "turn what is in hand; with Shift 1 degree"),
        ("{waypoint},  {way}", "waypoint (right button too);  cheapest way, road"),
        ("{bend-back}  {bend-forward}", "bend a wing (Shift: the left); ranks, formation"),
        ("1 - 9", "the answer or the row of the list with this number"),
        ("Right-click", "what a unit may do, or what may be done to it"),
        ("{waypoint},  {step},  {recap}", "go on at once;  the computer's next action;  its moves again"),
        ("{enter}", "the main button: do it, put down, next unit"),
        ("{escape}", "back; let go; select nothing"),
        ("{undo}, {redo}", "take back (never past a die); do again"),
        ("{save}", "save"),
        ("{move}  {tape}  {sight}", "move, tape, sight line"),
        ("{arc} {zone} {reach} {ground} {foes}", "arc, zone, reach, ground seen, foes"),
        ("{threat} {command} {fall-back} {heights},  {all}", "threat, command, falling back, heights;  all"),
        ("{legend},  {history},  {game-app}", "legend;  a unit's battle so far;  the game app"),
        ("{panel},  {log},  F11", "panel, log: away or back;  full screen"),
        ("{log-of},  Page keys", "the log: only the unit selected;  earlier, later"),
        ("Ctrl-Tab,  {more}", "buttons and links: Tab, Enter;  more of the list"),
        ("Wheel, {zoom-in} {zoom-out}", "zoom at the cursor"),
        ("Arrows", "lead what is in hand or chosen to move; else pan"),
        ("Right-drag, {whole}", "pan; the whole table"),
        ("! and ✓", "may act now;  has acted"),
        ("{menu}", "the menu; {escape} too, with nothing in hand"),
        ("{help}", "this sheet"),
    ),
}

_MENTIONED = "".join(keys + does for rows in SHEETS.values() for keys, does in rows)


def table(where: str, commands: Sequence[Command] = COMMANDS) -> CommandTable:
    """Return the table of a window's commands."""
    available = tuple(command for command in commands if where in (command.where or BOTH))
    return CommandTable(available, SHEETS.get(where, ()), _MENTIONED)


#: The commands of the measuring table, of a battle being played, and of the menu over it.
TABLES: Mapping[str, CommandTable] = {where: table(where) for where in (TABLE, BATTLE, MENU)}
