"""Objectives: placing, changing and removing them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.battle.lengths import PER_INCH
from tabletop.geometry.measure import Point
from tabletop.play.files.draft import Row, entered
from tabletop.render.judge.controller import JudgeController
from tabletop.render.judge.game_keys import goals, with_game
from tabletop.render.judge.placing import spoken

#: An objective's radius in inches.
RADIUS = 2.0


def chosen_goal(controller: JudgeController) -> Mapping[str, Any] | None:
    """Return the chosen objective, None if there is none."""
    objectives = goals(controller.draft)
    return next(
        (row for row in objectives if row["id"] == controller.terms.goal), objectives[0] if objectives else None
    )


def put_row(controller: JudgeController, row: Mapping[str, Any], tag: str = "") -> None:
    """Replace the objective with this id, or add it."""
    others = [row if each["id"] == row["id"] else each for each in goals(controller.draft)]
    if not any(each["id"] == row["id"] for each in others):
        others.append(row)
    controller.terms.goal = str(row["id"])
    controller.do(with_game(controller.draft, objectives=others), tag)


def put_goal(controller: JudgeController, at: Point) -> None:
    """Place an objective at a point of the table."""
    names = {str(row["id"]) for row in goals(controller.draft)}
    name = next(each for k in range(1, len(names) + 2) if (each := f"objective-{k}") not in names)
    radius = RADIUS * PER_INCH[str(controller.draft.table["unit"])]
    put_row(controller, {"id": name, "name": spoken(name), "at": entered(at), "radius": round(radius, 1), "points": 1})


def of_piece(controller: JudgeController, row: Row) -> dict[str, Any]:
    """Return the objective that a piece of terrain makes."""
    shape = controller.battle.table.piece(row["id"]).shape
    at: Point = (float(shape.centroid.x), float(shape.centroid.y))
    radius = RADIUS * PER_INCH[str(controller.draft.table["unit"])]
    name = str(row.get("name") or spoken(str(row["kind"])))
    return {"id": row["id"], "name": name, "at": entered(at), "radius": round(radius, 1), "points": 1}


def clicked(controller: JudgeController, point: Point) -> bool:
    """Use a click on the table for the tool in hand; return False if there is none."""
    if controller.terms.part != "goals" or controller.terms.tool != "goal":
        return False
    put_goal(controller, point)
    controller.terms.tool = ""
    return True
