"""What is asked for planning: what the enemy could do next turn, who is in command, how far a unit would fall back.

Pictures to plan by, made of the judge's own answers; no verdict rests on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.shapes import shapes_of
from tabletop.geometry.verdict import Role, Shape, Verdict
from tabletop.judge import ask
from tabletop.play.workers.judge_worker import Answer, Errand
from tabletop.render.settings.model import Overlay
from tabletop.rules import rule_set
from tabletop.rules.asked import ASSAULT, FIRE

#: The questions an overlay is made of: rules that answer none of them do not offer it.
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
#: How finely an enemy's ground is told, as a share of the table's shorter side: half a pixel on most screens.
FINE = 1 / 2000
#: Gaps so many times as wide are closed: a picture of a threat is no place for slivers.
CLOSED = 30.0


def offered(rules: str) -> tuple[Overlay, ...]:
    """Return the overlays a rule set knows enough for; the terrain is there under all rules."""
    known = rule_set.find(rules).questions
    return tuple(o for o in Overlay if o not in QUESTIONS or any(q in known for q in QUESTIONS[o]))


# --- what the enemy could do -----------------------------------------------------------------------------------------


#: The ground a verdict ``threat`` shows, by the roles of its shapes.
COME: Role = "reach"
CHARGED: Role = "path"
SHOT_AT: Role = "arc"


@dataclass(frozen=True)
class ThreatErrand(Errand):
    """Where one unit could come in a turn, and where it could assault and shoot: by the rules' own functions.

    As if its orders always came. Of ground to assault and to shoot at it tells never less than there is; of ways that
    turn more than once not all.
    """

    def answered(self, battle: Battle, **more: Any) -> Answer:
        """Return a verdict ``threat``: where it can come, assault and shoot, as shapes of three roles."""
        unit, rules = battle.unit(self.args[0]), rule_set.find(battle.rules)
        reach = ask(battle, "reach", self.args, {"as": rules.actions(unit)[0], "first": True, **more})
        ground = shapely.union_all([unit.footprint, *map(_polygon, _areas(reach))])
        fine = FINE * min(battle.table.width, battle.table.height)
        near = shapely.simplify(ground.buffer(CLOSED * fine).buffer(-CLOSED * fine), fine)
        found = rules.endangered(battle, unit)
        hit = {kind: shapely.intersection(area, battle.table.edge) for kind, area in found.items()}
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
    """Return what a threat rests on: who stands where, and how. Equal as long as nothing of it has changed."""
    return tuple((u.id, u.side, u.bases, u.formation, u.status) for u in battle.units)


# --- command and falling back ----------------------------------------------------------------------------------------


def driver(battle: Battle, unit: Unit) -> Unit | None:
    """Return who would drive a unit back: the nearest enemy, of equals the first by id; None without any."""
    found = [(distance_between(unit, enemy), enemy.id, enemy) for enemy in battle.enemies(unit)]
    return min(found, key=lambda entry: entry[:2])[2] if found else None


def command_range(verdict: Verdict | None) -> float | None:
    """Return how far from his base a general helps, as a verdict on command says it."""
    return next((r.limit for r in verdict.because if r.limit is not None), None) if verdict is not None else None
