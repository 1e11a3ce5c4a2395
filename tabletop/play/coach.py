"""One short warning before an allowed action that is certain to gain nothing, or that opens a flank to an assault.

It only repeats what a verdict or the odds say; anything that depends on chance is left to the odds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from tabletop.battle.battle import Battle
from tabletop.battle.unit import standing
from tabletop.errors import BadQuestion
from tabletop.geometry.verdict import Verdict
from tabletop.judge import ask
from tabletop.play.families import outlook
from tabletop.rules import rule_set
from tabletop.rules.play import Odds

#: The most words of a warning, and how often a side must use a rule correctly before it is no longer warned.
WORDS, LEARNED = 14, 2
WASTE, FLANK = "waste", "flank"
#: All the coach's sentences; the braces take a wasted action's result, or the possible assaulter, if there is room.
NOTHING, NO_GOOD = "This is certain to gain nothing: {}.", "This has no good result, whatever chance brings."
BESIDE, ANY_BESIDE = "There {} could assault it in flank or rear.", "There an enemy could assault it in flank or rear."
SENTENCES = (NOTHING, NO_GOOD, BESIDE, ANY_BESIDE)


@dataclass(frozen=True)
class Finding:
    """The finding on one concern about an action: ``text`` is the warning, "" if the rule was used correctly."""

    concern: str
    text: str
    rule: str


@dataclass
class Coach:
    """Warns in one battle; ``used`` counts how often a side used the rule of a concern correctly."""

    on: bool = True
    used: Counter[tuple[str, str]] = field(default_factory=Counter)

    def speaks(self, side: str, concern: str) -> bool:
        """Return whether a side is still warned of a concern."""
        return self.on and self.used[side, concern] < LEARNED

    def warning(self, side: str, findings: tuple[Finding, ...]) -> Finding | None:
        """Return the one warning to give a side; None if the coach is off or the side has learned the rule."""
        return next((finding for finding in findings if finding.text and self.speaks(side, finding.concern)), None)

    def done(self, side: str, findings: tuple[Finding, ...]) -> None:
        """Count the rules that a side used correctly in an action just done."""
        self.used.update((side, finding.concern) for finding in findings if not finding.text)


def waste(verdict: Verdict, odds: Odds) -> tuple[Finding, ...]:
    """Return the finding on whether an action against an enemy can have no good result; empty for other actions.

    >>> from tabletop.battle.action import Action
    >>> from tabletop.judge import ask
    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.play import Result
    >>> battle, shot = open_battle("front-or-flank"), Action("deployed-fire", "red", "a", "b")
    >>> seen = ask(battle, "los", ("east-column", "east-line"))
    >>> waste(seen, Odds(shot, ((1.0, Result("out of range")),)))[0].text
    'This is certain to gain nothing: out of range.'
    """
    if odds.action.target is None:
        return ()
    chances, rule = outlook(odds), verdict.because[0].rule if verdict.because else ""
    if not chances.wasted:
        return (Finding(WASTE, "", rule),)
    ends = {result.text for _, result in odds.results}
    text = NOTHING.format(next(iter(ends))) if len(ends) == 1 else ""
    return (Finding(WASTE, text if 0 < len(text.split()) <= WORDS else NO_GOOD, rule),)


def moves(battle: Battle, verdict: Verdict) -> bool:
    """Return whether an allowed action leaves a unit elsewhere, or otherwise formed, where enemies could assault it."""
    name = verdict.args[0] if verdict.args else ""
    if not verdict.measured.get("after") or not battle.has(name) or battle.unit(name).is_general:
        return False
    return bool(rule_set.find(battle.rules).charge)


def threat(battle: Battle, verdict: Verdict) -> Verdict | None:
    """Return the assault that a move exposes a unit to, None if no enemy could assault it at its end.

    It is one in flank or rear if the move opens these, else one from the front; None also if flank or rear were open
    before. With many enemies this takes a good part of a second.
    """
    if not moves(battle, verdict):
        return None
    name = verdict.args[0]
    then = battle.with_unit(standing(battle.unit(name), verdict.measured["after"]))
    threats = tuple(_assaults(then, name))
    beside = next((one for one in threats if not one.measured["frontal"]), None)
    if beside is None:
        return threats[0] if threats else None
    return beside if all(one.measured["frontal"] for one in _assaults(battle, name)) else None


def flank(battle: Battle, verdict: Verdict | None) -> tuple[Finding, ...]:
    """Return the finding on the ``threat`` at the end of a move: a warning, or that the rule was used correctly."""
    if verdict is None:
        return ()
    if verdict.measured["frontal"]:
        return (Finding(FLANK, "", _direction(verdict)),)
    text = BESIDE.format(battle.called(verdict.args[0]))
    return (Finding(FLANK, text if len(text.split()) <= WORDS else ANY_BESIDE, _direction(verdict)),)


def _assaults(battle: Battle, name: str) -> Iterator[Verdict]:
    """Yield the verdicts on assaults that enemies could make on a unit, if the rules distinguish front and flank."""
    charge = rule_set.find(battle.rules).charge
    for enemy in battle.enemies(battle.unit(name)) if charge else ():
        try:
            brief = {"brief": True}  # takes only a fraction of the time
            may = ask(battle, charge, (enemy.id, name), brief).holds
            verdict = ask(battle, charge, (enemy.id, name)) if may else None
        except BadQuestion:  # a general
            continue
        if verdict is not None and verdict.holds and "frontal" in verdict.measured:
            yield verdict


def _direction(verdict: Verdict) -> str:
    """Return the rule that decides whether an assault is frontal."""
    return next((one.rule for one in verdict.because if "target's arc" in one.text), verdict.because[-1].rule)
