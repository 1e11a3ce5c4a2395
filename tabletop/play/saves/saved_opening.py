"""The opening of a saved game, checked as strictly as the files from which battles are read.

First the shape of the data is checked, then its meaning: words that its rule set knows, unique ids, units that its
muster accepts, on the table and clear of each other. Only openings written under the current versions of the rules are
checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np
import shapely
from pydantic import Field, ValidationError

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion, Fault
from tabletop.geometry.base import Base
from tabletop.geometry.terrain import COVER_CLASSES, CROPS, MOVEMENT_CLASSES, SIGHT_CLASSES
from tabletop.play.files.models import (
    FARTHEST,
    MOST_POINTS,
    MOST_ROWS,
    ArrivalRow,
    Coordinate,
    Degrees,
    GameRow,
    Id,
    Level,
    ObjectiveRow,
    OneOf,
    Point,
    Row,
    RulesName,
    Size,
    Turn,
    Width,
)
from tabletop.play.files.nearest_words import clip
from tabletop.play.files.trait_words import trait_faults
from tabletop.play.files.unit_rows import Entry, check_places
from tabletop.play.files.yaml_text import without_places
from tabletop.rules import rule_set
from tabletop.rules.common.keyed_option import each, for_units
from tabletop.rules.rule_set import MusterError, RuleSet
from tabletop.rules.terrain_kinds import every_kind, preset_of
from tabletop.rules.traits import TERRAIN, UNIT

Name = Annotated[str, Field(max_length=200)]
Traits = Annotated[list[Name], Field(max_length=20)]
#: Keys of a unit that hold a word of its rule set, or "" for none.
_WORDED = ("troop", "quality", "formation", "status", "rank")


class _Base(Row):
    x: Coordinate
    y: Coordinate
    facing: Degrees | None = None
    frontage: Size | None = None
    depth: Size | None = None
    radius: Size | None = None


class _Unit(Row):
    id: Id
    side: Id
    troop: Name
    name: Name
    formation: Name
    facing: Degrees
    quality: Name
    front: Annotated[int, Field(ge=1, le=100)] | None
    reference: Annotated[int, Field(ge=0, le=100)]
    status: Name
    parent: Id | None
    rank: Name
    linear: bool
    front_bases: Annotated[list[Annotated[int, Field(ge=0, le=100)]], Field(max_length=100)]
    marks: dict[str, Any]
    bases: Annotated[list[_Base], Field(min_length=1, max_length=100)]
    traits: Traits = Field(default_factory=list)


class _Piece(Row):
    id: Id
    kind: Annotated[str, OneOf("kind", every_kind())]
    movement: Annotated[str, OneOf("movement", MOVEMENT_CLASSES)]
    cover_fire: Annotated[str, OneOf("cover_fire", COVER_CLASSES)]
    cover_assault: Annotated[str, OneOf("cover_assault", COVER_CLASSES)]
    sight: Annotated[str, OneOf("sight", SIGHT_CLASSES)]
    see_through: Width
    level: Level | None
    width: Width
    name: Name
    shape: dict[str, Any]
    line: Annotated[list[Point], Field(min_length=2, max_length=MOST_POINTS)] | None
    traits: Traits = Field(default_factory=list)


class _Field(Row):
    crop: Annotated[str, OneOf("crop", CROPS)]
    outline: dict[str, Any]


class _Table(Row):
    unit: Annotated[str, OneOf("unit", ("in", "mm", "cm"))]
    width: Size
    height: Size
    scale: Annotated[float, Field(gt=0.0, le=100.0)]
    terrain: Annotated[list[_Piece], Field(max_length=MOST_ROWS)]
    fields: Annotated[list[_Field], Field(max_length=MOST_ROWS, default_factory=list)]


class _Arrival(ArrivalRow):
    facing: Degrees


class _Objective(ObjectiveRow):
    name: Name


class _Setup(GameRow):
    sides: Annotated[list[Id], Field(max_length=2)]
    turns: Turn | None
    arrivals: Annotated[list[_Arrival], Field(max_length=MOST_ROWS)]  # type: ignore[assignment]
    objectives: Annotated[list[_Objective], Field(max_length=MOST_ROWS)]  # type: ignore[assignment]


class _Opening(Row):
    rules: RulesName
    title: Name
    rulings: dict[str, Any]
    setup: _Setup
    table: _Table
    units: Annotated[list[_Unit], Field(max_length=MOST_ROWS)]
    awaited: Annotated[list[_Unit], Field(max_length=MOST_ROWS)]


def check_shape(data: Any) -> None:
    """Raise ValueError, in one line, if an opening lacks a key, has an unknown one, or a value of the wrong type."""
    try:
        _Opening.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "opening"
        raise ValueError(f"{clip(where)}: {clip(first['msg'], 200)}") from None


def check_meaning(battle: Battle) -> None:
    """Raise ValueError, in one line, for the first thing in an opening that no battle file could contain."""
    rules = rule_set.find(battle.rules)
    for fault in _faults(battle, rules):
        raise ValueError(fault)


def _faults(battle: Battle, rules: RuleSet) -> Iterator[str]:
    yield from _ids(battle)
    yield from _ground(battle, rules)
    yield from _rulings(battle, rules)
    yield from _setup(battle, rules)
    for unit in (*battle.units, *battle.awaited):
        yield from _unit(unit, battle, rules)
    yield from _places(battle)


def _ids(battle: Battle) -> Iterator[str]:
    units = [unit.id for unit in (*battle.units, *battle.awaited)]
    for noun, ids in (
        ("unit", units),
        ("piece of terrain", [piece.id for piece in battle.table.terrain]),
        ("objective", [objective.id for objective in battle.setup.objectives]),
    ):
        if twice := next((name for k, name in enumerate(ids) if name in ids[:k]), None):
            yield f"there are two of the {noun} '{clip(twice)}'"


def _ground(battle: Battle, rules: RuleSet) -> Iterator[str]:
    if battle.table.unit != rules.unit:
        yield f"{rules.title} is measured in '{rules.unit}', not '{battle.table.unit}'"
    for piece in battle.table.terrain:
        points = shapely.get_coordinates([piece.shape, piece.line])
        if not (np.isfinite(points).all() and np.all(np.abs(points) <= FARTHEST)):
            yield f"terrain '{piece.id}' has a point that lies nowhere"
        if not piece.shape.is_valid:
            yield f"terrain '{piece.id}' has a shape that crosses itself"
        if preset_of(piece.kind, rules.name) is None:
            yield f"terrain '{piece.id}' is of a kind that {rules.title} has not: '{clip(piece.kind)}'"
        yield from (f"terrain '{piece.id}': {text}" for _, text in trait_faults(piece.traits, rules, TERRAIN))


def _rulings(battle: Battle, rules: RuleSet) -> Iterator[str]:
    try:
        rules.ruling_values(battle.rulings)
    except (BadQuestion, TypeError) as error:
        yield str(error)


def _setup(battle: Battle, rules: RuleSet) -> Iterator[str]:
    setup = battle.setup
    units = (*battle.units, *battle.awaited)
    sides = sorted({unit.side for unit in units})
    named = [setup.attacker, *(objective.holder for objective in setup.objectives)]
    if setup.sides and (sorted(setup.sides) != sides or len(sides) != 2):
        yield "its sides are not the two its units are of"
    if stranger := next((side for side in named if side is not None and side not in sides), None):
        yield f"there is no side '{clip(stranger)}'"
    coming = sorted(name for arrival in setup.arrivals for name in arrival.units)
    if coming != sorted(unit.id for unit in battle.awaited):
        yield "those still to come are not those its arrivals name"
    for name, value in setup.options.items():
        yield from _option(name, value, sides, {unit.id for unit in units}, rules)


def _option(name: str, value: Any, sides: list[str], units: set[str], rules: RuleSet) -> Iterator[str]:
    option = rules.options.get(name)
    if option is None:
        yield f"there is no option '{clip(name)}' in {rules.title}"
        return
    by_unit = for_units(option)
    for who, single in each(option, value):
        if who is not None and who not in sides and not (by_unit and who in units):
            yield f"option '{name}': there is no side{' or unit' if by_unit else ''} '{clip(who)}'"
        elif fault := option.fault(single):
            yield f"option '{name}' cannot be {clip(single)}; {fault}"


# --- units -----------------------------------------------------------------------------------------------------------


def _unit(unit: Unit, battle: Battle, rules: RuleSet) -> Iterator[str]:
    for key in _WORDED:
        word = getattr(unit, key)
        if word and word not in rules.vocabulary.get(key, ()):
            yield f"unit '{unit.id}': there is no {key} '{clip(word)}'"
            return
    yield from (f"unit '{unit.id}': {text}" for _, text in trait_faults(unit.traits, rules, UNIT))
    parents = {other.id for other in (*battle.units, *battle.awaited)} - {unit.id}
    if unit.parent is not None and unit.parent not in parents:
        yield f"unit '{unit.id}': there is no unit '{clip(unit.parent)}' for it to belong to"
    if not all(index < unit.strength for index in (*unit.front_bases, unit.reference)):
        yield f"unit '{unit.id}' has no base of that number"
        return
    yield from _mustered(unit, battle, rules)


def _mustered(unit: Unit, battle: Battle, rules: RuleSet) -> Iterator[str]:
    """Yield why the rule set's muster refuses a unit, or how the unit it makes from the same entry differs."""
    try:
        mustered = rules.muster(_entry(unit), rules.ruling_values(battle.rulings))
    except MusterError as error:
        yield f"unit '{unit.id}': {error.key}: {error}"
        return
    for key in ("troop", "quality", "formation", "status", "rank", "linear", "strength", "front_bases", "traits"):
        if getattr(mustered, key) != getattr(unit, key):
            yield f"unit '{unit.id}': its {key.replace('_', ' ')} cannot be so"
    if [_size(a) for a in mustered.bases] != [_size(b) for b in unit.bases]:
        yield f"unit '{unit.id}': its bases are of another size"


def _size(base: Any) -> tuple[float, ...]:
    return (base.frontage, base.depth) if isinstance(base, Base) else (base.radius,)


def _entry(unit: Unit) -> dict[str, Any]:
    """Return a unit's entry as a file would have it at its present place, with all its bases facing alike."""
    entry: dict[str, Any] = {"id": unit.id, "side": unit.side, "troop": unit.troop, "at": unit.at}
    entry |= {key: word for key in ("quality", "rank") if (word := getattr(unit, key))}
    entry |= {} if unit.in_order else {"status": unit.status}
    entry |= {"traits": unit.traits} if unit.traits else {}
    first = unit.bases[0]
    if unit.is_general or not isinstance(first, Base):
        return entry
    entry |= {"bases": unit.strength, "base": (first.frontage, first.depth), "facing": unit.facing}
    entry |= {"formation": unit.formation} if unit.formation else {}
    entry |= {"front": unit.front} if unit.front is not None else {}
    return entry | ({"linear": True} if unit.linear else {})


def _places(battle: Battle) -> Iterator[str]:
    doc = without_places("opening", {})
    mustered = [(Entry(doc, [], {"id": unit.id}), unit) for unit in battle.units]
    faults: list[Fault] = []
    check_places(mustered, battle.table, faults)
    yield from (fault.text for fault in faults if not fault.warning)
