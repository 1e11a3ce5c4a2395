"""The order a unit has, as a file says it."""

from __future__ import annotations

from typing import Any

from tabletop.battle.unit import Unit


def written_order(unit: Unit) -> dict[str, Any]:
    """Return a unit's order as its file has it, {} without one (AGE-ORD-01).

    >>> from dataclasses import replace
    >>> from tabletop.play.files.opened import open_battle
    >>> howe = open_battle("causeway").unit("howe")
    >>> written_order(replace(howe, marks={"order": "hold", "order_goal": "mill"}))
    {'stance': 'hold', 'objective': 'mill'}
    """
    stance, goal = unit.marks.get("order"), unit.marks.get("order_goal")
    place = {} if goal is None else {"objective" if isinstance(goal, str) else "at": goal}
    return {} if stance is None else {"stance": stance, **place}
