"""A scene at the judge's table as a battle: who attacks, how many turns, what is fought for; and playing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tabletop.errors import BadQuestion
from tabletop.geometry.measure import Point
from tabletop.play.files.draft import Draft, Row, entered
from tabletop.play.files.terrain_rows import PER_INCH
from tabletop.play.saves.library import own_folder
from tabletop.render.destinations import ToSettingUp
from tabletop.render.judge.desk import JudgeDesk
from tabletop.render.judge.form import Choose, Heading, Keys, Part, Type
from tabletop.render.judge.keeping import SCENES, save
from tabletop.render.judge.placing import slug, spoken
from tabletop.render.judge.state import JudgingState
from tabletop.render.screens import Go
from tabletop.render.widgets.panel_page import Key

#: The turns of a battle for which none are said, the most there may be, and an objective's radius in inches.
TURNS, MOST, RADIUS = 8, 200, 2.0


def game_of(draft: Draft) -> dict[str, Any]:
    """Return the block ``game`` of a scene, empty where it has none."""
    return dict(draft.rest.get("game") or {})


def _with_game(draft: Draft, **changes: Any) -> Draft:
    return replace(draft, rest={**draft.rest, "game": {**game_of(draft), **changes}})


def goals(draft: Draft) -> Sequence[Mapping[str, Any]]:
    """Return the rows of the objectives."""
    return tuple(game_of(draft).get("objectives") or ())


def battle_rows(desk: JudgeDesk) -> list[Part]:
    """Return the part of the page of a table that makes a battle of it."""
    game, sides = game_of(desk.draft), desk.draft.sides
    attacker = str(game.get("attacker") or (sides[0] if sides else ""))
    chosen: list[Part] = []
    if sides:
        chosen = [Choose("Attacker", "battle:attacker", tuple((side, spoken(side)) for side in sides), attacker)]
    said = ", ".join(str(row["name"]) for row in goals(desk.draft)) or "none yet"
    hint = "Save it among your battles, then choose who plays"
    return [
        Heading(f"The battle. Objectives: {said}"),
        Type("Turns", (("battle:turns", str(game.get("turns") or ""), f"({TURNS})"),)),
        *chosen,
        Keys(
            (Key("battle:play", "Play this now", hint),), 1, shut=frozenset() if sides else frozenset(("battle:play",))
        ),
    ]


def goal_row(desk: JudgeDesk, row: Row) -> list[Part]:
    """Return the key that makes a piece of terrain an objective, or no longer one."""
    there = any(goal["id"] == row["id"] for goal in goals(desk.draft))
    label = "No objective any more" if there else "Make it an objective"
    return [Keys((Key("battle:goal", label, "Who holds it at the end has a point"),), 1)]


# --- what is done ----------------------------------------------------------------------------------------------------


def battle(screen: JudgingState, what: str, value: Any) -> None:
    """Do what a word of these rows says; BadQuestion, in one line, for what cannot be done."""
    {"attacker": _attacker, "turns": _turns, "goal": _goal, "play": _play}[what](screen, value)


def _attacker(screen: JudgingState, value: Any) -> None:
    screen.desk.do(_with_game(screen.desk.draft, attacker=str(value)))


def _turns(screen: JudgingState, value: Any) -> None:
    text = str(value).strip()
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST):
        raise BadQuestion(f"The number of turns is a whole number from 1 to {MOST}, such as {TURNS}.")
    screen.desk.do(_with_game(screen.desk.draft, turns=int(text)), "turns")


def _goal(screen: JudgingState, _: Any) -> None:
    desk = screen.desk
    row = desk.rows(desk.selected)[0]
    others = [goal for goal in goals(desk.draft) if goal["id"] != row["id"]]
    if len(others) == len(goals(desk.draft)):
        others.append(_new_goal(desk, row))
    desk.do(_with_game(desk.draft, objectives=others))


def _new_goal(desk: JudgeDesk, row: Row) -> dict[str, Any]:
    shape = desk.battle.table.piece(row["id"]).shape
    at: Point = (float(shape.centroid.x), float(shape.centroid.y))
    radius = RADIUS * PER_INCH[str(desk.draft.table["unit"])]
    name = str(row.get("name") or spoken(str(row["kind"])))
    return {"id": row["id"], "name": name, "at": entered(at), "radius": round(radius, 1), "points": 1}


def _play(screen: JudgingState, _: Any) -> None:
    """Save the scene, with what a battle needs, and go on to the page on which it is begun."""
    desk = screen.desk
    draft, game = desk.draft, game_of(desk.draft)
    if len(draft.sides) != 2:
        raise BadQuestion("A battle is between two sides: put units of two sides on the table.")
    missing = {key: value for key, value in (("attacker", draft.sides[0]), ("turns", TURNS)) if key not in game}
    if missing:
        desk.do(_with_game(draft, **missing))
    path = desk.path if desk.path is not None else _free(desk.draft)
    save(desk, path)
    screen.going = Go(ToSettingUp(path))


def _free(draft: Draft) -> Any:
    stem, folder = slug(draft.title), own_folder()
    names = (f"{stem}{SCENES[0]}", *(f"{stem}-{k}{SCENES[0]}" for k in range(2, 10_000)))
    return next(path for name in names if not (path := folder / name).exists())
