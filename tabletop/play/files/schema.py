"""The JSON Schemas of the file formats, for editors that complete and check while the user types."""

from __future__ import annotations

import copy
import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from tabletop.play.files.models import FILES
from tabletop.rules import registry
from tabletop.rules.rule_set import RuleSet
from tabletop.rules.terrain_kinds import kinds_of
from tabletop.rules.traits import TERRAIN, UNIT, traits_of


def schemas(files: Mapping[str, type[BaseModel]] = FILES) -> dict[str, dict[str, Any]]:
    """Return the schema of each format by its short name (army), and limited to each rule set's words (army.tse)."""
    schemas_by_name: dict[str, dict[str, Any]] = {}
    for name, model in files.items():
        short, plain = name.removeprefix("tabletop-").partition("/")[0], model.model_json_schema()
        schemas_by_name[short] = _headed(short, plain)
        if "rules" in plain["properties"]:
            for rules in registry.loadable():
                key = f"{short}.{rules.name}"
                schemas_by_name[key] = _headed(key, _of_rules(plain, rules))
    return schemas_by_name


def _headed(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"urn:tabletop:schema:{name}", **schema}


def _of_rules(schema: dict[str, Any], rules: RuleSet) -> dict[str, Any]:
    """Return a schema limited to the words of one rule set: troops, formations, terrain, rulings and their values."""
    narrowed: dict[str, Any] = copy.deepcopy(schema)
    for rows in (narrowed, *narrowed.get("$defs", {}).values()):
        for key, words in {**rules.vocabulary, "kind": kinds_of(rules)}.items():
            _only(rows.get("properties", {}).get(key), words)
        _only_traits(rows.get("properties", {}), rules)
        if "stance" not in rules.vocabulary:
            rows.get("properties", {}).pop("order", None)
    if "stance" not in rules.vocabulary:
        narrowed.get("$defs", {}).pop("OrderRow", None)
    narrowed["properties"]["rules"] = {**narrowed["properties"]["rules"], "enum": [rules.name]}
    if "rulings" in narrowed["properties"]:
        values = {n: {"enum": list(r.values), "description": r.meaning} for n, r in rules.rulings.items()}
        narrowed["properties"]["rulings"] |= {"properties": values, "additionalProperties": False}
    return narrowed


def _only_traits(properties: dict[str, Any], rules: RuleSet) -> None:
    """Leave only the traits of the rules in a row of terrain or of a unit, each with its meaning, or no such key."""
    if "traits" not in properties:
        return
    traits = traits_of(rules, TERRAIN if "kind" in properties else UNIT)
    if not traits:
        del properties["traits"]
        return
    words = [{"const": name, "description": trait.means} for name, trait in traits.items()]
    for part in properties["traits"]["anyOf"]:
        if "items" in part:
            part["items"] = {"oneOf": words}


def _only(schema: Any, words: Collection[str]) -> None:
    """Leave only some words of an enumeration, also where it is one of several possibilities."""
    for part in (schema, *schema.get("anyOf", ())) if isinstance(schema, dict) else ():
        if "enum" in part:
            part["enum"] = [word for word in part["enum"] if word in words]


def schema_text(schema: dict[str, Any]) -> str:
    """Return the text of a schema as in its file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def schema_folder() -> Path:
    """Return the folder in which a checkout keeps its schemas."""
    return Path(__file__).resolve().parents[3] / "schema"


def write_schemas(files: Mapping[str, type[BaseModel]] = FILES) -> list[Path]:
    """Write every schema into the checkout's ``schema`` folder; return the paths."""
    written = []
    for name, schema in schemas(files).items():
        path = schema_folder() / f"{name}.schema.json"
        path.write_text(schema_text(schema), "utf-8")
        written.append(path)
    return written
