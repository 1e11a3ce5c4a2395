"""The actions of keys at the judge's table."""

from __future__ import annotations

from collections.abc import Callable

from tabletop.render.destinations import Subject, ToExport
from tabletop.render.judge import by_keys, pages
from tabletop.render.judge.desk import JudgeDesk, Mode
from tabletop.render.judge.state import JudgingState
from tabletop.render.screens import Go

#: Pixels by which an arrow pans the table when it moves nothing else.
PAN = 60


def escape(screen: JudgingState) -> None:
    """Cancel one thing: the sheet of keys, a file being chosen, what is in hand, what is clicked, what is selected."""
    desk = screen.desk
    screen.mouse.let_go()
    if screen.helping:
        screen.helping = False
    elif screen.reading:
        screen.reading = ""
    elif screen.chooser is not None:
        screen.chooser = None
    elif not _let_go(desk):
        _step_back(desk)


def _let_go(desk: JudgeDesk) -> bool:
    """Let go of what is in hand or half clicked; return whether there was anything."""
    if desk.held is not None or desk.pulled is not None:
        desk.held = desk.pulled = None
    elif desk.placing.corners:
        desk.placing.corners.clear()
    elif desk.backdrop.clicks:
        desk.backdrop.clear_clicks()
    elif desk.terms.tool:
        desk.terms.tool = ""
    else:
        return False
    return True


def _step_back(desk: JudgeDesk) -> None:
    """Undo the choice of troops, a point of the path, the question's clicks, or the selection."""
    if desk.mode is Mode.PLACE and desk.placing.held:
        desk.placing.held = False
    elif desk.mode is Mode.ASK and desk.asking.way and not desk.asking.complete:
        desk.asking.way.pop()
    elif desk.mode is Mode.ASK and desk.asking.clicked:
        desk.asking.clicked, desk.asking.way = [], []
        desk.put()
    else:
        desk.select(())


def show_fault(screen: JudgingState) -> None:
    """Go to the first fault: select its unit or piece, or show the battle's terms."""
    desk = screen.desk
    trouble = next(iter(desk.laid.troubles), None)
    if trouble is None:
        return
    if desk.draft.has(trouble.row):
        desk.turn_to(Mode.EDIT)
        desk.select([trouble.row])
    elif trouble.part in ("arrivals", "objectives", "options", "game") and desk.building:
        desk.turn_to(Mode.BATTLE)
        desk.terms.part = {"arrivals": "arrivals", "objectives": "goals"}.get(trouble.part, "terms")
    else:
        desk.turn_to(Mode.TABLE)


def enter(screen: JudgingState) -> None:
    """Complete what is being done: the typed file, the piece of terrain, the traced base, the photo's corners."""
    desk = screen.desk
    if screen.chooser is not None:
        screen.do("choose:")
    elif desk.placing.corners:
        desk.close_piece(closed=False)
    elif desk.mode is Mode.PHOTO and desk.backdrop.picking:
        screen.do("photo:lay")
    elif desk.misfit is not None:
        screen.do("trace:fit:0" if desk.misfit.fits else "trace:same")
    elif desk.mode is Mode.PHOTO and desk.backdrop.clicks:
        desk.trace_now()
    elif desk.by_keys or desk.mode is Mode.PLACE:
        by_keys.does(desk)


def take_away(screen: JudgingState) -> None:
    desk = screen.desk
    if desk.placing.corners:
        desk.placing.corners.pop()
    elif desk.mode in (Mode.EDIT, Mode.PLACE):
        desk.delete()


def arrow(dx: int, dy: int) -> Callable[[JudgingState, bool], None]:
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


def next_unit(screen: JudgingState, back: bool) -> None:
    by_keys.next_unit(screen.desk, back)
    if screen.desk.by_keys:
        screen.keep_hand_in_sight()


def numbered(number: int) -> Callable[[JudgingState, bool], None]:
    """Return the action of a digit: it presses the page's choice of that number, with Shift that number plus nine."""

    def act(screen: JudgingState, shift: bool) -> None:
        choices = pages.choices(screen.desk)
        at = number - 1 + 9 * shift
        if at < len(choices):
            screen.do(choices[at])

    return act


def units_or_terrain(screen: JudgingState) -> None:
    if screen.desk.mode is Mode.PLACE:
        screen.do("what:terrain" if screen.desk.placing.what == "unit" else "what:unit")


def toggle_help(screen: JudgingState) -> None:
    screen.helping = not screen.helping


def export(screen: JudgingState) -> None:
    desk, camera = screen.desk, screen.camera
    screen.going = Go(ToExport(Subject(desk.battle, camera, screen.view.drawings(desk, camera))))


def paste(screen: JudgingState) -> None:
    screen.desk.paste(screen.desk.cursor)


def zoom(screen: JudgingState, factor: float) -> None:
    screen.zoom(factor, screen.cursor)
