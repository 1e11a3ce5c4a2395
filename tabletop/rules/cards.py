"""Rule cards: a rule's id, what it says in our words, its source, the rulings on it, its numbers."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from tabletop.rules.common.basis import Entry, entries, noted
from tabletop.rules.common.data import data_of, yaml_of
from tabletop.rules.rule_set import NAMES, Ruling, find

#: A rule's id within a text.
ID = re.compile(r"\b[A-Z]{3,4}-[A-Z]{2,3}-\d{2}[a-d]?\b")
#: Data files beside the rules whose entries name the rule they belong to.
FILES = (".yaml", ".toml")
#: Keys of an entry that do not hold numbers.
ABOUT = ("basis", "rule", "name", "when", "source")


@dataclass(frozen=True)
class RuleCard:
    """One rule: its ``sections`` of the rulebook, ``rulings`` if it can be read in several ways, and ``numbers``."""

    id: str
    says: str
    sections: tuple[str, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    numbers: tuple[str, ...] = ()


def rule_card(rules: str, id: str) -> RuleCard | None:  # noqa: A002 - the files' own word
    """Return the card of a rule of a rule set, None for an id it does not have.

    >>> rule_card("tse", "TSE-LOS-05").id
    'TSE-LOS-05'
    """
    row = _rows(rules).get(id)
    if row is None:
        return None
    titles = _titles(rules)
    sections = tuple(titles.get(str(word), str(word)) for word in row.get("section", ()))
    rulings = tuple(ruling for ruling in find(rules).rulings.values() if ruling.rule == id)
    return RuleCard(id, str(row["says"]), sections, rulings, _numbers(rules).get(id, ()))


def _packages(rules: str) -> tuple[str, ...]:
    """Return the packages of a rule set's book: its own folder, and any it shares with others of its family."""
    assert rules in NAMES, f"'{rules}' is no rule set"
    return find(rules).packages or (f"tabletop.rules.{rules.replace('-', '_')}",)


def _text(package: str, name: str) -> str:
    return resources.files(package).joinpath(name).read_text("utf-8")


@cache
def _rows(rules: str) -> Mapping[str, Mapping[str, Any]]:
    books = (yaml_of(_text(package, "rules.yaml")) for package in _packages(rules))
    return {str(row["id"]): row for book in books for row in book}


@cache
def _titles(rules: str) -> Mapping[str, str]:
    titles = [data_of(package, "sections.toml") for package in _packages(rules)]
    return {key: str(title) for section_titles in titles for key, title in section_titles.items()}


# --- the numbers -----------------------------------------------------------------------------------------------------


@cache
def _numbers(rules: str) -> Mapping[str, tuple[str, ...]]:
    """Return the numbers of every rule: from entries that name it, and from lines of a table whose comment does."""
    lines_of: dict[str, dict[str, None]] = {}
    for rule, line in _all_numbers(rules):
        lines_of.setdefault(rule, {})[line] = None
    return {rule: tuple(lines) for rule, lines in lines_of.items()}


def _all_numbers(rules: str) -> Iterator[tuple[str, str]]:
    for package in _packages(rules):
        yield from _numbers_in(package)


def _numbers_in(package: str) -> Iterator[tuple[str, str]]:
    names = sorted(entry.name for entry in resources.files(package).iterdir())
    for name in names:
        if not name.endswith(FILES) or name in ("rules.yaml", "rulings.toml", "options.toml", "cites.toml"):
            continue
        if name.endswith(".yaml"):
            yield from _entries(yaml_of(_text(package, name)), ())
        else:
            yield from _remarked(_text(package, name))


def _entries(node: Any, path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield (rule, "fall back, infantry: long 6, short 3 (reconstruction)") for every entry that names its rule."""
    if isinstance(node, list):
        for part in node:
            yield from _entries(part, path)
    elif isinstance(node, dict) and "rule" in node:
        head = ", ".join([*path, *([str(node["name"])] if "name" in node else [])]).replace("_", " ")
        values = ", ".join(_value(key, value) for key, value in node.items() if key not in ABOUT)
        yield str(node["rule"]), f"{head}: {values}" + (f" ({node['basis']})" if "basis" in node else "")
    elif isinstance(node, dict):
        for key, part in node.items():
            yield from _entries(part, (*path, str(key)) if key != "factors" else path)


def _value(key: str, value: Any) -> str:
    if key == "add":
        return f"{value:+g}"
    return _plain(value) if key == "is" else f"{key.replace('_', ' ')} {_plain(value)}"


def _plain(value: Any) -> str:
    """Return a value of the data files as worded on a card.

    >>> _plain([2, 10]), _plain(28.0), _plain({"status": "disorder", "back": "short"}), _plain({"broken": True})
    ('2, 10', '28', 'status disorder, back short', 'broken')
    """
    if isinstance(value, dict):
        return ", ".join(str(key) if part is True else f"{key} {_plain(part)}" for key, part in value.items())
    if isinstance(value, list):
        return ", ".join(_plain(part) for part in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _read(value: str, columns: Sequence[str] = ()) -> str:
    """Return a value of a table as worded on a card; "" for one that continues on the next line.

    >>> _read("[8, 4, 300]", ["normal", "disrupted", "rally"]), _read("[2, 10]", ["normal", "disrupted", "rally"])
    ('normal 8, disrupted 4, rally 300', '2, 10')
    """
    try:
        read = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return ""
    row = isinstance(read, list) and columns and len(read) == len(columns)
    return _plain(dict(zip(columns, read, strict=True)) if row else read)


def _remarked(text: str) -> Iterator[tuple[str, str]]:
    """Yield (rule, "troops, infantry, range: 3") for every line whose remark, or that of whose table, names rules.

    The rules named for a key also apply to the same key in later tables of its family. The values in a row of an army
    table are labelled by its ``columns``. A number that is not the rulebook's carries the word for what it is.
    """
    rules_of = dict[tuple[str, str], tuple[str, ...]]()
    columns = tomllib.loads(text).get("columns", ())
    for entry in entries(text):
        key = (entry.section.split(".")[0], entry.key)
        ids = tuple(ID.findall(entry.remark)) or tuple(ID.findall(entry.head))
        rules_of[key] = ids or rules_of.get(key, ())
        head = entry.path.replace("_", " ").replace("-", " ").replace(".", ", ")
        value_text = _read(entry.value, columns)
        for rule in rules_of[key] if value_text else ():
            yield rule, f"{head}: {value_text}{_label(entry)}"


def _label(entry: Entry) -> str:
    """Return the basis of a number in brackets; "" for the rulebook's own.

    >>> _label(next(entries("base = [20.0, 40.0]  # frontage source, depth reconstruction")))
    ' (in part a reconstruction)'
    """
    word = noted(entry.basis)
    return word.replace("(", "(in part a ") if len(set(entry.words)) > 1 else word
