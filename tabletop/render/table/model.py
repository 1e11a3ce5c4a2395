"""The state of a table, and the effect of each command on it. Pure: nothing is asked or drawn here."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, standing
from tabletop.geometry.measure import Point, snap, snap_facing, turn_between
from tabletop.geometry.verdict import Verdict
from tabletop.play.workers.judge_worker import Answer
from tabletop.render.drawing.camera import Camera
from tabletop.render.settings.model import USUAL, Overlay
from tabletop.render.table import plans
from tabletop.render.table.tools import FREE, Drag, Stretch, Tool
from tabletop.rules.asked import FIRE, MOVE


@dataclass(frozen=True)
class TableModel:
    """A table: the battle, the tool, what is selected, under the cursor, shown, dragged and measured, and the verdicts.

    ``action`` is the way of moving chosen for the selected unit, ``note`` the text of the status line, ``undo`` the
    units as they stood before each move, the latest last. ``answers`` are the judge's, by the key of their question,
    dropped when what they depend on changes; ``pending`` are the keys of questions not yet answered. ``foreseen`` is
    what each enemy could do next turn, as far as it is known. ``judged`` is the last verdict on the move in hand, with
    the unit where that move would put it.
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
    camera: Camera | None = None
    answers: Mapping[Hashable, Answer] = field(default_factory=dict)
    pending: frozenset[Hashable] = frozenset()
    foreseen: Mapping[str, Answer] = field(default_factory=dict)
    judged: tuple[Verdict, Unit] | None = None

    @property
    def unit(self) -> Unit | None:
        """The selected unit where it stands (not its ghost)."""
        return self.battle.unit(self.selected) if self.selected else None

    @property
    def ghost(self) -> Unit | None:
        """The dragged unit where it would stand, None if no unit is dragged or its move is not judged yet."""
        if self.drag is None:
            return None
        if self.action == FREE:
            return _placed(self.drag)
        return self.judged[1] if self.judged is not None else None

    def verdict(self, *key: Hashable) -> Verdict | None:
        """Return the verdict stored under ``key``, None if it is pending or the question could not be asked."""
        answer = self.answers.get(key)
        return answer if isinstance(answer, Verdict) else None

    @property
    def why(self) -> Verdict | None:
        """The verdict that best explains the mark of the enemy under the cursor, None until it is known."""
        if self.hovered is None:
            return None
        shot, sight = self.verdict("why", FIRE), self.verdict("why", "los")
        return shot if shot and shot.holds else sight

    @property
    def offered(self) -> tuple[Overlay, ...]:
        """The overlays that the rules of this battle can answer."""
        return plans.offered(self.battle.rules)


# --- commands --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Select:
    """Select a unit, or none; let go of any unit in hand."""

    name: str | None


@dataclass(frozen=True)
class Choose:
    """Choose the way of moving the selected unit."""

    action: str


@dataclass(frozen=True)
class PointAt:
    """Set the unit under the cursor, or none."""

    name: str | None


@dataclass(frozen=True)
class TakeTool:
    """Take up a tool; a tape or sight line is put away."""

    tool: Tool


@dataclass(frozen=True)
class Take:
    """Take hold of the selected unit at a point."""

    point: Point


@dataclass(frozen=True)
class Hold:
    """Replace what is in hand by this."""

    drag: Drag


@dataclass(frozen=True)
class DragTo:
    """Move the unit in hand to a point."""

    point: Point


@dataclass(frozen=True)
class AddWaypoint:
    """Fix the path as far as a point."""

    point: Point


@dataclass(frozen=True)
class Face:
    """Turn the unit in hand to a compass direction, in degrees."""

    facing: float


@dataclass(frozen=True)
class FindWay:
    """Switch between the cheapest route and a straight path."""

    on: bool


@dataclass(frozen=True)
class Trail:
    """Note whether the judge is still judging another place than the cursor's."""

    behind: bool


@dataclass(frozen=True)
class AwaitJudge:
    """Let go of the unit in hand as soon as the answer arrives; with ``anyway``, whatever the answer."""

    anyway: bool


@dataclass(frozen=True)
class LetGo:
    """Let go of the unit in hand without moving it."""


@dataclass(frozen=True)
class Place:
    """Put a unit down; ``before`` is the unit as it stood, for undo."""

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
    """Stretch it to a point, or to the unit there; with ``laid``, fix it."""

    point: Point
    unit: str | None = None
    laid: bool = False


@dataclass(frozen=True)
class PutAway:
    """Put the tape or sight line away; if there is none, return to the hand tool."""


@dataclass(frozen=True)
class Show:
    """Show these overlays and no others."""

    overlays: frozenset[Overlay]


@dataclass(frozen=True)
class Note:
    """Show a text in the status line."""

    text: str


@dataclass(frozen=True)
class LookThrough:
    """Set the camera."""

    camera: Camera


@dataclass(frozen=True)
class Stand:
    """Take over a battle; units no longer there are neither selected, under the cursor nor in hand."""

    battle: Battle


@dataclass(frozen=True)
class Await:
    """Set the keys of the questions put to the judge and not yet answered."""

    keys: frozenset[Hashable]


@dataclass(frozen=True)
class TakeAnswers:
    """Take in answers by the keys of their questions."""

    answers: Mapping[Hashable, Answer]


@dataclass(frozen=True)
class Forget:
    """Forget the answers to some questions; without any named, all answers."""

    questions: tuple[str, ...] = ()


@dataclass(frozen=True)
class SetForeseen:
    """Set what is known of each enemy's next turn."""

    known: Mapping[str, Answer]


Command = (
    Select | Choose | PointAt | TakeTool | Take | Hold | DragTo | AddWaypoint | Face | FindWay | Trail | AwaitJudge
    | LetGo | Place | TakeBack | LayFrom | LayTo | PutAway | Show | Note | LookThrough | Stand | Await | TakeAnswers
    | Forget | SetForeseen
)  # fmt: skip


def update(model: TableModel, command: Command) -> TableModel:
    """Return the model after a command; the same object if the command changes nothing."""
    return _UPDATES[type(command)](model, command)


def _take(model: TableModel, command: Take) -> TableModel:
    unit = model.unit
    return model if unit is None else replace(model, drag=Drag(unit, command.point, command.point), note="")


def _dragged(model: TableModel, **changes: Any) -> TableModel:
    """Return the model with changes to the unit in hand, if there is one."""
    return model if model.drag is None else replace(model, drag=replace(model.drag, **changes))


def _drag_to(model: TableModel, command: DragTo) -> TableModel:
    """Move the unit in hand, unless it has been let go and waits for the judge."""
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


def _stand(model: TableModel, command: Stand) -> TableModel:
    battle, laid = command.battle, model.stretch
    ends = (laid.from_unit, laid.to_unit) if laid is not None else ()
    kept = laid if all(end is None or battle.has(end) for end in ends) else None
    selected, hovered = (
        name if name is not None and battle.has(name) else None for name in (model.selected, model.hovered)
    )
    return replace(model, battle=battle, drag=None, stretch=kept, selected=selected, hovered=hovered)


def _take_answers(model: TableModel, command: TakeAnswers) -> TableModel:
    after = replace(model, answers={**model.answers, **command.answers})
    return _judged(after) if (MOVE,) in command.answers else after


def _forget(model: TableModel, command: Forget) -> TableModel:
    of = command.questions
    kept = {key: a for key, a in model.answers.items() if of and not (isinstance(key, tuple) and key[0] in of)}
    if len(kept) == len(model.answers):
        return model
    return _judged(replace(model, answers=kept))


def _judged(model: TableModel) -> TableModel:
    """Return the model with the unit where the verdict on its move puts it, computed once for each verdict."""
    verdict = model.verdict(MOVE)
    after = verdict.measured.get("after") if verdict is not None else None
    if verdict is None or not after or model.drag is None:
        return replace(model, judged=None)
    if model.judged is not None and model.judged[0] is verdict:
        return model
    return replace(model, judged=(verdict, standing(model.drag.unit, after)))


def _placed(drag: Drag) -> Unit:
    """Return the dragged unit where a free move holds it."""
    unit = drag.unit
    dx, dy = drag.cursor[0] - drag.grip[0], drag.cursor[1] - drag.grip[1]
    moved = unit.moved(snap(dx), snap(dy))
    return moved if drag.facing is None else moved.turned(turn_between(unit.facing, drag.facing))


_UPDATES: Mapping[type, Callable[[TableModel, Any], TableModel]] = {
    Select: lambda m, c: m if c.name == m.selected else replace(m, selected=c.name, drag=None, note=""),
    Choose: lambda m, c: m if c.action == m.action else replace(m, action=c.action),
    PointAt: lambda m, c: m if c.name == m.hovered else replace(m, hovered=c.name),
    TakeTool: lambda m, c: replace(m, tool=c.tool, stretch=None),
    Take: _take,
    Hold: lambda m, c: replace(m, drag=c.drag),
    DragTo: _drag_to,
    AddWaypoint: _add_waypoint,
    Face: lambda m, c: _dragged(m, facing=snap_facing(c.facing)),
    FindWay: _find_way,
    Trail: lambda m, c: m if m.drag is None or m.drag.behind == c.behind else _dragged(m, behind=c.behind),
    AwaitJudge: lambda m, c: _dragged(m, let_go=c.anyway),
    LetGo: lambda m, _: m if m.drag is None else replace(m, drag=None),
    Place: _place,
    TakeBack: _take_back,
    LayFrom: lambda m, c: replace(m, stretch=Stretch(c.point, c.point, c.unit)),
    LayTo: _lay_to,
    PutAway: _put_away,
    Show: lambda m, c: m if c.overlays == m.overlays else replace(m, overlays=c.overlays),
    Note: lambda m, c: m if c.text == m.note else replace(m, note=c.text),
    LookThrough: lambda m, c: m if c.camera == m.camera else replace(m, camera=c.camera),
    Stand: _stand,
    Await: lambda m, c: m if c.keys == m.pending else replace(m, pending=c.keys),
    TakeAnswers: _take_answers,
    Forget: _forget,
    SetForeseen: lambda m, c: replace(m, foreseen=c.known),
}
