"""Printing the answer to a question: its reasons as soon as they are known, how close the call is when measured."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.geometry.verdict import Verdict
from tabletop.judge import fuller
from tabletop.play.verdict_words import explained

#: Shown during the search for the margin. Ctrl+C ends the search; the answer printed by then stands.
MEANWHILE = "How close is it? Measuring ..."
ENDED = "The search for the margin was ended; the answer stands."
#: Characters that are blanked out before other words take their place.
BLANK = len(MEANWHILE) + len(" 100 %")


def print_answers(
    battle: Battle, question: str, askings: Sequence[Sequence[str]], options: Mapping[str, Any]
) -> list[Verdict]:
    """Print the answers about some lists of units, each as soon as parts of it are known; return the full verdicts."""
    verdicts: list[Verdict] = []
    for units in askings:
        if verdicts:
            print()
        verdicts.append(_print_answer(battle, question, units, options))
    return verdicts


def _print_answer(battle: Battle, question: str, units: Sequence[str], options: Mapping[str, Any]) -> Verdict:
    printed, verdict = "", None
    try:
        for verdict in fuller(battle, question, units, options, _progress):
            words = explained(verdict, battle)
            more = words.removeprefix(printed).removeprefix("\n")
            _meanwhile("")
            if more:
                print(more, flush=True)
            printed = words
            _meanwhile(MEANWHILE)
    except KeyboardInterrupt:
        if verdict is None:
            raise
        _meanwhile("")
        print(ENDED, file=sys.stderr)
    finally:
        _meanwhile("")
    assert verdict is not None
    return verdict


def answered(battle: Battle, question: str, units: Sequence[str], options: Mapping[str, Any]) -> Verdict:
    """Return the full verdict; the answer alone when Ctrl+C ends the search for its margin."""
    verdict: Verdict | None = None
    try:
        for fuller_verdict in fuller(battle, question, units, options):
            verdict = fuller_verdict
    except KeyboardInterrupt:
        if verdict is None:
            raise
        print(ENDED, file=sys.stderr)
    assert verdict is not None
    return verdict


def _progress(share: float) -> None:
    _meanwhile(f"{MEANWHILE} {share:.0%}".replace("%", " %"))


def _meanwhile(words: str) -> None:
    """Write words, in place of the last ones, to a terminal; nothing if the output is not one."""
    if sys.stdout.isatty() and sys.stderr.isatty():
        print(f"\r{' ' * BLANK}\r{words}", end="", file=sys.stderr, flush=True)
