"""Controlling the judge's table by keys alone: the cursor moves in steps or from unit to unit, and acts in place."""

from __future__ import annotations

from tabletop.geometry.measure import Point
from tabletop.render.judge.desk import JudgeDesk, Mode
from tabletop.render.table import steps

#: Fraction of a step by which a selection is shifted.
FINER = 0.1


def leads(desk: JudgeDesk) -> bool:
    """Return whether arrows move the cursor: something is to be placed, or a question is asked by clicking."""
    return (desk.mode is Mode.PLACE and desk.placing.held) or desk.mode is Mode.ASK


def step(desk: JudgeDesk, fine: bool) -> float:
    """Return the length of a cursor step."""
    return steps.step(desk.battle.table.unit, fine)


def nudge(desk: JudgeDesk, fine: bool) -> float:
    """Return the length by which an arrow shifts the selection."""
    return round(FINER * step(desk, fine), 6)


def lead(desk: JudgeDesk, dx: int, dy: int, fine: bool) -> None:
    """Move the cursor one step; from outside the table it starts at the middle."""
    desk.cursor = steps.led(_hand(desk), (dx, dy), step(desk, fine), desk.size)
    desk.by_keys, desk.note = True, ""


def take_up(desk: JudgeDesk) -> None:
    """Bring the cursor, with what was just taken in hand, onto the table if it is outside."""
    desk.cursor = _hand(desk)


def _hand(desk: JudgeDesk) -> Point:
    (x, y), (wide, high) = desk.cursor, desk.size
    inside = 0.0 < x < wide and 0.0 < y < high
    return (x, y) if inside or desk.by_keys else (wide / 2, high / 2)


def next_unit(desk: JudgeDesk, back: bool) -> None:
    """Go to the next or previous unit: select it, or move the cursor to it."""
    names = [unit.id for unit in desk.battle.units]
    if not names or desk.mode not in (Mode.EDIT, Mode.ASK):
        return
    under = desk.unit_at(desk.cursor) if desk.mode is Mode.ASK else None
    now = under.id if under is not None else next(iter(desk.selected), None)
    at = names.index(now) if now in names else (0 if back else -1)
    name = names[(at + (-1 if back else 1)) % len(names)]
    desk.cursor, desk.by_keys = desk.battle.unit(name).at, True
    if desk.mode is Mode.EDIT:
        desk.select([name])


def does(desk: JudgeDesk, shift: bool = False) -> None:
    """Do at the cursor what a click does there, or a click with Shift."""
    desk.cursor = _hand(desk)
    if desk.mode is Mode.PLACE and desk.placing.held:
        desk.place(desk.cursor)
    elif desk.mode is Mode.ASK:
        desk.click(desk.cursor, by=shift)


def words(desk: JudgeDesk) -> str:
    """Return how far the arrows move the cursor or the selection, in words."""
    of = nudge if desk.mode is Mode.EDIT else step
    return f"{of(desk, False):g} {desk.battle.table.unit} (Shift {of(desk, True):g})"
