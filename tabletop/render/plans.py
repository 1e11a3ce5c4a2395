"""What is asked for planning: what the enemy could do next turn, who is in command, how far a unit would fall back.

Pictures to plan by, made of the judge's own answers; no verdict rests on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.shapes import shapes_of
from tabletop.geometry.verdict import Shape, Verdict
from tabletop.judge import ask
from tabletop.play.clerk import Answer, Errand
from tabletop.render.holding import Overlay
from tabletop.rules import rule_set

if TYPE_CHECKING:
    from tabletop.render.desk_seen import SeenDesk

#: The questions an overlay is made of: rules that answer none of them do not offer it.
QUESTIONS: Mapping[Overlay, tuple[str, ...]] = {
    Overlay.ARC: ("field",),
    Overlay.ZONE: ("zone",),
    Overlay.REACH: ("reach",),
    Overlay.GROUND: ("ground",),
    Overlay.ENEMIES: ("los", "fire", "assault"),
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


@dataclass(frozen=True)
class ThreatErrand(Errand):
    """Where one unit could come in a turn, and what it could shoot at from there: reach and range, one after the other.

    As if its orders always came and it shot at the end of its longest way, to any side: more than it can do, never
    less but for ways that turn more than once.
    """

    def answered(self, battle: Battle, **more: Any) -> Answer:
        """Return a verdict ``threat``: its ground as shapes ``reach``, what lies in range of it as shapes ``arc``."""
        unit = battle.unit(self.args[0])
        way = rule_set.find(battle.rules).actions(unit)[0]
        reach = ask(battle, "reach", self.args, {"as": way, "first": True, **more})
        ground = shapely.union_all([unit.footprint, *map(_polygon, _areas(reach))])
        fine = FINE * min(battle.table.width, battle.table.height)
        near = shapely.simplify(ground.buffer(CLOSED * fine).buffer(-CLOSED * fine), fine)
        far = _range(battle, unit)
        shot = shapely.simplify(near.buffer(far), fine).intersection(battle.table.edge) if far else shapely.Polygon()
        shapes = (*shapes_of("reach", near), *shapes_of("arc", shot))
        return Verdict("threat", self.args, battle.rules, True, {"range": far}, shapes=shapes)


def _areas(verdict: Verdict) -> Iterator[Shape]:
    return (shape for shape in verdict.shapes if shape.kind == "polygon" and len(shape.points) > 2)


def _polygon(shape: Shape) -> BaseGeometry:
    return shapely.make_valid(shapely.Polygon(shape.points, shape.holes))


def _range(battle: Battle, unit: Unit) -> float:
    if "field" not in rule_set.find(battle.rules).questions or not unit.fronts:
        return 0.0
    return float(ask(battle, "field", (unit.id,), {}).measured.get("range") or 0.0)


def ground(verdict: Verdict, role: str) -> BaseGeometry:
    """Return the areas of one role of a verdict as one."""
    return shapely.union_all([_polygon(shape) for shape in _areas(verdict) if shape.role == role])


def standing(battle: Battle) -> tuple[Any, ...]:
    """Return what a threat rests on: who stands where, and how. Equal as long as nothing of it has changed."""
    return tuple((u.id, u.side, u.bases, u.formation, u.status) for u in battle.units)


def threats(desk: SeenDesk) -> Iterator[Errand]:
    """Yield what is still to be found out about the enemies of who looks."""
    if Overlay.THREAT in desk.overlays and Overlay.THREAT in desk.offered and desk.viewer is not None:
        for unit in desk.battle.units:
            if unit.side != desk.viewer and not unit.is_general and unit.id not in desk.foreseen:
                yield ThreatErrand(("threat", unit.id), "reach", (unit.id,), rank=3)


# --- command and falling back ----------------------------------------------------------------------------------------


def about(desk: SeenDesk, unit: Unit | None, placed: tuple[Unit, ...] = ()) -> Iterator[Errand]:
    """Yield what is asked of a unit, or of nobody, as it stands or as its ghost would."""
    shown = desk.overlays & set(desk.offered)
    wanted = Overlay.COMMAND in desk.offered and (Overlay.COMMAND in shown or unit is not None)
    if wanted and (asked := _commanded(desk, unit)) is not None:
        yield Errand(("command",), "command", (asked.id,), rank=1, placed=placed, finished=True)
    if Overlay.FALLBACK in shown and unit is not None and not unit.is_general:
        source = driver(desk.battle, unit)
        for word, far in desk.driven(unit).items():
            if source is None:
                return
            options = {"from": source.id, "distance": far}
            yield Errand(("fallback", word), "fallback", (unit.id,), options, rank=2, placed=placed, finished=True)


def _commanded(desk: SeenDesk, unit: Unit | None) -> Unit | None:
    """Return of whom it is asked how far command carries: the unit selected, else any of that side."""
    if unit is not None and not unit.is_general:
        return unit
    side = desk.viewer
    return next((u for u in desk.battle.units if u.side == side and not u.is_general), None)


def driver(battle: Battle, unit: Unit) -> Unit | None:
    """Return who would drive a unit back: the nearest enemy, of equals the first by id; None without any."""
    found = [(distance_between(unit, enemy), enemy.id, enemy) for enemy in battle.enemies(unit)]
    return min(found, key=lambda entry: entry[:2])[2] if found else None


def command_range(verdict: Verdict | None) -> float | None:
    """Return how far from his base a general helps, as a verdict on command says it."""
    return next((r.limit for r in verdict.because if r.limit is not None), None) if verdict is not None else None
