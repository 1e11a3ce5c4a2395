"""The keys of the judge's table."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pygame

from tabletop.render.destinations import Subject, ToExport
from tabletop.render.judge import by_keys, commands, pages
from tabletop.render.judge.desk import Mode
from tabletop.render.judge.state import JudgingState
from tabletop.render.screens import Go

#: How far an arrow drags the table about where it moves nothing (pixels).
PAN = 60
#: The sheet of keys.
SHEET = (
    ("F2 to F7", "Table, Place, Edit, Photo, Ask, Card"),
    ("Click, Shift-click", "select; one more"),
    ("Drag on the ground", "a box that selects; else pans"),
    ("Drag", "move what is selected; snaps to contact"),
    ("Alt", "held: it does not snap"),
    ("Q  E, wheel", "turn what is in hand; with Shift 1 degree"),
    ("Arrows", "shift what is selected, lead the hand; Shift: less"),
    ("Enter, Space", "do there what a click does"),
    ("Tab, Shift-Tab", "to the next unit, to the one before"),
    ("1 to 9, T", "troops, kinds, questions; units or terrain"),
    ("Ctrl-D, Ctrl-C  V", "copy beside; copy; put a copy here"),
    ("Del, Backspace", "take away; take the last corner back"),
    ("Enter", "also: end a piece of terrain; lay the photo"),
    ("Ctrl-Z, Ctrl-Y", "take back, do again, without limit"),
    ("Ctrl-S, Ctrl-O", "save, open"),
    ("Ctrl-E", "the table as a picture (PNG, SVG)"),
    ("Wheel, + -, Home", "zoom; the whole table"),
    ("Right-drag, arrows", "pan"),
    ("Esc, right click", "let go, go back a step"),
    ("F1", "this sheet"),
)

TABS = {
    pygame.K_F2: Mode.TABLE, pygame.K_F3: Mode.PLACE, pygame.K_F4: Mode.EDIT, pygame.K_F5: Mode.PHOTO,
    pygame.K_F6: Mode.ASK, pygame.K_F7: Mode.CARD,
}  # fmt: skip
#: Commands that a line being typed in has a use for, and keys that only leave it.
OF_TEXT = (pygame.K_c, pygame.K_v, pygame.K_a, pygame.K_x, pygame.K_d)
#: What makes a key a command, and what makes it a letter all the same: AltGr comes as Ctrl with Alt on some systems.
COMMANDING, LETTERING = pygame.KMOD_CTRL | pygame.KMOD_META, pygame.KMOD_ALT | pygame.KMOD_MODE
LEAVING = (pygame.K_ESCAPE, pygame.K_RETURN, pygame.K_KP_ENTER)


def hears(screen: JudgingState, event: pygame.event.Event) -> bool:
    """Return whether a key is for the table although somebody types: what no text holds."""
    if _commanded(event):
        return event.key in COMMANDS and event.key not in OF_TEXT
    return event.key in ALWAYS or event.key in TABS


def press(screen: JudgingState, event: pygame.event.Event) -> None:
    """Do what a key does; while somebody types, only what no text holds: the rest belongs to the line typed in."""
    typing = screen.form.typing
    if typing and not hears(screen, event):
        return
    if typing and (_commanded(event) or event.key in TABS):
        screen.form.leave()
    if event.key in TABS and screen.chooser is None:
        screen.desk.turn_to(TABS[event.key])
    elif _commanded(event):
        _command(screen, event)
    elif typing and screen.chooser is None and event.key in LEAVING:
        screen.form.leave()
    elif event.key in ALWAYS:
        ALWAYS[event.key](screen)
    elif not typing and screen.chooser is None and event.key in KEYS:
        KEYS[event.key](screen, bool(event.mod & pygame.KMOD_SHIFT))


def _commanded(event: pygame.event.Event) -> bool:
    """Return whether a key is a command: Ctrl or Cmd is held, and no Alt, which together with Ctrl writes letters."""
    return bool(event.mod & COMMANDING) and not event.mod & LETTERING


def _command(screen: JudgingState, event: pygame.event.Event) -> None:
    back = event.key == pygame.K_z and event.mod & pygame.KMOD_SHIFT
    act = COMMANDS.get(pygame.K_y if back else event.key)
    if act is not None and screen.chooser is None:
        act(screen)


def escape(screen: JudgingState) -> None:
    """Let go of one thing: the sheet, a file being chosen, what is in hand, what is clicked, what is selected."""
    desk = screen.desk
    screen.mouse.let_go()
    if screen.helping:
        screen.helping = False
    elif screen.reading:
        screen.reading = ""
    elif screen.chooser is not None:
        screen.chooser = None
    elif desk.held is not None or desk.pulled is not None:
        desk.held = desk.pulled = None
    elif desk.placing.corners:
        desk.placing.corners.clear()
    elif desk.backdrop.clicks:
        desk.backdrop.clear_clicks()
    elif desk.mode is Mode.PLACE and desk.placing.held:
        desk.placing.held = False
    elif desk.mode is Mode.ASK and desk.asking.way and not desk.asking.complete:
        desk.asking.way.pop()
    elif desk.mode is Mode.ASK and desk.asking.clicked:
        desk.asking.clicked, desk.asking.way = [], []
        desk.put()
    else:
        desk.select(())


def enter(screen: JudgingState) -> None:
    """End what is being done: the file typed, the piece of terrain, the base traced, the photo's corners."""
    desk = screen.desk
    if screen.chooser is not None:
        commands.do(screen, "choose:")
    elif desk.placing.corners:
        desk.close_piece(closed=False)
    elif desk.mode is Mode.PHOTO and desk.backdrop.picking:
        commands.do(screen, "photo:lay")
    elif desk.misfit is not None:
        commands.do(screen, "trace:fit:0" if desk.misfit.fits else "trace:same")
    elif desk.mode is Mode.PHOTO and desk.backdrop.clicks:
        desk.trace_now()
    elif desk.by_keys or desk.mode is Mode.PLACE:
        by_keys.does(desk)


def _delete(screen: JudgingState, _: bool) -> None:
    desk = screen.desk
    if desk.placing.corners:
        desk.placing.corners.pop()
    elif desk.mode in (Mode.EDIT, Mode.PLACE):
        desk.delete()


def _arrow(dx: int, dy: int) -> Callable[[JudgingState, bool], None]:
    def act(screen: JudgingState, fine: bool) -> None:
        desk = screen.desk
        if desk.mode is Mode.EDIT and desk.selected:
            step = by_keys.nudge(desk, fine)
            desk.nudge(step * dx, step * dy)
        elif by_keys.leads(desk):
            by_keys.lead(desk, dx, dy, fine)
            screen.keep_hand_in_sight()
        else:
            screen.pan(-PAN * dx, PAN * dy)

    return act


def _next(screen: JudgingState, back: bool) -> None:
    by_keys.next_unit(screen.desk, back)
    if screen.desk.by_keys:
        screen.keep_hand_in_sight()


def _numbered(number: int) -> Callable[[JudgingState, bool], None]:
    """Return what a number does: it presses that one of the page's choices, with Shift that one of the next nine."""

    def act(screen: JudgingState, shift: bool) -> None:
        found = pages.choices(screen.desk)
        at = number - 1 + 9 * shift
        if at < len(found):
            commands.do(screen, found[at])

    return act


def _units_or_terrain(screen: JudgingState, _: bool) -> None:
    if screen.desk.mode is Mode.PLACE:
        commands.do(screen, "what:terrain" if screen.desk.placing.what == "unit" else "what:unit")


def _help(screen: JudgingState) -> None:
    screen.helping = not screen.helping


def _export(screen: JudgingState) -> None:
    desk, camera = screen.desk, screen.camera
    screen.going = Go(ToExport(Subject(desk.battle, camera, screen.view.drawings(desk, camera))))


def _paste(screen: JudgingState) -> None:
    screen.desk.paste(screen.desk.cursor)


def _zoom(screen: JudgingState, factor: float) -> None:
    screen.zoom(factor, screen.cursor)


ALWAYS: Mapping[int, Callable[[JudgingState], None]] = {
    pygame.K_ESCAPE: escape, pygame.K_RETURN: enter, pygame.K_KP_ENTER: enter, pygame.K_F1: _help,
}  # fmt: skip
COMMANDS: Mapping[int, Callable[[JudgingState], None]] = {
    pygame.K_z: lambda s: s.desk.undo(),
    pygame.K_y: lambda s: s.desk.redo(),
    pygame.K_s: lambda s: commands.do(s, "save:"),
    pygame.K_o: lambda s: commands.do(s, "open:"),
    pygame.K_w: lambda s: commands.do(s, "back:"),
    pygame.K_e: _export,
    pygame.K_d: lambda s: s.desk.duplicate(),
    pygame.K_c: lambda s: s.desk.copy(),
    pygame.K_v: _paste,
    pygame.K_a: lambda s: s.desk.select_all(),
}
KEYS: Mapping[int, Callable[[JudgingState, bool], None]] = {
    pygame.K_v: lambda s, _: _paste(s),
    pygame.K_DELETE: _delete,
    pygame.K_BACKSPACE: _delete,
    pygame.K_q: lambda s, fine: s.desk.turn(-1, fine),
    pygame.K_e: lambda s, fine: s.desk.turn(1, fine),
    pygame.K_LEFT: _arrow(-1, 0),
    pygame.K_RIGHT: _arrow(1, 0),
    pygame.K_UP: _arrow(0, 1),
    pygame.K_DOWN: _arrow(0, -1),
    pygame.K_HOME: lambda s, _: s.fit(),
    pygame.K_PLUS: lambda s, _: _zoom(s, 1.15),
    pygame.K_EQUALS: lambda s, _: _zoom(s, 1.15),
    pygame.K_KP_PLUS: lambda s, _: _zoom(s, 1.15),
    pygame.K_MINUS: lambda s, _: _zoom(s, 1 / 1.15),
    pygame.K_KP_MINUS: lambda s, _: _zoom(s, 1 / 1.15),
    pygame.K_SLASH: lambda s, _: _help(s),
    pygame.K_QUESTION: lambda s, _: _help(s),
    pygame.K_SPACE: lambda s, shift: by_keys.does(s.desk, shift),
    pygame.K_TAB: _next,
    pygame.K_t: _units_or_terrain,
    **{pygame.K_0 + n: _numbered(n) for n in range(1, 10)},
}
