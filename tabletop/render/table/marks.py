"""The mark on an enemy: a summary of the judge's verdicts about it."""

from __future__ import annotations

from dataclasses import dataclass, field

from tabletop.battle.unit import Unit, distance_between
from tabletop.render.table.model import TableModel
from tabletop.render.table.tools import Mark
from tabletop.rules.asked import ASSAULT, FIRE


@dataclass
class Distances:
    """Distances from one unit to others, each measured once for as long as both stay in place."""

    _of: Unit | None = None
    _known: dict[str, tuple[Unit, float]] = field(default_factory=dict)

    def between(self, unit: Unit, other: Unit) -> float:
        """Return the distance between two units in the table's unit."""
        if self._of is not unit:
            self._of, self._known = unit, {}
        known = self._known.get(other.id)
        if known is None or known[0] is not other:
            known = self._known[other.id] = (other, distance_between(unit, other))
        return known[1]


#: Distances from the unit whose enemies were last marked.
_DISTANCES = Distances()


def mark(model: TableModel, enemy: str) -> Mark | None:
    """Return the mark that relates an enemy to the selected unit, None until the judge has answered."""
    for kind, question in ((Mark.FIRE, FIRE), (Mark.ASSAULT, ASSAULT)):
        verdict = model.verdict(question, enemy)
        if verdict and verdict.holds:
            return kind
    sight, arc = model.verdict("los", enemy), model.verdict("arc", enemy)
    if sight is None:
        return None
    if arc and arc.holds and _in_bare_range(model, enemy):
        return Mark.BLOCKED
    return Mark.SEEN if sight.holds else Mark.HIDDEN


def _in_bare_range(model: TableModel, enemy: str) -> bool:
    """Return whether the enemy is within range, so that only arc, sight or friends could forbid a shot."""
    shooter, field_of_fire = model.ghost or model.unit, model.verdict("field")
    reach = field_of_fire.measured.get("range") if field_of_fire else None
    if shooter is None or reach is None:
        return False
    return bool(_DISTANCES.between(shooter, model.battle.unit(enemy)) <= reach)
