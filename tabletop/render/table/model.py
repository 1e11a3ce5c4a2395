"""The state of a table as it is handled, and what each command makes of it. Pure: nothing is asked or drawn here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point, snap_facing
from tabletop.render.settings.model import USUAL, Overlay
from tabletop.render.table.tools import Drag, Stretch, Tool


@dataclass(frozen=True)
class TableModel:
    """A table: the battle, the tool in hand, what is selected, pointed at, shown, dragged and laid.

    ``action`` is the way of moving chosen for the unit selected, ``note`` what the status line says, ``undo`` the units
    as they stood before each move, the last move last.
    """

    battle: Battle
    tool: Tool = Tool.HAND
    action: str = ""
    selected: str | None = None
    hovered: str | None = None
    overlays: frozenset[Overlay] = USUAL
    drag: Drag | None = None
    stretch: Stretch | None = None
    note: str = ""
    undo: tuple[Unit, ...] = ()

    @property
    def unit(self) -> Unit | None:
        """The unit selected, where it stands."""
        return self.battle.unit(self.selected) if self.selected else None


# --- commands --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Select:
    """Select a unit, or none; what was in hand is let go."""

    name: str | None


@dataclass(frozen=True)
class Choose:
    """Choose how the unit selected is to be moved."""

    action: str


@dataclass(frozen=True)
class PointAt:
    """Point at a unit, or at none."""

    name: str | None


@dataclass(frozen=True)
class TakeTool:
    """Take a tool in hand; a tape or sight line is put away."""

    tool: Tool


@dataclass(frozen=True)
class Take:
    """Take hold of the unit selected at a point."""

    point: Point


@dataclass(frozen=True)
class DragTo:
    """Lead what is in hand to a point."""

    point: Point


@dataclass(frozen=True)
class AddWaypoint:
    """Fix the way as far as a point."""

    point: Point


@dataclass(frozen=True)
class Face:
    """Turn what is in hand to a compass direction, in degrees."""

    facing: float


@dataclass(frozen=True)
class FindWay:
    """Have the cheapest way looked for, or go straight."""

    on: bool


@dataclass(frozen=True)
class AwaitJudge:
    """Let go of what is in hand as soon as the answer is in; ``anyway``: whatever it is."""

    anyway: bool


@dataclass(frozen=True)
class LetGo:
    """Let go of what is in hand without moving it."""


@dataclass(frozen=True)
class Place:
    """Put a unit down; ``before`` is how it stood, to be taken back to."""

    unit: Unit
    before: Unit | None = None


@dataclass(frozen=True)
class TakeBack:
    """Take back the last move."""


@dataclass(frozen=True)
class LayFrom:
    """Begin a tape or a sight line at a point, or at the unit there."""

    point: Point
    unit: str | None = None


@dataclass(frozen=True)
class LayTo:
    """Stretch it to a point, or to the unit there; ``laid`` fixes it."""

    point: Point
    unit: str | None = None
    laid: bool = False


@dataclass(frozen=True)
class PutAway:
    """Put tape or sight line away; with none laid, take up the hand again."""


@dataclass(frozen=True)
class Show:
    """Show these overlays and no others."""

    overlays: frozenset[Overlay]


@dataclass(frozen=True)
class Note:
    """Say something in the status line."""

    text: str


Command = (
    Select | Choose | PointAt | TakeTool | Take | DragTo | AddWaypoint | Face | FindWay | AwaitJudge | LetGo | Place
    | TakeBack | LayFrom | LayTo | PutAway | Show | Note
)  # fmt: skip


def update(model: TableModel, command: Command) -> TableModel:
    """Return the table after a command; the very same model where the command changes nothing."""
    return _UPDATES[type(command)](model, command)


def _take(model: TableModel, command: Take) -> TableModel:
    unit = model.unit
    return model if unit is None else replace(model, drag=Drag(unit, command.point, command.point), note="")


def _dragged(model: TableModel, **changes: Any) -> TableModel:
    """Return the table with other values of what is in hand, if anything is."""
    return model if model.drag is None else replace(model, drag=replace(model.drag, **changes))


def _drag_to(model: TableModel, command: DragTo) -> TableModel:
    """A unit let go while the judge is at work stays where it was let go."""
    held = model.drag is not None and model.drag.let_go is None and model.drag.cursor != command.point
    return _dragged(model, cursor=command.point) if held else model


def _add_waypoint(model: TableModel, command: AddWaypoint) -> TableModel:
    ways = model.drag.waypoints if model.drag is not None else ()
    return _dragged(model, waypoints=(*ways, command.point))


def _find_way(model: TableModel, command: FindWay) -> TableModel:
    same = model.drag is not None and model.drag.find_way == command.on
    return model if same else _dragged(model, find_way=command.on)


def _place(model: TableModel, command: Place) -> TableModel:
    undo = model.undo if command.before is None else (*model.undo, command.before)
    return replace(model, battle=model.battle.with_unit(command.unit), undo=undo)


def _take_back(model: TableModel, _: TakeBack) -> TableModel:
    if not model.undo:
        return model
    return replace(model, battle=model.battle.with_unit(model.undo[-1]), undo=model.undo[:-1])


def _lay_to(model: TableModel, command: LayTo) -> TableModel:
    laying = model.stretch
    if laying is None or laying.laid:
        return model
    name = command.unit if command.unit != laying.from_unit else None
    if (command.point, name) == (laying.end, laying.to_unit) and not command.laid:
        return model
    return replace(model, stretch=replace(laying, end=command.point, to_unit=name, laid=command.laid))


def _put_away(model: TableModel, _: PutAway) -> TableModel:
    return replace(model, stretch=None) if model.stretch is not None else replace(model, tool=Tool.HAND)


_UPDATES: Mapping[type, Callable[[TableModel, Any], TableModel]] = {
    Select: lambda m, c: m if c.name == m.selected else replace(m, selected=c.name, drag=None, note=""),
    Choose: lambda m, c: m if c.action == m.action else replace(m, action=c.action),
    PointAt: lambda m, c: m if c.name == m.hovered else replace(m, hovered=c.name),
    TakeTool: lambda m, c: replace(m, tool=c.tool, stretch=None),
    Take: _take,
    DragTo: _drag_to,
    AddWaypoint: _add_waypoint,
    Face: lambda m, c: _dragged(m, facing=snap_facing(c.facing)),
    FindWay: _find_way,
    AwaitJudge: lambda m, c: _dragged(m, let_go=c.anyway),
    LetGo: lambda m, _: m if m.drag is None else replace(m, drag=None),
    Place: _place,
    TakeBack: _take_back,
    LayFrom: lambda m, c: replace(m, stretch=Stretch(c.point, c.point, c.unit)),
    LayTo: _lay_to,
    PutAway: _put_away,
    Show: lambda m, c: m if c.overlays == m.overlays else replace(m, overlays=c.overlays),
    Note: lambda m, c: m if c.text == m.note else replace(m, note=c.text),
}
