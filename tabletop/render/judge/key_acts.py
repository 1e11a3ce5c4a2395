"""The actions of keys at the judge's table."""

from __future__ import annotations

from collections.abc import Callable

from tabletop.render.destinations import Subject, ToExport
from tabletop.render.judge import by_keys, pages
from tabletop.render.judge.controller import JudgeController, Mode
from tabletop.render.judge.state import JudgingState
from tabletop.render.screens import Go

#: Pixels by which an arrow pans the table when it moves nothing else.
PAN = 60


def escape(screen: JudgingState) -> None:
    """Cancel one thing: the sheet of keys, a file being chosen, what is in hand, what is clicked, what is selected."""
    controller = screen.controller
    screen.mouse.let_go()
    if screen.helping:
        screen.helping = False
    elif screen.reading:
        screen.reading = ""
    elif screen.chooser is not None:
        screen.chooser = None
    elif not _let_go(controller):
        _step_back(controller)


def _let_go(controller: JudgeController) -> bool:
    """Let go of what is in hand or half clicked; return whether there was anything."""
    if controller.held is not None or controller.pulled is not None:
        controller.held = controller.pulled = None
    elif controller.placing.corners:
        controller.placing.corners.clear()
    elif controller.backdrop.clicks:
        controller.backdrop.clear_clicks()
    elif controller.terms.tool:
        controller.terms.tool = ""
    else:
        return False
    return True


def _step_back(controller: JudgeController) -> None:
    """Undo the choice of troops, a point of the path, the question's clicks, or the selection."""
    if controller.mode is Mode.PLACE and controller.placing.held:
        controller.placing.held = False
    elif controller.mode is Mode.ASK and controller.asking.way and not controller.asking.complete:
        controller.asking.way.pop()
    elif controller.mode is Mode.ASK and controller.asking.clicked:
        controller.asking.clicked, controller.asking.way = [], []
        controller.put()
    else:
        controller.select(())


def show_fault(screen: JudgingState) -> None:
    """Go to the first fault: select its unit or piece, or show the battle's terms."""
    controller = screen.controller
    trouble = next(iter(controller.laid.troubles), None)
    if trouble is None:
        return
    if controller.draft.has(trouble.row):
        controller.turn_to(Mode.EDIT)
        controller.select([trouble.row])
    elif trouble.part in ("arrivals", "objectives", "options", "game") and controller.building:
        controller.turn_to(Mode.BATTLE)
        controller.terms.part = {"arrivals": "arrivals", "objectives": "goals"}.get(trouble.part, "terms")
    else:
        controller.turn_to(Mode.TABLE)


def enter(screen: JudgingState) -> None:
    """Complete what is being done: the typed file, the piece of terrain, the traced base, the photo's corners."""
    controller = screen.controller
    if screen.chooser is not None:
        screen.do("choose:")
    elif controller.placing.corners:
        controller.close_piece(closed=False)
    elif controller.mode is Mode.PHOTO and controller.backdrop.picking:
        screen.do("photo:lay")
    elif controller.misfit is not None:
        screen.do("trace:fit:0" if controller.misfit.fits else "trace:same")
    elif controller.mode is Mode.PHOTO and controller.backdrop.clicks:
        controller.trace_now()
    elif controller.by_keys or controller.mode is Mode.PLACE:
        by_keys.does(controller)


def take_away(screen: JudgingState) -> None:
    controller = screen.controller
    if controller.placing.corners:
        controller.placing.corners.pop()
    elif controller.mode in (Mode.EDIT, Mode.PLACE):
        controller.delete()


def arrow(dx: int, dy: int) -> Callable[[JudgingState, bool], None]:
    def act(screen: JudgingState, fine: bool) -> None:
        controller = screen.controller
        if controller.mode is Mode.EDIT and controller.selected:
            step = by_keys.nudge(controller, fine)
            controller.nudge(step * dx, step * dy)
        elif by_keys.leads(controller):
            by_keys.lead(controller, dx, dy, fine)
            screen.keep_hand_in_sight()
        else:
            screen.pan(-PAN * dx, PAN * dy)

    return act


def next_unit(screen: JudgingState, back: bool) -> None:
    by_keys.next_unit(screen.controller, back)
    if screen.controller.by_keys:
        screen.keep_hand_in_sight()


def numbered(number: int) -> Callable[[JudgingState, bool], None]:
    """Return the action of a digit: it presses the page's choice of that number, with Shift that number plus nine."""

    def act(screen: JudgingState, shift: bool) -> None:
        choices = pages.choices(screen.controller)
        at = number - 1 + 9 * shift
        if at < len(choices):
            screen.do(choices[at])

    return act


def units_or_terrain(screen: JudgingState) -> None:
    if screen.controller.mode is Mode.PLACE:
        screen.do("what:terrain" if screen.controller.placing.what == "unit" else "what:unit")


def toggle_help(screen: JudgingState) -> None:
    screen.helping = not screen.helping


def export(screen: JudgingState) -> None:
    controller, camera = screen.controller, screen.camera
    screen.going = Go(ToExport(Subject(controller.battle, camera, screen.view.drawings(controller, camera))))


def paste(screen: JudgingState) -> None:
    screen.controller.paste(screen.controller.cursor)


def zoom(screen: JudgingState, factor: float) -> None:
    screen.zoom(factor, screen.cursor)
