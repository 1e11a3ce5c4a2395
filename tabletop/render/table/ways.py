"""Ways to move units by hand: which there are, which of them have a path, and the question each puts to the judge."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Protocol

from tabletop.geometry.measure import Point, snap
from tabletop.play.workers.judge_worker import JudgeRequest
from tabletop.render.table.model import TableModel
from tabletop.render.table.tools import FREE, Drag
from tabletop.rules import rule_set
from tabletop.rules.asked import MOVE


class Ways(Protocol):
    """How a table moves units: differs between the measuring table and a battle being played."""

    def actions(self, model: TableModel) -> tuple[str, ...]:
        """Return the ways in which the selected unit may be moved."""

    def goes(self, model: TableModel) -> bool:
        """Return whether the chosen way of moving has a path."""

    def request(self, model: TableModel, drag: Drag) -> JudgeRequest:
        """Return the question whether the unit in hand may move to the cursor."""

    def viewer(self, model: TableModel) -> str | None:
        """Return the side whose view of the enemy is shown; None if there is none."""


class MeasuringWays:
    """The ways of the measuring table: every move the rules know, and the free move."""

    def actions(self, model: TableModel) -> tuple[str, ...]:
        """Return the ways in which the selected unit may be moved, the free move last."""
        return (*rule_set.find(model.battle.rules).actions(model.unit), FREE) if model.unit else ()

    def goes(self, model: TableModel) -> bool:
        return goes(model)

    def request(self, model: TableModel, drag: Drag) -> JudgeRequest:
        return move_request(drag, move_options(model, drag, goes(model)))

    def viewer(self, model: TableModel) -> str | None:
        return model.unit.side if model.unit else None


def goes(model: TableModel) -> bool:
    """Return whether the chosen way of moving has a path, going by the rule set."""
    return model.action not in (FREE, "", *rule_set.find(model.battle.rules).on_the_spot)


def move_request(drag: Drag, options: Mapping[str, Any]) -> JudgeRequest:
    """Return the question whether the unit in hand may make this move."""
    return JudgeRequest((MOVE,), MOVE, (drag.unit.id,), options, rank=0)


def move_options(model: TableModel, drag: Drag, going: bool) -> Mapping[str, Any]:
    """Return the options of the question ``move`` for the unit in hand; ``going``: its way of moving has a path."""
    options: dict[str, Any] = {"as": model.action}
    if drag.facing is not None:
        options["facing"] = drag.facing
    if model.action in rule_set.find(model.battle.rules).shifts:
        dx, dy = drag.cursor[0] - drag.grip[0], drag.cursor[1] - drag.grip[1]
        return {"facing": drag.unit.facing, **options, "ref": drag.unit.reference, "shift": (snap(dx), snap(dy))}
    if not going:
        return {**options, "ref": drag.unit.reference}
    if drag.find_way and not drag.waypoints:
        return {**options, "to": target(drag)}
    return {**options, "path": [*drag.waypoints, target(drag)]}


def target(drag: Drag) -> Point:
    """Return where the front midpoint should go for the unit's centre to follow the cursor."""
    x, y = drag.cursor
    if drag.unit.is_general:
        return snap(x), snap(y)
    sx, sy = drag.waypoints[-1] if drag.waypoints else drag.unit.at
    run = math.hypot(x - sx, y - sy)
    ahead = math.dist(drag.unit.at, drag.unit.front_mid)
    if run < 1e-9:
        return drag.unit.front_mid
    return snap(x + ahead * (x - sx) / run), snap(y + ahead * (y - sy) / run)


def facing(model: TableModel, drag: Drag) -> float:
    """Return the present facing of the unit in hand."""
    if drag.facing is not None:
        return drag.facing
    ghost = model.ghost
    return ghost.facing if ghost is not None else drag.unit.facing
