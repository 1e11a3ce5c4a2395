"""A quick battle as a scene: the choices made for it, and the file that is written and played."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tabletop.battle.lengths import PER_INCH
from tabletop.battle.naming import side_name
from tabletop.errors import BadQuestion, Unsaved
from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Table
from tabletop.play.files import installed, named_files
from tabletop.play.files.draft import Draft, laid
from tabletop.play.files.load import load_table
from tabletop.play.files.scene_text import scene_text
from tabletop.play.files.writing import write_whole
from tabletop.play.quick_battle import forces
from tabletop.play.quick_battle.deployment import Ground, deployed
from tabletop.play.quick_battle.forces import Force
from tabletop.play.random_ground.landscape import Landscape, Progress, landscape
from tabletop.play.random_ground.measures import Travel, apart
from tabletop.play.random_ground.plan import Wanted, length
from tabletop.play.random_ground.text import title as ground_title
from tabletop.rules import rule_set
from tabletop.rules.rule_set import RuleSet

#: How many turns a battle of each length has.
LENGTHS: Mapping[str, int] = {"short": 6, "usual": 10, "long": 16}
#: The hour at which it begins.
STARTS = "10:00"
#: The option by which rule sets choose each side's edge.
EDGE = "edge"
#: The most objectives, and the radius of one in inches on maps of the library.
MOST, RADIUS = 3, 2.0
#: The terrain fought for on a map of the library; names for pieces without one; how far apart objectives lie, and how
#: far from the middle they may be (shares of the table).
HELD = ("town", "hill", "bridge", "ford")
UNNAMED = {"bridge": "The bridge", "ford": "The ford"}
APART, BETWEEN = 0.15, 0.2


@dataclass(frozen=True)
class Asked:
    """The choices for a quick battle: two armies, the first from the south; a map file or random ground; the turns.

    ``points`` cuts or fills both armies to that many; None leaves them as they are.
    """

    armies: tuple[Force, Force]
    ground: Path | Wanted
    turns: int = LENGTHS["usual"]
    points: float | None = None

    @property
    def rules(self) -> RuleSet:
        return rule_set.find(self.armies[0].rules)


@dataclass(frozen=True)
class _Field:
    """Ground as a scene holds it: its table and rows, and the objectives' rows."""

    title: str
    table: Mapping[str, Any]
    rows: Sequence[Mapping[str, Any]]
    objectives: Sequence[Mapping[str, Any]]


def maps(unit: str) -> tuple[Path, ...]:
    """Return the maps of the library that use a unit of length and are large enough to deploy on."""
    data = installed.installed_data()
    suitable = []
    for path in sorted((data / "maps").glob("*.yaml")) if data is not None else []:
        table = _head(path).table
        if table["unit"] == unit and min(table["width"], table["height"]) >= 20 * PER_INCH[unit]:
            suitable.append(path)
    return tuple(suitable)


def title(path: Path) -> str:
    """Return the title of a map."""
    return _head(path).title


class _Head(NamedTuple):
    title: str
    table: Mapping[str, Any]


@cache
def _head(path: Path) -> _Head:
    """Return the title and table of a map, cached because a page needs them every time it is laid out."""
    data = named_files.read(path).data
    return _Head(str(data["title"]), data["table"])


def scene(asked: Asked, progress: Progress | None = None) -> Draft:
    """Return the scene of a quick battle: ground, both armies deployed, objectives, turns.

    Raises BadQuestion if the armies belong to different rules or have no room.
    """
    first, second = forces.with_distinct_ids(*asked.armies)
    rules = asked.rules
    field = _field(asked.ground, rules, progress)
    title = f"{field.title}: {side_name(first.side)} against {side_name(second.side)}"[:120]
    bare = Draft(title, rules.name, field.table, tuple(field.rows))
    table = laid(bare).battle.table
    units: list[Mapping[str, Any]] = []
    for force, north in ((first, False), (second, True)):
        ground = Ground(table, rules, PER_INCH[rules.unit], north)
        units += deployed(forces.ready(force, asked.points), force.side, ground)
    game: dict[str, Any] = {"attacker": first.side, "turns": asked.turns, "starts": STARTS}
    if EDGE in rules.options:
        game["options"] = {EDGE: {first.side: "south", second.side: "north"}}
    game["objectives"] = [dict(row) for row in field.objectives]
    notes = f"A quick battle of {asked.turns} turns. {_worth(field)}"
    return replace(bare, units=tuple(units), rest={"game": game, "notes": notes})


def _field(ground: Path | Wanted, rules: RuleSet, progress: Progress | None) -> _Field:
    return _random(ground, rules, progress) if isinstance(ground, Wanted) else _bundled(ground, rules)


def _worth(field: _Field) -> str:
    names = [f"{row['name']} ({row['points']})" for row in field.objectives]
    return f"Points at the end: {', '.join(names)}." if names else ""


def _random(wanted: Wanted, rules: RuleSet, progress: Progress | None) -> _Field:
    ground: Landscape = landscape(wanted, progress)
    inch = PER_INCH[rules.unit]
    table = {"unit": rules.unit, "width": length(wanted.width, inch), "height": length(wanted.height, inch)}
    goals = [
        _goal(each.id, each.name, (each.at[0] * inch, each.at[1] * inch), each.radius * inch, each.points)
        for each in ground.objectives
    ]
    return _Field(ground_title(ground), table, [piece.row(inch) for piece in ground.pieces], goals)


def _bundled(path: Path, rules: RuleSet) -> _Field:
    battle = load_table(path)
    if battle.table.unit != rules.unit:
        raise BadQuestion(f"{path.name} is a map in {battle.table.unit}; {rules.title} measures in {rules.unit}")
    data = named_files.read(path).data
    rows = [dict(row) for row in data.get("terrain") or ()]
    return _Field(str(data["title"]), dict(data["table"]), rows, _goals(battle.table, rules))


def _goals(table: Table, rules: RuleSet) -> list[dict[str, Any]]:
    """Return objectives on a map of the library: places between both sides that both can reach about equally well."""
    inch = PER_INCH[rules.unit]
    chosen: list[tuple[str, str, Point]] = []
    for _, id_, name, at in sorted(_places(table, inch)):
        if len(chosen) < MOST and all(abs(other[0] - at[0]) > APART * table.width for _, _, other in chosen):
            chosen.append((id_, name, at))
    chosen = chosen or [("middle", "The middle of the field", (table.width / 2, table.height / 2))]
    return [_goal(id_, name, at, RADIUS * inch, 1 if k else 2) for k, (id_, name, at) in enumerate(chosen)]


def _goal(id_: str, name: str, at: Point, radius: float, points: int) -> dict[str, Any]:
    place = [round(value, 2) for value in at]
    return {"id": id_, "name": name, "at": place, "radius": round(radius, 1), "points": points}


def _places(table: Table, inch: float) -> list[tuple[float, str, str, Point]]:
    """Return (difference between both sides' ways to it, id, name, place) for named places between the sides."""
    travel = Travel(table, inch)
    candidates: list[tuple[float, str, str, Point]] = []
    for piece in table.terrain:
        name = piece.name or UNNAMED.get(piece.kind, "")
        if piece.kind not in HELD or not name or piece.shape.is_empty or (piece.is_hill and piece.level != 1):
            continue
        centre = piece.shape.centroid
        if abs(centre.y - table.height / 2) < BETWEEN * table.height:
            at = float(centre.x), float(centre.y)
            candidates.append((apart(travel.both(at)), piece.id, name, at))
    return candidates


# --- its file --------------------------------------------------------------------------------------------------------


def free_name(draft: Draft, folder: Path) -> Path:
    """Return the path of a new file in a folder, named for the scene."""
    stem = re.sub(r"[^\w]+", "-", draft.title.lower()).strip("-")[:50] or "quick-battle"
    names = (f"{stem}.yaml", *(f"{stem}-{k}.yaml" for k in range(2, 10_000)))
    return next(path for name in names if not (path := folder / name).exists())


def write(draft: Draft, path: Path) -> None:
    """Write the scene's file atomically; Unsaved, with the reason, if it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, scene_text(draft).encode("utf-8"))
    except OSError as error:
        raise Unsaved(f"{path} cannot be written: {error.strerror or error}") from None
