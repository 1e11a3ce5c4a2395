"""Turns rule ids in a text into links to the rule's card; and the card itself. Plain data in, html out."""

from __future__ import annotations

import re
from html import escape as html_escape

from tabletop.battle.battle import Battle
from tabletop.render.widgets.panel_page import PanelPage
from tabletop.rules.cards import ID, RuleCard, rule_card
from tabletop.rules.rule_set import Ruling

QUIET = "#6f665a"
#: Numbers of a rule listed before the rest is only counted.
MOST = 14
#: A tag, or a whole link with its content: no further links are made in it.
_KEPT = re.compile(r"(<a\b[^>]*>.*?</a>|<[^>]*>)", re.DOTALL)


def linked(html: str) -> str:
    """Return a text with every rule id in it turned into a link to the rule's card.

    >>> linked("<b>so</b> says TSE-FIR-01")
    "<b>so</b> says <a href='rule:TSE-FIR-01'>TSE-FIR-01</a>"
    """
    parts = _KEPT.split(html)
    return "".join(part if number % 2 else ID.sub(_link, part) for number, part in enumerate(parts))


def _link(match: re.Match[str]) -> str:
    return f"<a href='rule:{match[0]}'>{match[0]}</a>"


def rule_page(battle: Battle, id: str) -> PanelPage | None:  # noqa: A002 - the files' own word
    """Return the card of a rule as a page; None for an id the rule set does not have."""
    card = rule_card(battle.rules, id)
    return None if card is None else PanelPage(f"Rule {card.id}", "<br>".join(_lines(card, battle)))


def _lines(card: RuleCard, battle: Battle) -> list[str]:
    lines = [escape(card.says)]
    if card.sections:
        lines += [f"<font color='{QUIET}'>Rulebook: {escape('; '.join(card.sections))}.</font>"]
    for ruling in card.rulings:
        lines += _ruling(ruling, battle)
    if card.numbers:
        lines += ["", "<b>Its numbers</b>", *map(escape, card.numbers[:MOST])]
        left = len(card.numbers) - MOST
        lines += [f"<font color='{QUIET}'>and {left} more</font>"] if left > 0 else []
    return lines


def _ruling(ruling: Ruling, battle: Battle) -> list[str]:
    now = battle.rulings.get(ruling.name, ruling.default)
    others = ", ".join(_word(value) for value in ruling.values if value != now) or "none"
    return [
        "",
        f"<b>Read as ruled: {escape(ruling.name.replace('_', ' '))}</b>",
        escape(ruling.meaning),
        f"Here: <b>{escape(_word(now))}</b>. The other reading: {escape(others)}.",
    ]


def _word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def escape(text: str) -> str:
    """Return plain text escaped for a box."""
    return html_escape(text, quote=False)
