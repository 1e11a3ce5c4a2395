"""Mist that comes and goes: a throw at the start of every turn decides how far units can see through it."""

from __future__ import annotations

import math

from tabletop.battle.battle import Battle
from tabletop.battle.event import Remembered
from tabletop.battle.unfolding import Unfolding
from tabletop.rules.ages.tables import tables
from tabletop.rules.ages.throws import throw

#: The option by which a scenario switches it on, and the note of how far units can see.
MIST = "mist"


def seen_through(battle: Battle) -> float:
    """Return how far (mm) units can see through this turn's mist; infinity if there is none (AGE-ART-04)."""
    far = battle.memory.get(MIST)
    return math.inf if far is None else float(far)


def drift(unfolding: Unfolding) -> None:
    """Throw for the mist of a turn if the scenario has mist (AGE-ART-04).

    >>> from dataclasses import replace
    >>> from tabletop.battle.dice import ScriptedDice
    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("thirty-millimetres")
    >>> misty = replace(battle, setup=replace(battle.setup, options={"mist": True}))
    >>> drift(unfolding := Unfolding(misty, ScriptedDice([100])))
    >>> seen_through(unfolding.battle)
    50.0
    """
    battle = unfolding.battle
    if not battle.setup.options.get(MIST):
        return
    steps = tables(battle)["sight"][MIST]
    number = throw(battle, unfolding, MIST, [step["from"] for step in steps[1:]])
    far = next(step.get("far") for step in reversed(steps) if step["from"] <= number)
    unfolding.happen(Remembered(MIST, far))
    unfolding.tell(MIST, {"die": number, "far": far}, rules=("AGE-ART-04",))
