"""Controlling the judge's table by keys alone: the cursor moves in steps or from unit to unit, and acts in place."""

from __future__ import annotations

from tabletop.geometry.measure import Point
from tabletop.render.judge.controller import JudgeController, Mode
from tabletop.render.table import steps

#: Fraction of a step by which a selection is shifted.
FINER = 0.1


def leads(controller: JudgeController) -> bool:
    """Return whether arrows move the cursor: something is to be placed, or a question is asked by clicking."""
    return (controller.mode is Mode.PLACE and controller.placing.held) or controller.mode is Mode.ASK


def step(controller: JudgeController, fine: bool) -> float:
    """Return the length of a cursor step."""
    return steps.step(controller.battle.table.unit, fine)


def nudge(controller: JudgeController, fine: bool) -> float:
    """Return the length by which an arrow shifts the selection."""
    return round(FINER * step(controller, fine), 6)


def lead(controller: JudgeController, dx: int, dy: int, fine: bool) -> None:
    """Move the cursor one step; from outside the table it starts at the middle."""
    controller.cursor = steps.led(_hand(controller), (dx, dy), step(controller, fine), controller.size)
    controller.by_keys, controller.note = True, ""


def take_up(controller: JudgeController) -> None:
    """Bring the cursor, with what was just taken in hand, onto the table if it is outside."""
    controller.cursor = _hand(controller)


def _hand(controller: JudgeController) -> Point:
    (x, y), (wide, high) = controller.cursor, controller.size
    inside = 0.0 < x < wide and 0.0 < y < high
    return (x, y) if inside or controller.by_keys else (wide / 2, high / 2)


def next_unit(controller: JudgeController, back: bool) -> None:
    """Go to the next or previous unit: select it, or move the cursor to it."""
    names = [unit.id for unit in controller.battle.units]
    if not names or controller.mode not in (Mode.EDIT, Mode.ASK):
        return
    under = controller.unit_at(controller.cursor) if controller.mode is Mode.ASK else None
    now = under.id if under is not None else next(iter(controller.selected), None)
    at = names.index(now) if now in names else (0 if back else -1)
    name = names[(at + (-1 if back else 1)) % len(names)]
    controller.cursor, controller.by_keys = controller.battle.unit(name).at, True
    if controller.mode is Mode.EDIT:
        controller.select([name])


def does(controller: JudgeController, shift: bool = False) -> None:
    """Do at the cursor what a click does there, or a click with Shift."""
    controller.cursor = _hand(controller)
    if controller.mode is Mode.PLACE and controller.placing.held:
        controller.place(controller.cursor)
    elif controller.mode is Mode.ASK:
        controller.click(controller.cursor, by=shift)


def words(controller: JudgeController) -> str:
    """Return how far the arrows move the cursor or the selection, in words."""
    of = nudge if controller.mode is Mode.EDIT else step
    return f"{of(controller, False):g} {controller.battle.table.unit} (Shift {of(controller, True):g})"
