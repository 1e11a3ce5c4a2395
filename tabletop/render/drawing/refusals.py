"""Reasons why a question could not be asked, worded for the window: units by name, no command-line options."""

from __future__ import annotations

import re

from tabletop.battle.battle import Battle
from tabletop.battle.naming import capital

#: An id in quotes, and a part of a sentence about command-line options.
_QUOTED, _OPTIONS = re.compile(r"'([^'\s]+)'"), re.compile(r"\s*(?:[;:,(]\s*)?[^;:,(?]*--[a-z].*$")
#: Said in place of such a part.
INSTEAD = "Choose another unit, place or way."


def refusal_sentence(text: str, battle: Battle) -> str:
    """Return a refusal as a sentence, with names instead of ids.

    Advice about a command-line option is replaced by what can be done by hand.
    """
    named = _QUOTED.sub(lambda match: _named(match.group(1), battle) or match.group(), text)
    plain = _OPTIONS.sub("", named)
    sentence = capital(plain.strip())
    if sentence and sentence[-1] not in ".?!":
        sentence += "."
    return sentence if plain == named else f"{sentence} {INSTEAD}".strip()


def _named(name: str, battle: Battle) -> str:
    if battle.has(name):
        return battle.called(name)
    pieces = (piece.name or piece.kind for piece in battle.table.terrain if piece.id == name)
    return next((piece.replace("-", " ") for piece in pieces), "")
