"""The rulings of a rule set as a table to read, and as JSON."""

from __future__ import annotations

import json
import textwrap
from typing import Any

from tabletop.rules.rule_set import RuleSet, Ruling

WIDTH = 100


def rulings_text(rules: RuleSet) -> str:
    """Return every ruling: its name, values (the default marked), rule, meaning, and the questions it can change."""
    head = f"The rulings of {rules.title}. A scene departs from a default with 'rulings: {{name: value}}',\n"
    head += "the judge for one question with '--ruling name=value'."
    return "\n\n".join([head, *(_paragraph(ruling) for ruling in rules.rulings.values())])


def _paragraph(ruling: Ruling) -> str:
    others = [_word(value) for value in ruling.values if value != ruling.default]
    questions = f"Can change: {', '.join(ruling.questions)}." if ruling.questions else ""
    title = f"{ruling.name} = {_word(ruling.default)}   (or {', '.join(others)})   {ruling.rule}"
    body = textwrap.fill(f"{ruling.meaning} {questions}", WIDTH, initial_indent="    ", subsequent_indent="    ")
    return f"{title}\n{body}"


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def rulings_json(rules: RuleSet) -> str:
    """Return every ruling as JSON, by name."""
    listing = {
        ruling.name: {
            "rule": ruling.rule,
            "values": list(ruling.values),
            "default": ruling.default,
            "meaning": ruling.meaning,
            "questions": list(ruling.questions),
        }
        for ruling in rules.rulings.values()
    }
    return json.dumps(listing, indent=2, ensure_ascii=False)
