"""Questions for planning: what the enemy could do next turn, who is in command, how far a unit would fall back.

They give pictures to plan by, made from the judge's own answers; no verdict depends on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.shapes import shapes_of
from tabletop.geometry.terrain import presets
from tabletop.geometry.verdict import Role, Shape, Verdict
from tabletop.judge import ask
from tabletop.play.workers.judge_worker import Answer, JudgeRequest
from tabletop.render.settings.model import Overlay
from tabletop.rules import rule_set
from tabletop.rules.asked import ASSAULT, FIRE
from tabletop.rules.terrain_kinds import kinds_of

#: The questions behind each overlay; rule sets that answer none of them do not offer it.
QUESTIONS: Mapping[Overlay, tuple[str, ...]] = {
    Overlay.ARC: ("field",),
    Overlay.ZONE: ("zone",),
    Overlay.REACH: ("reach",),
    Overlay.GROUND: ("ground",),
    Overlay.ENEMIES: ("los", FIRE, ASSAULT),
    Overlay.THREAT: ("reach",),
    Overlay.COMMAND: ("command",),
    Overlay.FALLBACK: ("fallback",),
}
#: The properties of a kind of terrain that heights and cover show.
RELIEF = frozenset({"level", "cover_fire", "cover_assault"})
#: Precision of an enemy's ground, as a share of the table's shorter side: half a pixel on most screens.
FINE = 1 / 2000
#: Gaps this many times the precision are closed: slivers only clutter the picture of a threat.
CLOSED = 30.0


@cache
def offered(rules: str) -> tuple[Overlay, ...]:
    """Return the overlays a rule set can answer: heights and cover if any of its kinds of terrain has either."""
    record = rule_set.find(rules)
    there = {overlay for overlay, questions in QUESTIONS.items() if any(q in record.questions for q in questions)}
    if any(presets()[kind].keys() & RELIEF for kind in kinds_of(record)):
        there.add(Overlay.TERRAIN)
    return tuple(overlay for overlay in Overlay if overlay in there)


# --- what the enemy could do -----------------------------------------------------------------------------------------


#: Roles of the shapes of a ``threat`` verdict.
COME: Role = "reach"
CHARGED: Role = "path"
SHOT_AT: Role = "arc"


@dataclass(frozen=True)
class ThreatRequest(JudgeRequest):
    """The question where one unit could come, assault and shoot in a turn, by the rules' own functions.

    It assumes that the unit's orders always arrive. The ground to assault and shoot at is never too small; of moves
    that turn more than once, some may be missing.
    """

    def answered(self, battle: Battle, **more: Any) -> Answer:
        """Return a verdict ``threat``: where the unit can come, assault and shoot, as shapes of three roles."""
        unit, rules = battle.unit(self.args[0]), rule_set.find(battle.rules)
        reach = ask(battle, "reach", self.args, {"as": rules.actions(unit)[0], "first": True, **more})
        ground = shapely.union_all([unit.footprint, *map(_polygon, _areas(reach))])
        fine = FINE * min(battle.table.width, battle.table.height)
        near = shapely.simplify(ground.buffer(CLOSED * fine).buffer(-CLOSED * fine), fine)
        endangered = rules.endangered(battle, unit)
        hit = {kind: shapely.intersection(area, battle.table.edge) for kind, area in endangered.items()}
        empty = shapely.Polygon()
        shapes = (
            *shapes_of(COME, near),
            *shapes_of(CHARGED, hit.get(ASSAULT, empty)),
            *shapes_of(SHOT_AT, hit.get(FIRE, empty)),
        )
        measured = {kind: float(shapely.area(area)) for kind, area in hit.items()}
        return Verdict("threat", self.args, battle.rules, True, measured, shapes=shapes)


def _areas(verdict: Verdict) -> Iterator[Shape]:
    return (shape for shape in verdict.shapes if shape.kind == "polygon" and len(shape.points) > 2)


def _polygon(shape: Shape) -> BaseGeometry:
    return shapely.make_valid(shapely.Polygon(shape.points, shape.holes))


def ground(verdict: Verdict, role: str) -> BaseGeometry:
    """Return the areas of one role of a verdict as one."""
    return shapely.union_all([_polygon(shape) for shape in _areas(verdict) if shape.role == role])


def standing(battle: Battle) -> tuple[Any, ...]:
    """Return what threats depend on, the position and state of every unit: equal as long as none has changed."""
    return tuple((u.id, u.side, u.bases, u.formation, u.status) for u in battle.units)


# --- command and falling back ----------------------------------------------------------------------------------------


def driver(battle: Battle, unit: Unit) -> Unit | None:
    """Return the unit assumed to drive another back: its nearest enemy, of equals the first by id; None without any."""
    candidates = [(distance_between(unit, enemy), enemy.id, enemy) for enemy in battle.enemies(unit)]
    return min(candidates, key=lambda entry: entry[:2])[2] if candidates else None


def command_range(verdict: Verdict | None) -> float | None:
    """Return how far from its base a general helps, according to a verdict on command."""
    return next((r.limit for r in verdict.because if r.limit is not None), None) if verdict is not None else None
