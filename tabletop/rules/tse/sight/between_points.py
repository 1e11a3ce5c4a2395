"""The question ``line``: is the line of sight between two points of the table clear?"""

from __future__ import annotations

import math
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.geometry.line_of_sight import clear_lines, sight_line
from tabletop.geometry.measure import Point, snap_point
from tabletop.geometry.verdict import Reason, Verdict, against_first
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.sight.judge import hindrance_reason, law_of, line_shapes


def line(battle: Battle, request: Request) -> Verdict:
    """Answer ``line``: whether the straight line between options ``start`` and ``end`` is clear (TSE-LOS-01 to 19).

    Both are points (east, north) in table units, apart and on the table; BadQuestion otherwise.

    >>> from tabletop.play.files.opened import open_battle
    >>> line(open_battle("level-shadow"), Request("line", (), {"start": (7.5, 6.0), "end": (9.0, 6.0)})).holds
    True
    """
    start, end = (_point(battle, request.options, name) for name in ("start", "end"))
    if start == end:
        x, y = start
        raise BadQuestion(f"--start and --end are the same point, {x:g},{y:g}: give two points")
    if request.brief:
        free = bool(clear_lines(battle.table, [start], [end], law_of(battle))[0])
        return Verdict("line", request.args, battle.rules, free, witness=(start, end) if free else None)
    shown = sight_line(battle.table, start, end, law_of(battle))
    unit = battle.table.unit
    length = math.dist(start, end)
    text = f"the line of {length:.2f} {unit} is {'clear' if shown.clear else 'blocked'}"
    met = against_first(hindrance_reason(h, unit) for h in shown.hindrances)
    return Verdict(
        "line",
        request.args,
        battle.rules,
        shown.clear,
        {"distance": length if shown.clear else None, "length": length},
        (*met, Reason("TSE-LOS-01", shown.clear, text, length)),
        witness=(start, end) if shown.clear else None,
        blockers=tuple(dict.fromkeys(h.feature for h in shown.hindrances if h.blocks)),
        options=request.options,
        shapes=tuple(line_shapes(shown, "witness" if shown.clear else "blocked", f"{length:.2f} {unit}")),
        side_view=shown.side_view,
    )


def _point(battle: Battle, options: Any, name: str) -> Point:
    point = options.get(name)
    if point is None:
        raise BadQuestion(f"'line' runs between two points: give --start X,Y and --end X,Y (no {name} given)")
    x, y = snap_point((float(point[0]), float(point[1])))
    table = battle.table
    if not (0.0 <= x <= table.width and 0.0 <= y <= table.height):
        size = f"{table.width:g} x {table.height:g} {table.unit}"
        raise BadQuestion(f"--{name} {x:g},{y:g} lies off the table, which is {size}: give a point on it")
    return x, y
