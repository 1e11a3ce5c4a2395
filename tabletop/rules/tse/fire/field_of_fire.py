"""The question ``field``: a unit's arc of fire out to its range, with the limits of the range bands."""

from __future__ import annotations

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.fire.arc import arc_shapes, band_shapes
from tabletop.rules.tse.tables import troop


def field(battle: Battle, request: Request) -> Verdict:
    """Answer ``field A``: A's arc of fire out to its range, with its bands (TSE-FIR-01, TSE-FIR-04, TSE-FIR-05).

    Lengths are in table units; the range is None for troops that never fire. Raises BadQuestion for a general.

    >>> from tabletop.play.files.opened import open_battle
    >>> verdict = field(open_battle("starter"), Request("field", ("kessler-guns",)))
    >>> sorted(verdict.measured)
    ['range']
    """
    unit = battle.unit(request.args[0])
    if unit.is_general:
        raise BadQuestion(f"'{unit.id}' is a general, who has no front and no arc; ask 'field' for a unit")
    reach = troop(unit.troop).range
    text = (
        "does not shoot; its arc decides what it may assault" if reach is None else f"shoots {reach * battle.scale:g}"
    )
    return Verdict(
        "field",
        request.args,
        battle.rules,
        True,
        {"range": None if reach is None else reach * battle.scale},
        (Reason("TSE-FIR-01", True, f"{unit.called} {text}"),),
        options=request.options,
        shapes=(*arc_shapes(battle, unit), *band_shapes(battle, unit)),
    )
