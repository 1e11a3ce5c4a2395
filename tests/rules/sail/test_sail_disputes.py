"""Disputes at sea, decided by hand from the rules: raking, twelve centimetres, turning through the wind."""

from __future__ import annotations

import pytest

from tabletop.judge import ask
from tabletop.play.files.load import load_scene
from tests.games.positions import ROOT

DISPUTES = ROOT / "scenarios/sail/disputes"


@pytest.mark.parametrize(("firer", "where"), [("gannet", "stern"), ("heron", "starboard")])
def test_raking(firer: str, where: str) -> None:
    """SAIL-FIR-05: Gannet lies 41.2 degrees off the stern line (7 west, 8 south), Heron 51.8 (7 east, 5.5 south)."""
    verdict = ask(load_scene(DISPUTES / "raking.yaml"), "fire", (firer, "zeeland"))
    assert verdict.holds and verdict.measured["from"] == where


@pytest.mark.parametrize(("firer", "target", "holds"), [("kite", "brielle", False), ("swift", "hoorn", True)])
def test_twelve_centimetres(firer: str, target: str, holds: bool) -> None:
    """SAIL-ARC-03, SAIL-FIR-03: from the middle of the side that fires, though her bow is nearer."""
    scene = load_scene(DISPUTES / "twelve-centimetres.yaml")
    assert ask(scene, "fire", (firer, target)).holds == holds
    assert ask(scene, "distance", (firer, target)).measured["distance"] <= 12.0


def test_through_the_wind() -> None:
    """SAIL-MOV-05: Petrel turns two points through the wind and goes on; Plover has 1 cm, and turns."""
    scene = load_scene(DISPUTES / "through-the-wind.yaml")
    assert ask(scene, "move", ("petrel",), {"facing": 22.5, "distance": 9.0}).holds
    assert not ask(scene, "move", ("plover",), {"distance": 1.0}).holds
    assert ask(scene, "move", ("plover",), {"facing": 22.5}).holds
