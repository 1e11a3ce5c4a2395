"""The player's actions at the table: select, drag, measure with the tape, look along a line. Knows no pygame.

A controller holds the model of its table and the judge's client; the battle changes only when a dragged unit is let go.
"""

from __future__ import annotations

from collections.abc import Iterable

from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point
from tabletop.play.workers.judge_worker import AnyJudgeWorker
from tabletop.render.settings.model import Overlay
from tabletop.render.table import ways
from tabletop.render.table.judge_client import AnyStore, JudgeClient, Store
from tabletop.render.table.model import (
    AddWaypoint,
    AwaitJudge,
    Choose,
    Command,
    DragTo,
    Face,
    FindWay,
    LayFrom,
    LayTo,
    LetGo,
    Note,
    Place,
    PointAt,
    PutAway,
    Select,
    Show,
    TableModel,
    Take,
    TakeBack,
)
from tabletop.render.table.picture import Picture
from tabletop.render.table.pointing import unit_at
from tabletop.render.table.tools import FREE, Tool
from tabletop.render.table.ways import MeasuringWays, Ways
from tabletop.rules.asked import MOVE

#: Degrees that a wheel notch or a key turns the ghost; the fine turn with Shift.
TURN, FINE_TURN = 15.0, 1.0


class TableController:
    """The player's actions on the model of a table."""

    def __init__(
        self, model: TableModel | AnyStore, quick: AnyJudgeWorker, slow: AnyJudgeWorker, moving: Ways | None = None
    ) -> None:
        self._shown_before: frozenset[Overlay] = frozenset()
        self._ways = moving or MeasuringWays()
        self._store: AnyStore = Store(model) if isinstance(model, TableModel) else model
        self.judge = JudgeClient(self._store, quick, slow, self._ways)

    # --- its parts ---------------------------------------------------------------------------------------------------

    @property
    def model(self) -> TableModel:
        """The model of the table."""
        return self._store.model

    def update(self, command: Command) -> bool:
        """Apply a command to the model; return whether anything changed."""
        return self._store.update(command)

    def picture(self) -> Picture:
        """Return what the views draw."""
        return Picture.of(self.model)

    @property
    def actions(self) -> tuple[str, ...]:
        """The ways in which the selected unit may be moved."""
        return self._ways.actions(self.model)

    def listen(self) -> None:
        """Take in the judge's answers; call it once a frame."""
        self.judge.listen(self._move_judged)

    def close(self) -> None:
        """Stop the judge's workers."""
        self.judge.close()

    # --- selecting ---------------------------------------------------------------------------------------------------

    def select(self, name: str | None) -> None:
        """Select a unit, or none, and ask for everything the overlays show of it."""
        if self.update(Select(name)):
            self.keep_action()
            self.judge.ask_afresh()

    def keep_action(self) -> None:
        """Choose the first way of moving if the selected unit does not have the chosen one."""
        if self.model.action not in self.actions:
            self.update(Choose(self.actions[0] if self.actions else ""))

    def choose(self, action: str) -> None:
        """Choose how the selected unit is to be moved."""
        if action in self.actions and self.update(Choose(action)):
            self.judge.forget("reach", MOVE)
            self.judge.ask_reach()
            self.ask_move()

    def point_at(self, name: str | None) -> None:
        """Set the unit under the cursor, or none, and ask why an enemy is marked as it is."""
        if self.update(PointAt(name)):
            self.judge.ask_why()

    def show(self, overlays: Iterable[Overlay]) -> None:
        """Show these overlays and no others."""
        self.update(Show(frozenset(overlays)))
        self.judge.ask_plans()

    def toggle(self, overlay: Overlay) -> None:
        """Show an overlay, or hide it."""
        if overlay in self.model.offered:
            self.show(self.model.overlays ^ {overlay})

    def toggle_all(self) -> None:
        """Show all overlays; if all are shown, return to those shown before."""
        now, every = self.model.overlays, frozenset(self.model.offered)
        if now >= every:
            self.show(self._shown_before)
        else:
            self._shown_before = now
            self.show(every)

    # --- dragging ----------------------------------------------------------------------------------------------------

    def take(self, point: Point) -> None:
        """Take hold of the selected unit at ``point``."""
        if self.update(Take(point)):
            self.judge.forget(MOVE)

    def drag_to(self, point: Point) -> None:
        """Move the ghost under the cursor."""
        if self.update(DragTo(point)):
            self.ask_move()

    def drop_waypoint(self) -> None:
        """Fix the path as far as the cursor."""
        drag = self.model.drag
        if drag is not None and self.model.action != FREE:
            self.update(AddWaypoint(ways.target(drag)))
            self.ask_move()

    def turn(self, notches: float, fine: bool = False) -> None:
        """Turn the ghost, clockwise positive; a unit not in hand is taken and turned on the spot."""
        unit = self.model.unit
        if unit is None or unit.is_general:
            return
        if self.model.drag is None:
            self.take(unit.at)
        if self.model.drag is not None:
            now = ways.facing(self.model, self.model.drag)
            self.update(Face(now + notches * (FINE_TURN if fine else TURN)))
            self.ask_move()

    def find_way(self, on: bool) -> None:
        """Switch between the cheapest route to the cursor, found by the judge, and a straight path."""
        if self.update(FindWay(on)):
            self.ask_move()

    def ask_move(self) -> None:
        """Ask whether the unit in hand may move to the cursor."""
        self.judge.ask_move()

    def release(self, anyway: bool = False) -> bool:
        """Let go: make a legal move (or a free one, or any with ``anyway``); return whether the unit was put down.

        While the judge is still judging the cursor's place, the unit is put down when the answer arrives.
        """
        model = self.model
        if model.drag is not None and self.judge.awaited and model.action != FREE:
            self.update(AwaitJudge(anyway))
            return False
        ghost, verdict = model.ghost, model.verdict(MOVE)
        self.update(LetGo())
        if model.drag is None:
            return False
        if ghost is None:
            refused = model.answers.get((MOVE,))
            self._stays(refused if isinstance(refused, str) else "")
            return False
        if model.action != FREE and not anyway and not (verdict and verdict.holds):
            self._stays("Not a legal move: the unit stays where it was.")
            return False
        self.put_down(ghost, model.drag.unit)
        return True

    def _stays(self, why: str) -> None:
        self.judge.ask_afresh()
        self.update(Note(why))

    def put_down(self, unit: Unit, before: Unit | None = None) -> None:
        """Put a unit down; ``before`` is the unit as it stood, for undo."""
        self.update(Place(unit, before))
        self._moved(unit)

    def take_back(self) -> None:
        """Take back the last move."""
        unit = self.model.undo[-1] if self.model.undo else None
        if unit is not None and self.update(TakeBack()):
            self._moved(unit)

    def cancel(self) -> None:
        """Let go without moving; else put the tape away; else deselect."""
        self.update(Note(""))
        if self.update(LetGo()):
            self.judge.ask_afresh()
        elif self.model.stretch is not None or self.model.tool is not Tool.HAND:
            self.update(PutAway())
        else:
            self.select(None)

    def _moved(self, unit: Unit) -> None:
        self.judge.moved(unit)
        self.judge.ask_afresh()

    def _move_judged(self) -> None:
        """Put down a unit that waited for the answer; else ask the next question."""
        drag = self.model.drag
        if drag is not None and not drag.behind and drag.let_go is not None:
            self.release(drag.let_go)
        else:
            if drag is not None and drag.behind:
                self.ask_move()
            self.judge.ask_ghost()

    # --- tape and sight line -----------------------------------------------------------------------------------------

    def lay_from(self, point: Point) -> None:
        """Begin a tape or a sight line at a point, or at the unit there."""
        unit = unit_at(self.model.battle, point)
        self.update(LayFrom(point, unit.id if unit else None))

    def lay_to(self, point: Point, laid: bool = False) -> None:
        """Stretch it to a point, or to the unit there; with ``laid``, fix it."""
        if self.model.stretch is None or self.model.stretch.laid:
            return
        unit = unit_at(self.model.battle, point)
        if self.update(LayTo(point, unit.id if unit else None, laid)):
            self.judge.ask_stretch()
