"""Scenarios read once for all tests of a process: battles never change."""

from functools import cache
from pathlib import Path

from tabletop.battle.battle import Battle
from tabletop.play.files.load import load_scene

ROOT = Path(__file__).resolve().parents[1]


@cache
def scenario(name: str) -> Battle:
    """Return the scenario of a name such as ``tse/starter``."""
    return load_scene(ROOT / "scenarios" / f"{name}.yaml")
