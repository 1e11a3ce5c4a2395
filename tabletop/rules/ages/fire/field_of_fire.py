"""The question ``field``: the range bands of guns, and the 50 mm range of infantry."""

from __future__ import annotations

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.shapes import shapes_of
from tabletop.geometry.verdict import Reason, Role, Shape, Verdict
from tabletop.rules.ages.fire.judge import bands, guns_of, muzzle
from tabletop.rules.ages.tables import ARTILLERY, INFANTRY, arm, attack_range, profile_of
from tabletop.rules.rule_set import Request

#: Segments per quarter circle of the bands as drawn.
SEGMENTS = 24


def field(battle: Battle, request: Request) -> Verdict:
    """Answer ``field A``: the ground within range of its guns, band by band, or of its muskets (ROC-ART-05).

    The rules give no arc, so the ground lies all round. Infantry's range is its attack range (ROC-CBT-02).
    ``measured`` has the ``range`` in table units (mm). Raises BadQuestion for a unit that does not fight.

    >>> from tabletop.play.files.opened import open_battle
    >>> field(open_battle("drill-ground"), Request("field", ("horse-guns",))).measured
    {'range': 180.0}
    """
    unit = battle.unit(request.args[0])
    if not unit.fronts:
        raise BadQuestion(f"'{unit.id}' does not fight; ask for a unit that does")
    limits = limits_of(unit)
    name = unit.called
    text = f"{name} reaches {limits[-1]:g} mm" if limits else f"{name} fights in contact alone"
    return Verdict(
        "field",
        request.args,
        battle.rules,
        True,
        {"range": limits[-1] if limits else None},
        (Reason("ROC-ART-05" if arm(unit) == ARTILLERY else "ROC-CBT-02", True, text),),
        options=request.options,
        shapes=_shapes(battle, unit, limits),
    )


def limits_of(unit: Unit) -> tuple[float, ...]:
    """Return the limits of a unit's range bands in table units (mm); infantry has one, cavalry none (ROC-ART-05).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> limits_of(battle.unit("french-guns")), limits_of(battle.unit("french-1")), limits_of(battle.unit("hussars"))
    ((60.0, 120.0, 180.0, 500.0), (50.0,), ())
    """
    if arm(unit) == ARTILLERY:
        return bands(profile_of(unit), guns_of(unit))
    return (attack_range(unit),) if arm(unit) == INFANTRY else ()


def _shapes(battle: Battle, unit: Unit, limits: tuple[float, ...]) -> tuple[Shape, ...]:
    """Return the ground up to the farthest limit as "arc", up to the nearer ones as "band", clipped to the table."""
    start = muzzle(unit) if arm(unit) == ARTILLERY else unit.footprint
    shapes: list[Shape] = []
    for limit in reversed(limits):
        role: Role = "arc" if limit == limits[-1] else "band"
        area = shapely.intersection(shapely.buffer(start, limit, quad_segs=SEGMENTS), battle.table.edge)
        shapes += shapes_of(role, area, f"{limit:g}")
    return tuple(shapes)
