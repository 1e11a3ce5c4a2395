"""Messages for an unknown word: the nearest known one, or all there are."""

from __future__ import annotations

import difflib
from collections.abc import Collection


def nearest(word: str, words: Collection[str]) -> str | None:
    """Return the word most like ``word``, None if none is close."""
    matches = difflib.get_close_matches(word[:80].lower(), words, 1)
    return matches[0] if matches else None


def did_you_mean(word: str, words: Collection[str]) -> str:
    """Return the cure for an unknown word: "did you mean 'x'?", or the list of all."""
    near = nearest(word, words)
    if near is not None:
        return f"did you mean '{near}'?"
    shown = list(words)
    more = f" and {len(shown) - 20} more" if len(shown) > 20 else ""
    return f"there are: {', '.join(shown[:20])}{more}" if shown else "there are none"


def one_of(key: str, given: object, words: Collection[str]) -> str:
    """Return the sentence for a value of ``key`` that is none of the ``words``."""
    return f"'{clip(given)}' is no {key}; {did_you_mean(str(given), words)}"


def clip(value: object, most: int = 60) -> str:
    """Return ``value`` as one short line of text that can be printed."""
    text = " ".join(str(value)[: 10 * most].split())
    text = "".join(c if c.isprintable() else "?" for c in text)
    return text if len(text) <= most else text[: most - 3] + "..."
