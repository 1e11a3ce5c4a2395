"""The words of the files as they stand in a sentence."""

from __future__ import annotations


def capital(text: str) -> str:
    """Return a text with its first letter a capital, the rest as it is.

    >>> capital("the Old Guard")
    'The Old Guard'
    """
    return text[:1].upper() + text[1:]


def side_name(side: str | None) -> str:
    """Return a side as it begins a sentence: "French"; nobody's name where there is none."""
    return "Nobody" if side is None else capital(side)
