"""Odds grouped by family: the kinds of result an action may have, each with how its results end."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.rules.play import Odds, Result

#: Joins the parts of a result's text; the last part is how it ends.
AND_THEN = "; "

Shares = list[tuple[float, str]]


def families(odds: Odds) -> list[tuple[float, str, Shares]]:
    """Return the families of results, the likeliest first: share, name, and its results by how they end.

    A result without a family is one by itself.
    """
    members: dict[str, list[tuple[float, Result]]] = {}
    for probability, result in odds.results:
        members.setdefault(result.family or result.text, []).append((probability, result))
    rows = [(sum(p for p, _ in inside), name, _ends(name, inside)) for name, inside in members.items()]
    return sorted(rows, key=lambda row: -row[0])


def _ends(name: str, inside: Sequence[tuple[float, Result]]) -> Shares:
    """Return the results of a family with their shares, the likeliest first; none if its only result has its name."""
    shares: dict[str, float] = {}
    for probability, result in inside:
        end = result.text.rsplit(AND_THEN, 1)[-1] if result.family else result.text
        shares[end] = shares.get(end, 0.0) + probability
    return [] if list(shares) == [name] else sorted(((p, text) for text, p in shares.items()), key=lambda s: -s[0])
