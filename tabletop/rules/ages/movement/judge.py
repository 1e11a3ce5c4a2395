"""The question ``move``: moves of units, rides of persons, and changes of formation."""

from __future__ import annotations

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.geometry.verdict import Verdict
from tabletop.rules.ages.movement.formation import formed
from tabletop.rules.ages.movement.layouts import FORMATIONS
from tabletop.rules.ages.movement.legality import judged, planned_move
from tabletop.rules.ages.movement.move_kinds import MOVE, RIDE, kinds_for
from tabletop.rules.rule_set import Request


def move(battle: Battle, request: Request) -> Verdict:
    """Answer ``move A``: may A make this move or change of formation, and at what cost?

    ``as`` is move, charge, withdraw or retreat along ``path`` / ``to`` / ``facing`` / ``distance``; ride for a general
    or staff officer; or the name of a formation. Points are in table units (mm), facings in degrees. Raises BadQuestion
    for a kind of move the unit does not make. Source: ROC-MOV-01..06, ROC-FRM-01..04.

    >>> from tabletop.play.files.opened import open_battle
    >>> verdict = move(open_battle("on-the-causeway"), Request("move", ("on-it",), {"path": [(200, 245)]}))
    >>> verdict.holds, verdict.measured["cost"], verdict.measured["allowed"]
    (True, 60.0, 60.0)
    """
    unit = battle.unit(request.args[0])
    kind = request.options.get("as") or (RIDE if unit.is_general else MOVE)
    if kind in FORMATIONS:
        return formed(battle, unit, kind, request)
    if kind not in kinds_for(unit):
        raise BadQuestion(f"'{unit.id}' does not {kind}; it may: {', '.join(kinds_for(unit))}")
    return judged(planned_move(battle, unit, kind, request.options), request)
