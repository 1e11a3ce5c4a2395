"""One short warning before an allowed action that is certain to gain nothing, or that opens a flank to an assault.

It says what a verdict or the odds say and nothing else: whatever chance may do is left to the odds.
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

#: The most words of a warning, and how often a rule is to be used correctly until no more is said of it.
WORDS, LEARNED = 14, 2
WASTE, FLANK = "waste", "flank"


@dataclass(frozen=True)
class Finding:
    """What one concern comes to in an action: ``text`` is the warning, "" where the rule is used correctly."""

    concern: str
    text: str
    rule: str


@dataclass
class Coach:
    """Warns in one battle; ``used`` counts how often a side used the rule of a concern correctly."""

    on: bool = True
    used: Counter[tuple[str, str]] = field(default_factory=Counter)

    def warning(self, side: str, findings: tuple[Finding, ...]) -> Finding | None:
        """Return the one warning to give a side; None while off, and of what it has used correctly twice."""
        if not self.on:
            return None
        return next((f for f in findings if f.text and self.used[side, f.concern] < LEARNED), None)

    def done(self, side: str, findings: tuple[Finding, ...]) -> None:
        """Count the rules that a side used correctly in an action just done."""
        self.used.update((side, found.concern) for found in findings if not found.text)


def findings(battle: Battle, verdict: Verdict, odds: Odds) -> tuple[Finding, ...]:
    """Return what an allowed action comes to, by its verdict and its odds: waste first, then the flank.

    >>> from tabletop.battle.action import Action
    >>> from tabletop.judge import ask
    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.play import Result
    >>> battle, shot = open_battle("front-or-flank"), Action("deployed-fire", "red", "a", "b")
    >>> seen = ask(battle, "los", ("east-column", "east-line"))
    >>> findings(battle, seen, Odds(shot, ((1.0, Result("out of range")),)))[0].text
    'This is certain to gain nothing: out of range.'
    """
    return (*_waste(verdict, odds), *_flank(battle, verdict))


def _waste(verdict: Verdict, odds: Odds) -> Iterator[Finding]:
    """Yield whether what is done to an enemy has no good result; moves are done for what no odds tell."""
    if odds.action.target is None:
        return
    found, rule = outlook(odds), verdict.because[0].rule if verdict.because else ""
    if not found.wasted:
        yield Finding(WASTE, "", rule)
        return
    ends = {result.text for _, result in odds.results}
    text = f"This is certain to gain nothing: {next(iter(ends))}." if len(ends) == 1 else ""
    short = bool(text) and len(text.split()) <= WORDS
    yield Finding(WASTE, text if short else "This has no good result, whatever chance brings.", rule)


def _flank(battle: Battle, verdict: Verdict) -> Iterator[Finding]:
    """Yield whether a move opens a flank or the rear; nothing where no enemy could assault the unit at its end.

    What lay open before the move is not opened by it.
    """
    after, name = verdict.measured.get("after"), verdict.args[0] if verdict.args else ""
    if not after or not battle.has(name):
        return
    then = battle.with_unit(standing(battle.unit(name), after))
    threats = tuple(_assaults(then, name))
    beside = next((one for one in threats if not one.measured["frontal"]), None)
    if beside is None:
        if threats:
            yield Finding(FLANK, "", _direction(threats[0]))
    elif all(one.measured["frontal"] for one in _assaults(battle, name)):
        text = f"There {battle.called(beside.args[0])} could assault it in flank or rear."
        short = len(text.split()) <= WORDS
        text = text if short else "There an enemy could assault it in flank or rear."
        yield Finding(FLANK, text, _direction(beside))


def _assaults(battle: Battle, name: str) -> Iterator[Verdict]:
    """Yield the judge's verdicts on the assaults enemies could make on a unit, of rules that part front and flank."""
    charge = rule_set.find(battle.rules).charge
    for enemy in battle.enemies(battle.unit(name)) if charge else ():
        try:
            brief = {"brief": True}  # takes a small part of the time
            may = ask(battle, charge, (enemy.id, name), brief).holds
            verdict = ask(battle, charge, (enemy.id, name)) if may else None
        except BadQuestion:  # a general
            continue
        if verdict is not None and verdict.holds and "frontal" in verdict.measured:
            yield verdict


def _direction(verdict: Verdict) -> str:
    """Return the rule by which an assault comes from the front or not."""
    return next((one.rule for one in verdict.because if "target's arc" in one.text), verdict.because[-1].rule)
