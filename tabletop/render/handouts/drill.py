"""A drill or a dispute as a handout: the position with its question in front, the proof of the answer on the back."""

from __future__ import annotations

from tabletop.drills.families import FAMILIES
from tabletop.drills.position import Position
from tabletop.render.handouts.page import Handout, Side


def of_position(position: Position) -> Handout:
    """Return the sheet of a position; the front gives no hint of the answer."""
    answer = f"{position.question} {position.choices[position.answer]}."
    return Handout(
        Side(position.question, (), position.battle, choices=tuple(position.choices.values())),
        Side(answer, (margin_sentence(position),), position.battle, position.proof),
        f"Drill: {FAMILIES[position.family].title}" if position.family else f"A dispute: {position.battle.title}",
    )


def margin_sentence(position: Position) -> str:
    """Return how close the answer is, as a sentence."""
    if position.margin is None:
        return "No small shift of any one thing changes this."
    what = f" of {_called(position)}" if _moved(position) else ""
    return f"Margin: {position.margin:.2f} {position.battle.table.unit}; a shift{what} by so much changes the answer."


def _moved(position: Position) -> str:
    """Return the id of the one thing whose shift changes the answer, "" if none is known."""
    closeness = position.proof.closeness
    by = closeness.shifted if closeness is not None and closeness.shifted is not None else None
    return position.twin.moved.id if position.twin is not None else by.id if by is not None else ""


def _called(position: Position) -> str:
    name = _moved(position)
    units = {unit.id: unit.called for unit in position.battle.units}
    pieces = {piece.id: piece.name or piece.id for piece in position.battle.table.terrain}
    return units.get(name) or pieces.get(name) or name
