"""The state of a table as it is handled, and what each command makes of it. Pure: nothing is asked or drawn here."""

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
    """A table: the battle, the tool in hand, what is selected, pointed at, shown, dragged and laid, and the verdicts.

    ``action`` is the way of moving chosen for the unit selected, ``note`` what the status line says, ``undo`` the units
    as they stood before each move, the last move last. ``answers`` are the judge's, by the key of their question, until
    what they rest on changes; ``pending`` are the keys of questions not answered yet. ``foreseen`` is what each enemy
    could do next turn, as far as it is known. ``judged`` is the last verdict on the move in hand, and the unit where it
    would stand by it.
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
        """The unit selected, where it stands (not its ghost)."""
        return self.battle.unit(self.selected) if self.selected else None

    @property
    def ghost(self) -> Unit | None:
        """The dragged unit where it would stand, None when nothing is dragged or no move has been judged."""
        if self.drag is None:
            return None
        if self.action == FREE:
            return _placed(self.drag)
        return self.judged[1] if self.judged is not None else None

    def verdict(self, *key: Hashable) -> Verdict | None:
        """Return the verdict that came in under ``key``, None while it is awaited or could not be put."""
        answer = self.answers.get(key)
        return answer if isinstance(answer, Verdict) else None

    @property
    def why(self) -> Verdict | None:
        """The verdict that best says how the enemy under the cursor is marked, None until it is in."""
        if self.hovered is None:
            return None
        shot, sight = self.verdict("why", FIRE), self.verdict("why", "los")
        return shot if shot and shot.holds else sight

    @property
    def offered(self) -> tuple[Overlay, ...]:
        """Overlays the rules of this battle know enough for."""
        return plans.offered(self.battle.rules)


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
class Hold:
    """Have this in hand, taken hold of otherwise than before."""

    drag: Drag


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
class Trail:
    """The judge is at work on another place than where the hand is now, or no longer."""

    behind: bool


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


@dataclass(frozen=True)
class LookThrough:
    """See the table through a camera."""

    camera: Camera


@dataclass(frozen=True)
class Stand:
    """Let the table stand as a battle does; what is no longer there is neither selected, pointed at nor in hand."""

    battle: Battle


@dataclass(frozen=True)
class Await:
    """These questions, by their keys, are put to the judge and not answered yet."""

    keys: frozenset[Hashable]


@dataclass(frozen=True)
class Hear:
    """Take in answers by the keys of their questions."""

    answers: Mapping[Hashable, Answer]


@dataclass(frozen=True)
class Forget:
    """Forget the answers to some questions; without any named, to all."""

    questions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Foresee:
    """Know this, and no more, of what each enemy could do next turn."""

    known: Mapping[str, Answer]


Command = (
    Select | Choose | PointAt | TakeTool | Take | Hold | DragTo | AddWaypoint | Face | FindWay | Trail | AwaitJudge
    | LetGo | Place | TakeBack | LayFrom | LayTo | PutAway | Show | Note | LookThrough | Stand | Await | Hear | Forget
    | Foresee
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


def _stand(model: TableModel, command: Stand) -> TableModel:
    battle, laid = command.battle, model.stretch
    ends = (laid.from_unit, laid.to_unit) if laid is not None else ()
    kept = laid if all(end is None or battle.has(end) for end in ends) else None
    selected, hovered = (
        name if name is not None and battle.has(name) else None for name in (model.selected, model.hovered)
    )
    return replace(model, battle=battle, drag=None, stretch=kept, selected=selected, hovered=hovered)


def _hear(model: TableModel, command: Hear) -> TableModel:
    after = replace(model, answers={**model.answers, **command.answers})
    return _judged(after) if (MOVE,) in command.answers else after


def _forget(model: TableModel, command: Forget) -> TableModel:
    of = command.questions
    kept = {key: a for key, a in model.answers.items() if of and not (isinstance(key, tuple) and key[0] in of)}
    if len(kept) == len(model.answers):
        return model
    return _judged(replace(model, answers=kept))


def _judged(model: TableModel) -> TableModel:
    """Return the table with the unit in hand where the verdict on its move puts it, made once for each verdict."""
    verdict = model.verdict(MOVE)
    after = verdict.measured.get("after") if verdict is not None else None
    if verdict is None or not after or model.drag is None:
        return replace(model, judged=None)
    if model.judged is not None and model.judged[0] is verdict:
        return model
    return replace(model, judged=(verdict, standing(model.drag.unit, after)))


def _placed(drag: Drag) -> Unit:
    """Return the dragged unit where the free hand holds it."""
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
    Hear: _hear,
    Forget: _forget,
    Foresee: lambda m, c: replace(m, foreseen=c.known),
}
