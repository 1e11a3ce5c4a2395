"""Reasons as a player reads them, and how rules are read at a table: what would be otherwise by another reading."""

from __future__ import annotations

import re

from tabletop import explain
from tabletop.battle.battle import Battle
from tabletop.battle.naming import capital, plain
from tabletop.geometry.verdict import Dependency, Reason, Verdict
from tabletop.rules import rule_set

#: Questions that are answered by a figure or a shape rather than by yes or no.
ALWAYS = ("distance", "zone", "zones", "field", "reach", "ground")


def by_name(reason: Reason, battle: Battle) -> str:
    """Return a reason's text with units and places by their names where it has their ids.

    What the reason is about is known; of the others only an id that is no word of the language can be told from one.
    """
    known = {p.id: p.name for p in battle.table.terrain if p.name} | {u.id: u.called for u in battle.units}
    names = {name: said for name, said in known.items() if name == reason.feature or not name.isalpha()}
    if not any(name in reason.text for name in names):
        return reason.text
    words = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.sub(rf"(?<![\w-])({words})(?![\w-])", lambda found: names[found.group()], reason.text)


def told(reason: Reason, battle: Battle) -> str:
    """Return a reason as a sentence begins, by names."""
    return capital(by_name(reason, battle))


def headline(verdict: Verdict, battle: Battle) -> str:
    """Return an answer in a sentence without its yes or no, which stands above it; empty where that is all.

    What is ``ALWAYS`` answered has none above it, and keeps its own.
    """
    said = explain.headline(verdict, battle)
    if verdict.question in ALWAYS:
        return said
    return by_name(Reason("", verdict.holds, re.sub(r"^(Yes|No)\.( |$)", "", said)), battle)


def turned(turn: Dependency, battle: Battle) -> str:
    """Return a ruling the answer turns on in a sentence: the rule it reads, how it is read here, the other answer."""
    known = rule_set.find(battle.rules).rulings
    rule = known[turn.ruling].rule if turn.ruling in known else ""
    now = _value(battle.rulings.get(turn.ruling))
    other = "yes" if turn.would_be else "no"
    return f"It turns on how {rule} is read ({plain(turn.ruling)}: {now}); read otherwise, {other}."


def departures(battle: Battle) -> str:
    """Return in a sentence which rulings are not the usual ones here."""
    usual = rule_set.find(battle.rules).ruling_values()
    others = [f"{plain(name)}: {_value(v)}" for name, v in battle.rulings.items() if v != usual.get(name)]
    return f"Read otherwise than usual: {'; '.join(others)}." if others else "Every rule is read as usual."


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
