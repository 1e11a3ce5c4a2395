"""Base moves that are reconstructions are labelled in verdicts and listed in a guide (TSE-ACT-20, TSE-ACT-70)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.judge import judge
from tabletop.rules.tse.tables import move_source, tables
from tests.field import Field

PLACE = Field()
GUIDE = (Path(__file__).parents[3] / "docs/base-moves.md").read_text("utf-8")


@pytest.mark.parametrize(("action", "ours"), [("maneuver", True), ("march", True), ("route-march", False)])
def test_verdicts_label_reconstructed_base_moves(action: str, ours: bool) -> None:
    """TSE-ACT-20, TSE-ACT-70, TSE-ACT-80a: whether the move holds or not."""
    scene = PLACE.battle(PLACE.unit("unit", front_mid=(0, 0)))
    for far in (2.0, 30.0):
        x, y = scene.unit("unit").front_mid
        options = {"path": [(x, y + far)], "as": action, "margin": False}
        texts = [r.text for r in judge(scene, "move", ["unit"], options).because if r.rule == "TSE-MOV-01"]
        assert texts and all(("reconstructed base move" in text) is ours for text in texts), texts


def test_every_action_with_base_moves_says_where_they_come_from() -> None:
    actions = {action for by in tables()["moves"].values() for moves in by.values() for action in moves}
    assert actions == set(tables()["move_sources"])
    assert {move_source(action) for action in actions} == {"source", "reconstruction"}


def test_the_guide_lists_every_base_move() -> None:
    for troop, by in tables()["moves"].items():
        for quality, moves in by.items() if troop != "general" else ():
            figures = " | ".join(f"{moves[action]:g}" for action in ("maneuver", "march", "route-march"))
            assert f"| {troop.replace('-', ' ')} | {quality} | {figures} |" in GUIDE
