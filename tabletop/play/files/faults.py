"""Pydantic's validation errors as lines that a wargamer can act on: where, what, and the cure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from tabletop.errors import Fault
from tabletop.play.files.nearest_words import clip, did_you_mean
from tabletop.play.files.yaml_text import Document, Step
from tabletop.rules import rule_set
from tabletop.rules.rule_set import RuleSet
from tabletop.rules.terrain_kinds import kinds_of
from tabletop.rules.traits import TERRAIN, UNIT, traits_of

#: A number written with a decimal comma.
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
Model = TypeVar("Model", bound=BaseModel)

#: The most faults shown for one set of files.
MOST_SHOWN = 200

#: What messages call the rows of a list.
_ROWS = {"terrain": "piece", "fields": "field", "units": "unit", "place": "place of unit"}
#: The same for lists inside the block "game".
_GAME_ROWS = {"arrivals": "arrival", "objectives": "objective"}
#: How each key is written, for messages about a missing or misshapen one.
_EXAMPLES = {
    "format": "format: tabletop-scene/1",
    "title": "title: Wood and ridge",
    "rules": "rules: tse",
    "table": "table: {unit: in, width: 72, height: 48}",
    "unit": "unit: in",
    "width": "width: 72",
    "height": "height: 48",
    "id": "id: kempt",
    "kind": "kind: woods",
    "crop": "crop: rye",
    "side": "side: allied",
    "troop": "troop: infantry",
    "map": "map: maps/quatre-bras.yaml",
    "armies": "armies: [armies/tse/french-1815.yaml]",
    "joins": "joins: armies/tse/allied-quatre-bras.yaml",
    "outline": "outline: [[10, 4], [16, 5], [15, 12]]",
    "line": "line: [[28, 18], [36, 16]]",
    "at": "at: [30, 20]",
    "front_mid": "front_mid: [30, 20]",
    "size": "size: [2, 1.5]",
    "track": "track: [[30, 20], [30, 24]]",
    "base": "base: [1, 0.75]",
    "bend": "bend: [0, 0, 10, 20]",
    "facing": "facing: 180",
    "game": "game: {attacker: french, turns: 6}",
    "attacker": "attacker: french",
    "turns": "turns: 6",
    "turn": "turn: 2",
    "starts": 'starts: "15:30"',
    "options": "options: {initiative: division}",
    "arrivals": "arrivals: [{units: [halkett], turn: 2, at: [0, 34]}]",
    "along": "along: [[3, 33], [7, 32]]",
    "objectives": "objectives: [{id: crossroads, at: [14, 29], radius: 2, points: 3}]",
    "radius": "radius: 2",
    "points": "points: 3",
    "holder": "holder: allied",
    "rulings": "rulings: {thin_wood_transparent: true}",
    "case": '"case": "g01"',
    "expect": '"expect": {"allowed": true}',
    "name": "name: Kempt",
    "quality": "quality: veteran",
    "formation": "formation: deployed",
    "front": "front: 2",
    "status": "status: ok",
    "reference": "reference: 0",
    "parent": "parent: picton",
    "order": "order: {stance: hold, at: [30, 20]}",
    "stance": "stance: hold",
    "rank": "rank: corps",
    "bases": "bases: 4",
    "lost": "lost: 2",
    "strength_override": "strength_override: true",
    "linear": "linear: true",
    "level": "level: 1",
    "traits": "traits: [works]",
    "cover_fire": "cover_fire: soft",
    "cover_assault": "cover_assault: soft",
    "sight": "sight: tall",
    "see_through": "see_through: 3",
    "units": "units: [halkett]",
    "rows": "units: [{id: kempt, troop: infantry, ...}]",
    "colour": "colour: '#a8322a'",
    "date": "date: 16 June 1815",
    "time": "time: half past three",
    "notes": "notes: Drawn from the survey of 1815.",
    "credits": "credits: Drawn by the club.",
    "terrain": "terrain: [{id: wood, kind: woods, outline: [[10, 4], [16, 5], [15, 12]]}]",
    "fields": "fields: [{crop: rye, outline: [[10, 4], [16, 5], [15, 12]]}]",
    "place": "place: [{id: kempt, at: [30, 20], facing: 180}]",
}
#: Width and height of a usual table, in each unit of length.
_TABLES = {"in": (72, 48), "cm": (180, 120), "mm": (1800, 1200)}
#: Keys that belong in another file, with the sentence that says in which, for a file of each format.
_INLINE = "a scene has its {0} inline; a file with 'map' and 'armies' says 'format: tabletop-scenario/1'"
_NAMED = "a scenario takes its {0} from its map; ground inline needs 'format: tabletop-scene/1'"
_GROUND_ALONE = "a map has its ground alone; units and the game belong in a scenario or a scene"
_UNITS_ALONE = "an army has its units alone; ground and the game belong in a scenario or a scene"
_PLACED = "the units of a scene say themselves where they stand: units: [{id: kempt, at: [30, 20], ...}]"
_PLACES = "a scenario says under 'place' where the units of its armies stand: place: [{id: kempt, at: [30, 20]}]"
_OF_ARMIES = ("units", "armies", "place", "game", "rulings", "map")
_OF_GROUND = ("table", "terrain", "fields", "place", "game", "rulings", "map", "armies")
_ELSEWHERE: dict[str, dict[str, str]] = {
    "tabletop-map/1": dict.fromkeys(_OF_ARMIES, _GROUND_ALONE),
    "tabletop-army/1": dict.fromkeys(_OF_GROUND, _UNITS_ALONE),
    "tabletop-scene/1": {"map": _INLINE.format("ground"), "armies": _INLINE.format("units"), "place": _PLACED},
    "tabletop-scenario/1": {**{key: _NAMED.format(key) for key in ("table", "terrain", "fields")}, "units": _PLACES},
}


def checked(doc: Document, model: type[Model], data: Any, steps: Sequence[Step], faults: list[Fault]) -> Model | None:
    """Return ``data`` as a ``model``; None, with every fault added to ``faults``, if it is not valid."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        rows = error.errors(include_url=False, include_context=True)
        faults.extend(_fault(doc, model, steps, row) for row in rows)
        return None


def remains(model: type[Model], data: Any) -> Model | None:
    """Return a faulty row without the keys at fault, so that it can be checked further; None if nothing is left."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        bad = {row["loc"][0] for row in error.errors(include_url=False) if row["loc"]}
        if not isinstance(data, Mapping) or not bad & data.keys():
            return None
        return remains(model, {key: value for key, value in data.items() if key not in bad})


def subject(doc: Document, steps: Sequence[Step]) -> str:
    """Return the subject of a message: "unit 'kempt': " for a row of a list, nothing at the top of a file."""
    data, names, steps = doc.data, _ROWS, list(steps)
    if steps[:1] == ["game"] and isinstance(data["game"], Mapping):
        data, names, steps = data["game"], _GAME_ROWS, steps[1:]
    if len(steps) < 2 or steps[0] not in names:
        return ""
    row = data[steps[0]][steps[1]]
    name = row.get("id") if isinstance(row, dict) else None
    noun = names[str(steps[0])]
    return f"{noun} '{clip(name, 40)}': " if isinstance(name, str) else f"{noun} {int(steps[1]) + 1}: "


def _fault(doc: Document, model: type[BaseModel], steps: Sequence[Step], row: Mapping[str, Any]) -> Fault:
    where = [*steps, *row["loc"]]
    kind = str(row["type"])
    key = next((str(step) for step in reversed(row["loc"]) if isinstance(step, str)), "")
    text = _SAYINGS.get(kind, _whatever)(key, row, _siblings(model, row["loc"]), rules_of(doc))
    misplaced = kind in ("missing", "extra_forbidden")
    return doc.fault(where, subject(doc, where) + text, key=misplaced)


def _siblings(model: type[BaseModel], loc: Sequence[Step]) -> list[str]:
    """Return the keys that may stand where the last of ``loc`` stands."""
    return list(_model_at(model, loc[:-1]).model_fields)


def _model_at(model: type[BaseModel], loc: Sequence[Step]) -> type[BaseModel]:
    """Return the model of the block of keys that ``loc`` leads to."""
    for step in loc:
        field = model.model_fields.get(str(step))
        model = next(_models_in(getattr(field, "annotation", None)), model)
    return model


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """Yield the models a field may hold, in lists and alternatives too."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)


def rules_of(doc: Document) -> RuleSet | None:
    """Return the rule set a file names; None if it names none that there is."""
    name = doc.data.get("rules") if isinstance(doc.data, Mapping) else None
    return rule_set.find(name) if isinstance(name, str) and name in rule_set.NAMES else None


def example(key: str, rules: RuleSet | None = None) -> str:
    """Return the cure for a missing or misshapen key: an example of it, in the words of a rule set if it is known."""
    written = (None if rules is None else _example_by(rules, key)) or _EXAMPLES.get(key)
    return f"write e.g. '{written}'" if written else f"write '{key}: ...'"


def _example_by(rules: RuleSet, key: str) -> str | None:
    """Return the example of a key whose words or unit of length belong to the rule set; None for other keys."""
    width, height = _TABLES[rules.unit]
    if key == "rows":
        return f"units: [{{id: a, troop: {rules.vocabulary['troop'][0]}, ...}}]"
    if key in (UNIT, TERRAIN):
        return f"traits: [{next(iter(traits_of(rules, key)), 'word')}]"
    words: dict[str, Sequence[Any]] = {
        **rules.vocabulary,
        "kind": kinds_of(rules),
        "unit": (rules.unit,),
        "rules": (rules.name,),
        "bases": () if rules.vessel is RuleSet.vessel else (1,),
        "armies": (f"[armies/{rules.name}/red.yaml, armies/{rules.name}/blue.yaml]",),
        "table": (f"{{unit: {rules.unit}, width: {width}, height: {height}}}",),
        "width": (width,),
        "height": (height,),
        "options": [f"{{{name}: {_word(option.default)}}}" for name, option in rules.options.items() if option.values],
        "rulings": [f"{{{name}: {_word(ruling.default)}}}" for name, ruling in rules.rulings.items()],
    }
    return f"{key}: {words[key][0]}" if words.get(key) else None


def _word(value: object) -> str:
    """Return a value as written in a file."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _given(value: object) -> str:
    """Return the name of a value for messages."""
    if isinstance(value, bool):
        return f"'{str(value).lower()}'"
    if value is None:
        return "nothing"
    if isinstance(value, (list, tuple)):
        return "a list"
    if isinstance(value, dict):
        return "a block of keys"
    return f"the text '{clip(value)}'" if isinstance(value, str) else clip(value)


_Saying = Callable[[str, Mapping[str, Any], Sequence[str], RuleSet | None], str]


def _whatever(key: str, row: Mapping[str, Any], keys: Sequence[str], rules: RuleSet | None) -> str:
    return f"{key}: {clip(row['msg'], 200)}; {example(key, rules)}"


def _missing(key: str, row: Mapping[str, Any], keys: Sequence[str], rules: RuleSet | None) -> str:
    return f"'{clip(key)}' is missing; {example(_shown(key, keys), rules)}"


def _unknown(key: str, row: Mapping[str, Any], keys: Sequence[str], rules: RuleSet | None) -> str:
    if "format" in keys and (elsewhere := _ELSEWHERE.get(_format_with(keys), {}).get(key)):
        return f"'{key}' does not belong here: {elsewhere}"
    return f"no key '{clip(key)}' here; {did_you_mean(key, keys)}"


def _format_with(keys: Sequence[str]) -> str:
    """Return the format of a file whose keys these are."""
    if "armies" in keys:
        return "tabletop-scenario/1"
    if "units" not in keys:
        return "tabletop-map/1"
    return "tabletop-scene/1" if "table" in keys else "tabletop-army/1"


def _number(key: str, row: Mapping[str, Any], keys: Sequence[str], rules: RuleSet | None) -> str:
    wanted = "a whole number" if row["type"] == "int_type" or row["type"] == "int_from_float" else "a number"
    if isinstance(row["input"], int) and not isinstance(row["input"], bool):
        return f"{key}: {clip(row['input'], 30)} is far too large; {example(key, rules)}"
    if isinstance(row["input"], str) and _DECIMAL_COMMA.fullmatch(row["input"].strip()):
        point = row["input"].strip().replace(",", ".")
        return f"{key}: decimals are written with a point: write {point}, not {row['input'].strip()}"
    return f"{key} must be {wanted}, not {_given(row['input'])}; {example(key, rules)}"


def _finite(key: str, row: Mapping[str, Any], keys: Sequence[str], rules: RuleSet | None) -> str:
    return f"{key}: {row['input']} is no number to measure with; write a plain one"


def _bound(key: str, row: Mapping[str, Any], keys: Sequence[str], rules: RuleSet | None) -> str:
    (word, limit), *_ = [(w, row["ctx"][k]) for k, w in _BOUNDS.items() if k in row["ctx"]]
    shown = f"{row['input']:g}" if isinstance(row["input"], float) else clip(row["input"], 30)
    return f"{key}: {shown} is out of bounds; it must be {word} {limit:g}"


def _text(key: str, row: Mapping[str, Any], keys: Sequence[str], rules: RuleSet | None) -> str:
    if isinstance(row["input"], (bool, int, float)) and key != "starts":
        return f"{key} must be text, not {_given(row['input'])}; put it in quotes: {key}: '{clip(row['input'], 30)}'"
    return f"{key} must be text, not {_given(row['input'])}; {example(key, rules)}"


def _text_length(key: str, row: Mapping[str, Any], keys: Sequence[str], rules: RuleSet | None) -> str:
    if row["type"] == "string_too_short":
        return f"{key} is empty; {example(key, rules)}"
    return f"{key} has {len(row['input'])} characters; the most is {row['ctx']['max_length']}; shorten it"


def _truth(key: str, row: Mapping[str, Any], keys: Sequence[str], rules: RuleSet | None) -> str:
    return f"{key} must be true or false, not {_given(row['input'])}"


def _list(key: str, row: Mapping[str, Any], keys: Sequence[str], rules: RuleSet | None) -> str:
    return f"{key} must be a list, not {_given(row['input'])}; {example(_shown(key, keys), rules)}"


def _shown(key: str, keys: Sequence[str]) -> str:
    """Return the key whose example is shown: ``units`` are rows at the top of a file, and ids in an arrival.

    The traits of units are others than those of terrain.
    """
    if key == "traits":
        return TERRAIN if "kind" in keys else UNIT
    return "rows" if key == "units" and "format" in keys else key


def _pair(key: str, row: Mapping[str, Any], keys: Sequence[str], rules: RuleSet | None) -> str:
    if key in ("size", "base"):
        return f"{key} must be two numbers, [frontage, depth], not {_given(row['input'])}; {example(key, rules)}"
    return f"{key}: a point is two numbers, [x, y], not {_given(row['input'])}; {example(key, rules)}"


def _pair_length(key: str, row: Mapping[str, Any], keys: Sequence[str], rules: RuleSet | None) -> str:
    context = row["ctx"]
    if context.get("field_type") == "Tuple":
        count = context["actual_length"]
        hint = "; decimals are written with a point: 1.5, not 1,5" if count in (3, 4) else ""
        return f"{key}: {count} numbers where two belong; {example(key, rules)}{hint}"
    few = row["type"] == "too_short"
    count, limit = (context["actual_length"], context["min_length" if few else "max_length"])
    entries = "1 entry" if count == 1 else f"{count} entries"
    return f"{key} has {entries}; it needs at {'least' if few else 'most'} {limit}; {example(_shown(key, keys), rules)}"


def _missing_part(key: str, row: Mapping[str, Any], keys: Sequence[str], rules: RuleSet | None) -> str:
    """Return the message that a key, or one number of a pair, is missing."""
    if isinstance(row["loc"][-1], int):
        return f"{key}: one number where two belong; {example(key, rules)}"
    return _missing(key, row, keys, rules)


def _block(key: str, row: Mapping[str, Any], keys: Sequence[str], rules: RuleSet | None) -> str:
    if key:
        return f"{key} must be a block of keys, not {_given(row['input'])}; {example(key, rules)}"
    shown = [name for name in keys if name in ("id", "kind", "side", "troop")]
    return (
        f"must be a row of keys, not {_given(row['input'])}; write e.g. '{{{', '.join(f'{k}: ...' for k in shown)}}}'"
    )


def _not_text(key: str, row: Mapping[str, Any], keys: Sequence[str], rules: RuleSet | None) -> str:
    return f"{key} holds characters that are not text; take them out"


def _own(key: str, row: Mapping[str, Any], keys: Sequence[str], rules: RuleSet | None) -> str:
    return str(row["msg"])


def _literal(key: str, row: Mapping[str, Any], keys: Sequence[str], rules: RuleSet | None) -> str:
    return f"{key}: {_given(row['input'])} is not {row['ctx']['expected']}"


_BOUNDS = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
_SAYINGS: dict[str, _Saying] = {
    "missing": _missing_part,
    "extra_forbidden": _unknown,
    "float_type": _number,
    "int_type": _number,
    "int_from_float": _number,
    "finite_number": _finite,
    "greater_than": _bound,
    "greater_than_equal": _bound,
    "less_than": _bound,
    "less_than_equal": _bound,
    "string_type": _text,
    "string_too_short": _text_length,
    "string_too_long": _text_length,
    "string_unicode": _not_text,
    "bool_type": _truth,
    "list_type": _list,
    "tuple_type": _pair,
    "too_short": _pair_length,
    "too_long": _pair_length,
    "dict_type": _block,
    "model_type": _block,
    "model_attributes_type": _block,
    "word": _own,
    "identifier": _own,
    "literal_error": _literal,
}
