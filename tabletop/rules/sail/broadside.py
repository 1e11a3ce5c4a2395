"""The question whether a ship may fire, worded for guns along her sides and without cover."""

from __future__ import annotations

from dataclasses import replace

from tabletop.battle.saying import Saying
from tabletop.rules.asked import FIRE, USUAL
from tabletop.rules.common import headlines


def headline(saying: Saying) -> str:
    """Return a sentence saying whether a ship may fire at another: side and range, or the first reason against.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.rule_set import Request
    >>> from tabletop.rules.sail.gunnery import fire
    >>> battle = open_battle("raking")
    >>> headline(Saying(fire(battle, Request("fire", ("gannet", "zeeland"))), battle))
    'Yes. Gannet may fire to starboard at Zeeland: range 6.86 cm.'
    """
    if not saying.verdict.holds:
        return headlines.fire(saying)
    where, far = saying.got("side"), saying.length(saying.got("range"))
    return f"Yes. {saying.a} may fire to {where} at {saying.b}: range {far}."


#: The wording of the question.
BROADSIDE = replace(USUAL[FIRE], headline=headline)
