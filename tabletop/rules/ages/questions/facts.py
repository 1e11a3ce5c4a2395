"""Single facts of an answer, without its proof, as needed by a margin for one placement after another."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.rules.ages.combat.judge import may_be_made, strikes_the_front
from tabletop.rules.ages.fire.judge import band_named, fire
from tabletop.rules.rule_set import Facts, Request


def of_fire(battle: Battle, request: Request, wanted: Collection[str]) -> Facts:
    """Return whether the battery may fire, and the range band (ROC-ART-04).

    >>> from tabletop.play.files.opened import open_battle
    >>> request = Request("fire", ("far-guns", "far"))
    >>> of_fire(open_battle("to-the-last-millimetre"), request, ("holds", "band")).values
    {'band': '60-120', 'holds': True}
    """
    gun, target = (battle.unit(name) for name in request.args)
    facts: dict[str, Any] = {"band": band_named(battle, gun, target)} if "band" in wanted else {}
    if "holds" not in wanted:
        return Facts(facts)
    answer = fire(battle, request)
    return Facts({**facts, "holds": answer.holds}, answer.witness)


def of_assault(battle: Battle, request: Request, wanted: Collection[str]) -> Facts:
    """Return whether the unit may attack, and whether from the front (ROC-CBT-01, ROC-CBT-02, ROC-CBT-05).

    >>> from tabletop.play.files.opened import open_battle
    >>> request = Request("assault", ("hussars-east", "line-east"))
    >>> of_assault(open_battle("struck-at-the-corner"), request, ("holds", "frontal")).values
    {'frontal': False, 'holds': True}
    """
    unit, enemy = (battle.unit(name) for name in request.args)
    facts: dict[str, Any] = {"frontal": strikes_the_front(battle, unit, enemy)} if "frontal" in wanted else {}
    return Facts({**facts, "holds": may_be_made(battle, unit, enemy)} if "holds" in wanted else facts)
