"""Where a unit could attack or fire in its next turn, from where it stands now: an outer approximation.

No corner of a unit moves farther than a whole move with road and charge figures (ROC-MOV-01 to ROC-MOV-04), wheels
included, and a turn on the spot moves none farther than the unit's diagonal. Terrain and other units are ignored.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.rules.ages.fire.field_of_fire import limits_of
from tabletop.rules.ages.movement.layouts import OF_ARM, formations, standing_in
from tabletop.rules.ages.tables import ARTILLERY, arm, attack_range, row


def endangered(battle: Battle, unit: Unit) -> Mapping[str, BaseGeometry]:
    """Return the ground where the unit could ``assault`` or ``fire`` at an enemy in its next turn.

    Shapes are in table units (mm). Infantry attacks at its range, cavalry in contact (ROC-CBT-02); guns fire in all
    directions (ROC-ART-05).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> list(endangered(battle, battle.unit("hussars"))), list(endangered(battle, battle.unit("horse-guns")))
    (['assault'], ['fire'])
    """
    if unit.is_general or arm(unit) not in OF_ARM:
        return {}
    kind, limits = arm(unit), limits_of(unit)
    far = farthest(battle, unit) + _size(unit) + battle.tape.t
    if kind == ARTILLERY:
        return {"fire": unit.footprint.buffer(far + limits[-1], quad_segs=32)} if limits else {}
    near = max(attack_range(unit), attack_range(unit, at_square=True))
    return {"assault": unit.footprint.buffer(far + near, quad_segs=32)}


def farthest(battle: Battle, unit: Unit) -> float:
    """Return the longest move a unit can make (mm), with the road figure and every charge figure it may add."""
    figures = row(unit)
    charges = 0 if arm(unit) == ARTILLERY else 2 if battle.rulings["column_charge"] == "twice" else 1
    return float(figures.move + max(0.0, figures.road) + max(0.0, figures.difficult) + charges * figures.charge)


def _size(unit: Unit) -> float:
    """Return the diagonal (mm) of the largest of the unit's formations."""
    formed = (standing_in(unit, name).footprint.bounds for name in formations(unit))
    return max(math.hypot(east - west, north - south) for west, south, east, north in formed)
