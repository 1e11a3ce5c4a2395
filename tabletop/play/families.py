"""Odds grouped by family of results, and as good, nothing or bad for the acting side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tabletop.rules.common.basis import noted
from tabletop.rules.play import Odds, Result

#: Separates the parts of a result's text, of which the last says how it ends.
AND_THEN = "; "

Shares = list[tuple[float, str]]

#: A result worth no more than this to either side, in bases, counts as nothing.
EVEN = 0.1


@dataclass(frozen=True)
class Outlook:
    """The shares of an action's results that are good, nothing, and bad for the acting side; they sum to 1."""

    good: float
    nothing: float
    bad: float

    @property
    def wasted(self) -> bool:
        """Whether it is certain to gain nothing."""
        return self.good <= 0.0


def outlook(odds: Odds) -> Outlook:
    """Return the shares of good, void and bad results, by the rule set's own value of each result.

    >>> from tabletop.battle.action import Action
    >>> outlook(Odds(Action("fire", "red"), ((0.5, Result("routed", 2.0)), (0.5, Result("no effect")))))
    Outlook(good=0.5, nothing=0.5, bad=0.0)
    """
    good = math.fsum(share for share, result in odds.results if result.worth > EVEN)
    bad = math.fsum(share for share, result in odds.results if result.worth < -EVEN)
    return Outlook(good, max(0.0, 1.0 - good - bad), bad)


def headline(odds: Odds) -> str:
    """Return an outlook in a few words: "54 % good, 23 % bad", or what happens if it is certain to gain nothing.

    Shares read from numbers that are not the rulebook's own say so (``rules/common/basis.py``).

    >>> from tabletop.battle.action import Action
    >>> headline(Odds(Action("fire", "red"), ((0.54, Result("routed", 2.0)), (0.46, Result("no effect")))))
    '54 % good'
    >>> headline(Odds(Action("fire", "red"), ((1.0, Result("out of range")),)))
    'wasted: out of range'
    >>> headline(Odds(Action("fire", "red"), ((1.0, Result("routed", 2.0)),), basis="reconstruction"))
    '100 % good (reconstruction)'
    """
    chances = outlook(odds)
    if chances.wasted:
        likeliest = max(odds.results, key=lambda row: row[0], default=(1.0, Result("nothing happens")))[1]
        text = f"wasted: {likeliest.text}" if chances.bad <= 0.0 else f"{_percent(chances.bad)} bad, never good"
    else:
        text = f"{_percent(chances.good)} good" + (f", {_percent(chances.bad)} bad" if chances.bad > 0.0 else "")
    return text + noted(odds.basis)


def _percent(share: float) -> str:
    """Return a share in whole percent, at least 1 if possible and at most 99 if not certain."""
    return f"{round(100 * share) if share in (0.0, 1.0) else min(99, max(1, round(100 * share)))} %"


def families(odds: Odds) -> list[tuple[float, str, Shares]]:
    """Return the families of results, most likely first: share, name, and the results by how they end.

    A result without a family makes a family of its own.
    """
    members: dict[str, list[tuple[float, Result]]] = {}
    for probability, result in odds.results:
        members.setdefault(result.family or result.text, []).append((probability, result))
    rows = [(sum(p for p, _ in inside), name, _ends(name, inside)) for name, inside in members.items()]
    return sorted(rows, key=lambda row: -row[0])


def _ends(name: str, inside: Sequence[tuple[float, Result]]) -> Shares:
    """Return the results of a family with their shares, most likely first; none if its only result has its name."""
    shares: dict[str, float] = {}
    for probability, result in inside:
        end = result.text.rsplit(AND_THEN, 1)[-1] if result.family else result.text
        shares[end] = shares.get(end, 0.0) + probability
    return [] if list(shares) == [name] else sorted(((p, text) for text, p in shares.items()), key=lambda s: -s[0])
