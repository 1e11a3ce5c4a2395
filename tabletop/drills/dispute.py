"""A dispute as a drill: any question about a scene is asked, answered, judged, and explained with its proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.drills.generate import PAST
from tabletop.drills.position import YES_NO, Position, Twin, yes_no
from tabletop.errors import BadQuestion
from tabletop.geometry.verdict import Elsewhere, Verdict
from tabletop.judge import ask, judge
from tabletop.judge.things import Placement, on_grid, placed, things_of
from tabletop.rules import rule_set

#: The questions in words; {0} and {1} are the units.
WORDS: Mapping[str, str] = {
    "los": "Can {0} see {1}?",
    "arc": "Is {1} in the arc of fire of {0}?",
    "fire": "May {0} fire at {1}?",
    "assault": "May {0} assault {1}?",
    "breakthrough": "May {0} break through and assault {1}?",
    "move": "May {0} make this move?",
    "cover": "Has {0} cover?",
    "command": "Is {0} within command?",
    "fallback": "Can {0} fall back so far?",
}


def dispute(battle: Battle, question: str, units: Sequence[str], options: Mapping[str, Any] | None = None) -> Position:
    """Return a question about a scene as a position of a drill.

    Raises BadQuestion for a question that cannot be asked, and for one not answered by yes or no.
    """
    verdict = judge(battle, question, units, options)
    return of_verdict(battle, verdict)


def of_verdict(battle: Battle, verdict: Verdict) -> Position:
    """Return a question already judged as a position of a drill; BadQuestion if it has no yes and no."""
    position = without_twin(battle, verdict)
    return replace(position, twin=_twin(battle, verdict))


def without_twin(battle: Battle, verdict: Verdict) -> Position:
    """Return the same without the near-miss twin, for which the question must be asked again."""
    if not rule_set.find(battle.rules).question(verdict.question).flips:
        raise BadQuestion(
            f"'{verdict.question}' is not answered by yes or no, so it is no drill; ask los, fire, assault"
        )
    names = [battle.unit(name).called for name in verdict.args]
    words = WORDS.get(verdict.question, f"{verdict.question.capitalize()}: {' and '.join(names)}?").format(*names)
    return Position("", words, battle, YES_NO, yes_no(verdict), verdict.margin, verdict)


def _twin(battle: Battle, verdict: Verdict) -> Twin | None:
    """Return the near-miss twin: the thing whose shift changes the answer soonest, moved past that point."""
    by = None if verdict.closeness is None else verdict.closeness.shifted
    if by is None or by.shift is None:
        return None
    thing = next(thing for thing in things_of(battle) if thing.id == by.id)
    for share in PAST:
        shift = (on_grid(share * by.shift[0]), on_grid(share * by.shift[1]))
        shifted = placed(battle, (Placement(thing, shift).body(),))
        try:
            verdict_there = ask(shifted, verdict.question, verdict.args, {**verdict.options, "margin": False})
        except BadQuestion:
            continue
        if verdict_there.holds != verdict.holds:
            return Twin(shifted, yes_no(verdict_there), Elsewhere(by.id, shift), verdict_there)
    return None
