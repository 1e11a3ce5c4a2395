"""The reference pages of ``tabletop`` and ``tabletop.geometry``, made from their docstrings.

    python -m tools.api_pages    # writes docs/api/*.md

Each name comes with its signature, its text and its example; the examples are run by ``tests/test_api_pages.py``.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import tabletop
from tabletop import geometry
from tools.house import ROOT

FOLDER = ROOT / "docs/api"


class Page(NamedTuple):
    """A page: its file, its heading, its introduction, and the public names of a package by topic."""

    file: str
    title: str
    before: str
    package: Any
    topics: dict[str, str]


PAGES = (
    Page(
        "tabletop.md",
        "The package tabletop",
        "Load a table, put questions to it, read verdicts. [Asking from Python](../python.md) shows how.",
        tabletop,
        {
            "Tables": "load examples Table",
            "Verdicts": "Verdict Reason Picture",
            "Errors": "TabletopError Unreadable BadQuestion",
        },
    ),
    Page(
        "geometry.md",
        "The package tabletop.geometry",
        "What a tape and a protractor know: bases, terrain, sight, moves. No unit, no rule set and no screen. "
        "Coordinates are (east, north) in the unit of the table, facings are degrees clockwise from north, outlines "
        "are polygons of [shapely](https://shapely.readthedocs.io). Ids such as `TSE-LOS-05` name the rule that a "
        "function serves ([coverage](../coverage-tse.md)). Values never change: what moves or turns something returns "
        "another.\n\n"
        "To ask about a battle with units and a rule set, use [tabletop](tabletop.md): it applies the rules as well.",
        geometry,
        {
            "Measuring": "Tape distance overlap_depth bearing heading turn_between compass_point snap snap_facing",
            "Bases and formations": "Base Disc Layout line bent_line column file file_along square",
            "The table": "Table Terrain",
            "Arcs and zones": "Front fronts_of arc_of part_in_arc distance_to_arc zone_around breaches",
            "Sight": "SightLaw InterveningUnit shortest_clear_line Sight sight_line SightLine ground_seen",
            "What a move costs": (
                "Ground ground_of Body steps_along rigid_motion Motion CostModel toll line_cost MoveCost"
            ),
            "Where a unit can go": "MoveContext Files Outlines reachable_ground Goal cheapest_routes Route",
            "Falling back": "Arc Obstacles obstacle keeps least_fall_back Fall",
        },
    ),
)


def written(page: Page) -> str:
    """Return a page as markdown."""
    index = [f"- {topic}: {', '.join(_link(name) for name in names.split())}" for topic, names in page.topics.items()]
    parts = [f"# {page.title}", _MADE, page.before, "\n".join(index)]
    for topic, names in page.topics.items():
        parts.append(f"## {topic}")
        for name in names.split():
            parts += _entry(name, getattr(page.package, name))
    return "\n\n".join(parts) + "\n"


_MADE = "<!-- made by python -m tools.api_pages from the docstrings; change those -->"


def _link(name: str) -> str:
    return f"[`{name}`](#{name.lower()})"


def _entry(name: str, value: Any) -> Iterator[str]:
    """Yield what a page says about one public name."""
    yield f"### {name}"
    if not inspect.isclass(value):
        yield _code(f"{name}{_signature(value)}")
        yield _text(value)
        return
    yield _code(f"{'exception' if issubclass(value, Exception) else 'class'} {_constructor(name, value)}")
    yield _text(value)
    for own, member in vars(value).items():
        if not own.startswith("_") and _documented(member):
            yield f"#### {name}.{own}"
            if not isinstance(member, property | cached_property):
                yield _code(f"{own}{_signature(getattr(value, own))}")
            yield _text(member)


def _constructor(name: str, value: Any) -> str:
    """Return the call that makes a class: for a record its fields, for a class that only functions return just its
    name."""
    if not dataclasses.is_dataclass(value):
        return name
    fields = [field for field in dataclasses.fields(value) if not field.name.startswith("_")]
    return f"{name}({', '.join(_field(field) for field in fields)})"


def _field(field: dataclasses.Field[Any]) -> str:
    if field.default is not dataclasses.MISSING:
        return f"{field.name}: {field.type} = {field.default!r}"
    return f"{field.name}: {field.type}" + ("" if field.default_factory is dataclasses.MISSING else " = ...")


def _documented(member: Any) -> bool:
    """Return whether a member of a class is a method or a property with a docstring of its own."""
    methods = (property, cached_property, classmethod, staticmethod)
    return bool(member.__doc__) and (isinstance(member, methods) or inspect.isfunction(member))


def _signature(function: Any) -> str:
    """Return the parameters and the result of a function, as written; for a method without ``self``."""
    signature = inspect.signature(function)
    given = [p for p in signature.parameters.values() if p.name not in ("self", "cls")]
    return f"({', '.join(_parameters(given))}) -> {signature.return_annotation}"


def _parameters(given: list[inspect.Parameter]) -> Iterator[str]:
    """Yield the parameters of a function as written."""
    starred = False
    for p in given:
        if p.kind is p.KEYWORD_ONLY and not starred:
            yield "*"
        starred = starred or p.kind in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        stars = "*" * (p.kind is p.VAR_POSITIONAL) + "**" * (p.kind is p.VAR_KEYWORD)
        yield f"{stars}{p.name}: {p.annotation}{_default(p.default)}"


def _default(value: Any) -> str:
    """Return how a default is written; three dots if it has no literal."""
    if value is inspect.Parameter.empty:
        return ""
    return f" = {'...' if callable(value) else repr(value)}"


def _code(text: str) -> str:
    return f"```python\n{text}\n```"


def _text(value: Any) -> str:
    """Return a docstring as markdown: code in single back-quotes, each example fenced."""
    paragraphs = (inspect.getdoc(value) or "").split("\n\n")
    return "\n\n".join(_paragraph(paragraph) for paragraph in paragraphs)


def _paragraph(text: str) -> str:
    return f"```python\n{text}\n```" if text.startswith(">>>") else re.sub(r"``", "`", text)


def main() -> None:
    """Write the pages."""
    FOLDER.mkdir(exist_ok=True)
    for page in PAGES:
        (FOLDER / page.file).write_text(written(page), "utf-8")
        print(f"wrote {(FOLDER / page.file).relative_to(ROOT)}")


if __name__ == "__main__":
    main()
