"""The judge's question ``move``: going, riding, and forming, which are moves too."""

from __future__ import annotations

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.geometry.verdict import Verdict
from tabletop.rules.realm_of_chance.movement.formation import formed
from tabletop.rules.realm_of_chance.movement.judge import MOVE, RIDE, going, judged, kinds_for
from tabletop.rules.realm_of_chance.movement.layouts import FORMATIONS
from tabletop.rules.rule_set import Request


def move(battle: Battle, request: Request) -> Verdict:
    """Answer ``move A``: may it go this way or form so, and what does it cost (ROC-MOV-01..06, ROC-FRM-01..04)?

    ``as``: move, charge, withdraw or retreat along ``path`` / ``to`` / ``facing`` / ``distance``; a general's or staff
    officer's ride; or the name of a formation to be formed.
    """
    unit = battle.unit(request.args[0])
    kind = request.options.get("as") or (RIDE if unit.is_general else MOVE)
    if kind in FORMATIONS:
        return formed(battle, unit, kind, request)
    if kind not in kinds_for(unit):
        raise BadQuestion(f"'{unit.id}' does not {kind}; it may: {', '.join(kinds_for(unit))}")
    return judged(going(battle, unit, kind, request.options), request)
