"""A battle as laid out, before anything has happened, as plain data and back: everything needed to play it again.

Numbers and outlines are preserved to the last digit, so a battle played from the data equals the one played from files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import shapely
from shapely.geometry import mapping, shape
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.codec import plain
from tabletop.battle.progress import Arrival, Objective, Setup, frozen
from tabletop.battle.unit import Unit
from tabletop.geometry.base import AnyBase, Base, Disc
from tabletop.geometry.terrain import CROPS, Field, Table, Terrain, presets

_OF_PIECE = ("id", "kind", "movement", "cover_fire", "cover_assault", "sight", "see_through", "level", "width", "name")
_OF_UNIT = ("id", "side", "troop", "name", "formation", "facing", "quality", "front", "reference", "status", "parent")
_ALSO_OF_UNIT = ("rank", "linear")
#: The shapes a piece of terrain may have.
_SHAPES = ("Polygon", "MultiPolygon", "LineString", "MultiLineString", "Point", "MultiPoint", "GeometryCollection")


def opening_data(battle: Battle) -> dict[str, Any]:
    """Return a battle that has not begun as plain data; raises ValueError if it has."""
    if battle.clock.turn or battle.pending or battle.fallen or battle.memory or battle.outcome is not None:
        raise ValueError("the battle has begun: only its opening is written so")
    return {
        "rules": battle.rules,
        "title": battle.title,
        "rulings": plain(battle.rulings),
        "setup": plain(battle.setup),
        "table": _table_data(battle.table),
        "units": [_unit_data(unit) for unit in battle.units],
        "awaited": [_unit_data(unit) for unit in battle.awaited],
    }


def opening_of(data: Mapping[str, Any]) -> Battle:
    """Return the battle written as ``data``; raises KeyError, TypeError or ValueError if it is not one."""
    rules = _text(data["rules"])
    units = [_unit_of(row, rules) for row in data["units"]]
    return Battle(
        rules=rules,
        table=_table_of(data["table"], rules),
        units=tuple(sorted(units, key=lambda unit: unit.id)),
        rulings=dict(frozen(data["rulings"])),
        title=_text(data["title"]),
        setup=_setup_of(data["setup"]),
        awaited=tuple(_unit_of(row, rules) for row in data["awaited"]),
    )


# --- the table -------------------------------------------------------------------------------------------------------


def _table_data(table: Table) -> dict[str, Any]:
    size = {"unit": table.unit, "width": table.width, "height": table.height, "scale": table.scale}
    fields = [{"crop": one.crop, "outline": mapping(one.outline)} for one in table.fields]
    terrain = [_piece_data(piece) for piece in table.terrain]
    turned = {"north": table.north} if table.north else {}
    return {**size, **turned, "terrain": terrain, **({"fields": fields} if fields else {})}


def _piece_data(piece: Terrain) -> dict[str, Any]:
    keys = {key: getattr(piece, key) for key in _OF_PIECE}
    line = None if piece.line is None else [list(point) for point in piece.line.coords]
    return {**keys, "shape": mapping(piece.shape), "line": line, **_traits_data(piece)}


def _traits_data(thing: Unit | Terrain) -> dict[str, Any]:
    """Return the traits of a unit or a piece of terrain; no key at all for one without any."""
    return {"traits": list(thing.traits)} if thing.traits else {}


def _table_of(data: Mapping[str, Any], rules: str) -> Table:
    pieces = tuple(_piece_of(row, rules) for row in data["terrain"])
    width, height, scale = (float(data[key]) for key in ("width", "height", "scale"))
    if not (0.0 < width <= 1e6 and 0.0 < height <= 1e6 and 0.0 < scale <= 1e3):
        raise ValueError("no table has this size")
    fields = tuple(_field_of(row) for row in data.get("fields", ()))
    north = float(data.get("north", 0.0))
    if not -360.0 <= north <= 360.0:
        raise ValueError("no table has this north")
    return Table(_text(data["unit"]), width, height, pieces, scale, fields, north)


def _field_of(data: Mapping[str, Any]) -> Field:
    outline = _shape_of(data["outline"])
    if data["crop"] not in CROPS or not isinstance(outline, shapely.Polygon):
        raise ValueError("no such field")
    return Field(data["crop"], outline)


def _piece_of(data: Mapping[str, Any], rules: str) -> Terrain:
    line = None if data["line"] is None else shapely.LineString(data["line"])
    keys = {key: data[key] for key in _OF_PIECE}
    own = "" if data["kind"] in presets() else rules
    return Terrain(**keys, shape=_shape_of(data["shape"]), line=line, traits=_traits_of(data), rules=own)


def _traits_of(data: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(_text(word) for word in data.get("traits", ()))


def _shape_of(data: Mapping[str, Any]) -> BaseGeometry:
    if data["type"] not in _SHAPES:
        raise ValueError("no such shape")
    geometry: BaseGeometry = shape(dict(data))
    return geometry


# --- units -----------------------------------------------------------------------------------------------------------


def _unit_data(unit: Unit) -> dict[str, Any]:
    keys = {key: getattr(unit, key) for key in (*_OF_UNIT, *_ALSO_OF_UNIT)}
    rest = {"marks": plain(unit.marks), "bases": [plain(base) for base in unit.bases], **_traits_data(unit)}
    return {**keys, "front_bases": list(unit.front_bases), **rest}


def _unit_of(data: Mapping[str, Any], rules: str) -> Unit:
    keys = {key: data[key] for key in (*_OF_UNIT, *_ALSO_OF_UNIT)}
    keys["id"], keys["side"], keys["facing"] = _text(keys["id"]), _text(keys["side"]), float(keys["facing"])
    bases = tuple(_base_of(row) for row in data["bases"])
    if not bases:
        raise ValueError("a unit without bases")
    marks = dict(frozen(data["marks"]))
    front, traits = tuple(map(int, data["front_bases"])), _traits_of(data)
    return Unit(**keys, bases=bases, front_bases=front, marks=marks, rules=rules, traits=traits)


def _base_of(row: Mapping[str, Any]) -> AnyBase:
    numbers = {key: float(value) for key, value in row.items()}
    return Disc(**numbers) if "radius" in numbers else Base(**numbers)


# --- the setup -------------------------------------------------------------------------------------------------------


def _setup_of(data: Mapping[str, Any]) -> Setup:
    fields = dict(frozen(data))
    arrivals = tuple(Arrival(**row) for row in fields.pop("arrivals"))
    objectives = tuple(Objective(**row) for row in fields.pop("objectives"))
    return Setup(**fields, arrivals=arrivals, objectives=objectives)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} where a word belongs")
    return value
