"""The opening of a saved game, checked as strictly as the files from which battles are read.

First the shape of the data is checked, then its meaning: words that its rule set knows, unique ids, parents that are
generals of the same side, units as its muster makes them (places, bases, marks), on the table and clear of each other.
Only openings written under the current versions of the rules are checked.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import numpy as np
import shapely
from pydantic import AfterValidator, ConfigDict, Field, ValidationError

from tabletop.battle.battle import Battle
from tabletop.battle.progress import Setup
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion, Fault
from tabletop.geometry.base import AnyBase, Base
from tabletop.geometry.layout import AHEAD
from tabletop.geometry.measure import GRID, snap_point, turn_between
from tabletop.geometry.terrain import COVER_CLASSES, CROPS, MOVEMENT_CLASSES, SIGHT_CLASSES
from tabletop.play.files.models import (
    FARTHEST,
    MOST_POINTS,
    MOST_ROWS,
    SQUARE,
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
    Tint,
    Turn,
    Width,
    one_line,
)
from tabletop.play.files.nearest_words import clip
from tabletop.play.files.starting_orders import misplaced
from tabletop.play.files.trait_words import trait_faults
from tabletop.play.files.unit_rows import Entry, check_parents, check_places
from tabletop.play.files.yaml_text import without_places
from tabletop.rules import rule_set
from tabletop.rules.common.base_losses import BEFORE
from tabletop.rules.common.keyed_option import each, for_units, given
from tabletop.rules.common.written_order import written_order
from tabletop.rules.rule_set import MusterError, RuleSet
from tabletop.rules.terrain_kinds import every_kind, preset_of
from tabletop.rules.traits import TERRAIN, UNIT

Name = Annotated[str, Field(max_length=200), AfterValidator(one_line)]
Traits = Annotated[list[Name], Field(max_length=20)]
#: The mark of a unit that is its army's colour, and the marks that no muster makes.
COLOUR = "colour"
UNMUSTERED = (COLOUR, BEFORE)
#: How far (table units) a base may be from where the muster places it: the rounding of sums, and for a column along a
#: track, of which only the joints on it are known, some steps of the grid. Directions may be off by ``DEGREES`` a unit.
ROUNDING, TRACKED = 1e-6, 8 / GRID
DEGREES = 100.0
#: Keys of a unit that hold a word of its rule set, or "" for none.
_WORDED = ("troop", "quality", "formation", "status", "rank")


class _Base(Row):
    x: Coordinate
    y: Coordinate
    facing: Degrees | None = None
    frontage: Size | None = None
    depth: Size | None = None
    radius: Size | None = None


class _Marks(Row):
    """Marks as the muster of the rule set sets them (``_unlike``), and the colour of an army."""

    model_config = ConfigDict(extra="allow")

    colour: Tint = "#000000"


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
    marks: _Marks
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
    north: Degrees = 0.0


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
    yield from _parents(battle, rules)
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
    yield from _losses_before(units, setup)


def _losses_before(units: Sequence[Unit], setup: Setup) -> Iterator[str]:
    """Yield the faults of what units lost before the battle, which the scenario's option adds up."""
    lost = Counter[str]()
    for unit in units:
        before = unit.marks.get(BEFORE, 0)
        if isinstance(before, bool) or not isinstance(before, int) or before < 0:
            yield f"unit '{unit.id}' cannot have lost {clip(before)} bases before the battle"
        else:
            lost[unit.side] += before
    for side, bases in lost.items():
        said = given(setup.options, BEFORE, side)
        if bases and bases > (said if isinstance(said, int) else 0):
            yield f"the units of {clip(side)} lost more bases before the battle than the option '{BEFORE}' says"


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
    if not all(index < unit.strength for index in (*unit.front_bases, unit.reference)):
        yield f"unit '{unit.id}' has no base of that number"
        return
    if wrong := misplaced(written_order(unit), battle.setup.objectives, battle.table):
        yield f"unit '{unit.id}': order: {wrong}"
    yield from _mustered(unit, battle, rules)


def _mustered(unit: Unit, battle: Battle, rules: RuleSet) -> Iterator[str]:
    """Yield why the rule set's muster makes no such unit: its refusal, or how the unit it makes is another.

    A unit does not keep all that its file said: whether it was placed by its centre or its front, bent, along a track,
    on a base of its own, over strength, or in a state that is a mark. One way to say it must make the unit.
    """
    rulings, entry = rules.ruling_values(battle.rulings), _entry(unit)
    first: list[str] | None = None
    for said, slack in _ways(unit, rules):
        values = {key: value for key, value in {**entry, **said}.items() if value is not None}
        try:
            found = list(_unlike(rules.muster(values, rulings), unit, slack))
        except MusterError as error:
            found = [f"{error.key}: {error}"]
        if not found:
            return
        first = found if first is None else first
    yield from (f"unit '{unit.id}': {text}" for text in first or ())


def _ways(unit: Unit, rules: RuleSet) -> Iterator[tuple[dict[str, Any], float]]:
    """Yield ways in which a file may have written a unit, the usual ones first, each with the slack of its places."""
    marked = (
        [{"status": word} for word in rules.vocabulary.get("status", ())] if set(unit.marks) - {*UNMUSTERED} else []
    )
    strong: dict[str, Any] = {"strength_override": True}
    ahead = any(abs(turn_between(unit.facing, base.facing)) < AHEAD for base in unit.fronts)
    front: dict[str, Any] = {"at": None, "front_mid": unit.front_mid} if ahead else {}
    for also in ({}, *marked, strong):
        yield also, ROUNDING
        yield {**also, **front}, ROUNDING
        yield {**also, "facing": unit.facing}, ROUNDING
        yield {**also, "base": SQUARE}, ROUNDING
        first = unit.bases[0]
        if not isinstance(first, Base):
            yield {**also, "base": (2 * first.radius, 2 * first.radius)}, ROUNDING
        bases = [base for base in unit.bases if isinstance(base, Base)]
        if len(bases) < unit.strength or unit.is_general:
            continue
        bend = [turn_between(unit.facing, base.facing) for base in bases]
        yield {**also, "bend": bend}, ROUNDING
        yield {**also, "bend": bend, **front}, ROUNDING
        joints = [bases[0].at_local(0.0, 0.0)]
        for base, behind in zip(bases, [*bases[1:], None], strict=True):
            joints += [base.at_local(0.0, -base.depth)] + ([behind.at_local(0.0, 0.0)] if behind else [])
        if math.dist(joints[0], snap_point(joints[0])) <= ROUNDING:
            yield {**also, "at": None, "facing": None, "track": joints}, TRACKED


def _unlike(mustered: Unit, unit: Unit, slack: float) -> Iterator[str]:
    """Yield how a unit differs from the one that was mustered from its entry, whose place is on the grid."""
    for key in ("troop", "quality", "formation", "status", "rank", "linear", "strength", "front", "front_bases"):
        if getattr(mustered, key) != getattr(unit, key):
            yield f"its {key.replace('_', ' ')} cannot be so"
    if (mustered.reference, mustered.traits) != (unit.reference, unit.traits):
        yield "its reference base or its traits cannot be so"
    marks, usual = ({k: repr(mark) for k, mark in one.marks.items() if k not in UNMUSTERED} for one in (unit, mustered))
    if marks != usual:
        odd = min(key for key in {*marks, *usual} if marks.get(key) != usual.get(key))
        yield f"it cannot begin with the mark '{clip(odd)}' so"
    if [_size(a) for a in mustered.bases] != [_size(b) for b in unit.bases]:
        yield "its bases are of another size"
        return
    pairs = list(zip(mustered.bases, unit.bases, strict=True))
    off = max(math.dist((a.x, a.y), (b.x, b.y)) for a, b in pairs)
    facings = [(a.facing, b.facing) for a, b in pairs if isinstance(a, Base) and isinstance(b, Base)]
    turned = max(abs(turn_between(a, b)) for a, b in [*facings, (mustered.facing, unit.facing)])
    if off > slack or turned > slack * DEGREES:
        yield "its bases do not stand as in its formation, on the grid of places"


def _size(base: AnyBase) -> tuple[float, ...]:
    return (base.frontage, base.depth) if isinstance(base, Base) else (base.radius,)


def _entry(unit: Unit) -> dict[str, Any]:
    """Return a unit's entry as a file would have it at its present place, with all its bases facing alike."""
    entry: dict[str, Any] = {"id": unit.id, "side": unit.side, "troop": unit.troop, "at": unit.at}
    entry |= {"parent": unit.parent, "name": unit.name or None}
    entry |= {key: word for key in ("quality", "rank") if (word := getattr(unit, key))}
    entry |= {} if unit.in_order else {"status": unit.status}
    entry |= {"traits": unit.traits} if unit.traits else {}
    entry |= {"order": order} if (order := written_order(unit)) else {}
    first = unit.bases[0]
    if unit.is_general or not isinstance(first, Base):
        return entry
    entry |= {"bases": unit.strength, "base": (first.frontage, first.depth), "facing": unit.facing}
    entry |= {"formation": unit.formation} if unit.formation else {}
    entry |= {"reference": unit.reference} if unit.reference else {}
    entry |= {"front": unit.front} if unit.front is not None else {}
    return entry | ({"linear": True} if unit.linear else {})


def _parents(battle: Battle, rules: RuleSet) -> Iterator[str]:
    """Yield the faults of a file whose units belong to the same units."""
    rows = [
        {"id": unit.id, "side": unit.side, "troop": unit.troop} | ({"parent": unit.parent} if unit.parent else {})
        for unit in (*battle.units, *battle.awaited)
    ]
    doc, faults = without_places("opening", {"units": rows}), list[Fault]()
    check_parents([Entry(doc, ["units", k], row) for k, row in enumerate(rows)], rules, faults)
    yield from (fault.text for fault in faults)


def _places(battle: Battle) -> Iterator[str]:
    doc = without_places("opening", {})
    mustered = [(Entry(doc, [], {"id": unit.id}), unit) for unit in battle.units]
    faults: list[Fault] = []
    check_places(mustered, battle.table, faults)
    yield from (fault.text for fault in faults if not fault.warning)
