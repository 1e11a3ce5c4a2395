"""What the player's hand does at the table: select, drag, tape, look along a line. Knows no pygame.

The desk owns the selection, the tool in hand and the ghost; the battle changes only when a drag is let go.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point, bearing, compass_point, heading, snap_facing
from tabletop.render.table.desk_asking import AskingDesk
from tabletop.render.table.tools import FREE, Drag, Stretch, Tool

#: Degrees a notch of the wheel, or a key, turns the ghost; the fine turn with Shift.
TURN, FINE_TURN = 15.0, 1.0


@dataclass
class Desk(AskingDesk):
    """The table as the player handles it."""

    # --- the hand ----------------------------------------------------------------------------------------------------

    def select(self, name: str | None) -> None:
        """Select a unit, or none, and ask everything the overlays show of it."""
        if name == self.selected:
            return
        self.selected, self.drag, self.note = name, None, ""
        if self.action not in self.actions:
            self.action = self.actions[0] if self.actions else ""
        self._ask_afresh()

    def choose(self, action: str) -> None:
        """Choose how the selected unit is to be moved."""
        if action in self.actions and action != self.action:
            self.action = action
            self._forget("reach", "move")
            self._ask_reach()
            self._ask_move()

    def take(self, point: Point) -> None:
        """Take hold of the selected unit at ``point``."""
        if self.unit is not None:
            self.drag, self.note = Drag(self.unit, point, point), ""
            self._forget("move")

    def drag_to(self, point: Point) -> None:
        """Move the ghost under the cursor."""
        if self.drag is not None and self.drag.let_go is None and point != self.drag.cursor:
            self.drag = replace(self.drag, cursor=point)
            self._ask_move()

    def drop_waypoint(self) -> None:
        """Fix the way as far as the cursor."""
        if self.drag is not None and self.action != FREE:
            self.drag = replace(self.drag, waypoints=(*self.drag.waypoints, self._target()))
            self._ask_move()

    def turn(self, notches: float, fine: bool = False) -> None:
        """Turn the ghost, clockwise positive; a unit not in hand is taken and turned where it stands."""
        if self.unit is None or self.unit.is_general:
            return
        if self.drag is None:
            self.take(self.unit.at)
        assert self.drag is not None
        facing = self._facing() + notches * (FINE_TURN if fine else TURN)
        self.drag = replace(self.drag, facing=snap_facing(facing))
        self._ask_move()

    def find_way(self, on: bool) -> None:
        """Let the judge find the cheapest way to the cursor instead of going straight."""
        if self.drag is not None and self.drag.find_way != on:
            self.drag = replace(self.drag, find_way=on)
            self._ask_move()

    def release(self, anyway: bool = False) -> bool:
        """Let go: a legal move (or a free one, or ``anyway``) is made; return whether the unit was put down.

        While the judge is still at work on where the hand is, the unit is put down when the answer has come.
        """
        if self.drag is not None and self._awaited and self.action != FREE:
            self.drag = replace(self.drag, let_go=anyway)
            return False
        drag, ghost, verdict = self.drag, self.ghost, self.verdict("move")
        self.drag = None
        if drag is None:
            return False
        if ghost is None:
            refused = self.answers.get(("move",))
            self._ask_afresh()
            self.note = refused if isinstance(refused, str) else ""
            return False
        if self.action != FREE and not anyway and not (verdict and verdict.holds):
            self._ask_afresh()
            self.note = "Not a legal move: the unit stays where it was."
            return False
        self._put(ghost)
        self.undo.append(drag.unit)
        return True

    def take_back(self) -> None:
        """Take back the last move."""
        if self.undo:
            self._put(self.undo.pop())

    def cancel(self) -> None:
        """Let go without moving; then lay the tape aside; then select nothing."""
        self.note = ""
        if self.drag is not None:
            self.drag = None
            self._ask_afresh()
        elif self.stretch is not None:
            self.stretch = None
        elif self.tool is not Tool.HAND:
            self.tool = Tool.HAND
        else:
            self.select(None)

    def _put(self, unit: Unit) -> None:
        self.battle = self.battle.with_unit(unit)
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
        self.stretch = Stretch(point, point, unit.id if unit else None)

    def lay_to(self, point: Point, laid: bool = False) -> None:
        """Stretch it to a point, or to the unit there; ``laid`` fixes it."""
        if self.stretch is None or self.stretch.laid:
            return
        unit = self.unit_at(point)
        name = unit.id if unit and unit.id != self.stretch.from_unit else None
        if (point, name) != (self.stretch.end, self.stretch.to_unit) or laid:
            self.stretch = replace(self.stretch, end=point, to_unit=name, laid=laid)
            self._ask_stretch()


def compass(start: Point, end: Point) -> str:
    """Return the bearing of a line in words, as on a compass card (``NNE 23°``)."""
    degrees = bearing(end[0] - start[0], end[1] - start[1])
    return f"{compass_point(degrees)} {degrees:.0f}°"


def towards(start: Point, degrees: float, length: float) -> Point:
    """Return the point ``length`` away from ``start`` in a compass direction."""
    east, north = heading(degrees)
    return start[0] + length * east, start[1] + length * north
