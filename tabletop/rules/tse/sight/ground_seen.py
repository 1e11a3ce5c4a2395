"""The question ``ground``: the ground a unit sees, the union of what is seen from points of its front and corners."""

from __future__ import annotations

import numpy as np
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.measure import Point
from tabletop.geometry.shapes import rings, shapes_of
from tabletop.geometry.sight.field_of_view import eyes_along, ground_seen
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.sight.judge import law_of


def ground(battle: Battle, request: Request) -> Verdict:
    """Answer ``ground A``: an inner approximation of the ground (table units) that some point of the unit sees.

    Source: TSE-LOS-01.

    >>> from tabletop.play.files.opened import open_battle
    >>> verdict = ground(open_battle("level-shadow"), Request("ground", ("low-guns",)))
    >>> verdict.holds, len(verdict.measured["area"]) > 0
    (True, True)
    """
    unit = battle.unit(request.args[0])
    eyes = eyes_of(unit)
    visible_area = ground_seen(battle.table, eyes, law_of(battle), request.options.get("should_stop"))
    share = float(shapely.area(visible_area)) / (battle.table.width * battle.table.height)
    text = f"{unit.called} sees {share:.0%} of the table from {len(eyes)} points of its front and corners"
    return Verdict(
        "ground",
        request.args,
        battle.rules,
        True,
        {"area": [rings(part) for part in shapely.get_parts(visible_area)], "share": share},
        (Reason("TSE-LOS-01", True, text, share),),
        options=request.options,
        shapes=shapes_of("sight", visible_area, "ground seen"),
    )


def eyes_of(unit: Unit) -> list[Point]:
    """Return the points a unit looks from: along its front edges and at the corners of its footprint."""
    return [unit.at] if unit.is_general else eyes_along(*looks_from(unit))


def looks_from(unit: Unit) -> tuple[list[np.ndarray], np.ndarray]:
    """Return the front edges (2, 2) of a unit of troops, and the corners (n, 2) of its footprint."""
    fronts = [np.array(base.front_edge) for base in unit.bases if isinstance(base, Base)]
    chosen = [fronts[i] for i in unit.front_bases] or fronts
    return chosen, np.asarray(shapely.get_coordinates(shapely.convex_hull(unit.footprint))[:-1])
