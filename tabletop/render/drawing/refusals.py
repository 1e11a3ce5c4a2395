"""Why a question could not be put, as the window says it: units by their names, and nothing of the command line."""

from __future__ import annotations

import re

from tabletop.battle.battle import Battle
from tabletop.battle.naming import capital

#: What is named by its id, and a part of a sentence that speaks of the command line's options.
_QUOTED, _OPTIONS = re.compile(r"'([^'\s]+)'"), re.compile(r"\s*(?:[;:,(]\s*)?[^;:,(?]*--[a-z].*$")
#: What is said where such a part is left out.
INSTEAD = "Choose another unit, place or way."


def said(text: str, battle: Battle) -> str:
    """Return a refusal as a sentence, by the names of what it is about.

    Its cure, where that is an option of the command line, becomes what can be done by hand.
    """
    named = _QUOTED.sub(lambda found: _named(found.group(1), battle) or found.group(), text)
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
