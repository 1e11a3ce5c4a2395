"""A question's answer in words: its reasons as soon as they are known, how close the call is once that is found."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.geometry.verdict import Verdict
from tabletop.judge import fuller
from tabletop.play.verdict_words import explained

#: What stands on the screen meanwhile. Ctrl+C ends the search, and what was said by then stands.
MEANWHILE = "How close is it? Measuring ..."


def said(battle: Battle, question: str, askings: Sequence[Sequence[str]], options: Mapping[str, Any]) -> list[Verdict]:
    """Print the answers about some lists of units, each as far as it is known; return the full verdicts."""
    found: list[Verdict] = []
    for units in askings:
        if found:
            print()
        found.append(_said(battle, question, units, options))
    return found


def _said(battle: Battle, question: str, units: Sequence[str], options: Mapping[str, Any]) -> Verdict:
    told = ""
    try:
        for verdict in fuller(battle, question, units, options):
            words = explained(verdict, battle)
            more = words.removeprefix(told).removeprefix("\n")
            _meanwhile("")
            if more:
                print(more, flush=True)
            told = words
            _meanwhile(MEANWHILE)
    finally:
        _meanwhile("")
    return verdict


def _meanwhile(words: str) -> None:
    """Write words that the next ones take the place of, where somebody is looking."""
    if sys.stdout.isatty() and sys.stderr.isatty():
        print(f"\r{' ' * len(MEANWHILE)}\r{words}", end="", file=sys.stderr, flush=True)
