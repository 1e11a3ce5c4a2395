"""Units that arrive later: taking them off the table, where they enter, the road they follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.errors import BadQuestion
from tabletop.geometry.measure import Point
from tabletop.play.files.draft import Row, entered
from tabletop.render.judge.controller import JudgeController
from tabletop.render.judge.game_keys import arrivals, with_game

#: The default turn of an arrival.
SECOND = 2
#: Keys of a unit's row that place it on the table.
_PLACES = ("at", "front_mid", "track", "bend")


def arrival_text(controller: JudgeController, row: Mapping[str, Any]) -> str:
    """Return who arrives and when, in a few words."""
    names = [_called(controller, str(unit)) for unit in row["units"]]
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"{names[0] if names else 'nobody'}{more}, turn {row['turn']}"


def _called(controller: JudgeController, name: str) -> str:
    return str(controller.draft.unit(name).get("name") or name) if controller.draft.has(name) else name


def chosen_number(controller: JudgeController) -> int:
    """Return the number of the chosen arrival, counted from 0."""
    return max(0, min(controller.terms.arrival, len(arrivals(controller.draft)) - 1))


def chosen_row(controller: JudgeController) -> Mapping[str, Any] | None:
    """Return the chosen arrival, None if there is none."""
    rows = arrivals(controller.draft)
    return rows[chosen_number(controller)] if rows else None


def standing(controller: JudgeController) -> list[Row]:
    """Return the selected units that stand on the table."""
    return [
        row for row in controller.rows(controller.selected) if "kind" not in row and any(key in row for key in _PLACES)
    ]


def put_row(controller: JudgeController, row: Mapping[str, Any], tag: str = "") -> None:
    """Replace the chosen arrival by a row."""
    rows = list(arrivals(controller.draft))
    rows[chosen_number(controller)] = row
    controller.do(with_game(controller.draft, arrivals=rows), tag)


def take_off(controller: JudgeController) -> None:
    """Take the selected units off the table and let them arrive later, at the nearest point of its edge."""
    chosen = standing(controller)
    if not chosen:
        raise BadQuestion("Select units on the table first; those selected come later.")
    if len({row["side"] for row in chosen}) > 1:
        raise BadQuestion("Units of both sides are selected; those who come together are of one side.")
    places = [controller.battle.unit(row["id"]).at for row in chosen if controller.battle.has(row["id"])]
    middle = sum(x for x, _ in places) / max(1, len(places)), sum(y for _, y in places) / max(1, len(places))
    row = {
        "units": [str(each["id"]) for each in chosen],
        "turn": SECOND,
        "at": entered(nearest_edge(controller, middle)),
    }
    left = [{key: value for key, value in each.items() if key not in (*_PLACES, "facing")} for each in chosen]
    draft = controller.draft.with_rows(units=left)
    rows = [*arrivals(draft), row]
    controller.terms.arrival = len(rows) - 1
    controller.do(with_game(draft, arrivals=rows))
    controller.note = f"{arrival_text(controller, row).capitalize()}: they are off the table until then."


def bring_back(controller: JudgeController, chosen: Mapping[str, Any]) -> None:
    """Put the units of an arrival back on the table, side by side where they were to enter."""
    remaining = [row for row in arrivals(controller.draft) if row is not chosen]
    x, y = chosen["at"]
    wide, high = controller.size
    rows, step = [], 4 * controller.near
    for k, name in enumerate(str(unit) for unit in chosen["units"]):
        if controller.draft.has(name):
            inward = (
                min(max(x, 8 * controller.near), wide - 8 * controller.near),
                min(max(y, 8 * controller.near), high - 8 * controller.near),
            )
            rows.append(_standing_row(controller, controller.draft.unit(name), (inward[0] + k * step * 4, inward[1])))
    controller.terms.arrival = 0
    controller.do(with_game(controller.draft.with_rows(units=rows), arrivals=remaining or None))
    controller.select([str(row["id"]) for row in rows])


def _standing_row(controller: JudgeController, row: Row, at: Point) -> Row:
    """Return the row of a unit standing at a point, in its troops' usual direction."""
    first = controller.draft.sides.index(str(row["side"])) == 0 if row["side"] in controller.draft.sides else True
    turned = {**row, "at": entered(at), "facing": 0.0 if first else 180.0}
    return turned if controller.musters(turned) else {**row, "at": entered(at)}


def nearest_edge(controller: JudgeController, point: Point) -> Point:
    """Return the point on the table's edge nearest to a point."""
    wide, high = controller.size
    x, y = min(max(point[0], 0.0), wide), min(max(point[1], 0.0), high)
    edges = {x: (0.0, y), wide - x: (wide, y), y: (x, 0.0), high - y: (x, high)}
    return edges[min(edges)]


def clicked(controller: JudgeController, point: Point) -> bool:
    """Use a click for the tool in hand; return False if there is none."""
    chosen = chosen_row(controller)
    if chosen is None or controller.terms.part != "arrivals" or controller.terms.tool not in ("edge", "road"):
        return False
    if controller.terms.tool == "edge":
        put_row(
            controller,
            {key: value for key, value in chosen.items() if key != "facing"}
            | {"at": entered(nearest_edge(controller, point))},
        )
        controller.terms.tool = ""
    else:
        put_row(controller, {**chosen, "along": [*(chosen.get("along") or ()), entered(point)]})
    return True


def ways(controller: JudgeController) -> Sequence[tuple[str, Sequence[Point]]]:
    """Return the drawing of every arrival: who and when, and the points of its path."""
    drawings = []
    for row in arrivals(controller.draft):
        points = [tuple(row["at"]), *(tuple(point) for point in row.get("along") or ())]
        drawings.append((arrival_text(controller, row).capitalize(), [(float(x), float(y)) for x, y in points]))
    return drawings
