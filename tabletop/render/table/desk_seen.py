"""What is to be seen on the table: who is selected and held, and what the judge has said of it. Knows no pygame."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between, standing
from tabletop.geometry.base import AnyBase, Disc
from tabletop.geometry.measure import Point, snap, turn_between
from tabletop.geometry.verdict import Verdict
from tabletop.play.engine import play_of
from tabletop.play.workers.judge_worker import Answer, AnyJudgeWorker
from tabletop.render.settings.model import Overlay
from tabletop.render.table import plans
from tabletop.render.table.model import Command, TableModel, update
from tabletop.render.table.tools import FREE, Drag, Mark, Stretch, Tool
from tabletop.rules import rule_set

T = TypeVar("T")


class Part(Generic[T]):
    """A field of a desk's model, or of another frozen record it holds, read and written through the desk."""

    def __init__(self, of: str = "model") -> None:
        self._of = of

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, desk: Any, owner: type | None = None) -> T:
        value: T = getattr(getattr(desk, self._of), self._name)
        return value

    def __set__(self, desk: Any, value: T) -> None:
        setattr(desk, self._of, replace(getattr(desk, self._of), **{self._name: value}))


@dataclass
class SeenDesk:
    """The table as it is looked at. Answers are kept by key until what they rest on changes."""

    model: TableModel
    quick: AnyJudgeWorker
    slow: AnyJudgeWorker
    answers: dict[Hashable, Answer] = field(default_factory=dict)
    #: What each enemy could do next turn, as far as it is known, for as long as nobody moves.
    foreseen: dict[str, Answer] = field(default_factory=dict)
    _ghost: tuple[Verdict, Unit] | None = None
    _near: tuple[Unit, dict[str, float]] | None = None
    _move_waits: bool = False
    _foreseen_of: tuple[Any, ...] = ()

    battle = Part[Battle]()
    tool = Part[Tool]()
    action = Part[str]()
    selected = Part[str | None]()
    hovered = Part[str | None]()
    overlays = Part[frozenset[Overlay]]()
    drag = Part[Drag | None]()
    stretch = Part[Stretch | None]()
    note = Part[str]()
    undo = Part[tuple[Unit, ...]]()

    def update(self, command: Command) -> bool:
        """Change the model as a command says; return whether anything is other than before."""
        before, self.model = self.model, update(self.model, command)
        return self.model is not before

    # --- looking -------------------------------------------------------------------------------------------------

    def unit_at(self, point: Point) -> Unit | None:
        """Return the unit under a table point, also one whose bases stand round it; generals lie on top."""
        units = self.battle.units
        found = [u for u in units if any(_covers(base, point) for base in u.bases)]
        found = found or [u for u in units if u.strength > 1 and _inside(u, point)]
        return min(found, key=lambda u: not u.is_general, default=None)

    @property
    def unit(self) -> Unit | None:
        """The selected unit, where it stands (not its ghost)."""
        return self.model.unit

    @property
    def faint(self) -> tuple[str, ...]:
        """Units drawn half through: the one in hand, where it was taken from."""
        return (self.drag.unit.id,) if self.drag else ()

    @property
    def actions(self) -> tuple[str, ...]:
        """Ways the selected unit may be moved, the free hand last."""
        return (*rule_set.find(self.battle.rules).actions(self.unit), FREE) if self.unit else ()

    def verdict(self, *key: Hashable) -> Verdict | None:
        """Return the verdict that came in under ``key``, None while it is awaited or could not be put."""
        answer = self.answers.get(key)
        return answer if isinstance(answer, Verdict) else None

    def mark(self, enemy: str) -> Mark | None:
        """Return how an enemy stands to the selected unit, None until the judge has said."""
        for mark, question in ((Mark.FIRE, "fire"), (Mark.ASSAULT, "assault")):
            verdict = self.verdict(question, enemy)
            if verdict and verdict.holds:
                return mark
        sight, arc = self.verdict("los", enemy), self.verdict("arc", enemy)
        if sight is None:
            return None
        if arc and arc.holds and self._in_bare_range(enemy):
            return Mark.BLOCKED
        return Mark.SEEN if sight.holds else Mark.HIDDEN

    @property
    def why(self) -> Verdict | None:
        """Return the verdict that best tells how the enemy under the cursor is marked, None until it is in."""
        if self.hovered is None:
            return None
        shot, sight = self.verdict("why", "fire"), self.verdict("why", "los")
        return shot if shot and shot.holds else sight

    def _in_bare_range(self, enemy: str) -> bool:
        """True when nothing but arc, sight or friends could forbid a shot: the enemy is near enough."""
        shooter, field_of_fire = self.ghost or self.unit, self.verdict("field")
        reach = field_of_fire.measured.get("range") if field_of_fire else None
        return shooter is not None and reach is not None and self._distance(shooter, enemy) <= reach

    def _distance(self, shooter: Unit, enemy: str) -> float:
        """Return how far an enemy is, measured once for every place the shooter stands or is held."""
        if self._near is None or self._near[0] is not shooter:
            self._near = (shooter, {})
        known = self._near[1]
        if enemy not in known:
            known[enemy] = distance_between(shooter, self.battle.unit(enemy))
        return known[enemy]

    @property
    def ghost(self) -> Unit | None:
        """The dragged unit where it would stand, None when nothing is dragged or no move has been judged."""
        if self.drag is None:
            return None
        if self.action == FREE:
            return _placed(self.drag)
        verdict = self.verdict("move")
        after = verdict.measured.get("after") if verdict else None
        if verdict is None or not after:
            return None
        if self._ghost is None or self._ghost[0] is not verdict:
            self._ghost = (verdict, standing(self.drag.unit, after))
        return self._ghost[1]

    @property
    def seen(self) -> Battle:
        """The battle as it is drawn: as it stands, unless something that happened is still being shown."""
        return self.battle

    @property
    def named_first(self) -> tuple[str, ...]:
        """Units whose names are placed before all others."""
        return (self.selected,) if self.selected else ()

    @property
    def labelled(self) -> Battle:
        """The battle as names stand in it."""
        return self.battle

    @property
    def unseen(self) -> frozenset[str]:
        """Units left out of it: they are drawn elsewhere."""
        return frozenset()

    @property
    def busy(self) -> set[Hashable]:
        """Keys of everything the judge is still working on."""
        return self.quick.busy | self.slow.busy

    # --- for planning -------------------------------------------------------------------------------------------------

    @property
    def offered(self) -> tuple[Overlay, ...]:
        """Overlays the rules of this battle know enough for."""
        return plans.offered(self.battle.rules)

    @property
    def viewer(self) -> str | None:
        """The side from which the enemy is looked at; None where nobody looks."""
        return self.unit.side if self.unit else None

    def driven(self, unit: Unit) -> Mapping[str, float]:
        """Return how far a unit may be driven back, each distance by the words for it."""
        play = rule_set.find(self.battle.rules).play
        return play_of(self.battle).driven(self.battle, unit) if play is not None else {}

    def _answered(self, question: str) -> bool:
        """Return whether the rules of this battle answer a question at all."""
        return question in rule_set.find(self.battle.rules).questions


def _covers(base: AnyBase, point: Point) -> bool:
    if isinstance(base, Disc):
        return math.dist(base.centre, point) <= base.radius
    lateral, ahead = base.local(point)
    return abs(lateral) <= base.frontage / 2 and -base.depth <= ahead <= 0


def _inside(unit: Unit, point: Point) -> bool:
    """Return whether a point lies in the hollow between a unit's bases, as in a square."""
    return bool(shapely.intersects_xy(unit.footprint.convex_hull, *point))


def _placed(drag: Drag) -> Unit:
    """Return the dragged unit where the free hand holds it."""
    unit = drag.unit
    dx, dy = drag.cursor[0] - drag.grip[0], drag.cursor[1] - drag.grip[1]
    moved = unit.moved(snap(dx), snap(dy))
    return moved if drag.facing is None else moved.turned(turn_between(unit.facing, drag.facing))
