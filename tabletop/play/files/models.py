"""The shape of every file a wargamer writes: maps, armies, scenarios and scenes.

Models say which keys there are and what type and size each value has. What the words mean on a table is decided for
terrain in ``terrain_rows.py`` and for units by the rule set's own muster (``unit_rows.py``). The JSON Schemas in
``schema/`` are written from these models.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    Strict,
    WithJsonSchema,
    WrapValidator,
)
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from tabletop.geometry.terrain import COVER_CLASSES, CROPS, MOVEMENT_CLASSES, SIGHT_CLASSES
from tabletop.play.files.nearest_words import clip, one_of
from tabletop.play.files.yaml_text import UNPRINTABLE
from tabletop.rules import registry, rule_set
from tabletop.rules.terrain_kinds import every_kind
from tabletop.rules.traits import TERRAIN, UNIT, traits_of

#: Bounds beyond which a number is a typing error: ten metres of table, and twice that for things beyond its edge.
LARGEST_TABLE = 10_000.0
FARTHEST = 20_000.0
MOST_POINTS = 2_000
MOST_ROWS = 1_000

_HOUR = re.compile(r"([01]?[0-9]|2[0-3]):[0-5][0-9]\Z")
_TINT = re.compile(r"#[0-9a-fA-F]{6}\Z")
_ID = re.compile(r"[^\s,;:'\"{}\[\]|<>&-][^\s,;:'\"{}\[\]|<>&]*\Z")


def _identifier(value: str) -> str:
    if not _ID.match(value):
        text = "'{given}' cannot be an id; use letters, digits, '-', '_' or '.', without spaces: '{better}'"
        better = re.sub(r"[^\w.]+", "-", value).strip("-") or "kempt"
        raise PydanticCustomError("identifier", text, {"given": value, "better": better})
    return value


def one_line(value: str) -> str:
    """Return ``value`` if it is one line that can be printed; else raise the error that a file's fault is made from."""
    if UNPRINTABLE.search(value) or "\n" in value.rstrip("\n"):
        text = "'{given}' is not one line that can be printed; take line breaks and escapes out"
        raise PydanticCustomError("word", text, {"given": clip(value)})
    return value


@dataclass(frozen=True)
class OneOf:
    """Marks a text that must be one of certain words; for any other the message suggests the nearest."""

    key: str
    words: tuple[str, ...]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.words)}

    def _check(self, value: str) -> str:
        if value not in self.words:
            raise PydanticCustomError("word", "{text}", {"text": one_of(self.key, value, self.words)})
        return value


@cache
def _vocabulary(key: str) -> tuple[str, ...]:
    """Return the words that any rule set that can be loaded accepts for a unit's key."""
    words = [word for rules in registry.loadable() for word in rules.vocabulary.get(key, ())]
    return tuple(dict.fromkeys(words))


@dataclass(frozen=True)
class Suggested:
    """Marks a text whose words the rule set checks; editors are offered those of every rule set."""

    key: str

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"type": "string", "enum": list(_vocabulary(self.key))}


@dataclass(frozen=True)
class SuggestedTrait:
    """Marks a text that the rule set checks as a trait of units or of terrain; editors are offered those there are."""

    what: str

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        words = dict.fromkeys(word for rules in registry.loadable() for word in traits_of(rules, self.what))
        return {"type": "string", **({"enum": list(words)} if words else {})}


Id = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(_identifier)]
Title = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(one_line)]
Notes = Annotated[str, Field(max_length=20_000)]
Coordinate = Annotated[float, Field(ge=-FARTHEST, le=FARTHEST)]
Size = Annotated[float, Field(gt=0.0, le=LARGEST_TABLE)]
Width = Annotated[float, Field(ge=0.0, le=LARGEST_TABLE)]
Degrees = Annotated[float, Field(ge=-360.0, le=360.0)]
Level = Annotated[int, Field(ge=0, le=20)]
Point = Annotated[tuple[Coordinate, Coordinate], Strict(False)]
Sizes = Annotated[tuple[Size, Size], Strict(False)]


#: The size of a base that is as deep as it is wide.
SQUARE = "square"


def _square_or_sizes(value: Any, handler: Callable[[Any], Any]) -> Any:
    return value if value == SQUARE else handler(value)


BaseSize = Annotated[
    Sizes,
    WrapValidator(_square_or_sizes),
    WithJsonSchema(
        {
            "anyOf": [
                {"const": SQUARE},
                {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
            ]
        }
    ),
]
Outline = Annotated[list[Point], Field(min_length=3, max_length=MOST_POINTS)]
Line = Annotated[list[Point], Field(min_length=2, max_length=MOST_POINTS)]
RulesName = Annotated[str, OneOf("rule set", rule_set.NAMES)]
Rulings = dict[str, Any]
Turn = Annotated[int, Field(ge=1, le=1_000)]
UnitTraits = Annotated[list[Annotated[str, SuggestedTrait(UNIT)]], Field(min_length=1, max_length=20)]
TerrainTraits = Annotated[list[Annotated[str, SuggestedTrait(TERRAIN)]], Field(min_length=1, max_length=20)]


class Row(BaseModel):
    """Base of everything with keys: unknown keys are refused, and values are not converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False, defer_build=True)


class TableRow(Row):
    """The table: its unit of length and its size."""

    unit: Annotated[str, OneOf("unit", ("in", "mm", "cm"))] = Field(
        description="in, mm or cm: what every length of the file is in"
    )
    width: Size = Field(description="from west to east")
    height: Size = Field(description="from south to north")
    north: Degrees = Field(default=0.0, description="where true north lies, in degrees clockwise from the top")


class TerrainRow(Row):
    """One piece of terrain: a preset kind, its shape, and single keys that override the preset."""

    id: Id = Field(description="what verdicts call it: letters, digits and '-'")
    kind: Annotated[str, OneOf("kind", every_kind())] = Field(description="a preset; the keys below override it")
    name: Title | None = Field(None, description="what pictures and sentences call it; the id unless given")
    outline: Outline | None = Field(None, description="corners of an area, in order round its edge")
    line: Line | None = Field(None, description="points along a line")
    width: Width | None = Field(None, description="of a line")
    at: Point | None = Field(None, description="centre of a box")
    size: Sizes | None = Field(None, description="frontage and depth of a box")
    facing: Degrees | None = Field(None, description="of a box, in degrees clockwise from north")
    level: Level | None = Field(None, description="a hill: the level of this contour; else of the ground it stands on")
    movement: Annotated[str, OneOf("movement", MOVEMENT_CLASSES)] | None = Field(
        None, description="what it does to who enters it"
    )
    cover_fire: Annotated[str, OneOf("cover_fire", COVER_CLASSES)] | None = Field(None, description="cover from fire")
    cover_assault: Annotated[str, OneOf("cover_assault", COVER_CLASSES)] | None = Field(
        None, description="cover in an assault"
    )
    sight: Annotated[str, OneOf("sight", SIGHT_CLASSES)] | None = Field(
        None, description="what it does to sight across it"
    )
    see_through: Width | None = Field(None, description="how far sight reaches into it when an end stands inside")
    traits: TerrainTraits | None = Field(None, description="what else it is, in words of the rule set")
    notes: Notes | None = None


class FieldRow(Row):
    """A field, which is only drawn and has no effect."""

    crop: Annotated[str, OneOf("crop", CROPS)] = Field(description="what grows on it: it has no effect")
    outline: Outline = Field(description="corners, in order round its edge")
    notes: Notes | None = None


class OrderRow(Row):
    """What a unit is ordered to do when the battle begins, and where."""

    stance: Annotated[str, Suggested("stance")] = Field(description="what to do")
    objective: Id | None = Field(None, description="where: an objective of the scenario, by its id")
    at: Point | None = Field(None, description="where: a point; may stand instead of objective")


class PlacedRow(Row):
    """Where and how a unit stands."""

    at: Point | None = Field(None, description="centre-point: the mean of the base centres")
    front_mid: Point | None = Field(None, description="middle of the front edge; may stand instead of at")
    facing: Degrees | None = Field(None, description="degrees clockwise from north")
    formation: Annotated[str, Suggested("formation")] | None = None
    front: Annotated[int, Field(ge=1, le=100)] | None = Field(None, description="bases in a column's front rank")
    status: Annotated[str, Suggested("status")] | None = None
    bend: Annotated[list[Degrees], Field(min_length=1, max_length=100)] | None = Field(
        None, description="degrees of each base against the reference base, left to right"
    )
    track: Annotated[list[Point], Field(min_length=2, max_length=1000)] | None = Field(
        None, description="points a snaking column follows, head first"
    )
    reference: Annotated[int, Field(ge=0, le=100)] | None = Field(
        None, description="number of the reference base, from 0, front rank left to right"
    )
    order: OrderRow | None = Field(None, description="its order at the start; a general's is for all under him too")
    notes: Notes | None = None


class PlaceRow(PlacedRow):
    """Where a unit of one of a scenario's armies stands."""

    id: Id


class UnitRow(PlacedRow):
    """A unit: its troops and, in a scene or an army that is already deployed, its place."""

    id: Id = Field(description="what the judge is asked by: letters, digits and '-'")
    name: Title | None = Field(None, description="what pictures and sentences call it; the id unless given")
    side: Id | None = Field(None, description="whose it is; an army gives it for all its units")
    parent: Id | None = Field(None, description="id of the general or formation it belongs to")
    troop: Annotated[str, Suggested("troop")]
    quality: Annotated[str, Suggested("quality")] | None = None
    rank: Annotated[str, Suggested("rank")] | None = Field(None, description="of a general")
    bases: Annotated[int, Field(ge=1, le=100)] | None = Field(None, description="how many bases it has: its strength")
    lost: Annotated[int, Field(ge=0, le=99)] | None = Field(
        None, description="how many of these bases it lost before the battle; it stands with the others"
    )
    base: BaseSize | None = Field(None, description="frontage and depth of one base; 'square' for a general")
    strength_override: bool | None = Field(None, description="true lifts the usual limits on the number of bases")
    linear: bool | None = Field(None, description="true for armies that assault in line")
    traits: UnitTraits | None = Field(None, description="what else it is, in words of the rule set")


class SceneUnitRow(UnitRow):
    """A unit of a scene, which names its side."""

    side: Id


def _hour(value: str) -> str:
    if not _HOUR.match(value):
        raise PydanticCustomError(
            "word", "starts: '{given}' is no time of day; write e.g. 'starts: \"15:30\"'", {"given": value}
        )
    return value


def _tint(value: str) -> str:
    if not _TINT.match(value):
        raise PydanticCustomError(
            "word", "colour: '{given}' is no colour; write e.g. 'colour: \"#a8322a\"'", {"given": value}
        )
    return value


Tint = Annotated[str, AfterValidator(_tint)]


class ArrivalRow(Row):
    """Units that come on to the table in the course of the battle."""

    units: Annotated[list[Id], Field(min_length=1, max_length=MOST_ROWS)] = Field(description="who comes, by id")
    turn: Turn = Field(description="the first turn in which they may come on")
    at: Point = Field(description="point of the table's edge where the head of the column enters")
    facing: Degrees | None = Field(None, description="which way they look there; straight in unless given")
    along: Annotated[list[Point], Field(max_length=MOST_POINTS)] = Field(
        [], description="points of the road they follow from there"
    )
    notes: Notes | None = None


class ObjectiveRow(Row):
    """Ground worth holding."""

    id: Id
    name: Title | None = Field(None, description="what reports call it; the id unless given")
    at: Point = Field(description="its middle")
    radius: Size = Field(description="how near one must stand to hold it")
    points: Annotated[float, Field(ge=0.0, le=1_000.0)] = Field(1.0, description="what it is worth at the end")
    holder: Id | None = Field(None, description="the side that holds it at the start")


class GameRow(Row):
    """What a battle needs beyond the positions: the attacker, the length, the reinforcements, the objectives."""

    attacker: Id | None = Field(None, description="the attacking side, for the whole battle")
    turns: Turn | None = Field(None, description="how many turns are played at the most")
    starts: Annotated[str, AfterValidator(_hour)] | None = Field(None, description="hour of the first turn: '15:30'")
    options: dict[str, Any] = Field({}, description="the rule set's own, by name")
    arrivals: Annotated[list[ArrivalRow], Field(max_length=MOST_ROWS)] = []
    objectives: Annotated[list[ObjectiveRow], Field(max_length=MOST_ROWS)] = []
    notes: Notes | None = None


class MapFile(Row):
    """A map: the ground alone."""

    format: Literal["tabletop-map/1"]
    title: Title
    rules: RulesName | None = Field(None, description="by which it is drawn and measured alone, where several fit")
    table: TableRow
    terrain: Annotated[list[TerrainRow], Field(max_length=MOST_ROWS)] = []
    fields: Annotated[list[FieldRow], Field(max_length=MOST_ROWS)] = Field(
        [], description="fields as pictures show them, without effect; none are thought up where there are some"
    )
    credits: Notes | None = None
    notes: Notes | None = None


class ArmyFile(Row):
    """An army: the troops of one side, deployed or not."""

    format: Literal["tabletop-army/1"]
    title: Title
    side: Id
    rules: RulesName
    units: Annotated[list[UnitRow], Field(max_length=MOST_ROWS)]
    colour: Tint | None = Field(
        None, description="'#rrggbb': a stripe on its units in pictures, behind the front edge; the side keeps its own"
    )
    joins: Title | None = Field(None, description="an army file whose generals these units may belong to")
    credits: Notes | None = None
    notes: Notes | None = None


class ScenarioFile(Row):
    """A scenario: armies on a map."""

    format: Literal["tabletop-scenario/1"]
    title: Title
    rules: RulesName
    map: Title = Field(description="a map file, from the project folder: maps/quatre-bras.yaml")
    armies: Annotated[list[Title], Field(min_length=1, max_length=20)] = Field(
        description="army files, from the project folder: [armies/tse/french-1815.yaml]"
    )
    place: Annotated[list[PlaceRow], Field(max_length=MOST_ROWS)] = Field([], description="where units stand, by id")
    game: GameRow | None = Field(None, description="how the battle is played: who attacks, how long, who still comes")
    rulings: Rulings = Field({}, description="departures from the default rulings, by name: 'tabletop rulings'")
    date: Title | None = None
    time: Title | None = None
    credits: Notes | None = None
    notes: Notes | None = None


class SceneFile(Row):
    """A scene: ground and troops in one file, such as a dispute from a real table."""

    format: Literal["tabletop-scene/1"]
    title: Title
    rules: RulesName
    table: TableRow
    terrain: Annotated[list[TerrainRow], Field(max_length=MOST_ROWS)] = []
    fields: Annotated[list[FieldRow], Field(max_length=MOST_ROWS)] = Field(
        [], description="fields as pictures show them, without effect; none are thought up where there are some"
    )
    units: Annotated[list[SceneUnitRow], Field(max_length=MOST_ROWS)] = []
    game: GameRow | None = Field(None, description="how the battle is played: who attacks, how long, who still comes")
    rulings: Rulings = Field({}, description="departures from the default rulings, by name: 'tabletop rulings'")
    date: Title | None = None
    time: Title | None = None
    credits: Notes | None = None
    notes: Notes | None = None


FILES: dict[str, type[MapFile] | type[ArmyFile] | type[ScenarioFile] | type[SceneFile]] = {
    "tabletop-map/1": MapFile,
    "tabletop-army/1": ArmyFile,
    "tabletop-scenario/1": ScenarioFile,
    "tabletop-scene/1": SceneFile,
}
