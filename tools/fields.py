"""Random fields with two equal armies, for measuring: the ground is symmetric under half a turn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.progress import Objective, Setup
from tabletop.errors import Unreadable
from tabletop.play.files.load import load_scene_data

ROOT = Path(__file__).resolve().parent.parent
#: Brigades of a division, the last of them cavalry; a battery goes with each division.
DIVISION = 5
#: Inches of front per division; from the table's edge to the first line; between the two lines at the start.
FRONT, DEPTH, BETWEEN = 14.0, 9.0, 16.0
AREAS = ("woods", "town", "hill", "rough", "marsh")
LINES = ("stream", "wall", "road", "hedge")

Row = dict[str, Any]


def equal_battle(brigades: int, pieces: int, seed: int, turns: int | None = None) -> Battle:
    """Return a battle with this many brigades a side on a field with this many pieces of terrain (rounded down to
    even).

    The middle of the field is an objective. The same numbers give the same battle.
    """
    return begun(equal_scene(brigades, pieces, seed), turns)


def equal_scene(brigades: int, pieces: int, seed: int) -> Row:
    """Return the scene file's data of such a battle: the blue army in the south, the red one in the north."""
    for attempt in range(100):
        scene = _scene(Random(f"{brigades} {pieces} {seed} {attempt}"), brigades, pieces)
        try:
            load_scene_data(scene, ROOT)
        except Unreadable:
            continue
        return scene
    raise AssertionError("no such field can be laid out")


def begun(scene: Row, turns: int | None = None, attacker: str | None = None) -> Battle:
    """Return the battle of such a scene, with its turns and attacker if given."""
    battle = load_scene_data(scene, ROOT)
    middle = (battle.table.width / 2, battle.table.height / 2)
    objective = Objective("middle", middle, 2.0, 1.0, name="the middle")
    return replace(battle, setup=Setup(turns=turns, objectives=(objective,), attacker=attacker))


def _scene(random: Random, brigades: int, pieces: int) -> Row:
    divisions = -(-brigades // DIVISION)
    size = (FRONT * max(2, divisions) + 6.0, 2 * DEPTH + BETWEEN)
    blue = _army(random, brigades, size[0])
    return {
        "format": "tabletop-scene/1",
        "title": f"{brigades} brigades a side",
        "rules": "tse",
        "rulings": {"scale": 1},
        "table": {"unit": "in", "width": size[0], "height": size[1]},
        "terrain": [row for k in range(pieces // 2) for row in _pair(random, size, k)],
        "units": [*blue, *(_opposite(row, size) for row in blue)],
    }


def _army(random: Random, brigades: int, width: float) -> list[Row]:
    """Return the army at the southern edge: divisions side by side in two lines, each with its battery."""
    rows: list[Row] = [_general("blue-corps", "corps", None, (width / 2, 1.5))]
    for first in range(0, brigades, DIVISION):
        count = min(DIVISION, brigades - first)
        west = width / 2 + FRONT * (first / DIVISION - brigades / DIVISION / 2)
        name = f"blue-{first // DIVISION + 1}"
        rows.append(_general(name, "division", "blue-corps", (west + FRONT / 2, 3.0)))
        rows += [_brigade(random, name, k, west) for k in range(count)]
        guns = {**_row(f"{name}-guns", name, (west + 1.0, DEPTH)), "troop": "light-foot-artillery", "bases": 1}
        rows.append({**guns, "formation": "deployed"})
    return rows


def _general(name: str, rank: str, parent: str | None, at: tuple[float, float]) -> Row:
    row: Row = {"id": name, "side": "blue", "troop": "general", "rank": rank, "at": list(at)}
    return row if parent is None else {**row, "parent": parent}


def _row(name: str, parent: str, at: tuple[float, float]) -> Row:
    return {"id": name, "side": "blue", "parent": parent, "at": list(at), "facing": 0}


def _brigade(random: Random, division: str, k: int, west: float) -> Row:
    """Return a brigade: three of infantry in front, the fourth and the cavalry behind."""
    at = (west + 3.0 + 4.0 * (k % 3), DEPTH - 4.0 * (k // 3))
    row = {**_row(f"{division}-{k + 1}", division, at), "formation": "maneuver-column", "front": 2}
    quality = random.choice(("elite", "veteran", "average", "average", "average", "poor"))
    if k == DIVISION - 1:
        return {**row, "troop": random.choice(("light-cavalry", "heavy-cavalry")), "quality": quality, "bases": 3}
    return {**row, "troop": "infantry", "quality": quality, "bases": random.randint(3, 5)}


def _opposite(row: Row, size: tuple[float, float]) -> Row:
    """Return the matching row of the other army, turned by half a circle about the middle of the field."""
    turned = {**row, "side": "red", "id": row["id"].replace("blue", "red")}
    turned["at"] = [size[0] - row["at"][0], size[1] - row["at"][1]]
    if "facing" in row:
        turned["facing"] = 180
    if "parent" in row:
        turned["parent"] = row["parent"].replace("blue", "red")
    return turned


def _pair(random: Random, size: tuple[float, float], k: int) -> list[Row]:
    """Return a piece of terrain and its copy turned by half a circle about the middle of the field."""
    kind = random.choice((*AREAS, *LINES))
    x, y = random.uniform(2, size[0] - 2), random.uniform(1, size[1] / 2)
    if kind in LINES:
        line = [[x, y], [x + random.uniform(-9, 9), y + random.uniform(-6, 6)]]
        rows: list[Row] = [{"id": f"{kind}-{k}", "kind": kind, "line": _rounded(line)}]
        return [*rows, {"id": f"{kind}-{k}-b", "kind": kind, "line": _rounded(_turned(line, size))}]
    box = [round(random.uniform(1.5, 6), 2), round(random.uniform(1.5, 4), 2)]
    piece: Row = {"kind": kind, "size": box, "facing": random.randrange(0, 180, 15)}
    piece |= {"level": 1} if kind == "hill" else {}
    place, opposite = _rounded([[x, y]])[0], _rounded(_turned([[x, y]], size))[0]
    return [{"id": f"{kind}-{k}", **piece, "at": place}, {"id": f"{kind}-{k}-b", **piece, "at": opposite}]


def _turned(points: list[list[float]], size: tuple[float, float]) -> list[list[float]]:
    return [[size[0] - x, size[1] - y] for x, y in points]


def _rounded(points: list[list[float]]) -> list[list[float]]:
    return [[round(x, 2), round(y, 2)] for x, y in points]
