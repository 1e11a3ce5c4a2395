"""What the player's hand does at the table: select, drag, tape, look along a line. Knows no pygame.

The desk owns the selection, the tool in hand and the ghost; the battle changes only when a drag is let go.
"""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point, bearing, compass_point, heading
from tabletop.render.table.desk_asking import AskingDesk
from tabletop.render.table.model import (
    AddWaypoint,
    AwaitJudge,
    Choose,
    DragTo,
    Face,
    FindWay,
    LayFrom,
    LayTo,
    LetGo,
    Note,
    Place,
    PutAway,
    Select,
    Take,
    TakeBack,
)
from tabletop.render.table.tools import FREE, Tool

#: Degrees a notch of the wheel, or a key, turns the ghost; the fine turn with Shift.
TURN, FINE_TURN = 15.0, 1.0


@dataclass
class Desk(AskingDesk):
    """The table as the player handles it."""

    # --- the hand ----------------------------------------------------------------------------------------------------

    def select(self, name: str | None) -> None:
        """Select a unit, or none, and ask everything the overlays show of it."""
        if not self.update(Select(name)):
            return
        if self.action not in self.actions:
            self.update(Choose(self.actions[0] if self.actions else ""))
        self._ask_afresh()

    def choose(self, action: str) -> None:
        """Choose how the selected unit is to be moved."""
        if action in self.actions and self.update(Choose(action)):
            self._forget("reach", "move")
            self._ask_reach()
            self._ask_move()

    def take(self, point: Point) -> None:
        """Take hold of the selected unit at ``point``."""
        if self.update(Take(point)):
            self._forget("move")

    def drag_to(self, point: Point) -> None:
        """Move the ghost under the cursor."""
        if self.update(DragTo(point)):
            self._ask_move()

    def drop_waypoint(self) -> None:
        """Fix the way as far as the cursor."""
        if self.drag is not None and self.action != FREE:
            self.update(AddWaypoint(self._target()))
            self._ask_move()

    def turn(self, notches: float, fine: bool = False) -> None:
        """Turn the ghost, clockwise positive; a unit not in hand is taken and turned where it stands."""
        if self.unit is None or self.unit.is_general:
            return
        if self.drag is None:
            self.take(self.unit.at)
        self.update(Face(self._facing() + notches * (FINE_TURN if fine else TURN)))
        self._ask_move()

    def find_way(self, on: bool) -> None:
        """Let the judge find the cheapest way to the cursor instead of going straight."""
        if self.update(FindWay(on)):
            self._ask_move()

    def release(self, anyway: bool = False) -> bool:
        """Let go: a legal move (or a free one, or ``anyway``) is made; return whether the unit was put down.

        While the judge is still at work on where the hand is, the unit is put down when the answer has come.
        """
        if self.drag is not None and self._awaited and self.action != FREE:
            self.update(AwaitJudge(anyway))
            return False
        drag, ghost, verdict = self.drag, self.ghost, self.verdict("move")
        self.update(LetGo())
        if drag is None:
            return False
        if ghost is None:
            refused = self.answers.get(("move",))
            self._ask_afresh()
            self.update(Note(refused if isinstance(refused, str) else ""))
            return False
        if self.action != FREE and not anyway and not (verdict and verdict.holds):
            self._ask_afresh()
            self.update(Note("Not a legal move: the unit stays where it was."))
            return False
        self.put_down(ghost, drag.unit)
        return True

    def take_back(self) -> None:
        """Take back the last move."""
        unit = self.undo[-1] if self.undo else None
        if unit is not None and self.update(TakeBack()):
            self._moved(unit)

    def cancel(self) -> None:
        """Let go without moving; then lay the tape aside; then select nothing."""
        self.update(Note(""))
        if self.update(LetGo()):
            self._ask_afresh()
        elif self.stretch is not None or self.tool is not Tool.HAND:
            self.update(PutAway())
        else:
            self.select(None)

    def put_down(self, unit: Unit, before: Unit | None = None) -> None:
        """Put a unit down; ``before`` is how it stood, to be taken back to."""
        self.update(Place(unit, before))
        self._moved(unit)

    def _moved(self, unit: Unit) -> None:
        """Tell the judge's workers where a unit stands now."""
        self.quick.moved(unit)
        self.slow.moved(unit)
        self._ask_afresh()

    def _move_judged(self) -> None:
        """Let go of what waited for the answer; or ask what is to be asked now."""
        if not self._move_waits and self.drag is not None and self.drag.let_go is not None:
            self.release(self.drag.let_go)
        else:
            super()._move_judged()

    # --- tape and sight line -----------------------------------------------------------------------------------------

    def lay_from(self, point: Point) -> None:
        """Begin a tape or a sight line at a point, or at the unit there."""
        unit = self.unit_at(point)
        self.update(LayFrom(point, unit.id if unit else None))

    def lay_to(self, point: Point, laid: bool = False) -> None:
        """Stretch it to a point, or to the unit there; ``laid`` fixes it."""
        if self.stretch is None or self.stretch.laid:
            return
        unit = self.unit_at(point)
        if self.update(LayTo(point, unit.id if unit else None, laid)):
            self._ask_stretch()


def compass(start: Point, end: Point) -> str:
    """Return the bearing of a line in words, as on a compass card (``NNE 23°``)."""
    degrees = bearing(end[0] - start[0], end[1] - start[1])
    return f"{compass_point(degrees)} {degrees:.0f}°"


def towards(start: Point, degrees: float, length: float) -> Point:
    """Return the point ``length`` away from ``start`` in a compass direction."""
    east, north = heading(degrees)
    return start[0] + length * east, start[1] + length * north
