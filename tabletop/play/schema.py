"""The JSON Schemas of the file formats, for editors that complete and check while one types."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tabletop.play.models import FILES

_NAMES = {name: name.removeprefix("tabletop-").partition("/")[0] for name in FILES}


def schemas() -> dict[str, dict[str, Any]]:
    """Return the schema of each format by its short name: map, army, scenario, scene."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return {_NAMES[name]: {**head, **model.model_json_schema()} for name, model in FILES.items()}


def schema_text(schema: dict[str, Any]) -> str:
    """Return a schema as it stands in its file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def schema_folder() -> Path:
    """Return where a checkout keeps its schemas."""
    return Path(__file__).resolve().parent.parent.parent / "schema"


def write_schemas() -> list[Path]:
    """Write every schema into the checkout's ``schema`` folder; return the paths."""
    written = []
    for name, schema in schemas().items():
        path = schema_folder() / f"{name}.schema.json"
        path.write_text(schema_text(schema), "utf-8")
        written.append(path)
    return written
