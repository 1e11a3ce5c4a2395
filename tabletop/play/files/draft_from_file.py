"""From a file to a draft that can be changed and asked about: a scene, map, scenario, or saved game at some moment.

Rows of a scene or map are taken as written. Units of a scenario or saved game get new rows, with the keys by which
their rules place them exactly where they stand.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.lengths import inch
from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.measure import Point, turn_between
from tabletop.geometry.terrain import Table, Terrain
from tabletop.play.files import named_files
from tabletop.play.files.draft import FORMAT, OF_GROUND, Draft, Row, entered, entered_facing
from tabletop.play.files.file_text import ORDER
from tabletop.play.files.opened import open_battle, open_table
from tabletop.rules import rule_set
from tabletop.rules.rule_set import MusterError, RuleSet
from tabletop.rules.terrain_kinds import preset_of

#: Keys of a scene that are only copied.
CARRIED = ("game", "date", "time", *OF_GROUND, "credits", "notes")
#: Keys of a piece of terrain that its kind presets.
_PRESET = ("movement", "cover_fire", "cover_assault", "sight", "see_through", "width")


def open_draft(path: str | Path, at: str | None = None) -> Draft:
    """Return the scene in a file as a draft; Unreadable, with every fault, if the file is faulty."""
    path = Path(path)
    if named_files.is_game(path):
        return draft_of(open_battle(path, at))
    battle = open_table(path, at)
    data = named_files.read(path).data
    if data["format"] == FORMAT:
        return _of_scene(data)
    ground = named_files.read(named_files.find(data["map"], path.resolve().parent)).data if "map" in data else data
    draft = draft_of(battle)
    rest = {key: data[key] for key in ("date", "time") if "map" in data and key in data}
    rest |= {key: ground[key] for key in OF_GROUND if key in ground}
    return Draft(
        draft.title, draft.rules, ground["table"], _rows(ground, "terrain"), draft.units, draft.rulings, rest
    )  # fmt: skip


def _of_scene(data: Mapping[str, Any]) -> Draft:
    rest = {key: data[key] for key in CARRIED if data.get(key) is not None}
    rows = _rows(data, "terrain"), _rows(data, "units")
    return Draft(data["title"], data["rules"], data["table"], *rows, data.get("rulings") or {}, rest)


def _rows(data: Mapping[str, Any], key: str) -> tuple[Row, ...]:
    return tuple(data.get(key) or ())


def draft_of(battle: Battle) -> Draft:
    """Return a draft of a battle's present position: the table, its terrain and units, without clock and dice."""
    rules, table = rule_set.find(battle.rules), battle.table
    defaults = rules.ruling_values()
    chosen = {name: value for name, value in battle.rulings.items() if value != defaults.get(name)}
    pieces = [row for piece in table.terrain for row in piece_rows(piece, table)]
    standing = {unit.id for unit in battle.units}
    units = [unit_row(unit, rules, battle.rulings) for unit in battle.units]
    rows = [{k: v for k, v in row.items() if k != "parent" or v in standing} for row in units]
    size = {"unit": table.unit, "width": table.width, "height": table.height}
    size |= {"north": table.north} if table.north else {}
    return Draft(battle.title or "A position", battle.rules, size, tuple(pieces), tuple(rows), chosen, _fields(table))


# --- units -----------------------------------------------------------------------------------------------------------


def unit_row(unit: Unit, rules: RuleSet, rulings: Mapping[str, Any]) -> Row:
    """Return the row with which the rules place a unit where it stands, as closely as any row can."""
    for lifted in ({}, {"strength_override": True}):
        rows = ({**_troops(unit), **lifted, **way} for way in _ways(unit))
        tries = [row for each in rows if (row := _accepted(each, rules, rulings)) is not None]
        if tries:
            break
    return _marked(min(tries, key=lambda row: _astray(unit, rules.muster(row, rulings))), unit, rules, rulings)


def _marked(row: Row, unit: Unit, rules: RuleSet, rulings: Mapping[str, Any]) -> Row:
    """Return the row with the word for a status that gives a unit one of its marks too, if the rules have such a word.

    Other marks are of a battle and cannot be written in a row.
    """
    for word in rules.vocabulary.get("status", ()) if unit.marks else ():
        more = _accepted({**row, "status": word}, rules, rulings)
        made = rules.muster(more, rulings) if more is not None else unit
        if more is not None and made.marks and made.status == unit.status and made.marks.items() <= unit.marks.items():
            return {key: more[key] for key in ORDER if key in more}
    return row


def _troops(unit: Unit) -> dict[str, Any]:
    first = unit.bases[0]
    size: Any = [first.frontage, first.depth] if isinstance(first, Base) else [2 * first.radius] * 2
    if unit.is_general and isinstance(first, Base):
        size = "square"
    fields = {
        "id": unit.id, "name": unit.name if unit.name != unit.id else None, "side": unit.side, "parent": unit.parent,
        "troop": unit.troop, "rank": unit.rank or None, "quality": unit.quality or None, "bases": len(unit.bases),
        "base": size, "formation": unit.formation or None, "front": unit.front, "reference": unit.reference or None,
        "status": None if unit.in_order else unit.status, "linear": unit.linear or None,
        "traits": list(unit.traits) or None,
    }  # fmt: skip
    return {key: fields[key] for key in ORDER if fields.get(key) is not None}


def _ways(unit: Unit) -> Iterable[dict[str, Any]]:
    """Yield the ways to write where a unit stands, simplest first."""
    facing = {"facing": entered_facing(unit.facing)}
    places = ({"at": entered(unit.at)}, {"front_mid": entered(unit.front_mid)})
    yield from ({**place, **facing} for place in places)
    bases = [base for base in unit.bases if isinstance(base, Base)]
    turns = [entered_turn(turn_between(unit.facing, base.facing)) for base in bases]
    if any(turns):
        yield from ({**place, **facing, "bend": turns} for place in places)
        yield {"track": [entered(point) for point in _joints(bases)]}


def entered_turn(degrees: float) -> float:
    """Return a turn on the grid of facings."""
    return round(degrees * 64.0) / 64.0


def _joints(bases: list[Base]) -> list[Point]:
    return [bases[0].front_mid, *(base.at_local(0.0, -base.depth) for base in bases)]


def _accepted(row: dict[str, Any], rules: RuleSet, rulings: Mapping[str, Any]) -> Row | None:
    """Return a row without the keys that its rules do not need; None if they refuse the remaining row."""
    for _ in range(len(row)):
        try:
            rules.muster(row, rulings)
        except MusterError as error:
            if error.key not in row or error.key in ("id", "side", "troop", "at", "front_mid", "track", "bend"):
                return None
            row = {key: value for key, value in row.items() if key != error.key}
        else:
            return row
    return None


def _astray(wanted: Unit, placed: Unit) -> float:
    """Return the greatest distance of a base from its place, plus a tenth of the greatest error of facing in degrees.

    Infinite if the numbers of bases differ.
    """
    if len(wanted.bases) != len(placed.bases):
        return math.inf
    pairs = list(zip(wanted.bases, placed.bases, strict=True))
    away = max(math.dist(a.centre, b.centre) for a, b in pairs)
    turns = [abs(turn_between(a.facing, b.facing)) for a, b in pairs if isinstance(a, Base) and isinstance(b, Base)]
    return away + 0.1 * max(turns, default=0.0)


# --- ground ----------------------------------------------------------------------------------------------------------


def piece_rows(piece: Terrain, table: Table) -> Iterable[Row]:
    """Yield a piece of terrain as rows: one, or one for each part that the table's edge has cut it into."""
    if piece.line is not None:
        yield {**_kind(piece, table), "line": [entered(p) for p in shapely.get_coordinates(piece.line).tolist()]}
        return
    parts = [part for part in shapely.get_parts(piece.shape) if shapely.get_dimensions(part) == 2]
    for k, part in enumerate(parts):
        name = {"id": f"{piece.id}-{k + 1}"} if len(parts) > 1 else {}
        yield {**_kind(piece, table), **name, "outline": _corners(part)}


def _fields(table: Table) -> Row:
    """Return the fields of a table as a file states them; an empty dict if there are none."""
    rows = [{"crop": one.crop, "outline": _corners(one.outline)} for one in table.fields]
    return {"fields": rows} if rows else {}


def _corners(area: shapely.Polygon) -> list[list[float]]:
    """Return the corners of an outline, as a row holds them."""
    return [entered(point) for point in shapely.get_coordinates(area.exterior).tolist()[:-1]]


def _kind(piece: Terrain, table: Table) -> dict[str, Any]:
    plain = {"width": 0.0, "movement": "open", "cover_fire": "none", "cover_assault": "none", "sight": "none"}
    usual = {**plain, **(preset_of(piece.kind, piece.rules) or {})}
    own = {
        key: value for key in _PRESET
        if (value := getattr(piece, key)) != _scaled(key, usual.get(key, 0.0), table) and _has(piece, key)
    }  # fmt: skip
    level = {"level": piece.level} if piece.is_hill or piece.level != _under(piece, table) else {}
    name = {"name": piece.name} if piece.name and piece.name != piece.id else {}
    traits = {"traits": list(piece.traits)} if piece.traits else {}
    return {"id": piece.id, "kind": piece.kind, **name, **level, **own, **traits}


def _has(piece: Terrain, key: str) -> bool:
    return key != "width" or piece.line is not None


def _scaled(key: str, value: Any, table: Table) -> Any:
    return value * inch(table) if key in ("width", "see_through") else value


def _under(piece: Terrain, table: Table) -> int:
    middle = piece.shape.centroid
    return table.level_at((middle.x, middle.y)) if not piece.shape.is_empty else 0
