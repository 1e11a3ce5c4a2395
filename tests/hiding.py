"""The rule set of the guide, changed in one place: a unit is hidden until an enemy is near."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from tests.published import PAGE, described, written

#: Units are known within 6 in of an enemy.
HIDING = """
from tabletop.battle.unit import distance_between
from tabletop.rules.hidden_units import PlayWithHiddenUnits


def near(battle, side):
    own, others = battle.side(side), [unit for unit in battle.units if unit.side != side]
    return {u.id for u in own} | {u.id for u in others if any(distance_between(u, o) <= 6.0 for o in own)}


def play():
    return PlayWithHiddenUnits(
        visible=near,
"""
SCENE = """
  - {id: reserve, side: blue, troop: pikes, bases: 4, formation: block, at: [4, 16], facing: 180}
game:"""


def hiding_rules(folder: Path, hiding: str = HIDING) -> Path:
    """Write the rule set, which hides units, and its scenario with a reserve into a folder, and return it."""
    written(folder)
    described(folder, "push-of-pike", "push_of_pike.rule_set:RULES")
    game, scene = folder / "push_of_pike/game.py", folder / "push_of_pike/scenarios/two-blocks.yaml"
    game.write_text(game.read_text("utf-8").replace("\ndef play():\n    return Play(\n", hiding), "utf-8")
    scene.write_text(scene.read_text("utf-8").replace("\ngame:", SCENE), "utf-8")
    return folder


def both() -> str:
    """Return the code that hides units and has a ground scale and mist, with the record of both kinds of the guide."""
    text = PAGE.read_text("utf-8")
    start = text.index("    from dataclasses import dataclass\n")
    code = textwrap.dedent(text[start : text.index("\n\n`play` then returns", start)])
    name = re.findall(r"^class (\w+)\(", code, re.MULTILINE)[0]
    record = (
        f"{name}(\n        ground=Ground(2.0, 'm'), conditions=lambda battle: Conditions('Mist.', 6.0, mist=True),\n"
    )
    return f"\n{code}\n{HIDING.replace('PlayWithHiddenUnits(', record)}"
