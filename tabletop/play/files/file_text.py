"""Data as the text of a file: one unit or piece of terrain per line, as a wargamer would write it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

#: Keys in the order they are written; any others come after them.
ORDER = (
    "id", "name", "kind", "side", "parent", "troop", "rank", "quality", "bases", "lost", "base", "formation", "front",
    "bend", "reference", "status", "linear", "strength_override", "traits",
    "order", "level", "width", "line", "outline", "track", "at", "front_mid", "size", "facing",
)  # fmt: skip
#: Text that needs no quotes, apart from words with a meaning in YAML, which are quoted.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./' -]*[A-Za-z0-9.']\Z|[A-Za-z]\Z")
_WORDS = ("true", "false", "null", "yes", "no", "on", "off", "y", "n")


def file_text(data: Mapping[str, Any]) -> str:
    """Return the text of a file of any format: one key or row per line, with the keys of ``game`` on their own lines.

    >>> print(file_text({"title": "Ford", "game": {"turns": 6}, "units": [{"id": "a", "at": [1, 2]}]}), end="")
    title: Ford
    game:
      turns: 6
    units:
      - {id: a, at: [1, 2]}
    """
    return "\n".join(line for key, value in data.items() for line in _lines(key, value, "")) + "\n"


def _lines(key: str, value: Any, indent: str) -> list[str]:
    if isinstance(value, Mapping) and value and key == "game":
        inner = (line for name, each in value.items() for line in _lines(str(name), each, indent + "  "))
        return [f"{indent}{key}:", *inner]
    if isinstance(value, Sequence) and value and all(isinstance(row, Mapping) for row in value):
        return [f"{indent}{key}:", *(f"{indent}  - {written(ordered(row))}" for row in value)]
    return [f"{indent}{key}: {written(value)}"]


def ordered(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with its keys in the order they are written."""
    keys = [key for key in ORDER if key in row] + [key for key in row if key not in ORDER]
    return {key: row[key] for key in keys}


def written(value: Any) -> str:
    """Return plain data on one line of YAML.

    >>> written({"id": "wood", "at": [3.0, 2.5], "name": "Wood: dense"})
    '{id: wood, at: [3, 2.5], name: "Wood: dense"}'
    """
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{written(str(k))}: {written(v)}" for k, v in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(written(item) for item in value) + "]"
    return _word(str(value))


def _word(text: str) -> str:
    plain = _PLAIN.match(text) and text.lower() not in _WORDS
    return text if plain else json.dumps(text, ensure_ascii=False)


def number(value: float) -> str:
    """Return a number in the fewest digits that read back as the same number.

    >>> number(30.0), number(0.1)
    ('30', '0.1')
    """
    return str(int(value)) if float(value).is_integer() else repr(value)
