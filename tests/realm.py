"""Small battles of Realm of Chance for the tests: French blue from the south, Prussian red from the north."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.play.engine import Step
from tabletop.rules.realm_of_chance.rule_set import RULES
from tests.ages import Builder, Faces, action, allowed, told, why

__all__ = ["Faces", "action", "allowed", "battle", "done", "told", "unit", "why"]

BUILDER = Builder(RULES, {"blue": "french", "red": "prussian"}, throws=Faces)
unit, battle = BUILDER.unit, BUILDER.battle


def done(
    scene: Battle,
    kind: str,
    name: str | None = None,
    target: str | None = None,
    *,
    dice: Sequence[int] = (),
    **options: Any,
) -> Step:
    """Return what comes of an action with these faces; every one of them must be thrown."""
    return BUILDER.done(scene, kind, name, target, numbers=dice, **options)
