"""The hand led by keys alone: over the table in steps, from unit to unit, and what it does where it is."""

from __future__ import annotations

from tabletop.geometry.measure import Point
from tabletop.render.judge.desk import JudgeDesk, Mode
from tabletop.render.table import steps

#: What is selected is shifted by a tenth of that.
FINER = 0.1


def leads(desk: JudgeDesk) -> bool:
    """Return whether the arrows lead the hand: something is about to be placed, or a question is put by clicking."""
    return (desk.mode is Mode.PLACE and desk.placing.held) or desk.mode is Mode.ASK


def step(desk: JudgeDesk, fine: bool) -> float:
    """Return how far an arrow leads the hand."""
    return steps.step(desk.battle.table.unit, fine)


def nudge(desk: JudgeDesk, fine: bool) -> float:
    """Return how far an arrow shifts what is selected."""
    return round(FINER * step(desk, fine), 6)


def lead(desk: JudgeDesk, dx: int, dy: int, fine: bool) -> None:
    """Lead the hand a step; from beyond the table it comes to its middle first."""
    desk.cursor = steps.led(_hand(desk), (dx, dy), step(desk, fine), desk.size)
    desk.by_keys, desk.note = True, ""


def take_up(desk: JudgeDesk) -> None:
    """Bring the hand, with what was just taken into it, over the table where it is beyond."""
    desk.cursor = _hand(desk)


def _hand(desk: JudgeDesk) -> Point:
    (x, y), (wide, high) = desk.cursor, desk.size
    inside = 0.0 < x < wide and 0.0 < y < high
    return (x, y) if inside or desk.by_keys else (wide / 2, high / 2)


def next_unit(desk: JudgeDesk, back: bool) -> None:
    """Go on to the next unit, or back to the one before: select it, or bring the hand to it."""
    names = [unit.id for unit in desk.battle.units]
    if not names or desk.mode not in (Mode.EDIT, Mode.ASK):
        return
    under = desk.unit_at(desk.cursor) if desk.mode is Mode.ASK else None
    now = under.id if under is not None else next(iter(desk.selected), None)
    at = names.index(now) if now in names else (0 if back else -1)
    found = names[(at + (-1 if back else 1)) % len(names)]
    desk.cursor, desk.by_keys = desk.battle.unit(found).at, True
    if desk.mode is Mode.EDIT:
        desk.select([found])


def does(desk: JudgeDesk, shift: bool = False) -> None:
    """Do where the hand is what a click does there, or a click with Shift."""
    desk.cursor = _hand(desk)
    if desk.mode is Mode.PLACE and desk.placing.held:
        desk.place(desk.cursor)
    elif desk.mode is Mode.ASK:
        desk.click(desk.cursor, by=shift)


def words(desk: JudgeDesk) -> str:
    """Return how far the arrows move what is in hand or selected."""
    of = nudge if desk.mode is Mode.EDIT else step
    return f"{of(desk, False):g} {desk.battle.table.unit} (Shift {of(desk, True):g})"
