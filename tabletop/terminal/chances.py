"""Odds in words: the families of results with their shares, the modifiers by stage; and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.codec import plain
from tabletop.battle.naming import capital
from tabletop.geometry.verdict import Verdict
from tabletop.play.engine import play_of
from tabletop.play.families import Shares, families
from tabletop.rules.common.basis import noted, said, sentence
from tabletop.rules.play import Factor, Odds
from tabletop.terminal.layout import BAR, bar, paragraph, percent

#: Less likely outcomes get no line of their own.
SLIGHT = 0.0005
#: Number of outcomes named in the line of a family.
MOST_NAMED = 3


def brief(odds: Odds) -> str:
    """Return the distribution in a few lines: one for each family, with its likeliest results; and its basis."""
    return "\n".join([*(_brief_line(*row) for row in families(odds) if row[0] >= SLIGHT), *_basis(odds)])


def _basis(odds: Odds) -> Iterator[str]:
    """Yield a sentence on numbers that are not the rulebook's own."""
    if said(odds.basis):
        yield paragraph(sentence(odds.basis))


def _brief_line(share: float, name: str, ends: Shares) -> str:
    if len(ends) == 1:
        return _row(share, f"{name}: {ends[0][1]}")
    parts = [f"{text} {percent(p).strip()}" for p, text in ends[:MOST_NAMED] if p >= SLIGHT]
    more = [f"other {percent(sum(p for p, _ in ends[MOST_NAMED:])).strip()}"] if len(ends) > MOST_NAMED else []
    inside = f": {', '.join([*parts, *more])}" if parts else ""
    return _row(share, name + inside)


def _row(share: float, text: str) -> str:
    return paragraph(f"{percent(share)} {bar(share):<{BAR}} {text}", hang=" " * (9 + BAR))


def one_line(odds: Odds) -> str:
    """Return the distribution as one sentence."""
    rows = [(share, name) for share, name, _ in families(odds)]
    return "; ".join(f"{percent(share).strip()} {name}" for share, name in rows if share >= SLIGHT) + noted(odds.basis)


def full(odds: Odds | None) -> str:
    """Return the exact distribution with every modifier; for None, a sentence that nothing is left to chance."""
    if odds is None:
        return "Nothing in this is left to chance."
    rests = (paragraph(f"{capital(text)}.  [{rule}]") for text, rule in odds.rests_on)
    return "\n".join([*_distribution(odds), *rests, *_basis(odds), *_modifiers(odds.factors)])


def _distribution(odds: Odds) -> Iterator[str]:
    for share, name, ends in families(odds):
        if share >= SLIGHT and len(ends) == 1:
            yield _row(share, f"{name}: {ends[0][1]}")
        elif share >= SLIGHT:
            yield _row(share, name)
            yield from (paragraph(f"{percent(p)} {text}", " " * (8 + BAR), " " * 7) for p, text in ends if p >= SLIGHT)


def _modifiers(factors: Sequence[Factor]) -> Iterator[str]:
    """Yield the modifiers under the name of their stage, each with its rule and the origin of its number."""
    stage = None
    for factor in factors:
        if factor.stage != stage:
            stage = factor.stage
            yield f"Modifiers{f' of the {stage} stage' if stage else ''}:"
        basis = f", {factor.basis}" if factor.basis else ""
        yield paragraph(f"  {factor.amount:+.2f}  {factor.name}  [{factor.rule}{basis}]", hang=" " * 9)


def answers(battle: Battle) -> str:
    """Return each answer to the pending decision with its expected value, if the rules can evaluate it."""
    from tabletop.battle.action import answer

    decision = battle.pending[0]
    lines = []
    for choice in decision.choices:
        worth, likeliest = play_of(battle).prospect(battle, answer(decision.side, choice))
        figure = "" if f"{worth:+.2f}" in likeliest else f"{worth:+.2f} on average, "
        promise = f"{figure}{likeliest}" if likeliest else ""
        lines.append(paragraph(f"  {choice:<14} {promise}".rstrip(), hang=" " * 17))
    return "\n".join(lines)


def data(verdict: Verdict, odds: Odds | None) -> dict[str, Any]:
    """Return the odds as plain data: whether the action is allowed, its form, outcomes and modifiers."""
    result: dict[str, Any] = {"allowed": verdict.holds, "because": [reason.as_json() for reason in verdict.because]}
    if odds is not None:
        result["form"] = plain(odds.form)
        result["families"] = [{"family": name, "probability": share} for share, name, _ in families(odds)]
        result["outcomes"] = [
            {"text": r.text, "family": r.family, "probability": p, "worth": r.worth} for p, r in odds.results
        ]
        result["rests_on"] = [{"text": text, "rule": rule} for text, rule in odds.rests_on]
        result["modifiers"] = [plain(factor) for factor in odds.factors]
        if odds.basis:
            result["basis"] = odds.basis
    return result
