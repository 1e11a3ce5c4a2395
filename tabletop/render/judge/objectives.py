"""Objectives: placing, changing and removing them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.geometry.measure import Point
from tabletop.play.files.draft import Row, entered
from tabletop.play.files.terrain_rows import PER_INCH
from tabletop.render.judge.desk import JudgeDesk
from tabletop.render.judge.game_keys import goals, with_game
from tabletop.render.judge.placing import spoken

#: An objective's radius in inches.
RADIUS = 2.0


def chosen_goal(desk: JudgeDesk) -> Mapping[str, Any] | None:
    """Return the chosen objective, None if there is none."""
    objectives = goals(desk.draft)
    return next((row for row in objectives if row["id"] == desk.terms.goal), objectives[0] if objectives else None)


def put_row(desk: JudgeDesk, row: Mapping[str, Any], tag: str = "") -> None:
    """Replace the objective with this id, or add it."""
    others = [row if each["id"] == row["id"] else each for each in goals(desk.draft)]
    if not any(each["id"] == row["id"] for each in others):
        others.append(row)
    desk.terms.goal = str(row["id"])
    desk.do(with_game(desk.draft, objectives=others), tag)


def put_goal(desk: JudgeDesk, at: Point) -> None:
    """Place an objective at a point of the table."""
    names = {str(row["id"]) for row in goals(desk.draft)}
    name = next(each for k in range(1, len(names) + 2) if (each := f"objective-{k}") not in names)
    radius = RADIUS * PER_INCH[str(desk.draft.table["unit"])]
    put_row(desk, {"id": name, "name": spoken(name), "at": entered(at), "radius": round(radius, 1), "points": 1})


def of_piece(desk: JudgeDesk, row: Row) -> dict[str, Any]:
    """Return the objective that a piece of terrain makes."""
    shape = desk.battle.table.piece(row["id"]).shape
    at: Point = (float(shape.centroid.x), float(shape.centroid.y))
    radius = RADIUS * PER_INCH[str(desk.draft.table["unit"])]
    name = str(row.get("name") or spoken(str(row["kind"])))
    return {"id": row["id"], "name": name, "at": entered(at), "radius": round(radius, 1), "points": 1}


def clicked(desk: JudgeDesk, point: Point) -> bool:
    """Use a click on the table for the tool in hand; return False if there is none."""
    if desk.terms.part != "goals" or desk.terms.tool != "goal":
        return False
    put_goal(desk, point)
    desk.terms.tool = ""
    return True
