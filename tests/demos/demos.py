"""A small demo for tests, and ways to change it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tabletop.demos.demo import Demo
from tabletop.demos.reading import read_demo
from tabletop.errors import Fault
from tabletop.play.files.yaml_text import parse, without_places
from tests import plain_data
from tests.lessons.lessons import UNITS

DEMO: dict[str, Any] = {
    "format": "tabletop-demo/1",
    "title": "Forward",
    "rules": "tse",
    "start": {"acting": "foot"},
    "chance": {"orders": "high"},
    "scene": {"table": {"unit": "in", "width": 24, "height": 18}, "terrain": [], "units": UNITS},
    "track": [
        {"say": "Watch {unit:foot}.", "seconds": 3},
        {"say": "It goes three inches.", "move": "maneuver foot forward 3", "seconds": 4},
        {"show": {"ask": "los", "args": ["foot", "post"], "holds": True}, "seconds": 2},
        {"ask": "Can it fire?", "proof": {"ask": "fire", "args": ["foot", "post"]}, "answer": "No.", "seconds": 5},
        {"wait": 1.5},
    ],
}


def changed(*where: str | int, to: Any) -> dict[str, Any]:
    """Return the demo's data with one value other than it is."""
    return plain_data.changed(DEMO, *where, to=to)


def read(data: Mapping[str, Any], path: Path = Path("demo.yaml")) -> tuple[Demo | None, list[Fault]]:
    """Return the demo of plain data, and its faults."""
    return read_demo(without_places("demo.yaml", data), path)


def read_text(text: str) -> list[Fault]:
    """Return the faults of a text."""
    return read_demo(parse("demo.yaml", text), Path("demo.yaml"))[1]


def demo(data: Mapping[str, Any] = DEMO) -> Demo:
    """Return a sound demo."""
    found, faults = read(data)
    assert found is not None, faults
    return found
