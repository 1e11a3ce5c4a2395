"""Everything a player can do at the judge's table by button, entry, list or key, defined once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tabletop.errors import TabletopError
from tabletop.render.judge import army_page, battle_rows, by_keys, filing, key_acts, panel_words
from tabletop.render.judge.controller import Mode
from tabletop.render.judge.state import JudgingState
from tabletop.render.widgets.command_table import ALWAYS, TYPING, Act, Command, CommandTable

ZOOM_STEP = 1.15


def do(screen: JudgingState, word: str, value: Any = None) -> None:
    """Run the command of a word; an error is shown in one line."""
    command = TABLE.find(word)
    if command is None:
        return
    screen.reading = ""
    try:
        command.act(screen, word.partition(":")[2], value)
    except TabletopError as refused:
        line = str(refused).splitlines()[0]
        if screen.chooser is not None:
            screen.chooser.note = line
        else:
            screen.controller.note = line


def _turn_to(screen: JudgingState, mode: str, _: Any) -> None:
    if screen.controller.building or Mode(mode) not in (Mode.ARMY, Mode.BATTLE):
        screen.controller.turn_to(Mode(mode))


def _tab(mode: Mode, key: str, hint: str, where: Callable[[Any], bool] = lambda _: True) -> Command:
    label = "Army" if mode is Mode.ARMY else str(mode).capitalize()
    return Command(
        f"tab:{mode}", _turn_to, label, hint, (key,), "tabs", f"tab-{mode}", enabled=where, works_when=TYPING
    )


def _building(screen: JudgingState) -> bool:
    return screen.controller.building


def _judging(screen: JudgingState) -> bool:
    return not screen.controller.building


def _arrow(way: str, dx: int, dy: int) -> Command:
    led = key_acts.arrow(dx, dy)
    return Command(f"lead:{way}", lambda s, _, fine: led(s, fine), keys=(way,))


def _numbered(number: int) -> Command:
    chosen = key_acts.numbered(number)
    return Command(f"number:{number}", lambda s, _, shift: chosen(s, shift), keys=(str(number),))


def _zoom(factor: float) -> Act:
    return lambda s, _, __: key_acts.zoom(s, factor)


COMMANDS: tuple[Command, ...] = (
    # --- the table and its file ---------------------------------------------------------------------------------------
    Command(
        "back:", panel_words.back, "Back", "Leave the judge's table", ("ctrl+w",), "head", "back", works_when=TYPING
    ),
    Command(
        "undo:", lambda s, _, again: s.controller.redo() if again else s.controller.undo(), "Undo",
        "Take the last step back", ("ctrl+z",), "head", "undo", works_when=TYPING,
    ),
    Command(
        "redo:", lambda s, _, __: s.controller.redo(), "Redo", "Do it again", ("ctrl+y",), "head", "redo",
        works_when=TYPING,
    ),
    Command("save:", filing.save_file, "Save", "Save the scene", ("ctrl+s",), "head", "save", works_when=TYPING),
    Command(
        "print:", lambda s, _, __: key_acts.export(s), "Print", "At true scale, to play on a real table; or a picture",
        ("ctrl+p",), "head", "print", works_when=TYPING,
    ),
    Command("open:", filing.open_file, keys=("ctrl+o",), name="open", works_when=TYPING),
    Command("pictures:", lambda s, _, __: key_acts.export(s), keys=("ctrl+e",), name="pictures", works_when=TYPING),
    _tab(Mode.TABLE, "f2", "A new table, files, the title, the rulings"),
    _tab(Mode.PLACE, "f3", "Put units and terrain on the table"),
    _tab(Mode.EDIT, "f4", "Move, turn, type in, copy, delete"),
    _tab(Mode.PHOTO, "f5", "A photo of a real table under this one"),
    _tab(Mode.ARMY, "f8", "The rosters: by hand, by points, from the library", _building),
    _tab(Mode.BATTLE, "f9", "Sides, turns, options, objectives, who comes later; and play it", _building),
    _tab(Mode.ASK, "f6", "Put a question by clicking units"),
    _tab(Mode.CARD, "f7", "The card both players sign", _judging),
    Command("new:", panel_words.new),
    Command("title:", panel_words.title),
    Command("ruling:", panel_words.ruling),
    Command("size:", panel_words.size),
    Command("battle:", battle_rows.battle),
    Command("army:", army_page.army),
    Command("roster:", army_page.clicked_roster),
    Command("map:", filing.save_map),
    Command("build:", lambda s, _, __: s.build()),
    Command("recover:", lambda s, _, __: s.recover()),
    Command("forget:", lambda s, _, __: s.forget()),
    Command("foot:", lambda s, _, __: key_acts.show_fault(s)),
    # --- units and terrain --------------------------------------------------------------------------------------------
    Command("what:", panel_words.what),
    Command("units:", lambda s, _, __: key_acts.units_or_terrain(s), keys=("t",), name="units-or-terrain"),
    Command("troop:", panel_words.troop),
    Command("kind:", panel_words.kind),
    Command("hand:", panel_words.hand),
    Command("piece:", panel_words.piece),
    Command("edit:", panel_words.edit),
    Command("corner:", panel_words.corner),
    Command("turn:left", lambda s, _, fine: s.controller.turn(-1, fine), keys=("q",), name="turn-left"),
    Command("turn:right", lambda s, _, fine: s.controller.turn(1, fine), keys=("e",), name="turn-right"),
    Command("turn:", lambda s, notches, _: s.controller.turn(int(notches))),
    Command("copy:", lambda s, _, __: s.controller.duplicate(), keys=("ctrl+d",), name="duplicate"),
    Command("remember:", lambda s, _, __: s.controller.copy(), keys=("ctrl+c",), name="copy"),
    Command("paste:", lambda s, _, __: key_acts.paste(s), keys=("v", "ctrl+v"), name="paste"),
    Command("select:all", lambda s, _, __: s.controller.select_all(), keys=("ctrl+a",)),
    Command("delete:", lambda s, _, __: s.controller.delete()),
    Command("away:", lambda s, _, __: key_acts.take_away(s), keys=("delete", "backspace"), name="take-away"),
    # --- the photo, the question, the card ----------------------------------------------------------------------------
    Command("photo:", panel_words.photo),
    Command("trace:", panel_words.trace),
    Command("ask:", lambda s, question, _: s.controller.ask(question)),
    Command("extra:", panel_words.extra),
    Command("tick:", panel_words.tick),
    Command("verdict:", panel_words.link),
    Command("about:", panel_words.link),
    Command("unread:", lambda _, __, ___: None),
    Command("card:", filing.card),
    Command("handout:", filing.handout),
    Command("drill:", filing.drill),
    # --- a file being chosen ------------------------------------------------------------------------------------------
    Command("file:", filing.type_name),
    Command("look:", filing.look),
    Command("place:", filing.place),
    Command("choose:", filing.choose),
    Command("leave:", filing.leave),
    # --- keys without a button ----------------------------------------------------------------------------------------
    Command("escape:", lambda s, _, __: key_acts.escape(s), keys=("escape",), name="escape", works_when=ALWAYS),
    Command("enter:", lambda s, _, __: key_acts.enter(s), keys=("return", "kp_enter"), name="enter", works_when=ALWAYS),
    Command("help:", lambda s, _, __: key_acts.toggle_help(s), keys=("f1",), name="help", works_when=ALWAYS),
    Command("sheet:", lambda s, _, __: key_acts.toggle_help(s), keys=("slash", "question")),
    Command("here:", lambda s, _, shift: by_keys.does(s.controller, shift), keys=("space",), name="here"),
    Command("next:", lambda s, _, back: key_acts.next_unit(s, back), keys=("tab",), name="next"),
    Command("fit:", lambda s, _, __: s.fit(), keys=("home",), name="whole"),
    Command("zoom:in", _zoom(ZOOM_STEP), keys=("plus", "equals", "kp_plus"), name="zoom-in"),
    Command("zoom:out", _zoom(1 / ZOOM_STEP), keys=("minus", "kp_minus"), name="zoom-out"),
    _arrow("left", -1, 0), _arrow("right", 1, 0), _arrow("up", 0, 1), _arrow("down", 0, -1),
    *(_numbered(number) for number in range(1, 10)),
)  # fmt: skip
#: The sheet of keys.
SHEET: Sequence[tuple[str, str]] = (
    ("{tab-table} to {tab-card}", "Table, Place, Edit, Photo, Ask, Card"),
    ("{tab-roster}  {tab-battle}", "in the workshop: Army, Battle"),
    ("Click, Shift-click", "select; one more"),
    ("Drag on the ground", "a box that selects; else pans"),
    ("Drag", "move what is selected; snaps to contact"),
    ("Alt", "held: it does not snap"),
    ("{turn-left}  {turn-right}, wheel", "turn what is in hand; with Shift 1 degree"),
    ("Arrows", "shift what is selected, lead the hand; Shift: less"),
    ("{enter}, {here}", "do there what a click does"),
    ("{next}, Shift-{next}", "to the next unit, to the one before"),
    ("1 to 9, {units-or-terrain}", "troops, kinds, questions; units or terrain"),
    ("{duplicate}, {copy}  {paste}", "copy beside; copy; put a copy here"),
    ("{take-away}, Backspace", "take away; take the last corner back"),
    ("{enter}", "also: end a piece of terrain; lay the photo"),
    ("{undo}, {redo}", "take back, do again, without limit"),
    ("{save}, {open}", "save, open"),
    ("{print}, {pictures}", "on paper at true scale, or as a picture"),
    ("Wheel, {zoom-in} {zoom-out}, {whole}", "zoom; the whole table"),
    ("Right-drag, arrows", "pan"),
    ("{escape}, right click", "let go, go back a step"),
    ("{help}", "this sheet"),
)
TABLE = CommandTable(COMMANDS, SHEET)
